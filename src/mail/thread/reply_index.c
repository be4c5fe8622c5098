/* Replies: lookup tables from answered ids to answers. */
#include "mail/thread/reply_index.h"

#include "base/mem.h"
#include "mail/protocol/protocol.h"
#include "mail/thread/thread.h"

#include <stdlib.h>

/* Index of the answers to one id. For each set of traits that is searched for, the chain is read
 * once. */

/* The traits that a search uses besides team and author. */
enum { BY_BOX = 1, BY_STOPPER = 2, BY_MEANT = 4 };

struct traits {
    unsigned kind;
    struct span team;
    bool has_box; /* the answer is in that box; else it is addressed to that name */
    struct span box;
    struct span stopper;         /* the agent that says it stops, or will not */
    const struct message *meant; /* the message meant, of several with one id; or NULL */
};

static void replies_index_free(struct replies_index *index)
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

static void add_to_index(struct replies *replies, uint32_t head, const struct traits *traits,
                         uint32_t reply)
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

static void index_reply(struct replies *replies, uint32_t head, unsigned kind, uint32_t number)
{
    const struct message *reply = replies->model->messages[number];
    struct traits traits = {.kind = kind, .team = reply->place->team};
    enum protocol_kind protocol = protocol_kind_find(reply->type);
    CLEANUP(str_free) struct str spelled = {0};

    if (kind & BY_BOX && reply->verdict == VERDICT_UNSAID)
        return;
    if (kind & BY_STOPPER && protocol != PROTOCOL_SHUTDOWN_APPROVED &&
        protocol != PROTOCOL_SHUTDOWN_REJECTED)
        return;
    traits.has_box = kind & BY_BOX && reply->place->box.len;
    if (kind & BY_BOX)
        traits.box = traits.has_box ? reply->place->box : reply->to;
    if (kind & BY_MEANT)
        traits.meant = duplicate_ids_meant(&replies->model->same, reply, reply->reply_to, NULL);
    if (kind & BY_STOPPER)
        traits.stopper = reply->from;
    add_to_index(replies, head, &traits, number);
    message_add_spelled(&spelled, reply->from);
    if (kind & BY_STOPPER && !span_eq(str_span(&spelled), reply->from)) {
        traits.stopper = str_span(&spelled);
        add_to_index(replies, head, &traits, number);
    }
}

/* Indexes the chain for this set of traits on first use. */
static void know_chain(struct replies *replies, uint32_t head, unsigned kind)
{
    const char mark = (char)kind;
    const struct span part = {&mark, 1};
    struct span key = map_key(&replies->index.scratch, head, &part, 1);
    bool fresh;

    map_put_copy(&replies->index.sorted, &replies->index.keys, key, &fresh);
    for (uint32_t at = head; fresh && at != REPLY_NONE; at = replies_next(replies, at))
        index_reply(replies, head, kind, at);
}

static uint32_t lookup(struct replies *replies, uint32_t head, const struct traits *traits,
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

/* An answer without a box is found by its address. A box may spell the name differently. */
static uint32_t lookup_boxes(struct replies *replies, uint32_t head, struct traits *traits,
                             struct span author, uint32_t best)
{
    CLEANUP(str_free) struct str spelled = {0};

    traits->box = author;
    best = lookup(replies, head, traits, author, best);
    traits->has_box = true;
    best = lookup(replies, head, traits, author, best);
    message_add_spelled(&spelled, author);
    traits->box = str_span(&spelled);
    best = lookup(replies, head, traits, author, best);
    traits->has_box = false;
    return best;
}

/* Like replies_find(), for the chain that starts with `head`. */
static uint32_t replies_index_find(struct replies *replies, uint32_t head,
                                   const struct replied *what)
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
        best = what->decided ? lookup_boxes(replies, head, &traits, what->from, best)
                             : lookup(replies, head, &traits, what->from, best);
    }
    return best;
}

static int by_time(const void *a, const void *b, void *context)
{
    const struct model *const *model = context;

    return message_cmp_time((*model)->messages[*(const uint32_t *)a],
                            (*model)->messages[*(const uint32_t *)b]);
}

/* Returns the number of messages in the chain; *first is their start in `order`. */
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
    index->order_count++; /* entry for the count */
    for (uint32_t at = head; at != REPLY_NONE; at = replies_next(replies, at))
        *mem_push(index->order, index->order_count, index->order_cap) = at;
    *first = *place + 1;
    uint32_t count = (uint32_t)index->order_count - *first;
    index->order[*place] = count;
    qsort_r(index->order + *first, count, sizeof *index->order, by_time, &replies->model);
    return count;
}

/* Returns the earliest message of the chain for which reply_is_in_time(), or REPLY_NONE. */
static uint32_t replies_index_after(struct replies *replies, uint32_t head, int64_t sent_us)
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

/* Up to this many answers to one id are searched without an index: that is quicker. */
enum { FEW = 32 };

/* Each source has ids of its own. */
static uint32_t hash_of(const struct replies *replies, uint32_t source, struct span id)
{
    return map_hash(id, replies->seed + source * UINT64_C(0x9e3779b97f4a7c15));
}

struct answered {
    const struct model *model;
    uint32_t source;
    struct span id;
};

static bool is_answered(const void *context, uint32_t message)
{
    const struct answered *answered = context;
    const struct message *reply = answered->model->messages[message];

    return reply->place->source == answered->source &&
           span_eq(message_spoken_id(reply->reply_to, reply->place->short_replies), answered->id);
}

static uint32_t *find_first(const struct replies *replies, uint32_t source, struct span id)
{
    struct answered answered = {replies->model, source, id};

    return hash_index_find(&replies->firsts, hash_of(replies, source, id), is_answered, &answered);
}

/* The index holds the last message added; the earlier ones follow through `next`. */
static void add_reply(struct replies *replies, const struct message *message, uint32_t number)
{
    const struct place *place = message->place;
    struct span id = message_spoken_id(message->reply_to, place->short_replies);
    uint32_t *first = find_first(replies, place->source, id);

    if (first) {
        replies->next[number] = *first + 1;
        *first = number;
    } else {
        hash_index_add(&replies->firsts, hash_of(replies, place->source, id), number);
    }
}

/* Like add_reply(), but the key is made from two agents and a subject. */
static struct span conversation_key(struct replies *replies, uint32_t source, struct span team,
                                    struct span from, struct span to, struct span subject)
{
    const struct span parts[] = {team, from, to, subject};

    return map_key(&replies->scratch, source, parts, sizeof parts / sizeof *parts);
}

static void add_conversation(struct replies *replies, struct span key, uint32_t message)
{
    bool fresh;

    uint32_t *first = map_put_copy(&replies->conversations, &replies->keys, key, &fresh);
    replies->next[message] = *first;
    *first = message + 1;
}

/* True if the message has no other link to another message. */
static bool answers_by_subject(const struct message *message, struct span *subject)
{
    bool answer;

    *subject = thread_subject(message->subject, &answer);
    return message->place->by_subject && answer && !message->thread.len;
}

void replies_build(struct replies *replies, const struct model *model)
{
    size_t answers = 0;

    *replies = (struct replies){
        .model = model, .seed = map_seed(), .next = mem_zero(model->count + 1, sizeof(uint32_t))};
    for (size_t i = 0; i < model->count; i++)
        answers += model->messages[i]->reply_to.len != 0;
    hash_index_reserve(&replies->firsts, answers);
    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        const struct place *place = message->place;
        struct span subject;
        if (message->damaged)
            continue;
        if (message->reply_to.len)
            add_reply(replies, message, (uint32_t)i);
        else if (answers_by_subject(message, &subject))
            add_conversation(replies,
                             conversation_key(replies, place->source, place->team, message->from,
                                              message->to, subject),
                             (uint32_t)i);
    }
}

void replies_free(struct replies *replies)
{
    hash_index_free(&replies->firsts);
    map_free(&replies->conversations);
    arena_free(&replies->keys);
    str_free(&replies->scratch);
    free(replies->next);
    replies_index_free(&replies->index);
    *replies = (struct replies){0};
}

uint32_t replies_first(const struct replies *replies, const struct replied *what)
{
    struct span id = message_spoken_id(what->id, what->short_replies);
    const uint32_t *first = id.len ? find_first(replies, what->source, id) : NULL;

    return first ? *first : REPLY_NONE;
}

uint32_t replies_next(const struct replies *replies, uint32_t reply)
{
    return replies->next[reply] ? replies->next[reply] - 1 : REPLY_NONE;
}

/* True if the program that asked would accept it as its answer. */
static bool is_verdict(const struct message *reply, struct span asker)
{
    struct span box = reply->place->box;

    return reply->verdict != VERDICT_UNSAID &&
           (box.len ? message_name_fits(asker, box) : span_eq(reply->to, asker));
}

static bool may_answer(const struct message *reply, const struct replied *what)
{
    if (span_eq(reply->from, what->from) || !span_eq(reply->place->team, what->team))
        return false;
    if (what->decided && !is_verdict(reply, what->from))
        return false;
    if (!what->stops.at)
        return true;
    enum protocol_kind kind = protocol_kind_find(reply->type);
    return (kind == PROTOCOL_SHUTDOWN_APPROVED || kind == PROTOCOL_SHUTDOWN_REJECTED) &&
           message_name_fits(reply->from, what->stops);
}

/* True if the reply means another message with the same id. */
static bool means_another(const struct model *model, const struct message *reply,
                          const struct replied *what)
{
    const struct message *meant =
        what->asking ? duplicate_ids_meant(&model->same, reply, reply->reply_to, NULL) : NULL;

    return meant && meant->content != what->asking->content;
}

uint32_t replies_find(struct replies *replies, const struct model *model,
                      const struct replied *what)
{
    uint32_t best = REPLY_NONE, head = replies_first(replies, what), met = 0;

    for (uint32_t at = head; at != REPLY_NONE; at = replies_next(replies, at)) {
        const struct message *reply = model->messages[at];
        if (met++ == FEW)
            return replies_index_find(replies, head, what);
        if (!may_answer(reply, what) || means_another(model, reply, what))
            continue;
        if (best == REPLY_NONE || message_cmp_time(reply, model->messages[best]) < 0)
            best = at;
    }
    return best;
}

uint32_t replies_by_subject(struct replies *replies, const struct model *model,
                            const struct replied *what, struct span by, struct span subject,
                            int64_t sent_us)
{
    bool ignored;
    struct span bare = thread_subject(subject, &ignored);
    const uint32_t *first =
        map_get(&replies->conversations,
                conversation_key(replies, what->source, what->team, by, what->from, bare));
    uint32_t best = REPLY_NONE;

    uint32_t head = first ? *first - 1 : REPLY_NONE, met = 0;
    for (uint32_t at = head; at != REPLY_NONE; at = replies_next(replies, at)) {
        const struct message *reply = model->messages[at];
        if (met++ == FEW)
            return replies_index_after(replies, head, sent_us);
        if (reply_is_in_time(reply, sent_us) &&
            (best == REPLY_NONE || message_cmp_time(reply, model->messages[best]) < 0))
            best = at;
    }
    return best;
}
