/* Handing work over: the table of the form, and how it opens. */
#include "ui/compose/handoff_form.h"

#include "mail/handoff/prefill.h"
#include "ui/acting.h"
#include "ui/compose/form_tables.h"
#include "ui/compose/writing.h"
#include "ui/snapshot/names.h"

/* --- the form --- */

/* HANDOFF from infra-4 (STUCK? 19m: silent since "no disk left") */
static void title(struct form_screen *form, struct str *out)
{
    struct ui *ui = form_ui(form);
    struct span from = span_trim(form_written(form, AT(from)));
    const struct agent *agent = names_find_agent(ui, from, NULL);

    str_puts(out, "HANDOFF from ");
    if (from.len)
        str_add_span(out, from);
    else
        str_puts(out, "you");
    if (!agent)
        return;
    str_addf(out, " (%s", agent_state_name(agent->state));
    if (agent->since_us != WHEN_NONE) {
        str_putc(out, ' ');
        when_add_age(out, ui_now(ui) - agent->since_us);
    }
    str_puts(out, ": ");
    aging_add(out, agent->why, &agent->why_ages, ui_now(ui));
    str_putc(out, ')');
}

static void places(struct form_screen *form)
{
    form_find_agents(form, form_written(form, AT(to)));
}

static void warn(struct form_screen *form)
{
    struct ui *ui = form_ui(form);
    struct span from = span_trim(form_written(form, AT(from))),
                to = span_trim(form_written(form, AT(to)));
    const struct agent *giver = names_find_agent(ui, from, NULL),
                       *taker = names_find_agent(ui, to, NULL);

    writing_warn_of(form);
    if (from.len && !giver && ui_picture(ui)->ready && !form_is_in(form, AT(from)))
        form_warn(form, "nobody is called \"%.*s\"", (int)from.len, from.at);
    if (to.len && (span_eq(from, to) || (giver && giver == taker)))
        form_warn(form, "it goes to the agent whose work it is");
    else if (taker && (taker->state == AGENT_STUCK || taker->state == AGENT_WAITS_YOU))
        form_warn(form, "%.*s is %s itself", (int)to.len, to.at, agent_state_name(taker->state));
}

/* Who gives the work away does not take it. */
static void complete_to(struct form_screen *form, struct span before, size_t *from,
                        struct completion *completion)
{
    (void)before;
    *from = 0;
    form_add_agents(form,
                    names_find_agent(form_ui(form), span_trim(form_written(form, AT(from))), NULL),
                    completion);
}

static const struct entry *entry_at(const struct form_screen *form, size_t at)
{
    for (size_t i = 0; i < form->count; i++)
        if (form->entries[i].spec->at == at)
            return &form->entries[i];
    return NULL;
}

static bool can_be_quoted(struct form_screen *form)
{
    return form_written(form, AT(body)).len > 0;
}

static bool is_quoted(struct form_screen *form)
{
    return entry_at(form, AT(quote))->on && can_be_quoted(form);
}

static const struct entry_spec entries[] = {
    {.label = "From",
     .kind = ENTRY_LINE,
     .at = AT(from),
     .hint = "whose work it is; empty: yours",
     .complete = form_complete_agents},
    {.label = "To",
     .kind = ENTRY_LINE,
     .at = AT(to),
     .required = true,
     .hint = "who takes it over; Tab completes, idle ones first",
     .complete = complete_to},
    PLACE,
    SUBJECT,
    {.label = "Done",
     .kind = ENTRY_TEXT,
     .at = AT(handoff.work_completed),
     .required = true,
     .hint = "what was done"},
    {.label = "State",
     .kind = ENTRY_TEXT,
     .at = AT(handoff.current_state),
     .required = true,
     .hint = "how it stands now"},
    {.label = "Next", .kind = ENTRY_ITEMS, .at = AT(handoff.next_steps), .required = true},
    {.label = "Blockers", .kind = ENTRY_ITEMS, .at = AT(handoff.blockers)},
    {.label = "Modified", .kind = ENTRY_ITEMS, .at = AT(handoff.files_modified), .files = true},
    {.label = "Created", .kind = ENTRY_ITEMS, .at = AT(handoff.files_created), .files = true},
    {.label = "State file", .kind = ENTRY_LINE, .at = AT(handoff.state_file), .files = true},
    {.label = "Depends on", .kind = ENTRY_ITEMS, .at = AT(handoff.dependencies)},
    {.label = "Escalated", .kind = ENTRY_ITEMS, .at = AT(handoff.related_escalations)},
    {.label = "Job", .kind = ENTRY_LINE, .at = AT(handoff.job_id)},
    PRIORITY,
    {.label = "Notes", .kind = ENTRY_TEXT, .at = AT(handoff.notes)},
    {.label = "Quote",
     .kind = ENTRY_SWITCH,
     .at = AT(quote),
     .shown = can_be_quoted,
     .hint = "last 3 messages, below the notes"},
    {.label = "Quoted", .kind = ENTRY_TEXT, .at = AT(body), .shown = is_quoted, .wide = true},
    END,
};

/* --- what is sent --- */

static void add_quote(struct handoff *handoff, const struct form_filling *with)
{
    struct str notes = {0};

    if (!with->fields->quote || !with->fields->body.len)
        return;
    str_add_span(&notes, handoff->notes);
    str_puts(&notes, notes.len ? "\n\n" : "");
    str_add_span(&notes, with->fields->body);
    handoff->notes = arena_copy(with->arena, str_span(&notes));
    str_free(&notes);
}

/* A thread is known only where it is. */
static bool stays_there(const struct draft_fields *fields)
{
    return !fields->root.len || (span_eq(fields->about.root, fields->root) &&
                                 span_eq(fields->about.format, fields->format));
}

/* It is the person who sends it: answers come here, not to the agent that could not go on. */
static bool fill(struct draft *draft, const struct form_filling *with, struct err *err)
{
    const struct format *format =
        with->fields->format.len ? format_find(with->fields->format) : NULL;
    struct handoff *handoff = arena_alloc(with->arena, sizeof *handoff);

    (void)err;
    *handoff = format && !(format->fields & FIELD_HANDOFF)
                   ? handoff_fold(&with->fields->handoff, with->arena)
                   : with->fields->handoff;
    add_quote(handoff, with);
    handoff->additional_notes = handoff->notes; /* there is one field for both */
    draft->handoff = handoff;
    draft->giver = span_trim(with->fields->from);
    draft->from = (struct span){0};
    draft->body = span_of("");
    if (!stays_there(with->fields))
        draft->thread = (struct span){0};
    return true;
}

const struct form_spec handoff_spec = {.form = FORM_HANDOFF,
                                       .entries = entries,
                                       .title = title,
                                       .places = places,
                                       .warn = warn,
                                       .fill = fill};

/* --- opening --- */

/* The last that somebody else wrote, else the last. */
static const struct message *last_of(struct ui *ui, const struct acting *acting)
{
    const struct message *best = NULL;

    for (size_t i = 0; i < acting->keys.count; i++) {
        const struct message *message = picture_find(ui_picture(ui), acting->keys.items[i]);
        if (!message || message->damaged)
            continue;
        if (!best || (best->by_us && !message->by_us) ||
            (best->by_us == message->by_us && message_cmp_time(message, best) >= 0))
            best = message;
    }
    return best;
}

static const struct agent *selected_agent(struct ui *ui, const struct acting *acting)
{
    const struct agents *agents = &ui_picture(ui)->sight.agents;

    for (size_t i = 0; acting->agent.len && i < agents->count; i++)
        if (agents->items[i].source == acting->agent_source &&
            names_is_called(ui, &agents->items[i], acting->agent))
            return &agents->items[i];
    return NULL;
}

/* Who wrote it or, where that was the person, who got it. */
static const struct agent *agent_of(struct ui *ui, struct handing *handing)
{
    uint32_t parts[WHO_PARTS];

    who_of_message(ui_who(ui), handing->about, parts);
    uint32_t number = handing->about->by_us ? parts[WHO_TO] : parts[WHO_FROM];
    return number == AGENT_NONE ? NULL : &ui_picture(ui)->sight.agents.items[number];
}

static void set_home(struct ui *ui, struct draft_fields *fields, const struct agent *agent)
{
    const struct source *source = ui_source(ui, agent->source);

    fields->format = span_of(source->format->name);
    fields->root = span_of(source->path);
    if (format_has_teams(source->format))
        fields->team = agent->team;
}

static void set_about(struct ui *ui, struct draft_fields *fields, const struct message *about)
{
    draft_fields_set_about(fields, ui_source(ui, about->place->source)->format->name, about);
    fields->thread = about->thread.len ? about->thread : about->id;
    fields->subject = prefill_subject(about->subject);
    if (about->priority)
        fields->priority = (enum priority)about->priority;
}

static void open_form(struct ui *ui, struct handing *handing, struct span name)
{
    struct draft_fields fields = draft_fields_new(FORM_HANDOFF);
    const struct agent *agent = handing->agent;
    struct arena arena = {0};
    struct str label = {0};

    str_add_span(&label, name);
    fields.quote = true;
    fields.quote_count = HANDOFF_QUOTED;
    if (handing->about)
        set_about(ui, &fields, handing->about);
    if (agent) {
        str_clear(&label);
        names_add(ui, &label, agent, false);
        set_home(ui, &fields, agent);
    }
    fields.from = arena_copy(&arena, str_span(&label));
    writing_start(ui, CONFIG_USE_HANDOFF,
                  &(struct config_words){.sender = fields.from, .subject = fields.subject}, &fields,
                  &arena);
    if (agent && agent->state == AGENT_STUCK)
        prefill_handoff(&fields.handoff,
                        &(struct prefill_input){.state = span_of(agent_state_name(agent->state)),
                                                .why = agent->why},
                        &arena);
    if (form_open(ui, &handoff_spec, &fields))
        handoff_read(ui, handing, &fields);
    draft_fields_free(&fields);
    arena_free(&arena);
    str_free(&label);
}

void handoff_open(struct ui *ui, struct span name)
{
    struct acting acting;
    struct handing handing = {0};

    name = span_trim(name);
    acting_targets(ui, &acting);
    if (name.len) {
        handing.agent = names_find_agent(ui, name, NULL);
    } else {
        handing.about = last_of(ui, &acting);
        handing.agent = selected_agent(ui, &acting);
        if (!handing.agent && handing.about)
            handing.agent = agent_of(ui, &handing);
        if (!handing.agent && handing.about && !handing.about->by_us)
            name = handing.about->from;
    }
    if (name.len && !handing.agent && !handing.about)
        ui_say(ui, LOOK_ERROR, "no agent is called \"%.*s\"", (int)name.len, name.at);
    else if (acting.tagged && acting.keys.count > 1 && !handing.agent)
        ui_say(ui, LOOK_WARNING, "a handoff is about one conversation, and several are tagged");
    else
        open_form(ui, &handing, name);
    acting_free(&acting);
}
