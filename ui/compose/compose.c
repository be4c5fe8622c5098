/* Writing: the forms of messages, and opening the form of an action with its first values. */
#include "ui/compose/compose.h"

#include "base/json/json.h"
#include "base/mem.h"
#include "mail/protocol/protocol.h"
#include "store/source/address.h"
#include "ui/compose/handoff_form.h"
#include "ui/mail/filter.h"
#include "ui/message_actions.h"
#include "ui/snapshot/agent_names.h"
#include "ui/ui_state.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>
#include <strings.h>

/* --- quotes --- */

static void add_quoted(struct str *out, struct span text)
{
    while (text.len) {
        const char *end = memchr(text.at, '\n', text.len);
        size_t len = end ? (size_t)(end - text.at) : text.len;
        str_puts(out, len ? "> " : ">");
        str_add(out, text.at, len);
        str_putc(out, '\n');
        text.at += end ? len + 1 : len;
        text.len -= end ? len + 1 : len;
    }
}

static void add_head(struct str *out, const char *label, struct span text)
{
    if (text.len)
        str_addf(out, "%s: %.*s\n", label, (int)text.len, text.at);
}

/* Appends the text of a message. A protocol message is put into words, since its bytes are for
 * programs. */
static void add_text(struct str *out, const struct message_data *data)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct protocol p = {0};

    if (data->protocol.len && protocol_parse(&p, data->protocol, &arena) &&
        p.kind != PROTOCOL_UNKNOWN)
        protocol_add_words(out, &p);
    else
        str_add_span(out, data->body);
}

void compose_quote(struct str *out, const struct message *message, bool with_head)
{
    CLEANUP(str_free) struct str head = {0};

    str_add_span(&head, message->from);
    if (message->created_us != TIME_NONE)
        time_add_format(&head, message->created_us, " wrote on %Y-%m-%d at %H:%M:%S");
    else
        str_puts(&head, " wrote");
    str_addf(out, "%s:\n", str_c(&head));
    str_clear(&head);
    if (with_head) {
        add_head(&head, "From", message->from);
        add_head(&head, "To", message_recipient(message));
        add_head(&head, "Subject", message->subject);
        add_head(&head, "Type", message->type);
        str_addf(&head, "Priority: %s\n", priority_name(message->priority));
        add_head(&head, "Id", message->id);
        str_putc(&head, '\n');
    }
    if (message->data && with_head)
        str_add_span(&head, message->data->body);
    else if (message->data)
        add_text(&head, message->data);
    add_quoted(out, str_span(&head));
}

/* --- conditions for entries --- */

/* True if an unknown agent is named. */
static bool is_new(struct form_screen *form)
{
    struct span rest = form_written(form, AT(to)), name;

    if (form_is_in(form, AT(to))) /* the name is being typed */
        return false;
    while (form_next_name(&rest, &name))
        if (!agent_names_is_agent(form->screen.ui, name))
            return ui_picture(form->screen.ui)->ready;
    return false;
}

static bool is_answered_mail(struct form_screen *form)
{
    const struct message *about = form_about(form);
    const struct source *source = form_source(form);

    return about && source && message_for_us(about) && !about->place->archived &&
           source->format->verbs[VERB_ARCHIVE].ability != ABILITY_NONE;
}

static bool can_be_quoted(struct form_screen *form)
{
    return form_about(form) != NULL;
}

/* --- warnings --- */

static void warn_of_recipients(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;
    struct span rest = form_written(form, AT(to)), name;

    if (form_is_in(form, AT(to)) || !ui_picture(ui)->ready)
        return;
    while (form_next_name(&rest, &name)) {
        const struct agent *agent = agent_names_find(ui, name, NULL);
        if (!agent && !form->fields.about.id.len)
            form_warn(form, "nobody is called \"%.*s\"", (int)name.len, name.at);
        else if (agent && agent->state == AGENT_GONE)
            form_warn(form, "%.*s is gone", (int)name.len, name.at);
    }
}

static void warn_of_request(struct form_screen *form)
{
    const struct message *about = form_about(form);

    if (about && about->requires_response && about->kind >= KIND_PLAN &&
        about->kind <= KIND_SHUTDOWN)
        form_warn(form, "words decide nothing: the request still waits");
}

void compose_warn_of(struct form_screen *form)
{
    struct span expires = span_trim(form_written(form, AT(expires)));
    int64_t lasts_us;

    warn_of_recipients(form);
    if (expires.len && (!time_duration(expires, &lasts_us) || !lasts_us))
        form_warn(form, "Expires takes 30m, 2h or 7d");
}

static void message_warn(struct form_screen *form)
{
    compose_warn_of(form);
    if (form->spec->form == FORM_REPLY)
        warn_of_request(form);
    if (!span_trim(form_written(form, AT(body))).len)
        form_warn(form, "no text yet");
}

/* --- titles --- */

static void compose_title(struct form_screen *form, struct str *out)
{
    const struct source *source = form_source(form);

    str_puts(out, "NEW MESSAGE");
    if (source)
        str_addf(out, "  in %s, as %s", source->format->title, source->identity);
}

/* Appends the title of a reply or of a forwarded message. */
static void about_title(struct form_screen *form, struct str *out)
{
    const struct message *about = form_about(form);

    str_puts(out, form->spec->form == FORM_FORWARD ? "FORWARD of"
                  : form->fields.everybody         ? "REPLY TO ALL of"
                                                   : "REPLY to");
    if (about)
        str_addf(out, " %.*s", (int)about->from.len, about->from.at);
    if (about && about->subject.len)
        str_addf(out, ": %.*s", (int)about->subject.len, about->subject.at);
}

static void nudge_title(struct form_screen *form, struct str *out)
{
    struct span to = form_written(form, AT(to));
    const struct agent *agent = agent_names_find(form->screen.ui, to, NULL);

    str_addf(out, "NUDGE %.*s", (int)to.len, to.at);
    if (!agent)
        return;
    str_addf(out, "  (%s: ", agent_state_name(agent->state));
    relative_time_add(out, agent->why, &agent->why_ages, ui_now(form->screen.ui));
    str_putc(out, ')');
}

/* --- completing tags that were used in the same source --- */

struct tags_task {
    struct ui_task task;
    uint32_t source;
    struct tags tags;
};

static void work_tags(struct ui_task *task, struct store *store)
{
    struct tags_task *job = (struct tags_task *)task;

    tags_read(&job->tags, store_source(store, job->source));
}

static void done_tags(struct ui_task *task, struct ui *ui)
{
    const struct span_list *names = &((struct tags_task *)task)->tags.names;
    struct form_screen *form = form_of(ui_screen(ui, task->screen));

    span_list_copy(&form->tags, names, &form->arena);
}

static void free_tags(struct ui_task *task)
{
    tags_free(&((struct tags_task *)task)->tags);
    free(task);
}

static void form_find_tags(struct form_screen *form)
{
    const struct source *source = form_source(form);
    struct tags_task *tags;

    if (!source || form->tags_of == source)
        return;
    form->tags_of = source;
    tags = mem_zero(1, sizeof *tags);
    tags->task = (struct ui_task){.work = work_tags, .done = done_tags, .free = free_tags};
    tags->task.screen = form->screen.id;
    tags->source = source->index;
    ui_begin(form->screen.ui, UI_READ, &tags->task);
}

/* Completes tags that were used before. */
static void form_complete_tags(struct form_screen *form, struct completion *completion)
{
    for (size_t i = 0; i < form->tags.count; i++)
        complete_add(completion, form->tags.items[i], (struct span){0}, 0);
}

/* --- the tables --- */

#define TAGS                                                                                       \
    {                                                                                              \
        "Tags", ENTRY_ITEMS, AT(tags), .needs = FIELD_TAGS, .enter = form_find_tags,               \
                                       .complete = form_complete_tags                              \
    }
#define FILES                                                                                      \
    {                                                                                              \
        "Files", ENTRY_ITEMS, AT(attachments), .files = true, .needs = FIELD_ATTACHMENTS           \
    }
#define EXPIRES                                                                                    \
    {                                                                                              \
        "Expires", ENTRY_LINE, AT(expires), .needs = FIELD_EXPIRES,                                \
                                            .hint = "never; or in 30m, 2h, 7d"                     \
    }
#define RESPONSE                                                                                   \
    {                                                                                              \
        "Response", ENTRY_SWITCH, AT(requires_response), .needs = FIELD_RESPONSE,                  \
                                                         .hint = "an answer is expected"           \
    }
#define BODY                                                                                       \
    {                                                                                              \
        "Body", ENTRY_TEXT, AT(body), .wide = true                                                 \
    }

static const struct entry_spec compose_entries[] = {
    TO,
    {"Source", ENTRY_PLACE, .hint = NULL},
    {"Create", ENTRY_SWITCH, AT(create), .shown = is_new,
     .hint = "a new mailbox: nobody has that name yet"},
    SUBJECT,
    {"Priority", ENTRY_PRIORITY, AT(priority), .hint = NULL},
    TAGS,
    FILES,
    EXPIRES,
    RESPONSE,
    BODY,
    {0},
};

static const struct entry_spec reply_entries[] = {
    TO,
    SUBJECT,
    {"Priority", ENTRY_PRIORITY, AT(priority), .hint = NULL},
    TAGS,
    FILES,
    EXPIRES,
    RESPONSE,
    {"Quote", ENTRY_SWITCH, AT(quote), .shown = can_be_quoted,
     .hint = "the message that is answered, below the text"},
    {"Archive", ENTRY_SWITCH, AT(archive), .shown = is_answered_mail,
     .hint = "the message that is answered, once this is sent"},
    BODY,
    {0},
};

static const struct entry_spec nudge_entries[] = {
    TO,       {"Source", ENTRY_PLACE, .hint = NULL},
    SUBJECT,  {"Priority", ENTRY_PRIORITY, AT(priority), .hint = NULL},
    RESPONSE, BODY,
    {0},
};

/* --- what is sent --- */

/* Appends the quote when the message is sent, so that it is complete. */
static bool add_reply_quote(struct draft *draft, const struct form_filling *with, struct err *err)
{
    CLEANUP(batch_free) struct batch batch = {0};
    CLEANUP(str_free) struct str body = {0};
    bool ok = true;

    if (!with->fields->quote || !with->about)
        return true;
    struct message *whole = store_fetch(with->store, with->about, &batch, err);
    if (whole) {
        str_add_span(&body, draft->body);
        str_puts(&body, body.len ? "\n\n" : "");
        compose_quote(&body, whole, false);
        draft->body = arena_copy(with->arena, str_span(&body));
    } else {
        ok = err_at(err, "what is to be quoted cannot be read");
    }
    return ok;
}

static const struct form_spec compose_spec = {FORM_COMPOSE, compose_entries, compose_title,
                                              .places = form_find_recipients, .warn = message_warn};
static const struct form_spec reply_spec = {FORM_REPLY, reply_entries, about_title,
                                            .warn = message_warn, .fill = add_reply_quote};
static const struct form_spec forward_spec = {FORM_FORWARD, compose_entries, about_title,
                                              .places = form_find_recipients, .warn = message_warn};
static const struct form_spec nudge_spec = {FORM_NUDGE, nudge_entries, nudge_title,
                                            .places = form_find_recipients, .warn = message_warn};

const struct form_spec *form_spec_of(enum form form)
{
    static const struct form_spec *const specs[FORM_COUNT] = {
        [FORM_COMPOSE] = &compose_spec,
        [FORM_REPLY] = &reply_spec,
        [FORM_FORWARD] = &forward_spec,
        [FORM_BROADCAST] = &broadcast_spec,
        [FORM_HANDOFF] = &handoff_spec,
        [FORM_NUDGE] = &nudge_spec,
        [FORM_SHUTDOWN] = &lead_specs[LEAD_SHUTDOWN],
        [FORM_MODE] = &lead_specs[LEAD_MODE],
        [FORM_ASSIGN] = &lead_specs[LEAD_ASSIGN],
        [FORM_RULES] = &lead_specs[LEAD_RULES],
        [FORM_ESCALATE] = &lead_specs[LEAD_ESCALATE]};

    return specs[form];
}

/* --- templates of the config --- */

struct starting {
    const struct config_words *words;
    struct arena *arena;
};

static struct span fill_text(void *context, struct span text)
{
    const struct starting *in = context;
    CLEANUP(str_free) struct str filled = {0};

    config_fill(&filled, text, in->words);
    return arena_copy(in->arena, str_span(&filled));
}

void compose_start(const struct ui *ui, enum config_use use, const struct config_words *words,
                   struct draft_fields *fields, struct arena *arena)
{
    const struct config *config = ui_config(ui);
    const struct config_template *one = NULL;
    struct starting in = {words, arena};

    for (size_t i = 0; config && !one && i < config->template_count; i++)
        if (config->templates[i].use == use)
            one = &config->templates[i];
    if (!one)
        return;
    struct draft_fields given = {.to = one->to,
                                 .subject = one->subject,
                                 .body = one->body,
                                 .tags = one->tags,
                                 .handoff = one->handoff};
    draft_fields_start(fields, &given, fill_text, &in);
    if (one->priority && fields->priority == PRIORITY_NORMAL)
        fields->priority = one->priority;
}

/* --- forms about a message, which is read first --- */

struct about_task {
    struct ui_task task;
    enum action action;
    struct message head;
    struct arena arena;
    struct batch batch;
    struct span_list others; /* the other recipients of a reply to all */
    struct draft_fields fields;
};

static void add_names(struct str *out, struct span name)
{
    str_puts(out, out->len ? ", " : "");
    str_add_span(out, name);
}

static bool fill_reply(struct about_task *about, struct store *store, const struct message *whole)
{
    struct draft_fields *fields = &about->fields;
    CLEANUP(draft_free) struct draft draft = draft_new();
    CLEANUP(str_free) struct str to = {0};
    bool ok = store_prepare_reply(store, whole, &draft, &about->arena, &about->task.err);

    add_names(&to, draft.to);
    for (size_t i = 0; i < about->others.count; i++)
        if (!span_eq(about->others.items[i], draft.to))
            add_names(&to, about->others.items[i]);
    fields->to = arena_copy(&about->arena, str_span(&to));
    fields->team = arena_copy(&about->arena, draft.team);
    fields->subject = draft.subject;
    fields->priority = draft.priority;
    fields->type = draft.type;
    fields->thread = draft.thread;
    fields->reply_to = draft.reply_to;
    fields->everybody = about->action == ACTION_REPLY_ALL;
    return ok;
}

static void add_attachments(struct about_task *about, struct span array)
{
    struct json key, value;
    struct json_walk walk;

    if (!array.len || !json_open(&walk, array, JSON_STRICT, NULL))
        return;
    while (json_next(&walk, &key, &value))
        if (value.kind == JSON_STRING)
            span_list_add(&about->fields.attachments,
                          arena_copy(&about->arena, json_text(&about->arena, value)));
}

static void fill_forward(struct about_task *about, const struct message *whole)
{
    struct draft_fields *fields = &about->fields;
    CLEANUP(str_free) struct str text = {0};

    if (whole->subject.len < 4 || strncasecmp(whole->subject.at, "fwd:", 4) != 0)
        str_puts(&text, "Fwd: ");
    str_add_span(&text, whole->subject);
    fields->subject = arena_copy(&about->arena, str_span(&text));
    str_set(&text, span_of("\n\n"));
    compose_quote(&text, whole, true);
    fields->body = arena_copy(&about->arena, str_span(&text));
    fields->priority = whole->priority ? whole->priority : PRIORITY_NORMAL;
    if (whole->data)
        add_attachments(about, whole->data->attachments);
}

static void work_about(struct ui_task *task, struct store *store)
{
    struct about_task *about = (struct about_task *)task;
    const struct source *source = store_source(store, about->head.place->source);
    struct message *whole = store_fetch(store, &about->head, &about->batch, &about->task.err);

    if (!whole)
        return;
    about->task.ok = true;
    if (about->action == ACTION_FORWARD)
        fill_forward(about, whole);
    else
        about->task.ok = fill_reply(about, store, whole);
    about->fields.archive = about->action != ACTION_FORWARD &&
                            address_ends_by_answer(source, &about->head, span_of(source->identity));
    draft_fields_set_about(&about->fields, source->format->name, &about->head);
}

static void done_about(struct ui_task *task, struct ui *ui)
{
    struct about_task *about = (struct about_task *)task;

    struct config_words words = {
        .agent = about->fields.to, .sender = about->head.from, .subject = about->head.subject};

    if (!about->task.ok) {
        ui_error(ui, &about->task.err);
        return;
    }
    if (about->action != ACTION_FORWARD)
        compose_start(ui, CONFIG_USE_REPLY, &words, &about->fields, &about->arena);
    form_open(ui, form_spec_of(about->fields.form), &about->fields);
}

static void free_about(struct ui_task *task)
{
    struct about_task *about = (struct about_task *)task;

    draft_fields_free(&about->fields);
    span_list_free(&about->others);
    batch_free(&about->batch);
    arena_free(&about->arena);
    free(about);
}

/* Adds everybody in the conversation except the person. */
static void add_others(struct ui *ui, struct about_task *about, const struct message *message)
{
    const struct picture *picture = ui_picture(ui);
    const char *self = ui_source(ui, message->place->source)->identity;
    const struct conversation *conversation = picture_conversation_of(picture, message);
    CLEANUP(span_list_free) struct span_list names = {0};

    if (conversation)
        conversation_participants(&picture->sight.conversations, conversation, &names);
    for (size_t i = 0; i < names.count; i++)
        if (!span_is(names.items[i], self))
            span_list_add(&about->others, arena_copy(&about->arena, names.items[i]));
}

static void begin_about(struct ui *ui, enum action action, const struct message *message)
{
    struct about_task *about = mem_zero(1, sizeof *about);

    about->task = (struct ui_task){.work = work_about, .done = done_about, .free = free_about};
    about->task.screen = ui_top(ui)->id;
    about->action = action;
    about->fields = draft_fields_new(action == ACTION_FORWARD ? FORM_FORWARD : FORM_REPLY);
    message_keep(&about->head, message, &about->arena);
    if (action == ACTION_REPLY_ALL)
        add_others(ui, about, message);
    ui_begin(ui, UI_READ, &about->task);
}

/* True if this is the request that lists show for its conversation. Of several open requests the
 * person means that one. */
static bool is_shown(const struct picture *picture, struct span key, uint32_t number)
{
    const struct conversation *conversation = picture_conversation(picture, key);

    return conversation && conversation->ask != REQUEST_NONE &&
           picture->sight.asks.items[conversation->ask].message == number;
}

const struct message *compose_choose(struct ui *ui, const struct targets *acting)
{
    const struct picture *picture = ui_picture(ui);
    const struct requests *asks = &picture->sight.asks;
    const struct message *best = NULL;
    int best_rank = -1;

    for (size_t i = 0; i < acting->keys.count; i++) {
        uint32_t number = picture_number(picture, acting->keys.items[i]);
        if (number == UINT32_MAX)
            continue;
        const struct message *message = picture->model.messages[number];
        bool waits = asks->of[number] != REQUEST_NONE && asks->items[asks->of[number]].open;
        int rank = message_for_us(message) ? (waits ? 3 : 2) : !message->by_us;
        if (rank == 3 && is_shown(picture, acting->keys.items[i], number))
            rank = 4;
        if (rank < best_rank || (rank == best_rank && message_cmp_time(message, best) < 0))
            continue;
        best = message;
        best_rank = rank;
    }
    return best;
}

static void write_about(struct ui *ui, enum action action)
{
    CLEANUP(message_actions_free) struct targets acting = {0};
    const struct message *message =
        message_actions_targets(ui, &acting) ? compose_choose(ui, &acting) : NULL;

    if (acting.tagged && acting.keys.count > 1)
        ui_info(ui, STYLE_WARNING, "%s is for one message, and %zu are tagged; ^T untags them",
                actions[action].name, acting.keys.count);
    else if (!message)
        ui_info(ui, STYLE_WARNING, "there is no message here to %s", actions[action].name);
    else
        begin_about(ui, action, message);
}

/* --- forms about no message --- */

static void open_compose(struct ui *ui, struct span agent)
{
    CLEANUP(draft_fields_free) struct draft_fields fields = draft_fields_new(FORM_COMPOSE);
    CLEANUP(arena_free) struct arena arena = {0};

    fields.to = agent;
    compose_start(ui, CONFIG_USE_COMPOSE, &(struct config_words){.agent = agent}, &fields, &arena);
    form_open(ui, &compose_spec, &fields);
}

/* Opens a form that asks this agent for its progress. `agent` is AGENT, or AGENT@TEAM if several
 * have the name. STORE_ANY is any source. */
static void open_nudge(struct ui *ui, struct span agent, uint32_t source)
{
    CLEANUP(draft_fields_free) struct draft_fields fields = draft_fields_new(FORM_NUDGE);
    CLEANUP(arena_free) struct arena arena = {0};

    fields.to = agent;
    size_t called = 0;
    const struct agent *known = source == STORE_ANY ? agent_names_find(ui, agent, &called) : NULL;
    if (called == 1)
        source = known->source;
    form_set_source(ui, &fields, source);
    fields.requires_response =
        source != STORE_ANY && ui_source(ui, source)->format->fields & FIELD_RESPONSE;
    compose_start(ui, CONFIG_USE_NUDGE, &(struct config_words){.agent = agent}, &fields, &arena);
    if (!fields.subject.len)
        fields.subject = span_of("How is it going?");
    if (!fields.body.len)
        fields.body = span_of("How is it going? Tell me briefly what is done, what you are at, and "
                              "whether anything holds you up.");
    form_open(ui, &nudge_spec, &fields);
}

static bool nudge_accept(struct ui *ui, void *context, struct span text)
{
    (void)context;
    text = span_trim(text);
    if (!agent_names_is_agent(ui, text)) {
        ui_info(ui, STYLE_ERROR, "no agent is called \"%.*s\"", (int)text.len, text.at);
        return false;
    }
    open_nudge(ui, text, STORE_ANY);
    return true;
}

static const struct prompt_spec nudge_prompt = {.label = "nudge: ",
                                                .hint = "which agent? Tab completes",
                                                .history = HISTORY_AGENT,
                                                .accept = nudge_accept,
                                                .complete = agent_names_complete};

static void start_nudge(struct ui *ui, struct span agent)
{
    CLEANUP(message_actions_free) struct targets acting = {0};
    const struct message *message = NULL;

    if (agent.len) {
        nudge_accept(ui, NULL, agent);
        return;
    }
    if (message_actions_targets(ui, &acting))
        message = compose_choose(ui, &acting);
    if (acting.agent.len)
        open_nudge(ui, acting.agent, acting.agent_source);
    else if (message && !message->by_us && message->from.len)
        open_nudge(ui, message->from, message->place->source);
    else
        ui_prompt(ui, &nudge_prompt, (struct span){0}, NULL);
}

bool compose_act(struct ui *ui, enum action action, struct span argument)
{
    switch (action) {
    case ACTION_COMPOSE:
        open_compose(ui, argument);
        return true;
    case ACTION_REPLY:
    case ACTION_REPLY_ALL:
    case ACTION_FORWARD:
        write_about(ui, action);
        return true;
    case ACTION_HANDOFF:
        handoff_open(ui, argument);
        return true;
    case ACTION_BROADCAST:
        broadcast_open(ui, argument);
        return true;
    case ACTION_NUDGE:
        start_nudge(ui, argument);
        return true;
    case ACTION_RECALL:
        form_open_draft(ui, (struct span){0});
        return true;
    default:
        return lead_form_act(ui, action, argument);
    }
}
