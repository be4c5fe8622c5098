/* Following the mailboxes: news into the live picture, and what that changed to the command. */
#include "cmd/watching.h"

#include "base/mem.h"

#include <stdlib.h>
#include <time.h>

/* Agents remove a message before they write it again elsewhere: it is not gone yet. */
#define GONE_US INT64_C(200000)

struct gone_message {
    struct arena arena;
    struct message message;
    int64_t due_us;
};

static int64_t clock_us(void)
{
    struct timespec now;

    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * INT64_C(1000000) + now.tv_nsec / 1000;
}

void watching_start(struct watching *watching, const struct app *app, unsigned want,
                    const struct config *config, const struct watching_calls *calls, void *context)
{
    struct watch_options options = {.want = want, .poll = app_has(app, "poll"), .config = config};

    *watching =
        (struct watching){.app = app, .live = live_new(), .calls = calls, .context = context};
    store_watch(app->store, &options);
}

static void forget_gone(struct watching *watching, size_t index)
{
    arena_free(&watching->gone[index].arena);
    memmove(&watching->gone[index], &watching->gone[index + 1],
            (--watching->gone_count - index) * sizeof *watching->gone);
}

void watching_stop(struct watching *watching)
{
    store_unwatch(watching->app->store);
    while (watching->gone_count)
        forget_gone(watching, watching->gone_count - 1);
    free(watching->gone);
    live_free(watching->live);
}

static void tell(struct watching *watching, enum live_event event, const struct message *message)
{
    if (watching->calls->changed)
        watching->calls->changed(watching->context, event, message);
}

static void hold_gone(struct watching *watching, const struct message *message)
{
    watching->gone = mem_grow(watching->gone, &watching->gone_cap, watching->gone_count + 1,
                              sizeof *watching->gone);
    struct gone_message *gone = &watching->gone[watching->gone_count++];

    *gone = (struct gone_message){.due_us = clock_us() + GONE_US};
    message_keep(&gone->message, message, &gone->arena);
}

static bool is_same(const struct message *a, const struct message *b)
{
    return a->place->source == b->place->source && span_eq(a->id, b->id) &&
           span_eq(a->place->box, b->place->box) && span_eq(a->place->team, b->place->team);
}

/* Whether a new message is one that seemed gone. */
static bool is_back(struct watching *watching, const struct message *message)
{
    for (size_t i = 0; i < watching->gone_count; i++) {
        if (!is_same(&watching->gone[i].message, message))
            continue;
        forget_gone(watching, i);
        return true;
    }
    return false;
}

static void call(struct watching *watching, void (*function)(void *context))
{
    if (function)
        function(watching->context);
}

static void apply(struct watching *watching, const struct update *update)
{
    struct live_changes changes = {0};

    live_apply(watching->live, update, &changes);
    call(watching, watching->calls->updated);
    for (size_t i = 0; i < changes.count; i++) {
        const struct live_change *change = &changes.items[i];
        if (change->event == LIVE_GONE)
            hold_gone(watching, change->message);
        else if (change->event == LIVE_NEW && is_back(watching, change->message))
            tell(watching, LIVE_CHANGED, change->message);
        else
            tell(watching, change->event, change->message);
    }
    live_changes_free(&changes);
}

static void tell_gone(struct watching *watching)
{
    int64_t now_us = clock_us();

    while (watching->gone_count && watching->gone[0].due_us <= now_us) {
        tell(watching, LIVE_GONE, &watching->gone[0].message);
        forget_gone(watching, 0);
    }
}

void watching_take(struct watching *watching)
{
    enum { AT_ONCE = 16 }; /* then what was told is shown */
    struct news news;

    for (int i = 0; i < AT_ONCE && store_next(watching->app->store, &news); i++) {
        switch (news.kind) {
        case NEWS_UPDATE:
            apply(watching, &news.update);
            break;
        case NEWS_READY:
            watching->ready = true;
            call(watching, watching->calls->ready);
            break;
        case NEWS_KNOWN:
            if (watching->calls->known) {
                watching->calls->known(watching->context, news.world);
                news.world = NULL;
            }
            break;
        case NEWS_HEALTH:
            app_note(watching->app, "%s", news.text);
            break;
        }
        news_free(&news);
    }
    tell_gone(watching);
    if (watching->ready)
        call(watching, watching->calls->settled);
}

int watching_timeout_ms(const struct watching *watching)
{
    if (!watching->gone_count)
        return -1;
    int64_t left_us = watching->gone[0].due_us - clock_us();
    return left_us <= 0 ? 0 : (int)(left_us / 1000) + 1;
}
