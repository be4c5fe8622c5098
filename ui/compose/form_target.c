/* Forms: the source and team that they are for. */
#include "base/mem.h"
#include "ui/compose/form.h"
#include "ui/snapshot/agent_names.h"

enum { NAMES_MOST = 64 };

/* Returns the source with that layout and path, or STORE_ANY. */
static uint32_t source_number(const struct ui *ui, struct span format, struct span root)
{
    for (size_t i = 0; root.len && i < ui_source_count(ui); i++) {
        const struct source *source = ui_source(ui, i);
        if (span_is(root, source->path) && span_is(format, source->format->name))
            return (uint32_t)i;
    }
    return STORE_ANY;
}

static struct entry *place_entry(const struct form_screen *form)
{
    for (size_t i = 0; i < form->count; i++)
        if (form->entries[i].spec->kind == ENTRY_PLACE)
            return &form->entries[i];
    return NULL;
}

static const struct form_target *chosen_target(const struct form_screen *form)
{
    const struct entry *entry = place_entry(form);
    size_t choice = entry ? entry->choice : 0;

    return choice < form->place_count ? &form->places[choice] : NULL;
}

const struct source *form_source(const struct form_screen *form)
{
    const struct ui *ui = form->screen.ui;
    const struct form_target *place = chosen_target(form);
    uint32_t about = source_number(ui, form->fields.about.format, form->fields.about.root);

    if (place)
        return ui_source(ui, place->source);
    if (!form->spec->places && about != STORE_ANY)
        return ui_source(ui, about);
    return ui_source_count(ui) == 1 ? ui_source(ui, 0) : NULL;
}

struct span form_team(const struct form_screen *form)
{
    const struct form_target *place = chosen_target(form);

    if (place)
        return place->team;
    return !form->spec->places ? form->fields.team : (struct span){0};
}

void form_add_place(struct form_screen *form, uint32_t source, struct span team)
{
    for (size_t i = 0; i < form->place_count; i++)
        if (form->places[i].source == source && span_eq(form->places[i].team, team))
            return;
    *mem_push(form->places, form->place_count, form->place_cap) =
        (struct form_target){source, arena_copy(&form->place_arena, team)};
}

/* Finds the possible targets again. The chosen one stays chosen if it is still possible; at first
 * it is the saved one. */
void form_find_places(struct form_screen *form)
{
    struct entry *entry = place_entry(form);
    const struct form_target *before = chosen_target(form);
    struct arena old = form->place_arena;

    if (!form->spec->places)
        return;
    struct form_target saved = {
        source_number(form->screen.ui, form->fields.format, form->fields.root), form->fields.team};
    struct form_target kept = before ? *before : saved;
    form->place_arena = (struct arena){0};
    form->place_count = 0;
    form->spec->places(form);
    if (entry)
        entry->choice = 0;
    for (size_t i = 0; entry && i < form->place_count; i++)
        if (form->places[i].source == kept.source && span_eq(form->places[i].team, kept.team))
            entry->choice = i;
    arena_free(&old);
}

void form_set_source(struct ui *ui, struct draft_fields *fields, uint32_t source)
{
    if (source == STORE_ANY)
        return;
    fields->format = span_of(ui_source(ui, source)->format->name);
    fields->root = span_of(ui_source(ui, source)->path);
}

/* --- targets of named agents --- */

bool form_next_name(struct span *rest, struct span *name)
{
    while (rest->len) {
        const char *comma = memchr(rest->at, ',', rest->len);
        size_t len = comma ? (size_t)(comma - rest->at) : rest->len;
        *name = span_trim((struct span){rest->at, len});
        rest->at += comma ? len + 1 : len;
        rest->len -= comma ? len + 1 : len;
        if (name->len)
            return true;
    }
    return false;
}

static struct span team_of(const struct form_screen *form, const struct agent *agent)
{
    const struct source *source = ui_source(form->screen.ui, agent->source);

    return format_has_teams(source->format) ? agent->team : (struct span){0};
}

static bool lives_at(const struct form_screen *form, struct span name,
                     const struct form_target *place)
{
    const struct agents *agents = &ui_picture(form->screen.ui)->sight.agents;

    for (size_t i = 0; i < agents->count; i++) {
        const struct agent *agent = &agents->items[i];
        if (agent->source == place->source && span_eq(team_of(form, agent), place->team) &&
            agent_names_is_called(form->screen.ui, agent, name))
            return true;
    }
    return false;
}

static void add_homes(struct form_screen *form, struct span name)
{
    const struct agents *agents = &ui_picture(form->screen.ui)->sight.agents;

    for (size_t i = 0; i < agents->count; i++)
        if (agent_names_is_called(form->screen.ui, &agents->items[i], name))
            form_add_place(form, agents->items[i].source, team_of(form, &agents->items[i]));
}

/* Removes the targets that have no agent of that name. */
static void keep_homes(struct form_screen *form, struct span name)
{
    size_t kept = 0;

    for (size_t i = 0; i < form->place_count; i++)
        if (lives_at(form, name, &form->places[i]))
            form->places[kept++] = form->places[i];
    form->place_count = kept;
}

bool form_find_agents(struct form_screen *form, struct span names)
{
    struct ui *ui = form->screen.ui;
    struct span name, rest = names;
    bool known = true, first = true;
    size_t most = NAMES_MOST;

    while (most-- && form_next_name(&rest, &name)) {
        if (!agent_names_is_agent(ui, name)) {
            known = false;
            continue;
        }
        if (first)
            add_homes(form, name);
        else
            keep_homes(form, name);
        first = false;
    }
    /* an unknown agent may be created in any source */
    for (uint32_t i = 0; !known && first && !form_is_in(form, offsetof(struct draft_fields, to)) &&
                         i < ui_source_count(ui);
         i++)
        form_add_place(form, i, (struct span){0});
    return known;
}

void form_find_recipients(struct form_screen *form)
{
    form_find_agents(form, form_written(form, AT(to)));
}

/* Finds the message once for each snapshot: that checks all messages, and callers are frequent. */
const struct message *form_about(struct form_screen *form)
{
    const struct draft_fields *fields = &form->fields;
    struct ui *ui = form->screen.ui;
    const struct picture *picture = ui_picture(ui);

    if (form->about_of == picture->number)
        return form->about;
    form->about_of = picture->number;
    form->about = NULL;
    if (fields->about.root.len)
        form->about =
            picture_find_id(picture, source_number(ui, fields->about.format, fields->about.root),
                            fields->about.team, fields->about.box, fields->about.id, 0);
    return form->about;
}

/* Returns the target or, before that is known, the one that the form was opened for. */
static struct agent_names_home home_of(struct form_screen *form)
{
    const struct draft_fields *fields = &form->fields;
    const struct source *source = form_source(form);

    if (source)
        return (struct agent_names_home){source->index, form_team(form)};
    return (struct agent_names_home){source_number(form->screen.ui, fields->format, fields->root),
                                     fields->team};
}

void form_add_agents(struct form_screen *form, const struct agent *without,
                     struct completion *completion)
{
    const struct picture *picture = ui_picture(form->screen.ui);
    const struct message *about = form_about(form);
    CLEANUP(span_list_free) struct span_list first = {0};

    if (about) {
        const struct conversation *conversation = picture_conversation_of(picture, about);
        if (conversation)
            conversation_participants(&picture->sight.conversations, conversation, &first);
    }
    struct agent_names_home home = home_of(form);
    agent_names_add_near(form->screen.ui, &first, without, &home, completion);
}

void form_complete_agents(struct form_screen *form, struct completion *completion)
{
    form_add_agents(form, NULL, completion);
}
