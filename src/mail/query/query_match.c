/* Queries: holding a message against one. */
#include "base/text/fold.h"
#include "mail/query/query_private.h"

static bool ends_with(struct span text, struct span end)
{
    return text.len >= end.len &&
           (!end.len || memcmp(text.at + text.len - end.len, end.at, end.len) == 0);
}

/* Takes the pieces between the stars one by one, each at the first place it fits behind the one
 * before: if that leaves no room for the rest, no later place does. */
static bool fits(const struct query_value *value, struct span text, unsigned anchors)
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
    struct str folded = {0};

    if (!text.at)
        return false;
    fold_add(&folded, text);
    bool found = fits(value, str_span(&folded), anchors);
    str_free(&folded);
    return found;
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
        /* What "and" and "or" come to was decided by the operand that led here. */
        enum query_op above =
            node->parent == QUERY_NONE ? QUERY_TERM : query->nodes[node->parent].op;
        bool decided = (above == QUERY_AND && !holds) || (above == QUERY_OR && holds);
        at = decided ? node->parent : at + 1;
    }
    return holds;
}
