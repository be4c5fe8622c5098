/* The forms of a lead: commands, and broadcasts to all agents of a team. */
#include "ui/compose/compose.h"
#include "ui/compose/form.h"
#include "ui/message_actions.h"
#include "ui/snapshot/agent_names.h"

/* --- opening a form --- */

/* Reads AGENT or, for a mode, AGENT MODE, like the command line. */
static void take_argument(struct draft_fields *fields, struct span argument)
{
    const char *blank =
        fields->form == FORM_MODE && argument.len ? memchr(argument.at, ' ', argument.len) : NULL;
    size_t len = blank ? (size_t)(blank - argument.at) : argument.len;

    fields->to = (struct span){argument.at, len};
    if (blank)
        fields->order.mode = span_trim((struct span){blank, argument.len - len});
}

/* Addresses the selected agent, or the author of the selected message. */
static void take_selected(struct ui *ui, struct draft_fields *fields, const struct targets *acting)
{
    const struct message *message = compose_choose(ui, acting);

    if (acting->agent.len) {
        fields->to = acting->agent;
        form_set_source(ui, fields, acting->agent_source);
    } else if (message && !message->by_us) {
        fields->to = message->from;
        fields->team = message->place->team;
        form_set_source(ui, fields, message->place->source);
    }
}

static void open_form(struct ui *ui, const struct form_spec *spec, struct span argument)
{
    CLEANUP(draft_fields_free) struct draft_fields fields = draft_fields_new(spec->form);
    CLEANUP(message_actions_free) struct targets acting = {0};

    message_actions_targets(ui, &acting);
    take_argument(&fields, span_trim(argument));
    if (!fields.to.len && spec->verb != LEAD_ESCALATE) /* an escalation is addressed by its level */
        take_selected(ui, &fields, &acting);
    form_open(ui, spec, &fields);
}

bool lead_form_act(struct ui *ui, enum action action, struct span argument)
{
    for (int i = 0; i < LEAD_VERBS; i++) {
        if (lead_specs[i].action != action)
            continue;
        open_form(ui, &lead_specs[i], argument);
        return true;
    }
    return false;
}

/* --- teams --- */

/* A step through the agents that the rosters name. Zero-initialised is the start. */
struct roster_walk {
    uint32_t source; /* of the agent that was returned last */
    size_t next;
};

static const struct agent_name *next_name(struct ui *ui, struct roster_walk *walk)
{
    const struct agent_directory *world = ui_picture(ui)->world;

    for (; world && walk->source < world->source_count; walk->source++, walk->next = 0)
        if (walk->next < world->names[walk->source].count)
            return &world->names[walk->source].items[walk->next++];
    return NULL;
}

static bool is_of(const struct agent_name *name, struct span team)
{
    return span_eq(name->team, team) || span_eq(name->team_title, team);
}

/* Returns the number of agents of that team in the source, or in all for STORE_ANY; with
 * `on_roster` only those that are on its roster. */
static size_t count_members(struct ui *ui, uint32_t source, struct span team, bool on_roster)
{
    struct roster_walk walk = {0};
    const struct agent_name *name;
    size_t count = 0;

    while (team.len && (name = next_name(ui, &walk)))
        count += is_of(name, team) && (source == STORE_ANY || source == walk.source) &&
                 (!on_roster || (name->on_roster && name->team.len));
    return count;
}

static void add_teams(struct form_screen *form, struct completion *completion)
{
    struct roster_walk walk = {0};
    const struct agent_name *name;

    while ((name = next_name(form->screen.ui, &walk)))
        if (name->team.len && name->on_roster)
            complete_add(completion, name->team, span_of("team"), 0);
}

/* --- conditions for entries --- */

static bool is_unguarded(struct form_screen *form)
{
    struct span mode;

    return lead_mode(span_trim(form_written(form, AT(order.mode))), &mode, NULL) &&
           lead_mode_is_unguarded(mode);
}

static bool is_allowed(const struct form_screen *form)
{
    return span_is(span_trim(form_written(form, AT(order.behavior))), "allow");
}

/* True if a whole team would be allowed to use the tool. An unknown name may be a new team. */
static bool is_team_allowed(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;
    struct span rest = form_written(form, AT(to)), name;

    while (is_allowed(form) && form_next_name(&rest, &name))
        if (count_members(ui, STORE_ANY, name, false) || !agent_names_is_agent(ui, name))
            return true;
    return false;
}

/* False for the level ceo, which always has high priority. */
static bool is_priority_open(struct form_screen *form)
{
    enum escalation_level level;

    return !escalation_level_find(span_trim(form_written(form, AT(order.level))), &level) ||
           !escalation_routes[level].is_high;
}

/* --- titles and warnings --- */

static void lead_title(struct form_screen *form, struct str *out)
{
    struct span to = span_trim(form_written(form, AT(to)));
    const struct source *source = form_source(form);

    str_addf(out, "%s %.*s", form->spec->word, (int)to.len, to.len ? to.at : "");
    if (!to.len)
        str_puts(out, form->spec->nobody);
    if (source)
        str_addf(out, "  in %s", source->format->title);
}

static void lead_places(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;
    struct span to = form_written(form, AT(to));

    for (uint32_t i = 0; form->spec->verb == LEAD_RULES && i < ui_source_count(ui); i++)
        if (count_members(ui, i, span_trim(to), false))
            form_add_place(form, i, (struct span){0});
    if (!form->place_count)
        form_find_agents(form, to);
}

static void warn_of_means(struct form_screen *form)
{
    const struct source *source = form_source(form);

    if (!source || !span_trim(form_written(form, AT(to))).len)
        return;
    enum ability ability = source->format->verbs[form->spec->means].ability;
    if (ability == ABILITY_NONE)
        form_warn(form, "%s has no way for it", source->format->title);
    if (ability == ABILITY_CONVENTION)
        form_warn(form, "no program enforces it there");
}

static void lead_warn(struct form_screen *form)
{
    struct span mode = span_trim(form_written(form, AT(order.mode)));
    struct err err;

    warn_of_means(form);
    if (form->spec->verb != LEAD_RULES)
        compose_warn_of(form);
    if (mode.len && !form_is_in(form, AT(order.mode)) && !lead_mode(mode, &mode, &err))
        form_warn(form, "%s", err.text);
    if (is_unguarded(form))
        form_warn(form, "nobody is asked any more before it acts");
    if (is_team_allowed(form))
        form_warn(form, "a whole team will not ask any more");
}

/* --- completion --- */

/* Adds the modes; those that remove protection come last. */
static void complete_mode(struct form_screen *form, struct completion *completion)
{
    const char *const *modes = lead_modes();

    (void)form;
    for (int i = 0; modes[i]; i++) {
        bool last = lead_mode_is_unguarded(span_of(modes[i]));
        complete_add(completion, span_of(modes[i]), span_of(last ? "asks nobody" : "mode"), last);
    }
}

static void complete_behavior(struct form_screen *form, struct completion *completion)
{
    const char *const *behaviors = lead_behaviors();

    (void)form;
    for (int i = 0; behaviors[i]; i++)
        complete_add(completion, span_of(behaviors[i]), (struct span){0},
                     strcmp(behaviors[i], "allow") == 0);
}

static void complete_level(struct form_screen *form, struct completion *completion)
{
    (void)form;
    for (int i = 0; i < ESCALATION_LEVELS; i++)
        complete_add(completion, span_of(escalation_routes[i].word),
                     span_of(escalation_routes[i].to), i);
}

static void complete_recipient(struct form_screen *form, struct completion *completion)
{
    form_complete_agents(form, completion);
    add_teams(form, completion);
}

/* --- the tables --- */

#define CONFIRM(When, Hint)                                                                        \
    {                                                                                              \
        "Confirm", ENTRY_LINE, AT(order.confirm), .required = true, .shown = (When),               \
                                                  .hint = (Hint)                                   \
    }

static const struct entry_spec shutdown_entries[] = {
    TO,
    {"Source", ENTRY_PLACE, .hint = NULL},
    {"Reason", ENTRY_TEXT, AT(order.reason),
     .hint = "why it is to stop; it may refuse, and says why"},
    {0},
};

static const struct entry_spec mode_entries[] = {
    TO,
    {"Source", ENTRY_PLACE, .hint = NULL},
    {"Mode", ENTRY_LINE, AT(order.mode), .required = true,
     .hint = "in which mode it works from now on; Tab completes", .complete = complete_mode},
    CONFIRM(is_unguarded, "the name in To once more: nobody is asked any more"),
    {0},
};

static const struct entry_spec assign_entries[] = {
    TO,
    {"Source", ENTRY_PLACE, .hint = NULL},
    {"Task", ENTRY_LINE, AT(order.task), .required = true,
     .hint = "its number in the list of the team"},
    {"Subject", ENTRY_LINE, AT(subject), .required = true},
    {"Body", ENTRY_TEXT, AT(body), .wide = true, .hint = "all of it"},
    {0},
};

static const struct entry_spec rules_entries[] = {
    {"To", ENTRY_LINE, AT(to), .required = true,
     .hint = "a team, or agents with commas between; Tab completes", .complete = complete_recipient,
     .commas = true},
    {"Source", ENTRY_PLACE, .hint = NULL},
    {"Tool", ENTRY_LINE, AT(order.tool), .required = true, .hint = "such as Bash"},
    {"Rules", ENTRY_ITEMS, AT(order.rules), .hint = NULL},
    {"Behavior", ENTRY_LINE, AT(order.behavior), .required = true, .hint = "allow, deny or ask",
     .complete = complete_behavior},
    {"Directory", ENTRY_LINE, AT(order.directory), .required = true, .files = true,
     .hint = "that it is about"},
    CONFIRM(is_team_allowed, "the name in To once more: all of them may, without asking"),
    {0},
};

static const struct entry_spec escalate_entries[] = {
    {"Level", ENTRY_LINE, AT(order.level), .required = true, .hint = "coo or ceo",
     .complete = complete_level},
    {"To", ENTRY_LINE, AT(to), .hint = "empty: by the level", .complete = form_complete_agents,
     .commas = true},
    {"Source", ENTRY_PLACE, .hint = NULL},
    {"Subject", ENTRY_LINE, AT(subject), .required = true},
    {"Reason", ENTRY_TEXT, AT(order.reason), .required = true, .hint = "why it is escalated"},
    {"Id", ENTRY_LINE, AT(order.id), .hint = "ESC-...; empty: a new one"},
    {"Priority", ENTRY_PRIORITY, AT(priority), .shown = is_priority_open},
    {"Body", ENTRY_TEXT, AT(body), .wide = true, .hint = "all of it"},
    {0},
};

#define ORDER(Name, Word, Nobody, Entries)                                                         \
    [LEAD_##Name] = {FORM_##Name,                                                                  \
                     (Entries),                                                                    \
                     lead_title,                                                                   \
                     .places = lead_places,                                                        \
                     .warn = lead_warn,                                                            \
                     .is_order = true,                                                             \
                     .verb = LEAD_##Name,                                                          \
                     .means = VERB_##Name,                                                         \
                     .action = ACTION_##Name,                                                      \
                     .word = (Word),                                                               \
                     .nobody = (Nobody)}

const struct form_spec lead_specs[LEAD_VERBS] = {
    ORDER(SHUTDOWN, "SHUTDOWN of", "an agent", shutdown_entries),
    ORDER(MODE, "MODE of", "an agent", mode_entries),
    ORDER(ASSIGN, "TASK for", "an agent", assign_entries),
    ORDER(RULES, "RULES for", "a team", rules_entries),
    ORDER(ESCALATE, "ESCALATION to", "who stands above", escalate_entries),
};

/* --- broadcasts --- */

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
        size_t count =
            count_members(form->screen.ui, source ? source->index : STORE_ANY, team, true);
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
    struct ui *ui = form->screen.ui;
    struct span team = span_trim(form_written(form, AT(team)));

    for (uint32_t i = 0; i < ui_source_count(ui); i++)
        if (is_everybody(form) || count_members(ui, i, team, true))
            form_add_place(form, i, (struct span){0});
}

static void broadcast_warn(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;
    struct span team = span_trim(form_written(form, AT(team)));

    if (is_everybody(form))
        form_warn(form, "all agents of this source get it");
    else if (team.len && !form_is_in(form, AT(team)) && ui_picture(ui)->ready &&
             !count_members(ui, STORE_ANY, team, true))
        form_warn(form, "no roster has a team \"%.*s\"", (int)team.len, team.at);
}

static void complete_member(struct form_screen *form, struct completion *completion)
{
    struct span team = span_trim(form_written(form, AT(team)));
    struct roster_walk walk = {0};
    const struct agent_name *name;

    while ((name = next_name(form->screen.ui, &walk)))
        if (name->on_roster && (is_everybody(form) || (name->team.len && is_of(name, team))))
            complete_add(completion, name->name, name->team, 0);
}

static const struct entry_spec broadcast_entries[] = {
    {"Team", ENTRY_LINE, AT(team), .required = true, .shown = is_one_team,
     .hint = "who gets it; Tab completes", .complete = add_teams},
    {"Everybody", ENTRY_SWITCH, AT(everybody), .hint = "all teams"},
    {"Source", ENTRY_PLACE, .hint = NULL},
    {"Exclude", ENTRY_ITEMS, AT(exclude), .shown = can_exclude, .complete = complete_member},
    SUBJECT,
    {"Priority", ENTRY_PRIORITY, AT(priority), .hint = NULL},
    {"Body", ENTRY_TEXT, AT(body), .required = true, .wide = true},
    {0},
};

const struct form_spec broadcast_spec = {FORM_BROADCAST, broadcast_entries, broadcast_title,
                                         .places = broadcast_places, .warn = broadcast_warn};

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
    struct roster_walk walk = {0};
    const struct agent_name *name;
    struct span first = {0}; /* the first team */
    size_t count = 0;        /* number of different teams, as far as they differ from the first */
    CLEANUP(message_actions_free) struct targets acting = {0};
    CLEANUP(arena_free) struct arena arena = {0};

    while ((name = next_name(ui, &walk))) {
        if (!name->team.len || (count && is_of(name, first)))
            continue;
        if (!count++)
            first = name->team;
    }
    message_actions_targets(ui, &acting);
    fields.team = span_trim(team);
    if (!fields.team.len && count == 1)
        fields.team = first;
    if (!fields.team.len)
        fields.team = selected_team(ui, &acting);
    fields.everybody = !fields.team.len && !count && ui_picture(ui)->world;
    compose_start(ui, CONFIG_USE_BROADCAST, &(struct config_words){.agent = fields.team}, &fields,
                  &arena);
    if (fields.to.len && !fields.team.len) /* from a template */
        fields.team = fields.to;
    fields.to = (struct span){0};
    form_open(ui, &broadcast_spec, &fields);
}
