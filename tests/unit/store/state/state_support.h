/* Shared by the tests of the local state: a home directory, and access to the database from
 * outside. */
#ifndef TESTS_UNIT_STORE_STATE_STATE_SUPPORT_H
#define TESTS_UNIT_STORE_STATE_STATE_SUPPORT_H

#include "tests/unit/support.h"

#include "store/state/state.h"

#include <errno.h>
#include <signal.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define DB "swarmutt/state.db"

/* For processes that really compete: no disk is this slow. */
enum { PATIENCE_MS = 100000 };

static struct tmp tmp;

static inline void make_home(void)
{
    tmp_make(&tmp);
    setenv("XDG_STATE_HOME", tmp.path, 1);
}

static inline void clear_home(void)
{
    if (getuid() == 0 && seteuid(0) < 0)
        cr_log_warn("files are left behind");
    if (fchmodat(tmp.fd, "swarmutt", 0700, 0) < 0 &&
        errno != ENOENT) /* a test may have made it unreadable */
        cr_log_warn("files are left behind");
    tmp_remove(&tmp);
}

static inline struct state *open_state(void)
{
    struct err err;
    struct state *state = state_open_within(true, 50, &err);

    cr_assert_not_null(state, "%s", err.text);
    return state;
}

/* Opens the database as another program. */
static inline sqlite3 *open_outside(void)
{
    char path[512];
    sqlite3 *db;

    snprintf(path, sizeof path, "%s/" DB, tmp.path);
    cr_assert_eq(sqlite3_open(path, &db), SQLITE_OK);
    return db;
}

static inline void run_sql(sqlite3 *db, const char *sql)
{
    cr_assert_eq(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK, "%s: %s", sql,
                 sqlite3_errmsg(db));
}

static inline void run_outside(const char *sql)
{
    sqlite3 *db = open_outside();

    run_sql(db, sql);
    sqlite3_close(db);
}

static inline int read_number(sqlite3 *db, const char *sql)
{
    sqlite3_stmt *stmt;

    cr_assert_eq(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
    cr_assert_eq(sqlite3_step(stmt), SQLITE_ROW);
    int number = sqlite3_column_int(stmt, 0);
    sqlite3_finalize(stmt);
    return number;
}

/* Turns the closed database into one of the third version. */
static inline void go_back_to_version_three(void)
{
    run_outside("ALTER TABLE outbox DROP COLUMN before_count;"
                "ALTER TABLE outbox DROP COLUMN before_unread;"
                "ALTER TABLE outbox DROP COLUMN before_sum;"
                "ALTER TABLE outbox DROP COLUMN before_newer;"
                "ALTER TABLE sent DROP COLUMN fate; ALTER TABLE sent DROP COLUMN fate_us;"
                "ALTER TABLE mark DROP COLUMN answered; ALTER TABLE mark DROP COLUMN answer;"
                "DROP TABLE source; DROP TABLE answer;"
                "PRAGMA user_version = 3");
}

/* Turns the closed database into one of the second version. */
static inline void go_back_to_version_two(void)
{
    static const char *const tables[] = {"mark", "copy", "outbox"};
    static const char *const events[] = {"insert", "update", "delete"};
    char sql[80];

    go_back_to_version_three();
    for (int i = 0; i < 9; i++) {
        snprintf(sql, sizeof sql, "DROP TRIGGER %s_%s", tables[i / 3], events[i % 3]);
        run_outside(sql);
    }
    run_outside("DROP TABLE draft; DROP TABLE snooze; DROP TABLE kept; DROP TABLE tally;"
                "PRAGMA user_version = 2");
}

/* Starts a child process that does one thing and does not outlive the test; it must not use what
 * the test has opened. */
static inline pid_t start(bool (*work)(int number), int number)
{
    pid_t parent = getpid(), pid = fork();

    cr_assert(pid >= 0);
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(getppid() == parent && work(number) ? 0 : 1);
    }
    return pid;
}

static inline void expect_success(pid_t pid)
{
    int status;

    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert(WIFEXITED(status) && WEXITSTATUS(status) == 0, "status %x", (unsigned)status);
}

#endif
