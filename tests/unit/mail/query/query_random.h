/* Random queries for the tests, as the query parser would make them. */
#ifndef TESTS_UNIT_MAIL_QUERY_QUERY_RANDOM_H
#define TESTS_UNIT_MAIL_QUERY_QUERY_RANDOM_H

#include "query_support.h"
#include "tests/unit/draw.h"

#include "base/mem.h"
#include "base/text/utf8.h"

enum { ROUNDS = 4000 };

/* Texts that would mean something else without quotes, and texts that would not. */
static const char *const texts[] = {
    "a",     "b",         "or",   "NOT",   "and",  "-",       "-a",  "a-b",       "from:x",
    "x:y",   "12:30",     "\"",   "\\",    "a\\",  "\\\"",    "*",   "a*b",       "a b",
    " ",     "\t",        "(",    ")",     "a(b)", ",",       "a,b", "\xc3\x84x", "\xe2\x82\xac",
    "high+", "is:unread", "\x01", "\v",    "a\nb", "\\\\",    "'",   "~",         "not:a",
    "2026",  ":",         "from", "from:", "\\*",  "\"a b\"", "*\"", "a:b,c d",   "--",
};
static const char *const times[] = {
    "2h", "90", "1h30m", "2026-11-01", "2026-11-01 14:30", "2026-11-01T14:30:00,5Z"};

enum { TEXTS = sizeof texts / sizeof *texts, TIMES = sizeof times / sizeof *times };

static inline struct query_value make_value(struct query *query, const char *text)
{
    struct str folded = {0};
    /* only a text that can be written without quotes can have a wildcard */
    bool wild = strchr(text, '*') && !strpbrk(text, "\" \t\n\v(),:\\-") && draw(2);

    fold_add(&folded, span_of(text));
    struct query_value value = {.text = span_of(text),
                                .folded = arena_copy(&query->arena, str_span(&folded)),
                                .wild = wild};
    str_free(&folded);
    return value;
}

static inline uint32_t draw_words(const struct query_field *field)
{
    uint32_t words = 0;
    unsigned count = 0;

    while (field->word(count))
        count++;
    while (!words)
        words = draw(UINT32_C(1) << count);
    return words;
}

static inline void set_time_of(struct query_node *term)
{
    enum time_zone zone;

    term->time_us = time_parse(term->values[0].text, &zone);
    if (term->time_us == TIME_NONE)
        term->is_age = time_duration(term->values[0].text, &term->time_us);
}

static inline struct query_node make_term(struct query *query)
{
    size_t fields = 0;
    struct query_node term = {.op = QUERY_TERM, .field = &query_text};

    while (query_fields[fields].name)
        fields++;
    if (draw(3))
        term.field = &query_fields[draw((uint32_t)fields)];
    if (term.field->word) {
        term.words = draw_words(term.field);
        return term;
    }
    bool several = *term.field->name && term.field->has_text;
    term.value_count = several ? 1 + draw(3) : 1;
    struct query_value *values = arena_alloc(&query->arena, term.value_count * sizeof *values);
    for (size_t i = 0; i < term.value_count; i++)
        values[i] =
            make_value(query, term.field->has_time ? times[draw(TIMES)] : texts[draw(TEXTS)]);
    term.values = values;
    if (term.field->has_time)
        set_time_of(&term);
    return term;
}

static inline uint32_t add(struct query *query, struct query_node node)
{
    query->nodes = mem_grow(query->nodes, &query->cap, query->count + 1, sizeof *query->nodes);
    query->nodes[query->count] = node;
    return (uint32_t)query->count++;
}

/* Makes a random query of at most that depth, whose top is not `but`. */
static inline uint32_t make_tree(struct query *query, unsigned depth, enum query_op but)
{
    enum query_op op = depth ? draw(QUERY_OR + 1) : QUERY_TERM;
    uint32_t children[4] = {0}, count = op == QUERY_NOT ? 1 : 2 + draw(3);

    if (op == but || op == QUERY_TERM)
        return add(query, make_term(query));
    for (uint32_t i = 0; i < count; i++)
        children[i] = make_tree(query, depth - 1, op);
    uint32_t at =
        add(query, (struct query_node){.op = op, .children = count, .first = children[0]});
    for (uint32_t i = 0; i < count; i++)
        query->nodes[children[i]].parent = at;
    query->nodes[at].parent = QUERY_NONE;
    return at;
}

/* Makes a whole random query of at most that depth. */
static inline struct query make_query(unsigned depth)
{
    struct query query = {0};

    uint32_t root = make_tree(&query, depth, QUERY_TERM);
    query.nodes[root].parent = QUERY_NONE;
    return query;
}

#endif
