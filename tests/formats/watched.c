/* A mailbox that is watched, for the tests of watching. */
#include "watched.h"

#include "store/config/config.h"
#include "tests/unit/mail/live/live_support.h"

#include <poll.h>

struct watched watched;
static struct config config; /* all defaults */

void watched_watch(bool poll)
{
    live_free(watched.live);
    watched.live = live_new();
    worker_stop(watched.worker);
    struct store *copy = store_copy(world.store, NULL);
    cr_assert_not_null(copy);
    share_seeds(world.store, copy);
    watched.worker = worker_start(copy, NULL);
    cr_assert_not_null(watched.worker);
    worker_watch(watched.worker, &(struct watch_options){.poll = poll, .config = &config});
}

void watched_start(size_t index, bool poll)
{
    open_world(index);
    watched_watch(poll);
}

void watched_stop(void)
{
    live_free(watched.live);
    watched.live = NULL;
    worker_stop(watched.worker);
    watched.worker = NULL;
    close_world();
}

size_t watched_index_of(const char *name)
{
    size_t index = 0;

    while (strcmp(formats[index]->name, name) != 0)
        index++;
    return index;
}

void watched_take_news(void)
{
    struct news news;

    while (worker_next(watched.worker, &news)) {
        if (news.kind == NEWS_UPDATE)
            live_apply(watched.live, &news.update, NULL);
        watched.known += news.kind == NEWS_KNOWN;
        watched.ready += news.kind == NEWS_READY;
        news_free(&news);
    }
}

bool watched_wait(time_t end)
{
    struct pollfd fd = {.fd = worker_fd(watched.worker), .events = POLLIN};

    poll(&fd, 1, 50);
    watched_take_news();
    return time(NULL) < end;
}

static bool is_same(struct model *view, struct model *fresh)
{
    bool same = view->count == fresh->count;

    model_sort(view->messages, view->count, cmp_where);
    model_sort(fresh->messages, fresh->count, cmp_where);
    for (size_t i = 0; same && i < view->count; i++)
        same = !head_difference(view->messages[i], fresh->messages[i]);
    return same;
}

size_t watched_settle(const char *when)
{
    time_t end = time(NULL) + WATCHED_LIMIT_S;
    size_t count;

    for (bool same = false; !same;) {
        store_follow_roots(world.store);
        struct model view = {0}, fresh = load(true, true);
        bool in_time = watched_wait(end);
        live_view(watched.live, &view);
        same = is_same(&view, &fresh);
        if (!same && !in_time)
            assert_same_messages(&view, &fresh, when);
        count = view.count;
        model_free(&view);
        model_free(&fresh);
    }
    return count;
}

void watched_post(const char *to)
{
    struct outgoing_message letter = make_letter("carol", to);

    send_letter(&letter);
    outgoing_message_free(&letter);
}

void watched_post_some(void)
{
    watched_post("alice");
    watched_post("bob");
    watched_post("dave");
}

void watched_first_path(char *path, size_t size)
{
    struct model model = load(true, false);

    cr_assert_gt(model.count, 0);
    path_of(model.messages[0], path, size);
    model_free(&model);
}
