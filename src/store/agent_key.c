/* Who is meant by a name: rosters first, then boxes, by exact name before any other spelling. */
#include "store/agent_key.h"

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

/* Rosters may have teams where mailboxes have none. */
static struct span box_team(const struct agent_keys *keys, struct span team)
{
    return format_has_teams(keys->format) ? team : (struct span){0};
}

static uint32_t *put(struct agent_keys *keys, struct map *map, struct span team, struct span box,
                     bool *fresh)
{
    struct span key = key_of(keys, team, box);

    if (!map_get(map, key))
        key = arena_copy(&keys->arena, key);
    return map_put(map, key, fresh);
}

/* The boxes that an entry's mail can be in. Other spellings count only while nobody has a box under
 * the plain one. */
static void add_member(struct agent_keys *keys, uint32_t index)
{
    const struct agent_name *entry = &keys->names->items[index];
    struct span team = box_team(keys, entry->team);
    struct str qualified = {0}, box = {0};
    bool fresh;

    for (unsigned v = 0; format_spell(keys->format, entry->name, v, &box); v++) {
        uint32_t *slot = put(keys, &keys->members, team, str_span(&box), &fresh);
        *slot = fresh || *slot == index + 1 ? index + 1 : 0;
        if (map_get(&keys->boxes, key_of(keys, team, str_span(&box))))
            break;
    }
    if (!format_has_teams(keys->format) && entry->team.len) {
        str_addf(&qualified, "%.*s/%.*s", (int)entry->team.len, entry->team.at,
                 (int)entry->name.len, entry->name.at);
        if (format_spell(keys->format, str_span(&qualified), 0, &box)) {
            uint32_t *slot = put(keys, &keys->members, team, str_span(&box), &fresh);
            *slot = fresh || *slot == index + 1 ? index + 1 : 0;
        }
    }
    str_free(&qualified);
    str_free(&box);
}

void agent_keys_build(struct agent_keys *keys, const struct format *format,
                      const struct agent_names *names)
{
    bool fresh;

    *keys = (struct agent_keys){.format = format, .names = names};
    keys->roster = mem_alloc((names->count + 1) * sizeof *keys->roster);
    for (uint32_t i = 0; i < names->count; i++) {
        if (names->items[i].on_roster)
            keys->roster[keys->roster_count++] = i;
        else
            put(keys, &keys->boxes, names->items[i].team, names->items[i].name, &fresh);
    }
    for (size_t i = 0; i < keys->roster_count; i++)
        add_member(keys, keys->roster[i]);
}

void agent_keys_free(struct agent_keys *keys)
{
    free(keys->roster);
    map_free(&keys->members);
    map_free(&keys->boxes);
    map_free(&keys->asked);
    free(keys->answers);
    arena_free(&keys->arena);
    str_free(&keys->scratch);
    *keys = (struct agent_keys){0};
}

/* How many roster entries bear the name itself; *found is one of them. */
static size_t count_members(const struct agent_keys *keys, struct span team, struct span name,
                            const struct agent_name **found)
{
    bool by_team = team.len || format_has_teams(keys->format);
    size_t count = 0;

    for (size_t i = 0; i < keys->roster_count; i++) {
        const struct agent_name *entry = &keys->names->items[keys->roster[i]];
        if ((by_team && !span_eq(entry->team, team)) || !address_is_member(entry, name))
            continue;
        *found = entry;
        count++;
    }
    return count;
}

static const struct agent_name *member_with_box(struct agent_keys *keys, struct span team,
                                                struct span box)
{
    const uint32_t *slot = map_get(&keys->members, key_of(keys, team, box));

    return slot && *slot ? &keys->names->items[*slot - 1] : NULL;
}

/* The first spelling of the name that is a box. */
static bool find_box(struct agent_keys *keys, struct span team, struct span name,
                     struct agent_id *id)
{
    struct str box = {0};
    bool found = false;

    for (unsigned v = 0; !found && format_spell(keys->format, name, v, &box); v++) {
        found = map_get(&keys->boxes, key_of(keys, team, str_span(&box))) != NULL;
        if (!found && v)
            continue;
        id->name = arena_copy(&keys->arena, str_span(&box)); /* the plain one, until one exists */
        if (!v && !span_eq(id->name, name))
            id->spelled = arena_copy(&keys->arena, name);
        else if (v)
            id->spelled = (struct span){0};
    }
    str_free(&box);
    return id->name.at != NULL;
}

static void find(struct agent_keys *keys, struct span team, struct span name, struct agent_id *id)
{
    const struct agent_name *member = NULL;
    struct span where = box_team(keys, team);
    struct str box = {0};

    *id = (struct agent_id){0};
    size_t count = count_members(keys, team, name, &member);
    if (!count)
        member = member_with_box(keys, where, name);
    if (!count && !member && format_spell(keys->format, name, 0, &box))
        member = member_with_box(keys, where, str_span(&box));
    str_free(&box);
    if (member && count < 2) {
        *id = (struct agent_id){.team = member->team, .name = member->name};
        return;
    }
    id->team = arena_copy(&keys->arena, where);
    if (count > 1 || keys->format->exact_to || !find_box(keys, where, name, id))
        id->name = arena_copy(&keys->arena, name);
}

/* Pictures are made of the same names again and again. */
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
    find(keys, team, name, id);
    keys->answers =
        mem_grow(keys->answers, &keys->answer_cap, keys->answer_count + 1, sizeof *keys->answers);
    keys->answers[keys->answer_count++] = *id;
    *put(keys, &keys->asked, team, name, &fresh) = (uint32_t)keys->answer_count;
    return true;
}
