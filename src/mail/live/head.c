/* Heads: a pool of them, and what they share. */
#include "mail/live/head.h"

#include "base/mem.h"
#include "mail/handoff/handoff.h"
#include "mail/message/kind.h"
#include "mail/protocol/protocol.h"

#include <stdlib.h>

/* Heads, inside: one message as a head with its text. */

enum head_bit {
    BIT_ID_IN_FILE = 1 << 0, /* the id is the start of the file name */
    BIT_SUBJECT = 1 << 1,    /* present, but may be empty */
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
    BIT_READ_AT = 1 << 13, /* the time since which it is worked on is known */
    BIT_WORK = 1 << 14,
    BIT_REFUSED = 1 << 15,
};

/* Heads: folding a message and unfolding it. */

enum { NOTICE_PARTS = sizeof(struct notice) / sizeof(struct span) };

static bool is_worked_on(const struct message *message)
{
    return message->status == STATUS_PROCESSING && message->data &&
           message->data->read_us != TIME_NONE;
}

static unsigned bits_of(const struct message *message)
{
    return (is_worked_on(message) ? BIT_READ_AT : 0) | (message->subject.at ? BIT_SUBJECT : 0) |
           (message->thread.at ? BIT_THREAD : 0) | (message->reply_to.at ? BIT_REPLY_TO : 0) |
           (message->damaged ? BIT_DAMAGED : 0) | (message->notice ? BIT_NOTICE : 0) |
           (message->work ? BIT_WORK : 0) | (message->refused ? BIT_REFUSED : 0) |
           (message->requires_response ? BIT_REQUIRES_RESPONSE : 0) |
           (message->unread_bytes ? BIT_UNREAD_BYTES : 0) | (message->seen ? BIT_SEEN : 0) |
           (message->read_here ? BIT_READ_HERE : 0) | (message->mine ? BIT_MINE : 0) |
           (message->by_us ? BIT_BY_US : 0) | (message->whole_folder ? BIT_WHOLE_FOLDER : 0) |
           (span_starts(message->file, message->id) ? BIT_ID_IN_FILE : 0);
}

/* Appends a text and a NUL. */
static char *put_text(char *to, struct span text)
{
    if (text.len)
        memcpy(to, text.at, text.len);
    to[text.len] = '\0';
    return to + text.len + 1;
}

/* Appends a part of a notice: 1 + its length, or 0 if absent, then the text. */
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

/* Returns the size of a head's text. */
static size_t head_text_size(const struct message *message)
{
    unsigned bits = bits_of(message);
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

static void head_put_text(char *to, const struct message *message)
{
    unsigned bits = bits_of(message);

    to = put_text(to, message->file);
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
}

/* Returns the head without its text, place and names. */
static struct head head_of(const struct message *message)
{
    return (struct head){.created_us = message->created_us,
                         .expires_us = message->expires_us,
                         .raw_at = message->raw_at,
                         .raw_len = message->raw_len,
                         .print = message->print,
                         .content = message->content,
                         .id_len = (uint32_t)message->id.len,
                         .subject_len = (uint32_t)message->subject.len,
                         .thread_len = (uint32_t)message->thread.len,
                         .reply_len = (uint32_t)message->reply_to.len,
                         .file_len = (uint16_t)message->file.len,
                         .flags = message->flags,
                         .bits = (uint16_t)bits_of(message),
                         .priority = message->priority,
                         .status = message->status,
                         .kind = message->kind,
                         .verdict = message->verdict,
                         .said = message->said,
                         .answered = message->answered & 3,
                         .read_unsaid = message->read_unsaid,
                         .wants_none = message->wants_none,
                         .used = true};
}

/* Skips a text of that length and its NUL. */
static bool pass_text(struct span *rest, size_t len)
{
    if (rest->len <= len || rest->at[len])
        return false;
    *rest = (struct span){rest->at + len + 1, rest->len - len - 1};
    return true;
}

static bool pass_bytes(struct span *rest, size_t len)
{
    if (rest->len < len)
        return false;
    *rest = (struct span){rest->at + len, rest->len - len};
    return true;
}

static bool pass_part(struct span *rest)
{
    uint32_t len;

    if (rest->len < sizeof len)
        return false;
    memcpy(&len, rest->at, sizeof len);
    return pass_bytes(rest, sizeof len) && (!len || pass_text(rest, len - 1));
}

/* True if the bytes are a text that head_open() can parse. */
static bool head_text_fits(const struct head *head, struct span text)
{
    unsigned bits = head->bits;
    struct span rest = text;
    bool ok =
        pass_text(&rest, head->file_len) &&
        (bits & BIT_ID_IN_FILE ? head->id_len <= head->file_len : pass_text(&rest, head->id_len)) &&
        (!(bits & BIT_SUBJECT) || pass_text(&rest, head->subject_len)) &&
        (!(bits & BIT_THREAD) || pass_text(&rest, head->thread_len)) &&
        (!(bits & BIT_REPLY_TO) || pass_text(&rest, head->reply_len)) &&
        (!(bits & BIT_DAMAGED) || pass_text(&rest, strnlen(rest.at, rest.len))) &&
        (!(bits & BIT_READ_AT) || pass_bytes(&rest, sizeof(int64_t)));

    for (size_t i = 0; ok && bits & BIT_NOTICE && i < NOTICE_PARTS; i++)
        ok = pass_part(&rest);
    if (ok && bits & BIT_WORK)
        /* NOLINTNEXTLINE(misc-redundant-expression): two parts, one after the other */
        ok = pass_part(&rest) && pass_part(&rest) && pass_bytes(&rest, 2 * sizeof(int64_t));
    return ok && !rest.len;
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

/* Fills a message from a head that has its text; see head_unfold(). Names are numbered from 1
 * up. */
static void head_open(const struct head *head, const struct span *names, const struct place *place,
                      struct message *message, struct arena *arena)
{
    const char *at = head->text + head->file_len + 1;
    unsigned bits = head->bits;

    *message = (struct message){.id = head_id(head),
                                .file = head_file(head),
                                .from = head->from ? names[head->from] : (struct span){0},
                                .to = head->to ? names[head->to] : (struct span){0},
                                .type = head->type ? names[head->type] : (struct span){0},
                                .place = place,
                                .created_us = head->created_us,
                                .expires_us = head->expires_us,
                                .raw_at = head->raw_at,
                                .raw_len = head->raw_len,
                                .print = head->print,
                                .content = head->content,
                                .priority = head->priority,
                                .status = head->status,
                                .kind = head->kind,
                                .verdict = head->verdict,
                                .said = head->said,
                                .answered = head->answered,
                                .requires_response = bits & BIT_REQUIRES_RESPONSE,
                                .unread_bytes = bits & BIT_UNREAD_BYTES,
                                .seen = bits & BIT_SEEN,
                                .read_here = bits & BIT_READ_HERE,
                                .mine = bits & BIT_MINE,
                                .by_us = bits & BIT_BY_US,
                                .whole_folder = bits & BIT_WHOLE_FOLDER,
                                .refused = bits & BIT_REFUSED,
                                .read_unsaid = head->read_unsaid,
                                .wants_none = head->wants_none,
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
        message->data->completed_us = TIME_NONE;
        memcpy(&message->data->read_us, at, sizeof message->data->read_us);
    }
    at += bits & BIT_READ_AT ? sizeof message->data->read_us : 0;
    if (bits & BIT_NOTICE && arena)
        message->notice = take_notice(&at, arena);
    if (bits & BIT_WORK && arena)
        message->work = take_work(at, arena);
}

/* Heads as bytes: the head as it is in memory, the length of its text, the text. */

void head_write(struct str *out, const struct message *message, const struct head_names *names)
{
    struct head head = head_of(message);
    uint32_t len = (uint32_t)head_text_size(message);

    head.from = names->from;
    head.to = names->to;
    head.type = names->type;
    str_add(out, (const char *)&head, sizeof head);
    str_add(out, (const char *)&len, sizeof len);
    head_put_text(str_room(out, len), message);
    out->len += len;
    out->at[out->len] = '\0';
}

struct span head_skip(struct span *bytes)
{
    const size_t fixed = sizeof(struct head) + sizeof(uint32_t);
    struct span skipped = {bytes->at, 0};
    uint32_t len;

    if (bytes->len < fixed)
        return (struct span){0};
    memcpy(&len, bytes->at + sizeof(struct head), sizeof len);
    if (bytes->len - fixed < len)
        return (struct span){0};
    skipped.len = fixed + len;
    *bytes = (struct span){bytes->at + skipped.len, bytes->len - skipped.len};
    return skipped;
}

static bool makes_sense(const struct head *head, size_t name_count)
{
    return head->from <= name_count && head->to <= name_count && head->type <= name_count &&
           head->priority <= PRIORITY_URGENT && head->status <= STATUS_NONE &&
           head->kind < KIND_COUNT && head->verdict <= VERDICT_YES && head->said <= WORK_FAILED;
}

bool head_read(struct span *bytes, const struct span *names, size_t name_count,
               const struct place *place, struct batch *batch)
{
    const size_t fixed = sizeof(struct head) + sizeof(uint32_t);
    struct span rest = *bytes, one = head_skip(&rest);
    struct head head;

    if (!one.at)
        return false;
    memcpy(&head, one.at, sizeof head);
    struct span text = {one.at + fixed, one.len - fixed};
    if (!makes_sense(&head, name_count) || !head_text_fits(&head, text))
        return false;
    head.text = memcpy(arena_bytes(&batch->arena, text.len), text.at, text.len);
    struct message *message = batch_add(batch);
    head_open(&head, names, place, message, &batch->arena);
    message->from = batch_name(batch, message->from);
    message->to = batch_name(batch, message->to);
    message->type = batch_name(batch, message->type);
    *bytes = rest;
    return true;
}

enum { CHUNK = 512 };

uint64_t head_held(const struct head_pool *pool)
{
    return pool->held_before + pool->held_count;
}

void head_release(struct head_pool *pool, uint64_t until)
{
    size_t count = until > pool->held_before ? (size_t)(until - pool->held_before) : 0;

    for (size_t i = 0; i < count; i++)
        free(pool->held[i]);
    pool->held_before += count;
    pool->held_count -= count;
    if (pool->held_count) {
        memmove(pool->held, pool->held + count, pool->held_count * sizeof *pool->held);
        return;
    }
    free(pool->held);
    pool->held = NULL;
    pool->held_cap = 0;
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
    head_release(pool, head_held(pool));
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

void head_expect(const struct head_pool *pool, uint32_t slot)
{
    enum { LINE = 64 };
    uintptr_t text = (uintptr_t)head_at(pool, slot)->text; /* NULL for a free slot, which is fine */

    __builtin_prefetch((const void *)text);
    __builtin_prefetch((const void *)(text + LINE)); /* may be shorter: nothing is read */
}

static void add_key(struct str *key, struct span text)
{
    str_addf(key, "%zu:", text.at ? text.len + 1 : 0);
    str_add_span(key, text);
}

uint32_t head_place(struct head_pool *pool, const struct place *place)
{
    struct str key = {0};
    bool fresh;

    if (pool->place_count && place_is_same(pool->places[pool->last_place], place))
        return pool->last_place;
    str_addf(&key, "%u%d%d ", place->source, place->archived, place->local);
    add_key(&key, place->team);
    add_key(&key, place->box);
    add_key(&key, place->dir);
    uint32_t *number = map_put_copy(&pool->place_numbers, &pool->arena, str_span(&key), &fresh);
    if (fresh) {
        const struct place *kept = place_keep(place, NULL, &pool->arena);
        *number = (uint32_t)pool->place_count;
        pool->places =
            mem_grow(pool->places, &pool->place_cap, pool->place_count + 1, sizeof *pool->places);
        pool->places[pool->place_count++] = kept;
    }
    str_free(&key);
    return pool->last_place = *number;
}

static uint32_t lookup(struct head_pool *pool, struct span name)
{
    bool fresh;
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

static uint32_t name_number(struct head_pool *pool, struct span name)
{
    enum { RECENT = sizeof pool->recent / sizeof *pool->recent };
    uint32_t *recent = &pool->recent[((uintptr_t)name.at >> 3) % RECENT];

    if (!name.at)
        return 0;
    if (!*recent || !span_eq(pool->names[*recent], name))
        *recent = lookup(pool, name);
    return *recent;
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

void head_fold(struct head_pool *pool, uint32_t slot, const struct message *message)
{
    struct head *head = head_at(pool, slot);
    struct head folded = head_of(message);

    folded.text = mem_alloc(head_text_size(message));
    head_put_text(folded.text, message);
    folded.place = head_place(pool, message->place);
    folded.from = name_number(pool, message->from);
    folded.to = name_number(pool, message->to);
    folded.type = name_number(pool, message->type);
    folded.next_in_file = head->next_in_file;
    folded.next_same = head->next_same;
    folded.met = head->met;
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

void head_unfold(const struct head_pool *pool, uint32_t slot, struct message *message,
                 struct arena *arena)
{
    const struct head *head = head_at(pool, slot);

    head_open(head, pool->names, pool->places[head->place], message, arena);
}
