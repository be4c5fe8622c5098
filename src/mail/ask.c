/* Asks: requests, joined with their answers through what the answers say they answer. */
#include "mail/ask.h"

#include "base/mem.h"
#include "mail/protocol.h"
#include "mail/replies.h"

#include <stdlib.h>

/* The earliest message of somebody else that answers the request by that id. */
static uint32_t find_answer(struct replies *replies, const struct model *model, uint32_t request,
                            struct span id)
{
    const struct message *asking = model->messages[request];
    const struct replied what = {.source = asking->place->source,
                                 .short_replies = asking->place->short_replies,
                                 .team = asking->place->team,
                                 .from = asking->from,
                                 .id = id};

    return replies_find(replies, model, &what);
}

bool message_asks(const struct message *message)
{
    if (message->damaged)
        return false;
    /* some want an answer though no field of theirs says so */
    return message->requires_response || message->kind == KIND_ESCALATION ||
           (message->kind == KIND_HANDOFF && !message->reply_to.len);
}

/* Whether the one who was asked has dealt with it without a word. */
static bool is_settled(const struct message *message)
{
    enum status done = STATUS_FAILED;

    if (message->kind == KIND_HANDOFF) /* taken on; where that cannot be said, looked at */
        done = message->requires_response ? STATUS_PROCESSING : STATUS_READ;
    return message->place->archived || (message->status >= done && message->status != STATUS_NONE);
}

static void add_ask(struct asks *asks, const struct model *model, struct replies *replies,
                    uint32_t index, int64_t now_us)
{
    const struct message *message = model->messages[index];
    struct ask ask = {.message = index, .superseded_by = ASK_NONE, .supersedes = ASK_NONE};

    ask.answer = find_answer(replies, model, index, message->id);
    if (ask.answer == ASK_NONE && protocol_kind_find(message->type) != PROTOCOL_UNKNOWN)
        ask.answer = find_answer(replies, model, index, message->thread);
    ask.open = ask.answer == ASK_NONE && !is_settled(message) && !message_expired(message, now_us);
    asks->items = mem_grow(asks->items, &asks->cap, asks->count + 1, sizeof *asks->items);
    asks->of[index] = (uint32_t)asks->count;
    asks->items[asks->count++] = ask;
}

static const struct message *message_of(const struct asks *asks, const struct model *model,
                                        uint32_t ask)
{
    return model->messages[asks->items[ask].message];
}

struct plan_order {
    const struct asks *asks;
    const struct model *model;
};

static int same_talk(const struct message *a, const struct message *b)
{
    int order = a->place->source < b->place->source ? -1 : a->place->source > b->place->source;

    order = order ? order : span_cmp(a->place->team, b->place->team);
    order = order ? order : span_cmp(a->from, b->from);
    return order ? order : span_cmp(a->to, b->to);
}

static int by_planner(const void *a, const void *b, void *context)
{
    const struct plan_order *order = context;
    const struct message *x = message_of(order->asks, order->model, *(const uint32_t *)a);
    const struct message *y = message_of(order->asks, order->model, *(const uint32_t *)b);
    int difference = same_talk(x, y);

    return difference ? difference : message_cmp_time(x, y);
}

/* A plan of the same agent to the same one takes the place of one that was not approved. */
static void link_plans(struct asks *asks, const struct model *model)
{
    uint32_t *plans = mem_alloc((asks->count + 1) * sizeof *plans);
    struct plan_order order = {asks, model};
    size_t count = 0;

    for (uint32_t i = 0; i < asks->count; i++)
        if (message_of(asks, model, i)->kind == KIND_PLAN)
            plans[count++] = i;
    qsort_r(plans, count, sizeof *plans, by_planner, &order);
    for (size_t i = 1; i < count; i++) {
        struct ask *earlier = &asks->items[plans[i - 1]], *later = &asks->items[plans[i]];
        if (same_talk(model->messages[earlier->message], model->messages[later->message]) != 0 ||
            (earlier->answer != ASK_NONE &&
             model->messages[earlier->answer]->verdict == VERDICT_YES))
            continue;
        earlier->superseded_by = plans[i];
        earlier->open = false;
        later->supersedes = plans[i - 1];
    }
    free(plans);
}

void asks_build(struct asks *asks, const struct model *model, int64_t now_us)
{
    struct replies replies;

    *asks = (struct asks){.of = mem_alloc((model->count + 1) * sizeof *asks->of),
                          .answers = mem_alloc((model->count + 1) * sizeof *asks->answers)};
    replies_build(&replies, model);
    for (uint32_t i = 0; i < model->count; i++) {
        asks->of[i] = asks->answers[i] = ASK_NONE;
        if (message_asks(model->messages[i]))
            add_ask(asks, model, &replies, i, now_us);
    }
    link_plans(asks, model);
    for (uint32_t i = 0; i < asks->count; i++)
        if (asks->items[i].answer != ASK_NONE)
            asks->answers[asks->items[i].answer] = i;
    replies_free(&replies);
}

void asks_free(struct asks *asks)
{
    free(asks->items);
    free(asks->of);
    free(asks->answers);
    *asks = (struct asks){0};
}
