/* The server: waiting for mail while other calls are processed. */
#include "cmd/mcp/mcp_tools.h"

#include "base/mem.h"
#include "cmd/unreadable.h"

#include <stdio.h>
#include <stdlib.h>

enum { TELL_EVERY_US = 5000000 };

struct waiter {
    struct waiter *next;
    struct mcp_wait *wait;
    struct querying querying;
    uint32_t call; /* messages that earlier calls returned do not count as new */
    int64_t begun_us, end_us, tell_us;
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

/* Reports whether it is incoming mail that the client neither sent nor has. */
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
static void style_after_sent(struct server *server)
{
    if (server->wrote)
        server->outbox_us = time_steady();
}

static void take_change(void *context, enum live_event event, const struct message *message)
{
    struct server *server = context;

    style_after_sent(server);
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

    style_after_sent(server);
    server->stale = true;
    for (struct waiter *waiter = server->waiters; waiter; waiter = waiter->next)
        waiter->due = true;
}

static const struct watching_calls calls = {.changed = take_change, .ready = take_ready};

void mcp_server_follow(struct server *server)
{
    if (server->watches)
        return;
    server->watches = true;
    app_watch(&server->watching, server->app, WANT_HEAD, NULL, &calls, server);
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
    } else if (waiter->tell_us != TIME_NONE && now_us >= waiter->tell_us) {
        mcp_wait_tell(server->session, waiter->wait, (double)(now_us - waiter->begun_us) / 1e6,
                      (double)(waiter->end_us - waiter->begun_us) / 1e6);
        waiter->tell_us = now_us + TELL_EVERY_US;
    }
}

void mcp_server_work(struct server *server)
{
    struct waiter *next;
    struct err ignored;

    if (server->watches)
        watching_take(&server->watching);
    if (server->stale)
        server->changed |= mcp_server_has_changed(server);
    if (server->changed)
        mcp_tell_changed(server->session);
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

int mcp_server_timeout_ms(const struct server *server)
{
    int64_t now_us = time_steady();
    int least = server->watches ? watching_timeout_ms(&server->watching) : -1;

    for (const struct waiter *waiter = server->waiters; waiter; waiter = waiter->next) {
        least = min_timeout(least, time_poll_ms(waiter->end_us - now_us));
        if (waiter->tell_us != TIME_NONE)
            least = min_timeout(least, time_poll_ms(waiter->tell_us - now_us));
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

bool mcp_server_wait(void *context, struct mcp_wait *wait, const struct arguments *arguments,
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
    waiter->tell_us = mcp_wait_is_told(wait) ? now_us + TELL_EVERY_US : TIME_NONE;
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

void mcp_server_drop(void *context, struct mcp_wait *wait)
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
