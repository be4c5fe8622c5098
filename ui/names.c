/* Names: agents and words of queries, for completing them. */
#include "ui/names.h"

#include "ui/complete_query.h"
#include "ui/tags.h"

enum { RANK_FIRST, RANK_IDLE, RANK_OTHERS, RANK_FAR, RANK_GONE = 2 * RANK_FAR };

bool names_is_called(const struct agent *agent, struct span name)
{
    struct span bare, team;

    if (span_eq(agent->name, name))
        return true;
    for (size_t i = 0; i < agent->names.count; i++)
        if (span_eq(agent->names.items[i], name))
            return true;
    return span_split_last(name, '@', &bare, &team) && span_eq(agent->team, team) &&
           span_eq(agent->name, bare);
}

uint32_t names_find_agent(struct ui *ui, struct span name, size_t *count)
{
    const struct agents *agents = &ui_picture(ui)->sight.agents;
    uint32_t found = AGENT_NONE;
    size_t called = 0;

    for (uint32_t i = 0; name.len && i < agents->count; i++)
        if (names_is_called(&agents->items[i], name) && !called++)
            found = i;
    if (count)
        *count = called;
    return found;
}

bool names_is_agent(struct ui *ui, struct span name)
{
    return names_find_agent(ui, name, NULL) != AGENT_NONE;
}

static bool is_near(const struct agent *agent, const struct names_home *home)
{
    return home->source == STORE_ANY ||
           (agent->source == home->source && (!home->team.len || span_eq(agent->team, home->team)));
}

static int rank_of(const struct agent *agent, const struct span_list *first,
                   const struct names_home *home)
{
    for (size_t i = 0; first && i < first->count; i++)
        if (names_is_called(agent, first->items[i]))
            return RANK_FIRST;
    if (agent->state == AGENT_GONE)
        return RANK_GONE;
    return (agent->state == AGENT_IDLE ? RANK_IDLE : RANK_OTHERS) +
           (is_near(agent, home) ? 0 : RANK_FAR);
}

/* A name that two teams have is only clear with its team. */
static bool is_shared(const struct agents *agents, const struct agent *agent)
{
    for (size_t i = 0; i < agents->count; i++)
        if (&agents->items[i] != agent && span_eq(agents->items[i].name, agent->name))
            return true;
    return false;
}

void names_add_agents(struct ui *ui, const struct span_list *first, const struct agent *without,
                      struct completion *completion)
{
    names_add_agents_near(ui, first, without, &(struct names_home){.source = STORE_ANY},
                          completion);
}

void names_add_agents_near(struct ui *ui, const struct span_list *first,
                           const struct agent *without, const struct names_home *home,
                           struct completion *completion)
{
    const struct agents *agents = &ui_picture(ui)->sight.agents;
    struct str name = {0};

    for (size_t i = 0; i < agents->count; i++) {
        const struct agent *agent = &agents->items[i];
        if (agent == without)
            continue;
        str_clear(&name);
        str_add_span(&name, agent->name);
        if (agent->team.len && is_shared(agents, agent)) {
            str_putc(&name, '@');
            str_add_span(&name, agent->team);
        }
        complete_add(completion, str_span(&name), span_of(agent_state_name(agent->state)),
                     rank_of(agent, first, home));
    }
    str_free(&name);
}

void names_complete_agent(struct ui *ui, void *context, struct span before, size_t *from,
                          struct completion *completion)
{
    (void)context;
    (void)before;
    *from = 0;
    names_add_agents(ui, NULL, NULL, completion);
}

void names_complete_query(struct ui *ui, void *context, struct span before, size_t *from,
                          struct completion *completion)
{
    const struct query_field *field = complete_query(completion, before, from);

    (void)context;
    if (complete_wants_agents(field))
        names_add_agents(ui, NULL, NULL, completion);
    if (complete_wants_tags(field))
        tags_add(ui, completion);
}
