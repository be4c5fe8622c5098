/* Watching, over all layouts: after any change to the files, the live picture becomes the one of a
 * load. Uses no screen and no command. */
#include "watched.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

TestSuite(watching, .fini = watched_stop, .timeout = 300);

#define watching(Name) test_every_format(watching, Name)

watching(what_is_there_is_told_before_it_is_ready)
{
    open_world(*index);
    watched_post_some();
    watched_watch(false);
    while (!watched.ready)
        watched_wait(0);
    cr_assert_eq(live_count(watched.live), 3);
    cr_assert_gt(watched.known, 0);
    cr_assert_eq(watched_settle("at the start"), 3);
}

/* Returns the files of the first update. */
static struct update first_update(void)
{
    struct news news = {0};

    while (!worker_next(watched.worker, &news) || news.kind != NEWS_UPDATE) {
        news_free(&news);
        news = (struct news){0};
        poll(&(struct pollfd){.fd = worker_fd(watched.worker), .events = POLLIN}, 1, 50);
    }
    return news.update;
}

watching(what_was_shown_first_the_last_time_is_told_first)
{
    struct span_list first_screen = {0};

    open_world(*index);
    if (world.format->storage != STORAGE_FILES)
        return;
    watched_post_some();
    struct model model = load(true, true);
    span_list_add(&first_screen, model.messages[1]->place->dir);
    span_list_add(&first_screen, model.messages[1]->file);
    store_keep_first_screen(world.store, 0, &first_screen);
    watched_watch(false);
    struct update update = first_update();
    cr_assert_eq(update.count, 1);
    cr_assert(span_eq(update.files[0].name, model.messages[1]->file));
    cr_assert_eq(update.batch.count, 1);
    live_apply(watched.live, &update, NULL);
    update_free(&update);
    cr_assert_eq(watched_settle("the rest"), 3);
    span_list_free(&first_screen);
    model_free(&model);
}

watching(a_note_of_what_was_shown_first_leads_nowhere_else)
{
    static const char *const nowhere[] = {"..",   "secret", "/etc", "passwd", "",   "", "no",
                                          "such", "a/b",    "c",    ".",      "..", "", "a/b"};
    struct span_list first_screen = {0};

    open_world(*index);
    watched_post_some();
    tmp_write(&world.tmp, "secret", span_of("{}"));
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        span_list_add(&first_screen, span_of(nowhere[i]));
    span_list_add(&first_screen, span_of("one that is left alone"));
    store_keep_first_screen(world.store, 0, &first_screen);
    watched_watch(false);
    while (!watched.ready)
        watched_wait(0);
    cr_assert_eq(watched_settle("at the start"), 3);
    span_list_free(&first_screen);
}

watching(what_is_sent_marked_and_put_away_shows)
{
    watched_start(*index, false);
    watched_post_some();
    cr_assert_eq(watched_settle("sent"), 3);
    struct model model = load(true, true);
    struct store *other = open_store("bob", false, NULL); /* stands for another process */
    for (size_t i = 0; i < model.count; i++)
        change(other, model.messages[i], STATUS_READ);
    cr_assert_eq(watched_settle("marked"), 3);
    for (size_t i = 0; i < model.count; i++)
        change(world.store, model.messages[i], STATUS_ARCHIVED);
    watched_settle("put away");
    struct err err;
    store_mark_seen(other, model.messages, model.count, &err);
    watched_settle("seen");
    store_close(other);
    model_free(&model);
}

watching(files_that_are_rewritten_removed_and_put_back_show)
{
    char path[1024], away[1100];

    watched_start(*index, false);
    watched_post_some();
    watched_settle("sent");
    watched_first_path(path, sizeof path);
    struct str bytes = tmp_read(&world.tmp, path);
    tmp_write(&world.tmp, path, (struct span){bytes.at, bytes.len / 2});
    watched_settle("half of it");
    tmp_write(&world.tmp, path, str_span(&bytes));
    cr_assert_eq(watched_settle("whole again"), 3);
    snprintf(away, sizeof away, "%s.away", path);
    cr_assert(renameat(world.tmp.fd, path, world.tmp.fd, away) == 0);
    cr_assert_eq(watched_settle("away"), 2);
    cr_assert(mkdirat(world.tmp.fd, path, 0755) == 0);
    cr_assert_eq(watched_settle("a directory in its place"), 3);
    cr_assert(unlinkat(world.tmp.fd, path, AT_REMOVEDIR) == 0);
    cr_assert(symlinkat("nowhere", world.tmp.fd, path) == 0);
    cr_assert_eq(watched_settle("a link in its place"), 3);
    cr_assert(renameat(world.tmp.fd, away, world.tmp.fd, path) == 0);
    cr_assert_eq(watched_settle("back"), 3);
    tmp_write(&world.tmp, path, span_of(""));
    watched_settle("nothing in it");
    str_free(&bytes);
}

watching(what_only_looking_finds_is_found)
{
    char path[1024];

    watched_start(*index, true);
    watched_post_some();
    cr_assert_eq(watched_settle("sent"), 3);
    watched_first_path(path, sizeof path);
    cr_assert(unlinkat(world.tmp.fd, path, 0) == 0);
    cr_assert_eq(watched_settle("removed"), 2);
    watched_post("bob2");
    cr_assert_eq(watched_settle("one more"), 3);
}

/* A file may arrive after the listing of names, be read, and vanish before the next listing. */
Test(watching, files_that_are_there_for_a_moment_leave_nothing_behind_where_only_looking_finds_them)
{
    enum { MANY = 1500, AT_ONCE = 20 };
    struct timespec moment = {.tv_nsec = 1000000};
    char path[1024], name[1100];

    open_world(watched_index_of("adr"));
    watched_post_some();
    watched_first_path(path, sizeof path);
    struct str bytes = tmp_read(&world.tmp, path);
    for (int i = 0; i < MANY; i++) { /* so that a scan takes some time */
        snprintf(name, sizeof name, "%.*s-%d.json", (int)strlen(path) - 5, path, i);
        tmp_write(&world.tmp, name, str_span(&bytes));
    }
    watched_watch(true);
    for (int i = 0; i < 2500; i++) {
        snprintf(name, sizeof name, "%s-%d.json", path, i);
        tmp_write(&world.tmp, name, str_span(&bytes));
        snprintf(name, sizeof name, "%s-%d.json", path, i - AT_ONCE);
        unlinkat(world.tmp.fd, name, 0);
        nanosleep(&moment, NULL);
        watched_take_news();
    }
    watched_settle("in the end");
    str_free(&bytes);
}
