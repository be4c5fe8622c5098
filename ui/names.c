/* Names: agents and words of queries, for completing them. */
#include "ui/names.h"

#include "mail/query.h"
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

static void add_fields(struct completion *completion)
{
    struct str text = {0};

    for (const struct query_field *field = query_fields; field->name; field++) {
        str_clear(&text);
        str_addf(&text, "%s:", field->name);
        complete_add(completion, str_span(&text), span_of(field->help), 0);
    }
    for (const char *const *word = query_keywords; *word; word++)
        complete_add(completion, span_of(*word), (struct span){0}, 1);
    str_free(&text);
}

static const struct query_field *find_field(struct span name)
{
    for (const struct query_field *field = query_fields; field->name; field++)
        if (span_is(name, field->name))
            return field;
    return NULL;
}

void names_complete_query(struct ui *ui, void *context, struct span before, size_t *from,
                          struct completion *completion)
{
    size_t start = before.len, value = 0;

    (void)context;
    while (start && !strchr(" (-", before.at[start - 1]))
        start--;
    for (size_t i = start; i < before.len; i++)
        if (before.at[i] == ':' || (value && before.at[i] == ','))
            value = i + 1;
    if (!value) {
        *from = start;
        add_fields(completion);
        return;
    }
    *from = value;
    const char *colon = memchr(before.at + start, ':', before.len - start);
    const struct query_field *field =
        find_field((struct span){before.at + start, (size_t)(colon - before.at) - start});
    for (unsigned i = 0; field && field->word && field->word(i); i++)
        complete_add(completion, span_of(field->word(i)),
                     span_of(field->word_help ? field->word_help(i) : NULL), 0);
    if (field && !field->word &&
        (span_is(span_of(field->name), "from") || span_is(span_of(field->name), "to") ||
         span_is(span_of(field->name), "agent")))
        names_add_agents(ui, NULL, NULL, completion);
    if (field && span_is(span_of(field->name), "tag"))
        tags_add(ui, completion);
}
