/* Searching: the phrases of a query, and how well a message fits them. */
#include "base/mem.h"
#include "store/search/search_private.h"

#include <math.h>
#include <stdlib.h>

void search_plan_make(struct search_plan *plan, const struct query *query)
{
    size_t cap = 0;

    *plan = (struct search_plan){.query = query};
    for (uint32_t i = 0; i < query->count; i++) {
        const struct query_node *node = &query->nodes[i];
        for (size_t k = 0; query_seeks_words(node) && k < node->value_count; k++) {
            plan->items = mem_grow(plan->items, &cap, plan->count + 1, sizeof *plan->items);
            plan->items[plan->count++] = (struct plan_item){.node = i,
                                                            .phrase = &node->values[k].phrase,
                                                            .parts = node->field->parts,
                                                            .wished = query_wishes(query, i)};
        }
    }
}

void search_plan_free(struct search_plan *plan)
{
    free(plan->items);
    *plan = (struct search_plan){0};
}

struct looking {
    const struct search_plan *plan;
    const struct plan_hit *hits;
};

static bool is_hit(const struct plan_item *item, const struct plan_hit *hit)
{
    return hit->times && hit->parts & item->parts;
}

static bool has_term(const void *context, uint32_t node)
{
    const struct looking *looking = context;

    for (size_t i = 0; i < looking->plan->count; i++)
        if (looking->plan->items[i].node == node &&
            is_hit(&looking->plan->items[i], &looking->hits[i]))
            return true;
    return false;
}

bool search_plan_may_match(const struct search_plan *plan, const struct plan_hit *hits)
{
    struct looking looking = {plan, hits};

    return query_may_match(plan->query, has_term, &looking);
}

/* In one text: how often the phrase stands there, and which of its words do, each a bit. Words past
 * the 63rd are taken to be there: that can only make more messages be read. */
static uint32_t look_in(const struct phrase *phrase, struct span text, uint64_t *there)
{
    struct words words;
    struct word word;
    uint32_t times = 0;

    for (words_begin(&words, text); words_next(&words, &word);)
        for (size_t i = 0; i < phrase->count && i < 63; i++)
            if (phrase_takes(phrase, i, word.text))
                *there |= UINT64_C(1) << i;
    for (words_begin(&words, text); phrase_next(phrase, &words, NULL);)
        times++;
    return times;
}

static uint64_t all_words(const struct phrase *phrase)
{
    return phrase->count < 63 ? (UINT64_C(1) << phrase->count) - 1 : UINT64_MAX >> 1;
}

void search_plan_glance(const struct search_plan *plan, const struct message *message,
                        struct plan_hit *hits)
{
    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_item *item = &plan->items[i];
        hits[i] = (struct plan_hit){0};
        for (unsigned part = 0; part < QUERY_PART_COUNT && !hits[i].times; part++)
            if (item->parts >> part & 1 &&
                phrase_stands_in(item->phrase, query_part(message, part), NULL))
                hits[i] = (struct plan_hit){1, (uint8_t)(1u << part)};
    }
}

uint32_t search_plan_look(const struct search_plan *plan, const struct message *message,
                          struct plan_hit *hits)
{
    struct words words;
    struct word word;
    uint32_t count = 0;

    for (unsigned part = 0; part < QUERY_PART_COUNT; part++)
        for (words_begin(&words, query_part(message, part)); words_next(&words, &word);)
            count++;
    for (size_t i = 0; i < plan->count; i++) {
        hits[i] = (struct plan_hit){0};
        for (unsigned part = 0; part < QUERY_PART_COUNT; part++) {
            uint64_t there = 0;
            hits[i].times += look_in(plan->items[i].phrase, query_part(message, part), &there);
            if (there == all_words(plan->items[i].phrase))
                hits[i].parts |= (uint8_t)(1u << part);
        }
    }
    return count;
}

/* BM25 with the usual constants. A word in the subject counts as if it stood there some times more,
 * in a name less so. */
double search_plan_score(const struct search_plan *plan, const struct corpus *corpus,
                         const struct plan_hit *hits, uint32_t words)
{
    static const double k1 = 1.2, b = 0.75;
    double usual = corpus->messages ? (double)corpus->words / (double)corpus->messages : 1;
    double score = 0;

    for (size_t i = 0; i < plan->count; i++) {
        const struct plan_item *item = &plan->items[i];
        if (!item->wished || !is_hit(item, &hits[i]))
            continue;
        double with = (double)item->with, all = (double)corpus->messages;
        double rarity = log(1 + (all - with + 0.5) / (with + 0.5));
        double times = hits[i].times + (hits[i].parts & 1 << QUERY_PART_SUBJECT ? 4 : 0) +
                       (hits[i].parts & (1 << QUERY_PART_FROM | 1 << QUERY_PART_TO) ? 2 : 0);
        double length = 1 - b + b * (double)words / (usual > 0 ? usual : 1);
        score += rarity * times * (k1 + 1) / (times + k1 * length);
    }
    return score;
}
