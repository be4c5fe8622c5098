/* Edits: any changed document is JSON afterwards and differs only in the intended members.
 *
 * The first byte chooses two members to be set, the rest is the document. */
#include "base/json/json.h"
#include "fuzz.h"

static struct json last_member(struct span text, const char *name)
{
    struct json_walk walk;
    struct json key, value, last = {0};
    struct err ignored;

    json_open(&walk, text, JSON_PYTHON, &ignored);
    while (json_next(&walk, &key, &value))
        if (json_is(key, name))
            last = value;
    return last;
}

void fuzz_json_edit(struct span input)
{
    static const char *const names[] = {"status", "read", "a", ""};
    static const char *const values[] = {"true", "\"read\"", "{\"a\": [1, {}]}", "-1.5e3"};
    unsigned char choice = fuzz_byte(&input);
    const struct json_set sets[] = {
        {names[choice & 3], span_of(values[choice >> 2 & 3])},
        {names[(choice + 1) & 3], span_of(values[choice >> 4 & 3])},
    };
    const char *const keys[] = {sets[0].key, sets[1].key, NULL};
    struct str out = {0};
    struct err err = {0};
    struct json before, after;

    bool takes = json_scan(input, JSON_PYTHON, &before, &err) && before.kind == JSON_OBJECT;
    bool ok = json_set_members(&out, input, JSON_PYTHON, sets, 2, &err);
    require(ok == takes, "%s", err.text);
    if (ok) {
        require(json_scan(str_span(&out), JSON_PYTHON, &after, &err), "%s: %s", err.text,
                str_c(&out));
        fuzz_require_kept(input, str_span(&out), keys);
        for (size_t i = 0; i < 2; i++)
            require(span_eq(last_member(str_span(&out), sets[i].key).raw, sets[i].raw), "%s is %s",
                    sets[i].key, str_c(&out));
    } else {
        require(!out.len && err.text[0], "refused without a reason, or with half an answer");
    }
    str_free(&out);
}
