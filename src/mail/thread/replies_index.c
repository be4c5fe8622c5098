/* Answers to one id, by what is asked about them: for each kind of question a chain is gone through
 * once. */
#include "mail/thread/replies_index.h"

#include "base/mem.h"
#include "mail/protocol/protocol.h"
#include "mail/thread/replies.h"

#include <stdlib.h>

/* What a question looks at, besides the team and the author. */
enum { BY_BOX = 1, BY_STOPPER = 2, BY_MEANT = 4 };

struct traits {
    unsigned kind;
    struct span team;
    bool has_box; /* the answer lies in that box; else it is addressed to that name */
    struct span box;
    struct span stopper;         /* who says that they stop, or will not */
    const struct message *meant; /* of several with one id; or NULL */
};

void replies_index_free(struct replies_index *index)
{
    map_free(&index->pairs);
    map_free(&index->sorted);
    free(index->items);
    free(index->order);
    arena_free(&index->keys);
    str_free(&index->scratch);
    *index = (struct replies_index){0};
}

static struct span key_of(struct replies_index *index, uint32_t head, const struct traits *traits)
{
    const char marks[] = {(char)traits->kind, (char)traits->has_box, traits->meant != NULL};
    const uint32_t content = traits->meant ? traits->meant->content : 0;
    const struct span parts[] = {{marks, sizeof marks},
                                 traits->team,
                                 traits->box,
                                 traits->stopper,
                                 {(const char *)&content, sizeof content}};

    return map_key(&index->scratch, head, parts, sizeof parts / sizeof *parts);
}

static bool is_earlier(const struct replies *replies, uint32_t a, uint32_t b)
{
    return b == REPLY_NONE ||
           message_cmp_time(replies->model->messages[a], replies->model->messages[b]) < 0;
}

static bool same_author(const struct replies *replies, uint32_t a, uint32_t b)
{
    return span_eq(replies->model->messages[a]->from, replies->model->messages[b]->from);
}

static void add(struct replies *replies, uint32_t head, const struct traits *traits, uint32_t reply)
{
    struct replies_index *index = &replies->index;
    bool fresh;
    uint32_t *number =
        map_put_copy(&index->pairs, &index->keys, key_of(index, head, traits), &fresh);

    if (fresh) {
        *number = (uint32_t)index->pairs.count - 1;
        index->items =
            mem_grow(index->items, &index->cap, index->pairs.count, sizeof *index->items);
        index->items[*number] = (struct reply_pair){reply, REPLY_NONE};
        return;
    }
    struct reply_pair *pair = &index->items[*number];
    bool same = same_author(replies, pair->first, reply);
    if (is_earlier(replies, reply, pair->first)) {
        pair->second = same ? pair->second : pair->first;
        pair->first = reply;
    } else if (!same && is_earlier(replies, reply, pair->second)) {
        pair->second = reply;
    }
}

static void add_reply(struct replies *replies, uint32_t head, unsigned kind, uint32_t number)
{
    const struct message *reply = replies->model->messages[number];
    struct traits traits = {.kind = kind, .team = reply->place->team};
    enum protocol_kind protocol = protocol_kind_find(reply->type);
    struct str spelled = {0};

    if (kind & BY_BOX && reply->verdict == VERDICT_UNSAID)
        return;
    if (kind & BY_STOPPER && protocol != PROTOCOL_SHUTDOWN_APPROVED &&
        protocol != PROTOCOL_SHUTDOWN_REJECTED)
        return;
    traits.has_box = kind & BY_BOX && reply->place->box.len;
    if (kind & BY_BOX)
        traits.box = traits.has_box ? reply->place->box : reply->to;
    if (kind & BY_MEANT)
        traits.meant = same_ids_meant(&replies->model->same, reply, reply->reply_to, NULL);
    if (kind & BY_STOPPER)
        traits.stopper = reply->from;
    add(replies, head, &traits, number);
    message_add_spelled(&spelled, reply->from);
    if (kind & BY_STOPPER && !span_eq(str_span(&spelled), reply->from)) {
        traits.stopper = str_span(&spelled);
        add(replies, head, &traits, number);
    }
    str_free(&spelled);
}

/* Goes through the chain when it is asked in this way for the first time. */
static void know_chain(struct replies *replies, uint32_t head, unsigned kind)
{
    const char mark = (char)kind;
    const struct span part = {&mark, 1};
    struct span key = map_key(&replies->index.scratch, head, &part, 1);
    bool fresh;

    map_put_copy(&replies->index.sorted, &replies->index.keys, key, &fresh);
    for (uint32_t at = head; fresh && at != REPLY_NONE; at = replies_next(replies, at))
        add_reply(replies, head, kind, at);
}

static uint32_t look_up(struct replies *replies, uint32_t head, const struct traits *traits,
                        struct span author, uint32_t best)
{
    const struct replies_index *index = &replies->index;
    const uint32_t *number = map_get(&index->pairs, key_of(&replies->index, head, traits));

    if (!number)
        return best;
    const struct reply_pair *pair = &index->items[*number];
    bool own = span_eq(replies->model->messages[pair->first]->from, author);
    uint32_t found = own ? pair->second : pair->first;
    return found != REPLY_NONE && is_earlier(replies, found, best) ? found : best;
}

/* An answer without a box is found by its address; boxes may spell a name. */
static uint32_t look_up_boxes(struct replies *replies, uint32_t head, struct traits *traits,
                              struct span author, uint32_t best)
{
    struct str spelled = {0};

    traits->box = author;
    best = look_up(replies, head, traits, author, best);
    traits->has_box = true;
    best = look_up(replies, head, traits, author, best);
    message_add_spelled(&spelled, author);
    traits->box = str_span(&spelled);
    best = look_up(replies, head, traits, author, best);
    str_free(&spelled);
    traits->has_box = false;
    return best;
}

uint32_t replies_index_find(struct replies *replies, uint32_t head, const struct replied *what)
{
    struct traits traits = {.kind = (what->decided ? BY_BOX : 0) |
                                    (what->stops.at ? BY_STOPPER : 0) |
                                    (what->asking ? BY_MEANT : 0),
                            .team = what->team,
                            .stopper = what->stops};
    uint32_t best = REPLY_NONE;

    know_chain(replies, head, traits.kind);
    for (int i = 0; i < (what->asking ? 2 : 1); i++) {
        traits.meant = i ? what->asking : NULL;
        best = what->decided ? look_up_boxes(replies, head, &traits, what->from, best)
                             : look_up(replies, head, &traits, what->from, best);
    }
    return best;
}

static int by_time(const void *a, const void *b, void *context)
{
    const struct model *model = context;

    return message_cmp_time(model->messages[*(const uint32_t *)a],
                            model->messages[*(const uint32_t *)b]);
}

/* How many there are, and where they start in the order. */
static uint32_t sort_chain(struct replies *replies, uint32_t head, uint32_t *first)
{
    struct replies_index *index = &replies->index;
    const struct span none = {0};
    bool fresh;
    uint32_t *place = map_put_copy(&index->sorted, &index->keys,
                                   map_key(&index->scratch, head, &none, 0), &fresh);

    if (!fresh) {
        *first = *place + 1;
        return index->order[*place];
    }
    *place = (uint32_t)index->order_count;
    index->order_count++; /* of the count */
    for (uint32_t at = head; at != REPLY_NONE; at = replies_next(replies, at)) {
        index->order =
            mem_grow(index->order, &index->order_cap, index->order_count + 1, sizeof *index->order);
        index->order[index->order_count++] = at;
    }
    *first = *place + 1;
    uint32_t count = (uint32_t)index->order_count - *first;
    index->order[*place] = count;
    qsort_r(index->order + *first, count, sizeof *index->order, by_time,
            (void *)(uintptr_t)replies->model);
    return count;
}

uint32_t replies_index_after(struct replies *replies, uint32_t head, int64_t sent_us)
{
    uint32_t first, high = sort_chain(replies, head, &first), low = 0, count = high;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (reply_is_in_time(replies->model->messages[replies->index.order[first + middle]],
                             sent_us))
            high = middle;
        else
            low = middle + 1;
    }
    return low < count ? replies->index.order[first + low] : REPLY_NONE;
}
