/* Courses of handoffs: finding them, and hearing what their takers say. */
#include "mail/handoff/course_private.h"

#include "base/mem.h"

#include <stdlib.h>

static bool is_offer(const struct message *message)
{
    return message->kind == KIND_HANDOFF && !message->damaged &&
           (message_asks(message) || message->work);
}

/* --- finding --- */

bool courses_add(struct building *b, uint32_t index)
{
    const struct message *message = heard_message(b, index);
    struct span giver =
        message->work && message->work->giver.len ? message->work->giver : message->from;
    struct span taker = message_recipient(message);
    struct heard heard = {.taker = courses_agent(b, message->place, taker),
                          .giver = courses_agent(b, message->place, giver),
                          .sender = courses_agent(b, message->place, message->from),
                          .thread = b->in->threads->of[index],
                          .said_in = COURSE_NONE,
                          .answered = COURSE_NONE,
                          .wrote = COURSE_NONE};
    size_t count = b->out->count;

    if (heard.taker == COURSE_NONE)
        return false;
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
    return true;
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
    uint32_t agent = courses_agent(b, message->place, message->from);
    uint32_t number;

    if (agent == COURSE_NONE)
        return COURSE_NONE;
    const struct message *meant =
        same_ids_meant(&b->in->model->same, message, message->reply_to, &number);
    if (meant && number < b->in->model->count && heard_message(b, number) == meant) {
        uint32_t course = b->out->of[number];
        return course != COURSE_NONE && b->heard[course].taker == agent ? course : COURSE_NONE;
    }
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
    if (message->created_us > b->in->now_us)
        when_take_sooner(&b->out->next_change_us, message->created_us);
    else if (message->created_us > course->heard_us)
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

static void follow(struct building *b, const uint32_t *order, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (is_offer(heard_message(b, order[i])))
            courses_add(b, order[i]);
    for (size_t i = 0; i < count; i++) {
        uint32_t number = b->out->of[order[i]];
        if (number == COURSE_NONE)
            hear(b, order[i]);
        else
            courses_note_thread(b, number);
    }
}

static void keep(struct hearing *hearing, const struct building *b)
{
    hearing->items = mem_alloc((b->out->count + 1) * sizeof *hearing->items);
    for (size_t i = 0; i < b->out->count; i++) {
        const struct heard *heard = &b->heard[i];
        const struct message *message = heard_message(b, b->out->items[i].message);
        hearing->items[hearing->count++] = (struct offer){.message = b->out->items[i].message,
                                                          .said_in = heard->said_in,
                                                          .answered = heard->answered,
                                                          .wrote = heard->wrote,
                                                          .said = (uint8_t)heard->said,
                                                          .heard_us = b->out->items[i].heard_us,
                                                          .job = courses_job(message),
                                                          .subject = courses_subject(message)};
    }
    hearing->next_us = b->out->next_change_us;
}

void courses_hear(struct hearing *hearing, const struct courses_input *input)
{
    struct courses found = {.model = input->model, .next_change_us = WHEN_NONE};
    struct building b = courses_building(input, &found);
    size_t count;
    uint32_t *order = find_talk(input, &count);

    *hearing = (struct hearing){.next_us = WHEN_NONE};
    if (count) {
        found.of = mem_alloc(input->model->count * sizeof *found.of);
        memset(found.of, 0xff, input->model->count * sizeof *found.of);
        follow(&b, order, count);
        keep(hearing, &b);
    }
    free(order);
    courses_building_free(&b);
    courses_free(&found);
}

void hearing_free(struct hearing *hearing)
{
    free(hearing->items);
    *hearing = (struct hearing){0};
}
