/* Kin: the keys of a message. */
#include "mail/live/kin.h"

#include "base/map.h"
#include "mail/message/kind.h"
#include "mail/thread/thread.h"

/* What a key is made of: keys of two kinds have nothing to do with each other. */
enum key_kind { KEY_ID, KEY_SUBJECT, KEY_PLAN, KEY_STOP, KEY_IDLE };

static uint64_t seed_of(const struct message *message, enum key_kind kind, uint64_t seed)
{
    return seed + (message->place->source * 8 + kind) * UINT64_C(0x9e3779b97f4a7c15);
}

static uint32_t pair_key(struct span a, struct span b, uint64_t seed)
{
    return map_hash(a, map_hash(b, seed) + seed);
}

/* The same whoever of the two writes. */
static uint32_t either_key(struct span a, struct span b, uint64_t seed)
{
    return span_cmp(a, b) > 0 ? pair_key(b, a, seed) : pair_key(a, b, seed);
}

/* As names of boxes: orders to stop and their answers are joined by these. */
static uint32_t spelled_key(const struct message *message, uint64_t seed)
{
    struct str from = {0}, to = {0};

    message_add_spelled(&from, message->from);
    message_add_spelled(&to, message_recipient(message));
    uint32_t key = either_key(str_span(&from), str_span(&to), seed);
    str_free(&from);
    str_free(&to);
    return key;
}

/* The ids that a message speaks of: its own, of its thread, of what it answers. */
static size_t add_ids(const struct message *message, uint64_t seed, uint32_t *keys)
{
    bool is_short = message->place->short_replies;
    uint64_t of_ids = seed_of(message, KEY_ID, seed);
    size_t count = 0;

    keys[count++] = map_hash(message_spoken_id(message->id, is_short), of_ids);
    if (message->thread.len)
        keys[count++] = map_hash(message->thread, of_ids);
    if (message->thread.len && is_short) /* where it is what an answer names */
        keys[count++] = map_hash(message_spoken_id(message->thread, true), of_ids);
    if (message->reply_to.len)
        keys[count++] = map_hash(message_spoken_id(message->reply_to, is_short), of_ids);
    return count;
}

size_t kin_keys(const struct message *message, uint64_t seed, uint32_t keys[KIN_MOST])
{
    size_t count = add_ids(message, seed, keys);
    bool ignored;

    if (message->damaged)
        return count;
    if (message->place->by_subject) {
        struct span subject = thread_subject(message->subject, &ignored);
        uint64_t of_subject = map_hash(subject, seed_of(message, KEY_SUBJECT, seed));
        keys[count++] = either_key(message->from, message->to, of_subject);
    }
    if (message->kind == KIND_PLAN)
        keys[count++] = pair_key(message->from, message->to, seed_of(message, KEY_PLAN, seed));
    if (message->kind == KIND_SHUTDOWN)
        keys[count++] = spelled_key(message, seed_of(message, KEY_STOP, seed));
    if (message->kind == KIND_IDLE)
        keys[count++] = pair_key(message->from, message->to, seed_of(message, KEY_IDLE, seed));
    return count;
}
