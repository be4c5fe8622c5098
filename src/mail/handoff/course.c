/* Courses of handoffs: what was heard of them in all shares of the mail, joined and judged. */
#include "mail/handoff/course_private.h"

#include "base/mem.h"

#include <stdlib.h>

/* Adds the courses of all offers, the oldest first. */
static void add_all(struct building *b, const struct courses_share *shares, size_t count)
{
    size_t found = 0, room = 0;

    for (size_t i = 0; i < count; i++)
        room += shares[i].hearing->count;
    uint32_t *order = mem_alloc((room + 1) * sizeof *order);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < shares[i].hearing->count; k++)
            order[found++] = shares[i].first + shares[i].hearing->items[k].message;
    model_sort_numbers(b->in->model, order, found);
    for (size_t i = 0; i < found; i++)
        courses_add(b, order[i]);
    free(order);
}

/* A number of a share's own model becomes one of all. */
static uint32_t shared(const struct courses_share *share, uint32_t message)
{
    return message == COURSE_NONE ? COURSE_NONE : share->first + message;
}

static void take_heard(struct building *b, const struct courses_share *share)
{
    for (size_t i = 0; i < share->hearing->count; i++) {
        const struct offer *offer = &share->hearing->items[i];
        uint32_t number = b->out->of[share->first + offer->message];
        if (number == COURSE_NONE)
            continue;
        struct heard *heard = &b->heard[number];
        heard->said = offer->said;
        heard->said_in = shared(share, offer->said_in);
        heard->answered = shared(share, offer->answered);
        heard->wrote = shared(share, offer->wrote);
        heard->job = offer->job;
        heard->subject = offer->subject;
        b->out->items[number].heard_us = offer->heard_us;
    }
    when_take_sooner(&b->out->next_change_us, share->hearing->next_us);
}

/* The taker's own next handoff ends this one; so does the person's in its name, but nobody else's
 * who only says so. */
static void link_next(struct building *b)
{
    for (uint32_t i = 0; i < b->out->count; i++) {
        uint32_t number = b->out->items[i].previous;
        if (number == COURSE_NONE || b->heard[i].said == WORK_DECLINED)
            continue;
        uint32_t taker = b->heard[number].taker;
        bool by_us = heard_message(b, b->out->items[i].message)->by_us;
        bool passes = b->heard[i].sender == taker || (by_us && b->heard[i].giver == taker);
        if (passes && b->heard[i].taker != taker && b->out->items[number].next == COURSE_NONE)
            b->out->items[number].next = i;
    }
}

struct building courses_building(const struct courses_input *input, struct courses *out)
{
    return (struct building){.in = input, .out = out, .seed = map_seed()};
}

void courses_building_free(struct building *b)
{
    for (size_t i = 0; i < COMMON_COUNT; i++)
        for (size_t k = 0; k < 2; k++)
            hash_index_free(&b->last[i][k]);
    free(b->heard);
    map_free(&b->spelled);
    map_free(&b->agents);
    arena_free(&b->arena);
    str_free(&b->scratch);
}

void courses_join(struct courses *handoffs, const struct courses_input *input,
                  const struct courses_share *shares, size_t count)
{
    struct building b = courses_building(input, handoffs);
    size_t messages = input->model->count;

    *handoffs = (struct courses){.model = input->model,
                                 .of = mem_alloc((messages + 1) * sizeof *handoffs->of),
                                 .next_change_us = WHEN_NONE};
    memset(handoffs->of, 0xff, (messages + 1) * sizeof *handoffs->of);
    add_all(&b, shares, count);
    for (size_t i = 0; i < count; i++)
        take_heard(&b, &shares[i]);
    for (uint32_t i = 0; i < handoffs->count; i++) {
        handoffs->items[i].previous = courses_previous(&b, i);
        courses_note(&b, i);
    }
    link_next(&b);
    for (uint32_t i = 0; i < handoffs->count; i++)
        courses_judge(&b, i);
    courses_building_free(&b);
}

void courses_build(struct courses *handoffs, const struct courses_input *input)
{
    struct hearing hearing;
    struct courses_share all = {.hearing = &hearing};

    courses_hear(&hearing, input);
    courses_join(handoffs, input, &all, 1);
    hearing_free(&hearing);
}

void courses_free(struct courses *handoffs)
{
    free(handoffs->items);
    free(handoffs->of);
    *handoffs = (struct courses){0};
}

const struct course *courses_of(const struct courses *handoffs, uint32_t message)
{
    uint32_t number = handoffs->of ? handoffs->of[message] : COURSE_NONE;

    return number == COURSE_NONE ? NULL : &handoffs->items[number];
}
