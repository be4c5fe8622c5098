/* Statements for the parts of the local state: bound values in, rows out, one error at the end. */
#ifndef STORE_STATE_SQL_H
#define STORE_STATE_SQL_H

#include "store/state/state.h"

#include <sqlite3.h>

struct state {
    sqlite3 *db;
    struct str path;
    int busy_ms;
    int holders;    /* the file whose locked bytes tell which holders live; -1 until needed */
    int64_t holder; /* our byte in it; 0 until needed */
    int told;       /* of all changes so far, how many those who watch know of */
};

/* One statement. The first failure stays, makes everything after it do nothing, and is told by
 * sql_close(). */
struct statement {
    struct state *state;
    sqlite3_stmt *stmt;
    int bound; /* values so far */
    int rc;
    char problem[200];
};

void sql_open(struct statement *statement, struct state *state, const char *sql);
/* Values are bound in the order of the calls and borrowed until the statement has run. */
void sql_bytes(struct statement *statement, struct span bytes);
void sql_int(struct statement *statement, int64_t value);
/* format, root, team, box and id. */
void sql_key(struct statement *statement, const struct state_key *key);
/* True for each row. False at the end, after which values for another run may be bound. */
bool sql_row(struct statement *statement);
/* Runs it to its end. */
void sql_run(struct statement *statement);
bool sql_close(struct statement *statement, struct err *err);

/* Columns of the present row; the span is borrowed until the next one. */
struct span sql_get(struct statement *statement, int column);
int64_t sql_get_int(struct statement *statement, int column);

/* All between the two happens or none of it. End keeps what was done if `ok`; it returns whether
 * that is so. */
bool state_begin(struct state *state, struct err *err);
bool state_end(struct state *state, bool ok, struct err *err);

/* Makes us someone who can hold things, under state->holder. From then on statements may ask
 * holder_lives(NUMBER), which is true of ourselves too. */
bool state_become_holder(struct state *state, struct err *err);

/* Appends one text that stands for several and for no others: their lengths keep ("a", "bc") apart
 * from ("ab", "c"). */
void state_add_key(struct str *out, const struct span *parts, size_t count);

/* The sentence for a result code of SQLite. Always returns false. */
bool state_fail(const struct state *state, int rc, const char *detail, struct err *err);

#endif
