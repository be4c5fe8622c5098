/* Protocol messages: parsing, titles, composing; and detecting the tag that agents' programs put
 * around messages. */
#include "mail/protocol/protocol.h"

#include "base/json/json.h"
#include "base/json/json_print.h"
#include "base/map.h"
#include "base/text/confusables.h"
#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "mail/protocol/protocol_table.h"
#include "mail/protocol/tool.h"

/* Reading messages by the table. */

enum { SHOWN_MAX = 40 }; /* characters of a wrong word that a sentence repeats */

static const char *const type_names[] = {
    [FIELD_TEXT] = "a text",           [FIELD_WORD] = "a text",
    [FIELD_FIXED] = "a text",          [FIELD_VERDICT] = "true or false",
    [FIELD_NUMBER] = "a whole number", [FIELD_OBJECT] = "an object",
    [FIELD_ARRAY] = "an array",        [FIELD_GROUP] = "an object",
};

static bool value_fits(enum field_type type, struct json value)
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

/* Keeps the first problem; frees the sentence. */
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

/* Checks the elements of a list, which keep their raw text; only their first problem is noted. */
static void check_elements(struct protocol *p, const struct protocol_field *field, struct json list,
                           struct arena *arena)
{
    struct json_walk walk;
    struct json key, element;

    json_open(&walk, list.raw, JSON_STRICT, NULL);
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

static void read_field(struct protocol *p, const struct protocol_field *field, struct json value,
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

/* Reads the values in the order of the table after all keys were seen: of equal keys the last one
 * counts. */
static void parse_fields(struct protocol *p, const struct protocol_field *fields,
                         struct span object, struct arena *arena)
{
    struct json seen[PROTOCOL_FIELDS_MAX] = {0};
    struct json_walk walk;
    struct json key, value;

    json_open(&walk, object, JSON_STRICT, NULL);
    while (json_next(&walk, &key, &value))
        for (size_t i = 0; fields[i].key; i++)
            if (json_is(key, fields[i].key))
                seen[i] = value;
    for (size_t i = 0; fields[i].key; i++) {
        const struct protocol_field *field = &fields[i];
        struct str sentence = {0};
        if (seen[i].kind != JSON_ABSENT && value_fits(field->type, seen[i])) {
            read_field(p, field, seen[i], arena);
        } else if (seen[i].kind != JSON_ABSENT) {
            str_addf(&sentence, "\"%s\" is not %s", field->key, type_names[field->type]);
            complain(p, &sentence, arena);
        } else if (!field->optional) {
            str_addf(&sentence, "\"%s\" is missing", field->key);
            complain(p, &sentence, arena);
        }
    }
}

/* Finds a key that occurs twice in one object, at any depth. One pass, whatever the nesting: each
 * key is prefixed with the number of its object. */
static struct span find_equal_keys(struct span object, struct arena *arena)
{
    struct json_strings walk = {.at = object.at, .end = object.at + object.len};
    struct json string;
    CLEANUP(map_free) struct map seen = {0};
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
    return found;
}

/* Finds the members that decide the form of a message. Returns false if it is no protocol
 * message. */
static bool find_type(struct span text, struct json *type, struct json *subtype)
{
    struct json_walk walk;
    struct json key, value;

    if (!text.len || text.at[0] != '{' || !json_open(&walk, text, JSON_STRICT, NULL))
        return false;
    while (json_next(&walk, &key, &value)) {
        if (json_is(key, "type"))
            *type = value;
        else if (json_is(key, "subtype"))
            *subtype = value;
    }
    return json_close(&walk, NULL) && type->kind == JSON_STRING;
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
    /* Anything but a plain grant counts as denied. */
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

/* Titles for people; request ids and times as the agents make them. */

/* The most bytes of a use that a subject shows. */
enum { USE_MOST = 300 };

void protocol_add_use(struct str *out, const struct protocol *p)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct span input = tool_use(p->tool_name, p->input, &arena);

    str_add_span(out, p->host);
    str_add_span(out, p->tool_name);
    if (p->tool_name.len && input.len)
        str_puts(out, ": ");
    str_add_span(out, input);
}

/* Appends the first line of the use; an ellipsis shows that there is more. */
static void add_use(struct str *out, const struct protocol *p)
{
    CLEANUP(str_free) struct str use = {0};

    protocol_add_use(&use, p);
    struct span line = utf8_start(span_first_line(str_span(&use)), USE_MOST);
    if (line.len)
        str_puts(out, ": ");
    str_add_span(out, span_trim(line));
    str_puts(out, line.len < use.len ? " ..." : "");
}

static void add_detail(struct str *out, const char *before, struct span text)
{
    text = span_first_line(span_trim(text));
    while (text.len && (text.at[0] == '#' || text.at[0] == ' ')) { /* the mark of a heading */
        text.at++;
        text.len--;
    }
    if (!text.len)
        return;
    str_puts(out, before);
    str_add_span(out, text);
}

void protocol_title(struct str *out, const struct protocol *p)
{
    const struct protocol_form *form = protocol_form(p->kind, p->denied);
    const char *before = ": ";

    if (!form) {
        str_add_span(out, p->type);
        return;
    }
    const char *by_verdict[] = {form->title, form->title_no, form->title_yes};
    str_puts(out, by_verdict[p->verdict] ? by_verdict[p->verdict] : form->title);
    if (form->which)
        add_detail(out, " ", protocol_get(p, form->which));
    if (form->uses)
        add_use(out, p);
    for (size_t i = 0; i < PROTOCOL_DETAILS_MAX && form->details[i]; i++) {
        size_t len = out->len;
        add_detail(out, before, protocol_get(p, form->details[i]));
        if (out->len > len)
            before = " - ";
    }
}

/* Appends a text of which the title shows at most the first line. */
static void add_whole(struct str *out, struct span text, bool even_one_line)
{
    text = span_trim(text);
    if (!text.len || (!even_one_line && span_first_line(text).len == text.len))
        return;
    str_puts(out, "\n\n");
    str_add_span(out, text);
}

void protocol_add_words(struct str *out, const struct protocol *p)
{
    const struct protocol_form *form = protocol_form(p->kind, p->denied);
    CLEANUP(str_free) struct str use = {0};

    protocol_title(out, p);
    if (!form)
        return;
    protocol_add_use(&use, p);
    if (form->uses)
        add_whole(out, str_span(&use), use.len > USE_MOST);
    for (size_t i = 0; i < PROTOCOL_DETAILS_MAX && form->details[i]; i++)
        add_whole(out, protocol_get(p, form->details[i]), false);
    add_whole(out, p->description, true);
}

bool protocol_new_id(struct str *out, enum protocol_kind kind, const struct protocol_seed *seed)
{
    static const char digits[] = "0123456789abcdefghijklmnopqrstuvwxyz";
    const struct protocol_form *form = protocol_form(kind, false);
    uint64_t random = seed->random;

    if (!form || !form->id_start)
        return false;
    str_addf(out, "%s-%lld", form->id_start, (long long)seed->now_ms);
    if (form->id_random) {
        str_putc(out, '-');
        for (int i = 0; i < 7; i++, random /= 36)
            str_putc(out, digits[random % 36]);
        return true;
    }
    str_putc(out, '@');
    str_add_span(out, seed->name);
    if (kind == PROTOCOL_PLAN_APPROVAL_REQUEST) {
        str_putc(out, '@');
        str_add_span(out, seed->team);
    }
    return true;
}

/* Checking and writing messages by the table. */

bool protocol_has(const struct protocol *p, const struct protocol_field *field)
{
    switch (field->type) {
    case FIELD_FIXED:
    case FIELD_GROUP:
        return true;
    case FIELD_VERDICT:
        return p->verdict != VERDICT_UNSAID;
    default:
        return protocol_get(p, field->at).at != NULL;
    }
}

static void put_fields(struct str *out, const struct protocol *p,
                       const struct protocol_field *fields)
{
    for (; fields->key; fields++) {
        if (!protocol_has(p, fields))
            continue;
        if (out->at[out->len - 1] != '{')
            str_putc(out, ',');
        str_addf(out, "\"%s\":", fields->key);
        switch (fields->type) {
        case FIELD_TEXT:
        case FIELD_WORD:
            json_put_text(out, protocol_get(p, fields->at), &json_style_node_line);
            break;
        case FIELD_FIXED:
            str_addf(out, "\"%s\"", fields->words->list[0]);
            break;
        case FIELD_VERDICT:
            str_puts(out, p->verdict == VERDICT_YES ? "true" : "false");
            break;
        case FIELD_NUMBER:
        case FIELD_OBJECT:
        case FIELD_ARRAY:
            str_add_span(out, protocol_get(p, fields->at));
            break;
        case FIELD_GROUP:
            str_putc(out, '{');
            put_fields(out, p, fields->inside);
            str_putc(out, '}');
            break;
        }
    }
}

void protocol_compose(struct str *out, const struct protocol *p)
{
    const struct protocol_form *form = protocol_form(p->kind, p->denied);

    str_addf(out, "{\"type\":\"%s\"", form->name);
    put_fields(out, p, form->fields);
    str_putc(out, '}');
}

void protocol_add_rules(struct str *out, struct span tool, const struct span *contents,
                        size_t count)
{
    struct protocol rule = {.tool_name = tool};
    size_t i = 0;

    str_putc(out, '[');
    do {
        rule.rule_content = count ? contents[i] : (struct span){0};
        str_puts(out, i ? ",{" : "{");
        put_fields(out, &rule, protocol_rule_fields);
        str_putc(out, '}');
    } while (++i < count);
    str_putc(out, ']');
}

/* Checks what cannot be detected any more once the message has been composed. */
static bool check_parts(const struct protocol *p, const char *name,
                        const struct protocol_field *fields, struct err *err)
{
    for (; fields->key; fields++) {
        struct json value;
        struct err wrong;
        if (fields->type == FIELD_GROUP && !check_parts(p, name, fields->inside, err))
            return false;
        bool text = fields->type == FIELD_TEXT || fields->type == FIELD_WORD;
        bool raw = fields->type == FIELD_NUMBER || fields->type == FIELD_OBJECT ||
                   fields->type == FIELD_ARRAY;
        if ((!text && !raw) || !protocol_has(p, fields))
            continue;
        struct span part = protocol_get(p, fields->at);
        if (!utf8_escapable(part))
            return err_set(err, ERR_REFUSED, "%s: \"%s\" is not UTF-8", name, fields->key);
        if (text && fields->filled && !part.len)
            return err_set(err, ERR_REFUSED, "%s: \"%s\" is empty", name, fields->key);
        if (text)
            continue;
        if (!json_scan(part, JSON_STRICT, &value, &wrong))
            return err_set(err, ERR_REFUSED, "%s: \"%s\" is not JSON: %s", name, fields->key,
                           wrong.text);
        if (!span_eq(value.raw, part))
            return err_set(err, ERR_REFUSED, "%s: \"%s\" has something around its value", name,
                           fields->key);
    }
    return true;
}

bool protocol_check(const struct protocol *p, struct err *err)
{
    const struct protocol_form *form = protocol_form(p->kind, p->denied);
    struct protocol again;
    CLEANUP(str_free) struct str text = {0};
    CLEANUP(arena_free) struct arena arena = {0};

    if (!form)
        return err_set(err, ERR_REFUSED, "no message of this kind can be made");
    if (!check_parts(p, form->name, form->fields, err))
        return false;
    protocol_compose(&text, p);
    if (!protocol_parse(&again, str_span(&text), &arena))
        return err_set(err, ERR_REFUSED, "%s: it is nested too deeply to be read again",
                       form->name);
    return !again.problem.at || err_set(err, ERR_REFUSED, "%s: %.*s", form->name,
                                        (int)again.problem.len, again.problem.at);
}

static char next_sign(struct span *rest)
{
    int32_t code = utf8_next(rest);

    return sanitize_is_blank(code) ? ' ' : confusable_ascii(code);
}

/* True if the name of the tag, or a slash and the name, follows. */
static bool starts_tag(struct span rest)
{
    static const char name[] = "teammate-message";
    size_t matched = 0;

    while (rest.len) {
        char sign = next_sign(&rest);
        if (sign == ' ' || (sign == '/' && !matched))
            continue;
        if (sign != name[matched])
            return false;
        if (!name[++matched])
            return true;
    }
    return false;
}

bool teammate_tag_found(struct span text)
{
    while (text.len) {
        char sign = *text.at;
        if ((unsigned char)sign >= 0x80) {
            sign = next_sign(&text);
        } else {
            text.at++;
            text.len--;
        }
        if (sign == '<' && starts_tag(text))
            return true;
    }
    return false;
}
