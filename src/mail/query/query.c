/* Queries: matching, the canonical form, and what a query needs. */
#include "mail/query/query.h"

#include "base/text/utf8.h"
#include "mail/query/query_fields.h"

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
