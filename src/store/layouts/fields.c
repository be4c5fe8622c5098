/* Fields: gathering the known keys of an object. */
#include "store/layouts/fields.h"

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
