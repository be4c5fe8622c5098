/* The kinds of forms. */
#include "ui/compose/broadcast_form.h"
#include "ui/compose/compose.h"
#include "ui/compose/form.h"
#include "ui/compose/form_private.h"
#include "ui/compose/handoff_form.h"
#include "ui/compose/lead_form.h"
#include "ui/snapshot/agent_names.h"

/* --- conditions for entries --- */

/* True if an unknown agent is named. */
static bool is_new(struct form_screen *form)
{
    struct span rest = form_written(form, AT(to)), name;

    if (form_is_in(form, AT(to))) /* the name is being typed */
        return false;
    while (form_next_name(&rest, &name))
        if (!agent_names_is_agent(form_ui(form), name))
            return ui_picture(form_ui(form))->ready;
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
    struct ui *ui = form_ui(form);
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

static void add_about(struct form_screen *form, struct str *out)
{
    const struct message *about = form_about(form);

    if (!about)
        return;
    str_addf(out, " %.*s", (int)about->from.len, about->from.at);
    if (about->subject.len)
        str_addf(out, ": %.*s", (int)about->subject.len, about->subject.at);
}

static void compose_title(struct form_screen *form, struct str *out)
{
    const struct source *source = form_source(form);

    str_puts(out, "NEW MESSAGE");
    if (source)
        str_addf(out, "  in %s, as %s", source->format->title, source->identity);
}

static void reply_title(struct form_screen *form, struct str *out)
{
    str_puts(out, form->fields.everybody ? "REPLY TO ALL of" : "REPLY to");
    add_about(form, out);
}

static void forward_title(struct form_screen *form, struct str *out)
{
    str_puts(out, "FORWARD of");
    add_about(form, out);
}

static void nudge_title(struct form_screen *form, struct str *out)
{
    struct span to = form_written(form, AT(to));
    const struct agent *agent = agent_names_find(form_ui(form), to, NULL);

    str_addf(out, "NUDGE %.*s", (int)to.len, to.at);
    if (!agent)
        return;
    str_addf(out, "  (%s: ", agent_state_name(agent->state));
    relative_time_add(out, agent->why, &agent->why_ages, ui_now(form_ui(form)));
    str_putc(out, ')');
}

static void message_places(struct form_screen *form)
{
    form_find_agents(form, form_written(form, AT(to)));
}

/* --- the tables --- */

#define CREATE                                                                                     \
    {                                                                                              \
        .label = "Create", .kind = ENTRY_SWITCH, .at = AT(create), .shown = is_new,                \
        .hint = "a new mailbox: nobody has that name yet"                                          \
    }
#define TAGS                                                                                       \
    {                                                                                              \
        .label = "Tags", .kind = ENTRY_ITEMS, .at = AT(tags), .needs = FIELD_TAGS,                 \
        .enter = form_find_tags, .complete = form_complete_tags                                    \
    }
#define FILES                                                                                      \
    {                                                                                              \
        .label = "Files", .kind = ENTRY_ITEMS, .at = AT(attachments), .files = true,               \
        .needs = FIELD_ATTACHMENTS                                                                 \
    }
#define EXPIRES                                                                                    \
    {                                                                                              \
        .label = "Expires", .kind = ENTRY_LINE, .at = AT(expires), .needs = FIELD_EXPIRES,         \
        .hint = "never; or in 30m, 2h, 7d"                                                         \
    }
#define RESPONSE                                                                                   \
    {                                                                                              \
        .label = "Response", .kind = ENTRY_SWITCH, .at = AT(requires_response),                    \
        .needs = FIELD_RESPONSE, .hint = "an answer is expected"                                   \
    }
#define BODY                                                                                       \
    {                                                                                              \
        .label = "Body", .kind = ENTRY_TEXT, .at = AT(body), .wide = true                          \
    }

static const struct entry_spec compose_entries[] = {
    TO, PLACE, CREATE, SUBJECT, PRIORITY, TAGS, FILES, EXPIRES, RESPONSE, BODY, END,
};

static const struct entry_spec reply_entries[] = {
    TO,
    SUBJECT,
    PRIORITY,
    TAGS,
    FILES,
    EXPIRES,
    RESPONSE,
    {.label = "Quote",
     .kind = ENTRY_SWITCH,
     .at = AT(quote),
     .shown = can_be_quoted,
     .hint = "the message that is answered, below the text"},
    {.label = "Archive",
     .kind = ENTRY_SWITCH,
     .at = AT(archive),
     .shown = is_answered_mail,
     .hint = "the message that is answered, once this is sent"},
    BODY,
    END,
};

static const struct entry_spec nudge_entries[] = {TO,       PLACE, SUBJECT, PRIORITY,
                                                  RESPONSE, BODY,  END};

/* --- what is sent --- */

/* Appends the quote when the message is sent, so that it is complete. */
static bool fill_reply(struct draft *draft, const struct form_filling *with, struct err *err)
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

const struct form_spec compose_spec = {.form = FORM_COMPOSE,
                                       .entries = compose_entries,
                                       .title = compose_title,
                                       .places = message_places,
                                       .warn = message_warn};
static const struct form_spec reply_spec = {.form = FORM_REPLY,
                                            .entries = reply_entries,
                                            .title = reply_title,
                                            .warn = message_warn,
                                            .fill = fill_reply};
static const struct form_spec forward_spec = {.form = FORM_FORWARD,
                                              .entries = compose_entries,
                                              .title = forward_title,
                                              .places = message_places,
                                              .warn = message_warn};
const struct form_spec nudge_spec = {.form = FORM_NUDGE,
                                     .entries = nudge_entries,
                                     .title = nudge_title,
                                     .places = message_places,
                                     .warn = message_warn};

const struct form_spec *form_spec_of(enum form form)
{
    static const struct form_spec *const specs[FORM_COUNT] = {
        [FORM_COMPOSE] = &compose_spec,   [FORM_REPLY] = &reply_spec,
        [FORM_FORWARD] = &forward_spec,   [FORM_BROADCAST] = &broadcast_spec,
        [FORM_HANDOFF] = &handoff_spec,   [FORM_NUDGE] = &nudge_spec,
        [FORM_SHUTDOWN] = &shutdown_spec, [FORM_MODE] = &mode_spec,
        [FORM_ASSIGN] = &assign_spec,     [FORM_RULES] = &rules_spec,
        [FORM_ESCALATE] = &escalate_spec,
    };

    return specs[form];
}
