/* Protocol messages: reading them by the table. */
#include "mail/protocol/protocol.h"

#include "base/json/json.h"
#include "base/map.h"
#include "base/text/utf8.h"
#include "mail/protocol/protocol_table.h"

enum { SHOWN_MAX = 40 }; /* characters of a wrong word that a sentence repeats */

static const char *const type_names[] = {
    [FIELD_TEXT] = "a text",           [FIELD_WORD] = "a text",
    [FIELD_FIXED] = "a text",          [FIELD_VERDICT] = "true or false",
    [FIELD_NUMBER] = "a whole number", [FIELD_OBJECT] = "an object",
    [FIELD_ARRAY] = "an array",        [FIELD_GROUP] = "an object",
};

static bool fits(enum field_type type, struct json value)
{
    switch (type) {
    case FIELD_TEXT:
    case FIELD_WORD:
    case FIELD_FIXED:
        return value.kind == JSON_STRING;
    case FIELD_VERDICT:
        return value.kind == JSON_TRUE || value.kind == JSON_FALSE;
    case FIELD_NUMBER:
        for (size_t i = 0; i < value.raw.len; i++)
            if (value.raw.at[i] < '0' || value.raw.at[i] > '9')
                return false;
        return value.kind == JSON_NUMBER;
    case FIELD_ARRAY:
        return value.kind == JSON_ARRAY;
    case FIELD_OBJECT:
    case FIELD_GROUP:
        break;
    }
    return value.kind == JSON_OBJECT;
}

/* Keeps the first problem; takes the text over. */
static void complain(struct protocol *p, struct str *sentence, struct arena *arena)
{
    if (!p->problem.at)
        p->problem = arena_copy(arena, str_span(sentence));
    str_free(sentence);
}

static bool is_listed(const struct protocol_words *words, struct span word)
{
    for (size_t i = 0; words->list[i]; i++)
        if (span_is(word, words->list[i]))
            return true;
    return false;
}

static void check_word(struct protocol *p, const struct protocol_field *field, struct span word,
                       struct arena *arena)
{
    const char *const *list = field->words->list;
    struct str sentence = {0};

    if (is_listed(field->words, word))
        return;
    str_addf(&sentence, "\"%s\" is \"", field->key);
    str_add_span(&sentence, utf8_start(word, SHOWN_MAX));
    if (field->words->alias && span_is(word, field->words->alias)) {
        str_addf(&sentence, "\", an alias of \"%s\": use that", field->words->meant);
    } else {
        str_puts(&sentence, "\", not ");
        for (size_t i = 0; list[i]; i++)
            str_addf(&sentence, "%s%s", !i ? "" : list[i + 1] ? ", " : " or ", list[i]);
    }
    complain(p, &sentence, arena);
}

static void parse_fields(struct protocol *p, const struct protocol_field *fields,
                         struct span object, struct arena *arena);

/* The elements of a list keep their raw text; only what is wrong with them is noted. */
static void check_elements(struct protocol *p, const struct protocol_field *field, struct json list,
                           struct arena *arena)
{
    struct json_walk walk;
    struct json key, element;
    struct err err;

    json_open(&walk, list.raw, JSON_STRICT, &err);
    while (!p->problem.at && json_next(&walk, &key, &element)) {
        struct protocol one = {0};
        struct str sentence = {0};
        if (element.kind == JSON_OBJECT) {
            parse_fields(&one, field->inside, element.raw, arena);
            p->problem = one.problem;
        } else {
            str_addf(&sentence, "\"%s\" holds something that is not an object", field->key);
            complain(p, &sentence, arena);
        }
    }
}

static void take(struct protocol *p, const struct protocol_field *field, struct json value,
                 struct arena *arena)
{
    switch (field->type) {
    case FIELD_TEXT:
        *protocol_span(p, field->at) = json_text(arena, value);
        break;
    case FIELD_WORD:
        *protocol_span(p, field->at) = json_text(arena, value);
        check_word(p, field, protocol_get(p, field->at), arena);
        break;
    case FIELD_FIXED:
        check_word(p, field, json_text(arena, value), arena);
        break;
    case FIELD_VERDICT:
        p->verdict = value.kind == JSON_TRUE ? VERDICT_YES : VERDICT_NO;
        break;
    case FIELD_NUMBER:
    case FIELD_OBJECT:
        *protocol_span(p, field->at) = value.raw;
        break;
    case FIELD_ARRAY:
        *protocol_span(p, field->at) = value.raw;
        if (field->inside)
            check_elements(p, field, value, arena);
        break;
    case FIELD_GROUP:
        *protocol_span(p, field->at) = value.raw;
        parse_fields(p, field->inside, value.raw, arena);
        break;
    }
}

/* Values are taken in the order of the table after all are seen: of equal keys the last counts. */
static void parse_fields(struct protocol *p, const struct protocol_field *fields,
                         struct span object, struct arena *arena)
{
    struct json seen[PROTOCOL_FIELDS_MAX] = {0};
    struct json_walk walk;
    struct json key, value;
    struct err err;

    json_open(&walk, object, JSON_STRICT, &err);
    while (json_next(&walk, &key, &value))
        for (size_t i = 0; fields[i].key; i++)
            if (json_is(key, fields[i].key))
                seen[i] = value;
    for (size_t i = 0; fields[i].key; i++) {
        const struct protocol_field *field = &fields[i];
        struct str sentence = {0};
        if (seen[i].kind != JSON_ABSENT && fits(field->type, seen[i])) {
            take(p, field, seen[i], arena);
        } else if (seen[i].kind != JSON_ABSENT) {
            str_addf(&sentence, "\"%s\" is not %s", field->key, type_names[field->type]);
            complain(p, &sentence, arena);
        } else if (!field->optional) {
            str_addf(&sentence, "\"%s\" is missing", field->key);
            complain(p, &sentence, arena);
        }
    }
}

/* A key that stands twice in one object, at any depth. One pass, whatever the nesting: keys are
 * told apart by the number of their object, which is put before them. */
static struct span find_equal_keys(struct span object, struct arena *arena)
{
    struct json_strings walk = {.at = object.at, .end = object.at + object.len};
    struct json string;
    struct map seen = {0};
    struct span found = {0};
    bool is_key, fresh;

    while (!found.at && json_next_string(&walk, &string, &is_key)) {
        if (!is_key)
            continue;
        struct span key = json_text(arena, string);
        char *numbered = arena_bytes(arena, sizeof walk.object + key.len);
        memcpy(numbered, &walk.object, sizeof walk.object);
        if (key.len)
            memcpy(numbered + sizeof walk.object, key.at, key.len);
        map_put(&seen, (struct span){numbered, sizeof walk.object + key.len}, &fresh);
        if (!fresh)
            found = key;
    }
    map_free(&seen);
    return found;
}

/* Finds what decides the form of a message. False when it is no message at all. */
static bool find_type(struct span text, struct json *type, struct json *subtype)
{
    struct json_walk walk;
    struct json key, value;
    struct err err;

    if (!text.len || text.at[0] != '{' || !json_open(&walk, text, JSON_STRICT, &err))
        return false;
    while (json_next(&walk, &key, &value)) {
        if (json_is(key, "type"))
            *type = value;
        else if (json_is(key, "subtype"))
            *subtype = value;
    }
    return json_close(&walk, &err) && type->kind == JSON_STRING;
}

bool protocol_parse(struct protocol *p, struct span text, struct arena *arena)
{
    struct json type = {0}, subtype = {0};

    *p = (struct protocol){.kind = PROTOCOL_NONE};
    text = span_trim(text);
    if (!find_type(text, &type, &subtype))
        return false;
    p->raw = text;
    p->type = json_text(arena, type);
    p->kind = protocol_kind_find(p->type);
    p->equal_keys = find_equal_keys(text, arena);
    /* Whatever is no plain grant must not pass for one. */
    p->denied = p->kind == PROTOCOL_PERMISSION_RESPONSE && !json_is(subtype, "success");
    const struct protocol_form *form = protocol_form(p->kind, p->denied);
    if (form) {
        parse_fields(p, form->fields, text, arena);
        p->acts = !form->checked || !p->problem.at;
    }
    return true;
}

enum protocol_verdict protocol_decides(const struct protocol *p)
{
    switch (p->kind) {
    case PROTOCOL_PERMISSION_RESPONSE:
        return p->denied ? VERDICT_NO : VERDICT_YES;
    case PROTOCOL_SHUTDOWN_APPROVED:
        return VERDICT_YES;
    case PROTOCOL_SHUTDOWN_REJECTED:
        return VERDICT_NO;
    default:
        return p->verdict;
    }
}
