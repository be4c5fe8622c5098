/* The picture that the screens show: building it, and finding messages in it. */
#include "ui/picture.h"

#include "base/beside.h"
#include "base/mem.h"

#include <stdlib.h>

/* --- building --- */

void picture_add_key(struct str *key, const struct message *message)
{
    message_add_name(key, message, true);
}

/* A key is the directory with its slash, which many share, and the rest. */
static uint32_t hash_key(const struct picture *picture, struct span dir, struct span rest)
{
    return map_hash(rest, map_hash(dir, picture->seed));
}

static void *index_messages(void *context)
{
    struct picture *picture = context;
    const struct place *last = NULL;
    struct str key = {0};
    uint32_t dir = 0;

    picture->seed = map_seed();
    hash_index_reserve(&picture->keys, picture->model.count);
    for (uint32_t i = 0; i < picture->model.count; i++) {
        const struct message *message = picture->model.messages[i];
        struct span rest = message->file;
        if (message->place != last) {
            str_clear(&key);
            message_add_path(&key, message, true);
            dir = map_hash((struct span){key.at, key.len - message->file.len}, picture->seed);
            last = message->place;
        }
        if (message->raw_len) {
            str_clear(&key);
            message_add_part(&key, message);
            rest = str_span(&key);
        }
        hash_index_add(&picture->keys, map_hash(rest, dir), i);
    }
    str_free(&key);
    return NULL;
}

static void name_talks(struct picture *picture)
{
    const struct talks *talks = &picture->sight.talks;
    struct str key = {0};

    picture->talk_keys = mem_alloc((talks->count + 1) * sizeof *picture->talk_keys);
    for (size_t i = 0; i < talks->count; i++) {
        const struct talk *talk = &talks->items[i];
        str_clear(&key);
        talk_add_key(&key, talks, talk);
        picture->talk_keys[i] = arena_copy(&picture->arena, str_span(&key));
    }
    str_free(&key);
}

void picture_build(struct picture *picture, const struct live *live, struct agents_world *world,
                   int64_t now_us)
{
    struct sight_making making = {.sight = &picture->sight, .world = world, .now_us = now_us};
    struct scope everybody = {0};
    struct beside beside;

    picture->world = world;
    picture->known = live_count(live);
    live_view(live, &picture->model);
    beside_do(&beside, picture->model.count, index_messages, picture);
    sight_begin(&making, &picture->model, false);
    who_index_build(&picture->who, &picture->sight.agents);
    attention_build(&picture->order, &picture->sight.talks, &everybody);
    name_talks(picture);
    picture->seats = attention_seats(&picture->sight.talks, picture->talk_keys);
    picture->counts = sight_count(&picture->sight);
    sight_end(&making);
    beside_wait(&beside);
}

void picture_free(struct picture *picture)
{
    hash_index_free(&picture->keys);
    live_changes_free(&picture->changes);
    for (size_t i = 0; i < picture->news_count; i++)
        news_free(&picture->news[i]);
    free(picture->news);
    free(picture->talk_keys);
    free(picture->seats);
    arena_free(&picture->arena);
    attention_free(&picture->order);
    who_index_free(&picture->who);
    sight_free(&picture->sight);
    model_free(&picture->model);
    free(picture);
}

/* --- finding --- */

struct wanted {
    const struct picture *picture;
    struct span key;
    struct str scratch;
    uint32_t first; /* that was found */
};

/* Goes on to the end: the first of the model counts when several are the same. */
static bool take_key(const void *context, uint32_t number)
{
    struct wanted *wanted = (struct wanted *)(uintptr_t)context;

    str_clear(&wanted->scratch);
    picture_add_key(&wanted->scratch, wanted->picture->model.messages[number]);
    if (number < wanted->first && span_eq(str_span(&wanted->scratch), wanted->key))
        wanted->first = number;
    return false;
}

uint32_t picture_number(const struct picture *picture, struct span key)
{
    struct wanted wanted = {.picture = picture, .key = key, .first = UINT32_MAX};

    /* nearly always the last slash is the right one; but an id may hold others */
    for (size_t at = key.len; at-- > 0 && wanted.first == UINT32_MAX;) {
        struct span dir = {key.at, at + 1}, rest = {key.at + at + 1, key.len - at - 1};
        if (key.at[at] == '/')
            hash_index_find(&picture->keys, hash_key(picture, dir, rest), take_key, &wanted);
    }
    str_free(&wanted.scratch);
    return wanted.first;
}

const struct message *picture_find(const struct picture *picture, struct span key)
{
    uint32_t number = picture_number(picture, key);

    return number == UINT32_MAX ? NULL : picture->model.messages[number];
}

const struct talk *picture_talk(const struct picture *picture, struct span key)
{
    uint32_t number = picture_number(picture, key);

    if (number == UINT32_MAX || picture->sight.talks.of[number] == TALK_NONE)
        return NULL;
    return &picture->sight.talks.items[picture->sight.talks.of[number]];
}

const struct message *picture_find_id(const struct picture *picture, uint32_t source,
                                      struct span team, struct span box, struct span id)
{
    for (size_t i = 0; i < picture->model.count; i++) {
        const struct message *message = picture->model.messages[i];
        if (span_eq(message->id, id) && message->place->source == source &&
            span_eq(message->place->box, box) && span_eq(message->place->team, team))
            return message;
    }
    return NULL;
}
