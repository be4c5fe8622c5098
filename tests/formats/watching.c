/* Watching, over all layouts: whatever happens to the files, the live picture becomes what a load
 * of them gives. No screen and no command has a part in it. */
#include "world.h"

#include "../unit/live_support.h"
#include "mail/live.h"
#include "store/config.h"

#include <fcntl.h>
#include <poll.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* A limit for what hangs; nothing is ever waited for that long otherwise. */
enum { LIMIT_S = 20 };

static struct live *live;
static size_t known, ready;  /* how often it was said */
static struct config config; /* nothing but the usual */

static void stop(void)
{
    close_world();
    live_free(live);
    live = NULL;
}

TestSuite(watching, .fini = stop, .timeout = 300);

#define watching(Name) test_every_format(watching, Name)

static void start(size_t index, bool poll)
{
    open_world(index);
    live = live_new();
    store_watch(world.store, &(struct watch_options){.poll = poll, .config = &config});
}

static void take_news(void)
{
    struct news news;

    while (store_next(world.store, &news)) {
        if (news.kind == NEWS_UPDATE)
            live_apply(live, &news.update, NULL);
        known += news.kind == NEWS_KNOWN;
        ready += news.kind == NEWS_READY;
        news_free(&news);
    }
}

/* Waits for news, a little; false when the time is over. */
static bool wait_for_news(time_t end)
{
    struct pollfd fd = {.fd = store_fd(world.store), .events = POLLIN};

    poll(&fd, 1, 50);
    take_news();
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

/* Waits until the picture is what a load gives; how many messages there are. */
static size_t settle(const char *when)
{
    time_t end = time(NULL) + LIMIT_S;
    size_t count;

    for (bool same = false; !same;) {
        struct model view = {0}, fresh = load(true, true);
        bool in_time = wait_for_news(end);
        live_view(live, &view);
        same = is_same(&view, &fresh);
        if (!same && !in_time)
            assert_same_messages(&view, &fresh, when);
        count = view.count;
        model_free(&view);
        model_free(&fresh);
    }
    return count;
}

static void post(const char *to)
{
    struct letter letter = make_letter("carol", to);

    send_letter(&letter);
    letter_free(&letter);
}

static void post_some(void)
{
    post("alice");
    post("bob");
    post("dave");
}

/* The first message of the inboxes; copied, as the model goes. */
static void first_path(char *path, size_t size)
{
    struct model model = load(true, false);

    cr_assert_gt(model.count, 0);
    path_of(model.messages[0], path, size);
    model_free(&model);
}

watching(what_is_there_is_told_before_it_is_ready)
{
    open_world(*index);
    post_some();
    live = live_new();
    store_watch(world.store, &(struct watch_options){.config = &config});
    while (!ready)
        wait_for_news(0);
    cr_assert_eq(live_count(live), 3);
    cr_assert_gt(known, 0);
    cr_assert_eq(settle("at the start"), 3);
}

/* The files of the first update that is told. */
static struct update first_update(void)
{
    struct news news = {0};

    while (!store_next(world.store, &news) || news.kind != NEWS_UPDATE) {
        news_free(&news);
        news = (struct news){0};
        poll(&(struct pollfd){.fd = store_fd(world.store), .events = POLLIN}, 1, 50);
    }
    return news.update;
}

watching(what_was_shown_first_the_last_time_is_told_first)
{
    struct span_list foremost = {0};

    open_world(*index);
    if (world.format->keeping != KEEP_FILES)
        return;
    post_some();
    struct model model = load(true, true);
    span_list_add(&foremost, model.messages[1]->place->dir);
    span_list_add(&foremost, model.messages[1]->file);
    store_keep_foremost(world.store, 0, &foremost);
    live = live_new();
    store_watch(world.store, &(struct watch_options){.config = &config});
    struct update update = first_update();
    cr_assert_eq(update.count, 1);
    cr_assert(span_eq(update.files[0].name, model.messages[1]->file));
    cr_assert_eq(update.batch.count, 1);
    live_apply(live, &update, NULL);
    update_free(&update);
    cr_assert_eq(settle("the rest"), 3);
    span_list_free(&foremost);
    model_free(&model);
}

watching(a_note_of_what_was_shown_first_leads_nowhere_else)
{
    static const char *const nowhere[] = {"..",   "secret", "/etc", "passwd", "",   "", "no",
                                          "such", "a/b",    "c",    ".",      "..", "", "a/b"};
    struct span_list foremost = {0};

    open_world(*index);
    post_some();
    tmp_write(&world.tmp, "secret", span_of("{}"));
    for (size_t i = 0; i < sizeof nowhere / sizeof *nowhere; i++)
        span_list_add(&foremost, span_of(nowhere[i]));
    span_list_add(&foremost, span_of("one that is left alone"));
    store_keep_foremost(world.store, 0, &foremost);
    live = live_new();
    store_watch(world.store, &(struct watch_options){.config = &config});
    while (!ready)
        wait_for_news(0);
    cr_assert_eq(settle("at the start"), 3);
    span_list_free(&foremost);
}

watching(what_is_sent_marked_and_put_away_shows)
{
    start(*index, false);
    post_some();
    cr_assert_eq(settle("sent"), 3);
    struct model model = load(true, true);
    struct store *other = open_store("bob", false, NULL); /* as another process is */
    for (size_t i = 0; i < model.count; i++)
        change(other, model.messages[i], STATUS_READ);
    cr_assert_eq(settle("marked"), 3);
    for (size_t i = 0; i < model.count; i++)
        change(world.store, model.messages[i], STATUS_ARCHIVED);
    settle("put away");
    struct err err;
    store_mark_seen(other, model.messages, model.count, &err);
    settle("seen");
    store_close(other);
    model_free(&model);
}

watching(files_that_are_rewritten_removed_and_put_back_show)
{
    char path[1024], away[1100];

    start(*index, false);
    post_some();
    settle("sent");
    first_path(path, sizeof path);
    struct str bytes = tmp_read(&world.tmp, path);
    tmp_write(&world.tmp, path, (struct span){bytes.at, bytes.len / 2});
    settle("half of it");
    tmp_write(&world.tmp, path, str_span(&bytes));
    cr_assert_eq(settle("whole again"), 3);
    snprintf(away, sizeof away, "%s.away", path);
    cr_assert(renameat(world.tmp.fd, path, world.tmp.fd, away) == 0);
    cr_assert_eq(settle("away"), 2);
    cr_assert(mkdirat(world.tmp.fd, path, 0755) == 0);
    cr_assert_eq(settle("a directory in its place"), 3);
    cr_assert(unlinkat(world.tmp.fd, path, AT_REMOVEDIR) == 0);
    cr_assert(symlinkat("nowhere", world.tmp.fd, path) == 0);
    cr_assert_eq(settle("a link in its place"), 3);
    cr_assert(renameat(world.tmp.fd, away, world.tmp.fd, path) == 0);
    cr_assert_eq(settle("back"), 3);
    tmp_write(&world.tmp, path, span_of(""));
    settle("nothing in it");
    str_free(&bytes);
}

/* Directories on the way to a message, from the root down. */
static void change_directories(void)
{
    char path[1024], away[600];

    post_some();
    settle("sent");
    first_path(path, sizeof path);
    snprintf(away, sizeof away, "%s/away", world.tmp.path);
    for (char *end = strchr(path + strlen(world.inside) + 1, '/'); end;
         end = strchr(end + 1, '/')) {
        *end = '\0';
        cr_assert(renameat(world.tmp.fd, path, world.tmp.fd, away) == 0, "%s", path);
        settle("gone");
        cr_assert(symlinkat(away, world.tmp.fd, path) == 0);
        settle("a link");
        cr_assert(unlinkat(world.tmp.fd, path, 0) == 0);
        tmp_write(&world.tmp, path, span_of("a file"));
        settle("a file");
        cr_assert(unlinkat(world.tmp.fd, path, 0) == 0);
        cr_assert(mkdirat(world.tmp.fd, path, 0755) == 0);
        settle("empty");
        cr_assert(unlinkat(world.tmp.fd, path, AT_REMOVEDIR) == 0);
        cr_assert(renameat(world.tmp.fd, away, world.tmp.fd, path) == 0);
        cr_assert_eq(settle("back"), 3);
        *end = '/';
    }
    post("bob2");
    cr_assert_eq(settle("one more"), 4);
}

watching(directories_that_go_turn_into_links_and_come_back_show)
{
    start(*index, false);
    change_directories();
}

static void wait_for_count(size_t count, const char *when)
{
    for (time_t end = time(NULL) + LIMIT_S; live_count(live) != count;)
        cr_assert(wait_for_news(end), "%s", when);
}

static void assert_root_is_found_again(const char *when)
{
    char away[600];

    snprintf(away, sizeof away, "%s/away", world.tmp.path);
    cr_assert(rename(world.root, away) == 0);
    wait_for_count(0, "the root went");
    cr_assert(rename(away, world.root) == 0);
    wait_for_count(3, "the root came back");
    settle(when);
}

watching(a_root_that_goes_and_comes_back_is_found_again)
{
    start(*index, false);
    post_some();
    settle("sent");
    assert_root_is_found_again("told");
}

watching(a_root_that_goes_and_comes_back_is_found_again_by_looking)
{
    start(*index, true);
    post_some();
    settle("sent");
    assert_root_is_found_again("looked at");
}

/* Moves the project, and with it the root, whose own directory says nothing of it. */
watching(a_root_that_goes_with_what_it_lies_in_is_found_again)
{
    char away[600];

    start(*index, false);
    post_some();
    settle("sent");
    snprintf(away, sizeof away, "%s/away", world.tmp.path);
    cr_assert(rename(world.project, away) == 0);
    wait_for_count(0, "the project went");
    cr_assert(rename(away, world.project) == 0);
    wait_for_count(3, "the project came back");
    settle("back");
}

/* A rename over an empty directory takes its place, and nothing was removed before. */
watching(a_root_that_another_directory_takes_the_place_of_is_found_again)
{
    char path[1024], away[600];

    start(*index, false);
    post_some();
    settle("sent");
    first_path(path, sizeof path);
    struct str bytes = tmp_read(&world.tmp, path);
    snprintf(away, sizeof away, "%s/away", world.tmp.path);
    cr_assert(rename(world.root, away) == 0);
    tmp_write(&world.tmp, path, str_span(&bytes));
    wait_for_count(1, "another root");
    cr_assert(unlinkat(world.tmp.fd, path, 0) == 0);
    for (char *end = strrchr(path, '/'); end > path + strlen(world.inside);
         end = strrchr(path, '/')) {
        *end = '\0';
        cr_assert(unlinkat(world.tmp.fd, path, AT_REMOVEDIR) == 0);
    }
    wait_for_count(0, "an empty root");
    cr_assert(rename(away, world.root) == 0);
    wait_for_count(3, "the first root again");
    settle("full again");
    str_free(&bytes);
}

watching(what_only_looking_finds_is_found)
{
    char path[1024];

    start(*index, true);
    post_some();
    cr_assert_eq(settle("sent"), 3);
    first_path(path, sizeof path);
    cr_assert(unlinkat(world.tmp.fd, path, 0) == 0);
    cr_assert_eq(settle("removed"), 2);
    post("bob2");
    cr_assert_eq(settle("one more"), 3);
}

/* What is known about agents, and marks. */

static size_t index_of(const char *name)
{
    size_t index = 0;

    while (strcmp(formats[index]->name, name) != 0)
        index++;
    return index;
}

/* Takes all that is told until it is quiet. */
static void drain(void)
{
    struct pollfd fd = {.fd = store_fd(world.store), .events = POLLIN};

    while (poll(&fd, 1, 500) > 0)
        take_news();
}

static void assert_known_is_told(const char *when)
{
    size_t before = known;

    for (time_t end = time(NULL) + LIMIT_S; known == before;)
        cr_assert(wait_for_news(end), "%s", when);
    drain();
}

Test(watching, rosters_that_go_and_come_back_are_told)
{
    char here[600], away[600];

    start(index_of("adr"), false);
    snprintf(here, sizeof here, "%s", store_source(world.store, 0)->roster_path);
    snprintf(away, sizeof away, "%s/away", world.tmp.path);
    assert_known_is_told("at the start");
    cr_assert(rename(here, away) == 0);
    assert_known_is_told("gone");
    cr_assert(rename(away, here) == 0);
    assert_known_is_told("back");
    enlist("dev", "zed");
    assert_known_is_told("one more");
}

Test(watching, rosters_that_nobody_had_yet_are_told_when_they_come)
{
    char here[600], away[600];

    open_world(index_of("adr"));
    snprintf(here, sizeof here, "%s", store_source(world.store, 0)->roster_path);
    snprintf(away, sizeof away, "%s/away", world.tmp.path);
    cr_assert(rename(here, away) == 0);
    live = live_new();
    store_watch(world.store, &(struct watch_options){.config = &config});
    assert_known_is_told("at the start");
    cr_assert(rename(away, here) == 0);
    assert_known_is_told("there");
}

/* Somebody who only looks makes no state, and sees that of others as soon as there is one. */
Test(watching, marks_show_where_there_was_no_state_before)
{
    char state[600];

    open_world(index_of("claude"));
    post_some();
    store_close(world.store);
    snprintf(state, sizeof state, "%s/state", world.tmp.path);
    snprintf(state + strlen(state), 20, "%s", "-away"); /* a new one */
    setenv("XDG_STATE_HOME", state, 1);
    world.store = open_store("bob", true, NULL);
    live = live_new();
    store_watch(world.store, &(struct watch_options){.config = &config});
    cr_assert_eq(settle("at the start"), 3);
    struct store *other = open_store("bob", false, NULL);
    struct model model = load_in(other, true, false);
    struct err err;
    cr_assert(store_mark_seen(other, model.messages, model.count, &err), "%s", err.text);
    size_t seen = 0;
    for (time_t end = time(NULL) + LIMIT_S; seen < model.count;) {
        struct model view = {0};
        cr_assert(wait_for_news(end), "%zu of %zu are seen", seen, model.count);
        live_view(live, &view);
        for (size_t i = seen = 0; i < view.count; i++)
            seen += view.messages[i]->seen;
        model_free(&view);
    }
    settle("marked");
    model_free(&model);
    store_close(other);
}

/* A disk that takes its time: what is written can be read only a while after the kernel has told of
 * it, and the connection that wrote it stays open. */
static ssize_t (*write_at)(int fd, const void *bytes, size_t count, off_t at);

static ssize_t write_slowly(int fd, const void *bytes, size_t count, off_t at)
{
    struct timespec pause = {.tv_nsec = 300000000};
    ssize_t written = write_at(fd, bytes, count, at);

    if (count > 1024) /* not the head of a page */
        nanosleep(&pause, NULL);
    return written;
}

static void replace_writes(bool slow)
{
    static const char *const names[] = {"pwrite64", "pwrite"};
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);

    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        sqlite3_syscall_ptr was = vfs->xGetSystemCall(vfs, names[i]);
        if (slow && was)
            write_at = (ssize_t(*)(int, const void *, size_t, off_t))was;
        if (was)
            vfs->xSetSystemCall(vfs, names[i], slow ? (sqlite3_syscall_ptr)write_slowly : NULL);
    }
}

static bool has_failed(void)
{
    struct model view = {0};

    live_view(live, &view);
    bool has = view.count == 1 && view.messages[0]->status == STATUS_FAILED;
    model_free(&view);
    return has;
}

Test(watching, a_mark_that_takes_long_to_be_written_is_seen)
{
    open_world(index_of("claude"));
    become("bob");
    post("bob");
    struct store *other = open_store("bob", false, NULL);
    struct model model = load_in(other, true, false);
    cr_assert_eq(model.count, 1);
    assert_changed(model.messages[0], STATUS_PROCESSING); /* the state is there */
    live = live_new();
    store_watch(world.store, &(struct watch_options){.config = &config});
    cr_assert_eq(settle("at the start"), 1);
    drain();
    replace_writes(true);
    cr_assert(change(other, model.messages[0], STATUS_FAILED).ok);
    replace_writes(false);
    for (time_t end = time(NULL) + LIMIT_S; !has_failed();)
        cr_assert(wait_for_news(end), "it is not seen");
    model_free(&model);
    store_close(other);
}

/* What is known is better than nothing. */
Test(watching, copies_stay_while_the_state_cannot_be_read)
{
    char path[700];
    sqlite3 *db;

    start(index_of("claude"), false);
    become("bob");
    live_free(live);
    live = live_new();
    store_watch(world.store, &(struct watch_options){.config = &config});
    post_some();
    struct model model = load(true, false);
    for (size_t i = 0; i < model.count; i++)
        change(world.store, model.messages[i], STATUS_ARCHIVED);
    model_free(&model);
    cr_assert_eq(settle("put away"), 3);
    drain();
    snprintf(path, sizeof path, "%s/state/swarmutt/state.db", world.tmp.path);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db,
                              "ALTER TABLE copy RENAME TO elsewhere;"
                              "UPDATE tally SET count = count + 1",
                              NULL, NULL, NULL),
                 SQLITE_OK, "%s", sqlite3_errmsg(db));
    assert_known_is_told("the state changed");
    cr_assert_eq(live_count(live), 3);
    cr_assert_eq(sqlite3_exec(db, "ALTER TABLE elsewhere RENAME TO copy", NULL, NULL, NULL),
                 SQLITE_OK, "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
    cr_assert_eq(settle("readable again"), 3);
}

Test(watching, directories_that_go_turn_into_links_and_come_back_show_where_only_looking_finds_them)
{
    start(index_of("adr"), true);
    change_directories();
}

/* A file may come after the names were noted, be read, and go before they are noted again. */
Test(watching, files_that_are_there_for_a_moment_leave_nothing_behind_where_only_looking_finds_them)
{
    enum { MANY = 1500, AT_ONCE = 20 };
    struct timespec moment = {.tv_nsec = 1000000};
    char path[1024], name[1100];

    open_world(index_of("adr"));
    post_some();
    first_path(path, sizeof path);
    struct str bytes = tmp_read(&world.tmp, path);
    for (int i = 0; i < MANY; i++) { /* so that a look takes its time */
        snprintf(name, sizeof name, "%.*s-%d.json", (int)strlen(path) - 5, path, i);
        tmp_write(&world.tmp, name, str_span(&bytes));
    }
    live = live_new();
    store_watch(world.store, &(struct watch_options){.poll = true, .config = &config});
    for (int i = 0; i < 2500; i++) {
        snprintf(name, sizeof name, "%s-%d.json", path, i);
        tmp_write(&world.tmp, name, str_span(&bytes));
        snprintf(name, sizeof name, "%s-%d.json", path, i - AT_ONCE);
        unlinkat(world.tmp.fd, name, 0);
        nanosleep(&moment, NULL);
        take_news();
    }
    settle("in the end");
    str_free(&bytes);
}
