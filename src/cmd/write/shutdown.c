/* shutdown: asks an agent to stop, and waits for its answer on request. */
#include "base/json/json_print.h"
#include "base/text/clean.h"
#include "cmd/app_watch.h"
#include "cmd/options.h"
#include "cmd/write/ordering.h"
#include "mail/protocol/protocol.h"

#include <stdio.h>

static const struct option_spec options[] = {
    {.name = "reason", .value = "TEXT", .help = "why; the agent may still say no"},
    {.name = "wait",
     .value = "DURATION",
     .help = "for the answer: exit 3 when it is no, 1 if none"},
    SENDING_OPTIONS,
    {0},
};

/* Who is waited for, and what they said. */
struct stopping {
    const struct ordering *ordering;
    struct watching watching;
    bool answered;
    enum protocol_verdict verdict;
    struct str id, reason;
};

static bool is_answer(const struct stopping *stopping, const struct message *message)
{
    const struct ordering *ordering = stopping->ordering;
    enum protocol_kind kind = protocol_kind_find(message->type);

    return (kind == PROTOCOL_SHUTDOWN_APPROVED || kind == PROTOCOL_SHUTDOWN_REJECTED) &&
           message->place->source == ordering->way.source &&
           span_eq(message->place->team, ordering->way.team) &&
           span_eq(message->reply_to, ordering->text.id) &&
           message_name_fits(message->from, ordering->way.agent);
}

static void take_change(void *context, enum live_event event, const struct message *message)
{
    struct stopping *stopping = context;
    struct protocol said = {0};
    struct arena arena = {0};

    if (event == LIVE_GONE || stopping->answered || !is_answer(stopping, message))
        return;
    if (message->data)
        protocol_parse(&said, message->data->protocol, &arena);
    stopping->answered = true;
    stopping->verdict = message->verdict;
    str_add_span(&stopping->id, message->id);
    str_add_span(&stopping->reason, said.reason);
    arena_free(&arena);
}

static bool has_answer(const void *context)
{
    return ((const struct stopping *)context)->answered;
}

static void put_answer(const struct stopping *stopping)
{
    const struct app *app = stopping->ordering->app;
    bool no = stopping->verdict == VERDICT_NO;
    struct str line = {0};

    if (app_json(app)) {
        str_puts(&line, "{\"v\":1");
        json_member(&line, "request_id", stopping->ordering->text.id);
        json_member_word(&line, "answer", no ? "rejected" : "approved");
        json_member(&line, "reason", no ? str_span(&stopping->reason) : (struct span){0});
        json_member(&line, "id", str_span(&stopping->id));
        str_putc(&line, '}');
    } else {
        str_puts(&line, no ? "rejected: " : "approved");
        if (no)
            clean_add(&line, str_span(&stopping->reason), app->clean);
    }
    str_putc(&line, '\n');
    app_put(app, &line);
    str_free(&line);
}

static int wait_for_answer(const struct ordering *ordering, int64_t wait_us)
{
    static const struct watching_calls calls = {.changed = take_change};
    struct stopping stopping = {.ordering = ordering};
    int code = EXIT_NOTHING;

    fflush(stdout); /* the request id is there for whoever does not wait */
    app_watch(&stopping.watching, ordering->app, WANT_DATA, NULL, &calls, &stopping);
    app_watch_until(&stopping.watching, when_steady() + wait_us, has_answer);
    watching_stop(&stopping.watching);
    if (stopping.answered) {
        put_answer(&stopping);
        code = stopping.verdict == VERDICT_NO ? EXIT_REFUSED : EXIT_DONE;
    } else {
        app_note(ordering->app, "\"%.*s\" has not answered yet; see swarmutt sent %s",
                 (int)ordering->to.len, ordering->to.at, str_c(&ordering->letter.id));
    }
    str_free(&stopping.id);
    str_free(&stopping.reason);
    return code;
}

/* Where nobody's program answers, an answer is a message like others. */
static bool can_wait(const struct ordering *ordering, struct err *err)
{
    return !app_has(ordering->app, "wait") || ordering->terms.means.program ||
           err_set(err, ERR_REFUSED,
                   "no program answers in the layout %s, so there is nothing to wait for: nothing "
                   "was sent",
                   store_source(ordering->app->store, ordering->way.source)->format->title);
}

static int run_shutdown(struct app *app)
{
    struct ordering ordering = {
        .app = app,
        .terms = {.verb = ORDER_SHUTDOWN, .reason = app_text(app, "reason")},
        .id_key = "request_id"};
    int64_t wait_us = 0;
    struct err err;
    int code;

    if (!app_duration(app, "wait", 0, &wait_us, &err) ||
        !ordering_find(&ordering, span_of(app->operands[0]), &err) || !can_wait(&ordering, &err) ||
        !ordering_make(&ordering, &err))
        code = app_fail(app, &err);
    else
        code = ordering_send(&ordering);
    if (code == EXIT_DONE && app_has(app, "wait") && !app_has(app, "dry-run"))
        code = wait_for_answer(&ordering, wait_us);
    ordering_free(&ordering);
    return code;
}

const struct command command_shutdown = {.name = "shutdown",
                                         .operands = "AGENT",
                                         .takes = {{.kinds = WORD_AGENT}},
                                         .summary = "ask an agent to stop; prints the request id",
                                         .options = options,
                                         .least = 1,
                                         .most = 1,
                                         .writes = true,
                                         .run = run_shutdown};
