/* Agents, gathering: one pass over the messages, one over the asks, and what others know. */
#include "base/mem.h"
#include "mail/agent_facts.h"

/* Clocks of two machines may differ by this much. */
#define SKEW_US INT64_C(300000000)

bool agent_is_old(struct gathering *g, int64_t since_us, int64_t limit_us)
{
    return when_is_over(since_us, limit_us, g->in->now_us, &g->next_us);
}

/* Notes a time at which something may change. */
static void note_change(struct gathering *g, int64_t when_us)
{
    if (when_us > g->in->now_us && (g->next_us == WHEN_NONE || when_us < g->next_us))
        g->next_us = when_us;
}

/* Names and places that many messages share are the same bytes: what was found for them last is
 * found again without comparing any. */
static uint32_t find_again(struct gathering *g, const struct place *place, struct span name)
{
    enum { RECENT = sizeof g->recent / sizeof *g->recent };
    uint64_t mixed = ((uintptr_t)place ^ (uintptr_t)name.at << 7) * UINT64_C(0x9e3779b97f4a7c15);
    struct recent_agent *recent = &g->recent[(mixed >> 32) % RECENT];

    if (recent->place != place || recent->name.at != name.at || recent->name.len != name.len)
        *recent = (struct recent_agent){place, name,
                                        agent_find(g, place->source, place->team, name, true)};
    return recent->agent;
}

static uint32_t sender(struct gathering *g, const struct message *message)
{
    return find_again(g, message->place, message->from);
}

static uint32_t recipient(struct gathering *g, const struct message *message)
{
    return find_again(g, message->place, message_recipient(message));
}

static void take_roster(struct gathering *g, const struct agent_known *known)
{
    uint32_t index = agent_find(g, known->source, known->team, known->name, true);
    bool fresh;

    map_put_copy(&g->rosters, &g->out->arena,
                 agent_key(g, known->source, known->team, (struct span){0}), &fresh);
    if (index == AGENT_NONE)
        return;
    struct facts *facts = &g->items[index];
    facts->person |= known->person;
    if (facts->roster)
        return;
    facts->roster = known;
    facts->agent.on_roster = true;
    facts->agent.lead = known->lead;
    facts->agent.role = known->role;
    facts->agent.name = known->name;
}

/* Mailboxes that nobody has written to, and whoever needs no roster. */
static void take_rest(struct gathering *g, const struct agent_known *known)
{
    bool has_mail =
        known->box && map_get(&g->boxes, agent_key(g, known->source, known->team, known->name));
    uint32_t index = has_mail
                         ? AGENT_NONE
                         : agent_find(g, known->source, known->team, known->name, !known->implied);

    if (index == AGENT_NONE)
        return;
    g->items[index].person |= known->person;
    g->items[index].agent.on_roster |= known->implied;
}

static void add_some(const struct gathering *g, struct some *some, uint32_t index)
{
    if (!some->count++ ||
        message_cmp_time(fact_message(g, index), fact_message(g, some->first)) < 0)
        some->first = index;
}

static void add_processing(const struct gathering *g, struct some *some, uint32_t index)
{
    if (!some->count++ ||
        agent_begun(fact_message(g, index)) < agent_begun(fact_message(g, some->first)))
        some->first = index;
}

/* At the same moment an idle notice is what ended the turn. */
static bool is_later(const struct gathering *g, uint32_t index, uint32_t than)
{
    if (than == AGENT_NONE)
        return true;
    const struct message *a = fact_message(g, index), *b = fact_message(g, than);
    if (a->created_us == b->created_us && (a->kind == KIND_IDLE) != (b->kind == KIND_IDLE))
        return a->kind == KIND_IDLE;
    return message_cmp_time(a, b) > 0;
}

static void take_sent(struct gathering *g, struct facts *facts, uint32_t index)
{
    const struct message *message = fact_message(g, index);
    int64_t when_us = message->created_us;

    facts->agent.spoke = true;
    if (when_us == WHEN_NONE)
        return;
    if (when_us > g->in->now_us + SKEW_US) {
        note_change(g, when_us - SKEW_US);
        return;
    }
    when_us = when_us < g->in->now_us ? when_us : g->in->now_us;
    if (facts->agent.heard_us < when_us) /* WHEN_NONE is less than any */
        facts->agent.heard_us = when_us;
    if (is_later(g, index, facts->last))
        facts->last = index;
    if (message->kind != KIND_IDLE && is_later(g, index, facts->last_said))
        facts->last_said = index;
}

/* What goes to the model of an agent; the rest is between programs. */
static bool is_talk(const struct message *message)
{
    return message->kind == KIND_MESSAGE || message->kind == KIND_QUESTION ||
           message->kind == KIND_HANDOFF || message->kind == KIND_ESCALATION ||
           message->kind == KIND_TASK;
}

static bool is_unread(const struct gathering *g, const struct message *message)
{
    return !message->place->archived && message_marked(message) == STATUS_UNREAD &&
           !message_expired(message, g->in->now_us);
}

static void take_received(struct gathering *g, struct facts *facts, uint32_t index)
{
    const struct message *message = fact_message(g, index);
    enum status status = message_marked(message);
    bool open = !message->place->archived && !message_expired(message, g->in->now_us);
    bool in_time = message->created_us != WHEN_NONE && message->created_us <= g->in->now_us;

    if (open && (status == STATUS_UNREAD || status == STATUS_PROCESSING || status == STATUS_FAILED))
        note_change(g, message->expires_us);
    if (is_unread(g, message))
        add_some(g, &facts->unread, index);
    else if (open && status == STATUS_PROCESSING)
        add_processing(g, &facts->processing, index);
    else if (open && status == STATUS_FAILED)
        add_some(g, &facts->failed, index);
    if (status != STATUS_UNREAD && status != STATUS_NONE && in_time && is_talk(message) &&
        is_later(g, index, facts->woken_by))
        facts->woken_by = index;
}

static void note_box(struct gathering *g, struct facts *facts, const struct message *message)
{
    const struct place *place = message->place;
    bool fresh;

    if (!place->box.len || message->flags & MESSAGE_STRAY || g->noted == place)
        return;
    g->noted = place;
    map_put_copy(&g->boxes, &g->out->arena, agent_key(g, place->source, place->team, place->box),
                 &fresh);
    if (fresh)
        agent_add_name(facts, place->box);
}

static void take_message(struct gathering *g, uint32_t index)
{
    const struct message *message = fact_message(g, index);

    if (message->damaged)
        return;
    uint32_t from = message->from.len ? sender(g, message) : AGENT_NONE;
    uint32_t to = recipient(g, message);
    if (from != AGENT_NONE) {
        g->items[from].person |= message->by_us;
        take_sent(g, &g->items[from], index);
    }
    if (to != AGENT_NONE) {
        g->items[to].person |= message->mine;
        take_received(g, &g->items[to], index);
        note_box(g, &g->items[to], message);
    }
}

static void take_ask(struct gathering *g, uint32_t index)
{
    const struct message *message = fact_message(g, index);
    uint32_t from = message->from.len ? sender(g, message) : AGENT_NONE;
    uint32_t to = recipient(g, message);
    bool from_agent = from != AGENT_NONE && !g->items[from].person;
    bool to_agent = to != AGENT_NONE && !g->items[to].person;

    note_change(g, message->expires_us);
    if (to_agent)
        add_some(g, &g->items[to].asks_to, index);
    if (from_agent && message->mine)
        add_some(g, &g->items[from].asks_you, index);
    else if (from_agent && to_agent) {
        add_some(g, &g->items[from].asks_by, index);
        if (g->items[from].asks_by.first == index)
            g->items[from].asked = to;
        g->edges = mem_grow(g->edges, &g->edge_cap, g->edge_count + 1, sizeof *g->edges);
        g->edges[g->edge_count++] = (struct edge){from, to, index};
    }
}

static void take_task(struct gathering *g, uint32_t index)
{
    const struct agent_task *task = &g->in->tasks[index];
    struct span owner = task->owner, name, list;

    if (!owner.len || !span_is(task->status, "in_progress"))
        return;
    if (span_split_last(owner, '@', &name, &list) && span_eq(list, task->list))
        owner = name;
    uint32_t found = agent_find(g, task->source, task->list, owner, false);
    if (found != AGENT_NONE && g->items[found].task == AGENT_NONE)
        g->items[found].task = index;
}

static void take_unsent(struct gathering *g, const struct agent_unsent *unsent)
{
    uint32_t to = agent_find(g, unsent->source, unsent->team, unsent->to, true);

    if (to == AGENT_NONE)
        return;
    struct facts *facts = &g->items[to];
    facts->unsent++;
    facts->unsent_failed |= unsent->failed;
    if (facts->unsent_us == WHEN_NONE || unsent->since_us < facts->unsent_us)
        facts->unsent_us = unsent->since_us;
}

/* An idle notice tells to whom its sender wrote last: "[to NAME] ...". */
static void find_addressee(struct gathering *g, uint32_t index)
{
    const struct message *last =
        g->items[index].last == AGENT_NONE ? NULL : fact_message(g, g->items[index].last);
    struct span start = span_of("[to ");

    if (!last || !last->notice || !span_starts(last->notice->summary, start))
        return;
    struct span name = {last->notice->summary.at + start.len,
                        last->notice->summary.len - start.len};
    const char *end = memchr(name.at, ']', name.len);
    if (!end)
        return;
    name.len = (size_t)(end - name.at);
    g->items[index].wrote_to = agent_find(g, last->place->source, last->place->team, name, false);
}

static void take_unread_word(struct gathering *g, uint32_t index)
{
    const struct message *message = fact_message(g, index);

    if (message->damaged || !message->from.len || message->kind == KIND_IDLE)
        return;
    uint32_t from = sender(g, message), to = recipient(g, message);
    if (from == AGENT_NONE || to == AGENT_NONE || g->items[from].wrote_to != to ||
        !is_unread(g, message))
        return;
    if (is_later(g, index, g->items[from].wrote))
        g->items[from].wrote = index;
}

void agent_gather(struct gathering *g)
{
    const struct agents_input *in = g->in;

    for (size_t i = 0; i < in->known_count; i++)
        if (in->known[i].on_roster && !in->known[i].implied)
            take_roster(g, &in->known[i]);
    for (uint32_t i = 0; i < in->model->count; i++)
        take_message(g, i);
    for (size_t i = 0; i < in->known_count; i++)
        if (!in->known[i].on_roster || in->known[i].implied)
            take_rest(g, &in->known[i]);
    for (size_t i = 0; i < in->asks->count; i++)
        if (ask_waits(&in->asks->items[i]))
            take_ask(g, in->asks->items[i].message);
    for (uint32_t i = 0; i < in->task_count; i++)
        take_task(g, i);
    for (size_t i = 0; i < in->unsent_count; i++)
        take_unsent(g, &in->unsent[i]);
    for (uint32_t i = 0; i < g->count; i++)
        find_addressee(g, i);
    for (uint32_t i = 0; g->count && i < in->model->count; i++)
        take_unread_word(g, i);
}
