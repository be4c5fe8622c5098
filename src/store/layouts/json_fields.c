/* Reading the known keys of a JSON object. */
#include "store/layouts/json_fields.h"

#include "base/json/json_print.h"
#include "base/map.h"
#include "base/text/utf8.h"
#include "mail/message/message.h"

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

    if (object.kind == JSON_OBJECT)
        fields_read(object.raw, JSON_PYTHON, &name, 1, &value, &found, NULL);
    return value;
}

bool fields_number(struct json value, double *number)
{
    if (value.kind != JSON_NUMBER)
        return false;
    *number = strtod(value.raw.at, NULL); /* ends before the character that follows in the
                                           * container */
    return true;
}

static const struct json_style python_line = {.ascii = true};

/* Returns true if an escape denotes a character beyond ASCII, in lower case. */
static bool is_python_escape(const char *digits)
{
    bool beyond = digits[0] != '0' || digits[1] != '0' || digits[2] >= '8';

    for (int i = 0; i < 4; i++)
        beyond = beyond && !(digits[i] >= 'A' && digits[i] <= 'F');
    return beyond;
}

/* Returns true if python_line would print the string in this form. Returns false if that is
 * uncertain: escapes of ASCII characters have several forms. */
static bool is_python_form(struct span raw)
{
    const char *end = raw.at + raw.len, *at = raw.at;

    if (!utf8_is_ascii(raw) || memchr(raw.at, 0x7f, raw.len))
        return false;
    while ((at = memchr(at, '\\', (size_t)(end - at)))) {
        if (at[1] == '/' || (at[1] == 'u' && !is_python_escape(at + 2)))
            return false;
        at += 2;
    }
    return true;
}

uint64_t fields_hash(struct json value, uint64_t seed)
{
    bool container = value.kind == JSON_OBJECT || value.kind == JSON_ARRAY;
    CLEANUP(str_free) struct str printed = {0};

    if (value.kind == JSON_ABSENT || value.kind == JSON_NULL || (container && value.raw.len == 2))
        return seed;
    if (container || (value.kind == JSON_STRING && !is_python_form(value.raw))) {
        json_put_value(&printed, value, &python_line, 0);
        value.raw = str_span(&printed);
    }
    return map_hash_wide(value.raw, seed + value.kind);
}
