/* Names by team, by name, by both, and by similarity. */
#include "store/source/name_index.h"

#include "base/mem.h"
#include "base/text/confusables.h"

#include <stdlib.h>

/* The kinds of keys of the map: what a key consists of, and its value. */
enum kind {
    BY_NAME, /* team and name: 1 + the first entry */
    BY_TEAM, /* team, or none: 1 + the last lead, 0 without one */
    TEAMS,   /* name: 1 + the first entry, 0 if another team has it too */
    LOOKS,   /* skeleton: 1 + the first entry with it; `next` links the others */
    ALIKE,   /* whether there is a team, the team, and a skeleton: an index of `alike` */
};

static struct span key_of(struct str *scratch, enum kind kind, struct span team, struct span text)
{
    const struct span parts[] = {{"t", team.at ? 1 : 0}, team, text};

    return map_key(scratch, kind, parts, sizeof parts / sizeof *parts);
}

static uint32_t *put_name(struct name_index *index, enum kind kind, struct span team,
                          struct span text, bool *fresh)
{
    return map_put_copy(&index->map, &index->keys, key_of(&index->scratch, kind, team, text),
                        fresh);
}

static const uint32_t *get_name(const struct name_index *index, enum kind kind, struct span team,
                                struct span text)
{
    CLEANUP(str_free) struct str scratch = {0};

    return map_get(&index->map, key_of(&scratch, kind, team, text));
}

/* Returns the entry's team; one without a name is "", not absent. */
static struct span own_team(const struct agent_name *entry)
{
    return entry->team.at ? entry->team : (struct span){"", 0};
}

static void add_entry(struct name_index *index, uint32_t number)
{
    const struct agent_name *entry = &index->names->items[number];
    const struct span none = {0}, teams[] = {own_team(entry), none};
    bool fresh;
    uint32_t *value = put_name(index, BY_NAME, teams[0], entry->name, &fresh);

    if (fresh)
        *value = number + 1;
    for (size_t i = 0; i < 2; i++) {
        value = put_name(index, BY_TEAM, teams[i], none, &fresh);
        *value = entry->member.lead ? number + 1 : *value;
    }
    value = put_name(index, TEAMS, none, entry->name, &fresh);
    if (fresh)
        *value = number + 1;
    else if (*value && !span_eq(index->names->items[*value - 1].team, entry->team))
        *value = 0;
}

void name_index_build(struct name_index *index, const struct agent_names *names)
{
    *index = (struct name_index){.names = names};
    for (uint32_t i = 0; i < names->count; i++)
        add_entry(index, i);
}

void name_index_free(struct name_index *index)
{
    map_free(&index->map);
    free(index->next);
    free(index->alike);
    arena_free(&index->keys);
    str_free(&index->scratch);
    *index = (struct name_index){0};
}

const struct agent_name *name_index_find(const struct name_index *index, struct span team,
                                         struct span name)
{
    const uint32_t *value = get_name(index, BY_NAME, team.at ? team : (struct span){"", 0}, name);

    return value ? &index->names->items[*value - 1] : NULL;
}

bool name_index_has_team(const struct name_index *index, struct span team)
{
    return get_name(index, BY_TEAM, team, (struct span){0});
}

/* Uses the rules of address_is_member(). */
bool name_index_is_member(const struct name_index *index, struct span team, struct span agent)
{
    const char *slash = agent.len ? memchr(agent.at, '/', agent.len) : NULL;

    if (team.at ? name_index_find(index, team, agent) != NULL
                : get_name(index, TEAMS, team, agent) != NULL)
        return true;
    if (!slash || slash == agent.at)
        return false;
    struct span swarm = {agent.at, (size_t)(slash - agent.at)};
    struct span name = {slash + 1, agent.len - swarm.len - 1};
    return (!team.at || span_eq(team, swarm)) && name_index_find(index, swarm, name);
}

struct span name_index_lead(const struct name_index *index, struct span team)
{
    const uint32_t *value = get_name(index, BY_TEAM, team, (struct span){0});

    return value && *value ? index->names->items[*value - 1].name : (struct span){0};
}

bool name_index_is_elsewhere(const struct name_index *index, struct span team, struct span name)
{
    const uint32_t *value = get_name(index, TEAMS, (struct span){0}, name);

    return team.at && value && (!*value || !span_eq(index->names->items[*value - 1].team, team));
}

/* --- similar names --- */

static void add_looks(struct name_index *index)
{
    CLEANUP(str_free) struct str skeleton = {0};
    bool fresh;

    index->next = mem_zero(index->names->count + 1, sizeof *index->next);
    for (size_t i = index->names->count; i-- > 0;) { /* backwards, so that lists start with the
                                                      * first entry */
        str_clear(&skeleton);
        confusable_skeleton(&skeleton, index->names->items[i].name);
        if (!skeleton.len)
            continue;
        uint32_t *first = put_name(index, LOOKS, (struct span){0}, str_span(&skeleton), &fresh);
        index->next[i] = *first;
        *first = (uint32_t)i + 1;
    }
}

static void take_alike(struct names_alike *alike, size_t which, struct span name)
{
    size_t count = alike->counts[which];

    for (size_t i = 0; i < count; i++)
        if (span_eq(alike->names[which][i], name))
            return;
    if (count < NAMES_ALIKE)
        alike->names[which][alike->counts[which]++] = name;
}

static void find_alike(const struct name_index *index, struct span team, struct span skeleton,
                       struct names_alike *alike)
{
    const uint32_t *first = get_name(index, LOOKS, (struct span){0}, skeleton);

    *alike = (struct names_alike){0};
    for (uint32_t at = first ? *first : 0; at; at = index->next[at - 1]) {
        const struct agent_name *entry = &index->names->items[at - 1];
        take_alike(alike, team.at && !span_eq(entry->team, team), entry->name);
    }
}

const struct names_alike *name_index_alike(struct name_index *index, struct span team,
                                           struct span name)
{
    CLEANUP(str_free) struct str skeleton = {0};
    bool fresh;

    if (!index->next)
        add_looks(index);
    confusable_skeleton(&skeleton, name);
    uint32_t *number = put_name(index, ALIKE, team, str_span(&skeleton), &fresh);
    if (fresh) {
        *number = (uint32_t)index->alike_count;
        find_alike(index, team, str_span(&skeleton),
                   mem_push(index->alike, index->alike_count, index->alike_cap));
    }
    return &index->alike[*number];
}
