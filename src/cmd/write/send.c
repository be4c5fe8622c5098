/* send: sends a new message. */
#include "cmd/app_options.h"
#include "cmd/write/broadcast.h"

#include <stdio.h>

#define AT(member) offsetof(struct draft, member)

static const struct option_spec options[] = {
    {"to", "AGENT[@TEAM]", OPTION_TEXT, AT(to), .needed = true, .kinds = WORD_AGENT,
     .help = "who gets it; broadcast:SWARM for all of a swarm"},
    COMPOSE_OPTIONS,
    {"tag", "TAG", OPTION_TEXTS, AT(tags), .kinds = WORD_TAG, .help = "may be given several times"},
    {"attach", "FILE", OPTION_TEXTS, AT(attachments), .kinds = WORD_FILE,
     .help = "the path of a file, sent as text"},
    {"payload", "JSON", OPTION_OBJECT, AT(payload), .help = "an object with data for programs"},
    {"context", "JSON", OPTION_OBJECT, AT(context), .help = "an object with context"},
    {"expires", "DURATION", .help = "how long it is of use: 90s, 30m, 2h, 7d"},
    {"thread", "ID", OPTION_TEXT, AT(thread), .kinds = WORD_THREAD,
     .help = "the thread it belongs to"},
    {"reply-to", "ID", OPTION_TEXT, AT(reply_to), .kinds = WORD_MESSAGE,
     .help = "the message it answers"},
    {"swarm", "NAME", OPTION_TEXT, AT(swarm), .kinds = WORD_TEAM, .help = "the swarm it is about"},
    {"requires-response", NULL, OPTION_FLAG, AT(requires_response),
     .help = "an answer is expected"},
    {"create", .help = "make a mailbox for a recipient nobody knows"},
    SENDING_OPTIONS,
    {0},
};

/* Joins the thread of the message that is answered, found as the layout's own writer finds it. */
static bool join_thread(struct app *app, struct draft *draft, struct model *model, struct err *err)
{
    bool found;

    if (!store_join_thread(app->store, draft, model, &found, err))
        return false;
    if (draft->reply_to.at)
        app_note_marks(app);
    if (draft->reply_to.at && !found)
        app_note(app, "no message %s is here; the id is sent as it stands",
                 app_value(app, "reply-to"));
    return true;
}

static bool fill_draft(struct app *app, struct draft *draft, struct str *body, struct err *err)
{
    int64_t lasts_us;
    bool present;

    if (!app_read_options(app, draft, err) || !app_duration(app, "expires", 1, &lasts_us, err) ||
        !app_body(app, body, &present, err))
        return false;
    if (app_has(app, "expires"))
        draft->expires_us = time_now() + lasts_us;
    draft->body = str_span(body);
    return true;
}

static int run_send(struct app *app)
{
    CLEANUP(outgoing_message_free) struct outgoing_message letter = {.draft = draft_new()};
    struct draft *draft = &letter.draft;
    struct send_options how = {.create = app_has(app, "create"), .source = STORE_ANY};
    struct span group = span_of("broadcast:");
    CLEANUP(model_free) struct model model = {0};
    CLEANUP(str_free) struct str body = {0};
    struct err err;

    if (!fill_draft(app, draft, &body, &err) || !app_verify(app, &how.verify, &err) ||
        !join_thread(app, draft, &model, &err))
        return app_fail(app, &err);
    if (!span_starts(draft->to, group))
        return app_send(app, &letter, &how);
    struct span swarm = {draft->to.at + group.len, draft->to.len - group.len};
    struct span_list nobody = {0};
    draft->swarm = (struct span){0};
    return broadcast_and_print(app, draft, swarm, &nobody);
}

const struct command command_send = {.name = "send",
                                     .operands = "--to AGENT --subject TEXT [-]",
                                     .summary = "send a message; prints its id",
                                     .options = options,
                                     .writes = true,
                                     .most = 1,
                                     .run = run_send};
