/* Forms: labels and values. */
#include "mail/document_form.h"

enum { INDENT = 2 };

static const struct form_field input_fields[] = {
    {"command", "Command", FORM_EXACT, false}, {"cwd", "Cwd", FORM_EXACT, false},
    {"file_path", "File", FORM_EXACT, false},  {"notebook_path", "File", FORM_EXACT, false},
    {"path", "Path", FORM_EXACT, false},       {"url", "URL", FORM_EXACT, false},
    {"query", "Query", FORM_PLAIN, false},     {"pattern", "Pattern", FORM_PLAIN, false},
    {NULL, NULL, FORM_PLAIN, false},
};

/* Starts a line with its label. Where there is no room beside it, the value stands below it. */
static void open_value(struct form *form, const char *label, enum line_mode mode)
{
    struct writer *w = form->w;
    size_t len = strlen(label), columns = form->columns, most = writer_half(w);
    struct str next = {0};
    bool labelled = len > 0, below = w->indent + columns > most;

    if (below) {
        if (len)
            line_say(w, label, LOOK_LABEL);
        columns = w->indent + INDENT > most ? 0 : INDENT;
        len = 0;
    }
    str_pad(&next, ' ', mode == LINE_WORDS || !columns ? columns : columns - 2);
    if (mode != LINE_WORDS)
        str_puts(&next, "+ ");
    w->same_source = below && labelled;
    line_open(w, mode, str_span(&next));
    w->same_source = false;
    if (len)
        line_add(w, span_of(label), len, LOOK_LABEL);
    line_pad(w, columns > len ? columns - len : 0);
    str_free(&next);
}

void form_line(struct form *form, const char *label, struct span text, enum line_mode mode,
               enum look look)
{
    open_value(form, label, mode);
    line_put(form->w, text, look);
    line_close(form->w);
}

void form_text(struct form *form, const char *label, struct span text, enum line_mode mode,
               enum look look)
{
    do {
        if (!*label)
            text_skip_empty(form->w, &text);
        form_line(form, label, text.len ? text_line(&text, false) : text, mode, look);
        label = "";
    } while (text.len);
}

static void put_json(struct form *form, const char *label, struct json value)
{
    struct writer *w = form->w;
    struct arena arena = {0};
    bool nested = (value.kind == JSON_OBJECT || value.kind == JSON_ARRAY) && value.raw.len > 2;

    if (value.kind == JSON_STRING) {
        form_text(form, label, json_text(&arena, value), LINE_KEEP, LOOK_PLAIN);
    } else if (!nested) {
        form_text(form, label, value.raw, LINE_KEEP, LOOK_CODE);
    } else {
        line_say(w, label, LOOK_LABEL);
        w->indent += INDENT;
        json_put_scanned(w, value);
        w->indent -= INDENT;
    }
    arena_free(&arena);
}

static void put_markdown(struct form *form, const char *label, struct span text)
{
    struct writer *w = form->w;

    line_say(w, label, LOOK_LABEL);
    w->indent += INDENT;
    markdown_put(w, text);
    w->indent -= INDENT;
}

/* In quotes, so that it cannot be taken for what is so. */
static void put_said(struct form *form, const char *label, struct span text)
{
    struct writer *w = form->w;

    if (memchr(text.at, '\n', text.len)) {
        form_text(form, label, text, LINE_WORDS, LOOK_QUOTE);
        form_line(form, "", span_of("(the agent's words)"), LINE_WORDS, LOOK_DIM);
        return;
    }
    open_value(form, label, LINE_WORDS);
    line_put(w, span_of("\""), LOOK_DIM);
    line_put(w, text, LOOK_QUOTE);
    line_put(w, span_of("\""), LOOK_DIM);
    line_put(w, span_of(" (the agent's words)"), LOOK_DIM);
    line_close(w);
}

static void put_text(struct form *form, const struct form_field *field, struct span text)
{
    if (field->how == FORM_MARKDOWN)
        put_markdown(form, field->label, text);
    else if (field->how == FORM_SAID)
        put_said(form, field->label, text);
    else if (field->how == FORM_PROSE)
        form_text(form, field->label, text, LINE_WORDS, LOOK_PLAIN);
    else if (field->how == FORM_EXACT)
        form_text(form, field->label, text, LINE_EXACT, LOOK_CODE);
    else
        form_text(form, field->label, text, LINE_KEEP, LOOK_PLAIN);
}

static bool is_texts(struct json array)
{
    struct json_walk walk;
    struct json none, item;
    struct err ignored;

    if (array.kind != JSON_ARRAY || !json_open(&walk, array.raw, JSON_PYTHON, &ignored))
        return false;
    while (json_next(&walk, &none, &item))
        if (item.kind != JSON_STRING)
            return false;
    return true;
}

/* One text a line; the lines of a text with several stand deeper than its number. */
static void put_list(struct form *form, const struct form_field *field, struct json array)
{
    struct writer *w = form->w;
    struct json_walk walk;
    struct json none, item;
    struct err ignored;
    struct arena arena = {0};
    size_t number = 0;

    json_open(&walk, array.raw, JSON_PYTHON, &ignored);
    while (json_next(&walk, &none, &item)) {
        struct span text = json_text(&arena, item);
        struct str mark = {0};
        if (field->how == FORM_STEPS)
            str_addf(&mark, "%zu. ", number + 1);
        else
            str_puts(&mark, "- ");
        for (bool first = true; first || text.len; first = false) {
            open_value(form, number || !first ? "" : field->label, LINE_WORDS);
            if (first)
                line_add(w, str_span(&mark), mark.len, LOOK_DIM);
            else
                line_pad(w, mark.len < w->room ? mark.len : 0);
            if (text.len)
                line_put(w, text_line(&text, false), LOOK_PLAIN);
            line_close(w);
        }
        number++;
        str_free(&mark);
    }
    arena_free(&arena);
}

/* What is known of an input has labels of its own; the rest of it stands below one. */
static bool put_rest(struct form *form, struct span object, const struct form_field *fields,
                     const char *label);
static void put_known(struct form *form, struct span object, const struct form_field *fields);

static void put_input(struct form *form, const struct form_field *field, struct json value)
{
    if (value.kind != JSON_OBJECT || value.raw.len <= 2) {
        put_json(form, field->label, value);
        return;
    }
    put_known(form, value.raw, input_fields);
    form->w->indent += INDENT;
    put_rest(form, value.raw, input_fields, field->label);
    form->w->indent -= INDENT;
}

static bool is_nothing(struct json value)
{
    return value.kind == JSON_NULL || (value.kind == JSON_STRING && value.raw.len == 2) ||
           ((value.kind == JSON_ARRAY || value.kind == JSON_OBJECT) && value.raw.len == 2);
}

static void put_field(struct form *form, const struct form_field *field, struct json value)
{
    struct arena arena = {0};

    if (is_nothing(value)) {
        if (field->needed)
            form_text(form, field->label, span_of("none"), LINE_WORDS, LOOK_DIM);
    } else if (value.raw.at == form->w->below) {
        form_line(form, field->label, span_of("what stands below"), LINE_WORDS, LOOK_DIM);
    } else if (field->how == FORM_INPUT) {
        put_input(form, field, value);
    } else if (field->how == FORM_STEPS || field->how == FORM_LIST) {
        if (is_texts(value))
            put_list(form, field, value);
        else
            put_json(form, field->label, value);
    } else if (value.kind == JSON_STRING) {
        put_text(form, field, json_text(&arena, value));
    } else {
        put_json(form, field->label, value);
    }
    arena_free(&arena);
}

static void put_known(struct form *form, struct span object, const struct form_field *fields)
{
    struct json_walk walk;
    struct json key, value;
    struct err ignored;

    for (const struct form_field *field = fields; field->key; field++) {
        json_open(&walk, object, JSON_PYTHON, &ignored);
        while (json_next(&walk, &key, &value))
            if (json_is(key, field->key))
                put_field(form, field, value);
    }
}

static bool put_rest(struct form *form, struct span object, const struct form_field *fields,
                     const char *label)
{
    struct json_walk walk;
    struct json key, value;
    struct err ignored;
    bool any = false;

    json_open(&walk, object, JSON_PYTHON, &ignored);
    while (json_next(&walk, &key, &value)) {
        const struct form_field *field = fields;
        while (field->key && !json_is(key, field->key))
            field++;
        if (field->key)
            continue;
        if (!any && label) {
            form->w->indent -= INDENT;
            line_say(form->w, label, LOOK_LABEL);
            form->w->indent += INDENT;
        }
        any = true;
        json_put_member(form->w, key, value);
    }
    return any;
}

void form_members(struct form *form, struct span object, const struct form_field *fields)
{
    put_known(form, object, fields);
    put_rest(form, object, fields, NULL);
}

void form_title(struct writer *w, const char *title)
{
    line_empty(w);
    line_open(w, LINE_WORDS, (struct span){0});
    line_put(w, span_of("-- "), LOOK_DIM);
    line_put(w, span_of(title), LOOK_HEADING);
    line_put(w, span_of(" "), LOOK_DIM);
    line_rule(w);
    line_close(w);
}
