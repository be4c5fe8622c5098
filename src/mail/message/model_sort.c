/* The model: sorting messages.
 *
 * Among many, looking into the messages is most of what sorting costs. So what nearly always tells
 * two apart, rank and time, is sorted beside their numbers, byte by byte. */
#include "base/mem.h"
#include "mail/message/model.h"

#include <stdlib.h>

struct sort_key {
    uint8_t bytes[9]; /* rank and time; bytes that compare as they do */
    uint32_t number;  /* in the array that is sorted */
};

enum { SORT_BYTES = sizeof((struct sort_key){0}).bytes, SORT_FEW = 64 };

static struct sort_key key_of(const struct message *message, uint32_t number, bool by_urgency)
{
    struct sort_key key = {.number = number};
    uint64_t time = (uint64_t)message->created_us ^ UINT64_C(1) << 63; /* the least comes first */

    key.bytes[0] = by_urgency ? (uint8_t)(UINT8_MAX - message->priority) : 0;
    time = htobe64(time);
    memcpy(key.bytes + 1, &time, sizeof time);
    return key;
}

/* One pass for each byte, the last one first. A byte that all have in common needs none. Returns
 * where the sorted keys are: in one or the other. */
static struct sort_key *sort_keys(struct sort_key *keys, struct sort_key *spare, size_t count)
{
    for (size_t byte = SORT_BYTES; byte--;) {
        size_t starts[UINT8_MAX + 1] = {0}, next = 0;
        for (size_t i = 0; i < count; i++)
            starts[keys[i].bytes[byte]]++;
        if (starts[keys[0].bytes[byte]] == count)
            continue;
        for (size_t value = 0; value <= UINT8_MAX; value++) {
            size_t many = starts[value];
            starts[value] = next;
            next += many;
        }
        for (size_t i = 0; i < count; i++)
            spare[starts[keys[i].bytes[byte]]++] = keys[i];
        struct sort_key *sorted = spare;
        spare = keys;
        keys = sorted;
    }
    return keys;
}

static bool is_same_key(const struct sort_key *a, const struct sort_key *b)
{
    return memcmp(a->bytes, b->bytes, SORT_BYTES) == 0;
}

/* --- pointers --- */

struct sort_order {
    int (*compare)(const struct message *, const struct message *);
};

static int compare_pointers(const void *a, const void *b, void *order)
{
    return ((struct sort_order *)order)
        ->compare(*(struct message *const *)a, *(struct message *const *)b);
}

static void sort_many(struct message **messages, size_t count, struct sort_order *order)
{
    struct sort_key *room = mem_alloc(2 * count * sizeof *room);
    struct message **before = mem_alloc(count * sizeof *before);

    memcpy(before, messages, count * sizeof *before);
    for (size_t i = 0; i < count; i++)
        room[i] = key_of(messages[i], (uint32_t)i, order->compare == message_cmp_urgency);
    const struct sort_key *keys = sort_keys(room, room + count, count);
    for (size_t i = 0, end; i < count; i = end) { /* only equal ones have to be looked into */
        for (end = i; end < count && is_same_key(&keys[end], &keys[i]); end++)
            messages[end] = before[keys[end].number];
        if (end - i > 1)
            qsort_r(messages + i, end - i, sizeof *messages, compare_pointers, order);
    }
    free(before);
    free(room);
}

void model_sort(struct message **messages, size_t count,
                int (*compare)(const struct message *, const struct message *))
{
    struct sort_order order = {compare};

    if (count > SORT_FEW && (compare == message_cmp_urgency || compare == message_cmp_time))
        sort_many(messages, count, &order);
    else if (count)
        qsort_r(messages, count, sizeof *messages, compare_pointers, &order);
}

/* --- numbers --- */

static int compare_numbers(const void *a, const void *b, void *context)
{
    const struct model *model = context;
    const struct message *x = model->messages[*(const uint32_t *)a];
    const struct message *y = model->messages[*(const uint32_t *)b];
    int order = message_cmp_time(x, y);

    return order ? order : message_cmp_place(x, y);
}

/* Nearly always in order. */
static void sort_few_numbers(const struct model *model, uint32_t *numbers, size_t count)
{
    void *context = (void *)(uintptr_t)model;

    for (size_t i = 1; i < count; i++) {
        uint32_t number = numbers[i];
        size_t at = i;
        for (; at && compare_numbers(&numbers[at - 1], &number, context) > 0; at--)
            numbers[at] = numbers[at - 1];
        numbers[at] = number;
    }
}

static void sort_many_numbers(const struct model *model, uint32_t *numbers, size_t count)
{
    struct sort_key *room = mem_alloc(2 * count * sizeof *room);

    for (size_t i = 0; i < count; i++)
        room[i] = key_of(model->messages[numbers[i]], numbers[i], false);
    const struct sort_key *keys = sort_keys(room, room + count, count);
    for (size_t i = 0, end; i < count; i = end) {
        for (end = i; end < count && is_same_key(&keys[end], &keys[i]); end++)
            numbers[end] = keys[end].number;
        if (end - i > 1)
            qsort_r(numbers + i, end - i, sizeof *numbers, compare_numbers,
                    (void *)(uintptr_t)model);
    }
    free(room);
}

void model_sort_numbers(const struct model *model, uint32_t *numbers, size_t count)
{
    enum { FEW = 16 };

    if (count > FEW)
        sort_many_numbers(model, numbers, count);
    else
        sort_few_numbers(model, numbers, count);
}
