/* The server: tools, which run subcommands in this process for the client, and resources. */
#include "cmd/mcp/mcp_tools.h"

#include "base/io_error.h"
#include "base/json/json_print.h"
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "cmd/unreadable.h"
#include "mcp/refuse.h"
#include "mcp/uri.h"
#include "store/source/address.h"

#include <stdio.h>
#include <stdlib.h>

/* Clients abort on long lines, the official one at 10 MiB. A result is in the line twice, the
 * second time as a text with each quote and backslash escaped. */
enum { RESULT_MAX = 2 << 20 };

/* A command to run for the client: its options and operands. */
struct errand {
    const char *command;
    const struct tool *tool; /* the tool that it is run for; NULL: none */
    struct given *given;
    size_t given_count, given_cap;
    char *operands[2];
    int operand_count;
    size_t most; /* the most messages that the client gets */
};

static void errand_free(struct errand *errand)
{
    free(errand->given);
    for (int i = 0; i < errand->operand_count; i++)
        free(errand->operands[i]);
}

static void wait_job_add(struct errand *errand, const char *option, const char *value)
{
    *mem_push(errand->given, errand->given_count, errand->given_cap) =
        (struct given){option, value};
}

static void add_operand(struct errand *errand, const char *operand)
{
    if (operand)
        errand->operands[errand->operand_count++] = mem_strdup(operand);
}

static void note_given(void *context, const struct message *message)
{
    struct server *server = context;

    *message_map_put(&server->given, message) = server->calls;
}

bool mcp_server_has_given(const struct server *server, const struct message *message, uint32_t call)
{
    const uint32_t *given = message_map_get(&server->given, message);

    return given && *given < call;
}

void mcp_server_begin(struct server *server, struct capture *capture, size_t most)
{
    *capture = (struct capture){
        .given = note_given, .context = server, .giving = most, .room = RESULT_MAX};
    server->app->capture = capture;
    server->calls++;
    io_error_clear(server->start_errors);
}

void mcp_server_end(struct server *server, struct capture *capture, const struct tool *tool,
                    struct mcp_result *result)
{
    server->app->capture = NULL;
    for (size_t at = 0; at < capture->words.len; at += strlen(capture->words.at + at) + 1) {
        tool_add_sentence(&result->words, tool, span_of(capture->words.at + at));
        str_putc(&result->words, '\0');
    }
    str_free(&capture->words);
}

static void shape_list(struct mcp_result *result, struct span lines, const char *key, size_t most)
{
    struct str *object = &result->object;
    size_t count = 0;

    str_addf(object, "{\"v\":1,\"%s\":[", key);
    for (; lines.len; count++) {
        struct span line = span_first_line(lines);
        const char *end = memchr(lines.at, '\n', lines.len);
        size_t taken = end ? (size_t)(end + 1 - lines.at) : lines.len;
        lines.len -= taken;
        lines.at += taken;
        if (count >= most)
            continue;
        str_puts(object, count ? "," : "");
        str_add_span(object, line);
    }
    str_puts(object, "]}");
    if (count > most) {
        char sentence[80];
        snprintf(sentence, sizeof sentence, "%zu more are left out; see \"limit\"", count - most);
        mcp_result_say(result, sentence);
    }
}

void mcp_server_shape(struct mcp_result *result, struct span lines, enum tool_result form,
                      size_t most)
{
    if (form != TOOL_OBJECT)
        shape_list(result, lines, tool_list_name(form), most);
    else if (lines.len)
        str_add_span(&result->object, span_first_line(lines));
}

/* Runs the command with JSON as its output, and fills in the result. Returns the exit code. */
static int wait_job_run(struct server *server, struct errand *errand, enum tool_result form,
                        struct mcp_result *result)
{
    struct capture capture;

    mcp_server_begin(server, &capture, errand->most);
    struct app inner = *server->app;
    inner.command = command_find(errand->command);
    inner.given = errand->given;
    inner.given_count = errand->given_count;
    inner.operands = errand->operands;
    inner.operand_count = errand->operand_count;
    int code = unreadable_finish(&inner, inner.command->run(&inner));
    mcp_server_end(server, &capture, errand->tool, result);
    result->failed =
        code != EXIT_DONE && !(code == EXIT_NOTHING && (form == TOOL_SOME || form == TOOL_AGENTS));
    if (form == TOOL_OBJECT && !capture.out.len) /* the message found is too large */
        result->failed = true;
    if (!result->failed || capture.out.len)
        mcp_server_shape(result, str_span(&capture.out), form, errand->most);
    str_free(&capture.out);
    return code;
}

static void add_arguments(struct errand *errand, const struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++) {
        const struct argument *argument = &arguments->items[i];
        const char *option = argument->spec->option;
        if (!option)
            continue;
        if (argument->spec->kind == ARGUMENT_TEXT)
            wait_job_add(errand, option, argument->text.at);
        else if (argument->spec->kind == ARGUMENT_FLAG && argument->flag)
            wait_job_add(errand, option, NULL);
        for (size_t k = 0; k < argument->texts.count; k++)
            wait_job_add(errand, option, argument->texts.items[k].at);
    }
}

/* Adds what the tool's command needs besides the options from the arguments. */
static void add_the_rest(struct errand *errand, const struct server *server,
                         const struct tool *tool, const struct arguments *arguments, char *limit,
                         size_t room)
{
    wait_job_add(errand, "json", NULL);
    if (app_has(server->app, "readonly"))
        wait_job_add(errand, "readonly", NULL);
    if (tool->limited)
        errand->most = (size_t)arguments_number(arguments, tool->arguments, "limit");
    if (tool->newest) { /* one more than asked for shows whether there are more */
        snprintf(limit, room, "%zu", errand->most + 1);
        wait_job_add(errand, "limit", limit);
        wait_job_add(errand, "newest", NULL);
    }
    if (tool->unless_given && !arguments_get(arguments, tool->unless_given))
        wait_job_add(errand, "all", NULL);
    for (size_t i = 0; i < sizeof tool->operands / sizeof *tool->operands; i++)
        if (tool->operands[i])
            add_operand(errand, arguments_text(arguments, tool->operands[i]).at);
}

static bool is_ours(const struct server *server, const struct message *message, struct err *err)
{
    const struct source *source = store_source(server->app->store, message->place->source);

    return address_is_ours(source, message) ||
           err_set(err, ERR_REFUSED, "%.*s is mail for \"%.*s\", and only they mark it",
                   (int)message->id.len, message->id.at, (int)message->to.len, message->to.at);
}

/* Reports whether the tool may be used on this message, as the command will find it. */
static bool may_touch(const struct server *server, struct span id, const struct tool *tool,
                      struct err *err)
{
    struct load all = {.inbox = true, .archive = true};
    CLEANUP(model_free) struct model model = {0};
    bool ok = app_load(server->app, &all, &model, err);
    const struct message *message = ok ? model_find(&model, id, err) : NULL;

    if (!message)
        unreadable_hides(server->app, err);
    return message && tool->permits(message, err) &&
           (!tool->own || is_ours(server, message, err) || err_about(err, "id"));
}

static bool may_send(const struct server *server, const struct tool *tool,
                     const struct arguments *arguments, struct err *err)
{
    struct span to = arguments_text(arguments, "to");

    if (!refuse_arguments(arguments, err))
        return false;
    if (span_starts(to, span_of("broadcast:")))
        return err_set(err, ERR_REFUSED, "`to` is one agent; for a swarm there is broadcast");
    return !tool->permits || may_touch(server, arguments_text(arguments, "id"), tool, err);
}

void mcp_server_call(void *context, const struct tool *tool, const struct arguments *arguments,
                     struct mcp_result *result)
{
    struct server *server = context;
    CLEANUP(errand_free)
    struct errand errand = {.command = tool->command, .tool = tool, .most = SIZE_MAX};
    char limit[32];
    struct err err;

    if (tool->writes && !may_send(server, tool, arguments, &err)) {
        struct capture capture;
        mcp_server_begin(server, &capture, 0);
        app_fail(server->app, &err);
        mcp_server_end(server, &capture, tool, result);
        result->failed = true;
        return;
    }
    add_arguments(&errand, arguments);
    add_the_rest(&errand, server, tool, arguments, limit, sizeof limit);
    wait_job_run(server, &errand, tool->result, result);
    if (result->failed && !result->words.len)
        mcp_result_say(result, "it failed, and nothing says why");
    if (tool->writes) {
        server->wrote = true;
        server->outbox_us = time_steady();
    }
}

/* Resources: messages and conversations. */

enum { LISTED_MAX = 50, NAME_COLUMNS = 80 };

static void add_sanitized(struct str *out, const char *key, struct span text)
{
    CLEANUP(str_free) struct str shown = {0};

    sanitize_cut(&shown, text, SANITIZE_LINE, NAME_COLUMNS);
    json_member(out, key, str_span(&shown));
}

static void add_resource(struct str *out, const struct message *message)
{
    CLEANUP(str_free) struct str uri = {0}, about = {0};

    uri_add(&uri, URI_MESSAGE, message->id);
    str_putc(out, '{');
    json_member(out, "uri", str_span(&uri));
    add_sanitized(out, "name", message->id);
    add_sanitized(out, "title", message->subject.len ? message->subject : message->id);
    str_puts(&about, "unread, from ");
    str_add_span(&about, message->from);
    if (message->priority > PRIORITY_NORMAL)
        str_addf(&about, ", %s", priority_name(message->priority));
    add_sanitized(out, "description", str_span(&about));
    json_member_word(out, "mimeType", "application/json");
    str_putc(out, '}');
}

static bool add_list(const struct server *server, struct str *out, struct err *err)
{
    struct load load = {.inbox = true};
    CLEANUP(model_free) struct model model = {0};
    size_t count = 0;
    bool ok = app_load(server->app, &load, &model, err);
    CLEANUP(selection_free)
    struct selection places = unreadable_find(server->app, &model, UNREADABLE_OURS);

    for (size_t i = 0; ok && i < model.count; i++) {
        struct message *message = model.messages[i];
        if (message_for_us(message) && message->status == STATUS_UNREAD && !message->damaged &&
            message->id.len && !message_expired(message, app_now(server->app)))
            model.messages[count++] = message;
    }
    model_sort(model.messages, count, message_cmp_newest);
    str_putc(out, '[');
    for (size_t i = 0; i < count && i < LISTED_MAX; i++) {
        str_puts(out, i ? "," : "");
        add_resource(out, model.messages[i]);
    }
    str_putc(out, ']');
    if (!count && places.count)
        ok = err_set(err, ERR_BOX, "%s", places.items[0]->damaged) ||
             err_at(err, "the mailbox cannot be read");
    return ok;
}

bool mcp_server_list(void *context, struct str *out, struct err *err)
{
    struct server *server = context;
    struct str list = {0};
    bool ok = add_list(server, &list, err);

    str_add_span(out, str_span(&list));
    str_free(&server->listed);
    if (ok && !(server->watches && server->watching.ready))
        server->listed = list;
    else
        str_free(&list);
    mcp_server_follow(server);
    return ok;
}

bool mcp_server_has_changed(struct server *server)
{
    CLEANUP(str_free) struct str now = {0};
    struct err ignored;
    bool changed = server->listed.len && add_list(server, &now, &ignored) &&
                   !span_eq(str_span(&now), str_span(&server->listed));

    str_free(&server->listed);
    return changed;
}

bool mcp_server_read(void *context, struct span uri, struct str *out, struct err *err)
{
    struct server *server = context;
    CLEANUP(errand_free) struct errand errand = {.most = SIZE_MAX};
    CLEANUP(mcp_result_free) struct mcp_result result = {0};
    CLEANUP(str_free) struct str id = {0};
    enum uri_kind kind;
    bool ok = uri_read(uri, &kind, &id);
    int code = EXIT_NOTHING;

    if (ok) {
        errand.command = kind == URI_MESSAGE ? "show" : "thread";
        add_operand(&errand, str_c(&id));
        wait_job_add(&errand, "json", NULL);
        if (app_has(server->app, "readonly"))
            wait_job_add(&errand, "readonly", NULL);
        code =
            wait_job_run(server, &errand, kind == URI_MESSAGE ? TOOL_OBJECT : TOOL_LIST, &result);
        ok = !result.failed;
    }
    if (ok)
        mcp_result_add(out, &result);
    else
        err_set(err, code == EXIT_FAILED ? ERR_SOURCE : ERR_ABSENT, "%s: %.*s%s%s",
                code == EXIT_FAILED ? "the resource cannot be read" : "no such resource",
                (int)(uri.len < 200 ? uri.len : 200), uri.at, result.words.len ? "; " : "",
                str_c(&result.words));
    return ok;
}
