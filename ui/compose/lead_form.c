/* Lead commands: the forms and their tables. */
#include "ui/compose/lead_form.h"

#include "mail/protocol/lead_command.h"
#include "ui/compose/compose.h"
#include "ui/compose/form_private.h"
#include "ui/message_actions.h"
#include "ui/snapshot/agent_names.h"

/* --- opening a form --- */

static void set_home(struct ui *ui, struct draft_fields *fields, uint32_t source)
{
    if (source == STORE_ANY)
        return;
    fields->format = span_of(ui_source(ui, source)->format->name);
    fields->root = span_of(ui_source(ui, source)->path);
}

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
        set_home(ui, fields, acting->agent_source);
    } else if (message && !message->by_us) {
        fields->to = message->from;
        fields->team = message->place->team;
        set_home(ui, fields, message->place->source);
    }
}

static void open_form(struct ui *ui, const struct form_spec *spec, struct span argument)
{
    CLEANUP(draft_fields_free) struct draft_fields fields = draft_fields_new(spec->form);
    CLEANUP(message_actions_free) struct targets acting = {0};

    message_actions_targets(ui, &acting);
    take_argument(&fields, span_trim(argument));
    if (!fields.to.len && spec != &escalate_spec) /* an escalation is addressed by its level */
        take_selected(ui, &fields, &acting);
    form_open(ui, spec, &fields);
}

bool lead_form_act(struct ui *ui, enum action action, struct span argument)
{
    static const struct {
        enum action action;
        const struct form_spec *spec;
    } table[] = {{ACTION_SHUTDOWN, &shutdown_spec},
                 {ACTION_MODE, &mode_spec},
                 {ACTION_ASSIGN, &assign_spec},
                 {ACTION_RULES, &rules_spec},
                 {ACTION_ESCALATE, &escalate_spec}};

    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        if (table[i].action != action)
            continue;
        open_form(ui, table[i].spec, argument);
        return true;
    }
    return false;
}

/* --- teams --- */

static bool is_of(const struct agent_name *name, struct span team)
{
    return team.len && (span_eq(name->team, team) || span_eq(name->team_title, team));
}

static bool has_team(struct ui *ui, uint32_t source, struct span team)
{
    const struct agent_directory *world = ui_picture(ui)->world;

    for (size_t i = 0; world && source < world->source_count && i < world->names[source].count; i++)
        if (is_of(&world->names[source].items[i], team))
            return true;
    return false;
}

static bool is_team(struct ui *ui, struct span name)
{
    for (uint32_t i = 0; i < ui_source_count(ui); i++)
        if (has_team(ui, i, name))
            return true;
    return false;
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
    struct ui *ui = form_ui(form);
    struct span rest = form_written(form, AT(to)), name;

    while (is_allowed(form) && form_next_name(&rest, &name))
        if (is_team(ui, name) || !agent_names_is_agent(ui, name))
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
    static const char *const words[LEAD_VERBS] = {[LEAD_SHUTDOWN] = "SHUTDOWN of",
                                                  [LEAD_MODE] = "MODE of",
                                                  [LEAD_ASSIGN] = "TASK for",
                                                  [LEAD_RULES] = "RULES for",
                                                  [LEAD_ESCALATE] = "ESCALATION to"};
    struct span to = span_trim(form_written(form, AT(to)));
    const struct source *source = form_source(form);

    str_addf(out, "%s %.*s", words[form->spec->verb], (int)to.len, to.len ? to.at : "");
    if (!to.len)
        str_puts(out, form->spec == &rules_spec      ? "a team"
                      : form->spec == &escalate_spec ? "who stands above"
                                                     : "an agent");
    if (source)
        str_addf(out, "  in %s", source->format->title);
}

static void lead_places(struct form_screen *form)
{
    struct ui *ui = form_ui(form);
    struct span to = form_written(form, AT(to));

    for (uint32_t i = 0; form->spec == &rules_spec && i < ui_source_count(ui); i++)
        if (has_team(ui, i, span_trim(to)))
            form_add_place(form, i, (struct span){0});
    if (!form_target_count(form))
        form_find_agents(form, to);
}

static void warn_of_means(struct form_screen *form)
{
    static const enum verb verbs[LEAD_VERBS] = {[LEAD_SHUTDOWN] = VERB_SHUTDOWN,
                                                [LEAD_MODE] = VERB_MODE,
                                                [LEAD_ASSIGN] = VERB_ASSIGN,
                                                [LEAD_RULES] = VERB_RULES,
                                                [LEAD_ESCALATE] = VERB_ESCALATE};
    const struct source *source = form_source(form);

    if (!source || !span_trim(form_written(form, AT(to))).len)
        return;
    if (source->format->verbs[verbs[form->spec->verb]].ability == ABILITY_NONE)
        form_warn(form, "%s has no way for it", source->format->title);
    if (source->format->verbs[verbs[form->spec->verb]].ability == ABILITY_CONVENTION)
        form_warn(form, "no program enforces it there");
}

static void lead_warn(struct form_screen *form)
{
    struct span mode = span_trim(form_written(form, AT(order.mode)));
    struct err err;

    warn_of_means(form);
    if (form->spec != &rules_spec)
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
static void complete_mode(struct form_screen *form, struct span before, size_t *from,
                          struct completion *completion)
{
    const char *const *modes = lead_modes();

    (void)form;
    (void)before;
    *from = 0;
    for (int i = 0; modes[i]; i++) {
        bool last = lead_mode_is_unguarded(span_of(modes[i]));
        complete_add(completion, span_of(modes[i]), span_of(last ? "asks nobody" : "mode"), last);
    }
}

static void complete_behavior(struct form_screen *form, struct span before, size_t *from,
                              struct completion *completion)
{
    const char *const *behaviors = lead_behaviors();

    (void)form;
    (void)before;
    *from = 0;
    for (int i = 0; behaviors[i]; i++)
        complete_add(completion, span_of(behaviors[i]), (struct span){0},
                     strcmp(behaviors[i], "allow") == 0);
}

static void complete_level(struct form_screen *form, struct span before, size_t *from,
                           struct completion *completion)
{
    (void)form;
    (void)before;
    *from = 0;
    for (int i = 0; i < ESCALATION_LEVELS; i++)
        complete_add(completion, span_of(escalation_routes[i].word),
                     span_of(escalation_routes[i].to), i);
}

static void complete_team(struct form_screen *form, struct span before, size_t *from,
                          struct completion *completion)
{
    const struct agent_directory *world = ui_picture(form_ui(form))->world;

    form_complete_agents(form, before, from, completion);
    for (uint32_t i = 0; world && i < world->source_count; i++)
        for (size_t k = 0; k < world->names[i].count; k++)
            if (world->names[i].items[k].team.len && world->names[i].items[k].on_roster)
                complete_add(completion, world->names[i].items[k].team, span_of("team"), 0);
}

/* --- the tables --- */

#define CONFIRM(When, Hint)                                                                        \
    {                                                                                              \
        .label = "Confirm", .kind = ENTRY_LINE, .at = AT(order.confirm), .required = true,         \
        .shown = (When), .hint = (Hint)                                                            \
    }

static const struct entry_spec shutdown_entries[] = {
    TO,
    PLACE,
    {.label = "Reason",
     .kind = ENTRY_TEXT,
     .at = AT(order.reason),
     .hint = "why it is to stop; it may refuse, and says why"},
    END,
};

static const struct entry_spec mode_entries[] = {
    TO,
    PLACE,
    {.label = "Mode",
     .kind = ENTRY_LINE,
     .at = AT(order.mode),
     .required = true,
     .hint = "in which mode it works from now on; Tab completes",
     .complete = complete_mode},
    CONFIRM(is_unguarded, "the name in To once more: nobody is asked any more"),
    END,
};

static const struct entry_spec assign_entries[] = {
    TO,
    PLACE,
    {.label = "Task",
     .kind = ENTRY_LINE,
     .at = AT(order.task),
     .required = true,
     .hint = "its number in the list of the team"},
    {.label = "Subject", .kind = ENTRY_LINE, .at = AT(subject), .required = true},
    {.label = "Body", .kind = ENTRY_TEXT, .at = AT(body), .wide = true, .hint = "all of it"},
    END,
};

static const struct entry_spec rules_entries[] = {
    {.label = "To",
     .kind = ENTRY_LINE,
     .at = AT(to),
     .required = true,
     .hint = "a team, or agents with commas between; Tab completes",
     .complete = complete_team},
    PLACE,
    {.label = "Tool",
     .kind = ENTRY_LINE,
     .at = AT(order.tool),
     .required = true,
     .hint = "such as Bash"},
    {.label = "Rules", .kind = ENTRY_ITEMS, .at = AT(order.rules)},
    {.label = "Behavior",
     .kind = ENTRY_LINE,
     .at = AT(order.behavior),
     .required = true,
     .hint = "allow, deny or ask",
     .complete = complete_behavior},
    {.label = "Directory",
     .kind = ENTRY_LINE,
     .at = AT(order.directory),
     .required = true,
     .files = true,
     .hint = "that it is about"},
    CONFIRM(is_team_allowed, "the name in To once more: all of them may, without asking"),
    END,
};

static const struct entry_spec escalate_entries[] = {
    {.label = "Level",
     .kind = ENTRY_LINE,
     .at = AT(order.level),
     .required = true,
     .hint = "coo or ceo",
     .complete = complete_level},
    {.label = "To",
     .kind = ENTRY_LINE,
     .at = AT(to),
     .hint = "empty: by the level",
     .complete = form_complete_agents},
    PLACE,
    {.label = "Subject", .kind = ENTRY_LINE, .at = AT(subject), .required = true},
    {.label = "Reason",
     .kind = ENTRY_TEXT,
     .at = AT(order.reason),
     .required = true,
     .hint = "why it is escalated"},
    {.label = "Id", .kind = ENTRY_LINE, .at = AT(order.id), .hint = "ESC-...; empty: a new one"},
    {.label = "Priority", .kind = ENTRY_PRIORITY, .at = AT(priority), .shown = is_priority_open},
    {.label = "Body", .kind = ENTRY_TEXT, .at = AT(body), .wide = true, .hint = "all of it"},
    END,
};

#define ORDER(Form, Verb, Entries)                                                                 \
    {                                                                                              \
        .form = (Form), .entries = (Entries), .title = lead_title, .places = lead_places,          \
        .warn = lead_warn, .is_order = true, .verb = (Verb)                                        \
    }

const struct form_spec shutdown_spec = ORDER(FORM_SHUTDOWN, LEAD_SHUTDOWN, shutdown_entries);
const struct form_spec mode_spec = ORDER(FORM_MODE, LEAD_MODE, mode_entries);
const struct form_spec assign_spec = ORDER(FORM_ASSIGN, LEAD_ASSIGN, assign_entries);
const struct form_spec escalate_spec = ORDER(FORM_ESCALATE, LEAD_ESCALATE, escalate_entries);
const struct form_spec rules_spec = ORDER(FORM_RULES, LEAD_RULES, rules_entries);
