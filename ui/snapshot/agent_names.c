/* Names of agents, and completing them and words of queries. */
#include "ui/snapshot/agent_names.h"

#include "ui/mail/filter.h"
#include "ui/widget/completion.h"

enum { RANK_FIRST, RANK_IDLE, RANK_OTHERS, RANK_FAR, RANK_GONE = 2 * RANK_FAR };

static bool is_apart(const struct ui *ui, const struct agent *agent)
{
    return format_has_teams(ui_source(ui, agent->source)->format);
}

void agent_names_add(const struct ui *ui, struct str *out, const struct agent *agent,
                     bool with_team)
{
    agent_index_add_label(out, ui_agents(ui), agent, with_team, is_apart(ui, agent));
}

bool agent_names_is_called(const struct ui *ui, const struct agent *agent, struct span name)
{
    return agent_index_is_called(agent, name, is_apart(ui, agent));
}

const struct agent *agent_names_find(const struct ui *ui, struct span name, size_t *count)
{
    const struct agents *agents = &ui_picture(ui)->sight.agents;
    const struct agent *found = NULL;
    size_t called = 0;

    for (size_t i = 0; name.len && i < agents->count; i++)
        if (agent_names_is_called(ui, &agents->items[i], name) && !called++)
            found = &agents->items[i];
    if (count)
        *count = called;
    return found;
}

bool agent_names_is_agent(const struct ui *ui, struct span name)
{
    return agent_names_find(ui, name, NULL) != NULL;
}

static bool is_near(const struct agent *agent, const struct agent_names_home *home)
{
    return home->source == STORE_ANY ||
           (agent->source == home->source && (!home->team.len || span_eq(agent->team, home->team)));
}

static int rank_of(const struct ui *ui, const struct agent *agent, const struct span_list *first,
                   const struct agent_names_home *home)
{
    for (size_t i = 0; first && i < first->count; i++)
        if (agent_names_is_called(ui, agent, first->items[i]))
            return RANK_FIRST;
    if (agent->state == AGENT_GONE)
        return RANK_GONE;
    return (agent->state == AGENT_IDLE ? RANK_IDLE : RANK_OTHERS) +
           (is_near(agent, home) ? 0 : RANK_FAR);
}

void agent_names_add_agents(struct ui *ui, const struct span_list *first,
                            const struct agent *without, struct completion *completion)
{
    agent_names_add_near(ui, first, without, &(struct agent_names_home){.source = STORE_ANY},
                         completion);
}

void agent_names_add_near(struct ui *ui, const struct span_list *first, const struct agent *without,
                          const struct agent_names_home *home, struct completion *completion)
{
    const struct agents *agents = &ui_picture(ui)->sight.agents;
    struct str name = {0};

    for (size_t i = 0; i < agents->count; i++) {
        const struct agent *agent = &agents->items[i];
        if (agent == without)
            continue;
        str_clear(&name);
        agent_names_add(ui, &name, agent, false);
        complete_add(completion, str_span(&name), span_of(agent_state_name(agent->state)),
                     rank_of(ui, agent, first, home));
    }
    str_free(&name);
}

void agent_names_complete(struct ui *ui, void *context, struct span before, size_t *from,
                          struct completion *completion)
{
    (void)context;
    (void)before;
    *from = 0;
    agent_names_add_agents(ui, NULL, NULL, completion);
}

void agent_names_complete_query(struct ui *ui, void *context, struct span before, size_t *from,
                                struct completion *completion)
{
    const struct query_field *field = complete_query(completion, before, from);

    (void)context;
    if (complete_wants_agents(field))
        agent_names_add_agents(ui, NULL, NULL, completion);
    if (complete_wants_tags(field))
        tags_add(ui, completion);
}
