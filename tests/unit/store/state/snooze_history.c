/* Tests what is stored besides drafts: snoozes, lines, and the counters of changes. */
#include "state_support.h"

#include "base/time.h"
#include "store/state/snooze_history.h"

#include <sys/inotify.h>

enum { NOW = 1000, MANY = 2000 };

TestSuite(state_kept, .init = make_home, .fini = clear_home, .timeout = 120);

static struct snoozes snoozes;
static struct err err;

static struct snooze snooze_id(const char *id, int64_t until_us)
{
    return (struct snooze){{"roo", "/srv/mail", span_of("t"), span_of("bob"), span_of(id), 0},
                           span_of("ann"),
                           until_us};
}

static void snooze(struct state *state, struct snooze one)
{
    cr_assert(state_snooze(state, &one, 1, NOW, &err), "%s", err.text);
}

static void load(struct state *state, int64_t now_us)
{
    cr_assert(state_snoozes(state, now_us, &snoozes, &err), "%s", err.text);
}

static int64_t find(const char *id)
{
    struct snooze one = snooze_id(id, 0);

    return snoozes_find(&snoozes, &one.key, one.viewer);
}

static void finish(struct state *state)
{
    snoozes_free(&snoozes);
    state_close(state);
}

Test(state_kept, a_message_is_snoozed_until_its_time_and_after_closing_too)
{
    struct state *state = open_state();

    load(state, NOW);
    cr_assert_eq(find("1"), TIME_NONE);
    cr_assert_eq(snoozes_next_us(&snoozes), TIME_NONE);
    snooze(state, snooze_id("1", NOW + 50));
    snooze(state, snooze_id("2", NOW + 20));
    state_close(state);
    state = open_state();
    load(state, NOW);
    cr_assert_eq(find("1"), NOW + 50);
    cr_assert_eq(find("2"), NOW + 20);
    cr_assert_eq(find("3"), TIME_NONE);
    cr_assert_eq(snoozes_next_us(&snoozes), NOW + 20);
    load(state, NOW + 20);
    cr_assert_eq(snoozes.count, 1);
    cr_assert_eq(find("2"), TIME_NONE);
    cr_assert_eq(find("1"), NOW + 50);
    finish(state);
}

Test(state_kept, a_snooze_can_be_changed_and_taken_back)
{
    struct state *state = open_state();
    struct snooze both[] = {snooze_id("1", TIME_NONE), snooze_id("2", NOW + 9)};

    snooze(state, snooze_id("1", NOW + 50));
    snooze(state, snooze_id("1", NOW + 70));
    load(state, NOW);
    cr_assert_eq(find("1"), NOW + 70);
    cr_assert(state_snooze(state, both, 2, NOW, &err), "%s", err.text);
    load(state, NOW);
    cr_assert_eq(snoozes.count, 1);
    cr_assert_eq(find("2"), NOW + 9);
    snooze(state, snooze_id("no such message", TIME_NONE));
    finish(state);
}

Test(state_kept, snoozes_of_several_are_set_together_or_not_at_all)
{
    struct state *state = open_state();
    struct snooze both[] = {snooze_id("1", NOW + 5), snooze_id("2", NOW + 5)};

    run_outside("CREATE TRIGGER no BEFORE INSERT ON snooze WHEN NEW.id = CAST('2' AS BLOB)"
                " BEGIN SELECT RAISE(ABORT, 'no such luck'); END");
    cr_assert_not(state_snooze(state, both, 2, NOW, &err));
    cr_assert(strstr(err.text, "no such luck"), "%s", err.text);
    load(state, NOW);
    cr_assert_eq(snoozes.count, 0);
    finish(state);
}

Test(state_kept, each_part_of_the_key_and_the_viewer_tell_snoozes_apart)
{
    struct state *state = open_state();
    struct snooze items[] = {
        {{"roo", "/a", {"t", 1}, {"b", 1}, {"c", 1}, 0}, {"v", 1}, NOW + 1},
        {{"adr", "/a", {"t", 1}, {"b", 1}, {"c", 1}, 0}, {"v", 1}, NOW + 2},
        {{"roo", "/ab", {"t", 1}, {"", 0}, {"c", 1}, 0}, {"v", 1}, NOW + 3},
        {{"roo", "/a", {"tb", 2}, {"", 0}, {"c", 1}, 0}, {"v", 1}, NOW + 4},
        {{"roo", "/a", {NULL, 0}, {"b", 1}, {"c", 1}, 0}, {"v", 1}, NOW + 5},
        {{"roo", "/a", {"t", 1}, {"b", 1}, {"c\0", 2}, 0}, {"v", 1}, NOW + 6},
        {{"roo", "/a", {"t", 1}, {"b", 1}, {"c", 1}, 0}, {"\xff", 1}, NOW + 7},
        {{"roo", "/a", {"t", 1}, {"b", 1}, {"c", 1}, 0xc0ffee}, {"v", 1}, NOW + 8},
    };
    size_t count = sizeof items / sizeof *items;

    for (size_t i = 0; i < count; i++) {
        snooze(state, items[i]);
        load(state, NOW);
        cr_assert_eq(snoozes.count, i + 1);
        for (size_t k = 0; k < count; k++)
            cr_assert_eq(snoozes_find(&snoozes, &items[k].key, items[k].viewer),
                         k <= i ? items[k].until_us : TIME_NONE, "%zu", k);
    }
    finish(state);
}

static int count_rows(const char *sql)
{
    sqlite3 *db = open_outside();
    sqlite3_stmt *stmt;

    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK, "%s", sql);
    cr_assert_eq(sqlite3_step(stmt), SQLITE_ROW);
    int number = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return number;
}

Test(state_kept, what_is_past_does_not_pile_up)
{
    static struct snooze items[MANY];
    static char ids[MANY][16];
    struct state *state = open_state();

    for (int i = 0; i < MANY; i++) {
        snprintf(ids[i], sizeof ids[i], "%d", i);
        items[i] = snooze_id(ids[i], NOW + 1 + i);
    }
    cr_assert(state_snooze(state, items, MANY, NOW, &err), "%s", err.text);
    load(state, NOW);
    cr_assert_eq(snoozes.count, MANY);
    for (int i = 0; i < MANY; i++)
        cr_assert_eq(find(ids[i]), NOW + 1 + i);
    cr_assert(state_snooze(state, NULL, 0, NOW + MANY - 1, &err), "%s", err.text);
    cr_assert_eq(count_rows("SELECT count(*) FROM snooze"), 1);
    finish(state);
}

static void expect_kept(struct state *state, const char *name, struct span text)
{
    struct str got = {0};

    str_puts(&got, "what was there before");
    cr_assert(state_kept(state, span_of(name), &got, &err), "%s", err.text);
    cr_assert(span_eq(str_span(&got), text), "%s: %s", name, str_c(&got));
    str_free(&got);
}

Test(state_kept, lines_are_kept_by_name_and_the_last_one_wins)
{
    const struct span odd = {"one\ntwo\0\xff'\"; DROP TABLE kept;", 29};
    struct state *state = open_state(), *other = open_state();

    expect_kept(state, "search", span_of(""));
    cr_assert(state_keep(state, span_of("search"), span_of("first"), &err), "%s", err.text);
    cr_assert(state_keep(other, span_of("search"), odd, &err), "%s", err.text);
    cr_assert(state_keep(state, span_of("Search"), span_of("another"), &err), "%s", err.text);
    expect_kept(state, "search", odd);
    expect_kept(other, "Search", span_of("another"));
    cr_assert(state_keep(state, span_of("search"), span_of(""), &err), "%s", err.text);
    state_close(other);
    state_close(state);
    state = open_state();
    expect_kept(state, "search", span_of(""));
    expect_kept(state, "Search", span_of("another"));
    finish(state);
}

static int64_t last[TALLY_COUNT];

/* Asserts that exactly that counter changed since the last call; TALLY_COUNT: none. */
static void expect_change(struct state *state, enum state_counter part, const char *what)
{
    int64_t now[TALLY_COUNT] = {0};

    cr_assert(state_tally(state, now, &err), "%s", err.text);
    for (int i = 0; i < TALLY_COUNT; i++)
        cr_assert_eq(now[i] != last[i], i == (int)part, "%s: part %d", what, i);
    memcpy(last, now, sizeof last);
}

Test(state_kept, changes_are_counted_by_what_they_concern_whoever_makes_them)
{
    struct state *state = open_state(), *other = open_state();
    struct snooze one = snooze_id("1", NOW + 5);
    struct outbox_entry entry = {.created_us = 1};

    cr_assert(state_tally(state, last, &err), "%s", err.text);
    cr_assert(state_mark_seen(other, &one.key, 1, one.viewer, &err));
    expect_change(state, TALLY_MAIL, "seen");
    cr_assert(state_mark_seen(other, &one.key, 1, one.viewer, &err));
    expect_change(state, TALLY_COUNT, "seen again");
    cr_assert(state_set_status(other, &one.key, 1, one.viewer, STATUS_READ, NOW, &err));
    expect_change(state, TALLY_MAIL, "read");
    cr_assert(state_set_status(state, &one.key, 1, one.viewer, STATUS_UNREAD, NOW, &err));
    expect_change(other, TALLY_MAIL, "unread");
    cr_assert(state_keep_copy(other, &one.key, one.viewer, span_of("f"), span_of("b"), span_of(""),
                              NOW, NULL, &err));
    expect_change(state, TALLY_MAIL, "copied");
    struct state_undo undo = {
        .key = one.key, .viewer = one.viewer, .mark = &(struct mark){0}, .copies = true};
    cr_assert(state_undo_marks(other, &undo, 1, &err), "%s", err.text);
    expect_change(state, TALLY_MAIL, "dropped");
    cr_assert(outbox_record(other, &entry, 1, NOW, &err), "%s", err.text);
    expect_change(state, TALLY_OUTBOX, "recorded");
    cr_assert(outbox_release(other, entry.number, &err), "%s", err.text);
    expect_change(state, TALLY_OUTBOX, "released");
    cr_assert(state_snooze(other, &one, 1, NOW, &err));
    expect_change(state, TALLY_KEPT, "snoozed");
    one.until_us = TIME_NONE;
    cr_assert(state_snooze(other, &one, 1, NOW, &err));
    expect_change(state, TALLY_KEPT, "woken");
    cr_assert(state_keep(other, span_of("search"), span_of("x"), &err));
    expect_change(state, TALLY_COUNT, "a line");
    state_close(other);
    finish(state);
}

/* Returns how often the file of the state was touched since the last call. */
static int count_touches(int watch)
{
    char buffer[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    int count = 0;

    for (ssize_t got; (got = read(watch, buffer, sizeof buffer)) > 0;)
        for (char *at = buffer; at < buffer + got;) {
            const struct inotify_event *event = (const struct inotify_event *)(void *)at;
            count += event->len && strcmp(event->name, "state.db") == 0;
            at += sizeof *event + event->len;
        }
    return count;
}

/* The kernel reports a write before the new content can be read. */
Test(state_kept, who_watches_is_told_once_a_change_can_be_read)
{
    struct state *state = open_state();
    int watch = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    char path[512];

    snprintf(path, sizeof path, "%s/swarmutt", tmp.path);
    cr_assert(inotify_add_watch(watch, path, IN_ATTRIB) >= 0);
    snooze(state, snooze_id("1", NOW + 50)); /* in a transaction */
    cr_assert_eq(count_touches(watch), 1);
    cr_assert(state_keep(state, span_of("name"), span_of("text"), &err), "%s", err.text);
    cr_assert_eq(count_touches(watch), 1, "and what is a transaction by itself");
    load(state, NOW);
    cr_assert_eq(count_touches(watch), 0, "reading tells nothing");
    close(watch);
    finish(state);
}

/* The database of the second version. */
Test(state_kept, a_database_of_the_second_version_is_brought_up_to_date_with_its_marks)
{
    struct snooze one = snooze_id("1", NOW + 5);
    struct marks marks = {0};
    struct state *state = open_state();

    cr_assert(state_mark_seen(state, &one.key, 1, one.viewer, &err));
    state_close(state);
    go_back_to_version_two();
    state = open_state();
    cr_assert(state_marks(state, one.key.format, one.key.root, one.viewer, &marks, &err));
    cr_assert_eq(marks.count, 1);
    marks_free(&marks);
    cr_assert(state_tally(state, last, &err), "%s", err.text);
    cr_assert(state_set_status(state, &one.key, 1, one.viewer, STATUS_READ, NOW, &err));
    expect_change(state, TALLY_MAIL, "read");
    snooze(state, one);
    load(state, NOW);
    cr_assert_eq(find("1"), NOW + 5);
    finish(state);
}

Test(state_kept, the_next_moment_is_the_first_of_all)
{
    struct state *state = open_state();

    snooze(state, snooze_id("a", NOW + 30));
    snooze(state, snooze_id("b", NOW + 20));
    snooze(state, snooze_id("c", NOW + 40));
    load(state, NOW);
    cr_assert_eq(snoozes_next_us(&snoozes), NOW + 20);
    finish(state);
}

Test(state_kept, areas_that_only_a_newer_version_counts_are_left_out)
{
    int64_t before[TALLY_COUNT], after[TALLY_COUNT];
    struct state *state = open_state();

    cr_assert(state_tally(state, before, &err), "%s", err.text);
    run_outside("INSERT INTO tally VALUES (-1, 7), (3, 7), (4000000000, 7)");
    cr_assert(state_tally(state, after, &err), "%s", err.text);
    cr_assert_arr_eq(before, after, sizeof before);
    state_close(state);
}
