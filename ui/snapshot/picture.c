/* The picture that the screens show: building it, and finding messages in it. */
#include "ui/snapshot/picture_join.h"

#include <stdlib.h>

/* --- building --- */

void picture_add_key(struct str *key, const struct message *message)
{
    message_add_name(key, message, true);
    message_add_copy(key, message);
}

void picture_build(struct picture *picture, const struct sight_parts *parts,
                   struct agents_world *world, int64_t now_us)
{
    picture->world = world;
    picture->seed = parts->seed;
    picture_join(picture, parts, world, now_us);
    picture->known = picture->model.count + picture->model.double_count;
    who_index_build(&picture->who, &picture->sight.agents);
}

void picture_free(struct picture *picture)
{
    live_changes_free(&picture->changes);
    for (size_t i = 0; i < picture->news_count; i++)
        news_free(&picture->news[i]);
    free(picture->news);
    free(picture->talk_keys);
    free(picture->seats);
    attention_free(&picture->order);
    who_index_free(&picture->who);
    sight_free(&picture->sight);
    model_free(&picture->model);
    for (size_t i = 0; i < picture->part_count; i++)
        sight_part_let_go(picture->parts[i]);
    free(picture->parts);
    free(picture->firsts);
    free(picture);
}

/* --- finding --- */

struct wanted {
    const struct model *model; /* of the part */
    struct span key;
    struct str scratch;
    uint32_t first; /* that was found */
};

/* Goes on to the end: the first of the model counts when several are the same. */
static bool take_key(const void *context, uint32_t number)
{
    struct wanted *wanted = (struct wanted *)(uintptr_t)context;

    str_clear(&wanted->scratch);
    picture_add_key(&wanted->scratch, wanted->model->messages[number]);
    if (number < wanted->first && span_eq(str_span(&wanted->scratch), wanted->key))
        wanted->first = number;
    return false;
}

/* In whichever part it is. */
static uint32_t find_hashed(const struct picture *picture, struct wanted *wanted, uint32_t hash)
{
    for (size_t i = 0; i < picture->part_count; i++) {
        wanted->model = &picture->parts[i]->model;
        hash_index_find(&picture->parts[i]->keys, hash, take_key, wanted);
        if (wanted->first != UINT32_MAX)
            return picture->firsts[i] + wanted->first;
    }
    return UINT32_MAX;
}

uint32_t picture_number(const struct picture *picture, struct span key)
{
    struct wanted wanted = {.key = key, .first = UINT32_MAX};
    uint32_t found = UINT32_MAX;

    /* nearly always the last slash is the right one; but an id may hold others */
    for (size_t at = key.len; at-- > 0 && found == UINT32_MAX;) {
        struct span dir = {key.at, at + 1}, rest = {key.at + at + 1, key.len - at - 1};
        if (key.at[at] == '/')
            found = find_hashed(picture, &wanted, sight_key_hash(dir, rest, picture->seed));
    }
    str_free(&wanted.scratch);
    return found;
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
                                      struct span team, struct span box, struct span id,
                                      uint32_t content)
{
    for (size_t i = 0; i < picture->model.count; i++) {
        const struct message *message = picture->model.messages[i];
        if (span_eq(message->id, id) && (!content || message->content == content) &&
            message->place->source == source && span_eq(message->place->box, box) &&
            span_eq(message->place->team, team))
            return message;
    }
    return NULL;
}
