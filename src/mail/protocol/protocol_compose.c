/* Protocol messages: checking and writing them by the table. */
#include "base/json/json_print.h"
#include "base/text/utf8.h"
#include "mail/protocol/protocol_table.h"

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

/* What cannot be seen any more once it has been composed. */
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
    struct str text = {0};
    struct arena arena = {0};
    bool ok;

    if (!form)
        return err_set(err, ERR_REFUSED, "no message of this kind can be made");
    if (!check_parts(p, form->name, form->fields, err))
        return false;
    protocol_compose(&text, p);
    if (!protocol_parse(&again, str_span(&text), &arena))
        ok = err_set(err, ERR_REFUSED, "%s: it is nested too deeply to be read again", form->name);
    else if (again.problem.at)
        ok = err_set(err, ERR_REFUSED, "%s: %.*s", form->name, (int)again.problem.len,
                     again.problem.at);
    else
        ok = true;
    str_free(&text);
    arena_free(&arena);
    return ok;
}
