/* handoff: passes work on, with everything that the next agent needs to know. */
#include "cmd/app_options.h"
#include "mail/handoff/handoff_prefill.h"
#include "mail/thread/thread.h"
#include "ui/compose/compose.h"
#include "ui/compose/handoff_form.h"

#include <stdlib.h>

static const struct option_spec options[] = {
    {.name = "to",
     .value = "AGENT",
     .takes = {.kinds = WORD_AGENT},
     .help = "who takes the work over"},
    {.name = "from",
     .value = "NAME",
     .takes = {.kinds = WORD_AGENT},
     .help = "who hands it off (default: who I am)"},
    {.name = "giver",
     .value = "AGENT",
     .takes = {.kinds = WORD_AGENT},
     .help = "whose work it is (default: the sender's)"},
    {.name = "about",
     .value = "ID",
     .takes = {.kinds = WORD_MESSAGE | WORD_THREAD},
     .help = "the conversation that it goes on with"},
    {.name = "quote", .help = "quote the last three messages of that below the notes"},
    {.name = "subject", .value = "TEXT", .help = "what it is about"},
    {.name = "done", .value = "TEXT", .help = "what was done"},
    {.name = "state", .value = "TEXT", .help = "how things stand"},
    {.name = "next", .value = "TEXT", .help = "what to do next; may be given several times"},
    {.name = "blocker", .value = "TEXT", .help = "what is in the way; several times"},
    {.name = "modified",
     .value = "FILE",
     .takes = {.kinds = WORD_FILE},
     .help = "a file that was changed; several times"},
    {.name = "created",
     .value = "FILE",
     .takes = {.kinds = WORD_FILE},
     .help = "a file that is new; several times"},
    {.name = "state-file",
     .value = "FILE",
     .takes = {.kinds = WORD_FILE},
     .help = "where the state is written down"},
    {.name = "dependency", .value = "TEXT", .help = "what it depends on; several times"},
    {.name = "escalation", .value = "ID", .help = "an escalation it belongs to; several times"},
    {.name = "job", .value = "ID", .help = "the job it belongs to"},
    {.name = "notes", .value = "TEXT", .help = "anything else, for its context"},
    {.name = "additional-notes", .value = "TEXT", .help = "anything else, for its text"},
    PRIORITY_OPTION,
    {.name = "swarm",
     .value = "NAME",
     .takes = {.kinds = WORD_TEAM},
     .help = "the swarm it is about"},
    {.name = "create", .help = "make a mailbox for a recipient nobody knows"},
    SENDING_OPTIONS,
    {0},
};

static void fill_handoff(const struct app *app, struct handoff *handoff)
{
    handoff->work_completed = app_text(app, "done");
    handoff->current_state = app_text(app, "state");
    handoff->state_file = app_text(app, "state-file");
    handoff->job_id = app_text(app, "job");
    handoff->notes = app_text(app, "notes");
    handoff->additional_notes = app_text(app, "additional-notes");
    app_values(app, "next", &handoff->next_steps);
    app_values(app, "blocker", &handoff->blockers);
    app_values(app, "modified", &handoff->files_modified);
    app_values(app, "created", &handoff->files_created);
    app_values(app, "dependency", &handoff->dependencies);
    app_values(app, "escalation", &handoff->related_escalations);
}

/* The conversation that --about names. */
struct about {
    struct model model;
    struct message **messages; /* oldest first */
    size_t count;
    struct str notes; /* the additional notes that were given, then the quotes */
};

/* Returns the last message that somebody else wrote, else the last message. */
static const struct message *last_of(const struct about *about)
{
    for (size_t i = about->count; i--;)
        if (!about->messages[i]->by_us && !about->messages[i]->damaged)
            return about->messages[i];
    return about->messages[about->count - 1];
}

static void add_quotes(struct app *app, struct about *about)
{
    const struct message *last[HANDOFF_QUOTED];
    CLEANUP(str_free) struct str text = {0};
    size_t count = prefill_last((const struct message *const *)about->messages, about->count, last,
                                HANDOFF_QUOTED);

    for (size_t i = 0; i < count; i++) {
        CLEANUP(batch_free) struct batch batch = {0};
        struct err ignored; /* a message that vanished is not quoted */
        const struct message *whole = store_fetch(app->store, last[i], &batch, &ignored);
        str_puts(&text, whole && text.len ? "\n" : "");
        if (whole)
            compose_quote(&text, whole, false);
    }
    str_puts(&about->notes, about->notes.len && text.len ? "\n\n" : "");
    str_add_span(&about->notes, span_trim(str_span(&text)));
}

/* Fills in from the conversation what the options did not give. */
static bool take_about(struct app *app, struct about *about, struct outgoing_message *letter,
                       struct handoff *handoff, struct send_options *how, struct err *err)
{
    struct load all = {.inbox = true, .archive = true};
    struct draft *draft = &letter->draft;

    if (!app_has(app, "about"))
        return !app_has(app, "quote") || app_misuse(app, err, "--quote needs --about");
    if (!app_load(app, &all, &about->model, err))
        return false;
    about->messages =
        thread_find(&about->model, app_text(app, "about"), app_now(app), &about->count, err);
    if (!about->messages)
        return false;
    const struct message *last = last_of(about);
    draft->thread = last->thread.len ? last->thread : last->id;
    how->thread_is_local = true;
    how->thread_source = last->place->source;
    if (!app_has(app, "subject"))
        draft->subject = prefill_subject(last->subject);
    if (!app_has(app, "priority") && last->priority)
        draft->priority = (enum priority)last->priority;
    if (app_has(app, "quote")) {
        str_add_span(&about->notes, handoff->additional_notes);
        add_quotes(app, about);
        handoff->additional_notes = str_span(&about->notes);
    }
    return true;
}

static void about_free(struct about *about)
{
    str_free(&about->notes);
    free(about->messages);
    model_free(&about->model);
}

static int run_handoff(struct app *app)
{
    static const char *const needed[] = {"to", "done", "state", NULL};
    CLEANUP(handoff_free) struct handoff handoff = {0};
    CLEANUP(outgoing_message_free) struct outgoing_message letter = {.draft = draft_new()};
    struct send_options how = {.create = app_has(app, "create"), .source = STORE_ANY};
    CLEANUP(about_free) struct about about = {0};
    struct err err;

    letter.draft.to = app_text(app, "to");
    letter.draft.from = app_text(app, "from");
    letter.draft.giver = app_text(app, "giver");
    letter.draft.subject = app_text(app, "subject");
    letter.draft.swarm = app_text(app, "swarm");
    letter.draft.handoff = &handoff;
    fill_handoff(app, &handoff);
    if (!app_verify(app, &how.verify, &err) || !app_needs(app, needed, &err) ||
        !app_priority(app, "priority", &letter.draft.priority, &err) ||
        !take_about(app, &about, &letter, &handoff, &how, &err))
        return app_fail(app, &err);
    return app_send(app, &letter, &how);
}

const struct command command_handoff = {.name = "handoff",
                                        .operands =
                                            "--to AGENT [--subject TEXT] --done TEXT --state TEXT",
                                        .summary = "hand work off to another agent; prints the id",
                                        .options = options,
                                        .writes = true,
                                        .run = run_handoff};
