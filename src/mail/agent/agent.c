/* Agents: finding the facts for a name, and the list of agents. */
#include "mail/agent/agent.h"

#include "base/map.h"
#include "base/mem.h"
#include "mail/message/kind.h"

#include <stdlib.h>

/* Agents, gathering facts: one pass over the messages, one over the requests, then rosters, tasks
 * and outbox. */

/* Tallies: the facts that messages show about the names in them. */

/* Clocks of two machines may differ by this much. */
#define SKEW_US INT64_C(300000000)

/* Cache entry: the name found for a text at a place. */
struct recent_name {
    const struct place *place;
    struct span text;
    uint32_t name;
    bool boxed; /* the place was added to tally->boxes for this name */
};

struct tallying {
    struct agent_tally *tally;
    const struct model *model;
    int64_t now_us;
    struct map numbers; /* source, team and name: 1 + its index */
    struct arena keys;
    struct str scratch;
    struct recent_name recent[256];
};

int64_t tally_begun(const struct message *message)
{
    return message->data && message->data->read_us != TIME_NONE ? message->data->read_us
                                                                : message->created_us;
}

/* --- the oldest and the newest --- */

/* Adds one or more messages: counts them and keeps the oldest. The numbers are those of `model`. */
static void some_add(struct some *some, const struct model *model, struct some more)
{
    bool first = more.count && (!some->count || message_cmp_time(model->messages[more.first],
                                                                 model->messages[some->first]) < 0);

    some->first = first ? more.first : some->first;
    some->count += more.count;
}

static void some_add_processing(struct some *some, const struct model *model, struct some more)
{
    bool first = more.count && (!some->count || tally_begun(model->messages[more.first]) <
                                                    tally_begun(model->messages[some->first]));

    some->first = first ? more.first : some->first;
    some->count += more.count;
}

/* If two messages have the same time, an idle notice is later: it ended the turn. */
static void tally_take_later(uint32_t *last, const struct model *model, uint32_t other)
{
    if (other == TALLY_NONE)
        return;
    const struct message *a = model->messages[other];
    const struct message *b = *last == TALLY_NONE ? NULL : model->messages[*last];
    bool later = !b;
    if (b && a->created_us == b->created_us && (a->kind == KIND_IDLE) != (b->kind == KIND_IDLE))
        later = a->kind == KIND_IDLE;
    else if (b)
        later = message_cmp_time(a, b) > 0;
    if (later)
        *last = other;
}

/* --- names --- */

static uint32_t number_of(struct tallying *t, const struct place *place, struct span name)
{
    const struct span parts[] = {place->team, name};
    const struct some none = {TALLY_NONE, 0};
    struct agent_tally *tally = t->tally;
    bool fresh;

    uint32_t *number =
        map_put_copy(&t->numbers, &t->keys, map_key(&t->scratch, place->source, parts, 2), &fresh);
    if (!fresh)
        return *number - 1;
    *mem_push(tally->names, tally->count, tally->cap) =
        (struct tally_name){.source = place->source,
                            .team = place->team,
                            .name = name,
                            .heard_us = TIME_NONE,
                            .last = TALLY_NONE,
                            .last_said = TALLY_NONE,
                            .woken_by = TALLY_NONE,
                            .unread = none,
                            .processing = none,
                            .failed = none,
                            .unreadable = TALLY_NONE};
    *number = (uint32_t)tally->count;
    return *number - 1;
}

static struct recent_name *find_name(struct tallying *t, const struct place *place,
                                     struct span text)
{
    enum { RECENT = sizeof t->recent / sizeof *t->recent };
    struct recent_name *recent = &t->recent[place_spot(place, text, RECENT)];

    if (recent->place != place || recent->text.at != text.at || recent->text.len != text.len)
        *recent = (struct recent_name){place, text, number_of(t, place, text), false};
    return recent;
}

/* --- messages --- */

/* Notes a time at which the result may change. */
static void note_change(struct tallying *t, int64_t time_us)
{
    if (time_us > t->now_us)
        time_min(&t->tally->next_us, time_us);
}

static void take_sent(struct tallying *t, struct tally_name *name, uint32_t index)
{
    const struct message *message = t->model->messages[index];
    int64_t time_us = message->created_us;

    name->person |= message->by_us;
    name->spoke = true;
    if (time_us == TIME_NONE)
        return;
    if (time_us > t->now_us + SKEW_US) {
        note_change(t, time_us - SKEW_US);
        return;
    }
    if (name->heard_us < time_us) /* TIME_NONE is less than any time */
        name->heard_us = time_us;
    tally_take_later(&name->last, t->model, index);
    if (message->kind != KIND_IDLE)
        tally_take_later(&name->last_said, t->model, index);
}

/* True for messages that an agent's language model reads; the others are between programs. */
static bool is_conversation(const struct message *message)
{
    return message->kind == KIND_MESSAGE || message->kind == KIND_QUESTION ||
           message->kind == KIND_HANDOFF || message->kind == KIND_ESCALATION ||
           message->kind == KIND_TASK;
}

static bool is_open(const struct tallying *t, const struct message *message)
{
    return !message->place->archived && !message_expired(message, t->now_us);
}

static void take_received(struct tallying *t, struct tally_name *name, uint32_t index)
{
    const struct message *message = t->model->messages[index];
    const struct some one = {index, 1};
    enum status status = message_marked(message);
    bool open = is_open(t, message);

    name->person |= message->mine;
    if (open && message_left_unread(message))
        some_add(&name->unread, t->model, one);
    else if (open && status == STATUS_PROCESSING)
        some_add_processing(&name->processing, t->model, one);
    else if (open && status == STATUS_FAILED)
        some_add(&name->failed, t->model, one);
    if (status == STATUS_UNREAD || status == STATUS_NONE || message->created_us == TIME_NONE ||
        !is_conversation(message))
        return;
    if (message->created_us <= t->now_us)
        tally_take_later(&name->woken_by, t->model, index);
    else
        note_change(t, message->created_us);
}

static void take_box(struct tallying *t, struct recent_name *to, const struct message *message)
{
    struct agent_tally *tally = t->tally;

    if (to->boxed || !message->place->box.len || message->flags & MESSAGE_STRAY)
        return;
    to->boxed = true;
    *mem_push(tally->boxes, tally->box_count, tally->box_cap) =
        (struct tally_box){to->name, message->place};
}

static void take_word(struct tallying *t, uint32_t index)
{
    const struct message *message = t->model->messages[index];
    struct agent_tally *tally = t->tally;

    if (message->kind != KIND_IDLE && message_left_unread(message) && is_open(t, message))
        *mem_push(tally->words, tally->word_count, tally->word_cap) = index;
}

/* A box or directory that cannot be read may hold mail: of one agent, or of any. */
static void take_unreadable(struct tallying *t, uint32_t index)
{
    const struct message *message = t->model->messages[index];
    struct agent_tally *tally = t->tally;

    if (!message->unread_bytes || message->place->archived)
        return;
    if (message->place->box.at) {
        struct recent_name *box = find_name(t, message->place, message->place->box);
        struct tally_name *name = &tally->names[box->name];
        name->person |= message->mine;
        name->unreadable = name->unreadable == TALLY_NONE ? index : name->unreadable;
        take_box(t, box, message);
        return;
    }
    *mem_push(tally->unreadable, tally->unreadable_count, tally->unreadable_cap) = index;
}

static void take_message(struct tallying *t, uint32_t index)
{
    const struct message *message = t->model->messages[index];

    if (message->damaged) {
        take_unreadable(t, index);
        return;
    }
    if (!message->place->archived)
        note_change(t, message->expires_us);
    if (message->from.len) {
        uint32_t from = find_name(t, message->place, message->from)->name;
        take_sent(t, &t->tally->names[from], index);
        take_word(t, index);
    }
    struct recent_name *to = find_name(t, message->place, message_recipient(message));
    take_received(t, &t->tally->names[to->name], index);
    take_box(t, to, message);
}

void agent_tally_fill(struct agent_tally *tally, const struct model *model, int64_t now_us)
{
    struct tallying t = {.tally = tally, .model = model, .now_us = now_us};

    *tally = (struct agent_tally){.next_us = TIME_NONE};
    for (uint32_t i = 0; i < model->count; i++)
        take_message(&t, i);
    map_free(&t.numbers);
    arena_free(&t.keys);
    str_free(&t.scratch);
}

void agent_tally_free(struct agent_tally *tally)
{
    free(tally->names);
    free(tally->boxes);
    free(tally->words);
    free(tally->unreadable);
    *tally = (struct agent_tally){0};
}

bool agent_is_old(struct gathering *g, int64_t since_us, int64_t limit_us)
{
    return time_is_over(since_us, limit_us, g->in->now_us, &g->next_us);
}

/* Notes a time at which the result may change. */
static void note_agent_change(struct gathering *g, int64_t time_us)
{
    if (time_us > g->in->now_us)
        time_min(&g->next_us, time_us);
}

static uint32_t agent_find(struct gathering *g, uint32_t source, struct span team, struct span name,
                           bool make);

/* Compares by source, team and name. */
static int agent_cmp_names(const struct agent *a, const struct agent *b)
{
    int order = a->source < b->source ? -1 : a->source > b->source;

    order = order ? order : span_cmp(a->team, b->team);
    return order ? order : span_cmp(a->name, b->name);
}

static void agent_add_name(struct facts *facts, struct span name);

static uint32_t sender_of(struct gathering *g, const struct message *message)
{
    return agent_find(g, message->place->source, message->place->team, message->from, true);
}

static uint32_t recipient_of(struct gathering *g, const struct message *message)
{
    return agent_find(g, message->place->source, message->place->team, message_recipient(message),
                      true);
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

/* Adds mailboxes without mail, and agents that need no roster. */
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

/* Converts a number of a share's model to a number of the whole model. */
static uint32_t shared_message(const struct agents_share *share, uint32_t message)
{
    return message == TALLY_NONE ? AGENT_NONE : share->first + message;
}

static struct some shared_some(const struct agents_share *share, struct some some)
{
    return (struct some){shared_message(share, some.first), some.count};
}

static void take_name(struct gathering *g, const struct agents_share *share,
                      const struct tally_name *name)
{
    const struct model *model = g->in->model;
    uint32_t index = agent_find(g, name->source, name->team, name->name, true);

    if (index == AGENT_NONE)
        return;
    struct facts *facts = &g->items[index];
    int64_t heard_us = name->heard_us < g->in->now_us ? name->heard_us : g->in->now_us;
    facts->person |= name->person;
    facts->agent.spoke |= name->spoke;
    if (facts->agent.heard_us < heard_us) /* TIME_NONE is less than any time */
        facts->agent.heard_us = heard_us;
    tally_take_later(&facts->last, model, shared_message(share, name->last));
    tally_take_later(&facts->last_said, model, shared_message(share, name->last_said));
    tally_take_later(&facts->woken_by, model, shared_message(share, name->woken_by));
    some_add(&facts->unread, model, shared_some(share, name->unread));
    some_add_processing(&facts->processing, model, shared_some(share, name->processing));
    some_add(&facts->failed, model, shared_some(share, name->failed));
    if (facts->unreadable == AGENT_NONE)
        facts->unreadable = shared_message(share, name->unreadable);
}

static void gather_box(struct gathering *g, const struct tally_name *name,
                       const struct place *place)
{
    uint32_t index = agent_find(g, name->source, name->team, name->name, true);
    bool fresh;

    if (index == AGENT_NONE)
        return;
    map_put_copy(&g->boxes, &g->out->arena, agent_key(g, place->source, place->team, place->box),
                 &fresh);
    if (fresh)
        agent_add_name(&g->items[index], place->box);
}

static void take_share(struct gathering *g, const struct agents_share *share)
{
    const struct agent_tally *tally = share->tally;

    for (size_t i = 0; i < tally->count; i++)
        take_name(g, share, &tally->names[i]);
    for (size_t i = 0; i < tally->box_count; i++)
        gather_box(g, &tally->names[tally->boxes[i].name], tally->boxes[i].place);
    time_min(&g->next_us, tally->next_us);
}

/* --- sorting, so that the order in which messages name agents makes no difference --- */

static int by_name(const void *a, const void *b, void *context)
{
    const struct facts *items = context;

    return agent_cmp_names(&items[*(const uint32_t *)a].agent, &items[*(const uint32_t *)b].agent);
}

static void renumber_map(struct map *numbers, const uint32_t *now)
{
    for (size_t i = 0; i < numbers->count; i++)
        if (numbers->entries[i].value)
            numbers->entries[i].value = now[numbers->entries[i].value - 1] + 1;
}

static void sort_names(struct gathering *g)
{
    CLEANUP(mem_free) uint32_t *order = mem_alloc((g->count + 1) * sizeof *order);
    CLEANUP(mem_free) uint32_t *now = mem_alloc((g->count + 1) * sizeof *now);
    struct facts *sorted = mem_alloc((g->count + 1) * sizeof *sorted);

    for (uint32_t i = 0; i < g->count; i++)
        order[i] = i;
    if (g->count)
        qsort_r(order, g->count, sizeof *order, by_name, g->items);
    for (uint32_t i = 0; i < g->count; i++) {
        sorted[i] = g->items[order[i]];
        now[order[i]] = i;
    }
    renumber_map(&g->by_id, now);
    renumber_map(&g->by_name, now);
    free(g->items);
    g->items = sorted;
    g->cap = g->count + 1;
}

static int by_ends(const void *a, const void *b, void *context)
{
    const struct gathering *g = context;
    const struct edge *x = a, *y = b;

    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    if (x->to != y->to)
        return x->to < y->to ? -1 : 1;
    return message_cmp_time(fact_message(g, x->ask), fact_message(g, y->ask));
}

static void take_request(struct gathering *g, uint32_t index)
{
    const struct message *message = fact_message(g, index);
    uint32_t from = message->from.len ? sender_of(g, message) : AGENT_NONE;
    uint32_t to = recipient_of(g, message);
    bool from_agent = from != AGENT_NONE && !g->items[from].person;
    bool to_agent = to != AGENT_NONE && !g->items[to].person;
    const struct some one = {index, 1};

    note_agent_change(g, message->expires_us);
    if (to_agent)
        some_add(&g->items[to].asks_to, g->in->model, one);
    if (from_agent && message->mine)
        some_add(&g->items[from].asks_you, g->in->model, one);
    else if (from_agent && to_agent) {
        some_add(&g->items[from].asks_by, g->in->model, one);
        if (g->items[from].asks_by.first == index)
            g->items[from].asked = to;
        *mem_push(g->edges, g->edge_count, g->edge_cap) = (struct edge){from, to, index};
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
    if (facts->unsent_us == TIME_NONE || unsent->since_us < facts->unsent_us)
        facts->unsent_us = unsent->since_us;
}

/* An idle notice gives the recipient of its sender's last message: "[to NAME] ...". */
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
    uint32_t from = sender_of(g, message), to = recipient_of(g, message);

    if (from != AGENT_NONE && to != AGENT_NONE && g->items[from].wrote_to == to)
        tally_take_later(&g->items[from].wrote, g->in->model, index);
}

static void take_unread_words(struct gathering *g)
{
    bool any = false;

    for (uint32_t i = 0; i < g->count; i++) {
        find_addressee(g, i);
        any |= g->items[i].wrote_to != AGENT_NONE;
    }
    for (size_t i = 0; any && i < g->share_count; i++)
        for (size_t k = 0; k < g->shares[i].tally->word_count; k++)
            take_unread_word(g, g->shares[i].first + g->shares[i].tally->words[k]);
}

/* Marks the agents of a directory of several boxes that cannot be read: those of its team, or of
 * the whole source. */
static void gather_unreadable(struct gathering *g, uint32_t index)
{
    const struct place *place = fact_message(g, index)->place;

    for (size_t i = 0; i < g->count; i++) {
        struct facts *facts = &g->items[i];
        if (facts->agent.source == place->source && facts->unreadable == AGENT_NONE &&
            (!place->team.at || span_eq(facts->agent.team, place->team)))
            facts->unreadable = index;
    }
}

/* Gathers facts from the mailboxes, rosters, task lists and the outbox. */
static void agent_gather(struct gathering *g)
{
    const struct agents_input *in = g->in;

    for (size_t i = 0; i < in->known_count; i++)
        if (in->known[i].on_roster && !in->known[i].implied)
            take_roster(g, &in->known[i]);
    for (size_t i = 0; i < g->share_count; i++)
        take_share(g, &g->shares[i]);
    for (size_t i = 0; i < in->known_count; i++)
        if (!in->known[i].on_roster || in->known[i].implied)
            take_rest(g, &in->known[i]);
    sort_names(g);
    for (size_t i = 0; i < g->share_count; i++)
        for (size_t k = 0; k < g->shares[i].tally->unreadable_count; k++)
            gather_unreadable(g, g->shares[i].first + g->shares[i].tally->unreadable[k]);
    for (size_t i = 0; i < in->asks->count; i++)
        if (request_waits(&in->asks->items[i]))
            take_request(g, in->asks->items[i].message);
    if (g->edge_count)
        qsort_r(g->edges, g->edge_count, sizeof *g->edges, by_ends, g);
    for (uint32_t i = 0; i < in->task_count; i++)
        take_task(g, i);
    for (size_t i = 0; i < in->unsent_count; i++)
        take_unsent(g, &in->unsent[i]);
    take_unread_words(g);
}

/* Limit on the spellings kept per agent: more are mischief. */
enum { NAMES_MAX = 32 };

struct span agent_key(struct gathering *g, uint32_t source, struct span team, struct span name)
{
    const struct span parts[] = {team, name};

    return map_key(&g->scratch, source, parts, 2);
}

/* Adds a spelling of the agent's name. */
static void agent_add_name(struct facts *facts, struct span name)
{
    struct span_list *names = &facts->agent.names;

    if (!span_list_has(names, name) && names->count < NAMES_MAX)
        span_list_add(names, name);
}

static uint32_t add_facts(struct gathering *g, uint32_t source, const struct agent_id *id)
{
    const struct some none = {AGENT_NONE, 0};
    struct facts *added = mem_push(g->items, g->count, g->cap);

    *added = (struct facts){.agent = {.source = source,
                                      .team = id->team,
                                      .name = id->name,
                                      .evidence = AGENT_NONE,
                                      .since_us = TIME_NONE,
                                      .heard_us = TIME_NONE,
                                      .unread_us = TIME_NONE,
                                      .waits_us = TIME_NONE,
                                      .circle = AGENT_NONE},
                            .last = AGENT_NONE,
                            .last_said = AGENT_NONE,
                            .woken_by = AGENT_NONE,
                            .unread = none,
                            .asks_you = none,
                            .asks_by = none,
                            .asks_to = none,
                            .processing = none,
                            .failed = none,
                            .asked = AGENT_NONE,
                            .ring_request = AGENT_NONE,
                            .ring_to = AGENT_NONE,
                            .wrote = AGENT_NONE,
                            .unreadable = AGENT_NONE,
                            .wrote_to = AGENT_NONE,
                            .task = AGENT_NONE,
                            .unsent_us = TIME_NONE};
    return (uint32_t)g->count - 1;
}

/* Returns the index of the facts about the agent that a name means; AGENT_NONE if it means no
 * single agent or, without `make`, no known one. */
static uint32_t agent_find(struct gathering *g, uint32_t source, struct span team, struct span name,
                           bool make)
{
    struct span spelled = agent_key(g, source, team, name);
    uint32_t *known = map_get(&g->by_name, spelled);
    struct agent_id id = {0};
    bool fresh;

    if (known)
        return *known - 1; /* 0 becomes AGENT_NONE */
    spelled = arena_copy(&g->out->arena, spelled);
    uint32_t found = 0;
    if (g->in->identify(g->in->context, source, team, name, &id)) {
        struct span key = agent_key(g, source, id.team, id.name);
        known = map_get(&g->by_id, key);
        if (!known && !make)
            return AGENT_NONE;
        if (!known) {
            known = map_put_copy(&g->by_id, &g->out->arena, key, &fresh);
            *known = add_facts(g, source, &id) + 1;
        }
        found = *known;
        struct facts *facts = &g->items[found - 1];
        agent_add_name(facts, name);
        if (id.spelled.at && !facts->roster)
            facts->agent.name = id.spelled;
    }
    *map_put(&g->by_name, spelled, &fresh) = found;
    return found - 1;
}

/* True if the team keeps a roster. */
static bool agent_team_has_roster(struct gathering *g, uint32_t source, struct span team)
{
    return map_get(&g->rosters, agent_key(g, source, team, (struct span){0})) != NULL;
}

/* From facts and states to rows, sorted by urgency. */

#define MINUTE_US INT64_C(60000000)

const struct agent_limits agent_limits_default = {
    .silent_us = 15 * MINUTE_US, .unread_us = 10 * MINUTE_US, .processing_us = 30 * MINUTE_US};

static const char *const state_names[AGENT_STATE_COUNT] = {
    [AGENT_WAITS_YOU] = "WAITS-YOU", [AGENT_STUCK] = "STUCK?",    [AGENT_UNKNOWN] = "UNKNOWN",
    [AGENT_WAITS] = "WAITS",         [AGENT_WORKING] = "WORKING", [AGENT_IDLE] = "IDLE",
    [AGENT_GONE] = "GONE",
};

const char *agent_state_name(enum agent_state state)
{
    return state_names[state];
}

static int by_urgency(const void *a, const void *b, void *context)
{
    const struct facts *items = context;
    const struct agent *x = &items[*(const uint32_t *)a].agent;
    const struct agent *y = &items[*(const uint32_t *)b].agent;

    if (x->state != y->state)
        return x->state < y->state ? -1 : 1;
    if (x->since_us != y->since_us) {
        if (x->since_us == TIME_NONE || y->since_us == TIME_NONE)
            return x->since_us == TIME_NONE ? 1 : -1;
        return x->since_us < y->since_us ? -1 : 1;
    }
    return agent_cmp_names(x, y);
}

/* Replaces indexes of facts by indexes of rows. */
static void renumber_rows(struct agents *agents, const uint32_t *order, size_t facts_count)
{
    CLEANUP(mem_free) uint32_t *row = mem_zero(facts_count + 1, sizeof *row);

    for (uint32_t i = 0; i < agents->count; i++)
        row[order[i]] = i;
    for (size_t i = 0; i < agents->circle_count; i++)
        for (size_t k = 0; k < agents->circles[i].count; k++)
            agents->circles[i].members[k] = row[agents->circles[i].members[k]];
}

static void take_rows(struct gathering *g)
{
    CLEANUP(mem_free) uint32_t *order = mem_zero(g->count + 1, sizeof *order);
    struct agents *out = g->out;

    for (uint32_t i = 0; i < g->count; i++)
        if (!g->items[i].person)
            order[out->count++] = i;
    if (out->count)
        qsort_r(order, out->count, sizeof *order, by_urgency, g->items);
    out->items = mem_zero(out->count + 1, sizeof *out->items);
    for (size_t i = 0; i < out->count; i++) {
        out->items[i] = g->items[order[i]].agent;
        g->items[order[i]].agent.names = (struct span_list){0};
        out->in_state[out->items[i].state]++;
    }
    renumber_rows(out, order, g->count);
}

static void find_off_roster(struct gathering *g)
{
    for (size_t i = 0; i < g->count; i++) {
        struct agent *agent = &g->items[i].agent;
        agent->off_roster =
            !agent->on_roster && agent_team_has_roster(g, agent->source, agent->team);
    }
}

static void build_rows(struct agents *agents, const struct agents_input *input,
                       const struct agents_share *shares, size_t share_count)
{
    struct gathering g = {.in = input,
                          .out = agents,
                          .shares = shares,
                          .share_count = share_count,
                          .next_us = TIME_NONE};

    *agents = (struct agents){0};
    agent_gather(&g);
    agent_find_circles(&g);
    find_off_roster(&g);
    for (size_t i = 0; i < g.count; i++)
        if (!g.items[i].person)
            agent_judge(&g, &g.items[i]);
    agent_explain(&g);
    take_rows(&g);
    agents->next_change_us = g.next_us;
    for (size_t i = 0; i < g.count; i++)
        span_list_free(&g.items[i].agent.names); /* of facts that are not rows */
    map_free(&g.by_id);
    map_free(&g.by_name);
    map_free(&g.boxes);
    map_free(&g.rosters);
    str_free(&g.scratch);
    free(g.items);
    free(g.edges);
}

void agents_build(struct agents *agents, const struct agents_input *input)
{
    CLEANUP(agent_tally_free) struct agent_tally tally = {0};
    CLEANUP(short_ids_free) struct id_order ids = {0};
    const struct agents_share all = {.tally = &tally, .ids = &ids, .model = input->model};

    if (input->shares) {
        build_rows(agents, input, input->shares, input->share_count);
        return;
    }
    agent_tally_fill(&tally, input->model, input->now_us);
    short_ids_fill(&ids, input->model);
    build_rows(agents, input, &all, 1);
}

void agents_free(struct agents *agents)
{
    for (size_t i = 0; i < agents->count; i++)
        span_list_free(&agents->items[i].names);
    free(agents->items);
    free(agents->circles);
    arena_free(&agents->arena);
    *agents = (struct agents){0};
}
