/* A message: copies of it that outlive where it came from. */
#include "mail/message/message.h"

size_t place_spot(const struct place *place, struct span name, size_t count)
{
    uint64_t mixed = ((uintptr_t)place ^ (uintptr_t)name.at << 7) * UINT64_C(0x9e3779b97f4a7c15);

    return (mixed >> 32) % count;
}

bool place_is_same(const struct place *a, const struct place *b)
{
    return a->source == b->source && a->archived == b->archived && a->local == b->local &&
           span_eq(a->dir, b->dir) && span_eq(a->box, b->box) && span_eq(a->team, b->team) &&
           !a->box.at == !b->box.at && !a->team.at == !b->team.at;
}

bool message_is_same(const struct message *a, const struct message *b)
{
    return a->content == b->content ||
           (place_is_same(a->place, b->place) && span_eq(a->file, b->file));
}

const struct place *place_keep(const struct place *place, const struct place *last,
                               struct arena *arena)
{
    if (last && place_is_same(last, place))
        return last;
    struct place *copy = arena_alloc(arena, sizeof *copy);
    *copy = *place;
    copy->team = arena_copy(arena, place->team);
    copy->box = arena_copy(arena, place->box);
    copy->dir = arena_copy(arena, place->dir);
    return copy;
}

static const struct notice *keep_notice(const struct notice *notice, struct arena *arena)
{
    struct notice *copy = arena_alloc(arena, sizeof *copy);

    *copy = (struct notice){.reason = arena_copy(arena, notice->reason),
                            .failure = arena_copy(arena, notice->failure),
                            .task = arena_copy(arena, notice->task),
                            .task_status = arena_copy(arena, notice->task_status),
                            .summary = arena_copy(arena, notice->summary)};
    return copy;
}

static const struct work *keep_work(const struct work *work, struct arena *arena)
{
    struct work *copy = arena_alloc(arena, sizeof *copy);

    *copy = *work;
    copy->giver = arena_copy(arena, work->giver);
    copy->job = arena_copy(arena, work->job);
    return copy;
}

void message_keep(struct message *copy, const struct message *message, struct arena *arena)
{
    *copy = *message;
    copy->data = NULL;
    copy->place = place_keep(message->place, NULL, arena);
    copy->id = arena_copy(arena, message->id);
    copy->file = arena_copy(arena, message->file);
    copy->from = arena_copy(arena, message->from);
    copy->to = arena_copy(arena, message->to);
    copy->type = arena_copy(arena, message->type);
    copy->subject = arena_copy(arena, message->subject);
    copy->thread = arena_copy(arena, message->thread);
    copy->reply_to = arena_copy(arena, message->reply_to);
    if (message->damaged)
        copy->damaged = arena_strdup(arena, message->damaged);
    if (message->notice)
        copy->notice = keep_notice(message->notice, arena);
    if (message->work)
        copy->work = keep_work(message->work, arena);
}

static struct message_data *keep_data(const struct message_data *data, struct arena *arena)
{
    struct message_data *copy = arena_alloc(arena, sizeof *copy);

    *copy = *data;
    copy->body = arena_copy(arena, data->body);
    copy->payload = arena_copy(arena, data->payload);
    copy->context = arena_copy(arena, data->context);
    copy->attachments = arena_copy(arena, data->attachments);
    copy->tags = arena_copy(arena, data->tags);
    copy->protocol = arena_copy(arena, data->protocol);
    copy->summary = arena_copy(arena, data->summary);
    copy->color = arena_copy(arena, data->color);
    copy->swarm = arena_copy(arena, data->swarm);
    return copy;
}

void message_keep_whole(struct message *copy, const struct message *message, struct arena *arena)
{
    message_keep(copy, message, arena);
    if (message->data)
        copy->data = keep_data(message->data, arena);
}
