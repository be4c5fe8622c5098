/* Tests opening the local state: the problem of the file is reported, and the file is not
 * changed. */
#include "state_support.h"

#include "store/state/sql.h"

#include <sys/stat.h>

TestSuite(state_open, .init = make_home, .fini = clear_home, .timeout = 120);

static const struct state_key key = {
    .format = "roo", .root = "/srv/mail", .team = {"", 0}, .box = {"bob", 3}, .id = {"msg-1", 5}};

static mode_t mode_of(const char *path)
{
    struct stat st;

    cr_assert_eq(fstatat(tmp.fd, path, &st, 0), 0, "%s", path);
    return st.st_mode & 07777;
}

/* Makes a closed database with content. */
static void fill(void)
{
    struct state *state = open_state();
    struct err err;

    cr_assert(state_mark_seen(state, &key, 1, span_of("ann"), &err), "%s", err.text);
    state_close(state);
}

static void expect_refusal(const char *word)
{
    char path[512];

    snprintf(path, sizeof path, "%s/" DB ": ", tmp.path);
    for (int create = 0; create < 2; create++) {
        struct err err = {0};
        struct state *state = state_open_within(create, 50, &err);
        cr_assert_null(state);
        cr_assert_eq(err.scope, ERR_SOURCE, "%s", err.text);
        cr_assert(strncmp(err.text, path, strlen(path)) == 0, "%s", err.text);
        cr_assert(strstr(err.text, word), "\"%s\" is not in: %s", word, err.text);
    }
}

/* Asserts a refusal that leaves the file byte for byte as before. */
static void expect_untouched(const char *word)
{
    struct str before = tmp_read(&tmp, DB);

    expect_refusal(word);
    struct str after = tmp_read(&tmp, DB);
    cr_assert(span_eq(str_span(&before), str_span(&after)));
    str_free(&before);
    str_free(&after);
}

Test(state_open, without_a_database_there_is_nothing_and_none_is_made)
{
    struct err err = {0};

    cr_assert_null(state_open(false, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
    cr_assert_not(tmp_exists(&tmp, DB));
}

Test(state_open, where_no_directory_can_be_made_there_is_nothing_to_read)
{
    struct err err = {0};

    setenv("XDG_STATE_HOME", "/proc/none", 1);
    cr_assert_null(state_open(false, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
    cr_assert_null(state_open(true, &err));
    cr_assert_eq(err.scope, ERR_SOURCE, "%s", err.text);
    unsetenv("XDG_STATE_HOME");
    unsetenv("HOME");
    cr_assert_null(state_open(false, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
    cr_assert_null(state_open(true, &err));
    cr_assert_eq(err.scope, ERR_SOURCE, "%s", err.text);
}

Test(state_open, an_empty_file_is_no_database_yet)
{
    struct err err = {0};

    tmp_write(&tmp, DB, span_of(""));
    cr_assert_null(state_open(false, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
    fill();
    struct state *state = state_open(false, &err);
    cr_assert_not_null(state, "%s", err.text);
    state_close(state);
}

Test(state_open, only_its_owner_may_read_any_of_its_files_whatever_the_umask)
{
    umask(0);
    struct state *state = open_state();
    struct outbox_entry entry = {.created_us = 1};
    struct err err;

    cr_assert(outbox_record(state, &entry, 1, 1, &err), "%s", err.text);
    cr_assert_eq(mode_of(DB), 0600);
    cr_assert_eq(mode_of(DB "-wal"), 0600);
    cr_assert_eq(mode_of(DB "-shm"), 0600);
    cr_assert_eq(mode_of("swarmutt/state.lock"), 0600);
    state_close(state);
    cr_assert_eq(fchmodat(tmp.fd, DB, 0644, 0), 0);
    state_close(open_state());
    cr_assert_eq(mode_of(DB), 0600);
}

Test(state_open, what_is_no_database_is_refused_and_left_alone)
{
    struct str text = {0};

    str_pad(&text, 'x', 10000);
    tmp_write(&tmp, DB, str_span(&text));
    expect_untouched("damaged");
    tmp_write(&tmp, DB, span_of("x"));
    expect_untouched("damaged");
    str_free(&text);
}

Test(state_open, a_database_that_was_cut_is_refused_and_left_alone)
{
    static const size_t lengths[] = {1, 15, 16, 50, 99, 100, 1000, 4096, 5000, 8192};

    fill();
    struct str whole = tmp_read(&tmp, DB);
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        cr_assert(lengths[i] < whole.len);
        tmp_write(&tmp, DB, (struct span){whole.at, lengths[i]});
        expect_untouched("damaged");
    }
    str_free(&whole);
}

/* Returns the offset of the root page of a table in the closed database. */
static size_t offset_of(const char *table)
{
    sqlite3 *db = open_outside();
    char sql[100];

    snprintf(sql, sizeof sql, "SELECT rootpage FROM sqlite_schema WHERE name = '%s'", table);
    int page = read_number(db, sql), size = read_number(db, "PRAGMA page_size");
    sqlite3_close(db);
    return (size_t)(page - 1) * (size_t)size;
}

Test(state_open, damage_inside_is_told_when_it_is_met)
{
    struct marks marks = {0};
    struct err err = {0};

    fill();
    size_t at = offset_of("mark");
    struct str bytes = tmp_read(&tmp, DB);
    memset(bytes.at + at, 0xff, 4096);
    tmp_write(&tmp, DB, str_span(&bytes));
    struct state *state = open_state();
    cr_assert_not(state_marks(state, key.format, key.root, span_of("ann"), &marks, &err));
    cr_assert_eq(err.scope, ERR_SOURCE);
    cr_assert(strstr(err.text, "damaged") && strstr(err.text, DB), "%s", err.text);
    cr_assert_not(state_mark_seen(state, &key, 1, span_of("bob"), &err));
    cr_assert(strstr(err.text, "damaged"), "%s", err.text);
    marks_free(&marks);
    state_close(state);
    struct str after = tmp_read(&tmp, DB);
    cr_assert(span_eq(str_span(&bytes), str_span(&after)));
    str_free(&after);
    str_free(&bytes);
}

Test(state_open, a_newer_database_is_refused_and_left_alone)
{
    fill();
    run_outside("PRAGMA user_version = 6");
    expect_untouched("version 6");
    run_outside("PRAGMA user_version = -1");
    expect_untouched("version -1");
}

Test(state_open, a_database_of_another_program_is_refused_and_left_alone)
{
    tmp_write(&tmp, DB, span_of(""));
    run_outside("CREATE TABLE song (name TEXT)");
    cr_assert_eq(fchmodat(tmp.fd, DB, 0600, 0), 0);
    expect_untouched("not one of swarmutt");
}

Test(state_open, a_directory_in_its_place_is_refused)
{
    tmp_write(&tmp, DB "/file", span_of("x"));
    expect_refusal("no file");
    cr_assert_eq(tmp_count(&tmp, DB), 1);
}

/* Drops root, so that file modes apply to us. */
static void become_nobody(void)
{
    cr_assert_eq(chmod(tmp.path, 0755), 0);
    if (geteuid() == 0 && seteuid(65534) < 0)
        skip_here(clear_home, "root cannot become somebody else here");
}

Test(state_open, a_directory_that_may_not_be_written_is_told)
{
    struct err err = {0};

    tmp_write(&tmp, "swarmutt/other", span_of(""));
    cr_assert_eq(fchmodat(tmp.fd, "swarmutt", 0555, 0), 0);
    become_nobody();
    cr_assert_null(state_open(true, &err));
    cr_assert_eq(err.scope, ERR_SOURCE);
    cr_assert(strstr(err.text, DB ": it cannot be made: "), "%s", err.text);
    cr_assert_null(state_open(false, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
}

Test(state_open, a_database_in_a_directory_that_may_not_be_written_is_told)
{
    fill();
    cr_assert_eq(fchmodat(tmp.fd, "swarmutt", 0555, 0), 0);
    become_nobody();
    expect_refusal("its directory cannot be written");
}

Test(state_open, a_database_of_somebody_else_is_told)
{
    if (getuid() != 0)
        skip_here(clear_home, "there is nobody else");
    fill();
    cr_assert_eq(fchmodat(tmp.fd, "swarmutt", 0777, 0), 0);
    become_nobody();
    expect_refusal("see who owns it");
    cr_assert_eq(seteuid(0), 0);
    cr_assert_eq(fchmodat(tmp.fd, DB, 0644, 0), 0);
    become_nobody();
    expect_refusal("see who owns it");
}

Test(state_open, a_locked_database_is_told_after_the_time_to_wait)
{
    fill();
    sqlite3 *other = open_outside();
    run_sql(other, "PRAGMA journal_mode = DELETE");
    run_sql(other, "BEGIN EXCLUSIVE");
    expect_untouched("another program has kept it locked for 0.05 seconds");
    run_sql(other, "COMMIT");
    state_close(open_state());
    sqlite3_close(other);
}

Test(state_open, a_lock_while_it_is_open_stops_writing_and_not_reading)
{
    struct marks marks = {0};
    struct err err = {0};
    struct state *state = open_state();
    sqlite3 *other = open_outside();

    run_sql(other, "BEGIN EXCLUSIVE");
    cr_assert_not(state_mark_seen(state, &key, 1, span_of("ann"), &err));
    cr_assert_eq(err.scope, ERR_SOURCE);
    cr_assert(strstr(err.text, "locked"), "%s", err.text);
    cr_assert(state_marks(state, key.format, key.root, span_of("ann"), &marks, &err), "%s",
              err.text);
    cr_assert_eq(marks.count, 0);
    run_sql(other, "COMMIT");
    cr_assert(state_mark_seen(state, &key, 1, span_of("ann"), &err), "%s", err.text);
    marks_free(&marks);
    sqlite3_close(other);
    state_close(state);
}

Test(state_open, a_database_of_this_version_has_a_write_ahead_log)
{
    fill();
    sqlite3 *other = open_outside();
    cr_assert_eq(read_number(other, "SELECT journal_mode = 'wal' FROM pragma_journal_mode"), 1);
    cr_assert_eq(read_number(other, "PRAGMA user_version"), 5);
    sqlite3_close(other);
}

enum { CHILDREN = 8, ROUNDS = 20 };

static bool mark_some(int number)
{
    struct err err;
    struct state *state = state_open_within(true, PATIENCE_MS, &err);
    char id[32];
    bool ok = state != NULL;

    for (int i = 0; ok && i < ROUNDS; i++) {
        struct state_key one = key;
        snprintf(id, sizeof id, "%d/%d", number, i);
        one.id = span_of(id);
        ok = state_mark_seen(state, &one, 1, span_of("ann"), &err);
    }
    if (!ok)
        fprintf(stderr, "%s\n", err.text);
    state_close(state);
    return ok;
}

Test(state_open, processes_that_make_it_at_the_same_moment_all_use_the_same_one)
{
    struct marks marks = {0};
    struct err err;
    pid_t pids[CHILDREN];

    for (int i = 0; i < CHILDREN; i++)
        pids[i] = start(mark_some, i);
    for (int i = 0; i < CHILDREN; i++)
        expect_success(pids[i]);
    struct state *state = open_state();
    cr_assert(state_marks(state, key.format, key.root, span_of("ann"), &marks, &err));
    cr_assert_eq(marks.count, CHILDREN * ROUNDS);
    marks_free(&marks);
    state_close(state);
}

Test(state_open, a_step_that_cannot_be_made_leaves_the_version_and_says_why)
{
    struct err err;

    state_close(open_state());
    go_back_to_version_two();
    run_outside("CREATE TABLE kept (other)");
    cr_assert_null(state_open_within(true, 50, &err));
    cr_assert(strstr(err.text, "kept"), "%s", err.text);
    run_outside("DROP TABLE kept");
    state_close(open_state());
}

Test(state_open, while_another_program_has_it_no_step_is_made)
{
    struct err err;

    state_close(open_state());
    go_back_to_version_two();
    sqlite3 *outside = open_outside();
    run_sql(outside, "BEGIN IMMEDIATE");
    cr_assert_null(state_open_within(true, 50, &err));
    cr_assert(strstr(err.text, "has kept it locked"), "%s", err.text);
    sqlite3_close(outside);
    state_close(open_state());
}

/* With the journal that every file system supports, only EXTRA syncs at the commit. */
Test(state_open, without_its_log_no_change_is_relaxed)
{
    struct state *state = open_state();
    sqlite3_stmt *asked;

    for (int relaxed = 1; relaxed >= 0; relaxed--) {
        cr_assert_eq(sqlite3_exec(state->db, "PRAGMA journal_mode = DELETE", NULL, NULL, NULL),
                     SQLITE_OK);
        state_relax(state, relaxed);
        cr_assert_eq(sqlite3_prepare_v2(state->db, "PRAGMA synchronous", -1, &asked, NULL),
                     SQLITE_OK);
        cr_assert_eq(sqlite3_step(asked), SQLITE_ROW);
        cr_assert_eq(sqlite3_column_int(asked, 0), 3);
        sqlite3_finalize(asked);
    }
    state_close(state);
}
