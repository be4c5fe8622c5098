/* What is made of one part of the mail by itself. */
#include "store/sight_part.h"

#include "base/mem.h"

#include <stdlib.h>

uint32_t sight_key_hash(struct span dir, struct span rest, uint64_t seed)
{
    return map_hash(rest, map_hash(dir, seed));
}

static void index_messages(struct sight_part *part, uint64_t seed)
{
    const struct place *last = NULL;
    struct str dir = {0}, rest = {0};

    hash_index_reserve(&part->keys, part->model.count);
    for (uint32_t i = 0; i < part->model.count; i++) {
        const struct message *message = part->model.messages[i];
        if (message->place != last) {
            str_clear(&dir);
            message_add_path(&dir, message, true);
            dir.len -= message->file.len;
            last = message->place;
        }
        str_clear(&rest);
        message_add_part(&rest, message);
        message_add_copy(&rest, message);
        hash_index_add(&part->keys, sight_key_hash(str_span(&dir), str_span(&rest), seed), i);
    }
    str_free(&dir);
    str_free(&rest);
}

static void name_talks(struct sight_part *part)
{
    const struct talks *talks = &part->talks;
    struct str key = {0};

    part->talk_keys = mem_alloc((talks->count + 1) * sizeof *part->talk_keys);
    part->seats = mem_alloc((talks->count + 1) * sizeof *part->seats);
    for (size_t i = 0; i < talks->count; i++) {
        str_clear(&key);
        talk_add_key(&key, talks, &talks->items[i]);
        part->talk_keys[i] = arena_copy(&part->arena, str_span(&key));
        part->seats[i] = attention_seat(talks, &talks->items[i], part->talk_keys[i]);
    }
    str_free(&key);
}

/* Whatever else depends on the clock does so by what expires. */
static void find_next_change(struct sight_part *part)
{
    part->next_us = part->tally.next_us;
    for (size_t i = 0; i < part->model.count; i++)
        if (part->model.messages[i]->expires_us > part->made_us)
            when_take_sooner(&part->next_us, part->model.messages[i]->expires_us);
}

struct sight_part *sight_part_new(struct parts *parts, const struct live *live, size_t number,
                                  int64_t now_us, uint64_t seed)
{
    struct sight_part *part = mem_zero(1, sizeof *part);

    part->holders = 1;
    part->made_us = now_us;
    parts_view(parts, live, number, &part->model);
    asks_build(&part->asks, &part->model, now_us);
    threads_build(&part->threads, &part->model, &part->asks);
    struct talk_input input = {
        .model = &part->model, .threads = &part->threads, .asks = &part->asks, .now_us = now_us};
    talks_build(&part->talks, &input);
    agent_tally_fill(&part->tally, &part->model, now_us);
    id_order_fill(&part->ids, &part->model);
    name_talks(part);
    index_messages(part, seed);
    part->counts = sight_count_talks(&part->talks);
    find_next_change(part);
    return part;
}

void sight_part_hear(struct sight_part *part, struct agents_world *world, int64_t now_us)
{
    if (part->naming == world->naming)
        return;
    hearing_free(&part->handoffs);
    agents_world_hear(world, &part->model, &part->threads, now_us, &part->handoffs);
    part->naming = world->naming;
    when_take_sooner(&part->next_us, part->handoffs.next_us);
}

void sight_part_let_go(struct sight_part *part)
{
    if (!part || --part->holders)
        return;
    hash_index_free(&part->keys);
    free(part->talk_keys);
    free(part->seats);
    hearing_free(&part->handoffs);
    id_order_free(&part->ids);
    agent_tally_free(&part->tally);
    talks_free(&part->talks);
    threads_free(&part->threads);
    asks_free(&part->asks);
    model_free(&part->model);
    arena_free(&part->arena);
    free(part);
}
