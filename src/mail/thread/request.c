/* Requests, joined with their answers. */
#include "mail/thread/request.h"

#include "base/map.h"
#include "base/mem.h"
#include "mail/message/kind.h"
#include "mail/protocol/protocol.h"
#include "mail/thread/reply_index.h"
#include "mail/thread/thread.h"

#include <stdlib.h>

/* The text of a request: from the fields of the protocol if there is one. */

/* Starts of the subjects that programs write for requests of a kind. */
static const char *const titles[KIND_COUNT] = {
    [KIND_PERMISSION] = "Permission",  [KIND_HOST] = "Host",
    [KIND_PLAN] = "Plan for approval", [KIND_SHUTDOWN] = "Shutdown requested",
    [KIND_ESCALATION] = "Escalation",  [KIND_HANDOFF] = "Handoff",
};

struct span request_subject(const struct message *message)
{
    const char *title = titles[message->kind];
    struct span text = span_first_line(span_trim(message->subject));

    if (!title || !span_starts(text, span_of(title)))
        return text;
    struct span rest = {text.at + strlen(title), text.len - strlen(title)};
    if (rest.len && rest.at[0] != ':')
        return text;
    return rest.len ? span_trim((struct span){rest.at + 1, rest.len - 1}) : rest;
}

/* The subjects of the other kinds are written by agents and people. */
static bool is_made_by_program(enum kind kind)
{
    return kind == KIND_PERMISSION || kind == KIND_HOST || kind == KIND_PLAN ||
           kind == KIND_SHUTDOWN;
}

static void add_refusal(struct str *out, struct span reason)
{
    str_puts(out, reason.len ? "will not stop: " : "will not stop");
    str_add_span(out, reason);
}

void request_add_text(struct str *out, const struct message *message)
{
    const struct message_data *data = message->data;
    CLEANUP(arena_free) struct arena arena = {0};
    struct protocol p = {0};
    size_t before = out->len;

    if (data && data->protocol.len)
        protocol_parse(&p, data->protocol, &arena);
    if (p.kind == PROTOCOL_PERMISSION_REQUEST || p.kind == PROTOCOL_SANDBOX_PERMISSION_REQUEST)
        protocol_add_use(out, &p);
    else if (p.kind == PROTOCOL_PLAN_APPROVAL_REQUEST)
        str_add_span(out, span_trim(p.plan));
    else if (p.kind == PROTOCOL_SHUTDOWN_REQUEST)
        str_add_span(out, span_trim(p.reason));
    else if (p.kind == PROTOCOL_SHUTDOWN_REJECTED)
        add_refusal(out, span_trim(p.reason));
    if (out->len == before && is_made_by_program(message->kind))
        str_add_span(out, request_subject(message)); /* the same text, if there is only a head */
    if (out->len == before)
        str_add_span(out, message->subject);
    if (out->len == before && data)
        str_add_span(out, span_trim(data->body));
}

void request_add_title(struct str *out, const struct message *message)
{
    CLEANUP(str_free) struct str whole = {0};

    request_add_text(&whole, message);
    struct span text = span_trim(str_span(&whole));
    struct span line = span_first_line(text);
    bool more = line.len < text.len;
    while (message->kind == KIND_PLAN && line.len && line.at[0] == '#') {
        line.at++;
        line.len--;
    }
    str_add_span(out, span_trim(line));
    str_puts(out, more && message->kind != KIND_PLAN ? " ..." : "");
}

/* Returns the earliest message of another author that answers the request by that id. */
static uint32_t find_answer(struct replies *replies, const struct model *model, uint32_t request,
                            struct span id, bool decided)
{
    const struct message *asking = model->messages[request];
    const struct replied what = {.source = asking->place->source,
                                 .short_replies = asking->place->short_replies,
                                 .team = asking->place->team,
                                 .from = asking->from,
                                 .id = id,
                                 .asking = decided ? NULL : asking,
                                 .decided = decided,
                                 .stops =
                                     protocol_kind_find(asking->type) == PROTOCOL_SHUTDOWN_REQUEST
                                         ? message_recipient(asking)
                                         : (struct span){0}};

    return replies_find(replies, model, &what);
}

bool message_turns_down(const struct message *message)
{
    return message->kind == KIND_SHUTDOWN && message->verdict == VERDICT_NO;
}

/* True for a refusal that was sent to the person; refusals between agents do not count. */
static bool is_refusal(const struct message *message)
{
    return message_turns_down(message) && message_for_us(message);
}

static bool is_order_to_stop(const struct message *message)
{
    return message->kind == KIND_SHUTDOWN && message->verdict == VERDICT_UNSAID &&
           !message->reply_to.len;
}

/* A plan needs approval unless a field says that it wants no answer. A message that answers a plan
 * does not. */
static bool is_plan_to_approve(const struct message *message)
{
    enum protocol_kind kind = protocol_kind_find(message->type);
    bool answer;

    thread_subject(message->subject, &answer);
    return message->kind == KIND_PLAN && message->verdict == VERDICT_UNSAID && !answer &&
           !message->wants_none && !message->reply_to.len &&
           (kind == PROTOCOL_UNKNOWN || kind == PROTOCOL_PLAN_APPROVAL_REQUEST);
}

bool message_asks(const struct message *message)
{
    if (message->damaged)
        return false;
    /* some kinds want an answer even if no field says so */
    return message->requires_response || message->kind == KIND_ESCALATION ||
           (message->kind == KIND_HANDOFF && !message->reply_to.len) || is_order_to_stop(message) ||
           is_refusal(message) || is_plan_to_approve(message);
}

/* True if the recipient has dealt with the message without answering it. */
static bool is_settled(const struct message *message)
{
    enum status done = STATUS_FAILED;

    if (message->kind == KIND_HANDOFF) /* accepted; if no response is required, reading is enough */
        done = message->requires_response ? STATUS_PROCESSING : STATUS_READ;
    if (is_refusal(message))
        done = STATUS_READ;
    return message->place->archived || (message->status >= done && message->status != STATUS_NONE);
}

static void add_request(struct requests *asks, const struct model *model, struct replies *replies,
                        uint32_t index, int64_t now_us)
{
    const struct message *message = model->messages[index];
    struct request ask = {.message = index,
                          .superseded_by = REQUEST_NONE,
                          .supersedes = REQUEST_NONE,
                          .refusal = is_refusal(message)};

    /* a program waits only for a verdict that names its request id */
    bool native = !ask.refusal && protocol_kind_find(message->type) != PROTOCOL_UNKNOWN;
    ask.answer = native ? find_answer(replies, model, index, message->thread, true)
                        : find_answer(replies, model, index, message->id, false);
    ask.open = ask.answer == REQUEST_NONE && message->answered == VERDICT_UNSAID &&
               !is_settled(message) && !message_expired(message, now_us);
    asks->of[index] = (uint32_t)asks->count;
    *mem_push(asks->items, asks->count, asks->cap) = ask;
}

static const struct message *message_of(const struct requests *asks, const struct model *model,
                                        uint32_t ask)
{
    return model->messages[asks->items[ask].message];
}

struct plan_order {
    const struct requests *asks;
    const struct model *model;
};

static int same_conversation(const struct message *a, const struct message *b)
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
    int difference = same_conversation(x, y);

    return difference ? difference : message_cmp_time(x, y);
}

static int by_request_id(const void *a, const void *b, void *context)
{
    const struct plan_order *order = context;
    const struct message *x = message_of(order->asks, order->model, *(const uint32_t *)a);
    const struct message *y = message_of(order->asks, order->model, *(const uint32_t *)b);
    int difference = x->place->source < y->place->source ? -1 : x->place->source > y->place->source;

    difference = difference ? difference : span_cmp(x->place->team, y->place->team);
    difference = difference ? difference : span_cmp(x->to, y->to);
    return difference ? difference : span_cmp(x->thread, y->thread);
}

/* Sets refused[] for plans whose request id another plan to the same recipient has, too: neither
 * can be approved, because an answer could be taken for either. */
static void mark_doubles(const uint32_t *unsorted, size_t count, struct plan_order *order,
                         bool *refused)
{
    CLEANUP(mem_free) uint32_t *plans = mem_alloc((count + 1) * sizeof *plans);

    memcpy(plans, unsorted, count * sizeof *plans);
    qsort_r(plans, count, sizeof *plans, by_request_id, order);
    for (size_t i = 1; i < count; i++) {
        const struct message *a = message_of(order->asks, order->model, plans[i - 1]);
        const struct message *b = message_of(order->asks, order->model, plans[i]);
        if (a->thread.len && a->requires_response && b->requires_response && a->print != b->print &&
            by_request_id(&plans[i - 1], &plans[i], order) == 0)
            refused[plans[i - 1]] = refused[plans[i]] = true;
    }
}

static bool is_approved(const struct request *ask, const struct model *model)
{
    return model->messages[ask->message]->answered == VERDICT_YES ||
           (ask->answer != REQUEST_NONE && model->messages[ask->answer]->verdict == VERDICT_YES);
}

static void supersede(struct requests *asks, uint32_t earlier, uint32_t later)
{
    asks->items[earlier].superseded_by = later;
    asks->items[earlier].open = false;
    asks->items[later].supersedes = earlier;
}

/* Links the plans of one agent to one recipient, in the order of time. A plan replaces all earlier
 * ones that were not approved. A plan that must not be approved itself replaces only plans of that
 * sort: otherwise a forged plan would hide an honest one. */
static void link_conversation(struct requests *asks, const struct model *model,
                              const uint32_t *plans, size_t count, const bool *refused)
{
    uint32_t worthless = REQUEST_NONE; /* the last plan that must not be approved, and was not */
    size_t first = 0;                  /* the earliest plan that is not replaced yet */

    for (size_t i = 0; i < count; i++) {
        bool own_fault = message_of(asks, model, plans[i])->refused;
        if (own_fault && worthless != REQUEST_NONE)
            supersede(asks, worthless, plans[i]);
        worthless = own_fault && !is_approved(&asks->items[plans[i]], model) ? plans[i] : worthless;
        if (refused[plans[i]])
            continue;
        uint32_t honest = REQUEST_NONE;
        for (; first < i; first++) {
            if (is_approved(&asks->items[plans[first]], model))
                continue;
            if (asks->items[plans[first]].superseded_by == REQUEST_NONE)
                supersede(asks, plans[first], plans[i]);
            if (!refused[plans[first]])
                honest = plans[first];
        }
        if (honest != REQUEST_NONE) /* the plan that the new one is compared with */
            asks->items[plans[i]].supersedes = honest;
        worthless = REQUEST_NONE;
    }
}

static void link_plans(struct requests *asks, const struct model *model)
{
    CLEANUP(mem_free) uint32_t *plans = mem_alloc((asks->count + 1) * sizeof *plans);
    CLEANUP(mem_free) bool *refused = mem_zero(asks->count + 1, sizeof *refused);
    struct plan_order order = {asks, model};
    size_t count = 0, start = 0;

    for (uint32_t i = 0; i < asks->count; i++)
        if (message_of(asks, model, i)->kind == KIND_PLAN) {
            refused[i] = message_of(asks, model, i)->refused;
            plans[count++] = i;
        }
    mark_doubles(plans, count, &order, refused);
    qsort_r(plans, count, sizeof *plans, by_planner, &order);
    for (size_t i = 1; i <= count; i++)
        if (i == count || same_conversation(message_of(asks, model, plans[start]),
                                            message_of(asks, model, plans[i])) != 0) {
            link_conversation(asks, model, plans + start, i - start, refused);
            start = i;
        }
}

/* Returns a key for a person and an agent: the same for an order to stop and for the agent's
 * answer. Borrowed until the next call. */
static struct span stop_key(struct str *key, const struct message *message, struct span person,
                            struct span agent)
{
    str_clear(key);
    str_addf(key, "%u ", message->place->source);
    str_add_span(key, message->place->team);
    str_putc(key, '\0');
    message_add_spelled(key, person);
    str_putc(key, '\0');
    message_add_spelled(key, agent);
    return str_span(key);
}

/* Stores for each sender and recipient 1 + the message number of the last order to stop. */
static void note_lead_commands(struct map *orders, struct arena *keys, const struct requests *asks,
                               const struct model *model)
{
    CLEANUP(str_free) struct str text = {0};
    bool fresh;

    for (uint32_t i = 0; i < asks->count; i++) {
        const struct message *order = message_of(asks, model, i);
        if (!is_order_to_stop(order))
            continue;
        struct span key = stop_key(&text, order, order->from, message_recipient(order));
        uint32_t *last = map_put_copy(orders, keys, key, &fresh);
        if (!*last || model->messages[*last - 1]->created_us < order->created_us)
            *last = asks->items[i].message + 1;
    }
}

/* A person who asks again has seen the agent's refusal. */
static void settle_refusals(struct requests *asks, const struct model *model)
{
    CLEANUP(map_free) struct map orders = {0};
    CLEANUP(arena_free) struct arena keys = {0};
    CLEANUP(str_free) struct str text = {0};

    note_lead_commands(&orders, &keys, asks, model);
    for (uint32_t i = 0; orders.count && i < asks->count; i++) {
        const struct message *refusal = message_of(asks, model, i);
        if (!asks->items[i].refusal)
            continue;
        const uint32_t *last =
            map_get(&orders, stop_key(&text, refusal, message_recipient(refusal), refusal->from));
        if (last && model->messages[*last - 1]->created_us > refusal->created_us)
            asks->items[i].open = false;
    }
}

void requests_build(struct requests *asks, const struct model *model, int64_t now_us)
{
    struct replies replies;

    *asks = (struct requests){.of = mem_alloc((model->count + 1) * sizeof *asks->of),
                              .answers = mem_alloc((model->count + 1) * sizeof *asks->answers)};
    replies_build(&replies, model);
    for (uint32_t i = 0; i < model->count; i++) {
        asks->of[i] = asks->answers[i] = REQUEST_NONE;
        if (message_asks(model->messages[i]))
            add_request(asks, model, &replies, i, now_us);
    }
    link_plans(asks, model);
    settle_refusals(asks, model);
    for (uint32_t i = 0; i < asks->count; i++)
        if (asks->items[i].answer != REQUEST_NONE)
            asks->answers[asks->items[i].answer] = i;
    replies_free(&replies);
}

void requests_free(struct requests *asks)
{
    free(asks->items);
    free(asks->of);
    free(asks->answers);
    *asks = (struct requests){0};
}
