/* Queries: their plainest form, and what they need. */
#include "mail/query/query_private.h"

#include "base/text/fold.h"

#include <stdlib.h>
#include <string.h>

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

bool query_is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

bool query_ends_word(char c)
{
    return query_is_blank(c) || c == '(' || c == ')';
}

size_t query_field_len(struct span text)
{
    size_t len = 0;

    while (len < text.len && ((text.at[len] | 32) >= 'a' && (text.at[len] | 32) <= 'z'))
        len++;
    return len < text.len && text.at[len] == ':' ? len : 0;
}

bool query_is_keyword(struct span word)
{
    for (size_t i = 0; query_keywords[i]; i++)
        if (fold_is(word, query_keywords[i]))
            return true;
    return false;
}

/* Whether it would be read as something else without quotes. */
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
    unsigned count = 0, run = 0; /* run: the first of all that are there up to the last */
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

/* Everything that starts with this term, from the outside in. */
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

/* Everything that ends with this term, and what stands before the next. */
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
