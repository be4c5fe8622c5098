/* Field tables: labels and values. */
#include "mail/page/page_fields.h"

enum { INDENT = 2 };

static const struct page_field_field input_fields[] = {
    {"command", "Command", PAGE_FIELD_EXACT, false},
    {"cwd", "Cwd", PAGE_FIELD_EXACT, false},
    {"file_path", "File", PAGE_FIELD_EXACT, false},
    {"notebook_path", "File", PAGE_FIELD_EXACT, false},
    {"path", "Path", PAGE_FIELD_EXACT, false},
    {"url", "URL", PAGE_FIELD_EXACT, false},
    {"query", "Query", PAGE_FIELD_PLAIN, false},
    {"pattern", "Pattern", PAGE_FIELD_PLAIN, false},
    {NULL, NULL, PAGE_FIELD_PLAIN, false},
};

/* Starts a line with its label. Where there is no room beside the label, the value is below it. */
static void open_value(struct page_fields *sheet, const char *label, enum line_mode mode)
{
    struct writer *w = sheet->w;
    size_t len = strlen(label), columns = sheet->columns, most = writer_half(w);
    CLEANUP(str_free) struct str next = {0};
    bool labelled = len > 0, below = w->indent + columns > most;

    if (below) {
        if (len)
            line_say(w, label, STYLE_LABEL);
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
        line_add(w, span_of(label), len, STYLE_LABEL);
    line_pad(w, columns > len ? columns - len : 0);
}

void page_field_line(struct page_fields *sheet, const char *label, struct span text,
                     enum line_mode mode, enum style style)
{
    open_value(sheet, label, mode);
    line_put(sheet->w, text, style);
    line_close(sheet->w);
}

void page_field_text(struct page_fields *sheet, const char *label, struct span text,
                     enum line_mode mode, enum style style)
{
    do {
        if (!*label)
            text_skip_empty(sheet->w, &text);
        page_field_line(sheet, label, text.len ? text_line(&text, false) : text, mode, style);
        label = "";
    } while (text.len);
}

static void put_json(struct page_fields *sheet, const char *label, struct json value)
{
    struct writer *w = sheet->w;
    CLEANUP(arena_free) struct arena arena = {0};
    bool nested = (value.kind == JSON_OBJECT || value.kind == JSON_ARRAY) && value.raw.len > 2;

    if (value.kind == JSON_STRING) {
        page_field_text(sheet, label, json_text(&arena, value), LINE_KEEP, STYLE_PLAIN);
    } else if (!nested) {
        page_field_text(sheet, label, value.raw, LINE_KEEP, STYLE_CODE);
    } else {
        line_say(w, label, STYLE_LABEL);
        w->indent += INDENT;
        json_put_scanned(w, value);
        w->indent -= INDENT;
    }
}

static void put_markdown(struct page_fields *sheet, const char *label, struct span text)
{
    struct writer *w = sheet->w;

    line_say(w, label, STYLE_LABEL);
    w->indent += INDENT;
    markdown_put(w, text);
    w->indent -= INDENT;
}

/* Quotes the text, so that it cannot be taken for a fact. */
static void put_said(struct page_fields *sheet, const char *label, struct span text)
{
    struct writer *w = sheet->w;

    if (memchr(text.at, '\n', text.len)) {
        page_field_text(sheet, label, text, LINE_WORDS, STYLE_QUOTE);
        page_field_line(sheet, "", span_of("(the agent's words)"), LINE_WORDS, STYLE_DIM);
        return;
    }
    open_value(sheet, label, LINE_WORDS);
    line_put(w, span_of("\""), STYLE_DIM);
    line_put(w, text, STYLE_QUOTE);
    line_put(w, span_of("\""), STYLE_DIM);
    line_put(w, span_of(" (the agent's words)"), STYLE_DIM);
    line_close(w);
}

static void put_text(struct page_fields *sheet, const struct page_field_field *field,
                     struct span text)
{
    if (field->how == PAGE_FIELD_MARKDOWN)
        put_markdown(sheet, field->label, text);
    else if (field->how == PAGE_FIELD_SAID)
        put_said(sheet, field->label, text);
    else if (field->how == PAGE_FIELD_PROSE)
        page_field_text(sheet, field->label, text, LINE_WORDS, STYLE_PLAIN);
    else if (field->how == PAGE_FIELD_EXACT)
        page_field_text(sheet, field->label, text, LINE_EXACT, STYLE_CODE);
    else
        page_field_text(sheet, field->label, text, LINE_KEEP, STYLE_PLAIN);
}

static bool is_texts(struct json array)
{
    struct json_walk walk;
    struct json none, item;

    if (array.kind != JSON_ARRAY || !json_open(&walk, array.raw, JSON_PYTHON, NULL))
        return false;
    while (json_next(&walk, &none, &item))
        if (item.kind != JSON_STRING)
            return false;
    return true;
}

/* Writes one text per line; further lines of a text are indented below its number. */
static void put_list(struct page_fields *sheet, const struct page_field_field *field,
                     struct json array)
{
    struct writer *w = sheet->w;
    struct json_walk walk;
    struct json none, item;
    CLEANUP(arena_free) struct arena arena = {0};
    size_t number = 0;

    json_open(&walk, array.raw, JSON_PYTHON, NULL);
    while (json_next(&walk, &none, &item)) {
        struct span text = json_text(&arena, item);
        CLEANUP(str_free) struct str mark = {0};
        if (field->how == PAGE_FIELD_STEPS)
            str_addf(&mark, "%zu. ", number + 1);
        else
            str_puts(&mark, "- ");
        for (bool first = true; first || text.len; first = false) {
            open_value(sheet, number || !first ? "" : field->label, LINE_WORDS);
            if (first)
                line_add(w, str_span(&mark), mark.len, STYLE_DIM);
            else
                line_pad(w, mark.len < w->room ? mark.len : 0);
            if (text.len)
                line_put(w, text_line(&text, false), STYLE_PLAIN);
            line_close(w);
        }
        number++;
    }
}

/* Known members of an input have their own labels; the others are JSON below the field's label. */
static bool put_rest(struct page_fields *sheet, struct span object,
                     const struct page_field_field *fields, const char *label);
static void put_known(struct page_fields *sheet, struct span object,
                      const struct page_field_field *fields);

static void put_input(struct page_fields *sheet, const struct page_field_field *field,
                      struct json value)
{
    if (value.kind != JSON_OBJECT || value.raw.len <= 2) {
        put_json(sheet, field->label, value);
        return;
    }
    put_known(sheet, value.raw, input_fields);
    sheet->w->indent += INDENT;
    put_rest(sheet, value.raw, input_fields, field->label);
    sheet->w->indent -= INDENT;
}

static bool is_nothing(struct json value)
{
    return value.kind == JSON_NULL || (value.kind == JSON_STRING && value.raw.len == 2) ||
           ((value.kind == JSON_ARRAY || value.kind == JSON_OBJECT) && value.raw.len == 2);
}

static void put_field(struct page_fields *sheet, const struct page_field_field *field,
                      struct json value)
{
    CLEANUP(arena_free) struct arena arena = {0};

    if (is_nothing(value)) {
        if (field->needed)
            page_field_text(sheet, field->label, span_of("none"), LINE_WORDS, STYLE_DIM);
    } else if (value.raw.at == sheet->w->below) {
        page_field_line(sheet, field->label, span_of("what stands below"), LINE_WORDS, STYLE_DIM);
    } else if (field->how == PAGE_FIELD_INPUT) {
        put_input(sheet, field, value);
    } else if (field->how == PAGE_FIELD_STEPS || field->how == PAGE_FIELD_LIST) {
        if (is_texts(value))
            put_list(sheet, field, value);
        else
            put_json(sheet, field->label, value);
    } else if (value.kind == JSON_STRING) {
        put_text(sheet, field, json_text(&arena, value));
    } else {
        put_json(sheet, field->label, value);
    }
}

static void put_known(struct page_fields *sheet, struct span object,
                      const struct page_field_field *fields)
{
    struct json_walk walk;
    struct json key, value;

    for (const struct page_field_field *field = fields; field->key; field++) {
        json_open(&walk, object, JSON_PYTHON, NULL);
        while (json_next(&walk, &key, &value))
            if (json_is(key, field->key))
                put_field(sheet, field, value);
    }
}

static bool put_rest(struct page_fields *sheet, struct span object,
                     const struct page_field_field *fields, const char *label)
{
    struct json_walk walk;
    struct json key, value;
    bool any = false;

    json_open(&walk, object, JSON_PYTHON, NULL);
    while (json_next(&walk, &key, &value)) {
        const struct page_field_field *field = fields;
        while (field->key && !json_is(key, field->key))
            field++;
        if (field->key)
            continue;
        if (!any && label) {
            sheet->w->indent -= INDENT;
            line_say(sheet->w, label, STYLE_LABEL);
            sheet->w->indent += INDENT;
        }
        any = true;
        json_put_member(sheet->w, key, value);
    }
    return any;
}

void page_field_members(struct page_fields *sheet, struct span object,
                        const struct page_field_field *fields)
{
    put_known(sheet, object, fields);
    put_rest(sheet, object, fields, NULL);
}

void page_field_title(struct writer *w, const char *title)
{
    line_empty(w);
    line_open(w, LINE_WORDS, (struct span){0});
    line_put(w, span_of("-- "), STYLE_DIM);
    line_put(w, span_of(title), STYLE_HEADING);
    line_put(w, span_of(" "), STYLE_DIM);
    line_rule(w);
    line_close(w);
}
