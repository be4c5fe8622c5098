/* Queries: what can be told of them from words alone. */
#include "mail/query/query_private.h"

bool query_seeks_words(const struct query_node *term)
{
    if (term->op != QUERY_TERM || !term->field->parts)
        return false;
    for (size_t i = 0; i < term->value_count; i++)
        if (!term->values[i].phrase.count)
            return false;
    return true;
}

/* As query_match(), but "it may" stands for yes: what is not known may be, and so may its opposite.
 */
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

/* In the order in which a person would want to see it. */
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
