/* Heads: folding messages small and unfolding them again. */
#include "mail/head.h"

#include "base/mem.h"

#include <stdlib.h>

enum { CHUNK = 512 };

enum head_bit {
    BIT_ID_IN_FILE = 1 << 0, /* the id is the start of the file's name */
    BIT_SUBJECT = 1 << 1,    /* there, if perhaps empty */
    BIT_THREAD = 1 << 2,
    BIT_REPLY_TO = 1 << 3,
    BIT_DAMAGED = 1 << 4,
    BIT_NOTICE = 1 << 5,
    BIT_REQUIRES_RESPONSE = 1 << 6,
    BIT_UNREAD_BYTES = 1 << 7,
    BIT_SEEN = 1 << 8,
    BIT_READ_HERE = 1 << 9,
    BIT_MINE = 1 << 10,
    BIT_BY_US = 1 << 11,
    BIT_WHOLE_FOLDER = 1 << 12,
    BIT_READ_AT = 1 << 13, /* since when it is worked on is known */
    BIT_WORK = 1 << 14,
};

enum { NOTICE_PARTS = sizeof(struct notice) / sizeof(struct span) };

void head_let_go(struct head_pool *pool)
{
    for (size_t i = 0; i < pool->held_count; i++)
        free(pool->held[i]);
    free(pool->held);
    pool->held = NULL;
    pool->held_count = pool->held_cap = 0;
}

static void drop_text(struct head_pool *pool, char *text)
{
    if (!pool->holding || !text) {
        free(text);
        return;
    }
    pool->held = mem_grow(pool->held, &pool->held_cap, pool->held_count + 1, sizeof *pool->held);
    pool->held[pool->held_count++] = text;
}

void head_pool_free(struct head_pool *pool)
{
    head_let_go(pool);
    for (uint32_t i = 0; i < pool->count; i++)
        free(head_at(pool, i)->text);
    for (size_t i = 0; i < pool->chunk_count; i++)
        free(pool->chunks[i]);
    free(pool->chunks);
    free(pool->places);
    free(pool->names);
    map_free(&pool->place_numbers);
    map_free(&pool->name_numbers);
    arena_free(&pool->arena);
    *pool = (struct head_pool){0};
}

struct head *head_at(const struct head_pool *pool, uint32_t slot)
{
    return &pool->chunks[slot / CHUNK][slot % CHUNK];
}

static void add_key(struct str *key, struct span text)
{
    str_addf(key, "%zu:", text.at ? text.len + 1 : 0);
    str_add_span(key, text);
}

static bool is_same_place(const struct place *a, const struct place *b)
{
    return a->source == b->source && a->archived == b->archived && a->local == b->local &&
           span_eq(a->dir, b->dir) && span_eq(a->box, b->box) && span_eq(a->team, b->team) &&
           !a->box.at == !b->box.at && !a->team.at == !b->team.at;
}

uint32_t head_place(struct head_pool *pool, const struct place *place)
{
    struct str key = {0};
    bool fresh;

    if (pool->place_count && is_same_place(pool->places[pool->last_place], place))
        return pool->last_place;
    str_addf(&key, "%u%d%d ", place->source, place->archived, place->local);
    add_key(&key, place->team);
    add_key(&key, place->box);
    add_key(&key, place->dir);
    uint32_t *number = map_get(&pool->place_numbers, str_span(&key));
    if (!number) {
        struct place *kept = arena_alloc(&pool->arena, sizeof *kept);
        *kept = *place;
        kept->team = arena_copy(&pool->arena, place->team);
        kept->box = arena_copy(&pool->arena, place->box);
        kept->dir = arena_copy(&pool->arena, place->dir);
        number = map_put(&pool->place_numbers, arena_copy(&pool->arena, str_span(&key)), &fresh);
        *number = (uint32_t)pool->place_count;
        pool->places =
            mem_grow(pool->places, &pool->place_cap, pool->place_count + 1, sizeof *pool->places);
        pool->places[pool->place_count++] = kept;
    }
    str_free(&key);
    return pool->last_place = *number;
}

static uint32_t name_number(struct head_pool *pool, struct span name)
{
    bool fresh;

    if (!name.at)
        return 0;
    uint32_t *number = map_get(&pool->name_numbers, name);
    if (number)
        return *number;
    pool->names = mem_grow(pool->names, &pool->name_cap, pool->name_count + 2, sizeof *pool->names);
    struct span kept = arena_copy(&pool->arena, name);
    pool->names[0] = (struct span){0};
    pool->names[++pool->name_count] = kept;
    *map_put(&pool->name_numbers, kept, &fresh) = (uint32_t)pool->name_count;
    return (uint32_t)pool->name_count;
}

uint32_t head_take(struct head_pool *pool)
{
    uint32_t slot = pool->free;

    if (slot) {
        pool->free = head_at(pool, slot - 1)->next_in_file;
        slot--;
    } else {
        slot = pool->count++;
        if (slot / CHUNK >= pool->chunk_count) {
            pool->chunks = mem_grow(pool->chunks, &pool->chunk_cap, pool->chunk_count + 1,
                                    sizeof *pool->chunks);
            pool->chunks[pool->chunk_count++] = mem_zero(CHUNK, sizeof **pool->chunks);
        }
    }
    *head_at(pool, slot) = (struct head){.next_in_file = HEAD_NONE, .next_same = HEAD_NONE};
    return slot;
}

void head_drop(struct head_pool *pool, uint32_t slot)
{
    struct head *head = head_at(pool, slot);

    drop_text(pool, head->text);
    *head = (struct head){.next_in_file = pool->free};
    pool->free = slot + 1;
}

static bool is_worked_on(const struct message *message)
{
    return message->status == STATUS_PROCESSING && message->data &&
           message->data->read_us != WHEN_NONE;
}

static unsigned bits_of(const struct message *message)
{
    return (is_worked_on(message) ? BIT_READ_AT : 0) | (message->subject.at ? BIT_SUBJECT : 0) |
           (message->thread.at ? BIT_THREAD : 0) | (message->reply_to.at ? BIT_REPLY_TO : 0) |
           (message->damaged ? BIT_DAMAGED : 0) | (message->notice ? BIT_NOTICE : 0) |
           (message->work ? BIT_WORK : 0) |
           (message->requires_response ? BIT_REQUIRES_RESPONSE : 0) |
           (message->unread_bytes ? BIT_UNREAD_BYTES : 0) | (message->seen ? BIT_SEEN : 0) |
           (message->read_here ? BIT_READ_HERE : 0) | (message->mine ? BIT_MINE : 0) |
           (message->by_us ? BIT_BY_US : 0) | (message->whole_folder ? BIT_WHOLE_FOLDER : 0) |
           (span_starts(message->file, message->id) ? BIT_ID_IN_FILE : 0);
}

/* Texts one after the other, each with a NUL behind it. */
static char *put_text(char *to, struct span text)
{
    if (text.len)
        memcpy(to, text.at, text.len);
    to[text.len] = '\0';
    return to + text.len + 1;
}

/* A part of a notice: whether it is there, its length, itself. */
static char *put_part(char *to, struct span part)
{
    uint32_t len = part.at ? (uint32_t)part.len + 1 : 0;

    memcpy(to, &len, sizeof len);
    return len ? put_text(to + sizeof len, part) : to + sizeof len;
}

static size_t part_size(struct span part)
{
    return sizeof(uint32_t) + (part.at ? part.len + 1 : 0);
}

static size_t work_size(const struct work *work)
{
    return part_size(work->giver) + part_size(work->job) + sizeof work->read_us +
           sizeof work->completed_us;
}

static char *put_work(char *to, const struct work *work)
{
    to = put_part(to, work->giver);
    to = put_part(to, work->job);
    to = mempcpy(to, &work->read_us, sizeof work->read_us);
    return mempcpy(to, &work->completed_us, sizeof work->completed_us);
}

static size_t text_size(const struct message *message, unsigned bits)
{
    size_t size = message->file.len + 1;

    size += bits & BIT_ID_IN_FILE ? 0 : message->id.len + 1;
    size += bits & BIT_SUBJECT ? message->subject.len + 1 : 0;
    size += bits & BIT_THREAD ? message->thread.len + 1 : 0;
    size += bits & BIT_REPLY_TO ? message->reply_to.len + 1 : 0;
    size += bits & BIT_DAMAGED ? strlen(message->damaged) + 1 : 0;
    size += bits & BIT_READ_AT ? sizeof message->data->read_us : 0;
    for (size_t i = 0; bits & BIT_NOTICE && i < NOTICE_PARTS; i++)
        size += part_size(((const struct span *)message->notice)[i]);
    size += bits & BIT_WORK ? work_size(message->work) : 0;
    return size;
}

static char *fold_text(const struct message *message, unsigned bits)
{
    char *text = mem_alloc(text_size(message, bits));
    char *to = put_text(text, message->file);

    if (!(bits & BIT_ID_IN_FILE))
        to = put_text(to, message->id);
    if (bits & BIT_SUBJECT)
        to = put_text(to, message->subject);
    if (bits & BIT_THREAD)
        to = put_text(to, message->thread);
    if (bits & BIT_REPLY_TO)
        to = put_text(to, message->reply_to);
    if (bits & BIT_DAMAGED)
        to = put_text(to, span_of(message->damaged));
    if (bits & BIT_READ_AT)
        to = mempcpy(to, &message->data->read_us, sizeof message->data->read_us);
    for (size_t i = 0; bits & BIT_NOTICE && i < NOTICE_PARTS; i++)
        to = put_part(to, ((const struct span *)message->notice)[i]);
    if (bits & BIT_WORK)
        put_work(to, message->work);
    return text;
}

void head_fold(struct head_pool *pool, uint32_t slot, const struct message *message)
{
    struct head *head = head_at(pool, slot);
    unsigned bits = bits_of(message);
    struct head folded = {.text = fold_text(message, bits),
                          .created_us = message->created_us,
                          .expires_us = message->expires_us,
                          .place = head_place(pool, message->place),
                          .from = name_number(pool, message->from),
                          .to = name_number(pool, message->to),
                          .type = name_number(pool, message->type),
                          .raw_at = message->raw_at,
                          .raw_len = message->raw_len,
                          .print = message->print,
                          .id_len = (uint32_t)message->id.len,
                          .subject_len = (uint32_t)message->subject.len,
                          .thread_len = (uint32_t)message->thread.len,
                          .reply_len = (uint32_t)message->reply_to.len,
                          .next_in_file = head->next_in_file,
                          .next_same = head->next_same,
                          .file_len = (uint16_t)message->file.len,
                          .flags = message->flags,
                          .bits = (uint16_t)bits,
                          .priority = message->priority,
                          .status = message->status,
                          .kind = message->kind,
                          .verdict = message->verdict,
                          .said = message->said,
                          .met = head->met,
                          .used = true};

    drop_text(pool, head->text);
    *head = folded;
}

struct span head_file(const struct head *head)
{
    return (struct span){head->text, head->file_len};
}

struct span head_id(const struct head *head)
{
    return (struct span){head->text + (head->bits & BIT_ID_IN_FILE ? 0 : head->file_len + 1),
                         head->id_len};
}

static struct span take_text(const char **at, bool there, size_t len)
{
    struct span text = {there ? *at : NULL, there ? len : 0};

    *at += there ? len + 1 : 0;
    return text;
}

static struct span take_part(const char **at)
{
    uint32_t len;

    memcpy(&len, *at, sizeof len);
    *at += sizeof len;
    return take_text(at, len != 0, len ? len - 1 : 0);
}

static struct notice *take_notice(const char **at, struct arena *arena)
{
    struct notice *notice = arena_alloc(arena, sizeof *notice);

    for (size_t i = 0; i < NOTICE_PARTS; i++)
        ((struct span *)notice)[i] = take_part(at);
    return notice;
}

static struct work *take_work(const char *at, struct arena *arena)
{
    struct work *work = arena_alloc(arena, sizeof *work);

    work->giver = take_part(&at);
    work->job = take_part(&at);
    memcpy(&work->read_us, at, sizeof work->read_us);
    memcpy(&work->completed_us, at + sizeof work->read_us, sizeof work->completed_us);
    return work;
}

void head_unfold(const struct head_pool *pool, uint32_t slot, struct message *message,
                 struct arena *arena)
{
    const struct head *head = head_at(pool, slot);
    const char *at = head->text + head->file_len + 1;
    unsigned bits = head->bits;

    *message = (struct message){.id = head_id(head),
                                .file = head_file(head),
                                .from = head->from ? pool->names[head->from] : (struct span){0},
                                .to = head->to ? pool->names[head->to] : (struct span){0},
                                .type = head->type ? pool->names[head->type] : (struct span){0},
                                .place = pool->places[head->place],
                                .created_us = head->created_us,
                                .expires_us = head->expires_us,
                                .raw_at = head->raw_at,
                                .raw_len = head->raw_len,
                                .print = head->print,
                                .priority = head->priority,
                                .status = head->status,
                                .kind = head->kind,
                                .verdict = head->verdict,
                                .said = head->said,
                                .requires_response = bits & BIT_REQUIRES_RESPONSE,
                                .unread_bytes = bits & BIT_UNREAD_BYTES,
                                .seen = bits & BIT_SEEN,
                                .read_here = bits & BIT_READ_HERE,
                                .mine = bits & BIT_MINE,
                                .by_us = bits & BIT_BY_US,
                                .whole_folder = bits & BIT_WHOLE_FOLDER,
                                .flags = head->flags};
    at += bits & BIT_ID_IN_FILE ? 0 : head->id_len + 1;
    message->subject = take_text(&at, bits & BIT_SUBJECT, head->subject_len);
    message->thread = take_text(&at, bits & BIT_THREAD, head->thread_len);
    message->reply_to = take_text(&at, bits & BIT_REPLY_TO, head->reply_len);
    if (bits & BIT_DAMAGED) {
        message->damaged = at;
        at += strlen(at) + 1;
    }
    if (bits & BIT_READ_AT && arena) {
        message->data = arena_alloc(arena, sizeof *message->data);
        message->data->completed_us = WHEN_NONE;
        memcpy(&message->data->read_us, at, sizeof message->data->read_us);
    }
    at += bits & BIT_READ_AT ? sizeof message->data->read_us : 0;
    if (bits & BIT_NOTICE && arena)
        message->notice = take_notice(&at, arena);
    if (bits & BIT_WORK && arena)
        message->work = take_work(at, arena);
}
