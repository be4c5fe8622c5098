/* Following mailboxes: applies news to the live mail, and reports the changes to the caller. */
#include "store/follow.h"
#include "base/mem.h"

bool watching_begin(struct watching *watching, struct store *store,
                    const struct watch_options *options, const struct watching_calls *calls,
                    void *context, struct err *err)
{
    *watching = (struct watching){.worker = worker_start(store_copy(store, err), err),
                                  .store = store,
                                  .calls = calls,
                                  .context = context};
    if (!watching->worker)
        return false;
    watching->live = live_new();
    worker_watch(watching->worker, options);
    return true;
}

void watching_stop(struct watching *watching)
{
    vanished_free(&watching->gone);
    live_free(watching->live); /* before the sources that its messages point to */
    worker_stop(watching->worker);
}

static void report_changes(struct watching *watching, enum live_event event,
                           const struct message *message)
{
    if (watching->calls->changed)
        watching->calls->changed(watching->context, event, message);
}

static void call(struct watching *watching, void (*function)(void *context))
{
    if (function)
        function(watching->context);
}

static void apply_news(struct watching *watching, const struct update *update)
{
    CLEANUP(live_changes_free) struct live_changes changes = {0};

    live_apply(watching->live, update, &changes);
    call(watching, watching->calls->updated);
    for (size_t i = 0; i < changes.count; i++) {
        const struct live_change *change = &changes.items[i];
        if (change->event == LIVE_GONE)
            vanished_hold(&watching->gone, change->message, time_steady());
        else if (change->event == LIVE_NEW && vanished_is_back(&watching->gone, change->message))
            report_changes(watching, LIVE_CHANGED, change->message);
        else
            report_changes(watching, change->event, change->message);
    }
}

static void report_gone(struct watching *watching)
{
    int64_t now_us = time_steady();
    const struct message *message;

    while ((message = vanished_next(&watching->gone, now_us)))
        report_changes(watching, LIVE_GONE, message);
}

void watching_take(struct watching *watching)
{
    enum { AT_ONCE = 16 }; /* then the caller can show what was reported */
    struct news news;

    for (int i = 0; i < AT_ONCE && worker_next(watching->worker, &news); i++) {
        switch (news.kind) {
        case NEWS_UPDATE:
            apply_news(watching, &news.update);
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
        case NEWS_KEPT: /* says nothing about mail */
            break;
        case NEWS_HEALTH:
        case NEWS_SOURCE:
            if (watching->tell)
                watching->tell(watching->report_context, news.text);
            break;
        case NEWS_DONE: /* nothing is begun here */
            break;
        }
        news_free(&news);
    }
    store_follow_roots(watching->store);
    report_gone(watching);
    if (watching->ready)
        call(watching, watching->calls->settled);
}

int watching_timeout_ms(const struct watching *watching)
{
    int64_t due_us = vanished_due_us(&watching->gone);

    return due_us == TIME_NONE ? -1 : time_poll_ms(due_us - time_steady());
}
