/* Messages, maps of messages, batches and updates. */
#include "mail/message/message.h"

#include "base/map.h"
#include "base/mem.h"
#include "base/text/utf8.h"

#include <stdlib.h>

/* A message: the words for its states, its names, and its sort orders. */

static const char *const priority_names[] = {
    [PRIORITY_LOW] = "low",
    [PRIORITY_NORMAL] = "normal",
    [PRIORITY_HIGH] = "high",
    [PRIORITY_URGENT] = "urgent",
};

static const char *const status_names[] = {
    [STATUS_UNREAD] = "unread",         [STATUS_READ] = "read",
    [STATUS_PROCESSING] = "processing", [STATUS_FAILED] = "failed",
    [STATUS_COMPLETED] = "completed",   [STATUS_ARCHIVED] = "archived",
};

static const char *const flag_texts[] = {
    ("the same id lies in the inbox and in the archive: an agent that was running wrote it again; "
     "archive it again"),
    "a time carries a zone, which makes the agent's mailbox check fail",
    "the file starts with a byte order mark, which the agent's loader does not accept",
    "the file is not UTF-8, which the agent's loader may not accept",
    "a field stands twice; the last one counts",
    "it lies in another agent's box",
    "a field has the wrong type: agents may pass the message over, or remove it",
    "its head is more than a list of simple fields: what could not be read is shown as it is",
    "DANGEROUS: its head is a program that the usual reader would run; nothing of it is run here",
    "it has no time that can be read; its order comes from its name, its place or its file",
    "several messages lie in a file that is meant for one: they are handled together",
    "dated in the future: its order comes from when its file was written",
    "a field has a value that its layout does not know: the nearest one counts",
};

static const char *const flag_words[] = {
    "in inbox and archive",
    "time with a zone",
    "byte order mark",
    "not UTF-8",
    "a field twice",
    "in another box",
    "wrong type",
    "odd head",
    "DANGEROUS head",
    "no time",
    "shared file",
    "from the future",
    "odd value",
};

static bool find_word(const char *const *words, size_t count, struct span word, unsigned *index)
{
    for (unsigned i = 0; i < count; i++) {
        if (words[i] && span_is(word, words[i])) {
            *index = i;
            return true;
        }
    }
    return false;
}

const char *priority_name(enum priority priority)
{
    return priority ? priority_names[priority] : "-";
}

const char *priority_word(unsigned number)
{
    enum priority priority = PRIORITY_LOW + number;

    return priority <= PRIORITY_URGENT ? priority_name(priority) : NULL;
}

bool priority_is_given(enum priority priority)
{
    return priority != PRIORITY_NORMAL && priority != PRIORITY_NONE;
}

bool priority_parse(struct span word, enum priority *priority)
{
    unsigned index;

    if (!find_word(priority_names, sizeof priority_names / sizeof *priority_names, word, &index))
        return false;
    *priority = index;
    return true;
}

const char *status_name(enum status status)
{
    return status < STATUS_NONE ? status_names[status] : "-";
}

const char *mark_word(unsigned number)
{
    static const enum status marks[] = {STATUS_READ, STATUS_PROCESSING, STATUS_COMPLETED,
                                        STATUS_FAILED};

    return number < sizeof marks / sizeof *marks ? status_name(marks[number]) : NULL;
}

bool status_parse(struct span word, enum status *status)
{
    unsigned index;

    if (!find_word(status_names, sizeof status_names / sizeof *status_names, word, &index))
        return false;
    *status = index;
    return true;
}

bool status_may_become(enum status from, enum status to)
{
    if (from == STATUS_FAILED && (to == STATUS_READ || to == STATUS_PROCESSING))
        return true;
    return to > from;
}

enum status message_marked(const struct message *message)
{
    return message->read_here ? STATUS_UNREAD : message->status;
}

bool message_left_unread(const struct message *message)
{
    return message_marked(message) == STATUS_UNREAD && !message->read_unsaid;
}

bool message_is_unread(const struct message *message)
{
    return message->status == STATUS_UNREAD && (!message->read_unsaid || message_for_us(message));
}

const char *message_flag_text(unsigned bit)
{
    return bit < sizeof flag_texts / sizeof *flag_texts ? flag_texts[bit] : NULL;
}

void message_set_time(struct message *message, int64_t claimed_us, int64_t written_us)
{
    enum { SLACK_US = 5 * 60 * 1000000 }; /* clocks of machines that share a disk differ */

    message->created_us = claimed_us;
    if (claimed_us == TIME_NONE || !written_us || claimed_us - SLACK_US <= written_us)
        return;
    message->created_us = written_us;
    message->flags |= MESSAGE_AHEAD;
}

void message_set_content(struct message *message, int64_t claimed_us, uint64_t text_hash)
{
    const struct span parts[] = {
        message->from, {(const char *)&claimed_us, sizeof claimed_us}, message->subject};

    /* The local state stores this hash with marks: it must be the same in every run. */
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        text_hash = map_hash_wide(parts[i], text_hash + i);
    message->content = map_narrow(text_hash);
}

const char *message_flag_word(unsigned bit)
{
    return bit < sizeof flag_words / sizeof *flag_words ? flag_words[bit] : NULL;
}

bool message_expired(const struct message *message, int64_t now_us)
{
    return message->expires_us != TIME_NONE && message->expires_us <= now_us;
}

bool message_for_us(const struct message *message)
{
    return message->mine && (!message->by_us || span_eq(message->from, message->to));
}

bool message_hides_ours(const struct message *message)
{
    return message->unread_bytes && (message->mine || !message->place->box.at);
}

void message_add_age(struct str *out, const struct message *message, int64_t now_us)
{
    if (message->created_us == TIME_NONE)
        return;
    str_puts(out, message->flags & MESSAGE_STAND_IN_TIME ? "~" : "");
    time_add_age(out, now_us - message->created_us);
}

struct span message_spoken_id(struct span id, bool short_replies)
{
    enum { SHORT_ID = 8 };

    if (short_replies && id.len > SHORT_ID)
        id.len = SHORT_ID;
    return id;
}

struct span message_recipient(const struct message *message)
{
    return message->to.len ? message->to : message->place->box;
}

void message_add_spelled(struct str *out, struct span name)
{
    while (name.len) {
        int32_t code = utf8_next(&name);
        bool plain = (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z') ||
                     (code >= '0' && code <= '9') || code == '-' || code == '_';
        if (plain)
            str_putc(out, (char)code);
        else
            str_puts(out, code > 0xffff ? "--" : "-"); /* one dash per UTF-16 unit */
    }
}

bool message_name_fits(struct span name, struct span box)
{
    CLEANUP(str_free) struct str spelled = {0};

    message_add_spelled(&spelled, name);
    return span_eq(name, box) || span_eq(str_span(&spelled), box);
}

void message_add_path(struct str *out, const struct message *message, bool absolute)
{
    const struct place *place = message->place;

    if (absolute)
        str_addf(out, "%s/", place->root);
    str_add_span(out, place->dir);
    if (place->dir.len)
        str_putc(out, '/');
    str_add_span(out, message->file);
}

bool message_err_at(struct err *err, const struct message *message)
{
    CLEANUP(str_free) struct str path = {0};

    message_add_path(&path, message, false);
    return err_at(err, str_c(&path));
}

static void add_number(struct str *out, const struct message *message)
{
    if (!message->raw_len)
        return;
    str_putc(out, '#');
    str_add_span(out, message->id);
}

void message_add_part(struct str *out, const struct message *message)
{
    str_add_span(out, message->file);
    add_number(out, message);
}

void message_add_name(struct str *out, const struct message *message, bool absolute)
{
    message_add_path(out, message, absolute);
    add_number(out, message);
}

void message_add_copy(struct str *out, const struct message *message)
{
    if (!message->place->local)
        return;
    str_putc(out, '#');
    str_add_span(out, message->id);
    str_addf(out, "~%08x", message->content);
}

int message_cmp_time(const struct message *a, const struct message *b)
{
    if (a->created_us != b->created_us)
        return a->created_us < b->created_us ? -1 : 1;
    return span_cmp(a->id, b->id);
}

int message_cmp_place(const struct message *a, const struct message *b)
{
    const struct place *x = a->place, *y = b->place;

    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    int order = span_cmp(x->dir, y->dir);
    order = order ? order : span_cmp(a->file, b->file);
    if (!order && a->raw_at != b->raw_at)
        return a->raw_at < b->raw_at ? -1 : 1;
    return order ? order : span_cmp(a->id, b->id);
}

int message_cmp_newest(const struct message *a, const struct message *b)
{
    int order = message_cmp_time(b, a);

    return order ? order : message_cmp_place(a, b);
}

int message_cmp_urgency(const struct message *a, const struct message *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    return message_cmp_time(a, b);
}

/* A message: copies of it that outlive the original. */

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

/* A map of messages by their names. */

void message_map_free(struct message_map *map)
{
    map_free(&map->names);
    arena_free(&map->arena);
    *map = (struct message_map){0};
}

uint32_t *message_map_put(struct message_map *map, const struct message *message)
{
    CLEANUP(str_free) struct str name = {0};
    bool fresh;

    message_add_name(&name, message, true);
    return map_put_copy(&map->names, &map->arena, str_span(&name), &fresh);
}

const uint32_t *message_map_get(const struct message_map *map, const struct message *message)
{
    CLEANUP(str_free) struct str name = {0};

    if (!map->names.count)
        return NULL;
    message_add_name(&name, message, true);
    return map_get(&map->names, str_span(&name));
}

/* A batch: adding messages and keeping recurring names once. */

void batch_free(struct batch *batch)
{
    batch_finish(batch);
    free(batch->items);
    arena_free(&batch->arena);
    *batch = (struct batch){0};
}

void batch_reserve(struct batch *batch, size_t count)
{
    batch->items = mem_grow(batch->items, &batch->cap, count, sizeof *batch->items);
}

struct message *batch_add(struct batch *batch)
{
    struct message *message = mem_push(batch->items, batch->count, batch->cap);

    *message = (struct message){.created_us = TIME_NONE,
                                .expires_us = TIME_NONE,
                                .priority = PRIORITY_NORMAL,
                                .status = STATUS_UNREAD};
    return message;
}

struct span batch_name(struct batch *batch, struct span text)
{
    bool fresh;

    if (!text.at)
        return text;
    uint32_t *known = map_get(&batch->names, text);
    if (known)
        return batch->names.entries[*known].key;
    struct span copy = arena_copy(&batch->arena, text);
    uint32_t number = (uint32_t)batch->names.count;
    *map_put(&batch->names, copy, &fresh) = number;
    return copy;
}

struct message *batch_find(const struct batch *batch, size_t first, const struct message *message)
{
    struct message *found = NULL;

    for (size_t i = first; i < batch->count; i++) {
        struct message *one = &batch->items[i];
        if (!span_eq(one->id, message->id))
            continue;
        if (one->content == message->content)
            return one;
        found = found ? found : one;
    }
    return found;
}

void batch_finish(struct batch *batch)
{
    map_free(&batch->names);
}

void update_free(struct update *update)
{
    batch_free(&update->batch);
    free(update->files);
    *update = (struct update){0};
}

void update_add(struct update *update, const struct place *place, struct span name,
                enum update_what what, size_t first)
{
    *mem_push(update->files, update->count, update->cap) =
        (struct update_file){.place = place,
                             .name = name,
                             .what = what,
                             .first = first,
                             .count = update->batch.count - first};
}
