/* Delivery status: joining notes and mailboxes, deriving states, grouping and finding mailings. */
#include "mail/sent/delivery_status.h"

#include "base/json/json.h"
#include "base/mem.h"
#include "base/text/suggest.h"
#include "mail/message/kind.h"
#include "mail/protocol/protocol.h"
#include "mail/thread/reply_index.h"
#include "mail/thread/request.h"

#include <stdlib.h>

/* Copies of one message are written one after the other, at most this far apart. */
#define TOGETHER_US INT64_C(2000000)

/* True if no note groups the message, but it may be one of several copies. */
static bool may_belong(const struct delivery_status *delivery)
{
    return !delivery->group.at && delivery->message && delivery->sent_us != TIME_NONE &&
           !delivery->message->reply_to.len;
}

static int by_text(const struct delivery_status *a, const struct delivery_status *b)
{
    int order = a->source < b->source ? -1 : a->source > b->source;

    order = order ? order : span_cmp(a->team, b->team);
    order = order ? order : span_cmp(a->from, b->from);
    return order ? order : span_cmp(a->subject, b->subject);
}

static int by_text_and_time(const void *a, const void *b, void *context)
{
    const struct delivery_status *items = context;
    const struct delivery_status *x = &items[*(const uint32_t *)a],
                                 *y = &items[*(const uint32_t *)b];
    int order = by_text(x, y);

    if (!order && x->sent_us != y->sent_us)
        order = x->sent_us < y->sent_us ? -1 : 1;
    return order ? order : span_cmp(x->to, y->to);
}

static bool has_broadcast_tag(struct span tags)
{
    struct json_walk walk;
    struct json key, value;
    bool found = false;

    if (!json_open(&walk, tags, JSON_PYTHON, NULL))
        return false;
    while (json_next(&walk, &key, &value))
        found |= value.kind == JSON_STRING && json_is(value, "broadcast");
    return found;
}

/* Compares tags, threads and bodies, in layouts that have them: they are more precise than the
 * subject. */
static bool is_same_text(const struct message *a, const struct message *b)
{
    const struct message_data *x = a->data, *y = b->data;

    if (!span_eq(a->thread, b->thread))
        return false;
    if (!x || !y)
        return true;
    if (x->tags.at && !(has_broadcast_tag(x->tags) && has_broadcast_tag(y->tags)))
        return false;
    return !x->body.at || !y->body.at || span_eq(x->body, y->body);
}

/* True if `next` is another copy of the messages in the chain. */
static bool continues(const struct delivery_status *items, const uint32_t *chain, size_t length,
                      uint32_t next)
{
    const struct delivery_status *last = &items[chain[length - 1]], *delivery = &items[next];

    if (by_text(last, delivery) != 0 || delivery->sent_us - last->sent_us > TOGETHER_US ||
        !is_same_text(last->message, delivery->message))
        return false;
    for (size_t i = 0; i < length; i++)
        if (span_eq(items[chain[i]].to, delivery->to))
            return false;
    return true;
}

static void find_groups(struct delivery_statuses *statuses)
{
    CLEANUP(mem_free) uint32_t *order = mem_alloc((statuses->count + 1) * sizeof *order);
    size_t count = 0, length;

    for (uint32_t i = 0; i < statuses->count; i++)
        if (may_belong(&statuses->items[i]))
            order[count++] = i;
    if (count)
        qsort_r(order, count, sizeof *order, by_text_and_time, statuses->items);
    for (size_t first = 0; first < count; first += length) {
        for (length = 1; first + length < count &&
                         continues(statuses->items, order + first, length, order[first + length]);)
            length++;
        for (size_t i = 0; length > 1 && i < length; i++)
            statuses->items[order[first + i]].group = statuses->items[order[first]].id;
    }
}

/* Numbers the mailings. Returns the time when each was begun; the caller frees the array. */
static int64_t *number_things(struct delivery_statuses *statuses)
{
    int64_t *begun_us = mem_alloc((statuses->count + 1) * sizeof *begun_us);
    CLEANUP(map_free) struct map groups = {0};
    CLEANUP(arena_free) struct arena keys = {0};
    CLEANUP(str_free) struct str key = {0};

    for (size_t i = 0; i < statuses->count; i++) {
        struct delivery_status *delivery = &statuses->items[i];
        uint32_t alone = 0, *known = &alone;
        bool fresh;
        if (delivery->group.at) {
            str_clear(&key);
            str_addf(&key, "%u ", delivery->source);
            str_add_span(&key, delivery->group);
            known = map_put_copy(&groups, &keys, str_span(&key), &fresh);
        }
        if (!*known) {
            begun_us[statuses->thing_count++] = delivery->sent_us;
            *known = (uint32_t)statuses->thing_count;
        }
        delivery->thing = *known - 1;
        if (delivery->sent_us < begun_us[delivery->thing])
            begun_us[delivery->thing] = delivery->sent_us;
    }
    return begun_us;
}

static int newest_first(const void *a, const void *b, void *context)
{
    const int64_t *begun_us = context;
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    if (begun_us[x] != begun_us[y])
        return begun_us[x] > begun_us[y] ? -1 : 1;
    return x < y ? -1 : x > y;
}

/* By mailing; a message to all comes before the agents that answered it. */
static int in_order(const void *a, const void *b)
{
    const struct delivery_status *x = a, *y = b;
    int order = x->thing < y->thing ? -1 : x->thing > y->thing;

    order = order ? order : span_is(y->to, "all") - span_is(x->to, "all");
    order = order ? order : span_cmp(x->team, y->team);
    return order ? order : span_cmp(x->to, y->to);
}

/* Finds copies that were sent together, numbers the mailings, and sorts. */
static void delivery_statuses_group(struct delivery_statuses *statuses)
{
    if (!statuses->count)
        return;
    find_groups(statuses);
    CLEANUP(mem_free) int64_t *begun_us = number_things(statuses);
    size_t count = statuses->thing_count;
    CLEANUP(mem_free) uint32_t *order = mem_alloc(count * sizeof *order);
    CLEANUP(mem_free) uint32_t *rank = mem_alloc(count * sizeof *rank);
    for (uint32_t i = 0; i < count; i++)
        order[i] = i;
    qsort_r(order, count, sizeof *order, newest_first, begun_us);
    for (uint32_t i = 0; i < count; i++)
        rank[order[i]] = i;
    for (size_t i = 0; i < statuses->count; i++)
        statuses->items[i].thing = rank[statuses->items[i].thing];
    qsort(statuses->items, statuses->count, sizeof *statuses->items, in_order);
}

static bool say_unknown(const struct delivery_statuses *statuses, struct span id, struct err *err)
{
    CLEANUP(mem_free) struct span *ids = mem_alloc((statuses->count + 1) * sizeof *ids);
    CLEANUP(str_free) struct str near = {0};

    for (size_t i = 0; i < statuses->count; i++)
        ids[i] = statuses->items[i].id;
    suggest_hint(&near, id, ids, statuses->count);
    return err_set(err, ERR_ABSENT,
                   "nothing that you sent has the id \"%.*s\", whole or as its start%s",
                   (int)id.len, id.at, str_c(&near));
}

bool delivery_statuses_find(const struct delivery_statuses *statuses, struct span id,
                            uint32_t *thing, struct err *err)
{
    uint32_t exact = 0, start = 0;
    size_t exact_count = 0, start_count = 0;

    for (size_t i = 0; id.len && i < statuses->count; i++) {
        const struct delivery_status *delivery = &statuses->items[i];
        bool same =
            span_eq(delivery->id, id) || (delivery->group.at && span_eq(delivery->group, id));
        if (same && (!exact_count || exact != delivery->thing)) {
            exact = delivery->thing;
            exact_count++;
        }
        if (span_starts(delivery->id, id) && (!start_count || start != delivery->thing)) {
            start = delivery->thing;
            start_count++;
        }
    }
    *thing = exact_count ? exact : start;
    if (exact_count == 1 || (!exact_count && start_count == 1))
        return true;
    if (start_count)
        return err_set(err, ERR_REFUSED,
                       "\"%.*s\" is the id, or its start, of %zu things that you sent: give more "
                       "of it, or name the mailboxes with --source",
                       (int)id.len, id.at, exact_count ? exact_count : start_count);
    return say_unknown(statuses, id, err);
}

/* Joining notes and mailboxes, and deriving each state from the best evidence. */

static const char *const names[DELIVERY_COUNT] = {
    [DELIVERY_QUEUED] = "queued",         [DELIVERY_FAILED] = "failed",
    [DELIVERY_DELIVERED] = "delivered",   [DELIVERY_READ] = "read",
    [DELIVERY_PROCESSING] = "processing", [DELIVERY_COMPLETED] = "completed",
    [DELIVERY_ANSWERED] = "answered",     [DELIVERY_ARCHIVED] = "archived",
    [DELIVERY_EXPIRED] = "expired",       [DELIVERY_TAKEN] = "taken",
    [DELIVERY_VANISHED] = "vanished",     [DELIVERY_UNCONFIRMED] = "unconfirmed",
};

const char *delivery_state_name(enum delivery_state state)
{
    return names[state];
}

void delivery_notes_free(struct delivery_notes *notes)
{
    arena_free(&notes->arena);
    free(notes->items);
    *notes = (struct delivery_notes){0};
}

void delivery_statuses_free(struct delivery_statuses *statuses)
{
    free(statuses->items);
    *statuses = (struct delivery_statuses){0};
}

/* State of delivery_statuses_build(). */
struct joining {
    struct delivery_statuses *statuses;
    const struct model *model;
    const struct delivery_source *sources;
    int64_t now_us;
    struct map known;   /* source, team, box and id: 1 + index of the status */
    struct map damaged; /* source, team and box that cannot be read and may hold messages */
    struct replies replies;
    struct map told; /* first answer to an id, team and sender: already given to a message to all */
    struct arena keys;
    struct str scratch;
};

static struct delivery_status *add_delivery(struct joining *joining,
                                            const struct delivery_status *delivery)
{
    struct delivery_statuses *statuses = joining->statuses;
    struct delivery_status *added = mem_push(statuses->items, statuses->count, statuses->cap);

    *added = *delivery;
    return added;
}

/* Returns where the index of a status is stored: 1 + the index, or 0 if there is none. */
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

/* Notes boxes that cannot be read and damaged files of boxes: a message in one of these cannot be
 * distinguished from a removed one. */
static void note_damaged(struct joining *joining, const struct message *message)
{
    const struct place *place = message->place;
    bool whole = !message->raw_len;
    bool fresh;

    if (message->unread_bytes || (whole && joining->sources[place->source].may_take))
        map_put_copy(&joining->damaged, &joining->keys,
                     box_key(joining, place->source, place->team, place->box), &fresh);
}

static void add_notes(struct joining *joining, const struct delivery_notes *notes)
{
    for (size_t i = 0; i < notes->count; i++) {
        const struct delivery_note *note = &notes->items[i];
        uint32_t *known = place_of(joining, note->source, note->team, note->box, note->id);
        if (*known)
            continue;
        add_delivery(joining, &(struct delivery_status){
                                  .source = note->source,
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
        *known = (uint32_t)joining->statuses->count;
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
            struct delivery_status *delivery = &joining->statuses->items[*known - 1];
            delivery->message = delivery->message ? delivery->message : message;
        } else if (message->by_us && message->kind != KIND_IDLE) {
            add_delivery(joining, &(struct delivery_status){.source = place->source,
                                                            .team = place->team,
                                                            .box = place->box,
                                                            .id = message->id,
                                                            .from = message->from,
                                                            .to = message_recipient(message),
                                                            .sent_us = message->created_us,
                                                            .message = message});
            *known = (uint32_t)joining->statuses->count;
        }
    }
}

static struct replied asked_by(const struct joining *joining,
                               const struct delivery_status *delivery, struct span id)
{
    return (struct replied){.source = delivery->source,
                            .short_replies = joining->sources[delivery->source].short_replies,
                            .team = delivery->team,
                            .from = delivery->from,
                            .id = id};
}

static const struct message *find_answer(struct joining *joining,
                                         const struct delivery_status *delivery)
{
    const struct message *message = delivery->message;
    enum protocol_kind kind = message ? protocol_kind_find(message->type) : PROTOCOL_UNKNOWN;
    struct replied what = asked_by(joining, delivery, delivery->id);

    if (kind == PROTOCOL_SHUTDOWN_REQUEST)
        what.stops = delivery->to;
    uint32_t answer = replies_find(&joining->replies, joining->model, &what);
    if (answer == REPLY_NONE && kind != PROTOCOL_UNKNOWN) {
        what.id = message->thread;
        answer = replies_find(&joining->replies, joining->model, &what);
    }
    if (answer != REPLY_NONE)
        return joining->model->messages[answer];
    if (!joining->sources[delivery->source].by_subject)
        return NULL;
    answer = replies_by_subject(&joining->replies, joining->model, &what, delivery->to,
                                delivery->subject, delivery->sent_us);
    return answer == REPLY_NONE ? NULL : joining->model->messages[answer];
}

static bool is_for_all(const struct joining *joining, const struct delivery_status *delivery)
{
    return joining->sources[delivery->source].for_all && span_is(delivery->to, "all");
}

static void set_state(struct delivery_status *delivery, enum delivery_state state, int64_t since_us)
{
    delivery->state = state;
    delivery->since_us = since_us;
}

/* Derives the state from the mailbox. */
static void judge_there(const struct joining *joining, struct delivery_status *delivery)
{
    static const struct message_data nothing = {.read_us = TIME_NONE, .completed_us = TIME_NONE};
    const struct message *message = delivery->message;
    const struct message_data *data = message->data ? message->data : &nothing;
    bool hidden = message->place->local && !joining->sources[delivery->source].takes;
    enum status status = message_marked(message);
    int64_t delivered_us = delivery->state == DELIVERY_DELIVERED && delivery->since_us != TIME_NONE
                               ? delivery->since_us
                               : delivery->sent_us;

    delivery->problem = (struct span){0};
    if (message->place->archived && !hidden)
        status = STATUS_ARCHIVED;
    else if (hidden || is_for_all(joining, delivery)) /* the mark of one reader, or only ours */
        status = STATUS_UNREAD;
    switch (status) {
    case STATUS_READ:
        set_state(delivery, DELIVERY_READ, data->read_us);
        break;
    case STATUS_PROCESSING:
        set_state(delivery, DELIVERY_PROCESSING, TIME_NONE);
        break;
    case STATUS_FAILED:
        set_state(delivery, DELIVERY_FAILED, TIME_NONE);
        delivery->problem = span_of("its recipient says that it failed");
        break;
    case STATUS_COMPLETED:
        set_state(delivery, DELIVERY_COMPLETED, data->completed_us);
        break;
    case STATUS_ARCHIVED:
        set_state(delivery, DELIVERY_ARCHIVED, data->completed_us);
        break;
    case STATUS_UNREAD:
    case STATUS_NONE:
        if (message_expired(message, joining->now_us))
            set_state(delivery, DELIVERY_EXPIRED, message->expires_us);
        else
            set_state(delivery, DELIVERY_DELIVERED, delivered_us);
        break;
    }
}

/* True if its box, or a directory with all boxes of its team or source, is damaged. */
static bool is_in_damaged(struct joining *joining, const struct delivery_status *delivery)
{
    const struct span none = {0};

    return map_get(&joining->damaged,
                   box_key(joining, delivery->source, delivery->team, delivery->box)) ||
           map_get(&joining->damaged, box_key(joining, delivery->source, delivery->team, none)) ||
           map_get(&joining->damaged, box_key(joining, delivery->source, none, none));
}

/* Derives the state of a message that was delivered and is in no mailbox. */
static void judge_gone(struct joining *joining, struct delivery_status *delivery)
{
    const struct delivery_source *source = &joining->sources[delivery->source];

    if (is_in_damaged(joining, delivery))
        set_state(delivery, DELIVERY_UNCONFIRMED, TIME_NONE);
    else if (source->takes || source->may_take)
        set_state(delivery, DELIVERY_TAKEN, TIME_NONE);
    else if (source->lasts_us && joining->now_us - delivery->sent_us >= source->lasts_us)
        set_state(delivery, DELIVERY_EXPIRED, delivery->sent_us + source->lasts_us);
    else
        set_state(delivery, DELIVERY_VANISHED, TIME_NONE);
}

static void judge_delivery(struct joining *joining, struct delivery_status *delivery)
{
    if (delivery->message) {
        delivery->subject = delivery->message->subject;
        judge_there(joining, delivery);
    } else if (delivery->state == DELIVERY_DELIVERED) {
        judge_gone(joining, delivery);
    }
    delivery->answer = find_answer(joining, delivery);
    if (delivery->answer) {
        set_state(delivery, DELIVERY_ANSWERED, delivery->answer->created_us);
        delivery->problem =
            message_turns_down(delivery->answer) ? delivery->answer->subject : (struct span){0};
    }
}

/* Adds a status for each agent that answered a message to all. */
static void add_answerers(struct joining *joining, size_t index)
{
    struct delivery_status all = joining->statuses->items[index]; /* the array may move */
    struct replied what = asked_by(joining, &all, all.id);
    CLEANUP(map_free) struct map answerers = {0};
    size_t first = joining->statuses->count;
    uint32_t head = replies_first(&joining->replies, &what);
    const struct span parts[] = {all.team, all.from};
    bool fresh;

    if (head == REPLY_NONE)
        return;
    map_put_copy(&joining->told, &joining->keys, map_key(&joining->scratch, head, parts, 2),
                 &fresh);
    if (!fresh) /* an earlier message to all has the same start of an id: it is unknown which one
                   was meant */
        return;
    for (uint32_t at = head; at != REPLY_NONE; at = replies_next(&joining->replies, at)) {
        const struct message *reply = joining->model->messages[at];
        if (span_eq(reply->from, all.from) || !span_eq(reply->place->team, all.team))
            continue;
        uint32_t *answerer = map_put(&answerers, reply->from, &fresh);
        if (fresh) {
            *answerer = (uint32_t)joining->statuses->count;
            add_delivery(joining, &all)->to = reply->from;
        } else if (message_cmp_time(reply, joining->statuses->items[*answerer].answer) > 0) {
            continue;
        }
        struct delivery_status *one = &joining->statuses->items[*answerer];
        one->answer = reply;
        set_state(one, DELIVERY_ANSWERED, reply->created_us);
    }
    for (size_t i = first; !all.group.at && i < joining->statuses->count; i++)
        joining->statuses->items[i].group = all.id;
    if (!all.group.at && joining->statuses->count > first)
        joining->statuses->items[index].group = all.id;
}

void delivery_statuses_build(struct delivery_statuses *statuses, const struct model *model,
                             const struct delivery_notes *notes,
                             const struct delivery_source *sources, int64_t now_us)
{
    struct joining joining = {
        .statuses = statuses, .model = model, .sources = sources, .now_us = now_us};

    *statuses = (struct delivery_statuses){0};
    add_notes(&joining, notes);
    add_messages(&joining);
    replies_build(&joining.replies, model);
    size_t count = statuses->count;
    for (size_t i = 0; i < count; i++)
        judge_delivery(&joining, &statuses->items[i]);
    for (size_t i = 0; i < count; i++)
        if (is_for_all(&joining, &statuses->items[i]))
            add_answerers(&joining, i);
    delivery_statuses_group(statuses);
    replies_free(&joining.replies);
    map_free(&joining.told);
    map_free(&joining.known);
    map_free(&joining.damaged);
    arena_free(&joining.keys);
    str_free(&joining.scratch);
}
