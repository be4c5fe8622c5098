/* Queries: reading one term, FIELD:VALUE,VALUE or text that stands alone. */
#include "mail/query/query_private.h"

#include "base/mem.h"
#include "base/span_list.h"
#include "base/text/fold.h"
#include "base/text/nearest.h"
#include "base/text/utf8.h"

#include <stdlib.h>

enum { WORDS_MAX = 32, SHOWN_CHARS = 40 };

/* One value as it stands in the text. */
struct piece {
    struct span text; /* without quotes and escapes */
    size_t at;
    bool quoted;
};

static bool is_at_end(const struct query_parser *parser)
{
    return parser->at == parser->text.len;
}

static char here(const struct query_parser *parser)
{
    return parser->text.at[parser->at];
}

/* Copies the text up to the quote that ends it, which must be there. */
static struct span unescape(struct query_parser *parser, size_t from, size_t to)
{
    char *out = arena_bytes(&parser->query->arena, to - from + 1);
    const char *text = parser->text.at;
    size_t len = 0;

    for (size_t i = from; i < to; i++) {
        if (text[i] == '\\' && (text[i + 1] == '"' || text[i + 1] == '\\'))
            i++;
        out[len++] = text[i];
    }
    return (struct span){out, len};
}

static bool take_quoted(struct query_parser *parser, struct piece *piece)
{
    const char *text = parser->text.at;
    size_t end = parser->at + 1, len = parser->text.len;

    *piece = (struct piece){.at = parser->at, .quoted = true};
    while (end < len && text[end] != '"')
        end += text[end] == '\\' && end + 1 < len && (text[end + 1] == '"' || text[end + 1] == '\\')
                   ? 2
                   : 1;
    if (end >= len)
        return query_fail(parser, piece->at, "this quote is never closed");
    if (end == piece->at + 1)
        return query_fail(parser, piece->at, "there is nothing between these quotes");
    piece->text = unescape(parser, piece->at + 1, end);
    parser->at = end + 1;
    return true;
}

/* Text without quotes; `list` when a comma ends it too. */
static bool take_bare(struct query_parser *parser, bool list, struct piece *piece)
{
    *piece = (struct piece){.at = parser->at};
    for (; !is_at_end(parser) && !query_ends_word(here(parser)); parser->at++) {
        if (list && here(parser) == ',')
            break;
        if (here(parser) == '"')
            return query_fail(parser, parser->at,
                              "a quote inside a word; put quotes around the whole of it, and \\\" "
                              "for a quote in it");
    }
    piece->text = arena_copy(&parser->query->arena,
                             (struct span){parser->text.at + piece->at, parser->at - piece->at});
    return true;
}

static bool take_value(struct query_parser *parser, const struct query_field *field,
                       size_t field_at, struct piece *piece)
{
    bool alone = !*field->name;

    if (!alone && (is_at_end(parser) || query_ends_word(here(parser)) || here(parser) == ',')) {
        if (parser->text.at[parser->at - 1] == ',')
            return query_fail(parser, parser->at - 1, "there is no value behind this comma");
        return query_fail(parser, field_at, "\"%s:\" needs a value right behind the colon",
                          field->name);
    }
    bool quoted = here(parser) == '"';
    if (!(quoted ? take_quoted(parser, piece) : take_bare(parser, !alone, piece)))
        return false;
    if (quoted && !is_at_end(parser) && !query_ends_word(here(parser)) &&
        (alone || here(parser) != ','))
        return query_fail(parser, parser->at, "a blank is missing between the quote and this");
    return true;
}

/* `; near: ...`, and the words themselves as `a, b or c`. */
static void list_words(const struct query_field *field, struct span typed, struct str *all,
                       struct str *near)
{
    struct span words[WORDS_MAX];
    unsigned count = 0;

    for (; field->word(count); count++)
        words[count] = span_of(field->word(count));
    for (unsigned i = 0; i < count; i++) {
        str_puts(all, !i ? "" : i + 1 < count ? ", " : " or ");
        str_add_span(all, words[i]);
    }
    nearest_hint(near, typed, words, count);
}

static bool refuse_word(struct query_parser *parser, const struct query_field *field,
                        const struct piece *piece)
{
    struct span shown = utf8_start(piece->text, SHOWN_CHARS);
    struct str all = {0}, near = {0};

    list_words(field, piece->text, &all, &near);
    query_fail(parser, piece->at, "\"%s:\" takes %s, not \"%.*s\"%s", field->name, str_c(&all),
               (int)shown.len, shown.at, str_c(&near));
    str_free(&all);
    str_free(&near);
    return false;
}

static bool add_word(struct query_parser *parser, struct query_node *term,
                     const struct piece *piece)
{
    struct span word = piece->text;
    bool and_above = term->field->at_least && word.len && word.at[word.len - 1] == '+';

    word.len -= and_above;
    for (unsigned i = 0; term->field->word(i); i++) {
        if (!fold_is(word, term->field->word(i)))
            continue;
        for (unsigned k = i; k == i || (and_above && term->field->word(k)); k++)
            term->words |= UINT32_C(1) << k;
        return true;
    }
    return refuse_word(parser, term->field, piece);
}

static bool set_time(struct query_parser *parser, struct query_node *term,
                     const struct piece *piece)
{
    struct span shown = utf8_start(piece->text, SHOWN_CHARS);
    enum when_zone zone;

    if (term->value_count > 1)
        return query_fail(parser, piece->at, "\"%s:\" takes only one time", term->field->name);
    term->time_us = when_parse(piece->text, &zone);
    if (term->time_us != WHEN_NONE)
        return true;
    term->is_age = when_duration(piece->text, &term->time_us);
    return term->is_age ||
           query_fail(parser, piece->at,
                      "\"%s:\" takes an age such as 30m, 2h or 7d, or a time such as 2026-11-01 or "
                      "2026-11-01T14:30, not \"%.*s\"",
                      term->field->name, (int)shown.len, shown.at);
}

/* Values of a term while it is read: they move to the arena when all are there. */
struct value_list {
    struct query_value *items;
    size_t count, cap;
};

/* A * at the end leaves the last word open; one before it is more than words can say. */
static void read_words(struct query_parser *parser, struct query_value *value)
{
    struct span text = value->text;

    text.len -= value->wild;
    if (!value->wild || !memchr(text.at, '*', text.len))
        phrase_read(&value->phrase, text, value->wild, &parser->query->arena);
}

static void add_text(struct query_parser *parser, const struct query_field *field,
                     struct value_list *list, const struct piece *piece)
{
    struct str folded = {0};

    fold_add(&folded, piece->text);
    list->items = mem_grow(list->items, &list->cap, list->count + 1, sizeof *list->items);
    struct query_value *value = &list->items[list->count++];
    *value = (struct query_value){.text = piece->text,
                                  .folded = arena_copy(&parser->query->arena, str_span(&folded)),
                                  .wild = !piece->quoted && piece->text.len &&
                                          memchr(piece->text.at, '*', piece->text.len)};
    if (field->parts)
        read_words(parser, value);
    str_free(&folded);
}

static bool take_values(struct query_parser *parser, struct query_node *term, size_t field_at,
                        struct value_list *list)
{
    for (;;) {
        struct piece piece = {0};
        if (!take_value(parser, term->field, field_at, &piece))
            return false;
        if (!term->field->word)
            add_text(parser, term->field, list, &piece);
        term->value_count = list->count;
        if (term->field->word && !add_word(parser, term, &piece))
            return false;
        if (term->field->has_time && !set_time(parser, term, &piece))
            return false;
        if (!*term->field->name || is_at_end(parser) || here(parser) != ',')
            return true;
        parser->at++;
    }
}

static const struct query_field *find_field(struct span name)
{
    for (const struct query_field *field = query_fields; field->name; field++)
        if (fold_is(name, field->name))
            return field;
    return NULL;
}

static bool refuse_field(struct query_parser *parser, struct span name)
{
    struct span shown = utf8_start(name, SHOWN_CHARS);
    struct span_list names = {0};
    struct str near = {0};

    for (const struct query_field *field = query_fields; field->name; field++)
        span_list_add(&names, span_of(field->name));
    nearest_hint(&near, name, names.items, names.count);
    query_fail(parser, parser->at,
               "there is no field \"%.*s:\"%s; to search for the text itself, put it in quotes",
               (int)shown.len, shown.at, str_c(&near));
    span_list_free(&names);
    str_free(&near);
    return false;
}

bool query_take_term(struct query_parser *parser)
{
    struct span rest = {parser->text.at + parser->at, parser->text.len - parser->at};
    size_t field_at = parser->at, field_len = query_field_len(rest);
    struct query_node term = {.op = QUERY_TERM, .field = &query_text};
    struct value_list list = {0};

    if (field_len) {
        term.field = find_field((struct span){rest.at, field_len});
        if (!term.field)
            return refuse_field(parser, (struct span){rest.at, field_len});
        parser->at += field_len + 1;
    }
    bool ok = take_values(parser, &term, field_at, &list);
    if (ok) {
        size_t bytes = list.count * sizeof *list.items;
        struct query_value *values = bytes ? arena_alloc(&parser->query->arena, bytes) : NULL;
        if (bytes)
            memcpy(values, list.items, bytes);
        term.values = values;
        *query_add_node(parser->query, QUERY_TERM, 0) = term;
    }
    free(list.items);
    return ok;
}
