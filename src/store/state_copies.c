/* Kept copies: our own archive for layouts that have none. */
#include "base/mem.h"
#include "store/state_sql.h"

#include <stdlib.h>

static void bind_copy(struct query *query, const struct state_key *key, struct span viewer,
                      struct span bytes)
{
    query_key(query, key);
    query_bytes(query, viewer);
    query_bytes(query, bytes);
}

static bool find_copy(struct state *state, const struct state_key *key, struct span viewer,
                      struct span bytes, int64_t *number, struct err *err)
{
    struct query query;

    query_open(&query, state,
               "SELECT number FROM copy WHERE format = ? AND root = ? AND team = ? AND box = ?"
               " AND id = ? AND viewer = ? AND bytes = ?");
    bind_copy(&query, key, viewer, bytes);
    *number = 0;
    while (query_row(&query))
        *number = query_get_int(&query, 0);
    return query_close(&query, err);
}

static bool add_copy(struct state *state, const struct state_key *key, struct span viewer,
                     struct span name, struct span bytes, struct span note, int64_t now_us,
                     int64_t *number, struct err *err)
{
    struct query query;

    query_open(&query, state,
               "INSERT INTO copy (format, root, team, box, id, viewer, bytes, name, note, kept_us)"
               " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    bind_copy(&query, key, viewer, bytes);
    query_bytes(&query, name);
    query_bytes(&query, note);
    query_int(&query, now_us);
    query_run(&query);
    *number = sqlite3_last_insert_rowid(state->db);
    return query_close(&query, err);
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

bool state_copies(struct state *state, const char *format, const char *root, struct copies *out,
                  struct err *err)
{
    struct query query;

    copies_free(out);
    query_open(&query, state,
               "SELECT number, team, box, id, viewer, name, note, kept_us, length(bytes) FROM copy"
               " WHERE format = ? AND root = ? ORDER BY number");
    query_bytes(&query, span_of(format));
    query_bytes(&query, span_of(root));
    while (query_row(&query)) {
        out->items = mem_grow(out->items, &out->cap, out->count + 1, sizeof *out->items);
        out->items[out->count++] = (struct copy){
            .number = query_get_int(&query, 0),
            .team = arena_copy(&out->arena, query_get(&query, 1)),
            .box = arena_copy(&out->arena, query_get(&query, 2)),
            .id = arena_copy(&out->arena, query_get(&query, 3)),
            .viewer = arena_copy(&out->arena, query_get(&query, 4)),
            .name = arena_copy(&out->arena, query_get(&query, 5)),
            .note = arena_copy(&out->arena, query_get(&query, 6)),
            .kept_us = query_get_int(&query, 7),
            .size = (size_t)query_get_int(&query, 8),
        };
    }
    return query_close(&query, err);
}

void copies_free(struct copies *copies)
{
    arena_free(&copies->arena);
    free(copies->items);
    copies->items = NULL;
    copies->count = copies->cap = 0;
}

static bool no_copy(const struct state *state, int64_t number, struct err *err)
{
    return err_set(err, ERR_ABSENT, "%s: there is no copy %lld in it", str_c(&state->path),
                   (long long)number);
}

bool state_copy_bytes(struct state *state, int64_t number, struct str *out, struct err *err)
{
    struct query query;
    bool found = false;

    str_clear(out);
    query_open(&query, state, "SELECT bytes FROM copy WHERE number = ?");
    query_int(&query, number);
    while (query_row(&query)) {
        str_add_span(out, query_get(&query, 0));
        found = true;
    }
    return query_close(&query, err) && (found || no_copy(state, number, err));
}

bool state_drop_copy(struct state *state, int64_t number, struct err *err)
{
    struct query query;

    query_open(&query, state, "DELETE FROM copy WHERE number = ?");
    query_int(&query, number);
    query_run(&query);
    return query_close(&query, err) &&
           (sqlite3_changes(state->db) > 0 || no_copy(state, number, err));
}

static bool drop_copies(struct state *state, const struct state_undo *item, struct err *err)
{
    struct query query;

    query_open(&query, state,
               item->bytes.at
                   ? "DELETE FROM copy WHERE format = ? AND root = ? AND team = ? AND box = ?"
                     " AND id = ? AND viewer = ? AND bytes = ?"
                   : "DELETE FROM copy WHERE format = ? AND root = ? AND team = ? AND box = ?"
                     " AND id = ? AND viewer = ?");
    query_key(&query, &item->key);
    query_bytes(&query, item->viewer);
    if (item->bytes.at)
        query_bytes(&query, item->bytes);
    query_run(&query);
    return query_close(&query, err);
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
