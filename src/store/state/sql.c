/* Statements for the parts of the local state. */
#include "store/state/sql.h"

#include "base/file/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

/* Returns the errno of the last failed system call on one of the database's files; 0 if none
 * failed. */
static int file_errno(sqlite3 *db, int of_file)
{
    sqlite3_file *file = NULL;
    int problem = 0;

    if (sqlite3_file_control(db, "main", of_file, &file) == SQLITE_OK && file && file->pMethods)
        file->pMethods->xFileControl(file, SQLITE_FCNTL_LAST_ERRNO, &problem);
    return problem;
}

/* Returns the errno of reading one of the journals: SQLite closes them before it can be asked.
 * Never opens the database itself, since closing that would give up our locks on it. */
static int journal_errno(const struct state *state)
{
    static const char *const ends[] = {"-journal", "-wal"};
    char block[4096];
    int problem = 0;

    for (size_t i = 0; !problem && i < sizeof ends / sizeof *ends; i++) {
        CLEANUP(str_free) struct str name = {0};
        str_addf(&name, "%s%s", str_c(&state->path), ends[i]);
        int fd = retry_open(AT_FDCWD, str_c(&name), O_RDONLY | O_NOFOLLOW | O_CLOEXEC, 0);
        int64_t at = 0;
        while (fd >= 0 && file_read_at(fd, block, sizeof block, at) == sizeof block)
            at += sizeof block;
        if (fd >= 0) {
            problem = errno;
            close(fd);
        }
    }
    return problem;
}

/* Returns the errno of a failed system call, or 0. SQLite knows it, and may report what it could
 * not read as damaged. */
static int reason_of(const struct state *state, int rc)
{
    sqlite3 *db = state->db;
    int of_database = file_errno(db, SQLITE_FCNTL_FILE_POINTER);
    int of_journal = file_errno(db, SQLITE_FCNTL_JOURNAL_POINTER);
    int problem = of_database ? of_database : of_journal;

    switch (rc & 0xff) {
    case SQLITE_CORRUPT:
        problem = problem ? problem : journal_errno(state);
        return problem == EIO || problem == ENXIO ? problem : 0;
    case SQLITE_IOERR:
    case SQLITE_CANTOPEN:
        return sqlite3_system_errno(db) ? sqlite3_system_errno(db) : problem;
    default:
        return 0;
    }
}

bool state_fail(const struct state *state, int rc, const char *detail, struct err *err)
{
    const char *path = str_c(&state->path);
    int reason = state->db ? reason_of(state, rc) : 0;

    rc = reason && (rc & 0xff) == SQLITE_CORRUPT ? SQLITE_IOERR_READ : rc;
    detail = reason ? strerror(reason) : detail;
    switch (rc & 0xff) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return err_set(err, ERR_SOURCE,
                       "%s: another program has kept it locked for %g seconds; nothing was "
                       "changed, try again when that program is done",
                       path, state->busy_ms / 1000.0);
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return err_set(err, ERR_SOURCE,
                       "%s: it is damaged (%s); put a good copy in its place, or move it away to "
                       "begin with an empty one",
                       path, detail);
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM:
        return err_set(
            err, ERR_SOURCE,
            "%s: it cannot be opened for writing (%s); see who owns it and its directory", path,
            detail);
    case SQLITE_FULL:
        return err_set(err, ERR_SOURCE,
                       "%s: the disk is full; nothing was changed, make room and try again", path);
    case SQLITE_IOERR:
        if (rc == SQLITE_IOERR_FSYNC || rc == SQLITE_IOERR_DIR_FSYNC) /* readers see the change */
            return err_set(err, ERR_UNCONFIRMED,
                           "%s: it was changed, but may not be on disk (%s); see to its disk", path,
                           detail);
        return err_set(err, ERR_SOURCE, "%s: reading or writing failed (%s); see to its disk", path,
                       detail);
    default:
        return err_set(
            err, ERR_SOURCE,
            "%s: it cannot be used (%s); try again, and if that does not help move it away", path,
            detail);
    }
}

static void note_result(struct statement *statement, int rc)
{
    if (rc == SQLITE_OK || statement->rc != SQLITE_OK)
        return;
    statement->rc = rc;
    snprintf(statement->problem, sizeof statement->problem, "%s",
             sqlite3_errmsg(statement->state->db));
}

void sql_open(struct statement *statement, struct state *state, const char *sql)
{
    *statement = (struct statement){.state = state, .rc = SQLITE_OK};
    note_result(statement, sqlite3_prepare_v2(state->db, sql, -1, &statement->stmt, NULL));
}

void sql_bytes(struct statement *statement, struct span bytes)
{
    if (statement->rc == SQLITE_OK) /* a null pointer would become NULL, which equals nothing */
        note_result(statement,
                    sqlite3_bind_blob64(statement->stmt, ++statement->bound,
                                        bytes.at ? bytes.at : "", bytes.len, SQLITE_STATIC));
}

void sql_int(struct statement *statement, int64_t value)
{
    if (statement->rc == SQLITE_OK)
        note_result(statement, sqlite3_bind_int64(statement->stmt, ++statement->bound, value));
}

void sql_key(struct statement *statement, const struct state_key *key)
{
    sql_bytes(statement, span_of(key->format));
    sql_bytes(statement, span_of(key->root));
    sql_bytes(statement, key->team);
    sql_bytes(statement, key->box);
    sql_bytes(statement, key->id);
}

bool sql_row(struct statement *statement)
{
    if (statement->rc != SQLITE_OK)
        return false;
    int rc = sqlite3_step(statement->stmt);
    if (rc == SQLITE_ROW)
        return true;
    if (rc != SQLITE_DONE)
        note_result(statement, rc);
    sqlite3_reset(statement->stmt);
    statement->bound = 0;
    return false;
}

void sql_run(struct statement *statement)
{
    while (sql_row(statement))
        ;
}

/* Touches the database after a change was committed. The kernel notifies watchers when a change is
 * written, which is long before it is on disk and readable; the touch makes them check again. */
static void touch_database(struct state *state)
{
    int changes = sqlite3_total_changes(state->db);

    if (changes == state->told || !sqlite3_get_autocommit(state->db))
        return;
    state->told = changes;
    utimensat(AT_FDCWD, str_c(&state->path), NULL, 0);
}

bool sql_close(struct statement *statement, struct err *err)
{
    sqlite3_finalize(statement->stmt);
    statement->stmt = NULL;
    touch_database(statement->state);
    return statement->rc == SQLITE_OK ||
           state_fail(statement->state, statement->rc, statement->problem, err);
}

struct span sql_get(struct statement *statement, int column)
{
    const char *at = sqlite3_column_blob(statement->stmt, column);
    size_t len = (size_t)sqlite3_column_bytes(statement->stmt, column);

    return (struct span){at ? at : "", at ? len : 0};
}

int64_t sql_get_int(struct statement *statement, int column)
{
    return sqlite3_column_int64(statement->stmt, column);
}

struct span state_mark_id(const struct state_key *key, struct str *scratch)
{
    if (!key->content)
        return key->id;
    str_clear(scratch);
    str_add_span(scratch, key->id);
    str_putc(scratch, '~');
    for (int shift = 28; shift >= 0; shift -= 4)
        str_putc(scratch, "0123456789abcdef"[key->content >> shift & 15]);
    return str_span(scratch);
}

void state_add_key(struct str *out, const struct span *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        str_add(out, (const char *)&parts[i].len, sizeof parts[i].len);
        str_add_span(out, parts[i]);
    }
}

static bool run_sql(struct state *state, const char *sql, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state, sql);
    sql_run(&statement);
    return sql_close(&statement, err);
}

bool state_begin(struct state *state, struct err *err)
{
    return run_sql(state, "BEGIN IMMEDIATE", err);
}

bool state_end(struct state *state, bool ok, struct err *err)
{
    ok = ok && run_sql(state, "COMMIT", err);
    if (!ok && !sqlite3_get_autocommit(state->db)) /* some failures have rolled back already */
        run_sql(state, "ROLLBACK", NULL);
    return ok;
}
