/* The cache of heads, over all layouts, as the start of a live picture: after any change to the
 * files, the picture becomes the result of a scan without the cache. */
#include "scene.h"

#include "mail/live/live.h"
#include "store/worker.h"
#include "tests/unit/mail/live/live_support.h"

#include <poll.h>
#include <stdio.h>
#include <time.h>

enum { LIMIT_S = 30 };

static struct live *live;
static struct worker *worker;

static void stop(void)
{
    live_free(live);
    live = NULL;
    worker_stop(worker);
    worker = NULL;
    close_world();
}

TestSuite(caching_pictures, .fini = stop, .timeout = 300);

#define caching_pictures(Name) test_every_format(caching_pictures, Name)

static void take_news(bool *ready)
{
    struct news news;

    while (worker_next(worker, &news)) {
        if (news.kind == NEWS_UPDATE)
            live_apply(live, &news.update, NULL);
        *ready |= news.kind == NEWS_READY;
        news_free(&news);
    }
}

/* Asserts that a live picture catches up with a mailbox that changed while it was not watched. */
static void assert_becomes_true(const char *when)
{
    struct watch_options heads = {0};
    time_t end = time(NULL) + LIMIT_S;
    bool ready = false, same = false;

    live = live_new();
    worker = worker_start(store_copy(world.store, NULL), NULL);
    cr_assert_not_null(worker);
    worker_watch(worker, &heads);
    while (!ready || !same) {
        struct pollfd fd = {.fd = worker_fd(worker), .events = POLLIN};
        poll(&fd, 1, 50);
        bool begins = !ready;
        take_news(&ready);
        if (!ready)
            continue;
        if (begins) /* now it has the seed of the cache */
            share_seeds(worker_store(worker), world.store);
        struct model view = {0}, fresh = scene_scan(false);
        take_news(&ready);
        live_view(live, &view);
        model_sort(view.messages, view.count, cmp_where);
        same = view.count == fresh.count;
        for (size_t i = 0; same && i < view.count; i++)
            same = !head_difference(view.messages[i], fresh.messages[i]);
        if (!same && time(NULL) > end)
            scene_assert_same(&view, &fresh, when);
        model_free(&view);
        model_free(&fresh);
    }
    live_free(live);
    live = NULL;
    worker_stop(worker);
    worker = NULL;
}

caching_pictures(a_picture_that_starts_from_what_is_known_becomes_true)
{
    if (!scene_open(*index))
        return;
    scene_make_cache();
    assert_becomes_true("unchanged");
    for (int round = 0; round < usual_rounds(12); round++) {
        char when[64];
        unsigned seed = scene.chance;
        for (unsigned i = scene_any(4); i--;)
            scene_do_something();
        snprintf(when, sizeof when, "round %d, chance %u", round, seed);
        assert_becomes_true(when);
    }
    scene_let_settle();
    assert_becomes_true("with a cache that a picture has made");
    assert_becomes_true("and from that");
    unsigned known = scene_known_files();
    cr_assert_gt(known, SCENE_FILES / 3, "%u", known);
}

/* --- files with many messages --- */

/* Writes an inbox with many entries, as its own program does. */
static void fill_array(char *path, size_t size)
{
    struct outgoing_message letter = make_letter("carol", "alice");
    struct str bytes = {0};

    send_letter(&letter);
    struct model model = load(true, true);
    path_of(model.messages[0], path, size);
    str_puts(&bytes, "[");
    for (int i = 0; i < SCENE_FILES; i++)
        str_addf(&bytes,
                 "%s\n  {\n    \"from\": \"carol\",\n    \"text\": \"Xubject %d\",\n"
                 "    \"timestamp\": \"2026-02-07T15:35:15.%03dZ\",\n    \"read\": false\n  }",
                 i ? "," : "", i, i);
    str_puts(&bytes, "\n]");
    tmp_write(&world.tmp, path, str_span(&bytes));
    str_free(&bytes);
    model_free(&model);
    outgoing_message_free(&letter);
}

caching_pictures(a_file_that_holds_many_is_known_as_a_whole_or_read)
{
    char path[1024];

    open_world(*index);
    if (world.format->storage != STORAGE_ARRAY)
        return;
    fill_array(path, sizeof path);
    scene_make_cache();
    cr_assert_eq(scene_known_files(), 1);
    scene_assert_true("unchanged");
    struct outgoing_message letter = make_letter("carol", "alice");
    send_letter(&letter);
    outgoing_message_free(&letter);
    scene_assert_true("one more");
    scene_change_in_place(path, true);
    scene_assert_true("changed in place");
    scene_make_cache();
    cr_assert_eq(scene_known_files(), 1);
    assert_becomes_true("a picture from what is known");
    scene_change_in_place(path, true);
    assert_becomes_true("and when that has changed");
}
