/* The identity of agents: rosters first, then boxes; an exact name before any other spelling. */
#include "store/source/agent_identity.h"

#include "base/mem.h"

#include <stdlib.h>

static struct span key_of(struct agent_keys *keys, struct span team, struct span box)
{
    str_clear(&keys->scratch);
    str_add_span(&keys->scratch, team);
    str_putc(&keys->scratch, '\0');
    str_add_span(&keys->scratch, box);
    return str_span(&keys->scratch);
}

/* Returns the team of a box: rosters may have teams where mailboxes have none. */
static struct span box_team(const struct agent_keys *keys, struct span team)
{
    return format_has_teams(keys->format) ? team : (struct span){0};
}

static uint32_t *put_key(struct agent_keys *keys, struct map *map, struct span team,
                         struct span box, bool *fresh)
{
    struct span key = key_of(keys, team, box);

    if (!map_get(map, key))
        key = arena_copy(&keys->arena, key);
    return map_put(map, key, fresh);
}

/* Enters an entry under a name; a name that several entries have gets 0. */
static void put_entry(struct agent_keys *keys, struct map *map, struct span team, struct span name,
                      uint32_t index)
{
    bool fresh;
    uint32_t *slot = put_key(keys, map, team, name, &fresh);

    *slot = fresh || *slot == index + 1 ? index + 1 : 0;
}

/* Enters the names that address_is_member() accepts for the entry, in its team and, if mailboxes
 * have no teams, without one. */
static void add_names(struct agent_keys *keys, uint32_t index)
{
    const struct agent_name *entry = &keys->names->items[index];
    const struct span no_team = {0};
    CLEANUP(str_free) struct str qualified = {0};

    if (entry->team.len)
        str_add_path(&qualified, entry->team, entry->name);
    const struct span names[] = {entry->name, str_span(&qualified)};
    for (size_t i = 0; i < (entry->team.len ? 2 : 1); i++) {
        if (format_has_teams(keys->format) || entry->team.len)
            put_entry(keys, &keys->named, entry->team, names[i], index);
        if (!format_has_teams(keys->format))
            put_entry(keys, &keys->named, no_team, names[i], index);
    }
}

/* Enters the boxes that an entry's mail can be in. Other spellings count only if no box has the
 * plain one. */
static void add_member(struct agent_keys *keys, uint32_t index)
{
    const struct agent_name *entry = &keys->names->items[index];
    struct span team = box_team(keys, entry->team);
    CLEANUP(str_free) struct str qualified = {0}, box = {0};

    for (unsigned v = 0; format_spell(keys->format, entry->name, v, &box); v++) {
        put_entry(keys, &keys->members, team, str_span(&box), index);
        if (map_get(&keys->boxes, key_of(keys, team, str_span(&box))))
            break;
    }
    if (!format_has_teams(keys->format) && entry->team.len) {
        str_addf(&qualified, "%.*s/%.*s", (int)entry->team.len, entry->team.at,
                 (int)entry->name.len, entry->name.at);
        if (format_spell(keys->format, str_span(&qualified), 0, &box))
            put_entry(keys, &keys->members, team, str_span(&box), index);
    }
}

void agent_keys_build(struct agent_keys *keys, const struct format *format,
                      const struct agent_names *names)
{
    bool fresh;

    *keys = (struct agent_keys){.format = format, .names = names};
    for (uint32_t i = 0; i < names->count; i++)
        if (!names->items[i].on_roster)
            put_key(keys, &keys->boxes, names->items[i].team, names->items[i].name, &fresh);
    for (uint32_t i = 0; i < names->count; i++)
        if (names->items[i].on_roster) {
            add_names(keys, i);
            add_member(keys, i);
        }
}

void agent_keys_free(struct agent_keys *keys)
{
    map_free(&keys->named);
    map_free(&keys->members);
    map_free(&keys->boxes);
    map_free(&keys->asked);
    free(keys->answers);
    arena_free(&keys->arena);
    str_free(&keys->scratch);
    *keys = (struct agent_keys){0};
}

/* Returns the roster entry of a slot that put_entry() has filled; NULL if several have the name. */
static const struct agent_name *entry_of(const struct agent_keys *keys, const uint32_t *slot)
{
    return slot && *slot ? &keys->names->items[*slot - 1] : NULL;
}

static const struct agent_name *member_with_box(struct agent_keys *keys, struct span team,
                                                struct span box)
{
    return entry_of(keys, map_get(&keys->members, key_of(keys, team, box)));
}

/* Finds the first spelling of the name that is an existing box. */
static bool find_box(struct agent_keys *keys, struct span team, struct span name,
                     struct agent_id *id)
{
    CLEANUP(str_free) struct str box = {0};
    bool found = false;

    for (unsigned v = 0; !found && format_spell(keys->format, name, v, &box); v++) {
        found = map_get(&keys->boxes, key_of(keys, team, str_span(&box))) != NULL;
        if (!found && v)
            continue;
        id->name = arena_copy(&keys->arena, str_span(&box)); /* the plain spelling, unless another
                                                              * one exists */
        if (!v && !span_eq(id->name, name))
            id->spelled = arena_copy(&keys->arena, name);
        else if (v)
            id->spelled = (struct span){0};
    }
    return id->name.at != NULL;
}

static void find_key(struct agent_keys *keys, struct span team, struct span name,
                     struct agent_id *id)
{
    struct span where = box_team(keys, team);
    CLEANUP(str_free) struct str box = {0};

    *id = (struct agent_id){0};
    const uint32_t *named = map_get(&keys->named, key_of(keys, team, name));
    const struct agent_name *member = entry_of(keys, named);
    if (!named)
        member = member_with_box(keys, where, name);
    if (!named && !member && format_spell(keys->format, name, 0, &box))
        member = member_with_box(keys, where, str_span(&box));
    if (member) {
        *id = (struct agent_id){.team = member->team, .name = member->name};
        return;
    }
    id->team = arena_copy(&keys->arena, where);
    if (named || keys->format->exact_to || !find_box(keys, where, name, id))
        id->name = arena_copy(&keys->arena, name);
}

/* Caches the answers: every snapshot looks up the same names. */
bool agent_keys_find(struct agent_keys *keys, struct span team, struct span name,
                     struct agent_id *id)
{
    bool fresh;

    *id = (struct agent_id){0};
    if (!name.len || format_is_everybody(keys->format, name))
        return false;
    const uint32_t *known = map_get(&keys->asked, key_of(keys, team, name));
    if (known) {
        *id = keys->answers[*known - 1];
        return true;
    }
    find_key(keys, team, name, id);
    *mem_push(keys->answers, keys->answer_count, keys->answer_cap) = *id;
    *put_key(keys, &keys->asked, team, name, &fresh) = (uint32_t)keys->answer_count;
    return true;
}
