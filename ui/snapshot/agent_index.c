/* Finds agents by their names. */
#include "ui/snapshot/agent_index.h"

#include "base/text/utf8.h"
#include "mail/page/style.h"

static struct span place_key(struct str *scratch, uint32_t source, struct span team,
                             struct span name)
{
    /* as bytes: this is done for every message */
    str_clear(scratch);
    str_add(scratch, (const char *)&source, sizeof source);
    str_add(scratch, (const char *)&team.len, sizeof team.len);
    str_add_span(scratch, team);
    str_add_span(scratch, name);
    return str_span(scratch);
}

/* The first one keeps a name that two have. */
static void put_name(struct who_index *index, uint32_t source, struct span team, struct span name,
                     uint32_t number)
{
    struct span key = place_key(&index->scratch, source, team, name);
    bool fresh;

    if (!name.len || map_get(&index->places, key))
        return;
    *map_put_copy(&index->places, &index->arena, key, &fresh) = number + 1;
}

static void put_all(struct who_index *index, const struct agents *agents, bool with_team)
{
    for (uint32_t i = 0; i < agents->count; i++) {
        const struct agent *agent = &agents->items[i];
        struct span team = with_team ? agent->team : (struct span){0};
        put_name(index, agent->source, team, agent->name, i);
        for (size_t k = 0; k < agent->names.count; k++)
            put_name(index, agent->source, team, agent->names.items[k], i);
    }
}

void agent_index_build(struct who_index *index, const struct agents *agents)
{
    bool fresh;

    agent_index_free(index);
    put_all(index, agents, true);
    put_all(index, agents, false); /* rosters have teams where the mail has none */
    for (size_t i = 0; i < agents->count; i++) {
        const struct agent *one = &agents->items[i], *first = &agents->items[0];
        ++*map_put(&index->shared, one->name, &fresh);
        index->teams |= !span_eq(one->team, first->team);
        index->sources |= one->source != first->source;
    }
}

void agent_index_free(struct who_index *index)
{
    map_free(&index->places);
    map_free(&index->shared);
    arena_free(&index->arena);
    str_free(&index->scratch);
    *index = (struct who_index){0};
}

uint32_t agent_index_find(struct who_index *index, uint32_t source, struct span team,
                          struct span name)
{
    const uint32_t *number =
        name.len ? map_get(&index->places, place_key(&index->scratch, source, team, name)) : NULL;

    return number ? *number - 1 : AGENT_NONE;
}

void agent_index_of_message(struct who_index *index, const struct message *message,
                            uint32_t agents[AGENT_PARTS])
{
    const struct place *place = message->place;

    agents[AGENT_FROM] = agent_index_find(index, place->source, place->team, message->from);
    agents[AGENT_TO] = agent_index_find(index, place->source, place->team, message->to);
    agents[AGENT_BOX] = agent_index_find(index, place->source, place->team, place->box);
}

bool agent_index_has_message(struct who_index *index, const struct message *message, uint32_t agent)
{
    uint32_t agents[AGENT_PARTS];

    agent_index_of_message(index, message, agents);
    return agents[AGENT_FROM] == agent || agents[AGENT_TO] == agent || agents[AGENT_BOX] == agent;
}

bool agent_index_is_called(const struct agent *agent, struct span name, bool apart)
{
    struct span bare = {0}, team = {0};

    if (span_eq(agent->name, name))
        return true;
    for (size_t i = 0; i < agent->names.count; i++)
        if (span_eq(agent->names.items[i], name))
            return true;
    if (apart)
        return span_split_last(name, '@', &bare, &team) && span_eq(agent->team, team) &&
               span_eq(agent->name, bare);
    return span_split_last(name, '/', &team, &bare) && span_eq(agent->team, team) &&
           span_eq(agent->name, bare);
}

void agent_index_add_key(struct str *key, const struct agent *agent)
{
    str_addf(key, "%u %zu ", agent->source, agent->team.len);
    str_add_span(key, agent->team);
    str_add_span(key, agent->name);
}

uint32_t agent_index_with_key(const struct agents *agents, struct span key)
{
    struct str other = {0};
    uint32_t found = AGENT_NONE;

    for (uint32_t i = 0; found == AGENT_NONE && i < agents->count; i++) {
        str_clear(&other);
        agent_index_add_key(&other, &agents->items[i]);
        if (span_eq(str_span(&other), key))
            found = i;
    }
    str_free(&other);
    return found;
}

void agent_index_add_label(struct str *out, const struct who_index *index,
                           const struct agent *agent, bool with_team, bool apart)
{
    const uint32_t *shared = map_get(&index->shared, agent->name);

    with_team = (with_team || (shared && *shared > 1)) && agent->team.len;
    if (with_team && !apart) {
        str_add_span(out, agent->team);
        str_putc(out, '/');
    }
    str_add_span(out, agent->name);
    if (with_team && apart) {
        str_putc(out, '@');
        str_add_span(out, agent->team);
    }
}

bool agent_index_matches(const struct agent *agent, struct span words)
{
    struct str all = {0}, folded = {0};
    bool matches = true;

    const struct span parts[] = {agent->name, agent->team, agent->role,
                                 span_of(agent_state_name(agent->state))};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        fold_add(&all, parts[i]);
        str_putc(&all, '\n'); /* no word has one */
    }
    for (struct span word; matches && (word = span_take_word(&words)).len;) {
        str_clear(&folded);
        fold_add(&folded, word);
        matches = memmem(all.at, all.len, folded.at, folded.len) != NULL;
    }
    str_free(&all);
    str_free(&folded);
    return matches;
}

bool agent_index_needs_you(const struct agent *agent)
{
    return agent->state == AGENT_STUCK || agent->state == AGENT_WAITS_YOU;
}

int agent_index_style(enum agent_state state)
{
    static const int styles[AGENT_STATE_COUNT] = {
        [AGENT_WAITS_YOU] = STYLE_NEEDS, [AGENT_STUCK] = STYLE_STUCK,
        [AGENT_UNKNOWN] = STYLE_STUCK,   [AGENT_WAITS] = STYLE_SWARM,
        [AGENT_WORKING] = STYLE_WORKING, [AGENT_IDLE] = STYLE_IDLE,
        [AGENT_GONE] = STYLE_GONE,
    };

    return styles[state];
}
