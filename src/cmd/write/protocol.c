/* protocol: composes the requests and answers of agents' programs. */
#include "base/file/file.h"
#include "base/json/json.h"
#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "base/text/suggest.h"
#include "cmd/app.h"
#include "cmd/words.h"
#include "mail/protocol/protocol_table.h"

#include <errno.h>
#include <sys/random.h>

/* Making a protocol message from the options of the command line. */

/* A message in the making. The caller sets app and message.kind. */
struct making {
    const struct app *app;
    const struct protocol_form *form;
    struct protocol message;
    struct span sender;
    int64_t now_us;
    struct str plan, rules, id, time, created, worker, self; /* borrowed by the message */
    struct config config;                                    /* likewise; zero if not needed */
};

#define AT(member) offsetof(struct protocol, member)

/* An option goes with the kinds of message that have one of its fields. Fields in `also` are not
 * read from an option that is OPTION_OTHER. */
static const struct option_spec options[] = {
    {"to", "NAME", .kinds = WORD_AGENT, .help = "who is to get it"},
    {"from", "NAME", .kinds = WORD_AGENT, .help = "who sends it (default: --as, else team-lead)"},
    {"team", "NAME", .also = {AT(plan), AT(worker_id)}, .kinds = WORD_TEAM,
     .help = "the team, as a part of new ids"},
    {"request-id", "ID", OPTION_TEXT, AT(request_id),
     .help = "the id; that of the request in an answer"},
    {"timestamp", "TIME", OPTION_OTHER, AT(timestamp), .help = "when it is sent (default: now)"},
    {"approve", NULL, OPTION_OTHER, AT(verdict), .also = {AT(response)},
     .help = "say yes; the same as --allow"},
    {"reject", NULL, OPTION_OTHER, AT(verdict), .also = {AT(error)},
     .help = "say no; the same as --deny"},
    {"allow", NULL, OPTION_OTHER, AT(verdict), .also = {AT(response)}, .help = "say yes"},
    {"deny", NULL, OPTION_OTHER, AT(verdict), .also = {AT(error)}, .help = "say no"},
    {"feedback", "TEXT", OPTION_TEXT, AT(feedback), .help = "what is wrong with a plan"},
    {"error", "TEXT", OPTION_TEXT, AT(error), .help = "why a tool may not be used"},
    {"reason", "TEXT", OPTION_TEXT, AT(reason), .help = "why to shut down, or why not to"},
    {"mode", "MODE", OPTION_TEXT, AT(mode), .word = words_mode,
     .help = "default, acceptEdits, plan, ..."},
    {"task", "ID", OPTION_TEXT, AT(task_id), .help = "the task that is assigned"},
    {"subject", "TEXT", OPTION_TEXT, AT(subject), .help = "what the task is about"},
    {"description", "TEXT", OPTION_TEXT, AT(description),
     .help = "the task, or the use of a tool, in full"},
    {"by", "NAME", OPTION_TEXT, AT(assigned_by), .kinds = WORD_AGENT,
     .help = "who assigns the task (default: the sender)"},
    {"tool", "NAME", OPTION_TEXT, AT(tool_name), .also = {AT(rules)},
     .help = "the tool to be used"},
    {"rule", "TEXT", .also = {AT(rules)}, .help = "what the tool may be used for; several times"},
    {"behavior", "WORD", OPTION_TEXT, AT(behavior), .word = words_behavior,
     .help = "allow, deny or ask"},
    {"directory", "PATH", OPTION_TEXT, AT(directory), .kinds = WORD_DIRECTORY,
     .help = "the directory a permission is about"},
    {"host", "NAME", OPTION_TEXT, AT(host), .help = "the host to be reached"},
    {"plan", "TEXT", OPTION_TEXT, AT(plan), .help = "the plan"},
    {"plan-file", "FILE", OPTION_OTHER, AT(plan), .kinds = WORD_FILE, .path = true,
     .help = "a file with the plan; - to read it"},
    {"path", "PATH", OPTION_TEXT, AT(plan_path), .kinds = WORD_FILE,
     .help = "where the plan lies (default: the plan's file)"},
    {"tool-use-id", "ID", OPTION_TEXT, AT(tool_use_id), .help = "the id of the use of a tool"},
    {"input", "JSON", OPTION_OTHER, AT(input), .also = {AT(updated_input)},
     .help = "an object: what the tool is given"},
    {"suggestions", "JSON", OPTION_OTHER, AT(suggestions),
     .help = "an array: permissions that would help"},
    {"updates", "JSON", OPTION_OTHER, AT(permission_updates),
     .help = "an array: permissions that are given as well"},
    {"agent", "NAME", OPTION_TEXT, AT(agent_id), .kinds = WORD_AGENT,
     .help = "who wants to use a tool (default: the sender)"},
    {"worker", "NAME", OPTION_TEXT, AT(worker_name), .kinds = WORD_AGENT,
     .help = "who wants to reach a host (default: the sender)"},
    {"worker-id", "ID", OPTION_TEXT, AT(worker_id),
     .help = "the same as an id (default: WORKER@TEAM)"},
    {"color", "COLOR", OPTION_TEXT, AT(worker_color), .help = "the colour of that worker"},
    {"created", "MS", OPTION_TEXT, AT(created_at), .help = "when that was asked, in ms since 1970"},
    {"pane", "ID", OPTION_TEXT, AT(pane_id), .help = "the pane that is shut down"},
    {"backend", "WORD", OPTION_TEXT, AT(backend_type), .help = "what kind of pane it is"},
    {"idle-reason", "WORD", OPTION_TEXT, AT(idle_reason), .word = words_idle_reason,
     .help = "available, interrupted or failed"},
    {"summary", "TEXT", OPTION_TEXT, AT(summary), .help = "what an idle agent last told others"},
    {"completed-task", "ID", OPTION_TEXT, AT(completed_task),
     .help = "the task an idle agent ended"},
    {"completed-status", "WORD", OPTION_TEXT, AT(completed_status), .word = words_task_status,
     .help = "resolved, blocked or failed"},
    {"failure", "TEXT", OPTION_TEXT, AT(failure_reason), .help = "why an idle agent failed"},
    {0},
};

static const struct protocol_field *find_field(const struct protocol_field *fields, size_t at)
{
    for (; fields->key; fields++) {
        const struct protocol_field *inside =
            fields->type == FIELD_GROUP ? find_field(fields->inside, at) : NULL;
        if (inside || (fields->type != FIELD_FIXED && fields->at == at))
            return inside ? inside : fields;
    }
    return NULL;
}

static bool says_yes(const struct app *app)
{
    return app_has(app, "approve") || app_has(app, "allow");
}

static bool says_no(const struct app *app)
{
    return app_has(app, "reject") || app_has(app, "deny");
}

/* Returns the first field of the form that the option goes with, or NULL. */
static const struct protocol_field *field_of(const struct making *making,
                                             const struct option_spec *option)
{
    const size_t places[] = {option->at, option->also[0], option->also[1]};
    const struct protocol_field *field = NULL;

    for (size_t i = 0; !field && i < sizeof places / sizeof *places; i++)
        field = places[i] ? find_field(making->form->fields, places[i]) : NULL;
    return field;
}

static bool check_options(const struct making *making, struct err *err)
{
    const struct app *app = making->app;
    const char *name = making->form->name;

    for (size_t i = 0; i < app->given_count; i++)
        for (const struct option_spec *option = options; option->name; option++)
            if (strcmp(option->name, app->given[i].name) == 0 && (option->at || option->also[0]) &&
                !field_of(making, option))
                return err_set(err, ERR_USAGE, "a %s%s does not take --%s", name,
                               making->form->denied ? " that says no" : "", option->name);
    if (says_yes(app) && says_no(app))
        return err_set(err, ERR_USAGE, "only yes or no can be said, not both");
    if (app_has(app, "plan") && app_has(app, "plan-file"))
        return err_set(err, ERR_USAGE, "only one of --plan and --plan-file can give the plan");
    if (app_has(app, "to") && !app_text(app, "to").len)
        return err_set(err, ERR_USAGE, "the name of the recipient is empty");
    /* Silence must never become a grant. */
    if (making->message.kind == PROTOCOL_PERMISSION_RESPONSE && !making->form->denied &&
        !says_yes(app) && !app_has(app, "input"))
        return err_set(err, ERR_USAGE, "a %s needs --allow, --input, --deny or --error", name);
    return true;
}

static bool take_json(struct span *text, const char *option, enum field_type type, struct err *err)
{
    struct json value;
    struct err wrong;
    bool object = type == FIELD_OBJECT;

    if (!json_scan(*text, JSON_STRICT, &value, &wrong))
        return err_set(err, ERR_USAGE, "--%s: %s", option, wrong.text);
    if (value.kind != (object ? JSON_OBJECT : JSON_ARRAY))
        return err_set(err, ERR_USAGE, "--%s takes a JSON %s", option, object ? "object" : "array");
    *text = value.raw;
    return true;
}

static bool fill_given(struct making *making, struct err *err)
{
    if (!app_read_options(making->app, &making->message, err))
        return false;
    for (const struct option_spec *option = options; option->name; option++) {
        const struct protocol_field *field = field_of(making, option);
        if (!field || option->kind != OPTION_OTHER || !option->at ||
            !app_has(making->app, option->name) ||
            (field->type != FIELD_OBJECT && field->type != FIELD_ARRAY))
            continue;
        struct span *text = protocol_span(&making->message, field->at);
        *text = app_text(making->app, option->name);
        if (!take_json(text, option->name, field->type, err))
            return false;
    }
    return true;
}

static bool fill_time(struct making *making, struct err *err)
{
    const char *text = app_value(making->app, "timestamp");
    enum time_zone zone;

    making->now_us = text ? time_parse(span_of(text), &zone) : time_now();
    if (making->now_us == TIME_NONE)
        return err_set(err, ERR_USAGE,
                       "--timestamp takes a time such as 2026-02-07T15:35:15.573Z, not \"%s\"",
                       text);
    time_add_utc_ms(&making->time, making->now_us);
    str_addf(&making->created, "%lld", (long long)(making->now_us / 1000));
    return true;
}

static bool fill_plan(struct making *making, struct err *err)
{
    const char *path = app_value(making->app, "plan-file");
    struct protocol *message = &making->message;

    if (!path)
        return true;
    if (!app_read(path, "plan", &making->plan, err))
        return false;
    if (making->plan.len > FILE_SIZE_MAX)
        return err_set(err, ERR_REFUSED, "%s: the plan is too long", path);
    message->plan = str_span(&making->plan);
    if (!message->plan_path.at && strcmp(path, "-") != 0)
        message->plan_path = span_of(path);
    return true;
}

/* Returns the name without the team of NAME@TEAM, because messages name agents without it. */
static struct span short_name(struct span name)
{
    struct span team;

    span_split_last(name, '@', &name, &team);
    return name;
}

static bool fill_id(struct making *making, struct err *err)
{
    struct protocol *message = &making->message;
    bool plan = message->kind == PROTOCOL_PLAN_APPROVAL_REQUEST;
    struct protocol_seed seed = {.now_ms = making->now_us / 1000,
                                 .name = plan ? making->sender
                                              : short_name(app_text(making->app, "to")),
                                 .team = app_text(making->app, "team")};

    if (message->request_id.at)
        return true;
    if (getrandom(&seed.random, sizeof seed.random, 0) < 0)
        return err_set(err, ERR_SOURCE, "no random number is to be had: %s", strerror(errno));
    if (plan && !seed.team.at)
        return err_set(err, ERR_USAGE, "a %s needs --team or --request-id", making->form->name);
    if (message->kind == PROTOCOL_SHUTDOWN_REQUEST && !seed.name.at)
        return err_set(err, ERR_USAGE, "a %s needs --to or --request-id", making->form->name);
    if (protocol_new_id(&making->id, message->kind, &seed))
        message->request_id = str_span(&making->id);
    return true;
}

static void fill_default(struct span *text, struct span value)
{
    if (!text->at)
        *text = value;
}

/* Sets the defaults that the agents' own programs use. Fields that the kind does not have are not
 * read. */
static void fill_defaults(struct making *making)
{
    struct protocol *message = &making->message;
    struct span team = app_text(making->app, "team");
    CLEANUP(span_list_free) struct span_list rules = {0};

    message->verdict = says_yes(making->app)  ? VERDICT_YES
                       : says_no(making->app) ? VERDICT_NO
                                              : VERDICT_UNSAID;
    message->from = making->sender;
    message->timestamp = str_span(&making->time);
    fill_default(&message->created_at, str_span(&making->created));
    fill_default(&message->assigned_by, making->sender);
    fill_default(&message->agent_id, making->sender);
    fill_default(&message->worker_name, making->sender);
    fill_default(&message->suggestions, span_of("[]"));
    fill_default(&message->permission_updates, span_of("[]"));
    fill_default(&message->error, span_of("Permission denied"));
    if (message->kind == PROTOCOL_PLAN_APPROVAL_RESPONSE && message->verdict == VERDICT_YES)
        fill_default(&message->mode, span_of("default"));
    if (team.at) {
        str_add_span(&making->worker, message->worker_name);
        str_putc(&making->worker, '@');
        str_add_span(&making->worker, team);
        fill_default(&message->worker_id, str_span(&making->worker));
    }
    if (message->tool_name.at) {
        app_values(making->app, "rule", &rules);
        protocol_add_rules(&making->rules, message->tool_name, rules.items, rules.count);
        message->rules = str_span(&making->rules);
    }
}

/* Sets the error that names the options for a missing field. Returns false. */
static bool say_needed(const struct making *making, const struct protocol_field *field,
                       struct err *err)
{
    CLEANUP(str_free) struct str names = {0};

    for (const struct option_spec *option = options; option->name; option++)
        if (option->at == field->at ||
            (option->kind == OPTION_TEXT && option->also[0] == field->at))
            str_addf(&names, "%s--%s", names.len ? " or " : "", option->name);
    err_set(err, ERR_USAGE, "a %s needs %s", making->form->name, str_c(&names));
    return false;
}

static bool check_needed(const struct making *making, const struct protocol_field *fields,
                         struct err *err)
{
    for (; fields->key; fields++) {
        if (fields->type == FIELD_GROUP && !check_needed(making, fields->inside, err))
            return false;
        if (!fields->optional && !protocol_has(&making->message, fields))
            return say_needed(making, fields, err);
    }
    return true;
}

/* Finds the sender: --from, --as, else our identity in the Claude layout. */
static bool find_sender(struct making *making, struct err *err)
{
    const struct app *app = making->app;

    making->sender = app_text(app, app_has(app, "from") ? "from" : "as");
    if (making->sender.at)
        return true;
    if (format_add_identity(&making->self, format_find(span_of("claude"))))
        making->sender = str_span(&making->self);
    else if (config_load(&making->config, err))
        making->sender = making->config.identity;
    else
        return false;
    fill_default(&making->sender, span_of("team-lead"));
    return true;
}

/* Fills the message. Returns false if an option does not fit the kind or a required one is
 * missing. */
static bool protocol_args_fill(struct making *making, struct err *err)
{
    const struct app *app = making->app;
    struct protocol *message = &making->message;

    message->denied =
        message->kind == PROTOCOL_PERMISSION_RESPONSE && (says_no(app) || app_has(app, "error"));
    making->form = protocol_form(message->kind, message->denied);
    if (!find_sender(making, err))
        return false;
    making->sender = short_name(making->sender);
    if (!check_options(making, err) || !fill_given(making, err) || !fill_time(making, err) ||
        !fill_plan(making, err) || !fill_id(making, err))
        return false;
    fill_defaults(making);
    return check_needed(making, making->form->fields, err);
}

static void protocol_args_free(struct making *making)
{
    str_free(&making->plan);
    str_free(&making->rules);
    str_free(&making->id);
    str_free(&making->time);
    str_free(&making->created);
    str_free(&making->worker);
    str_free(&making->self);
    config_free(&making->config);
}

/* Finds the kind, which may be typed with dashes or underscores. */
static bool find_kind(const struct app *app, enum protocol_kind *kind, struct err *err)
{
    CLEANUP(str_free) struct str name = {0}, near = {0};

    str_puts(&name, app->operands[1]);
    for (char *at = name.at; *at; at++)
        *at = *at == '-' ? '_' : *at;
    *kind = protocol_kind_find(str_span(&name));
    suggest_hint_words(&near, str_span(&name), words_protocol_kind);
    if (*kind == PROTOCOL_UNKNOWN)
        err_set(err, ERR_USAGE, "no kind of message \"%s\"%s; see swarmutt(1)", app->operands[1],
                str_c(&near));
    return *kind != PROTOCOL_UNKNOWN;
}

static bool make_text(struct making *making, struct str *text, struct err *err)
{
    if (!find_kind(making->app, &making->message.kind, err) || !protocol_args_fill(making, err) ||
        !protocol_check(&making->message, err))
        return false;
    protocol_compose(text, &making->message);
    return true;
}

static void put_made(const struct making *making, const struct str *text)
{
    const struct app *app = making->app;
    struct span to = app_text(app, "to");
    CLEANUP(str_free) struct str line = {0};

    if (app_json(app)) {
        str_puts(&line, "{\"v\":1");
        json_member_word(&line, "kind", making->form->name);
        json_member(&line, "text", str_span(text));
        json_member(&line, "to", to);
        str_putc(&line, '}');
    } else if (app->to_terminal) {
        sanitize_add(&line, str_span(text), app->clean | SANITIZE_LINE);
    } else {
        str_add_span(&line, str_span(text));
    }
    str_putc(&line, '\n');
    app_put(app, &line);
    if (making->message.verdict == VERDICT_YES && making->message.feedback.len)
        app_note(app, "what is said along with an approval does not reach the agent");
}

static int run_protocol(struct app *app)
{
    CLEANUP(protocol_args_free) struct making making = {.app = app};
    CLEANUP(str_free) struct str text = {0};
    struct err err;

    if (strcmp(app->operands[0], "compose") != 0)
        return app_misused(app, "protocol does not take \"%s\"", app->operands[0]);
    if (!make_text(&making, &text, &err))
        return app_fail(app, &err);
    put_made(&making, &text);
    return EXIT_DONE;
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
