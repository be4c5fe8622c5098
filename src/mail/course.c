/* Courses of handoffs: finding them, and hearing what their takers say. */
#include "mail/course_private.h"

#include "base/mem.h"

#include <stdlib.h>

static bool is_offer(const struct message *message)
{
    return message->kind == KIND_HANDOFF && !message->damaged &&
           (message_asks(message) || message->work);
}

static uint32_t *put_key(struct building *b, struct map *map, struct span key)
{
    bool fresh;

    return map_put_copy(map, &b->arena, key, &fresh);
}

static struct span agent_key_of(struct building *b, uint32_t source, struct span team,
                                struct span name)
{
    const struct span parts[] = {team, name};

    return map_key(&b->scratch, source, parts, 2);
}

/* The number of whoever a name means at that place; COURSE_NONE for everybody or nobody. */
static uint32_t agent_number(struct building *b, const struct place *place, struct span name)
{
    uint32_t source = place->source;
    struct agent_id id = {.team = place->team, .name = name};

    if (!name.len)
        return COURSE_NONE;
    const uint32_t *known = map_get(&b->spelled, agent_key_of(b, source, place->team, name));
    if (known)
        return *known - 1; /* 0, for everybody, becomes COURSE_NONE */
    bool one = !b->in->identify || b->in->identify(b->in->context, source, place->team, name, &id);
    uint32_t number = 0;
    if (one) {
        uint32_t *agent = put_key(b, &b->agents, agent_key_of(b, source, id.team, id.name));
        if (!*agent)
            *agent = ++b->agent_count;
        number = *agent;
    }
    *put_key(b, &b->spelled, agent_key_of(b, source, place->team, name)) = number;
    return number - 1;
}

/* --- finding --- */

static void add_course(struct building *b, uint32_t index)
{
    const struct message *message = heard_message(b, index);
    struct span giver =
        message->work && message->work->giver.len ? message->work->giver : message->from;
    struct span taker = message_recipient(message);
    struct heard heard = {.taker = agent_number(b, message->place, taker),
                          .giver = agent_number(b, message->place, giver),
                          .sender = agent_number(b, message->place, message->from),
                          .thread = b->in->threads->of[index],
                          .said_in = COURSE_NONE,
                          .answered = COURSE_NONE,
                          .wrote = COURSE_NONE};
    size_t count = b->out->count;

    if (heard.taker == COURSE_NONE)
        return;
    if (count == b->cap) {
        size_t cap = b->cap;
        b->heard = mem_grow(b->heard, &cap, count + 1, sizeof *b->heard);
        b->out->items = mem_grow(b->out->items, &b->cap, count + 1, sizeof *b->out->items);
    }
    b->heard[count] = heard;
    b->out->items[count] = (struct course){.message = index,
                                           .giver = giver,
                                           .taker = taker,
                                           .previous = COURSE_NONE,
                                           .next = COURSE_NONE,
                                           .evidence = COURSE_NONE,
                                           .since_us = WHEN_NONE,
                                           .heard_us = message->created_us};
    b->out->of[index] = (uint32_t)count;
    b->out->count++;
    courses_note_id(b, (uint32_t)count);
}

/* The messages of all conversations that have a handoff in them, in the order of time. */
static uint32_t *find_talk(const struct courses_input *in, size_t *count)
{
    bool *wanted = mem_zero(in->threads->count + 1, sizeof *wanted);
    uint32_t *order = NULL;
    bool any = false;

    for (size_t i = 0; i < in->model->count; i++)
        if (is_offer(in->model->messages[i]))
            any = wanted[in->threads->of[i]] = true;
    *count = 0;
    if (any)
        order = mem_alloc(in->model->count * sizeof *order);
    for (uint32_t i = 0; any && i < in->model->count; i++)
        if (wanted[in->threads->of[i]] && !in->model->messages[i]->damaged)
            order[(*count)++] = i;
    free(wanted);
    if (any)
        model_sort_numbers(in->model, order, *count);
    return order;
}

/* --- hearing --- */

/* The handoff that a message of somebody in its conversation is about. */
static uint32_t meant_by(struct building *b, uint32_t index)
{
    const struct message *message = heard_message(b, index);
    uint32_t agent = agent_number(b, message->place, message->from);

    if (agent == COURSE_NONE)
        return COURSE_NONE;
    if (courses_last(b, COMMON_ID, message->place, message->reply_to, COURSE_NONE) != COURSE_NONE)
        return courses_last(b, COMMON_ID, message->place, message->reply_to, agent);
    return courses_last(b, COMMON_THREAD, message->place,
                        courses_thread(&b->in->threads->of[index]), agent);
}

static void hear(struct building *b, uint32_t index)
{
    const struct message *message = heard_message(b, index);
    uint32_t number = message->kind == KIND_IDLE ? COURSE_NONE : meant_by(b, index);
    enum work_said said = work_said(message);

    if (number == COURSE_NONE)
        return;
    struct course *course = &b->out->items[number];
    struct heard *heard = &b->heard[number];
    if (message->created_us <= b->in->now_us && message->created_us > course->heard_us)
        course->heard_us = message->created_us;
    if (said) {
        heard->said = said;
        heard->said_in = index;
        heard->wrote = COURSE_NONE;
    } else if (heard->said && heard->wrote == COURSE_NONE) {
        heard->wrote = index;
    } else if (!heard->said && heard->answered == COURSE_NONE) {
        heard->answered = index;
    }
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

static void follow(struct building *b, const uint32_t *order, size_t count)
{
    struct courses *out = b->out;

    for (size_t i = 0; i < count; i++)
        if (is_offer(heard_message(b, order[i])))
            add_course(b, order[i]);
    for (size_t i = 0; i < count; i++) {
        uint32_t number = out->of[order[i]];
        if (number == COURSE_NONE) {
            hear(b, order[i]);
        } else {
            out->items[number].previous = courses_previous(b, number);
            courses_note(b, number);
        }
    }
    link_next(b);
    for (uint32_t i = 0; i < out->count; i++)
        courses_judge(b, i);
}

void courses_build(struct courses *handoffs, const struct courses_input *input)
{
    struct building b = {.in = input, .out = handoffs};
    size_t count;
    uint32_t *order = find_talk(input, &count);

    *handoffs = (struct courses){.model = input->model, .next_change_us = WHEN_NONE};
    if (count) {
        handoffs->of = mem_alloc(input->model->count * sizeof *handoffs->of);
        memset(handoffs->of, 0xff, input->model->count * sizeof *handoffs->of);
        follow(&b, order, count);
    }
    free(order);
    free(b.heard);
    map_free(&b.spelled);
    map_free(&b.agents);
    map_free(&b.last);
    arena_free(&b.arena);
    str_free(&b.scratch);
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
