/* Statements for the parts of the local state: bind values, read rows, report one error at the
 * end. */
#ifndef STORE_STATE_SQL_H
#define STORE_STATE_SQL_H

#include "store/state/state.h"

#include <sqlite3.h>

struct state {
    sqlite3 *db;
    struct str path;
    int busy_ms;
    int holders;    /* the file with the locked bytes of live holders; -1 until needed */
    int64_t holder; /* our byte in it; 0 until needed */
    int told;       /* the count of changes at the last touch_database() */
};

/* One statement. The first failure is kept, turns all later calls into no-ops, and is reported by
 * sql_close(). */
struct statement {
    struct state *state;
    sqlite3_stmt *stmt;
    int bound; /* the number of values bound so far */
    int rc;
    char problem[200];
};

void sql_open(struct statement *statement, struct state *state, const char *sql);
/* Values are bound in the order of the calls and borrowed until the statement has run. */
void sql_bytes(struct statement *statement, struct span bytes);
void sql_int(struct statement *statement, int64_t value);
/* Binds format, root, team, box and id. */
void sql_key(struct statement *statement, const struct state_key *key);
/* The row with the values of sql_key(), and then the viewer. */
#define SQL_WHERE_KEY                                                                              \
    " WHERE format = ? AND root = ? AND team = ? AND box = ? AND id = ? AND viewer = ?"
/* Steps to the next row; true if there is one. False at the end, after which values for another run
 * may be bound. */
bool sql_row(struct statement *statement);
/* Runs the statement to its end. */
void sql_run(struct statement *statement);
bool sql_close(struct statement *statement, struct err *err);

/* Return columns of the present row; the span is borrowed until the next one. */
struct span sql_get(struct statement *statement, int column);
int64_t sql_get_int(struct statement *statement, int column);

/* A transaction: everything between the two calls happens, or nothing does. state_end() commits if
 * `ok`, and returns whether it has. */
bool state_begin(struct state *state, struct err *err);
bool state_end(struct state *state, bool ok, struct err *err);

/* Makes this process a holder with the number state->holder, which can claim rows. From then on
 * statements may call holder_lives(NUMBER), which is true for our own number too. */
bool state_become_holder(struct state *state, struct err *err);

/* Appends one text that encodes several unambiguously: their lengths keep ("a", "bc") apart from
 * ("ab", "c"). */
void state_add_key(struct str *out, const struct span *parts, size_t count);

/* Sets the sentence for a result code of SQLite. Always returns false. */
bool state_fail(const struct state *state, int rc, const char *detail, struct err *err);

#endif
