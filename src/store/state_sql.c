/* Statements for the parts of the local state. */
#include "store/state_sql.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

bool state_fail(const struct state *state, int rc, const char *detail, struct err *err)
{
    const char *path = str_c(&state->path);

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
        if (rc == SQLITE_IOERR_FSYNC || rc == SQLITE_IOERR_DIR_FSYNC) /* readers find it */
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

static void note(struct query *query, int rc)
{
    if (rc == SQLITE_OK || query->rc != SQLITE_OK)
        return;
    query->rc = rc;
    snprintf(query->problem, sizeof query->problem, "%s", sqlite3_errmsg(query->state->db));
}

void query_open(struct query *query, struct state *state, const char *sql)
{
    *query = (struct query){.state = state, .rc = SQLITE_OK};
    note(query, sqlite3_prepare_v2(state->db, sql, -1, &query->stmt, NULL));
}

void query_bytes(struct query *query, struct span bytes)
{
    if (query->rc == SQLITE_OK) /* a null pointer would become NULL, which equals nothing */
        note(query, sqlite3_bind_blob64(query->stmt, ++query->bound, bytes.at ? bytes.at : "",
                                        bytes.len, SQLITE_STATIC));
}

void query_int(struct query *query, int64_t value)
{
    if (query->rc == SQLITE_OK)
        note(query, sqlite3_bind_int64(query->stmt, ++query->bound, value));
}

void query_key(struct query *query, const struct state_key *key)
{
    query_bytes(query, span_of(key->format));
    query_bytes(query, span_of(key->root));
    query_bytes(query, key->team);
    query_bytes(query, key->box);
    query_bytes(query, key->id);
}

bool query_row(struct query *query)
{
    if (query->rc != SQLITE_OK)
        return false;
    int rc = sqlite3_step(query->stmt);
    if (rc == SQLITE_ROW)
        return true;
    if (rc != SQLITE_DONE)
        note(query, rc);
    sqlite3_reset(query->stmt);
    query->bound = 0;
    return false;
}

void query_run(struct query *query)
{
    while (query_row(query))
        ;
}

/* Whoever watches is told by the kernel when a change is written, which is long before it is on
 * disk and can be read; once it can, the file is touched, so that they look again. */
static void tell(struct state *state)
{
    int changes = sqlite3_total_changes(state->db);

    if (changes == state->told || !sqlite3_get_autocommit(state->db))
        return;
    state->told = changes;
    utimensat(AT_FDCWD, str_c(&state->path), NULL, 0);
}

bool query_close(struct query *query, struct err *err)
{
    sqlite3_finalize(query->stmt);
    query->stmt = NULL;
    tell(query->state);
    return query->rc == SQLITE_OK || state_fail(query->state, query->rc, query->problem, err);
}

struct span query_get(struct query *query, int column)
{
    const char *at = sqlite3_column_blob(query->stmt, column);
    size_t len = (size_t)sqlite3_column_bytes(query->stmt, column);

    return (struct span){at ? at : "", at ? len : 0};
}

int64_t query_get_int(struct query *query, int column)
{
    return sqlite3_column_int64(query->stmt, column);
}

void state_add_key(struct str *out, const struct span *parts, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        str_add(out, (const char *)&parts[i].len, sizeof parts[i].len);
        str_add_span(out, parts[i]);
    }
}

static bool run(struct state *state, const char *sql, struct err *err)
{
    struct query query;

    query_open(&query, state, sql);
    query_run(&query);
    return query_close(&query, err);
}

bool state_begin(struct state *state, struct err *err)
{
    return run(state, "BEGIN IMMEDIATE", err);
}

bool state_end(struct state *state, bool ok, struct err *err)
{
    struct err ignored;

    ok = ok && run(state, "COMMIT", err);
    if (!ok && !sqlite3_get_autocommit(state->db)) /* some failures have rolled back already */
        run(state, "ROLLBACK", &ignored);
    return ok;
}
