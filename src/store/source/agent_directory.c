/* The agents that the store knows of, gathered in one job. */
#include "store/source/agent_directory.h"

#include "base/io_error.h"
#include "base/mem.h"
#include "store/source/address.h"
#include "store/store_private.h"

#include <stdlib.h>

/* The identity of agents: rosters first, then boxes; an exact name before any other spelling. */

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

void agent_directory_free(struct agent_directory *world)
{
    for (size_t i = 0; i < world->source_count; i++) {
        agent_names_free(&world->names[i]);
        agent_keys_free(&world->keys[i]);
        tasks_free(&world->tasks[i]);
    }
    outbox_free(&world->outbox);
    free(world->names);
    free(world->keys);
    free(world->tasks);
    free(world->limits);
    free(world->known);
    free(world->works);
    free(world->unsent);
    *world = (struct agent_directory){0};
}

static bool identify_agent(void *context, uint32_t source, struct span team, struct span name,
                           struct agent_id *id)
{
    struct agent_directory *world = context;

    pthread_mutex_lock(&world->asked);
    bool found = agent_keys_find(&world->keys[source], team, name, id);
    pthread_mutex_unlock(&world->asked);
    return found;
}

static struct agent_known *add_known(struct agent_directory *world, const struct source *source,
                                     struct span team, struct span name)
{
    /* if mailboxes have no teams, the owner does not depend on the team in rosters */
    struct place place = {.source = source->index, .root = source->path};

    if (format_has_teams(source->format))
        place.team = team;
    struct agent_known *known = mem_push(world->known, world->known_count, world->known_cap);
    *known = (struct agent_known){.source = source->index,
                                  .team = team,
                                  .name = name,
                                  .person = address_is_us(source, &place, name)};
    return known;
}

static void gather_names(struct agent_directory *world, const struct source *source)
{
    const struct agent_names *names = &world->names[source->index];
    const char *const *built_in = source->format->built_in;

    for (size_t i = 0; i < names->count; i++) {
        const struct agent_name *name = &names->items[i];
        struct agent_known *known = add_known(world, source, name->team, name->name);
        known->on_roster = name->on_roster;
        known->box = !name->on_roster;
        known->status = name->member.status;
        known->role = name->member.role;
        known->lead = name->member.lead;
        known->idle = name->member.idle;
        known->gone = name->member.gone;
    }
    for (size_t i = 0; built_in && built_in[i]; i++) {
        struct agent_known *known =
            add_known(world, source, (struct span){0}, span_of(built_in[i]));
        known->on_roster = known->implied = true;
    }
}

static void gather_tasks(struct agent_directory *world, const struct source *source)
{
    const struct tasks *tasks = &world->tasks[source->index];

    for (size_t i = 0; i < tasks->count; i++) {
        const struct task *task = &tasks->items[i];
        *mem_push(world->works, world->work_count, world->work_cap) =
            (struct agent_task){.source = source->index,
                                .list = task->list,
                                .id = task->id,
                                .subject = task->subject,
                                .owner = task->owner,
                                .status = task->status};
    }
}

/* Gathers failed and queued messages. One that has been written, or is being written, is on its
 * way. */
static void gather_unsent(struct agent_directory *world, const struct source *source)
{
    for (size_t i = 0; i < world->outbox.count; i++) {
        const struct outbox_entry *entry = &world->outbox.items[i];
        bool failed = entry->state == OUTBOX_LOST || entry->state == OUTBOX_FAILED;
        if ((!failed && entry->state != OUTBOX_QUEUED) ||
            !source_is(source, entry->format, entry->root))
            continue;
        *mem_push(world->unsent, world->unsent_count, world->unsent_cap) =
            (struct agent_unsent){.source = source->index,
                                  .team = entry->team,
                                  .to = entry->to.len ? entry->to : entry->box,
                                  .since_us = entry->created_us,
                                  .failed = failed};
    }
}

/* Hashes the inputs that decide which agent a name means: the names that are known, and nothing
 * else. */
static void find_naming(struct agent_directory *world)
{
    enum { SEED = 1 };

    world->naming = SEED;
    for (size_t i = 0; i < world->known_count; i++) {
        const struct agent_known *known = &world->known[i];
        uint64_t place = world->naming * UINT64_C(0x9e3779b97f4a7c15) + known->source * 4 +
                         known->on_roster * 2 + known->implied;
        world->naming =
            (uint64_t)map_hash(known->team, place) << 32 | map_hash(known->name, ~place);
    }
}

bool store_agents(struct store *store, const struct config *config, struct agent_directory *world,
                  struct err *err)
{
    size_t count = store->source_count;
    struct state *state = store_state_to_read(store);
    struct err problem;

    *world = (struct agent_directory){.names = mem_zero(count, sizeof *world->names),
                                      .keys = mem_zero(count, sizeof *world->keys),
                                      .tasks = mem_zero(count, sizeof *world->tasks),
                                      .limits = mem_zero(count, sizeof *world->limits),
                                      .source_count = count,
                                      .asked = PTHREAD_MUTEX_INITIALIZER};
    if (state && !outbox_list(state, &world->outbox, &problem))
        io_error_note_err(&problem);
    for (size_t i = 0; i < count; i++) {
        const struct source *source = &store->sources[i];
        if (!address_book(source, &world->names[i], err) ||
            !source_tasks(source, &world->tasks[i], err))
            return false;
        agent_keys_build(&world->keys[i], source->format, &world->names[i]);
        world->limits[i] = config_limits(config, source);
        gather_names(world, source);
        gather_tasks(world, source);
        gather_unsent(world, source);
    }
    find_naming(world);
    return true;
}

void agent_directory_join(struct agent_directory *world, const struct model *model,
                          const struct agents_share *shares, size_t share_count,
                          const struct requests *asks, int64_t now_us, struct agents *agents)
{
    struct agents_input input = {.model = model,
                                 .shares = shares,
                                 .share_count = share_count,
                                 .asks = asks,
                                 .now_us = now_us,
                                 .known = world->known,
                                 .known_count = world->known_count,
                                 .tasks = world->works,
                                 .task_count = world->work_count,
                                 .unsent = world->unsent,
                                 .unsent_count = world->unsent_count,
                                 .limits = world->limits,
                                 .identify = identify_agent,
                                 .context = world};

    agents_build(agents, &input);
}

void agent_directory_build(struct agent_directory *world, const struct model *model,
                           const struct requests *asks, int64_t now_us, struct agents *agents)
{
    agent_directory_join(world, model, NULL, 0, asks, now_us, agents);
}

static struct handoffs_input handoffs_input(struct agent_directory *world,
                                            const struct model *model,
                                            const struct threads *threads, int64_t now_us)
{
    return (struct handoffs_input){.model = model,
                                   .threads = threads,
                                   .now_us = now_us,
                                   .limits = world ? world->limits : NULL,
                                   .identify = world ? identify_agent : NULL,
                                   .context = world};
}

void agent_directory_handoffs(struct agent_directory *world, const struct model *model,
                              const struct threads *threads, int64_t now_us,
                              struct handoff_list *handoffs)
{
    struct handoffs_input input = handoffs_input(world, model, threads, now_us);

    handoffs_build(handoffs, &input);
}

void agent_directory_collect(struct agent_directory *world, const struct model *model,
                             const struct threads *threads, int64_t now_us, struct hearing *hearing)
{
    struct handoffs_input input = handoffs_input(world, model, threads, now_us);

    handoffs_collect(hearing, &input);
}

void agent_directory_join_handoffs(struct agent_directory *world, const struct model *model,
                                   const struct threads *threads,
                                   const struct handoffs_share *shares, size_t share_count,
                                   int64_t now_us, struct handoff_list *handoffs)
{
    struct handoffs_input input = handoffs_input(world, model, threads, now_us);

    handoffs_join(handoffs, &input, shares, share_count);
}
