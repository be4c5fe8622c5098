/* Queries: matching, the canonical form, and what a query needs. */
#include "mail/query/query.h"

#include "base/mem.h"
#include "base/str.h"
#include "base/text/suggest.h"
#include "base/text/utf8.h"
#include "mail/query/query_fields.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Matching by words alone. */

bool query_seeks_words(const struct query_node *term)
{
    if (term->op != QUERY_TERM || !term->field->parts)
        return false;
    for (size_t i = 0; i < term->value_count; i++)
        if (!term->values[i].phrase.count)
            return false;
    return true;
}

/* Like query_match(), but with "possible" for true: an unknown term may hold, and so may its
 * negation. */
bool query_may_match(const struct query *query, bool (*has)(const void *context, uint32_t node),
                     const void *context)
{
    bool may = true;

    for (uint32_t at = 0; at < query->count;) {
        const struct query_node *node = &query->nodes[at];
        if (node->op == QUERY_TERM)
            may = !query_seeks_words(node) || has(context, at);
        else if (node->op == QUERY_NOT)
            may = true;
        enum query_op above =
            node->parent == QUERY_NONE ? QUERY_TERM : query->nodes[node->parent].op;
        bool decided = (above == QUERY_AND && !may) || (above == QUERY_OR && may);
        at = decided ? node->parent : at + 1;
    }
    return may;
}

static bool has_none(const void *context, uint32_t node)
{
    (void)context;
    (void)node;
    return false;
}

bool query_needs_words(const struct query *query)
{
    return !query_may_match(query, has_none, NULL);
}

bool query_wishes(const struct query *query, uint32_t node)
{
    bool wishes = true;

    for (uint32_t at = query->nodes[node].parent; at != QUERY_NONE; at = query->nodes[at].parent)
        wishes ^= query->nodes[at].op == QUERY_NOT;
    return wishes;
}

/* Searches the parts in the order in which a person wants to see them. */
bool query_find_words(const struct query *query, const struct message *message,
                      enum query_part *part, struct span *where)
{
    static const enum query_part order[] = {QUERY_PART_BODY, QUERY_PART_SUBJECT, QUERY_PART_FROM,
                                            QUERY_PART_TO};

    for (size_t p = 0; p < QUERY_PART_COUNT; p++) {
        for (uint32_t i = 0; i < query->count; i++) {
            const struct query_node *node = &query->nodes[i];
            if (node->op != QUERY_TERM || !(node->field->parts >> order[p] & 1) ||
                !query_wishes(query, i))
                continue;
            *part = order[p];
            for (size_t k = 0; k < node->value_count; k++)
                if (phrase_stands_in(&node->values[k].phrase, query_part(message, *part), where))
                    return true;
        }
    }
    return false;
}

/* Matching a message. */

static bool ends_with(struct span text, struct span end)
{
    return text.len >= end.len &&
           (!end.len || memcmp(text.at + text.len - end.len, end.at, end.len) == 0);
}

/* Matches the pieces between the stars one by one, each at the first position after the one before:
 * if that leaves no room for the rest, no later position does. */
static bool value_fits(const struct query_value *value, struct span text, unsigned anchors)
{
    struct span rest = value->folded;
    bool here = anchors & QUERY_START;

    for (;;) {
        const char *star = value->wild ? memchr(rest.at, '*', rest.len) : NULL;
        struct span piece = {rest.at, star ? (size_t)(star - rest.at) : rest.len};
        if (!star && anchors & QUERY_END)
            return here ? span_eq(text, piece) : ends_with(text, piece);
        const char *found = here ? (span_starts(text, piece) ? text.at : NULL)
                                 : memmem(text.at, text.len, piece.at, piece.len);
        if (!found || !star)
            return found != NULL;
        text.len -= (size_t)(found - text.at) + piece.len;
        text.at = found + piece.len;
        rest.len -= piece.len + 1;
        rest.at = star + 1;
        here = false;
    }
}

bool query_stands_in(const struct query_value *value, struct span text, unsigned anchors)
{
    CLEANUP(str_free) struct str folded = {0};

    if (!text.at)
        return false;
    fold_add(&folded, text);
    return value_fits(value, str_span(&folded), anchors);
}

static bool has_term(const struct query_node *term, const struct message *message,
                     const struct query_context *context)
{
    const struct query_field *field = term->field;

    if (field->has_time)
        return field->has_time(message,
                               term->is_age ? context->now_us - term->time_us : term->time_us);
    for (unsigned i = 0; field->has_word && field->word(i); i++)
        if (term->words >> i & 1 && field->has_word(message, context, i))
            return true;
    for (size_t i = 0; field->has_text && i < term->value_count; i++)
        if (field->has_text(message, context, &term->values[i]))
            return true;
    return false;
}

bool query_match(const struct query *query, const struct message *message,
                 const struct query_context *context)
{
    bool holds = true;

    for (uint32_t at = 0; at < query->count;) {
        const struct query_node *node = &query->nodes[at];
        if (node->op == QUERY_TERM)
            holds = has_term(node, message, context);
        else if (node->op == QUERY_NOT)
            holds = !holds;
        /* The operand that led here has decided the value of an "and" or "or". */
        enum query_op above =
            node->parent == QUERY_NONE ? QUERY_TERM : query->nodes[node->parent].op;
        bool decided = (above == QUERY_AND && !holds) || (above == QUERY_OR && holds);
        at = decided ? node->parent : at + 1;
    }
    return holds;
}

void query_free(struct query *query)
{
    free(query->nodes);
    arena_free(&query->arena);
    *query = (struct query){0};
}

unsigned query_wants(const struct query *query)
{
    unsigned wants = WANT_HEAD;

    for (size_t i = 0; i < query->count; i++)
        if (query->nodes[i].op == QUERY_TERM)
            wants |= query->nodes[i].field->wants;
    return wants;
}

bool query_names(const struct query *query, const char *field, const char *word)
{
    for (size_t i = 0; i < query->count; i++) {
        const struct query_node *node = &query->nodes[i];
        if (node->op != QUERY_TERM || !node->field->word || strcmp(node->field->name, field) != 0)
            continue;
        for (unsigned w = 0; node->field->word(w); w++)
            if (node->words & UINT32_C(1) << w && strcmp(node->field->word(w), word) == 0)
                return true;
    }
    return false;
}

bool query_joins(const struct query *query)
{
    for (size_t i = 0; i < query->count; i++)
        if (query->nodes[i].op == QUERY_TERM && query->nodes[i].field->joins)
            return true;
    return false;
}

bool query_asks(const struct query *query)
{
    for (size_t i = 0; i < query->count; i++)
        if (query->nodes[i].op == QUERY_TERM && query->nodes[i].words & query->nodes[i].field->asks)
            return true;
    return query_joins(query);
}

/* True for characters that end text without quotes. */
static bool query_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

static bool query_ends_word(char c)
{
    return query_is_blank(c) || c == '(' || c == ')';
}

/* Returns the number of letters before a colon at the start of the text; 0 if it starts
 * otherwise. */
static size_t query_field_len(struct span text)
{
    size_t len = 0;

    while (len < text.len && ((text.at[len] | 32) >= 'a' && (text.at[len] | 32) <= 'z'))
        len++;
    return len < text.len && text.at[len] == ':' ? len : 0;
}

static bool query_is_keyword(struct span word)
{
    for (size_t i = 0; query_keywords[i]; i++)
        if (fold_is(word, query_keywords[i]))
            return true;
    return false;
}

/* True if the value would be parsed as something else without quotes. */
static bool needs_quotes(const struct query_value *value, bool alone)
{
    struct span text = value->text;

    if (alone && (text.at[0] == '-' || query_field_len(text) || query_is_keyword(text)))
        return true;
    for (size_t i = 0; i < text.len; i++)
        if (query_ends_word(text.at[i]) || text.at[i] == '"' || (text.at[i] == ',' && !alone) ||
            (text.at[i] == '*' && !value->wild))
            return true;
    return false;
}

static void add_value(struct str *out, const struct query_value *value, bool alone)
{
    if (!needs_quotes(value, alone)) {
        str_add_span(out, value->text);
        return;
    }
    str_putc(out, '"');
    for (size_t i = 0; i < value->text.len; i++) {
        if (value->text.at[i] == '"' || value->text.at[i] == '\\')
            str_putc(out, '\\');
        str_putc(out, value->text.at[i]);
    }
    str_putc(out, '"');
}

static void add_words(struct str *out, const struct query_node *term)
{
    const struct query_field *field = term->field;
    unsigned count = 0, run = 0; /* run: start of the set words that reach to the last */
    const char *comma = "";

    for (; field->word(count); count++)
        if (!(term->words >> count & 1))
            run = count + 1;
    bool plus = field->at_least && run + 1 < count;
    for (unsigned i = 0; i < count && !(plus && i > run); i++) {
        if (!(term->words >> i & 1))
            continue;
        str_addf(out, "%s%s%s", comma, field->word(i), plus && i == run ? "+" : "");
        comma = ",";
    }
}

static void add_term(struct str *out, const struct query_node *term)
{
    bool alone = !*term->field->name;

    if (!alone)
        str_addf(out, "%s:", term->field->name);
    if (term->field->word)
        add_words(out, term);
    for (size_t i = 0; i < term->value_count; i++) {
        if (i)
            str_putc(out, ',');
        add_value(out, &term->values[i], alone);
    }
}

static bool has_parentheses(const struct query *query, const struct query_node *node)
{
    enum query_op above = node->parent == QUERY_NONE ? QUERY_TERM : query->nodes[node->parent].op;

    return above != QUERY_TERM && node->op > above;
}

/* Appends everything that starts with this term, from the outside in. */
static void add_openings(struct str *out, const struct query *query, uint32_t term)
{
    uint32_t at = term;

    for (uint32_t up = query->nodes[at].parent; up != QUERY_NONE && query->nodes[up].first == at;
         up = query->nodes[at].parent)
        at = up;
    for (; at != term; at = query->nodes[at].first) {
        if (has_parentheses(query, &query->nodes[at]))
            str_putc(out, '(');
        if (query->nodes[at].op == QUERY_NOT)
            str_puts(out, "not ");
    }
}

/* Appends everything that ends with this term, and the operator before the next. */
static void add_endings(struct str *out, const struct query *query, uint32_t term)
{
    uint32_t at = term;

    while (query->nodes[at].parent == at + 1) {
        at++;
        if (has_parentheses(query, &query->nodes[at]))
            str_putc(out, ')');
    }
    if (query->nodes[at].parent != QUERY_NONE)
        str_puts(out, query->nodes[query->nodes[at].parent].op == QUERY_OR ? " or " : " ");
}

void query_add_text(struct str *out, const struct query *query)
{
    for (uint32_t i = 0; i < query->count; i++) {
        if (query->nodes[i].op != QUERY_TERM)
            continue;
        add_openings(out, query, i);
        add_term(out, &query->nodes[i]);
        add_endings(out, query, i);
    }
}

/* Queries: parsing, without recursion and in one pass. */

/* Sets the error with the number of the character at the byte `at`. Always returns false. */
__attribute__((format(printf, 3, 4))) static bool query_fail(struct query_parser *parser, size_t at,
                                                             const char *format, ...)
{
    struct span before = {parser->text.at, at};
    char sentence[900];
    size_t character = 1;
    va_list args;

    for (; before.len; character++)
        utf8_next(&before);
    va_start(args, format);
    vsnprintf(sentence, sizeof sentence, format, args);
    va_end(args);
    if (parser->error_at)
        *parser->error_at = at;
    return err_set(parser->err, ERR_USAGE, "query: character %zu: %s", character, sentence);
}

static struct query_node *query_add_node(struct query *query, enum query_op op, uint32_t children)
{
    struct query_node *node = mem_push(query->nodes, query->count, query->cap);
    *node = (struct query_node){.op = op, .children = children};
    return node;
}

/* Parsing one term, FIELD:VALUE,VALUE or bare text. */

enum { WORDS_MAX = 32, SHOWN_CHARS = 40 };

/* One value as it is written in the query. */
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

/* Copies the text between two quotes, without escapes. */
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

/* Reads text without quotes; with `list` a comma ends it too. */
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

/* Appends the words as `a, b or c` to `all`, and `; near: ...` to `near`. */
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
    suggest_hint(near, typed, words, count);
}

static bool refuse_word(struct query_parser *parser, const struct query_field *field,
                        const struct piece *piece)
{
    struct span shown = utf8_start(piece->text, SHOWN_CHARS);
    CLEANUP(str_free) struct str all = {0}, near = {0};

    list_words(field, piece->text, &all, &near);
    query_fail(parser, piece->at, "\"%s:\" takes %s, not \"%.*s\"%s", field->name, str_c(&all),
               (int)shown.len, shown.at, str_c(&near));
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
    enum time_zone zone;

    if (term->value_count > 1)
        return query_fail(parser, piece->at, "\"%s:\" takes only one time", term->field->name);
    term->time_us = time_parse(piece->text, &zone);
    if (term->time_us != TIME_NONE)
        return true;
    term->is_age = time_duration(piece->text, &term->time_us);
    return term->is_age ||
           query_fail(parser, piece->at,
                      "\"%s:\" takes an age such as 30m, 2h or 7d, or a time such as 2026-11-01 or "
                      "2026-11-01T14:30, not \"%.*s\"",
                      term->field->name, (int)shown.len, shown.at);
}

/* The values of a term while it is parsed; they move to the arena when they are complete. */
struct value_list {
    struct query_value *items;
    size_t count, cap;
};

/* A * at the end leaves the last word open; with one before that the value is not searched for as
 * words. */
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
    CLEANUP(str_free) struct str folded = {0};

    fold_add(&folded, piece->text);
    struct query_value *value = mem_push(list->items, list->count, list->cap);
    *value = (struct query_value){.text = piece->text,
                                  .folded = arena_copy(&parser->query->arena, str_span(&folded)),
                                  .wild = !piece->quoted && piece->text.len &&
                                          memchr(piece->text.at, '*', piece->text.len)};
    if (field->parts)
        read_words(parser, value);
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
    CLEANUP(span_list_free) struct span_list names = {0};
    CLEANUP(str_free) struct str near = {0};

    for (const struct query_field *field = query_fields; field->name; field++)
        span_list_add(&names, span_of(field->name));
    suggest_hint(&near, name, names.items, names.count);
    query_fail(parser, parser->at,
               "there is no field \"%.*s:\"%s; to search for the text itself, put it in quotes",
               (int)shown.len, shown.at, str_c(&near));
    return false;
}

/* Parses the term that starts here: a quote, a field or a word. Adds its node. */
static bool query_take_term(struct query_parser *parser)
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

/* An open level: the whole text, or a pair of parentheses. */
struct level {
    size_t at;       /* offset of its parenthesis */
    uint32_t both;   /* operands side by side so far */
    uint32_t either; /* operands of "or" so far */
    bool negated;    /* "not" precedes it */
};

struct reading {
    struct query_parser parser;
    struct level levels[QUERY_DEPTH_MAX + 1];
    size_t depth;
    bool negate;         /* "not" precedes what comes next */
    struct span pending; /* the operator or parenthesis that still needs an operand; or absent */
};

/* Counts the node that was added last as an operand of `op`. An operator of the same kind is
 * merged: its operands are counted instead. */
static void count_operand(struct query *query, enum query_op op, uint32_t *count)
{
    const struct query_node *last = &query->nodes[query->count - 1];

    if (last->op == op) {
        *count += last->children;
        query->count--;
    } else {
        ++*count;
    }
}

static void finish_operand(struct reading *reading, bool negated)
{
    struct query *query = reading->parser.query;

    if (negated && query->nodes[query->count - 1].op == QUERY_NOT)
        query->count--;
    else if (negated)
        query_add_node(query, QUERY_NOT, 1);
    count_operand(query, QUERY_AND, &reading->levels[reading->depth].both);
    reading->pending = (struct span){0};
}

/* Ends a row of operands side by side. */
static void finish_row(struct reading *reading)
{
    struct level *level = &reading->levels[reading->depth];

    if (level->both > 1)
        query_add_node(reading->parser.query, QUERY_AND, level->both);
    count_operand(reading->parser.query, QUERY_OR, &level->either);
    level->both = 0;
}

static void finish_level(struct reading *reading)
{
    finish_row(reading);
    if (reading->levels[reading->depth].either > 1)
        query_add_node(reading->parser.query, QUERY_OR, reading->levels[reading->depth].either);
}

static size_t offset_of(const struct reading *reading, struct span part)
{
    return (size_t)(part.at - reading->parser.text.at);
}

static bool refuse_pending(struct reading *reading)
{
    struct span pending = reading->pending;

    return query_fail(&reading->parser, offset_of(reading, pending),
                      "\"%.*s\" has nothing behind it", (int)pending.len, pending.at);
}

static bool open_level(struct reading *reading)
{
    struct query_parser *parser = &reading->parser;

    if (reading->depth == QUERY_DEPTH_MAX)
        return query_fail(parser, parser->at, "more than %d parentheses within each other",
                          (int)QUERY_DEPTH_MAX);
    reading->levels[++reading->depth] =
        (struct level){.at = parser->at, .negated = reading->negate};
    reading->negate = false;
    reading->pending = (struct span){parser->text.at + parser->at++, 1};
    return true;
}

static bool close_level(struct reading *reading)
{
    struct query_parser *parser = &reading->parser;

    if (!reading->depth)
        return query_fail(parser, parser->at, "\")\" closes nothing");
    if (reading->pending.at)
        return refuse_pending(reading);
    finish_level(reading);
    bool negated = reading->levels[reading->depth--].negated;
    finish_operand(reading, negated);
    parser->at++;
    return true;
}

static struct span word_here(const struct query_parser *parser)
{
    size_t end = parser->at;

    while (end < parser->text.len && !query_ends_word(parser->text.at[end]) &&
           parser->text.at[end] != '"')
        end++;
    return (struct span){parser->text.at + parser->at, end - parser->at};
}

static bool take_keyword(struct reading *reading, struct span word)
{
    struct query_parser *parser = &reading->parser;
    bool negates = fold_is(word, "not");

    if (!negates && reading->pending.at && reading->pending.at[0] != '(')
        return refuse_pending(reading);
    if (!negates && !reading->levels[reading->depth].both)
        return query_fail(parser, parser->at, "\"%.*s\" has nothing before it", (int)word.len,
                          word.at);
    if (negates)
        reading->negate = !reading->negate;
    if (fold_is(word, "or"))
        finish_row(reading);
    reading->pending = word;
    parser->at += word.len;
    return true;
}

/* A dash right before something is "not"; a dash alone is text. */
static bool is_minus(const struct query_parser *parser)
{
    return parser->text.at[parser->at] == '-' && parser->at + 1 < parser->text.len &&
           !query_is_blank(parser->text.at[parser->at + 1]) &&
           parser->text.at[parser->at + 1] != ')';
}

static bool take_next(struct reading *reading)
{
    struct query_parser *parser = &reading->parser;

    if (parser->text.at[parser->at] == '(')
        return open_level(reading);
    if (parser->text.at[parser->at] == ')')
        return close_level(reading);
    if (is_minus(parser)) {
        reading->negate = !reading->negate;
        reading->pending = (struct span){parser->text.at + parser->at++, 1};
        return true;
    }
    struct span word = word_here(parser);
    if (query_is_keyword(word))
        return take_keyword(reading, word);
    if (!query_take_term(parser))
        return false;
    finish_operand(reading, reading->negate);
    reading->negate = false;
    return true;
}

static bool check_bytes(struct query_parser *parser)
{
    for (struct span rest = parser->text; rest.len;) {
        size_t at = parser->text.len - rest.len;
        int32_t code = utf8_next(&rest);
        if (code == UTF8_INVALID || (code >= 0xd800 && code <= 0xdfff))
            return query_fail(parser, at, "this is not UTF-8");
    }
    return true;
}

/* Sets the parent of each node, starting from the last node, which has none. */
static void link_nodes(struct query *query)
{
    /* for each operator: operands not found yet */
    CLEANUP(mem_free) uint32_t *missing = mem_zero(query->count + 1, sizeof *missing);
    uint32_t open = QUERY_NONE;

    for (uint32_t i = (uint32_t)query->count; i--;) {
        struct query_node *node = &query->nodes[i];
        node->parent = open;
        if (open != QUERY_NONE) {
            query->nodes[open].first = i;
            missing[open]--;
        }
        missing[i] = node->children;
        if (node->children)
            open = i;
        while (open != QUERY_NONE && !missing[open])
            open = query->nodes[open].parent;
    }
}

static bool read_all(struct reading *reading)
{
    struct query_parser *parser = &reading->parser;

    for (;;) {
        while (parser->at < parser->text.len && query_is_blank(parser->text.at[parser->at]))
            parser->at++;
        if (parser->at == parser->text.len)
            break;
        if (!take_next(reading))
            return false;
    }
    if (reading->pending.at && reading->pending.at[0] != '(')
        return refuse_pending(reading);
    if (reading->depth)
        return query_fail(parser, reading->levels[reading->depth].at, "\"(\" is never closed");
    if (parser->query->count)
        finish_level(reading);
    return true;
}

bool query_parse(struct query *query, struct span text, struct err *err, size_t *error_at)
{
    struct reading reading = {
        .parser = {.query = query, .text = text, .err = err, .error_at = error_at}};

    *query = (struct query){0};
    if (!check_bytes(&reading.parser) || !read_all(&reading)) {
        query_free(query);
        return false;
    }
    link_nodes(query);
    return true;
}
