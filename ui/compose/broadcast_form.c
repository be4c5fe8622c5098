/* Writing to all agents of a team: the form. The review shows who gets the message and who does
 * not. */
#include "ui/compose/broadcast_form.h"

#include "ui/compose/compose.h"
#include "ui/compose/form_private.h"
#include "ui/message_actions.h"

/* --- teams --- */

static bool is_of(const struct agent_name *name, struct span team)
{
    return name->team.len && (span_eq(name->team, team) || span_eq(name->team_title, team));
}

/* Calls a function for each agent that the rosters name. */
static void each_name(struct ui *ui,
                      void (*call)(void *context, uint32_t source, const struct agent_name *name),
                      void *context)
{
    const struct agent_directory *world = ui_picture(ui)->world;

    for (uint32_t i = 0; world && i < world->source_count; i++)
        for (size_t k = 0; k < world->names[i].count; k++)
            call(context, i, &world->names[i].items[k]);
}

struct teams {
    struct span only; /* the first one */
    size_t count;     /* number of different teams */
};

static void note_team(void *context, uint32_t source, const struct agent_name *name)
{
    struct teams *teams = context;

    (void)source;
    if (!name->team.len || (teams->count && is_of(name, teams->only)))
        return;
    if (!teams->count++)
        teams->only = name->team;
}

struct counting {
    struct span team;
    uint32_t source; /* STORE_ANY: all of them */
    size_t count;
};

static void count_member(void *context, uint32_t source, const struct agent_name *name)
{
    struct counting *counting = context;

    counting->count += name->on_roster && is_of(name, counting->team) &&
                       (counting->source == STORE_ANY || counting->source == source);
}

static size_t count_members(struct ui *ui, uint32_t source, struct span team)
{
    struct counting counting = {.team = team, .source = source};

    if (team.len)
        each_name(ui, count_member, &counting);
    return counting.count;
}

/* --- the form --- */

static bool is_everybody(struct form_screen *form)
{
    return form_entry(form, AT(everybody))->on;
}

static bool is_one_team(struct form_screen *form)
{
    return !is_everybody(form);
}

/* True unless the layout has one message for all, of which nobody can be left out. */
static bool can_exclude(struct form_screen *form)
{
    const struct source *source = form_source(form);

    return !source || !source->format->one_for_all || form_written(form, AT(exclude)).len;
}

static void broadcast_title(struct form_screen *form, struct str *out)
{
    struct span team = span_trim(form_written(form, AT(team)));
    const struct source *source = form_source(form);

    str_puts(out, "BROADCAST to ");
    if (is_everybody(form)) {
        str_puts(out, "everybody");
    } else if (team.len) {
        size_t count = count_members(form_ui(form), source ? source->index : STORE_ANY, team);
        str_add_span(out, team);
        str_addf(out, " (%zu on its roster)", count);
    } else {
        str_puts(out, "a team");
    }
    if (source)
        str_addf(out, "  in %s, as %s", source->format->title, source->identity);
}

static void broadcast_places(struct form_screen *form)
{
    struct ui *ui = form_ui(form);
    struct span team = span_trim(form_written(form, AT(team)));

    for (uint32_t i = 0; i < ui_source_count(ui); i++)
        if (is_everybody(form) || count_members(ui, i, team))
            form_add_place(form, i, (struct span){0});
}

static void broadcast_warn(struct form_screen *form)
{
    struct ui *ui = form_ui(form);
    struct span team = span_trim(form_written(form, AT(team)));

    if (is_everybody(form))
        form_warn(form, "all agents of this source get it");
    else if (team.len && !form_is_in(form, AT(team)) && ui_picture(ui)->ready &&
             !count_members(ui, STORE_ANY, team))
        form_warn(form, "no roster has a team \"%.*s\"", (int)team.len, team.at);
}

static void add_team(void *context, uint32_t source, const struct agent_name *name)
{
    struct completion *completion = context;

    (void)source;
    if (name->team.len && name->on_roster)
        complete_add(completion, name->team, span_of("team"), 0);
}

static void complete_team(struct form_screen *form, struct span before, size_t *from,
                          struct completion *completion)
{
    (void)before;
    *from = 0;
    each_name(form_ui(form), add_team, completion);
}

struct excluding {
    struct completion *completion;
    struct span team; /* absent: everybody */
};

static void add_member(void *context, uint32_t source, const struct agent_name *name)
{
    struct excluding *excluding = context;

    (void)source;
    if (name->on_roster && (!excluding->team.at || is_of(name, excluding->team)))
        complete_add(excluding->completion, name->name, name->team, 0);
}

static void complete_member(struct form_screen *form, struct span before, size_t *from,
                            struct completion *completion)
{
    struct span team = span_trim(form_written(form, AT(team)));
    struct excluding excluding = {completion, !is_everybody(form) ? team : (struct span){0}};

    (void)before;
    *from = 0;
    each_name(form_ui(form), add_member, &excluding);
}

static const struct entry_spec entries[] = {
    {.label = "Team",
     .kind = ENTRY_LINE,
     .at = AT(team),
     .required = true,
     .shown = is_one_team,
     .hint = "who gets it; Tab completes",
     .complete = complete_team},
    {.label = "Everybody", .kind = ENTRY_SWITCH, .at = AT(everybody), .hint = "all teams"},
    PLACE,
    {.label = "Exclude",
     .kind = ENTRY_ITEMS,
     .at = AT(exclude),
     .shown = can_exclude,
     .complete = complete_member},
    SUBJECT,
    PRIORITY,
    {.label = "Body", .kind = ENTRY_TEXT, .at = AT(body), .required = true, .wide = true},
    END,
};

const struct form_spec broadcast_spec = {.form = FORM_BROADCAST,
                                         .entries = entries,
                                         .title = broadcast_title,
                                         .places = broadcast_places,
                                         .warn = broadcast_warn};

/* --- opening --- */

/* Returns the team of the selected agent or message; absent if there is none. */
static struct span selected_team(struct ui *ui, const struct targets *acting)
{
    const struct message *message =
        acting->keys.count ? picture_find(ui_picture(ui), acting->keys.items[0]) : NULL;
    struct span name, team;

    if (acting->agent.len && span_split_last(acting->agent, '@', &name, &team))
        return team;
    return message ? message->place->team : (struct span){0};
}

void broadcast_open(struct ui *ui, struct span team)
{
    CLEANUP(draft_fields_free) struct draft_fields fields = draft_fields_new(FORM_BROADCAST);
    struct teams teams = {0};
    CLEANUP(message_actions_free) struct targets acting = {0};
    CLEANUP(arena_free) struct arena arena = {0};

    each_name(ui, note_team, &teams);
    message_actions_targets(ui, &acting);
    fields.team = span_trim(team);
    if (!fields.team.len && teams.count == 1)
        fields.team = teams.only;
    if (!fields.team.len)
        fields.team = selected_team(ui, &acting);
    fields.everybody = !fields.team.len && !teams.count && ui_picture(ui)->world;
    compose_start(ui, CONFIG_USE_BROADCAST, &(struct config_words){.agent = fields.team}, &fields,
                  &arena);
    if (fields.to.len && !fields.team.len) /* from a template */
        fields.team = fields.to;
    fields.to = (struct span){0};
    form_open(ui, &broadcast_spec, &fields);
}
