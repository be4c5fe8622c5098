/* Fates: notes and mailboxes joined, and each message judged by the best evidence there is. */
#include "mail/sent/fate.h"

#include "base/mem.h"
#include "mail/message/kind.h"
#include "mail/protocol/protocol.h"
#include "mail/thread/ask.h"
#include "mail/thread/replies.h"

#include <stdlib.h>

static const char *const names[FATE_COUNT] = {
    [FATE_QUEUED] = "queued",         [FATE_FAILED] = "failed",
    [FATE_DELIVERED] = "delivered",   [FATE_READ] = "read",
    [FATE_PROCESSING] = "processing", [FATE_COMPLETED] = "completed",
    [FATE_ANSWERED] = "answered",     [FATE_ARCHIVED] = "archived",
    [FATE_EXPIRED] = "expired",       [FATE_TAKEN] = "taken",
    [FATE_VANISHED] = "vanished",     [FATE_UNCONFIRMED] = "unconfirmed",
};

const char *fate_name(enum fate_state state)
{
    return names[state];
}

void fate_notes_free(struct fate_notes *notes)
{
    arena_free(&notes->arena);
    free(notes->items);
    *notes = (struct fate_notes){0};
}

void fates_free(struct fates *fates)
{
    free(fates->items);
    *fates = (struct fates){0};
}

/* The building at work. */
struct joining {
    struct fates *fates;
    const struct model *model;
    const struct fate_source *sources;
    int64_t now_us;
    struct map known;   /* of source, team, box and id: 1 + the fate */
    struct map damaged; /* of source, team and box: what cannot be read and may hold messages */
    struct replies replies;
    struct map told; /* the answers to one id, by author and team: a broadcast has them */
    struct arena keys;
    struct str scratch;
};

static struct fate *add(struct joining *joining, const struct fate *fate)
{
    struct fates *fates = joining->fates;

    fates->items = mem_grow(fates->items, &fates->cap, fates->count + 1, sizeof *fates->items);
    fates->items[fates->count] = *fate;
    return &fates->items[fates->count++];
}

/* Where the number of a fate stands: 1 + that; 0 while there is none. */
static uint32_t *place_of(struct joining *joining, uint32_t source, struct span team,
                          struct span box, struct span id)
{
    const struct span parts[] = {team, box, id};
    struct span key = map_key(&joining->scratch, source, parts, sizeof parts / sizeof *parts);
    bool fresh;

    return map_put_copy(&joining->known, &joining->keys, key, &fresh);
}

static struct span box_key(struct joining *joining, uint32_t source, struct span team,
                           struct span box)
{
    const struct span parts[] = {team, box};

    return map_key(&joining->scratch, source, parts, sizeof parts / sizeof *parts);
}

/* What is in something that cannot be read, or in a damaged file of a box, cannot be told from what
 * is gone. */
static void note_damaged(struct joining *joining, const struct message *message)
{
    const struct place *place = message->place;
    bool whole = !message->raw_len;
    bool fresh;

    if (message->unread_bytes || (whole && joining->sources[place->source].may_take))
        map_put_copy(&joining->damaged, &joining->keys,
                     box_key(joining, place->source, place->team, place->box), &fresh);
}

static void add_notes(struct joining *joining, const struct fate_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        const struct fate_note *note = &notes->items[i];
        uint32_t *known = place_of(joining, note->source, note->team, note->box, note->id);
        if (*known)
            continue;
        add(joining, &(struct fate){.source = note->source,
                                    .team = note->team,
                                    .box = note->box,
                                    .id = note->id,
                                    .from = note->from,
                                    .to = note->to,
                                    .subject = note->subject,
                                    .group = note->mailing.len ? note->mailing : (struct span){0},
                                    .problem = note->problem.len ? note->problem : (struct span){0},
                                    .sent_us = note->sent_us,
                                    .since_us = note->since_us,
                                    .state = note->state});
        *known = (uint32_t)joining->fates->count;
    }
}

static void add_messages(struct joining *joining)
{
    for (size_t i = 0; i < joining->model->count; i++) {
        const struct message *message = joining->model->messages[i];
        const struct place *place = message->place;
        if (message->damaged) {
            note_damaged(joining, message);
            continue;
        }
        uint32_t *known = place_of(joining, place->source, place->team, place->box, message->id);
        if (*known) {
            struct fate *fate = &joining->fates->items[*known - 1];
            fate->message = fate->message ? fate->message : message;
        } else if (message->by_us && message->kind != KIND_IDLE) {
            add(joining, &(struct fate){.source = place->source,
                                        .team = place->team,
                                        .box = place->box,
                                        .id = message->id,
                                        .from = message->from,
                                        .to = message->to.len ? message->to : place->box,
                                        .sent_us = message->created_us,
                                        .message = message});
            *known = (uint32_t)joining->fates->count;
        }
    }
}

static struct replied asked_by(const struct joining *joining, const struct fate *fate,
                               struct span id)
{
    return (struct replied){.source = fate->source,
                            .short_replies = joining->sources[fate->source].short_replies,
                            .team = fate->team,
                            .from = fate->from,
                            .id = id};
}

static const struct message *find_answer(struct joining *joining, const struct fate *fate)
{
    const struct message *message = fate->message;
    enum protocol_kind kind = message ? protocol_kind_find(message->type) : PROTOCOL_UNKNOWN;
    struct replied what = asked_by(joining, fate, fate->id);

    if (kind == PROTOCOL_SHUTDOWN_REQUEST)
        what.stops = fate->to;
    uint32_t answer = replies_find(&joining->replies, joining->model, &what);
    if (answer == REPLY_NONE && kind != PROTOCOL_UNKNOWN) {
        what.id = message->thread;
        answer = replies_find(&joining->replies, joining->model, &what);
    }
    if (answer != REPLY_NONE)
        return joining->model->messages[answer];
    if (!joining->sources[fate->source].by_subject)
        return NULL;
    answer = replies_by_subject(&joining->replies, joining->model, &what, fate->to, fate->subject,
                                fate->sent_us);
    return answer == REPLY_NONE ? NULL : joining->model->messages[answer];
}

static bool is_for_all(const struct joining *joining, const struct fate *fate)
{
    return joining->sources[fate->source].for_all && span_is(fate->to, "all");
}

static void become(struct fate *fate, enum fate_state state, int64_t since_us)
{
    fate->state = state;
    fate->since_us = since_us;
}

/* By what its mailbox says. */
static void judge_there(const struct joining *joining, struct fate *fate)
{
    static const struct message_data nothing = {.read_us = WHEN_NONE, .completed_us = WHEN_NONE};
    const struct message *message = fate->message;
    const struct message_data *data = message->data ? message->data : &nothing;
    bool hidden = message->place->local && !joining->sources[fate->source].takes;
    enum status status = message_marked(message);
    int64_t delivered_us = fate->state == FATE_DELIVERED && fate->since_us != WHEN_NONE
                               ? fate->since_us
                               : fate->sent_us;

    fate->problem = (struct span){0};
    if (message->place->archived && !hidden)
        status = STATUS_ARCHIVED;
    else if (hidden || is_for_all(joining, fate)) /* the mark of one reader, or only ours */
        status = STATUS_UNREAD;
    switch (status) {
    case STATUS_READ:
        become(fate, FATE_READ, data->read_us);
        break;
    case STATUS_PROCESSING:
        become(fate, FATE_PROCESSING, WHEN_NONE);
        break;
    case STATUS_FAILED:
        become(fate, FATE_FAILED, WHEN_NONE);
        fate->problem = span_of("its recipient says that it failed");
        break;
    case STATUS_COMPLETED:
        become(fate, FATE_COMPLETED, data->completed_us);
        break;
    case STATUS_ARCHIVED:
        become(fate, FATE_ARCHIVED, data->completed_us);
        break;
    case STATUS_UNREAD:
    case STATUS_NONE:
        if (message_expired(message, joining->now_us))
            become(fate, FATE_EXPIRED, message->expires_us);
        else
            become(fate, FATE_DELIVERED, delivered_us);
        break;
    }
}

/* Whether its box is damaged, or what all boxes of its team or source are in. */
static bool is_in_damaged(struct joining *joining, const struct fate *fate)
{
    const struct span none = {0};

    return map_get(&joining->damaged, box_key(joining, fate->source, fate->team, fate->box)) ||
           map_get(&joining->damaged, box_key(joining, fate->source, fate->team, none)) ||
           map_get(&joining->damaged, box_key(joining, fate->source, none, none));
}

/* It was delivered and is in no mailbox. */
static void judge_gone(struct joining *joining, struct fate *fate)
{
    const struct fate_source *source = &joining->sources[fate->source];

    if (is_in_damaged(joining, fate))
        become(fate, FATE_UNCONFIRMED, WHEN_NONE);
    else if (source->takes || source->may_take)
        become(fate, FATE_TAKEN, WHEN_NONE);
    else if (source->lasts_us && joining->now_us - fate->sent_us >= source->lasts_us)
        become(fate, FATE_EXPIRED, fate->sent_us + source->lasts_us);
    else
        become(fate, FATE_VANISHED, WHEN_NONE);
}

static void judge(struct joining *joining, struct fate *fate)
{
    if (fate->message) {
        fate->subject = fate->message->subject;
        judge_there(joining, fate);
    } else if (fate->state == FATE_DELIVERED) {
        judge_gone(joining, fate);
    }
    fate->answer = find_answer(joining, fate);
    if (fate->answer) {
        become(fate, FATE_ANSWERED, fate->answer->created_us);
        fate->problem = message_turns_down(fate->answer) ? fate->answer->subject : (struct span){0};
    }
}

/* Who has answered what was sent to all. */
static void add_answerers(struct joining *joining, size_t index)
{
    struct fate all = joining->fates->items[index]; /* the array may move */
    struct replied what = asked_by(joining, &all, all.id);
    struct map answerers = {0};
    size_t first = joining->fates->count;
    uint32_t head = replies_first(&joining->replies, &what);
    const struct span parts[] = {all.team, all.from};
    bool fresh;

    if (head == REPLY_NONE)
        return;
    map_put_copy(&joining->told, &joining->keys, map_key(&joining->scratch, head, parts, 2),
                 &fresh);
    if (!fresh) /* to another one with the same start of an id: nobody can say which was meant */
        return;
    for (uint32_t at = head; at != REPLY_NONE; at = replies_next(&joining->replies, at)) {
        const struct message *reply = joining->model->messages[at];
        if (span_eq(reply->from, all.from) || !span_eq(reply->place->team, all.team))
            continue;
        uint32_t *answerer = map_put(&answerers, reply->from, &fresh);
        if (fresh) {
            *answerer = (uint32_t)joining->fates->count;
            add(joining, &all)->to = reply->from;
        } else if (message_cmp_time(reply, joining->fates->items[*answerer].answer) > 0) {
            continue;
        }
        struct fate *one = &joining->fates->items[*answerer];
        one->answer = reply;
        become(one, FATE_ANSWERED, reply->created_us);
    }
    map_free(&answerers);
    for (size_t i = first; !all.group.at && i < joining->fates->count; i++)
        joining->fates->items[i].group = all.id;
    if (!all.group.at && joining->fates->count > first)
        joining->fates->items[index].group = all.id;
}

void fates_build(struct fates *fates, const struct model *model, const struct fate_notes *notes,
                 const struct fate_source *sources, int64_t now_us)
{
    struct joining joining = {.fates = fates, .model = model, .sources = sources, .now_us = now_us};

    *fates = (struct fates){0};
    add_notes(&joining, notes);
    add_messages(&joining);
    replies_build(&joining.replies, model);
    size_t count = fates->count;
    for (size_t i = 0; i < count; i++)
        judge(&joining, &fates->items[i]);
    for (size_t i = 0; i < count; i++)
        if (is_for_all(&joining, &fates->items[i]))
            add_answerers(&joining, i);
    fates_group(fates);
    replies_free(&joining.replies);
    map_free(&joining.told);
    map_free(&joining.known);
    map_free(&joining.damaged);
    arena_free(&joining.keys);
    str_free(&joining.scratch);
}
