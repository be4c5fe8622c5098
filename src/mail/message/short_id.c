/* Sorted ids.
 *
 * Ids nearly always differ within the eight bytes after their common start. Comparing these as one
 * number saves most of the cost of sorting many ids. */
#include "mail/message/short_id.h"

#include "base/mem.h"

#include <stdlib.h>

static size_t common_start(struct span a, struct span b)
{
    size_t len = 0;

    while (len < a.len && len < b.len && a.at[len] == b.at[len])
        len++;
    return len;
}

static uint64_t start_of(struct span id, size_t from)
{
    uint64_t start = 0;

    for (size_t i = 0; i < sizeof start; i++)
        start = start << 8 | (from + i < id.len ? (unsigned char)id.at[from + i] : 0);
    return start;
}

struct sorted_id {
    uint64_t start;
    uint32_t number;
};

static int by_text(const void *a, const void *b, void *context)
{
    const struct model *const *model = context;
    const struct sorted_id *x = a, *y = b;

    if (x->start != y->start)
        return x->start < y->start ? -1 : 1;
    return span_cmp((*model)->messages[x->number]->id, (*model)->messages[y->number]->id);
}

static struct span find_common(const struct model *model)
{
    struct span common = model->count ? model->messages[0]->id : (struct span){0};

    for (size_t i = 1; i < model->count; i++) {
        struct span id = model->messages[i]->id;
        if (id.len < common.len || memcmp(common.at, id.at, common.len) != 0)
            common.len = common_start(common, id);
    }
    return common;
}

void short_ids_fill(struct id_order *order, const struct model *model)
{
    CLEANUP(mem_free) struct sorted_id *sorted = mem_alloc((model->count + 1) * sizeof *sorted);

    *order = (struct id_order){.common = find_common(model),
                               .starts = mem_alloc((model->count + 1) * sizeof *order->starts),
                               .numbers = mem_alloc((model->count + 1) * sizeof *order->numbers),
                               .count = model->count};
    for (uint32_t i = 0; i < model->count; i++)
        sorted[i] = (struct sorted_id){start_of(model->messages[i]->id, order->common.len), i};
    qsort_r(sorted, model->count, sizeof *sorted, by_text, &model);
    for (size_t i = 0; i < model->count; i++) {
        order->starts[i] = sorted[i].start;
        order->numbers[i] = sorted[i].number;
    }
}

void short_ids_free(struct id_order *order)
{
    free(order->starts);
    free(order->numbers);
    *order = (struct id_order){0};
}

static struct span id_at(const struct id_order *order, const struct model *model, size_t at)
{
    return model->messages[order->numbers[at]]->id;
}

/* Returns the index of the first id that does not sort before `id`. */
static size_t lower_bound(const struct id_order *order, const struct model *model, struct span id)
{
    uint64_t start = start_of(id, order->common.len);
    size_t low = 0, high = order->count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        bool less = order->starts[middle] != start ? order->starts[middle] < start
                                                   : span_cmp(id_at(order, model, middle), id) < 0;
        if (less)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

size_t short_ids_common(const struct id_order *order, const struct model *model, struct span id,
                        bool *met)
{
    size_t low, most = 0;

    if (common_start(order->common, id) < order->common.len)
        return common_start(order->common, id); /* the same for every id */
    low = lower_bound(order, model, id);
    for (size_t i = low ? low - 1 : 0; i < order->count && i <= low + 1; i++) {
        struct span other = id_at(order, model, i);
        size_t common = common_start(other, id);
        if (!*met && common == id.len && other.len == id.len)
            *met = true;
        else if (common > most)
            most = common;
    }
    return most;
}
