/* watch: events as they happen, one a line. */
#include "base/clean.h"
#include "cmd/running.h"
#include "cmd/watching.h"
#include "mail/kind.h"
#include "mail/render.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static const struct option_spec options[] = {
    {.name = "from-start", .help = "announce what is there first, as new"},
    {.name = "exec",
     .value = "COMMAND",
     .help = "run it for each event, with the event as JSON on its standard input; no shell"},
    {.name = "limit", .value = "N", .help = "end after this many events"},
    {.name = "poll", .help = "look every second instead of being told by the kernel"},
    {0},
};

struct watcher {
    struct app *app;
    struct watching watching;
    struct running running;
    size_t left; /* events until the end */
};

static const char *const event_names[] = {
    [LIVE_NEW] = "new", [LIVE_CHANGED] = "changed", [LIVE_GONE] = "gone"};

/* The message's own object with the event put in behind the version. */
static void add_json(struct str *out, const struct app *app, const char *event,
                     const struct message *message)
{
    static const char start[] = "{\"v\":1";
    struct str object = {0};

    app_add_json(app, &object, message);
    str_addf(out, "%s,\"event\":\"%s\"", start, event);
    str_puts(out, str_c(&object) + sizeof start - 1);
    str_free(&object);
}

static void add_text(struct str *out, const struct app *app, const char *event,
                     const struct message *message)
{
    when_add_format(out, app_now(app), "%H:%M:%S");
    str_addf(out, " %-7s ", event);
    clean_add(out, message->from, app->clean);
    str_puts(out, " -> ");
    clean_add(out, message->to.len ? message->to : message->place->box, app->clean);
    str_addf(out, "  %s  ", message->damaged ? "damaged" : kind_name(message->kind));
    clean_add(out, message->damaged ? span_of(message->damaged) : message->subject, app->clean);
    str_puts(out, "  ");
    clean_add(out, message->id, app->clean);
    str_putc(out, '\n');
}

static void announce(struct watcher *watcher, const char *event, const struct message *message)
{
    struct app *app = watcher->app;
    struct str line = {0};

    if (!watcher->left)
        return;
    watcher->left--;
    if (app_json(app) || watcher->running.command)
        add_json(&line, app, event, message);
    if (watcher->running.command)
        running_add(&watcher->running, str_span(&line));
    if (!app_json(app)) {
        str_clear(&line);
        add_text(&line, app, event, message);
    }
    app_put(&line);
    str_free(&line);
}

static void take_change(void *context, enum live_event event, const struct message *message)
{
    struct watcher *watcher = context;

    if (watcher->watching.ready || app_has(watcher->app, "from-start"))
        announce(watcher, event_names[event], message);
}

static void flush(void *context)
{
    (void)context;
    fflush(stdout);
}

static const struct watching_calls calls = {.changed = take_change, .settled = flush};

/* Whoever reads what we write has gone away: a pipe tells so without being written to. */
static bool is_unread(const struct pollfd *out)
{
    return out->revents & (POLLERR | POLLHUP | POLLNVAL);
}

static void follow(struct watcher *watcher)
{
    struct pollfd fds[2 + RUNNING_FDS] = {{.fd = store_fd(watcher->app->store), .events = POLLIN},
                                          {.fd = STDOUT_FILENO}};

    while (watcher->left || running_busy(&watcher->running)) {
        running_poll(&watcher->running, fds + 2);
        poll(fds, 2 + RUNNING_FDS, watching_timeout_ms(&watcher->watching));
        if (is_unread(&fds[1]))
            return;
        watching_take(&watcher->watching);
        running_work(&watcher->running, fds + 2);
    }
}

static int run_watch(struct app *app)
{
    struct watcher watcher = {.app = app};
    struct err err;

    if (!app_number(app, "limit", SIZE_MAX, &watcher.left))
        return EXIT_USAGE;
    if (!running_open(&watcher.running, app, app_value(app, "exec"), &err))
        return app_fail(app, &err);
    watching_start(&watcher.watching, app, WANT_DATA, &calls, &watcher);
    follow(&watcher);
    watching_stop(&watcher.watching);
    running_close(&watcher.running);
    return EXIT_DONE;
}

const struct command command_watch = {.name = "watch",
                                      .summary = "events as they happen, one a line",
                                      .options = options,
                                      .run = run_watch};
