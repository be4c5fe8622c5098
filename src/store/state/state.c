/* Local state: opening the database, and the schema with its history. */
#include "store/state/state.h"

#include "base/file/file.h"
#include "base/mem.h"
#include "store/source/our_paths.h"
#include "store/state/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Counts every change to a table, by any process, so that a watcher of the state knows which area
 * to read again; the areas are those of enum state_counter. */
#define COUNT(table, event, area)                                                                  \
    "CREATE TRIGGER " table "_" event " AFTER " event " ON " table                                 \
    " BEGIN UPDATE tally SET count = count + 1 WHERE area = " area "; END;"
#define COUNT_ALL(table, area)                                                                     \
    COUNT(table, "insert", area) COUNT(table, "update", area) COUNT(table, "delete", area)

/* Texts are blobs: compared exactly, and whole with any byte in them. Step n migrates from version
 * n to n + 1 and is never changed once released. */
static const char *const steps[] = {
    "CREATE TABLE mark ("
    " format BLOB NOT NULL, root BLOB NOT NULL, team BLOB NOT NULL, box BLOB NOT NULL,"
    " id BLOB NOT NULL, viewer BLOB NOT NULL,"
    " seen INTEGER NOT NULL DEFAULT 0, status BLOB, changed_us INTEGER,"
    " PRIMARY KEY (format, root, viewer, team, box, id)) WITHOUT ROWID;"
    "CREATE TABLE copy ("
    " number INTEGER PRIMARY KEY AUTOINCREMENT,"
    " format BLOB NOT NULL, root BLOB NOT NULL, team BLOB NOT NULL, box BLOB NOT NULL,"
    " id BLOB NOT NULL, viewer BLOB NOT NULL, name BLOB NOT NULL, note BLOB NOT NULL,"
    " kept_us INTEGER NOT NULL, bytes BLOB NOT NULL);"
    "CREATE INDEX copy_key ON copy (format, root, team, box, id);"
    "CREATE TABLE outbox ("
    " number INTEGER PRIMARY KEY AUTOINCREMENT,"
    " format BLOB NOT NULL, root BLOB NOT NULL, team BLOB NOT NULL, box BLOB NOT NULL,"
    " id BLOB NOT NULL, uuid BLOB NOT NULL, sender BLOB NOT NULL, recipient BLOB NOT NULL,"
    " subject BLOB NOT NULL, name BLOB NOT NULL, problem BLOB NOT NULL,"
    " created_us INTEGER NOT NULL, due_us INTEGER NOT NULL, state INTEGER NOT NULL,"
    " attempts INTEGER NOT NULL,"
    " holder INTEGER NOT NULL, lease_us INTEGER NOT NULL, bytes BLOB NOT NULL);"
    "PRAGMA user_version = 1",
    "CREATE TABLE sent ("
    " number INTEGER PRIMARY KEY AUTOINCREMENT,"
    " format BLOB NOT NULL, root BLOB NOT NULL, team BLOB NOT NULL, box BLOB NOT NULL,"
    " id BLOB NOT NULL, sender BLOB NOT NULL, recipient BLOB NOT NULL, subject BLOB NOT NULL,"
    " mailing BLOB NOT NULL, created_us INTEGER NOT NULL, delivered_us INTEGER NOT NULL);"
    "CREATE UNIQUE INDEX sent_key ON sent (format, root, team, box, id);"
    "CREATE INDEX sent_age ON sent (delivered_us);"
    "ALTER TABLE outbox ADD COLUMN mailing BLOB NOT NULL DEFAULT x'';"
    "PRAGMA user_version = 2",
    "CREATE TABLE draft ("
    " number INTEGER PRIMARY KEY, id BLOB NOT NULL UNIQUE, form BLOB NOT NULL,"
    " format BLOB NOT NULL, root BLOB NOT NULL, recipient BLOB NOT NULL, subject BLOB NOT NULL,"
    " version INTEGER NOT NULL, created_us INTEGER NOT NULL, updated_us INTEGER NOT NULL,"
    " holder INTEGER NOT NULL, pid INTEGER NOT NULL, fields BLOB NOT NULL);"
    "CREATE TABLE snooze ("
    " format BLOB NOT NULL, root BLOB NOT NULL, team BLOB NOT NULL, box BLOB NOT NULL,"
    " id BLOB NOT NULL, viewer BLOB NOT NULL, until_us INTEGER NOT NULL,"
    " PRIMARY KEY (format, root, viewer, team, box, id)) WITHOUT ROWID;"
    "CREATE TABLE kept (name BLOB PRIMARY KEY, text BLOB NOT NULL) WITHOUT ROWID;"
    "CREATE TABLE tally (area INTEGER PRIMARY KEY, count INTEGER NOT NULL);"
    "INSERT INTO tally VALUES (0, 0), (1, 0), (2, 0);" COUNT_ALL("mark", "0") COUNT_ALL("copy", "0")
        COUNT_ALL("outbox", "1") COUNT_ALL("draft", "2")
            COUNT_ALL("snooze", "2") "PRAGMA user_version = 3",
    "CREATE TABLE source ("
    " format BLOB NOT NULL, root BLOB NOT NULL, viewer BLOB NOT NULL,"
    " first_us INTEGER NOT NULL, looked INTEGER NOT NULL DEFAULT 0,"
    " PRIMARY KEY (format, root, viewer)) WITHOUT ROWID;"
    "CREATE TABLE answer ("
    " format BLOB NOT NULL, root BLOB NOT NULL, viewer BLOB NOT NULL, name BLOB NOT NULL,"
    " found_us INTEGER NOT NULL,"
    " PRIMARY KEY (format, root, viewer, name)) WITHOUT ROWID;"
    "PRAGMA user_version = 4",
    "ALTER TABLE outbox ADD COLUMN before_count INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE outbox ADD COLUMN before_unread INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE outbox ADD COLUMN before_sum BLOB NOT NULL DEFAULT x'';"
    "ALTER TABLE outbox ADD COLUMN before_newer BLOB NOT NULL DEFAULT x'';"
    "ALTER TABLE sent ADD COLUMN fate INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE sent ADD COLUMN fate_us INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE mark ADD COLUMN answered INTEGER NOT NULL DEFAULT 0;"
    "ALTER TABLE mark ADD COLUMN answer BLOB NOT NULL DEFAULT x'';"
    "PRAGMA user_version = 5",
};

enum { JOURNAL_PAGES = 200 };
enum { SCHEMA = sizeof steps / sizeof *steps };

static bool pragma(struct state *state, const char *sql, int64_t *value, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state, sql);
    while (sql_row(&statement))
        *value = sql_get_int(&statement, 0);
    return sql_close(&statement, err);
}

static bool read_version(struct state *state, int64_t *version, struct err *err)
{
    if (!pragma(state, "PRAGMA user_version", version, err))
        return false;
    if (*version >= 0 && *version <= SCHEMA)
        return true;
    return err_set(err, ERR_SOURCE,
                   "%s: it has version %lld and this swarmutt knows up to %d; use the newer one "
                   "that made it",
                   str_c(&state->path), (long long)*version, SCHEMA);
}

/* Reads the version again inside the transaction, because another process may migrate at the same
 * time. */
static bool migrate(struct state *state, struct err *err)
{
    int64_t version = 0, tables = 0;

    if (!state_begin(state, err))
        return false;
    bool ok = read_version(state, &version, err) &&
              (version > 0 || pragma(state, "SELECT count(*) FROM sqlite_schema", &tables, err));
    if (ok && tables)
        ok = err_set(err, ERR_SOURCE,
                     "%s: this database is not one of swarmutt; move it out of the way",
                     str_c(&state->path));
    for (; ok && version < SCHEMA; version++) {
        int rc = sqlite3_exec(state->db, steps[version], NULL, NULL, NULL);
        ok = rc == SQLITE_OK || state_fail(state, rc, sqlite3_errmsg(state->db), err);
    }
    return state_end(state, ok, err);
}

static bool prepare_database(struct state *state, struct err *err)
{
    int64_t version = 0, ignored;

    /* Damaged databases, and those of newer versions, are detected before anything is written. */
    if (!read_version(state, &version, err) || (version < SCHEMA && !migrate(state, err)) ||
        !pragma(state,
                "SELECT 1 FROM mark, copy, outbox, sent, draft, snooze, kept, tally, source, answer"
                " LIMIT 0",
                &ignored, err))
        return false;
    /* If the file system refuses WAL, or another process is using the database, the rollback
     * journal stays, which works on every file system; only that one needs more than FULL to be on
     * disk at the commit. */
    pragma(state, "PRAGMA journal_mode = WAL", &ignored, NULL);
    return pragma(state, "PRAGMA synchronous = EXTRA", &ignored, err);
}

static bool is_logged(struct state *state)
{
    struct statement statement;
    bool logged = false;

    sql_open(&statement, state, "PRAGMA journal_mode");
    while (sql_row(&statement))
        logged = span_is(sql_get(&statement, 0), "wal");
    return sql_close(&statement, NULL) && logged;
}

void state_relax(struct state *state, bool relaxed)
{
    int64_t ignored;

    if (relaxed && is_logged(state))
        pragma(state, "PRAGMA synchronous = NORMAL", &ignored, NULL);
    else if (!relaxed)
        pragma(state, "PRAGMA synchronous = EXTRA", &ignored, NULL);
}

static bool make_file(const char *path, const char *dir, struct err *err)
{
    int fd = retry_open(AT_FDCWD, path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);

    if (fd < 0 && errno != EEXIST)
        return err_set(err, ERR_SOURCE, "%s: it cannot be made: %s; see who owns its directory",
                       path, strerror(errno));
    if (fd >= 0)
        close(fd);
    if (!file_open_root(dir, &fd, err))
        return false;
    bool ok = file_sync_dir(fd, err) || err_at(err, dir);
    close(fd);
    return ok;
}

/* Checks the file before SQLite opens it: it must exist, be regular, and be accessible only to us.
 * Never opens an existing file, since closing it would release the locks of another state in this
 * process. */
static bool check_file(const struct state *state, const char *dir, bool create, struct err *err)
{
    const char *path = str_c(&state->path);
    struct stat st;
    bool there = stat(path, &st) == 0;

    if (!there && errno != ENOENT && errno != ENOTDIR)
        return err_set(err, ERR_SOURCE, "%s: it cannot be read: %s; see who owns its directory",
                       path, strerror(errno));
    if (there && !S_ISREG(st.st_mode))
        return err_set(err, ERR_SOURCE,
                       "%s: something that is no file stands in the place of the local state; "
                       "move it away",
                       path);
    if (!create && (!there || !st.st_size))
        return err_set(err, ERR_ABSENT, "%s: there is no local state yet", path);
    if (there && st.st_size == 1) /* which SQLite would treat as an empty file */
        return state_fail(state, SQLITE_NOTADB, sqlite3_errstr(SQLITE_NOTADB), err);
    if (!there && !make_file(path, dir, err))
        return false;
    /* Journals are next to the file, so that without write access to the directory not even reading
     * is safe. */
    if (faccessat(AT_FDCWD, dir, W_OK | X_OK, AT_EACCESS) < 0)
        return err_set(err, ERR_SOURCE, "%s: its directory cannot be written: %s; see who owns it",
                       path, strerror(errno));
    if (there && (st.st_mode & 077) && chmod(path, 0600) < 0)
        return err_set(err, ERR_SOURCE,
                       "%s: others can read it and it cannot be closed to them: %s; see who owns "
                       "it",
                       path, strerror(errno));
    return true;
}

static bool find_dir(struct str *dir, bool create, struct err *err)
{
    struct stat st;

    if (!home_state(dir, create, err)) {
        if (!create) /* if no directory can be made, nothing has been kept either */
            err->scope = ERR_ABSENT;
        return false;
    }
    if (create || stat(str_c(dir), &st) == 0)
        return true;
    if (errno == ENOENT)
        return err_set(err, ERR_ABSENT, "%s: there is no local state yet", str_c(dir));
    return err_set(err, ERR_SOURCE,
                   "%s: it cannot be looked at: %s; see what is in its way, or set XDG_STATE_HOME",
                   str_c(dir), strerror(errno));
}

struct state *state_open_within(bool create, int busy_ms, struct err *err)
{
    struct state *state = mem_zero(1, sizeof *state);
    CLEANUP(str_free) struct str dir = {0};

    state->holders = -1;
    state->busy_ms = busy_ms;
    bool ok = find_dir(&dir, create, err);
    if (ok) {
        str_addf(&state->path, "%s/state.db", str_c(&dir));
        ok = check_file(state, str_c(&dir), create, err);
    }
    if (ok) {
        int rc = sqlite3_open_v2(
            str_c(&state->path), &state->db,
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, NULL);
        if (rc == SQLITE_OK && sqlite3_db_readonly(state->db, "main"))
            rc = SQLITE_READONLY;
        ok = rc == SQLITE_OK || state_fail(state, rc, sqlite3_errstr(rc), err);
    }
    if (ok) {
        /* do not checkpoint the journal at the end of every short command ... */
        sqlite3_db_config(state->db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
        /* ... but keep it short, since the first process to open it reads all of it */
        sqlite3_wal_autocheckpoint(state->db, JOURNAL_PAGES);
        sqlite3_busy_timeout(state->db, busy_ms);
        /* there may be no other directory to write to */
        sqlite3_exec(state->db, "PRAGMA temp_store = MEMORY", NULL, NULL, NULL);
        ok = prepare_database(state, err);
    }
    if (ok)
        return state;
    state_close(state);
    return NULL;
}

struct state *state_open(bool create, struct err *err)
{
    return state_open_within(create, STATE_BUSY_MS, err);
}

bool state_check(struct state *state, struct err *err)
{
    struct statement statement;
    char first[200] = "";

    sql_open(&statement, state, "PRAGMA quick_check(1)");
    while (sql_row(&statement)) {
        struct span line = span_first_line(sql_get(&statement, 0));
        snprintf(first, sizeof first, "%.*s", (int)line.len, line.at);
    }
    return sql_close(&statement, err) &&
           (strcmp(first, "ok") == 0 || state_fail(state, SQLITE_CORRUPT, first, err));
}

void state_close(struct state *state)
{
    if (!state)
        return;
    sqlite3_close(state->db);
    if (state->holders >= 0)
        close(state->holders);
    str_free(&state->path);
    free(state);
}
