/* handoff: pass work on, with all that the next agent has to know. */
#include "cmd/options.h"

static const struct option_spec options[] = {
    {.name = "to",
     .value = "AGENT",
     .takes = {.kinds = WORD_AGENT},
     .help = "who takes the work over"},
    {.name = "from",
     .value = "NAME",
     .takes = {.kinds = WORD_AGENT},
     .help = "who hands it off (default: who I am)"},
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

static void fill(const struct app *app, struct handoff *handoff)
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

static int run_handoff(struct app *app)
{
    static const char *const needed[] = {"to", "subject", "done", "state", NULL};
    struct handoff handoff = {0};
    struct letter letter = {.draft = draft_new()};
    struct send_options how = {.create = app_has(app, "create"), .source = STORE_ANY};
    struct err err;

    if (!app_verify(app, &how.verify, &err) || !app_needs(app, needed, &err) ||
        !app_priority(app, "priority", &letter.draft.priority, &err))
        return app_fail(app, &err);
    letter.draft.to = app_text(app, "to");
    letter.draft.from = app_text(app, "from");
    letter.draft.subject = app_text(app, "subject");
    letter.draft.swarm = app_text(app, "swarm");
    letter.draft.handoff = &handoff;
    fill(app, &handoff);
    int code = app_send(app, &letter, &how);
    handoff_free(&handoff);
    letter_free(&letter);
    return code;
}

const struct command command_handoff = {.name = "handoff",
                                        .operands =
                                            "--to AGENT --subject TEXT --done TEXT --state TEXT",
                                        .summary = "hand work off to another agent; prints the id",
                                        .options = options,
                                        .writes = true,
                                        .run = run_handoff};
