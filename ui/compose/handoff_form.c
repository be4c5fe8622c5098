/* Handing work over: the form, its table, and how it opens. */
#include "ui/compose/handoff_form.h"

#include "base/mem.h"
#include "mail/handoff/handoff_prefill.h"
#include "mail/message/kind.h"
#include "ui/compose/compose.h"
#include "ui/compose/form.h"
#include "ui/message_actions.h"
#include "ui/snapshot/agent_names.h"

#include <stdlib.h>

/* The agent whose work is handed over, and the message it is about, in the present snapshot. */
struct handing {
    const struct agent *agent;   /* NULL: unknown agent */
    const struct message *about; /* NULL: all of the agent's work */
};

/* --- reading earlier messages, while the form is already open --- */

/* Most messages read: the last ones of the conversation, of the agent, and of the handoffs to and
 * from it. */
enum { CONVERSATION_MOST = 24, OWN_MOST = 16, HANDOFFS_MOST = 8 };

struct reading {
    struct ui_task task;
    struct arena arena;
    struct reading_head {
        struct message message;
        struct batch batch;
        bool quotable; /* it is in the conversation or, without one, from the agent */
    } * heads;         /* oldest first */
    size_t count, cap;
    struct draft_fields fields;
    struct span_list names;
    struct span state, why;
    struct span_list absent; /* files that do not exist */
};

/* --- choosing the messages --- */

/* Adds a message, once. */
static void add_head(struct reading *reading, const struct sight *sight,
                     const struct conversation *conversation, uint32_t number)
{
    const struct conversations *all = &sight->conversations;
    const struct message *message = sight->model->messages[number];

    for (size_t i = 0; i < reading->count; i++)
        if (message_cmp_place(&reading->heads[i].message, message) == 0)
            return;
    struct reading_head *head = mem_push(reading->heads, reading->count, reading->cap);
    *head = (struct reading_head){
        .quotable = conversation ? all->of[number] == (uint32_t)(conversation - all->items)
                                 : span_list_has(&reading->names, message->from)};
    message_keep(&head->message, message, &reading->arena);
}

struct newest {
    uint32_t numbers[OWN_MOST];
    size_t count;
};

/* Keeps the newest messages of a kind, at most `most`. The model has no order. */
static void keep_newest(struct newest *newest, const struct model *model, uint32_t number,
                        size_t most)
{
    size_t oldest = 0;

    if (newest->count < most) {
        newest->numbers[newest->count++] = number;
        return;
    }
    for (size_t i = 1; i < newest->count; i++)
        if (message_cmp_time(model->messages[newest->numbers[i]],
                             model->messages[newest->numbers[oldest]]) < 0)
            oldest = i;
    if (message_cmp_time(model->messages[number], model->messages[newest->numbers[oldest]]) > 0)
        newest->numbers[oldest] = number;
}

static void add_mail(struct reading *reading, struct ui *ui,
                     const struct conversation *conversation, uint32_t agent)
{
    const struct sight *sight = &ui_picture(ui)->sight;
    const struct model *model = sight->model;
    struct newest own = {.count = 0}, handoffs = {.count = 0};
    uint32_t parts[AGENT_PARTS];

    for (uint32_t i = 0; i < model->count; i++) {
        agent_index_of_message(ui_agents(ui), model->messages[i], parts);
        bool from = parts[AGENT_FROM] == agent, to = parts[AGENT_TO] == agent;
        if (model->messages[i]->kind == KIND_HANDOFF && (from || to))
            keep_newest(&handoffs, model, i, HANDOFFS_MOST);
        else if (from)
            keep_newest(&own, model, i, OWN_MOST);
    }
    for (size_t i = 0; i < own.count; i++)
        add_head(reading, sight, conversation, own.numbers[i]);
    for (size_t i = 0; i < handoffs.count; i++)
        add_head(reading, sight, conversation, handoffs.numbers[i]);
}

static void add_conversation(struct reading *reading, const struct sight *sight,
                             const struct conversation *conversation)
{
    uint32_t count = conversation->count;

    for (uint32_t i = count > CONVERSATION_MOST ? count - CONVERSATION_MOST : 0; i < count; i++)
        add_head(reading, sight, conversation, sight->conversations.order[conversation->first + i]);
}

static int compare_heads(const void *a, const void *b)
{
    return message_cmp_time(&((const struct reading_head *)a)->message,
                            &((const struct reading_head *)b)->message);
}

/* --- on the store's thread --- */

static void add_quotes(struct reading *reading, const struct message *const *messages)
{
    CLEANUP(mem_free) const struct message **said = mem_zero(reading->count + 1, sizeof *said);
    const struct message *last[HANDOFF_QUOTED];
    CLEANUP(str_free) struct str text = {0};
    size_t count = 0;

    for (size_t i = 0; i < reading->count; i++)
        if (reading->heads[i].quotable && messages[i]->data)
            said[count++] = messages[i];
    count = prefill_last(said, count, last, HANDOFF_QUOTED);
    if (count && !reading->fields.subject.len)
        reading->fields.subject =
            arena_copy(&reading->arena, prefill_subject(last[count - 1]->subject));
    for (size_t i = 0; i < count; i++) {
        str_puts(&text, i ? "\n" : "");
        compose_quote(&text, last[i], false);
    }
    reading->fields.body = arena_copy(&reading->arena, span_trim(str_span(&text)));
}

static void read_task_work(struct ui_task *task, struct store *store)
{
    struct reading *reading = (struct reading *)task;
    const struct message **messages = mem_zero(reading->count + 1, sizeof *messages);

    for (size_t i = 0; i < reading->count; i++) {
        struct err ignored; /* a message that vanished adds nothing */
        const struct message *whole =
            store_fetch(store, &reading->heads[i].message, &reading->heads[i].batch, &ignored);
        messages[i] = whole ? whole : &reading->heads[i].message;
    }
    prefill_handoff(&reading->fields.handoff,
                    &(struct prefill_input){.messages = messages,
                                            .count = reading->count,
                                            .names = reading->names,
                                            .state = reading->state,
                                            .why = reading->why},
                    &reading->arena);
    add_quotes(reading, messages);
    form_add_absent(&reading->absent, &reading->fields);
    free(messages);
}

static void read_task_done(struct ui_task *task, struct ui *ui)
{
    struct reading *reading = (struct reading *)task;

    form_refill(form_of(ui_screen(ui, task->screen)), &reading->fields, &reading->absent);
}

static void reading_free(struct ui_task *task)
{
    struct reading *reading = (struct reading *)task;

    for (size_t i = 0; i < reading->count; i++)
        batch_free(&reading->heads[i].batch);
    free(reading->heads);
    draft_fields_free(&reading->fields);
    span_list_free(&reading->names);
    span_list_free(&reading->absent);
    arena_free(&reading->arena);
    free(reading);
}

/* Begins to read earlier messages, and updates the form on top, which was opened with these fields,
 * when that is done. */
static void handoff_read(struct ui *ui, struct handing *handing, const struct draft_fields *fields)
{
    struct reading *reading = mem_zero(1, sizeof *reading);
    const struct sight *sight = &ui_picture(ui)->sight;
    const struct conversation *conversation =
        handing->about ? picture_conversation_of(ui_picture(ui), handing->about) : NULL;
    const struct agent *agent = handing->agent;

    reading->task = (struct ui_task){.work = read_task_work,
                                     .done = read_task_done,
                                     .free = reading_free,
                                     .screen = ui_top(ui)->id};
    draft_fields_copy(&reading->fields, fields, &reading->arena);
    if (agent) {
        if (agent->state == AGENT_STUCK) { /* other states are not for the recipient */
            reading->state = span_of(agent_state_name(agent->state));
            reading->why = arena_copy(&reading->arena, agent->why);
        }
        span_list_add(&reading->names, arena_copy(&reading->arena, agent->name));
        span_list_copy(&reading->names, &agent->names, &reading->arena);
        add_mail(reading, ui, conversation, (uint32_t)(agent - sight->agents.items));
    } else if (fields->from.len) {
        span_list_add(&reading->names, arena_copy(&reading->arena, fields->from));
    }
    if (conversation)
        add_conversation(reading, sight, conversation);
    if (reading->count)
        qsort(reading->heads, reading->count, sizeof *reading->heads, compare_heads);
    ui_begin(ui, UI_READ, &reading->task);
}

/* --- the form --- */

/* Appends, for example: HANDOFF from infra-4 (STUCK? 19m: silent since "no disk left") */
static void form_title(struct form_screen *form, struct str *out)
{
    struct ui *ui = form->screen.ui;
    struct span from = span_trim(form_written(form, AT(from)));
    const struct agent *agent = agent_names_find(ui, from, NULL);

    str_puts(out, "HANDOFF from ");
    if (from.len)
        str_add_span(out, from);
    else
        str_puts(out, "you");
    if (!agent)
        return;
    str_addf(out, " (%s", agent_state_name(agent->state));
    if (agent->since_us != TIME_NONE) {
        str_putc(out, ' ');
        time_add_age(out, ui_now(ui) - agent->since_us);
    }
    str_puts(out, ": ");
    relative_time_add(out, agent->why, &agent->why_ages, ui_now(ui));
    str_putc(out, ')');
}

static void handoff_warn(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;
    struct span from = span_trim(form_written(form, AT(from))),
                to = span_trim(form_written(form, AT(to)));
    const struct agent *giver = agent_names_find(ui, from, NULL),
                       *taker = agent_names_find(ui, to, NULL);

    compose_warn_of(form);
    if (from.len && !giver && ui_picture(ui)->ready && !form_is_in(form, AT(from)))
        form_warn(form, "nobody is called \"%.*s\"", (int)from.len, from.at);
    if (to.len && (span_eq(from, to) || (giver && giver == taker)))
        form_warn(form, "it goes to the agent whose work it is");
    else if (taker && (taker->state == AGENT_STUCK || taker->state == AGENT_WAITS_YOU))
        form_warn(form, "%.*s is %s itself", (int)to.len, to.at, agent_state_name(taker->state));
}

/* Completes all agents but the one that gives the work away. */
static void complete_to(struct form_screen *form, struct completion *completion)
{
    form_add_agents(
        form, agent_names_find(form->screen.ui, span_trim(form_written(form, AT(from))), NULL),
        completion);
}

static bool can_be_quoted(struct form_screen *form)
{
    return form_written(form, AT(body)).len > 0;
}

static bool is_quoted(struct form_screen *form)
{
    return form_entry(form, AT(quote))->on && can_be_quoted(form);
}

static const struct entry_spec entries[] = {
    {"From", ENTRY_LINE, AT(from), .hint = "whose work it is; empty: yours",
     .complete = form_complete_agents, .commas = true},
    {"To", ENTRY_LINE, AT(to), .required = true,
     .hint = "who takes it over; Tab completes, idle ones first", .complete = complete_to},
    {"Source", ENTRY_PLACE, .hint = NULL},
    SUBJECT,
    {"Done", ENTRY_TEXT, AT(handoff.work_completed), .required = true, .hint = "what was done"},
    {"State", ENTRY_TEXT, AT(handoff.current_state), .required = true, .hint = "how it stands now"},
    {"Next", ENTRY_ITEMS, AT(handoff.next_steps), .required = true},
    {"Blockers", ENTRY_ITEMS, AT(handoff.blockers), .hint = NULL},
    {"Modified", ENTRY_ITEMS, AT(handoff.files_modified), .files = true},
    {"Created", ENTRY_ITEMS, AT(handoff.files_created), .files = true},
    {"State file", ENTRY_LINE, AT(handoff.state_file), .files = true},
    {"Depends on", ENTRY_ITEMS, AT(handoff.dependencies), .hint = NULL},
    {"Escalated", ENTRY_ITEMS, AT(handoff.related_escalations), .hint = NULL},
    {"Job", ENTRY_LINE, AT(handoff.job_id), .hint = NULL},
    {"Priority", ENTRY_PRIORITY, AT(priority), .hint = NULL},
    {"Notes", ENTRY_TEXT, AT(handoff.notes), .hint = NULL},
    {"Quote", ENTRY_SWITCH, AT(quote), .shown = can_be_quoted,
     .hint = "last 3 messages, below the notes"},
    {"Quoted", ENTRY_TEXT, AT(body), .shown = is_quoted, .wide = true},
    {0},
};

/* --- the draft --- */

static void add_quote(struct handoff *handoff, const struct form_filling *with)
{
    CLEANUP(str_free) struct str notes = {0};

    if (!with->fields->quote || !with->fields->body.len)
        return;
    str_add_span(&notes, handoff->notes);
    str_puts(&notes, notes.len ? "\n\n" : "");
    str_add_span(&notes, with->fields->body);
    handoff->notes = arena_copy(with->arena, str_span(&notes));
}

/* True if the handoff stays in the source of its conversation: the thread is unknown elsewhere. */
static bool stays_there(const struct draft_fields *fields)
{
    return !fields->root.len || (span_eq(fields->about.root, fields->root) &&
                                 span_eq(fields->about.format, fields->format));
}

/* Fills the draft. The person is the sender, so that answers arrive here and not at the agent that
 * could not go on. */
static bool handoff_fill(struct draft *draft, const struct form_filling *with, struct err *err)
{
    const struct format *format =
        with->fields->format.len ? format_find(with->fields->format) : NULL;
    struct handoff *handoff = arena_alloc(with->arena, sizeof *handoff);

    (void)err;
    *handoff = format && !(format->fields & FIELD_HANDOFF)
                   ? handoff_fold(&with->fields->handoff, with->arena)
                   : with->fields->handoff;
    add_quote(handoff, with);
    handoff->additional_notes = handoff->notes; /* the form has one field for both */
    draft->handoff = handoff;
    draft->giver = span_trim(with->fields->from);
    draft->from = (struct span){0};
    draft->body = span_of("");
    if (!stays_there(with->fields))
        draft->thread = (struct span){0};
    return true;
}

const struct form_spec handoff_spec = {FORM_HANDOFF,         entries,
                                       form_title,           .places = form_find_recipients,
                                       .warn = handoff_warn, .fill = handoff_fill};

/* --- opening --- */

/* Returns the last message of somebody else, else the last; NULL if there is none. */
static const struct message *last_of(struct ui *ui, const struct targets *acting)
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

static const struct agent *selected_agent(struct ui *ui, const struct targets *acting)
{
    const struct agents *agents = &ui_picture(ui)->sight.agents;

    for (size_t i = 0; acting->agent.len && i < agents->count; i++)
        if (agents->items[i].source == acting->agent_source &&
            agent_names_is_called(ui, &agents->items[i], acting->agent))
            return &agents->items[i];
    return NULL;
}

/* Returns the author or, if that is the person, the recipient; NULL if unknown. */
static const struct agent *agent_of(struct ui *ui, struct handing *handing)
{
    uint32_t parts[AGENT_PARTS];

    agent_index_of_message(ui_agents(ui), handing->about, parts);
    uint32_t number = handing->about->by_us ? parts[AGENT_TO] : parts[AGENT_FROM];
    return number == AGENT_NONE ? NULL : &ui_picture(ui)->sight.agents.items[number];
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
    CLEANUP(draft_fields_free) struct draft_fields fields = draft_fields_new(FORM_HANDOFF);
    const struct agent *agent = handing->agent;
    CLEANUP(arena_free) struct arena arena = {0};
    CLEANUP(str_free) struct str label = {0};

    str_add_span(&label, name);
    fields.quote = true;
    fields.quote_count = HANDOFF_QUOTED;
    if (handing->about)
        set_about(ui, &fields, handing->about);
    if (agent) {
        str_clear(&label);
        agent_names_add(ui, &label, agent, false);
        form_set_source(ui, &fields, agent->source);
        if (format_has_teams(ui_source(ui, agent->source)->format))
            fields.team = agent->team;
    }
    fields.from = arena_copy(&arena, str_span(&label));
    compose_start(ui, CONFIG_USE_HANDOFF,
                  &(struct config_words){.sender = fields.from, .subject = fields.subject}, &fields,
                  &arena);
    if (agent && agent->state == AGENT_STUCK)
        prefill_handoff(&fields.handoff,
                        &(struct prefill_input){.state = span_of(agent_state_name(agent->state)),
                                                .why = agent->why},
                        &arena);
    if (form_open(ui, &handoff_spec, &fields))
        handoff_read(ui, handing, &fields);
}

void handoff_open(struct ui *ui, struct span name)
{
    CLEANUP(message_actions_free) struct targets acting = {0};
    struct handing handing = {0};

    name = span_trim(name);
    message_actions_targets(ui, &acting);
    if (name.len) {
        handing.agent = agent_names_find(ui, name, NULL);
    } else {
        handing.about = last_of(ui, &acting);
        handing.agent = selected_agent(ui, &acting);
        if (!handing.agent && handing.about)
            handing.agent = agent_of(ui, &handing);
        if (!handing.agent && handing.about && !handing.about->by_us)
            name = handing.about->from;
    }
    if (name.len && !handing.agent && !handing.about)
        ui_info(ui, STYLE_ERROR, "no agent is called \"%.*s\"", (int)name.len, name.at);
    else if (acting.tagged && acting.keys.count > 1 && !handing.agent)
        ui_info(ui, STYLE_WARNING, "a handoff is about one conversation, and several are tagged");
    else
        open_form(ui, &handing, name);
}
