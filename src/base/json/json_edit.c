/* JSON edits: splicing new values into someone else's text. */
#include "base/json/json_edit.h"

#include "base/mem.h"

#include <stdlib.h>

static int by_offset(const void *a, const void *b)
{
    const struct json_edit *x = a, *y = b;

    return (x->at > y->at) - (x->at < y->at);
}

void edit_apply(struct str *out, struct span text, struct json_edit *edits, size_t count)
{
    size_t done = 0;

    if (count)
        qsort(edits, count, sizeof *edits, by_offset);
    for (size_t i = 0; i < count; i++) {
        str_add(out, text.at + done, edits[i].at - done);
        str_add_span(out, edits[i].with);
        done = edits[i].at + edits[i].len;
    }
    str_add(out, text.at + done, text.len - done);
}

/* The blanks between the start of the line and this place, newline included; empty when something
 * else stands there. */
static struct span indentation(struct span text, const char *at)
{
    const char *start = at;

    while (start > text.at && (start[-1] == ' ' || start[-1] == '\t'))
        start--;
    if (start == text.at || start[-1] != '\n')
        return (struct span){"", 0};
    start--;
    return (struct span){start, (size_t)(at - start)};
}

bool json_set_members(struct str *out, struct span text, enum json_dialect dialect,
                      const struct json_set *sets, size_t count, struct err *err)
{
    struct json_walk walk;
    struct json key, value, last_key = {0}, last_value = {0};
    struct json_edit *edits = NULL;
    struct str added = {0};
    bool ok = false;

    if (!json_open(&walk, text, dialect, err))
        return false;
    if (walk.kind != JSON_OBJECT)
        return err_set(err, ERR_MESSAGE, "it is an array, not an object");
    edits = mem_zero(count + 1, sizeof *edits);
    const char *inside = walk.at;
    while (json_next(&walk, &key, &value)) {
        last_key = key;
        last_value = value;
        for (size_t i = 0; i < count; i++)
            if (json_is(key, sets[i].key))
                edits[i] = (struct json_edit){(size_t)(value.raw.at - text.at), value.raw.len,
                                              sets[i].raw};
    }
    if (!json_close(&walk, err))
        goto out;

    struct span indent = {"", 0};
    if (last_key.kind)
        indent = indentation(text, last_key.raw.at);
    for (size_t i = 0; i < count; i++) {
        if (edits[i].with.at)
            continue;
        if (last_key.kind || added.len)
            str_puts(&added, indent.len ? "," : ", ");
        str_add_span(&added, indent);
        str_addf(&added, "\"%s\": ", sets[i].key);
        str_add_span(&added, sets[i].raw);
    }
    const char *end = last_key.kind ? last_value.raw.at + last_value.raw.len : inside;
    size_t used = 0;
    for (size_t i = 0; i < count; i++)
        if (edits[i].with.at)
            edits[used++] = edits[i];
    if (added.len)
        edits[used++] = (struct json_edit){(size_t)(end - text.at), 0, str_span(&added)};
    edit_apply(out, text, edits, used);
    ok = true;
out:
    str_free(&added);
    free(edits);
    return ok;
}
