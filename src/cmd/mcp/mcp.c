/* mcp: serves the mailbox of one agent to a client of the Model Context Protocol. */
#include "cmd/mcp/mcp.h"

#include "base/io_error.h"
#include "base/json/json_print.h"
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "base/version.h"
#include "cmd/mail_filter.h"
#include "mcp/tools.h"
#include "store/source/address.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* The server: tools, which run subcommands in this process for the client, and resources. */

/* Clients abort on long lines, the official one at 10 MiB. A result is in the line twice, the
 * second time as a text with each quote and backslash escaped. */
enum { RESULT_MAX = 2 << 20 };

/* A command to run for the client: its options and operands. */
struct tool_task {
    const char *command;
    const struct tool *tool; /* the tool that it is run for; NULL: none */
    struct given *given;
    size_t given_count, given_cap;
    char *operands[2];
    int operand_count;
    size_t most; /* the most messages that the client gets */
};

static void errand_free(struct tool_task *tool_task)
{
    free(tool_task->given);
    for (int i = 0; i < tool_task->operand_count; i++)
        free(tool_task->operands[i]);
}

static void wait_run_add(struct tool_task *tool_task, const char *option, const char *value)
{
    *mem_push(tool_task->given, tool_task->given_count, tool_task->given_cap) =
        (struct given){option, value};
}

static void add_operand(struct tool_task *tool_task, const char *operand)
{
    if (operand)
        tool_task->operands[tool_task->operand_count++] = mem_strdup(operand);
}

static void note_given(void *context, const struct message *message)
{
    struct server *server = context;

    *message_map_put(&server->given, message) = server->calls;
}

/* Reports whether the client was given the message by a call before `call`. */
static bool mcp_server_has_given(const struct server *server, const struct message *message,
                                 uint32_t call)
{
    const uint32_t *given = message_map_get(&server->given, message);

    return given && *given < call;
}

/* Captures the output of commands for the client until mcp_server_end(). */
static void mcp_server_begin(struct server *server, struct capture *capture, size_t most)
{
    *capture = (struct capture){
        .given = note_given, .context = server, .giving = most, .room = RESULT_MAX};
    server->app->capture = capture;
    server->calls++;
    io_error_clear(server->start_errors);
}

/* Moves the captured sentences into the result, in the words of the tool (or NULL). The captured
 * objects stay in the capture, whose `out` the caller frees. */
static void mcp_server_end(struct server *server, struct capture *capture, const struct tool *tool,
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

/* Builds the object of a result from lines of JSON. */
static void mcp_server_shape(struct mcp_result *result, struct span lines, enum tool_result form,
                             size_t most)
{
    if (form != TOOL_OBJECT)
        shape_list(result, lines, tool_list_name(form), most);
    else if (lines.len)
        str_add_span(&result->object, span_first_line(lines));
}

/* Runs the command with JSON as its output, and fills in the result. Returns the exit code. */
static int wait_run_step(struct server *server, struct tool_task *tool_task, enum tool_result form,
                         struct mcp_result *result)
{
    struct capture capture;

    mcp_server_begin(server, &capture, tool_task->most);
    struct app inner = *server->app;
    inner.command = command_find(tool_task->command);
    inner.given = tool_task->given;
    inner.given_count = tool_task->given_count;
    inner.operands = tool_task->operands;
    inner.operand_count = tool_task->operand_count;
    int code = unreadable_finish(&inner, inner.command->run(&inner));
    mcp_server_end(server, &capture, tool_task->tool, result);
    result->failed =
        code != EXIT_DONE && !(code == EXIT_NOTHING && (form == TOOL_SOME || form == TOOL_AGENTS));
    if (form == TOOL_OBJECT && !capture.out.len) /* the message found is too large */
        result->failed = true;
    if (!result->failed || capture.out.len)
        mcp_server_shape(result, str_span(&capture.out), form, tool_task->most);
    str_free(&capture.out);
    return code;
}

static void add_arguments(struct tool_task *tool_task, const struct arguments *arguments)
{
    for (size_t i = 0; i < arguments->count; i++) {
        const struct argument *argument = &arguments->items[i];
        const char *option = argument->spec->option;
        if (!option)
            continue;
        if (argument->spec->kind == ARGUMENT_TEXT)
            wait_run_add(tool_task, option, argument->text.at);
        else if (argument->spec->kind == ARGUMENT_FLAG && argument->flag)
            wait_run_add(tool_task, option, NULL);
        for (size_t k = 0; k < argument->texts.count; k++)
            wait_run_add(tool_task, option, argument->texts.items[k].at);
    }
}

/* Adds what the tool's command needs besides the options from the arguments. */
static void add_the_rest(struct tool_task *tool_task, const struct server *server,
                         const struct tool *tool, const struct arguments *arguments, char *limit,
                         size_t room)
{
    wait_run_add(tool_task, "json", NULL);
    if (app_has(server->app, "readonly"))
        wait_run_add(tool_task, "readonly", NULL);
    if (tool->limited)
        tool_task->most = (size_t)arguments_number(arguments, tool->arguments, "limit");
    if (tool->newest) { /* one more than asked for shows whether there are more */
        snprintf(limit, room, "%zu", tool_task->most + 1);
        wait_run_add(tool_task, "limit", limit);
        wait_run_add(tool_task, "newest", NULL);
    }
    if (tool->unless_given && !arguments_get(arguments, tool->unless_given))
        wait_run_add(tool_task, "all", NULL);
    for (size_t i = 0; i < sizeof tool->operands / sizeof *tool->operands; i++)
        if (tool->operands[i])
            add_operand(tool_task, arguments_text(arguments, tool->operands[i]).at);
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

/* The functions of struct mcp_host; see mcp/session.h. The context is the server. */
static void mcp_server_call(void *context, const struct tool *tool,
                            const struct arguments *arguments, struct mcp_result *result)
{
    struct server *server = context;
    CLEANUP(errand_free)
    struct tool_task tool_task = {.command = tool->command, .tool = tool, .most = SIZE_MAX};
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
    add_arguments(&tool_task, arguments);
    add_the_rest(&tool_task, server, tool, arguments, limit, sizeof limit);
    wait_run_step(server, &tool_task, tool->result, result);
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

static void mcp_server_follow(struct server *server);

static bool mcp_server_list(void *context, struct str *out, struct err *err)
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

/* Reports whether the list of resources differs from the one that was returned, and forgets that
 * one. */
static bool mcp_server_has_changed(struct server *server)
{
    CLEANUP(str_free) struct str now = {0};
    struct err ignored;
    bool changed = server->listed.len && add_list(server, &now, &ignored) &&
                   !span_eq(str_span(&now), str_span(&server->listed));

    str_free(&server->listed);
    return changed;
}

static bool mcp_server_read(void *context, struct span uri, struct str *out, struct err *err)
{
    struct server *server = context;
    CLEANUP(errand_free) struct tool_task tool_task = {.most = SIZE_MAX};
    CLEANUP(mcp_result_free) struct mcp_result result = {0};
    CLEANUP(str_free) struct str id = {0};
    enum uri_kind kind;
    bool ok = uri_read(uri, &kind, &id);
    int code = EXIT_NOTHING;

    if (ok) {
        tool_task.command = kind == URI_MESSAGE ? "show" : "thread";
        add_operand(&tool_task, str_c(&id));
        wait_run_add(&tool_task, "json", NULL);
        if (app_has(server->app, "readonly"))
            wait_run_add(&tool_task, "readonly", NULL);
        code = wait_run_step(server, &tool_task, kind == URI_MESSAGE ? TOOL_OBJECT : TOOL_LIST,
                             &result);
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

/* The server: waiting for mail while other calls are processed. */

enum { TELL_EVERY_US = 5000000 };

struct waiter {
    struct waiter *next;
    struct mcp_wait *wait;
    struct querying querying;
    uint32_t call; /* messages that earlier calls returned do not count as new */
    int64_t begun_us, end_us, report_us;
    bool due;              /* something has changed since the last check */
    struct str unreadable; /* what the last check could not read: sentences, each with a NUL */
};

static void waiter_free(struct waiter *waiter)
{
    querying_close(&waiter->querying);
    str_free(&waiter->unreadable);
    free(waiter);
}

static void unlink_waiter(struct server *server, const struct waiter *waiter)
{
    struct waiter **at = &server->waiters;

    while (*at != waiter)
        at = &(*at)->next;
    *at = waiter->next;
}

/* Reports whether it is incoming mail that the client neither sent nor has. That is decided by what
 * the session has returned, not by when the mail came: an answer that arrives between sending and
 * waiting is reported, once. */
static bool is_news(const struct server *server, const struct waiter *waiter,
                    const struct message *message)
{
    bool wanted = message_for_us(message) || (!server->app->own_only && !message->by_us);

    return wanted && !message->damaged && !message_expired(message, app_now(server->app)) &&
           (message->status == STATUS_UNREAD || message_map_get(&server->came, message)) &&
           !mcp_server_has_given(server, message, waiter->call);
}

/* Checks all mail as it is now. Returns true if the wait is over. */
static bool check_waiter(struct server *server, struct waiter *waiter, struct mcp_result *result)
{
    struct load load = {.inbox = true, .want_shared = WANT_DATA | WANT_BODY};
    struct capture capture;
    struct selection places;
    CLEANUP(model_free) struct model model = {0};
    struct err err;
    size_t count = 0;

    waiter->due = false;
    str_clear(&waiter->unreadable);
    mcp_server_begin(server, &capture, SIZE_MAX);
    if (!querying_load(&waiter->querying, &load, &model, &err)) {
        app_fail(server->app, &err);
        result->failed = true;
    }
    places = unreadable_find(server->app, &model, UNREADABLE_OURS);
    unreadable_report(server->app, &places, false);
    if (places.count)
        str_add_span(&waiter->unreadable, str_span(&capture.words));
    selection_free(&places);
    for (size_t i = 0; !result->failed && i < model.count; i++)
        if (is_news(server, waiter, model.messages[i]))
            model.messages[count++] = model.messages[i];
    count = querying_filter(&waiter->querying, model.messages, count);
    model_sort(model.messages, count, message_cmp_time);
    for (size_t i = 0; i < count; i++)
        app_put_whole(server->app, model.messages[i]);
    mcp_server_end(server, &capture, tool_find(span_of("wait")), result);
    if (count)
        mcp_server_shape(result, str_span(&capture.out), TOOL_SOME, SIZE_MAX);
    else if (!result->failed) /* the check that ends the wait repeats them */
        str_clear(&result->words);
    str_free(&capture.out);
    return count || result->failed;
}

static void give_up(const struct waiter *waiter, struct mcp_result *result)
{
    char sentence[80];

    mcp_server_shape(result, (struct span){"", 0}, TOOL_SOME, 0);
    snprintf(sentence, sizeof sentence, "nothing came that matches within %g s",
             (double)(waiter->end_us - waiter->begun_us) / 1e6);
    mcp_result_say(result, sentence);
    if (waiter->unreadable.len) {
        str_add_span(&result->words, str_span(&waiter->unreadable));
        result->failed = true;
    }
}

/* --- following --- */

/* Schedules the outbox: a place that something in it waits for may be free now. */
static void schedule_outbox(struct server *server)
{
    if (server->wrote)
        server->outbox_us = time_steady();
}

static void take_change(void *context, enum live_event event, const struct message *message)
{
    struct server *server = context;

    schedule_outbox(server);
    if (server->app->own_only && !message->mine)
        return;
    server->changed |= server->watching.ready && message_for_us(message);
    if (event == LIVE_GONE)
        return;
    for (struct waiter *waiter = server->waiters; waiter; waiter = waiter->next)
        waiter->due = true;
    if (event == LIVE_NEW && server->watching.ready)
        message_map_put(&server->came, message);
}

/* Covers changes between the first scan and the first event. */
static void take_ready(void *context)
{
    struct server *server = context;

    schedule_outbox(server);
    server->stale = true;
    for (struct waiter *waiter = server->waiters; waiter; waiter = waiter->next)
        waiter->due = true;
}

static const struct watching_calls calls = {.changed = take_change, .ready = take_ready};

/* Starts following the mailboxes, unless it has already. */
static void mcp_server_follow(struct server *server)
{
    struct err err;

    if (server->watches)
        return;
    server->watches =
        app_watch(&server->watching, server->app, WANT_HEAD, NULL, &calls, server, &err);
    if (!server->watches)
        app_fail(server->app, &err);
}

static void end_waiter(struct server *server, struct waiter *waiter,
                       const struct mcp_result *result)
{
    unlink_waiter(server, waiter);
    mcp_wait_end(server->session, waiter->wait, result);
    waiter_free(waiter);
}

static void work_on(struct server *server, struct waiter *waiter, int64_t now_us)
{
    CLEANUP(mcp_result_free) struct mcp_result result = {0};

    if (waiter->due && check_waiter(server, waiter, &result)) {
        end_waiter(server, waiter, &result);
    } else if (now_us >= waiter->end_us) {
        give_up(waiter, &result);
        end_waiter(server, waiter, &result);
    } else if (waiter->report_us != TIME_NONE && now_us >= waiter->report_us) {
        mcp_wait_report(server->session, waiter->wait, (double)(now_us - waiter->begun_us) / 1e6,
                        (double)(waiter->end_us - waiter->begun_us) / 1e6);
        waiter->report_us = now_us + TELL_EVERY_US;
    }
}

/* Does what is due: processes changes, ends waits that have expired, works on the outbox. */
static void mcp_server_work(struct server *server)
{
    struct waiter *next;
    struct err ignored;

    if (server->watches)
        watching_take(&server->watching);
    if (server->stale)
        server->changed |= mcp_server_has_changed(server);
    if (server->changed)
        mcp_report_changed(server->session);
    server->changed = server->stale = false;
    for (struct waiter *waiter = server->waiters; waiter; waiter = next) {
        next = waiter->next;
        work_on(server, waiter, time_steady());
    }
    if (server->outbox_us != TIME_NONE && time_steady() >= server->outbox_us &&
        !store_outbox_work(server->app->store, &server->outbox_us, &ignored))
        server->outbox_us = TIME_NONE;
}

static int min_timeout(int a, int b)
{
    return a < 0 || (b >= 0 && b < a) ? b : a;
}

/* Returns how long nothing will be due, in milliseconds; -1: for ever. */
static int mcp_server_timeout_ms(const struct server *server)
{
    int64_t now_us = time_steady();
    int least = server->watches ? watching_timeout_ms(&server->watching) : -1;

    for (const struct waiter *waiter = server->waiters; waiter; waiter = waiter->next) {
        least = min_timeout(least, time_poll_ms(waiter->end_us - now_us));
        if (waiter->report_us != TIME_NONE)
            least = min_timeout(least, time_poll_ms(waiter->report_us - now_us));
    }
    if (server->outbox_us != TIME_NONE)
        least = min_timeout(least, time_poll_ms(server->outbox_us - now_us));
    return least;
}

/* --- for the session --- */

static bool open_query(struct server *server, struct waiter *waiter, struct span query,
                       struct mcp_result *result)
{
    CLEANUP(mem_free) char *word = query.at ? mem_strdup(query.at) : NULL;
    struct capture capture;

    mcp_server_begin(server, &capture, 0);
    waiter->call = server->calls;
    bool ok = app_query_read(&waiter->querying, server->app, &word, word ? 1 : 0);
    mcp_server_end(server, &capture, tool_find(span_of("wait")), result);
    result->failed = !ok;
    return ok;
}

static bool mcp_server_wait(void *context, struct mcp_wait *wait, const struct arguments *arguments,
                            struct mcp_result *result)
{
    struct server *server = context;
    struct waiter *waiter = mem_zero(1, sizeof *waiter);
    double seconds =
        arguments_number(arguments, tool_find(span_of("wait"))->arguments, "timeout_s");
    int64_t now_us = time_steady();

    waiter->wait = wait;
    waiter->begun_us = now_us;
    waiter->end_us = now_us + (int64_t)(seconds * 1e6);
    waiter->report_us = mcp_wait_is_reported(wait) ? now_us + TELL_EVERY_US : TIME_NONE;
    if (!open_query(server, waiter, arguments_text(arguments, "query"), result) ||
        check_waiter(server, waiter, result)) {
        waiter_free(waiter);
        return false;
    }
    waiter->next = server->waiters;
    server->waiters = waiter;
    mcp_server_follow(server);
    return true;
}

static void mcp_server_drop(void *context, struct mcp_wait *wait)
{
    struct server *server = context;
    struct waiter *waiter = server->waiters;

    while (waiter && waiter->wait != wait)
        waiter = waiter->next;
    if (!waiter)
        return;
    unlink_waiter(server, waiter);
    waiter_free(waiter);
}

static const struct option_spec options[] = {
    {.name = "observer", .help = "it may read the mail of all agents, too"},
    {0},
};

/* Like file_write_all(), but waits if the descriptor is non-blocking, so that a slow reader gets
 * every line whole. */
static bool write_all(int fd, struct span bytes)
{
    while (bytes.len) {
        ssize_t done = write(fd, bytes.at, bytes.len);
        if (done < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        else if (done < 0 && errno != EINTR)
            return false;
        if (done < 0)
            continue;
        bytes.at += done;
        bytes.len -= (size_t)done;
    }
    return true;
}

static bool put_line(void *context, struct span line)
{
    const struct server *server = context;
    CLEANUP(str_free) struct str whole = {0};

    str_add_span(&whole, line);
    str_putc(&whole, '\n');
    return write_all(server->out, str_span(&whole));
}

/* Reads and processes input of the client. Returns false at its end and on failure. */
static bool take_input(struct server *server)
{
    char bytes[65536];
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);

    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (!got) {
        mcp_finish(server->session);
        return false;
    }
    return mcp_take(server->session, (struct span){bytes, (size_t)got});
}

static void serve_client(struct server *server)
{
    struct pollfd fds[] = {
        {.fd = STDIN_FILENO, .events = POLLIN}, {.fd = -1, .events = POLLIN}, {.fd = server->out}};

    for (;;) {
        store_finish_loads(server->app->store);
        fds[1].fd = server->watches ? worker_fd(server->watching.worker) : -1;
        int ready = poll(fds, 3, mcp_server_timeout_ms(server));
        if (ready < 0 && errno != EINTR)
            return;
        if (ready > 0 && fds[2].revents) /* the client has closed its end */
            return;
        if (server->watches)
            store_follow_roots(server->app->store);
        if (ready > 0 && fds[0].revents && !take_input(server))
            return;
        mcp_server_work(server);
    }
}

/* Moves the protocol to a descriptor of its own: anything printed to standard output would corrupt
 * it and goes to standard error instead. */
static bool take_output(struct server *server, struct err *err)
{
    server->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (server->out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return err_set(err, ERR_SOURCE, "standard output cannot be had: %s", strerror(errno));
    return true;
}

/* Refuses a name that two agents have: it is not an identity. */
static bool check_agent(const struct app *app, const char *agent, struct err *err)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct address address;

    for (uint32_t i = 0; i < store_source_count(app->store); i++)
        if (source_has_name(store_source(app->store, i)) &&
            !store_address(app->store, i, span_of(agent), &address, &arena, err))
            return false;
    return store_be_one(app->store, err);
}

static int run_mcp(struct app *app)
{
    struct server server = {.app = app, .out = -1, .outbox_us = TIME_NONE};
    const char *agent = app_value(app, "as");
    struct mcp_host host = {.context = &server,
                            .version = version_text,
                            .agent = agent,
                            .observer = app_has(app, "observer"),
                            .readonly = app_has(app, "readonly"),
                            .put = put_line,
                            .call = mcp_server_call,
                            .wait = mcp_server_wait,
                            .drop = mcp_server_drop,
                            .list = mcp_server_list,
                            .read = mcp_server_read};
    struct err err;

    if (!agent || !*agent)
        return app_misused(app, "mcp needs --as AGENT: whose mailbox it is");
    if (!check_agent(app, agent, &err) || !take_output(&server, &err))
        return app_fail(app, &err);
    signal(SIGPIPE, SIG_IGN);
    server.start_errors = io_error_count(IO_ERROR_OTHER);
    app->own_only = !host.observer;
    if (app->own_only)
        store_own_only(app->store);
    server.session = mcp_open(&host);
    serve_client(&server);
    mcp_close(server.session);
    if (server.watches)
        watching_stop(&server.watching);
    message_map_free(&server.given);
    message_map_free(&server.came);
    str_free(&server.listed);
    close(server.out);
    return EXIT_DONE;
}

const struct command command_mcp = {.name = "mcp",
                                    .operands = "--as AGENT",
                                    .summary =
                                        "serve one agent's mailbox over the Model Context Protocol",
                                    .options = options,
                                    .run = run_mcp};
