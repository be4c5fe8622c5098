/* Fields: gathering the known keys of an object. */
#include "store/layouts/fields.h"

#include "base/json_print.h"
#include "base/utf8.h"
#include "mail/message.h"

#include <stdlib.h>

static bool is_key(struct json key, const char *name)
{
    struct span content = json_content(key);

    return (strncmp(name, content.at, content.len) == 0 && !name[content.len]) ||
           json_is(key, name);
}

bool fields_read(struct span text, enum json_dialect dialect, const char *const *names,
                 size_t count, struct json *values, struct fields_found *found, struct err *err)
{
    struct json_walk walk;
    struct json key, value;
    size_t expected = 0;

    *found = (struct fields_found){0};
    if (!json_open(&walk, text, dialect, err))
        return false;
    while (json_next(&walk, &key, &value)) {
        for (size_t i = 0; walk.kind == JSON_OBJECT && i < count; i++) {
            size_t at = (expected + i) % count;
            if (!is_key(key, names[at]))
                continue;
            if (values[at].kind != JSON_ABSENT)
                found->flags |= MESSAGE_EQUAL_KEYS;
            values[at] = value;
            expected = at + 1;
            break;
        }
    }
    if (!json_close(&walk, err))
        return false;
    found->kind = walk.kind;
    if (span_starts(text, span_of("\xef\xbb\xbf")))
        found->flags |= MESSAGE_BYTE_MARK;
    if (walk.beyond_ascii && !utf8_valid(text))
        found->flags |= MESSAGE_NOT_UTF8;
    return true;
}

struct json fields_member(struct json object, const char *name)
{
    struct json value = {0};
    struct fields_found found;
    struct err ignored;

    if (object.kind == JSON_OBJECT)
        fields_read(object.raw, JSON_PYTHON, &name, 1, &value, &found, &ignored);
    return value;
}

bool fields_number(struct json value, double *number)
{
    if (value.kind != JSON_NUMBER)
        return false;
    *number = strtod(value.raw.at, NULL); /* what stands behind it in the container ends it */
    return true;
}

/* Whether every program would write the text like this: it has only escapes that are needed. */
static bool has_plain_escapes(struct span raw)
{
    const char *end = raw.at + raw.len;

    for (const char *at = memchr(raw.at, '\\', raw.len); at;
         at = memchr(at + 2, '\\', (size_t)(end - at - 2)))
        if (at[1] == 'u' || at[1] == '/')
            return false;
    return true;
}

struct span fields_plain(struct json value, struct str *scratch)
{
    bool container = value.kind == JSON_OBJECT || value.kind == JSON_ARRAY;

    if (value.kind == JSON_ABSENT || value.kind == JSON_NULL || (container && value.raw.len == 2))
        return (struct span){0};
    if (!container && (value.kind != JSON_STRING || has_plain_escapes(value.raw)))
        return value.raw;
    str_clear(scratch);
    json_put_value(scratch, value, &json_style_node_line, 0);
    return str_span(scratch);
}
