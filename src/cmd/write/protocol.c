/* protocol: the texts by which agents' programs ask and answer each other, made by hand. */
#include "base/json/json_print.h"
#include "base/text/clean.h"
#include "base/text/nearest.h"
#include "cmd/words.h"
#include "cmd/write/making.h"

static const struct option_spec options[] = {
    {.name = "to", .value = "NAME", .takes = {.kinds = WORD_AGENT}, .help = "who is to get it"},
    {.name = "from",
     .value = "NAME",
     .takes = {.kinds = WORD_AGENT},
     .help = "who sends it (default: --as, else team-lead)"},
    {.name = "team",
     .value = "NAME",
     .takes = {.kinds = WORD_TEAM},
     .help = "the team, as a part of new ids"},
    {.name = "request-id", .value = "ID", .help = "the id; that of the request in an answer"},
    {.name = "timestamp", .value = "TIME", .help = "when it is sent (default: now)"},
    {.name = "approve", .help = "say yes; the same as --allow"},
    {.name = "reject", .help = "say no; the same as --deny"},
    {.name = "allow", .help = "say yes"},
    {.name = "deny", .help = "say no"},
    {.name = "feedback", .value = "TEXT", .help = "what is wrong with a plan"},
    {.name = "error", .value = "TEXT", .help = "why a tool may not be used"},
    {.name = "reason", .value = "TEXT", .help = "why to shut down, or why not to"},
    {.name = "mode",
     .value = "MODE",
     .takes = {.word = words_mode},
     .help = "default, acceptEdits, plan, ..."},
    {.name = "task", .value = "ID", .help = "the task that is assigned"},
    {.name = "subject", .value = "TEXT", .help = "what the task is about"},
    {.name = "description", .value = "TEXT", .help = "the task, or the use of a tool, in full"},
    {.name = "by",
     .value = "NAME",
     .takes = {.kinds = WORD_AGENT},
     .help = "who assigns the task (default: the sender)"},
    {.name = "tool", .value = "NAME", .help = "the tool to be used"},
    {.name = "rule", .value = "TEXT", .help = "what the tool may be used for; several times"},
    {.name = "behavior",
     .value = "WORD",
     .takes = {.word = words_behavior},
     .help = "allow, deny or ask"},
    {.name = "directory",
     .value = "PATH",
     .takes = {.kinds = WORD_DIRECTORY},
     .help = "the directory a permission is about"},
    {.name = "host", .value = "NAME", .help = "the host to be reached"},
    {.name = "plan", .value = "TEXT", .help = "the plan"},
    {.name = "plan-file",
     .value = "FILE",
     .takes = {.kinds = WORD_FILE},
     .path = true,
     .help = "a file with the plan; - to read it"},
    {.name = "path",
     .value = "PATH",
     .takes = {.kinds = WORD_FILE},
     .help = "where the plan lies (default: the plan's file)"},
    {.name = "tool-use-id", .value = "ID", .help = "the id of the use of a tool"},
    {.name = "input", .value = "JSON", .help = "an object: what the tool is given"},
    {.name = "suggestions", .value = "JSON", .help = "an array: permissions that would help"},
    {.name = "updates", .value = "JSON", .help = "an array: permissions that are given as well"},
    {.name = "agent",
     .value = "NAME",
     .takes = {.kinds = WORD_AGENT},
     .help = "who wants to use a tool (default: the sender)"},
    {.name = "worker",
     .value = "NAME",
     .takes = {.kinds = WORD_AGENT},
     .help = "who wants to reach a host (default: the sender)"},
    {.name = "worker-id", .value = "ID", .help = "the same as an id (default: WORKER@TEAM)"},
    {.name = "color", .value = "COLOR", .help = "the colour of that worker"},
    {.name = "created", .value = "MS", .help = "when that was asked, in ms since 1970"},
    {.name = "pane", .value = "ID", .help = "the pane that is shut down"},
    {.name = "backend", .value = "WORD", .help = "what kind of pane it is"},
    {.name = "idle-reason",
     .value = "WORD",
     .takes = {.word = words_idle_reason},
     .help = "available, interrupted or failed"},
    {.name = "summary", .value = "TEXT", .help = "what an idle agent last told others"},
    {.name = "completed-task", .value = "ID", .help = "the task an idle agent ended"},
    {.name = "completed-status",
     .value = "WORD",
     .takes = {.word = words_task_status},
     .help = "resolved, blocked or failed"},
    {.name = "failure", .value = "TEXT", .help = "why an idle agent failed"},
    {0},
};

/* The kind as typed, with dashes or underscores. */
static bool find_kind(const struct app *app, enum protocol_kind *kind, struct err *err)
{
    struct str name = {0}, near = {0};

    str_puts(&name, app->operands[1]);
    for (char *at = name.at; *at; at++)
        *at = *at == '-' ? '_' : *at;
    *kind = protocol_kind_find(str_span(&name));
    nearest_hint_words(&near, str_span(&name), words_protocol_kind);
    if (*kind == PROTOCOL_UNKNOWN)
        err_set(err, ERR_USAGE, "no kind of message \"%s\"%s; see swarmutt(1)", app->operands[1],
                str_c(&near));
    str_free(&name);
    str_free(&near);
    return *kind != PROTOCOL_UNKNOWN;
}

static bool make(struct making *making, struct str *text, struct err *err)
{
    if (!find_kind(making->app, &making->message.kind, err) || !making_fill(making, err) ||
        !protocol_check(&making->message, err))
        return false;
    protocol_compose(text, &making->message);
    return true;
}

static void put_made(const struct making *making, const struct str *text)
{
    const struct app *app = making->app;
    struct span to = app_text(app, "to");
    struct str line = {0};

    if (app_json(app)) {
        str_puts(&line, "{\"v\":1");
        json_member_word(&line, "kind", making->form->name);
        json_member(&line, "text", str_span(text));
        json_member(&line, "to", to);
        str_putc(&line, '}');
    } else if (app->to_terminal) {
        clean_add(&line, str_span(text), app->clean | CLEAN_LINE);
    } else {
        str_add_span(&line, str_span(text));
    }
    str_putc(&line, '\n');
    app_put(app, &line);
    str_free(&line);
    if (making->message.verdict == VERDICT_YES && making->message.feedback.len)
        app_note(app, "what is said along with an approval does not reach the agent");
}

static int run_protocol(struct app *app)
{
    struct making making = {.app = app};
    struct str text = {0};
    struct err err;
    int code = EXIT_DONE;

    if (strcmp(app->operands[0], "compose") != 0)
        return app_misused(app, "protocol does not take \"%s\"", app->operands[0]);
    if (make(&making, &text, &err))
        put_made(&making, &text);
    else
        code = app_fail(app, &err);
    str_free(&text);
    making_free(&making);
    return code;
}

const struct command command_protocol = {
    .name = "protocol",
    .operands = "compose KIND",
    .takes = {{.word = words_protocol}, {.word = words_protocol_kind}},
    .summary = "make a text for an agent's program",
    .options = options,
    .least = 2,
    .most = 2,
    .storeless = true,
    .run = run_protocol};
