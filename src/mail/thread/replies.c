/* Replies: an index over what answers say they answer. */
#include "mail/thread/replies.h"

#include "base/mem.h"
#include "mail/protocol/protocol.h"
#include "mail/thread/thread.h"

#include <stdlib.h>

/* So many answers to one id are quicker gone through than put in order. */
enum { FEW = 32 };

/* Sources have ids of their own. */
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

/* What is put into the index is the last one that was met; the others follow behind it. */
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

/* The same for two agents who talk about one thing. */
static struct span talk_key(struct replies *replies, uint32_t source, struct span team,
                            struct span from, struct span to, struct span subject)
{
    const struct span parts[] = {team, from, to, subject};

    return map_key(&replies->scratch, source, parts, sizeof parts / sizeof *parts);
}

static void add_talk(struct replies *replies, struct span key, uint32_t message)
{
    bool fresh;

    if (!map_get(&replies->talks, key))
        key = arena_copy(&replies->keys, key);
    uint32_t *first = map_put(&replies->talks, key, &fresh);
    replies->next[message] = *first;
    *first = message + 1;
}

/* Only what carries nothing else that ties it to another message. */
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
            add_talk(
                replies,
                talk_key(replies, place->source, place->team, message->from, message->to, subject),
                (uint32_t)i);
    }
}

void replies_free(struct replies *replies)
{
    hash_index_free(&replies->firsts);
    map_free(&replies->talks);
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

/* Whether the program that asked would take it for its answer. */
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

/* Whether what it answers is another message that has the same id. */
static bool means_another(const struct model *model, const struct message *reply,
                          const struct replied *what)
{
    const struct message *meant =
        what->asking ? same_ids_meant(&model->same, reply, reply->reply_to, NULL) : NULL;

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
        map_get(&replies->talks, talk_key(replies, what->source, what->team, by, what->from, bare));
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
