/* watch: prints events as they happen, one per line. */
#include "base/map.h"
#include "base/mem.h"
#include "cmd/app_options.h"
#include "cmd/mail_filter.h"
#include "cmd/read/agents.h"
#include "mail/render/render_event.h"
#include "mail/thread/alert.h"
#include "mail/thread/request.h"
#include "store/source/agent_directory.h"
#include "ui/process/process_pipe.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Alerts for the watch command: when to check all messages; see mail/thread/alert.h. */

/* When alerts were and will be checked. Zero-initialise it; set app, calls and context. */
struct alarms {
    const struct app *app;
    const struct alert_calls *calls;
    void *context;
    struct agent_directory *world; /* NULL until it is known */
    struct alerts_reported told;
    bool stale;      /* something happened since the last check */
    bool held;       /* the next check is delayed until held_until_us */
    int64_t next_us; /* wall clock: time when a state may change without an event */
    /* Steady clock: earliest time of the next check; end and duration of the last one; time of the
     * last event. */
    int64_t rest_until_us, looked_us, took_us, news_us, held_until_us;
};

/* Alerts: all messages are judged together and compared with what was reported. */

/* After a check that took T, the next one waits REST * T, at most REST_MAX_US. An event after a
 * quiet time of QUIET * T is checked at once, because it is no storm; so is a request to the
 * person. */
enum { REST = 200, QUIET = 20 };
#define REST_MAX_US INT64_C(10000000)
#define TOGETHER_US INT64_C(5000) /* events that belong together arrive within this time */

static void drop_directory(struct alarms *alarms)
{
    if (alarms->world)
        agent_directory_free(alarms->world);
    free(alarms->world);
    alarms->world = NULL;
}

static void alerts_free(struct alarms *alarms)
{
    drop_directory(alarms);
    alerts_reported_free(&alarms->told);
}

/* Sets the current agent directory. Takes ownership. */
static void alerts_known(struct alarms *alarms, struct agent_directory *world)
{
    drop_directory(alarms);
    alarms->world = world;
    alarms->stale = true;
}

static void check_alerts(struct alarms *alarms, const struct live *live, bool tell)
{
    CLEANUP(agents_free) struct agents agents = {0};
    CLEANUP(model_free) struct model model = {0};
    CLEANUP(requests_free) struct requests asks = {0};
    int64_t now_us = app_now(alarms->app);

    live_view(live, &model);
    requests_build(&asks, &model, now_us);
    agent_directory_build(alarms->world, &model, &asks, now_us, &agents);
    alerts_report(&alarms->told, &model, &asks, &agents, tell ? alarms->calls : NULL,
                  alarms->context);
    alarms->next_us = agents.next_change_us;
}

static bool is_due(const struct alarms *alarms)
{
    return alarms->stale ||
           (alarms->next_us != TIME_NONE && alarms->next_us <= app_now(alarms->app));
}

/* Returns the earliest time of the next check. */
static int64_t allowed_us(const struct alarms *alarms)
{
    return alarms->held && alarms->held_until_us > alarms->rest_until_us ? alarms->held_until_us
                                                                         : alarms->rest_until_us;
}

/* Checks everything if something happened and the check is allowed. The cost of a check grows with
 * the amount of mail, so checks take only a small part of the time. Without `tell` the present
 * alerts count as reported. */
static void alerts_check(struct alarms *alarms, const struct live *live, bool tell)
{
    int64_t start_us = time_steady();

    if (!alarms->world || !is_due(alarms) || (tell && start_us < allowed_us(alarms)))
        return;
    alarms->stale = alarms->held = false;
    check_alerts(alarms, live, tell);
    int64_t end_us = time_steady(), rest_us = (end_us - start_us) * REST;
    alarms->took_us = end_us - start_us;
    alarms->looked_us = end_us;
    alarms->rest_until_us = end_us + (rest_us < REST_MAX_US ? rest_us : REST_MAX_US);
}

/* Notes that something happened in the mailboxes. */
static void alerts_news(struct alarms *alarms)
{
    int64_t now_us = time_steady();

    if (now_us - alarms->news_us > alarms->took_us * QUIET)
        alarms->rest_until_us = now_us + TOGETHER_US;
    alarms->news_us = now_us;
    alarms->stale = true;
}

/* Allows an earlier check for an event that the person should see soon. Call after
 * alerts_news(). */
static void alerts_hurry(struct alarms *alarms)
{
    int64_t soon_us = alarms->looked_us + alarms->took_us * QUIET;
    int64_t next_us = time_steady() + TOGETHER_US;

    next_us = next_us > soon_us ? next_us : soon_us;
    if (alarms->rest_until_us > next_us)
        alarms->rest_until_us = next_us;
}

/* Delays the next check once, because the mailboxes may be in the middle of a change. */
static void alerts_hold(struct alarms *alarms, int64_t for_us)
{
    if (!alarms->stale || alarms->held)
        return;
    alarms->held = true;
    alarms->held_until_us = time_steady() + for_us;
}

/* Returns the time until alerts_check() must be called even without an event; -1: never. */
static int alerts_timeout_ms(const struct alarms *alarms)
{
    int64_t wait_us = 0;

    if (!alarms->world || (!alarms->stale && alarms->next_us == TIME_NONE))
        return -1;
    if (!alarms->stale)
        wait_us = alarms->next_us - app_now(alarms->app);
    int64_t rest_us = allowed_us(alarms) - time_steady();
    return time_poll_ms(rest_us > wait_us ? rest_us : wait_us);
}

static const struct option_spec options[] = {
    {.name = "from-start", .help = "announce what is there first, as new"},
    {.name = "exec",
     .value = "COMMAND",
     .kinds = WORD_PROGRAM,
     .help = "run it for each event, with the event as JSON on its standard input; no shell"},
    {.name = "limit", .value = "N", .help = "end after this many events"},
    {.name = "poll", .help = "look every second instead of being told by the kernel"},
    {0},
};

/* A request to the person as it arrived, found by its name. */
struct fresh_request {
    struct str name, title, object;
};

struct watcher {
    struct app *app;
    struct watching watching;
    struct querying querying;
    struct running running;
    struct alarms alarms;
    struct fresh_request *fresh; /* requests since the last check, with their texts */
    size_t fresh_count, fresh_cap;
    struct map fresh_names; /* name -> last of that name in `fresh` */
    size_t left;            /* remaining events until the end */
};

static const char *const event_names[] = {
    [LIVE_NEW] = "new", [LIVE_CHANGED] = "changed", [LIVE_GONE] = "gone"};

/* Returns true if events are needed as JSON. */
static bool wants_json(const struct watcher *watcher)
{
    return app_json(watcher->app) || watcher->running.command;
}

/* Prints one event. `object` is its JSON if wants_json(), `text` its line for people. */
static void announce(struct watcher *watcher, const char *event, const struct str *object,
                     const struct str *text)
{
    CLEANUP(str_free) struct str line = {0};

    if (!watcher->left)
        return;
    watcher->left--;
    if (wants_json(watcher))
        render_watch_json(&line, event, object);
    if (watcher->running.command)
        process_pipe_add(&watcher->running, str_span(&line));
    app_put(watcher->app, app_json(watcher->app) ? &line : text);
}

/* Prints an event about a message. `fresh` is the message as it arrived, or NULL. */
static void announce_message(struct watcher *watcher, const char *event,
                             const struct message *message, const struct fresh_request *fresh)
{
    struct render_options style = app_render_options(watcher->app);
    struct render_watch what = {.event = event,
                                .message = message,
                                .asked = fresh ? str_span(&fresh->title) : (struct span){0},
                                .state = event == event_names[LIVE_CHANGED],
                                .columns = app_columns(watcher->app)};
    CLEANUP(str_free) struct str made = {0}, text = {0};

    if (wants_json(watcher) && !fresh)
        app_add_json(watcher->app, &made, message);
    if (!app_json(watcher->app))
        render_watch(&text, &what, &style);
    announce(watcher, event, fresh ? &fresh->object : &made, &text);
}

static void drop_fresh(struct watcher *watcher)
{
    for (size_t i = 0; i < watcher->fresh_count; i++) {
        str_free(&watcher->fresh[i].name);
        str_free(&watcher->fresh[i].title);
        str_free(&watcher->fresh[i].object);
    }
    watcher->fresh_count = 0;
    map_free(&watcher->fresh_names);
}

/* Keeps a request as it arrived. Whether it waits is decided later, when its data is freed. */
static void keep_fresh(struct watcher *watcher, const struct message *message)
{
    if (!message->data)
        return;
    struct fresh_request *fresh =
        mem_push(watcher->fresh, watcher->fresh_count, watcher->fresh_cap);
    *fresh = (struct fresh_request){0};
    message_add_name(&fresh->name, message, true);
    bool is_new;
    *map_put(&watcher->fresh_names, str_span(&fresh->name), &is_new) =
        (uint32_t)watcher->fresh_count - 1;
    request_add_title(&fresh->title, message);
    if (wants_json(watcher))
        app_add_json(watcher->app, &fresh->object, message);
}

static const struct fresh_request *find_fresh(const struct watcher *watcher, struct span name)
{
    const uint32_t *number = map_get(&watcher->fresh_names, name);

    return number ? &watcher->fresh[*number] : NULL;
}

static bool watched_matches(struct watcher *watcher, const struct message *message)
{
    return querying_match_live(&watcher->querying, watcher->watching.live, message);
}

static void take_update(void *context)
{
    struct watcher *watcher = context;

    querying_stale(&watcher->querying);
    alerts_news(&watcher->alarms);
}

static void take_change(void *context, enum live_event event, const struct message *message)
{
    struct watcher *watcher = context;

    if ((watcher->watching.ready || app_has(watcher->app, "from-start")) &&
        watched_matches(watcher, message))
        announce_message(watcher, event_names[event], message, NULL);
    if (watcher->watching.ready)
        unreadable_note(watcher->app, event, message);
    if (event == LIVE_GONE || !message_for_us(message) || !message_asks(message))
        return;
    keep_fresh(watcher, message);
    alerts_hurry(&watcher->alarms);
}

static void take_known(void *context, struct agent_directory *world)
{
    alerts_known(&((struct watcher *)context)->alarms, world);
}

/* Prints the initial counts at a terminal, because watch prints only changes. */
static void say_standing(const struct watcher *watcher)
{
    size_t waiting = watcher->alarms.told.waiting.count, stuck = watcher->alarms.told.stuck.count;

    if (watcher->app->to_terminal && !watcher->querying.text.len && waiting + stuck)
        app_note(
            watcher->app,
            "at the start %zu request%s for you, and %zu agent%s may be stuck; see swarmutt list",
            waiting, waiting == 1 ? " waits" : "s wait", stuck, stuck == 1 ? "" : "s");
}

static void take_ready(void *context)
{
    struct watcher *watcher = context;
    bool tell = app_has(watcher->app, "from-start");

    unreadable_report_live(watcher->app, watcher->watching.live, true, false);
    alerts_check(&watcher->alarms, watcher->watching.live, tell);
    if (!tell)
        say_standing(watcher);
}

static void take_waiting(void *context, const struct message *message, struct span name)
{
    struct watcher *watcher = context;

    if (watched_matches(watcher, message))
        announce_message(watcher, "waiting", message, find_fresh(watcher, name));
}

static void take_stuck(void *context, const struct agents *agents, const struct agent *agent,
                       const struct model *model)
{
    struct watcher *watcher = context;
    struct app *app = watcher->app;
    CLEANUP(str_free) struct str object = {0}, text = {0};
    const struct message *evidence =
        agent->evidence == AGENT_NONE ? NULL : model->messages[agent->evidence];

    if (watcher->querying.text.len && (!evidence || !watched_matches(watcher, evidence)))
        return;
    if (wants_json(watcher))
        agents_add_json(&object, app, agents, agent, model);
    struct render_options style = app_render_options(app);
    render_watch_stuck(&text, agent->name, agent->why, app_columns(app), &style);
    announce(watcher, "stuck", &object, &text);
}

static void settle_watch(void *context)
{
    struct watcher *watcher = context;

    fflush(stdout); /* do not delay events until the check is done */
    if (vanished_due_us(&watcher->watching.gone) != TIME_NONE)
        alerts_hold(&watcher->alarms,
                    VANISHED_US); /* when a team vanishes, answers may go before requests */
    alerts_check(&watcher->alarms, watcher->watching.live, true);
    if (!watcher->alarms.stale)
        drop_fresh(watcher);
    fflush(stdout);
}

static const struct watching_calls calls = {.updated = take_update,
                                            .changed = take_change,
                                            .known = take_known,
                                            .ready = take_ready,
                                            .settled = settle_watch};
static const struct alert_calls alert_calls = {.waiting = take_waiting, .stuck = take_stuck};

/* Returns true if the reader of the output has closed it; poll() reports that for a pipe without a
 * write. */
static bool is_unread(const struct pollfd *out)
{
    return out->revents & (POLLERR | POLLHUP | POLLNVAL);
}

static int min_timeout(int a_ms, int b_ms)
{
    return a_ms < 0 || (b_ms >= 0 && b_ms < a_ms) ? b_ms : a_ms;
}

static void follow_mail(struct watcher *watcher)
{
    struct pollfd fds[2 + PROCESS_PIPE_FDS] = {
        {.fd = worker_fd(watcher->watching.worker), .events = POLLIN}, {.fd = STDOUT_FILENO}};

    while (!ferror(stdout) && (watcher->left || process_pipe_busy(&watcher->running))) {
        process_pipe_poll(&watcher->running, fds + 2);
        poll(fds, 2 + PROCESS_PIPE_FDS,
             min_timeout(watching_timeout_ms(&watcher->watching),
                         alerts_timeout_ms(&watcher->alarms)));
        if (is_unread(&fds[1]))
            return;
        watching_take(&watcher->watching);
        process_pipe_work(&watcher->running, fds + 2);
    }
}

static void watcher_free(struct watcher *watcher)
{
    drop_fresh(watcher);
    free(watcher->fresh);
    alerts_free(&watcher->alarms);
    querying_close(&watcher->querying);
}

static int run_watch(struct app *app)
{
    CLEANUP(watcher_free)
    struct watcher watcher = {.app = app,
                              .running = {.tell = app_tell, .context = app},
                              .alarms = {.app = app, .calls = &alert_calls, .next_us = TIME_NONE}};
    struct err err;

    watcher.alarms.context = &watcher;
    if (!app_limit(app, &watcher.left) ||
        !app_query_read(&watcher.querying, app, app->operands, app->operand_count))
        return EXIT_USAGE;
    if (!process_pipe_open(&watcher.running, app_value(app, "exec"), &err))
        return app_fail(app, &err);
    unsigned want =
        WANT_DATA | querying_wants(&watcher.querying) | (wants_json(&watcher) ? WANT_BODY : 0);
    if (!app_watch(&watcher.watching, app, want, &app->config, &calls, &watcher, &err)) {
        process_pipe_close(&watcher.running);
        return app_fail(app, &err);
    }
    follow_mail(&watcher);
    watching_stop(&watcher.watching);
    process_pipe_close(&watcher.running);
    return EXIT_DONE;
}

const struct command command_watch = {.name = "watch",
                                      .operands = "[QUERY]",
                                      .takes = {{.kinds = WORD_QUERY, .more = true}},
                                      .summary = "events as they happen, one a line",
                                      .options = options,
                                      .most = -1,
                                      .run = run_watch};
