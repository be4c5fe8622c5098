/* Threads: the order of a conversation, in which answers follow what they answer. */
#include "base/map.h"
#include "base/mem.h"
#include "mail/thread/thread.h"

#include <stdlib.h>

#define NOBODY UINT32_MAX

enum { COMPARED = 8 }; /* so many are compared one by one; for more a map pays */

static struct span spoken(const struct message *message, struct span id)
{
    return message_spoken_id(id, message->place->short_replies);
}

/* Whether it answers the other or, without a word about that, is in a thread of that name. */
static bool stands_below(const struct message *message, const struct message *other)
{
    struct span above = message->reply_to.len ? message->reply_to : message->thread;

    return above.len && span_eq(spoken(message, above), spoken(other, other->id));
}

/* The same where what is answered may be missing, so that the thread tells. */
static bool may_stand_below(const struct message *message, const struct message *other)
{
    return stands_below(message, other) ||
           (message->thread.len &&
            span_eq(spoken(message, message->thread), spoken(other, other->id)));
}

static bool may_refer(const struct message *message)
{
    return message->reply_to.len ||
           (message->thread.len &&
            !span_eq(spoken(message, message->thread), spoken(message, message->id)));
}

/* Whether a message may stand before one that it refers to. Nearly always an answer is found to
 * follow its question, or the message before it, without looking further. */
static bool may_be_disordered(const struct model *model, const uint32_t *numbers, size_t count)
{
    for (size_t i = 0; i + 1 < count; i++) {
        const struct message *message = model->messages[numbers[i]];
        if (!may_refer(message))
            continue;
        if (i && (stands_below(message, model->messages[numbers[i - 1]]) ||
                  stands_below(message, model->messages[numbers[0]])))
            continue;
        if (count - i > COMPARED)
            return true;
        for (size_t later = i + 1; later < count; later++)
            if (may_stand_below(message, model->messages[numbers[later]]))
                return true;
    }
    return false;
}

/* The answered message of each, as its number among them; NOBODY without one. */
static uint32_t *find_parents(struct message *const *messages, size_t count)
{
    uint32_t *parents = mem_alloc((count + 1) * sizeof *parents);
    struct map ids = {0};
    bool fresh;

    for (size_t i = 0; i < count; i++) {
        uint32_t *first = map_put(&ids, spoken(messages[i], messages[i]->id), &fresh);
        if (fresh)
            *first = (uint32_t)i;
    }
    for (size_t i = 0; i < count; i++) {
        const struct message *message = messages[i];
        const uint32_t *parent =
            message->reply_to.len ? map_get(&ids, spoken(message, message->reply_to)) : NULL;
        if (!parent && message->thread.len)
            parent = map_get(&ids, spoken(message, message->thread));
        parents[i] = parent && *parent != i ? *parent : NOBODY;
    }
    map_free(&ids);
    return parents;
}

/* Answers that were followed upwards from one message, each with what it answers behind it. */
struct walk {
    uint32_t *items;
    size_t count;
    size_t circle; /* where the circle that it ended in begins; `count` without one */
};

static void put_down(uint32_t **order, const struct walk *walk, size_t from, size_t to)
{
    while (from-- > to)
        *(*order)++ = walk->items[from];
}

/* From the top down. In a circle of answers the first by time is the top. */
static void put_walk(uint32_t **order, const struct walk *walk)
{
    size_t top = walk->circle;

    for (size_t i = walk->circle; i < walk->count; i++)
        if (walk->items[i] < walk->items[top])
            top = i;
    if (top < walk->count)
        put_down(order, walk, top + 1, walk->circle);
    put_down(order, walk, walk->count, top < walk->count ? top + 1 : walk->count);
    put_down(order, walk, walk->circle, 0);
}

/* Fills in the order: each message in its turn, and right before it those above it that have not
 * had theirs. */
static void find_order(struct message *const *messages, size_t count, uint32_t *order)
{
    uint32_t *parents = find_parents(messages, count);
    uint32_t *walks = mem_zero(count + 1, sizeof *walks); /* that came by, from 1 up; 0: none */
    struct walk walk = {.items = mem_alloc((count + 1) * sizeof *walk.items)};

    for (uint32_t i = 0; i < count; i++) {
        uint32_t at = i;
        for (walk.count = 0; at != NOBODY && !walks[at]; at = parents[at]) {
            walks[at] = i + 1;
            walk.items[walk.count++] = at;
        }
        walk.circle = walk.count;
        if (at != NOBODY && walks[at] == i + 1)
            for (walk.circle = 0; walk.items[walk.circle] != at;)
                walk.circle++;
        put_walk(&order, &walk);
    }
    free(walk.items);
    free(walks);
    free(parents);
}

void thread_arrange(struct message **messages, size_t count)
{
    uint32_t *order = mem_alloc((count + 1) * sizeof *order);
    struct message **before = mem_alloc((count + 1) * sizeof(struct message *));

    memcpy(before, messages, count * sizeof(struct message *));
    find_order(before, count, order);
    for (size_t i = 0; i < count; i++)
        messages[i] = before[order[i]];
    free(before);
    free(order);
}

void thread_arrange_numbers(const struct model *model, uint32_t *numbers, size_t count)
{
    if (!may_be_disordered(model, numbers, count))
        return;
    uint32_t *order = mem_alloc(count * sizeof *order);
    uint32_t *before = mem_alloc(count * sizeof *before);
    struct message **messages = mem_alloc(count * sizeof(struct message *));
    memcpy(before, numbers, count * sizeof *before);
    for (size_t i = 0; i < count; i++)
        messages[i] = model->messages[numbers[i]];
    find_order(messages, count, order);
    for (size_t i = 0; i < count; i++)
        numbers[i] = before[order[i]];
    free(messages);
    free(before);
    free(order);
}
