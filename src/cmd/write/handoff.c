/* handoff: passes work on, with everything that the next agent needs to know. */
#include "cmd/app_options.h"
#include "mail/handoff/handoff_prefill.h"
#include "mail/thread/thread.h"
#include "ui/compose/compose.h"
#include "ui/compose/handoff_form.h"

#include <stdlib.h>

/* The message that is made from the options. */
struct outgoing_handoff {
    struct outgoing_message letter;
    struct handoff handoff;
};

#define DRAFT(member) offsetof(struct outgoing_handoff, letter.draft.member)
#define HANDOFF(member) offsetof(struct outgoing_handoff, handoff.member)

static const struct option_spec options[] = {
    {"to", "AGENT", OPTION_TEXT, DRAFT(to), .needed = true, .kinds = WORD_AGENT,
     .help = "who takes the work over"},
    {"from", "NAME", OPTION_TEXT, DRAFT(from), .kinds = WORD_AGENT,
     .help = "who hands it off (default: who I am)"},
    {"giver", "AGENT", OPTION_TEXT, DRAFT(giver), .kinds = WORD_AGENT,
     .help = "whose work it is (default: the sender's)"},
    {"about", "ID", .kinds = WORD_MESSAGE | WORD_THREAD,
     .help = "the conversation that it goes on with"},
    {"quote", .help = "quote the last three messages of that below the notes"},
    {"subject", "TEXT", OPTION_TEXT, DRAFT(subject), .help = "what it is about"},
    {"done", "TEXT", OPTION_TEXT, HANDOFF(work_completed), .needed = true, .help = "what was done"},
    {"state", "TEXT", OPTION_TEXT, HANDOFF(current_state), .needed = true,
     .help = "how things stand"},
    {"next", "TEXT", OPTION_TEXTS, HANDOFF(next_steps),
     .help = "what to do next; may be given several times"},
    {"blocker", "TEXT", OPTION_TEXTS, HANDOFF(blockers),
     .help = "what is in the way; several times"},
    {"modified", "FILE", OPTION_TEXTS, HANDOFF(files_modified), .kinds = WORD_FILE,
     .help = "a file that was changed; several times"},
    {"created", "FILE", OPTION_TEXTS, HANDOFF(files_created), .kinds = WORD_FILE,
     .help = "a file that is new; several times"},
    {"state-file", "FILE", OPTION_TEXT, HANDOFF(state_file), .kinds = WORD_FILE,
     .help = "where the state is written down"},
    {"dependency", "TEXT", OPTION_TEXTS, HANDOFF(dependencies),
     .help = "what it depends on; several times"},
    {"escalation", "ID", OPTION_TEXTS, HANDOFF(related_escalations),
     .help = "an escalation it belongs to; several times"},
    {"job", "ID", OPTION_TEXT, HANDOFF(job_id), .help = "the job it belongs to"},
    {"notes", "TEXT", OPTION_TEXT, HANDOFF(notes), .help = "anything else, for its context"},
    {"additional-notes", "TEXT", OPTION_TEXT, HANDOFF(additional_notes),
     .help = "anything else, for its text"},
    {"priority", "PRIORITY", OPTION_PRIORITY, DRAFT(priority), .word = priority_word,
     .help = "low, normal, high or urgent"},
    {"swarm", "NAME", OPTION_TEXT, DRAFT(swarm), .kinds = WORD_TEAM,
     .help = "the swarm it is about"},
    {"create", .help = "make a mailbox for a recipient nobody knows"},
    SENDING_OPTIONS,
    {0},
};

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
static bool take_about(struct app *app, struct about *about, struct outgoing_handoff *handing,
                       struct send_options *how, struct err *err)
{
    struct handoff *handoff = &handing->handoff;
    struct draft *draft = &handing->letter.draft;

    if (!app_has(app, "about"))
        return !app_has(app, "quote") || app_misuse(app, err, "--quote needs --about");
    if (!app_load(app, &load_everything, &about->model, err))
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

static void outgoing_handoff_free(struct outgoing_handoff *handing)
{
    handoff_free(&handing->handoff);
    outgoing_message_free(&handing->letter);
}

static int run_handoff(struct app *app)
{
    CLEANUP(outgoing_handoff_free)
    struct outgoing_handoff handing = {.letter = {.draft = draft_new()}};
    struct send_options how = {.create = app_has(app, "create"), .source = STORE_ANY};
    CLEANUP(about_free) struct about about = {0};
    struct err err;

    handing.letter.draft.handoff = &handing.handoff;
    if (!app_verify(app, &how.verify, &err) || !app_read_options(app, &handing, &err) ||
        !take_about(app, &about, &handing, &how, &err))
        return app_fail(app, &err);
    return app_send(app, &handing.letter, &how);
}

const struct command command_handoff = {.name = "handoff",
                                        .operands =
                                            "--to AGENT [--subject TEXT] --done TEXT --state TEXT",
                                        .summary = "hand work off to another agent; prints the id",
                                        .options = options,
                                        .writes = true,
                                        .run = run_handoff};
