/* The scanner: accepted text has the same parts and the same printed form in every way of reading
 * it. */
#include "base/json/json_print.h"
#include "base/text/utf8.h"
#include "fuzz.h"

/* Requires that each string decodes alike at once and character by character. */
static void check_strings(struct json value)
{
    struct json_strings walk = {.at = value.raw.at, .end = value.raw.at + value.raw.len};
    struct json string;
    bool is_key;

    while (json_next_string(&walk, &string, &is_key)) {
        struct arena arena = {0};
        struct str letters = {0};
        struct span text = json_text(&arena, string), rest = json_content(string);
        require(fuzz_inside(string.raw, value.raw) && walk.depth <= JSON_DEPTH_MAX, "a string");
        if (utf8_escapable(rest)) {
            while (rest.len)
                utf8_add(&letters, json_next_char(&rest));
            require(span_eq(str_span(&letters), text), "%.*s", (int)string.raw.len, string.raw.at);
            require(utf8_escapable(text), "%.*s", (int)string.raw.len, string.raw.at);
        }
        str_free(&letters);
        arena_free(&arena);
    }
}

/* Requires that text printed in any style is JSON, and that printing it again changes nothing. */
static void check_printing(struct json value)
{
    const struct json_style *const styles[] = {&json_style_python, &json_style_node,
                                               &json_style_node_line, &json_style_line};

    for (size_t i = 0; i < sizeof styles / sizeof *styles; i++) {
        struct str once = {0}, twice = {0};
        struct json again;
        struct err err;
        json_put_value(&once, value, styles[i], 0);
        require(json_scan(str_span(&once), styles[i]->portable ? JSON_STRICT : JSON_PYTHON, &again,
                          &err),
                "style %zu: %s: %s", i, err.text, str_c(&once));
        require(!styles[i]->portable || utf8_valid(str_span(&once)), "style %zu", i);
        json_put_value(&twice, again, styles[i], 0);
        require(span_eq(str_span(&once), str_span(&twice)), "style %zu: %s", i, str_c(&once));
        str_free(&once);
        str_free(&twice);
    }
}

/* Walks over the members as readers do; each is a document of its own. */
static bool walk_members(struct span text, enum json_dialect dialect, struct err *err)
{
    struct json_walk walk;
    struct json key, value, alone;

    if (!json_open(&walk, text, dialect, err))
        return false;
    while (json_next(&walk, &key, &value)) {
        struct err wrong;
        require(fuzz_inside(key.raw, text) && fuzz_inside(value.raw, text), "a member");
        require((key.kind == JSON_ABSENT) == (walk.kind == JSON_ARRAY), "a key");
        require(json_scan(value.raw, dialect, &alone, &wrong), "%s", wrong.text);
        require(span_eq(alone.raw, value.raw) && alone.kind == value.kind, "%.*s",
                (int)value.raw.len, value.raw.at);
    }
    return json_close(&walk, err);
}

static bool check(struct span text, enum json_dialect dialect)
{
    struct json value = {0};
    struct err err = {0}, walked = {0};
    bool ok = json_scan(text, dialect, &value, &err);
    bool container = ok && (value.kind == JSON_ARRAY || value.kind == JSON_OBJECT);

    require(ok || err.text[0], "refused without a reason");
    require(walk_members(text, dialect, &walked) == container, "the two ways disagree: %s, %s",
            err.text, walked.text);
    if (!ok)
        return false;
    require(fuzz_inside(value.raw, text), "the value");
    struct arena arena = {0};
    struct span twice = json_duplicate_key(value, &arena);
    require(!twice.at || container, "a key without an object");
    arena_free(&arena);
    check_strings(value);
    check_printing(value);
    return true;
}

void fuzz_json(struct span input)
{
    bool strict = check(input, JSON_STRICT), python = check(input, JSON_PYTHON);

    require(python || !strict, "only the stricter dialect takes it");
}
