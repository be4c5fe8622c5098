/* Watching files other than the mail: rosters, marks and copies. */
#include "watched.h"

#include <poll.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

TestSuite(watching_known, .fini = watched_stop, .timeout = 300);

/* Takes all updates until there are no more. */
static void drain(void)
{
    struct pollfd fd = {.fd = worker_fd(watched.worker), .events = POLLIN};

    while (poll(&fd, 1, 500) > 0)
        watched_take_news();
}

static void assert_known_is_told(const char *when)
{
    size_t before = watched.known;

    for (time_t end = time(NULL) + WATCHED_LIMIT_S; watched.known == before;)
        cr_assert(watched_wait(end), "%s", when);
    drain();
}

Test(watching_known, rosters_that_go_and_come_back_are_told)
{
    char here[600], away[600];

    watched_start(watched_index_of("adr"), false);
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

Test(watching_known, rosters_that_nobody_had_yet_are_told_when_they_come)
{
    char here[600], away[600];

    open_world(watched_index_of("adr"));
    snprintf(here, sizeof here, "%s", store_source(world.store, 0)->roster_path);
    snprintf(away, sizeof away, "%s/away", world.tmp.path);
    cr_assert(rename(here, away) == 0);
    watched_watch(false);
    assert_known_is_told("at the start");
    cr_assert(rename(away, here) == 0);
    assert_known_is_told("there");
}

/* A read-only store makes no state, and sees that of others as soon as there is one. */
Test(watching_known, marks_show_where_there_was_no_state_before)
{
    char state[600];

    open_world(watched_index_of("claude"));
    watched_post_some();
    store_close(world.store);
    snprintf(state, sizeof state, "%s/state", world.tmp.path);
    snprintf(state + strlen(state), 20, "%s", "-away"); /* a new directory */
    setenv("XDG_STATE_HOME", state, 1);
    world.store = open_store("bob", true, NULL);
    watched_watch(false);
    cr_assert_eq(watched_settle("at the start"), 3);
    struct store *other = open_store("bob", false, NULL);
    struct model model = load_in(other, true, false);
    struct err err;
    cr_assert(store_mark_seen(other, model.messages, model.count, &err), "%s", err.text);
    size_t seen = 0;
    for (time_t end = time(NULL) + WATCHED_LIMIT_S; seen < model.count;) {
        struct model view = {0};
        cr_assert(watched_wait(end), "%zu of %zu are seen", seen, model.count);
        live_view(watched.live, &view);
        for (size_t i = seen = 0; i < view.count; i++)
            seen += view.messages[i]->seen;
        model_free(&view);
    }
    watched_settle("marked");
    model_free(&model);
    store_close(other);
}

/* A slow disk: written data can be read only some time after the kernel has reported it, and the
 * connection that wrote it stays open. */
static ssize_t (*write_at)(int fd, const void *bytes, size_t count, off_t at);

static ssize_t write_slowly(int fd, const void *bytes, size_t count, off_t at)
{
    struct timespec pause = {.tv_nsec = 300000000};
    ssize_t written = write_at(fd, bytes, count, at);

    if (count > 1024) /* not the header of a page */
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

    live_view(watched.live, &view);
    bool has = view.count == 1 && view.messages[0]->status == STATUS_FAILED;
    model_free(&view);
    return has;
}

Test(watching_known, a_mark_that_takes_long_to_be_written_is_seen)
{
    open_world(watched_index_of("claude"));
    become("bob");
    watched_post("bob");
    struct store *other = open_store("bob", false, NULL);
    struct model model = load_in(other, true, false);
    cr_assert_eq(model.count, 1);
    assert_changed(model.messages[0], STATUS_PROCESSING); /* the state exists */
    watched_watch(false);
    cr_assert_eq(watched_settle("at the start"), 1);
    drain();
    replace_writes(true);
    cr_assert(change(other, model.messages[0], STATUS_FAILED).ok);
    replace_writes(false);
    for (time_t end = time(NULL) + WATCHED_LIMIT_S; !has_failed();)
        cr_assert(watched_wait(end), "it is not seen");
    model_free(&model);
    store_close(other);
}

/* Old copies are better than none. */
Test(watching_known, copies_stay_while_the_state_cannot_be_read)
{
    char path[700];
    sqlite3 *db;

    watched_start(watched_index_of("claude"), false);
    become("bob");
    watched_watch(false);
    watched_post_some();
    struct model model = load(true, false);
    for (size_t i = 0; i < model.count; i++)
        change(world.store, model.messages[i], STATUS_ARCHIVED);
    model_free(&model);
    cr_assert_eq(watched_settle("put away"), 3);
    drain();
    snprintf(path, sizeof path, "%s/state/swarmutt/state.db", world.tmp.path);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    cr_assert_eq(sqlite3_exec(db,
                              "ALTER TABLE copy RENAME TO elsewhere;"
                              "UPDATE tally SET count = count + 1",
                              NULL, NULL, NULL),
                 SQLITE_OK, "%s", sqlite3_errmsg(db));
    assert_known_is_told("the state changed");
    cr_assert_eq(live_count(watched.live), 3);
    cr_assert_eq(sqlite3_exec(db, "ALTER TABLE elsewhere RENAME TO copy", NULL, NULL, NULL),
                 SQLITE_OK, "%s", sqlite3_errmsg(db));
    sqlite3_close(db);
    cr_assert_eq(watched_settle("readable again"), 3);
}
