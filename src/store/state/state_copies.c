/* Kept copies: our own archive for layouts that have none. */
#include "base/mem.h"
#include "store/state/state_sql.h"

#include <stdlib.h>

static void bind_copy(struct statement *statement, const struct state_key *key, struct span viewer,
                      struct span bytes)
{
    sql_key(statement, key);
    sql_bytes(statement, viewer);
    sql_bytes(statement, bytes);
}

static bool find_copy(struct state *state, const struct state_key *key, struct span viewer,
                      struct span bytes, int64_t *number, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state,
             "SELECT number FROM copy WHERE format = ? AND root = ? AND team = ? AND box = ?"
             " AND id = ? AND viewer = ? AND bytes = ?");
    bind_copy(&statement, key, viewer, bytes);
    *number = 0;
    while (sql_row(&statement))
        *number = sql_get_int(&statement, 0);
    return sql_close(&statement, err);
}

static bool add_copy(struct state *state, const struct state_key *key, struct span viewer,
                     struct span name, struct span bytes, struct span note, int64_t now_us,
                     int64_t *number, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state,
             "INSERT INTO copy (format, root, team, box, id, viewer, bytes, name, note, kept_us)"
             " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    bind_copy(&statement, key, viewer, bytes);
    sql_bytes(&statement, name);
    sql_bytes(&statement, note);
    sql_int(&statement, now_us);
    sql_run(&statement);
    *number = sqlite3_last_insert_rowid(state->db);
    return sql_close(&statement, err);
}

bool state_keep_copy(struct state *state, const struct state_key *key, struct span viewer,
                     struct span name, struct span bytes, struct span note, int64_t now_us,
                     int64_t *number, struct err *err)
{
    int64_t kept = 0;

    if (!state_begin(state, err))
        return false;
    bool ok = find_copy(state, key, viewer, bytes, &kept, err) &&
              (kept || add_copy(state, key, viewer, name, bytes, note, now_us, &kept, err)) &&
              state_put_status(state, key, 1, viewer, STATUS_ARCHIVED, now_us, err);
    ok = state_end(state, ok, err);
    if (ok && number)
        *number = kept;
    return ok;
}

bool state_has_copy(struct state *state, const struct state_key *key, struct span viewer,
                    struct span bytes, bool *has, struct err *err)
{
    int64_t kept;
    bool ok = find_copy(state, key, viewer, bytes, &kept, err);

    *has = ok && kept;
    return ok;
}

bool state_copies(struct state *state, const char *format, const char *root, struct copies *out,
                  struct err *err)
{
    struct statement statement;

    copies_free(out);
    sql_open(&statement, state,
             "SELECT number, team, box, id, viewer, name, kept_us, length(bytes) FROM copy"
             " WHERE format = ? AND root = ? ORDER BY number");
    sql_bytes(&statement, span_of(format));
    sql_bytes(&statement, span_of(root));
    while (sql_row(&statement)) {
        out->items = mem_grow(out->items, &out->cap, out->count + 1, sizeof *out->items);
        out->items[out->count++] = (struct copy){
            .number = sql_get_int(&statement, 0),
            .team = arena_copy(&out->arena, sql_get(&statement, 1)),
            .box = arena_copy(&out->arena, sql_get(&statement, 2)),
            .id = arena_copy(&out->arena, sql_get(&statement, 3)),
            .viewer = arena_copy(&out->arena, sql_get(&statement, 4)),
            .name = arena_copy(&out->arena, sql_get(&statement, 5)),
            .kept_us = sql_get_int(&statement, 6),
            .size = (size_t)sql_get_int(&statement, 7),
        };
    }
    return sql_close(&statement, err);
}

void copies_free(struct copies *copies)
{
    arena_free(&copies->arena);
    free(copies->items);
    copies->items = NULL;
    copies->count = copies->cap = 0;
}

bool state_copy_bytes(struct state *state, int64_t number, struct str *out, struct err *err)
{
    struct statement statement;
    bool found = false;

    str_clear(out);
    sql_open(&statement, state, "SELECT bytes FROM copy WHERE number = ?");
    sql_int(&statement, number);
    while (sql_row(&statement)) {
        str_add_span(out, sql_get(&statement, 0));
        found = true;
    }
    return sql_close(&statement, err) &&
           (found || err_set(err, ERR_ABSENT, "%s: there is no copy %lld in it",
                             str_c(&state->path), (long long)number));
}

static bool drop_copy(struct state *state, int64_t number, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state, "DELETE FROM copy WHERE number = ?");
    sql_int(&statement, number);
    sql_run(&statement);
    return sql_close(&statement, err);
}

/* Only those that are meant: others of that id are of other messages. */
static bool drop_meant(struct state *state, const struct state_undo *item, struct err *err)
{
    struct statement statement;
    int64_t *numbers = NULL;
    size_t count = 0, cap = 0;

    sql_open(&statement, state,
             "SELECT number, bytes FROM copy WHERE format = ? AND root = ? AND team = ?"
             " AND box = ? AND id = ? AND viewer = ?");
    sql_key(&statement, &item->key);
    sql_bytes(&statement, item->viewer);
    while (sql_row(&statement)) {
        if (!item->is_meant(item->context, sql_get(&statement, 1)))
            continue;
        numbers = mem_grow(numbers, &cap, count + 1, sizeof *numbers);
        numbers[count++] = sql_get_int(&statement, 0);
    }
    bool ok = sql_close(&statement, err);
    for (size_t i = 0; ok && i < count; i++)
        ok = drop_copy(state, numbers[i], err);
    free(numbers);
    return ok;
}

static bool drop_copies(struct state *state, const struct state_undo *item, struct err *err)
{
    struct statement statement;

    if (item->is_meant)
        return drop_meant(state, item, err);
    sql_open(&statement, state,
             item->bytes.at
                 ? "DELETE FROM copy WHERE format = ? AND root = ? AND team = ? AND box = ?"
                   " AND id = ? AND viewer = ? AND bytes = ?"
                 : "DELETE FROM copy WHERE format = ? AND root = ? AND team = ? AND box = ?"
                   " AND id = ? AND viewer = ?");
    sql_key(&statement, &item->key);
    sql_bytes(&statement, item->viewer);
    if (item->bytes.at)
        sql_bytes(&statement, item->bytes);
    sql_run(&statement);
    return sql_close(&statement, err);
}

bool state_take_back(struct state *state, const struct state_undo *items, size_t count,
                     struct err *err)
{
    bool ok = state_begin(state, err);

    if (!ok)
        return false;
    for (size_t i = 0; ok && i < count; i++)
        ok = state_put_mark(state, &items[i].key, items[i].viewer, items[i].mark, err) &&
             (!items[i].copies || drop_copies(state, &items[i], err));
    return state_end(state, ok, err);
}
