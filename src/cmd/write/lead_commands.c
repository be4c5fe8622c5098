/* shutdown, mode, assign, rules, escalate: send lead commands. */
#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "cmd/app.h"
#include "cmd/app_options.h"
#include "cmd/confirm.h"
#include "cmd/write/dry_run.h"
#include "mail/protocol/protocol.h"
#include "store/decide/lead_command_send.h"

#include <stdio.h>

/* Sending, shared by all of them: the only way by which lead commands are sent. */

/* A lead command on its way. */
struct sending {
    struct app *app;
    const struct lead *lead;
    struct order_terms terms;
    struct order_way way;
    struct order_text text;
    struct outgoing_message letter;
    struct send_options how;
    struct span to;         /* the recipient as the person typed it */
    struct span_list rules; /* borrowed by the terms, like the next two */
    struct str body, id;
    int64_t wait_us; /* how long to wait for an answer */
    struct arena arena;
};

/* The differences between the commands. The functions set the error and return false on failure;
 * they may be NULL. */
struct lead {
    const char *id_key; /* JSON key of the id that it has besides its message's id, or NULL */
    /* Fills in the terms that app_read_options() does not read. */
    bool (*fill)(struct sending *sending, struct err *err);
    /* Checks or completes the terms once the recipient is known. */
    bool (*settle)(struct sending *sending, struct err *err);
    /* Asks before a protection is removed. */
    bool (*confirm)(struct sending *sending, struct err *err);
};

#define AT(member) offsetof(struct sending, member)

static void put_sent(const struct sending *sending)
{
    const struct app *app = sending->app;
    const struct outgoing_message *letter = &sending->letter;
    struct span id = sending->text.id; /* absent if no program uses it */
    CLEANUP(str_free) struct str line = {0};

    if (!sending->lead->id_key) {
        app_put_id(app, letter, NULL);
        return;
    }
    if (app_json(app)) {
        str_puts(&line, "{\"v\":1");
        json_member(&line, sending->lead->id_key, id);
        json_member(&line, "to", sending->to);
        json_member(&line, "id", str_span(&letter->id));
    } else {
        sanitize_add(&line, id.at ? id : str_span(&letter->id), app->clean);
        str_putc(&line, ' ');
        sanitize_add(&line, sending->to, app->clean);
    }
    app_put_receipt(app, &line, letter, NULL);
}

/* Prints remarks about how the command reaches the agent. */
static void lead_sending_say_way(const struct sending *sending)
{
    const struct source *source = store_source(sending->app->store, sending->way.source);
    const struct order_terms *terms = &sending->terms;

    if (sending->way.ability == ABILITY_CONVENTION)
        app_note(sending->app,
                 "in the layout %s this is a custom for people and models: no program enforces it",
                 source->format->title);
    if (terms->means.program && !span_is(terms->from, source->identity))
        app_note(sending->app,
                 "it goes out in the name of \"%.*s\", from whom alone programs take it, and whose "
                 "inbox gets the answer",
                 (int)terms->from.len, terms->from.at);
}

/* Finds the recipient, and prints remarks about how the command reaches it. */
static bool lead_sending_find(struct sending *sending, struct span to, struct err *err)
{
    struct app *app = sending->app;

    sending->to = to;
    sending->terms.now_us = time_now();
    if (!app_verify(app, &sending->how.verify, err) ||
        !store_lead_agent(app->store, STORE_ANY, to, &sending->terms, &sending->way,
                          &sending->arena, err))
        return false;
    sending->how.source = sending->way.source;
    if (!to.at) { /* the layout's default recipient, whose mailbox may be created */
        sending->to = sending->way.agent;
        sending->how.create = true;
    }
    lead_sending_say_way(sending);
    return true;
}

/* Makes the message from the terms. */
static bool lead_sending_make(struct sending *sending, struct err *err)
{
    if (!lead_command_make(&sending->text, &sending->terms, err))
        return false;
    sending->letter.draft = sending->text.draft;
    sending->letter.draft.to = sending->to;
    return true;
}

/* Sends the command, or shows it with --dry-run, and prints its id and recipient, or the message's
 * id if it has no other. Every lead command passes here. Returns the exit code. */
static int lead_sending_send(struct sending *sending)
{
    struct app *app = sending->app;
    struct outgoing_message *letter = &sending->letter;
    struct order_note note = {.verb = lead_verb_name(sending->terms.verb),
                              .kind = lead_verb_kind(sending->terms.verb),
                              .agent = sending->way.agent,
                              .team = sending->way.team,
                              .terms = str_span(&sending->text.in_short),
                              .id = sending->text.id};
    struct err err;

    if (app_has(app, "dry-run"))
        return preview_and_print(app, letter, &sending->how);
    bool ok = store_lead_command(app->store, letter, &sending->how, &note, &err);
    if (letter->delivered || letter->queued)
        put_sent(sending);
    return ok ? EXIT_DONE : app_fail(app, &err);
}

/* Like lead_sending_send(), but to one recipient of a planned broadcast. */
static int lead_sending_send_to(struct sending *sending, const struct draft *planned)
{
    sending->letter = (struct outgoing_message){.draft = sending->text.draft};
    sending->letter.draft.to = sending->to = sending->way.agent = planned->to;
    sending->letter.draft.team = sending->way.team;
    sending->letter.draft.created_us = planned->created_us; /* planned, so that the ids differ */
    int code = lead_sending_send(sending);
    outgoing_message_free(&sending->letter);
    sending->letter = (struct outgoing_message){0};
    return code;
}

static void lead_sending_free(struct sending *sending)
{
    outgoing_message_free(&sending->letter);
    lead_command_free(&sending->text);
    span_list_free(&sending->rules);
    str_free(&sending->body);
    str_free(&sending->id);
    arena_free(&sending->arena);
}

/* shutdown: asks an agent to stop, and with --wait waits for its answer. */

static const struct option_spec shutdown_options[] = {
    {"reason", "TEXT", OPTION_TEXT, AT(terms.reason), .help = "why; the agent may still say no"},
    {"wait", "DURATION", .help = "for the answer: exit 3 when it is no, 1 if none"},
    SENDING_OPTIONS,
    {0},
};

static bool fill_shutdown(struct sending *sending, struct err *err)
{
    return app_duration(sending->app, "wait", 0, &sending->wait_us, err);
}

/* The agent that is waited for, and its answer. */
struct stopping {
    const struct sending *sending;
    struct watching watching;
    bool answered;
    enum protocol_verdict verdict;
    struct str id, reason;
};

static bool is_answer(const struct stopping *stopping, const struct message *message)
{
    const struct sending *sending = stopping->sending;
    enum protocol_kind kind = protocol_kind_find(message->type);

    return (kind == PROTOCOL_SHUTDOWN_APPROVED || kind == PROTOCOL_SHUTDOWN_REJECTED) &&
           message->place->source == sending->way.source &&
           span_eq(message->place->team, sending->way.team) &&
           span_eq(message->reply_to, sending->text.id) &&
           message_name_fits(message->from, sending->way.agent);
}

static void take_change(void *context, enum live_event event, const struct message *message)
{
    struct stopping *stopping = context;
    struct protocol said = {0};
    CLEANUP(arena_free) struct arena arena = {0};

    if (event == LIVE_GONE || stopping->answered || !is_answer(stopping, message))
        return;
    if (message->data)
        protocol_parse(&said, message->data->protocol, &arena);
    stopping->answered = true;
    stopping->verdict = message->verdict;
    str_add_span(&stopping->id, message->id);
    str_add_span(&stopping->reason, said.reason);
}

static bool has_answer(const void *context)
{
    return ((const struct stopping *)context)->answered;
}

static void put_answer(const struct stopping *stopping)
{
    const struct app *app = stopping->sending->app;
    bool no = stopping->verdict == VERDICT_NO;
    CLEANUP(str_free) struct str line = {0};

    if (app_json(app)) {
        str_puts(&line, "{\"v\":1");
        json_member(&line, "request_id", stopping->sending->text.id);
        json_member_word(&line, "answer", no ? "rejected" : "approved");
        json_member(&line, "reason", no ? str_span(&stopping->reason) : (struct span){0});
        json_member(&line, "id", str_span(&stopping->id));
        str_putc(&line, '}');
    } else {
        str_puts(&line, no ? "rejected: " : "approved");
        if (no)
            sanitize_add(&line, str_span(&stopping->reason), app->clean);
    }
    str_putc(&line, '\n');
    app_put(app, &line);
}

static int wait_for_answer(const struct sending *sending)
{
    static const struct watching_calls calls = {.changed = take_change};
    struct stopping stopping = {.sending = sending};
    int code = EXIT_NOTHING;
    struct err err;

    fflush(stdout); /* so that a reader of the output need not wait for the request id */
    if (!app_watch(&stopping.watching, sending->app, WANT_DATA, NULL, &calls, &stopping, &err))
        return app_fail(sending->app, &err);
    app_watch_until(&stopping.watching, time_steady() + sending->wait_us, has_answer);
    watching_stop(&stopping.watching);
    if (stopping.answered) {
        put_answer(&stopping);
        code = stopping.verdict == VERDICT_NO ? EXIT_REFUSED : EXIT_DONE;
    } else {
        app_note(sending->app, "\"%.*s\" has not answered yet; see swarmutt sent %s",
                 (int)sending->to.len, sending->to.at, str_c(&sending->letter.id));
    }
    str_free(&stopping.id);
    str_free(&stopping.reason);
    return code;
}

/* Reports whether --wait is possible. If no program answers, an answer is an ordinary message. */
static bool can_wait(struct sending *sending, struct err *err)
{
    return !app_has(sending->app, "wait") || sending->terms.means.program ||
           err_set(err, ERR_REFUSED,
                   "no program answers in the layout %s, so there is nothing to wait for: nothing "
                   "was sent",
                   store_source(sending->app->store, sending->way.source)->format->title);
}

/* mode: sets the mode that an agent works in. */

static const struct option_spec mode_options[] = {
    {"confirm", "AGENT", .kinds = WORD_AGENT,
     .help = "the agent once more, for a mode in which nobody is asked"},
    SENDING_OPTIONS,
    {0},
};

static bool fill_mode(struct sending *sending, struct err *err)
{
    return lead_mode(span_of(sending->app->operands[1]), &sending->terms.mode, err);
}

static bool confirm_mode(struct sending *sending, struct err *err)
{
    struct span mode = sending->terms.mode;
    CLEANUP(str_free) struct str what = {0};

    if (!lead_mode_is_unguarded(mode))
        return true;
    str_addf(&what, "%.*s takes all protection away: \"%.*s\" will act without asking anybody",
             (int)mode.len, mode.at, (int)sending->to.len, sending->to.at);
    return app_confirm(sending->app, sending->to, str_c(&what), err);
}

/* assign: gives a task to an agent. */

static const struct option_spec assign_options[] = {
    {"task", "ID", OPTION_TEXT, AT(terms.task), .needed = true,
     .help = "the task's number in the list of the team"},
    {"subject", "TEXT", OPTION_TEXT, AT(terms.subject), .needed = true, .help = "what it is about"},
    {"description", "TEXT", OPTION_TEXT, AT(terms.description),
     .help = "all of it; or - as the last word to read it"},
    {"body-file", "FILE", .kinds = WORD_FILE, .path = true, .help = "a file with the description"},
    SENDING_OPTIONS,
    {0},
};

static bool fill_assignment(struct sending *sending, struct err *err)
{
    bool present;

    if (!app_body(sending->app, &sending->body, &present, err))
        return false;
    if (present && app_has(sending->app, "description"))
        return app_misuse(sending->app, err,
                          "only one of --description, --body-file and - can give the description");
    if (present)
        sending->terms.description = str_span(&sending->body);
    return true;
}

/* rules: sets what the agents of a team may use a tool for. */

static const struct option_spec rules_options[] = {
    {"tool", "NAME", OPTION_TEXT, AT(terms.tool), .needed = true, .help = "the tool, such as Bash"},
    {"rule", "CONTENT", OPTION_TEXTS, AT(rules),
     .help = "what it is used for; may be given several times"},
    {"behavior", "WORD", OPTION_TEXT, AT(terms.behavior), .needed = true, .word = words_behavior,
     .help = "allow, deny or ask"},
    {"directory", "DIR", OPTION_TEXT, AT(terms.directory), .needed = true, .kinds = WORD_DIRECTORY,
     .help = "the directory that it is about"},
    {"confirm", "TEAM", .kinds = WORD_TEAM, .help = "the team once more, when all of it may"},
    SENDING_OPTIONS,
    {0},
};

static bool confirm_rules(const struct sending *sending, size_t count, struct err *err)
{
    const struct order_terms *terms = &sending->terms;
    CLEANUP(str_free) struct str what = {0};

    if (!span_is(terms->behavior, "allow"))
        return true;
    str_addf(&what, "all %zu teammates of \"%.*s\" will use %.*s without asking", count,
             (int)sending->to.len, sending->to.at, (int)terms->tool.len, terms->tool.at);
    return app_confirm(sending->app, sending->to, str_c(&what), err);
}

/* Sends a command to each agent. A failure for one does not stop the others. */
static int send_to_each(struct sending *sending, const struct broadcast *plan)
{
    int code = EXIT_DONE;
    size_t failed = 0;

    for (size_t i = 0; i < plan->count; i++) {
        const struct draft *planned = &plan->letters[i].draft;
        int one = lead_sending_send_to(sending, planned);
        if (one != EXIT_DONE)
            app_note(sending->app, "\"%.*s\" %s got it", (int)planned->to.len, planned->to.at,
                     one == EXIT_UNCONFIRMED ? "may not have" : "has not");
        failed += one != EXIT_DONE && one != EXIT_UNCONFIRMED;
        code = exit_worse(code, one);
    }
    /* EXIT_FAILED would say that nobody has got it */
    return failed && failed < plan->count ? EXIT_UNCONFIRMED : code;
}

/* Sends to a team. All recipients are found and all messages made before the first is sent. */
static int order_team(struct sending *sending, const struct span_list *leads)
{
    struct app *app = sending->app;
    CLEANUP(broadcast_free) struct broadcast plan = {0};
    struct err err;

    sending->how.source = sending->way.source;
    if (!app_verify(app, &sending->how.verify, &err) || !lead_sending_make(sending, &err))
        return app_fail(app, &err);
    lead_sending_say_way(sending);
    if (app_has(app, "dry-run"))
        return preview_all_and_print(app, &sending->text.draft, sending->way.source,
                                     sending->way.team, leads);
    if (!store_preview_broadcast(app->store, &sending->text.draft, sending->way.source,
                                 sending->way.team, leads, &plan, &err) ||
        !confirm_rules(sending, plan.count, &err))
        return app_fail(app, &err);
    return send_to_each(sending, &plan);
}

/* escalate: passes something on to who stands above. */

static const struct option_spec escalate_options[] = {
    {"level", "LEVEL", .needed = true, .word = words_level, .help = "coo or ceo"},
    {"title", "TEXT", OPTION_TEXT, AT(terms.title), .needed = true, .help = "what it is about"},
    {"reason", "TEXT", OPTION_TEXT, AT(terms.reason), .needed = true,
     .help = "why it is escalated"},
    {"id", "ESC-...", OPTION_TEXT, AT(terms.id), .help = "the escalation (default: a new one)"},
    {"to", "AGENT", OPTION_TEXT, AT(to), .kinds = WORD_AGENT,
     .help = "who gets it (default: by the level)"},
    {"priority", "PRIORITY", OPTION_PRIORITY, AT(terms.priority), .word = priority_word,
     .help = "to the coo: low, normal, high or urgent"},
    BODY_OPTIONS,
    SENDING_OPTIONS,
    {0},
};

static bool fill_escalation(struct sending *sending, struct err *err)
{
    const struct app *app = sending->app;
    struct order_terms *terms = &sending->terms;
    bool present;

    if (!escalation_level_find(app_text(app, "level"), &terms->level))
        return app_refuse_word(app, err, "--level", app_value(app, "level"), words_level);
    if (app_has(app, "priority") && escalation_routes[terms->level].is_high)
        return app_misuse(app, err, "what goes to the ceo always has the priority high");
    if (!app_body(app, &sending->body, &present, err))
        return false;
    terms->body = present ? str_span(&sending->body) : (struct span){0};
    return true;
}

static bool name_escalation(struct sending *sending, struct err *err)
{
    return store_name_escalation(sending->app->store, &sending->terms, &sending->id, err);
}

static const struct lead leads[LEAD_VERBS] = {
    [LEAD_SHUTDOWN] = {.id_key = "request_id", .fill = fill_shutdown, .settle = can_wait},
    [LEAD_MODE] = {.fill = fill_mode, .confirm = confirm_mode},
    [LEAD_ASSIGN] = {.fill = fill_assignment},
    [LEAD_RULES] = {0},
    [LEAD_ESCALATE] = {.id_key = "escalation_id",
                       .fill = fill_escalation,
                       .settle = name_escalation},
};

/* Finds, makes and sends a command to one agent. Returns the exit code. */
static int order_agent(struct sending *sending, struct span to)
{
    const struct lead *lead = sending->lead;
    struct err err;

    if (!lead_sending_find(sending, to, &err) || (lead->settle && !lead->settle(sending, &err)) ||
        !lead_sending_make(sending, &err) || (lead->confirm && !lead->confirm(sending, &err)))
        return app_fail(sending->app, &err);
    int code = lead_sending_send(sending);
    return code == EXIT_DONE && app_has(sending->app, "wait") && !app_has(sending->app, "dry-run")
               ? wait_for_answer(sending)
               : code;
}

static int run_lead(struct app *app)
{
    CLEANUP(lead_sending_free)
    struct sending sending = {.app = app, .terms.priority = PRIORITY_NORMAL};
    CLEANUP(span_list_free) struct span_list heads = {0};
    struct order_terms *terms = &sending.terms;
    struct err err;

    while (strcmp(lead_verb_name(terms->verb), app->command->name) != 0)
        terms->verb++;
    sending.lead = &leads[terms->verb];
    terms->rules = &sending.rules;
    if (!app_read_options(app, &sending, &err) ||
        (sending.lead->fill && !sending.lead->fill(&sending, &err)))
        return app_fail(app, &err);
    if (app->command->least)
        sending.to = span_of(app->operands[0]);
    if (terms->verb == LEAD_RULES) { /* for a whole team if the name is that of a team */
        terms->now_us = time_now();
        if (store_lead_team(app->store, STORE_ANY, sending.to, terms, &sending.way, &heads,
                            &sending.arena, &err))
            return order_team(&sending, &heads);
        if (err.scope != ERR_ABSENT)
            return app_fail(app, &err);
    }
    return order_agent(&sending, sending.to);
}

const struct command command_shutdown = {.name = "shutdown",
                                         .operands = "AGENT",
                                         .takes = {{.kinds = WORD_AGENT}},
                                         .summary = "ask an agent to stop; prints the request id",
                                         .options = shutdown_options,
                                         .least = 1,
                                         .most = 1,
                                         .writes = true,
                                         .run = run_lead};

const struct command command_mode = {.name = "mode",
                                     .operands = "AGENT MODE",
                                     .takes = {{.kinds = WORD_AGENT}, {.word = words_mode}},
                                     .summary = "set the mode that an agent works in",
                                     .options = mode_options,
                                     .least = 2,
                                     .most = 2,
                                     .writes = true,
                                     .run = run_lead};

const struct command command_assign = {.name = "assign",
                                       .operands = "AGENT --task ID --subject TEXT [-]",
                                       .takes = {{.kinds = WORD_AGENT}},
                                       .summary = "assign a task to an agent",
                                       .options = assign_options,
                                       .least = 1,
                                       .most = 2,
                                       .writes = true,
                                       .run = run_lead};

const struct command command_rules = {.name = "rules",
                                      .operands =
                                          "TEAM|AGENT --tool NAME --behavior WORD --directory DIR",
                                      .takes = {{.kinds = WORD_TEAM | WORD_AGENT}},
                                      .summary = "tell a team what a tool may be used for",
                                      .options = rules_options,
                                      .least = 1,
                                      .most = 1,
                                      .writes = true,
                                      .run = run_lead};

const struct command command_escalate = {.name = "escalate",
                                         .operands = "--level LEVEL --title TEXT --reason TEXT [-]",
                                         .summary =
                                             "pass something on to who stands above; prints its id",
                                         .options = escalate_options,
                                         .most = 1,
                                         .writes = true,
                                         .run = run_lead};
