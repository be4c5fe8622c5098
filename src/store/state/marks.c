/* Marks of viewers, and kept copies: our own archive for layouts that have none. */
#include "base/mem.h"
#include "base/time.h"
#include "store/state/sql.h"

#include <stdlib.h>

/* Marks: a viewer's notes on messages whose layout has no place for them. */

static const char delete_empty[] =
    "DELETE FROM mark" SQL_WHERE_KEY " AND seen = 0 AND status IS NULL AND answered = 0";

/* Runs the statement for each message; it takes the key, the viewer and, if `status` is set, the
 * status with its time. */
static bool run_each(struct state *state, const struct state_key *keys, size_t count,
                     struct span viewer, const char *sql, const char *status, int64_t now_us,
                     struct err *err)
{
    CLEANUP(str_free) struct str id = {0};
    struct statement statement;

    sql_open(&statement, state, sql);
    for (size_t i = 0; i < count; i++) {
        struct state_key key = keys[i];
        key.id = state_mark_id(&keys[i], &id);
        sql_key(&statement, &key);
        sql_bytes(&statement, viewer);
        if (status) {
            sql_bytes(&statement, span_of(status));
            sql_int(&statement, now_us);
        }
        sql_run(&statement);
    }
    return sql_close(&statement, err);
}

/* Like run_each(), for removing marks: also runs for marks that were stored under an id without a
 * content. */
static bool run_forget(struct state *state, const struct state_key *keys, size_t count,
                       struct span viewer, const char *sql, struct err *err)
{
    bool ok = run_each(state, keys, count, viewer, sql, NULL, 0, err);

    for (size_t i = 0; ok && i < count; i++) {
        struct state_key bare = keys[i];
        bare.content = 0;
        ok = !keys[i].content || run_each(state, &bare, 1, viewer, sql, NULL, 0, err);
    }
    return ok;
}

bool state_mark_seen(struct state *state, const struct state_key *keys, size_t count,
                     struct span viewer, struct err *err)
{
    return state_begin(state, err) &&
           state_end(state,
                     run_each(state, keys, count, viewer,
                              "INSERT INTO mark (format, root, team, box, id, viewer, seen)"
                              " VALUES (?, ?, ?, ?, ?, ?, 1)"
                              " ON CONFLICT DO UPDATE SET seen = 1 WHERE seen = 0",
                              NULL, 0, err),
                     err);
}

/* Like state_set_status(), but inside of a transaction. */
static bool state_put_status(struct state *state, const struct state_key *keys, size_t count,
                             struct span viewer, enum status status, int64_t now_us,
                             struct err *err)
{
    if (status == STATUS_UNREAD)
        return run_forget(
                   state, keys, count, viewer,
                   "UPDATE mark SET seen = 0, status = NULL, changed_us = NULL" SQL_WHERE_KEY,
                   err) &&
               run_forget(state, keys, count, viewer, delete_empty, err);
    return run_each(
        state, keys, count, viewer,
        "INSERT INTO mark (format, root, team, box, id, viewer, status, changed_us)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO UPDATE SET status = excluded.status, changed_us = excluded.changed_us",
        status_name(status), now_us, err);
}

bool state_set_status(struct state *state, const struct state_key *keys, size_t count,
                      struct span viewer, enum status status, int64_t now_us, struct err *err)
{
    return state_begin(state, err) &&
           state_end(state, state_put_status(state, keys, count, viewer, status, now_us, err), err);
}

/* Restores the former status of one message, or none, inside of a transaction. */
static bool state_put_mark(struct state *state, const struct state_key *key, struct span viewer,
                           const struct mark *mark, struct err *err)
{
    if (mark->has_status && mark->status != STATUS_UNREAD)
        return state_put_status(state, key, 1, viewer, mark->status, mark->changed_us, err);
    return run_forget(state, key, 1, viewer,
                      "UPDATE mark SET status = NULL, changed_us = NULL" SQL_WHERE_KEY, err) &&
           run_forget(state, key, 1, viewer, delete_empty, err);
}

bool state_mark_answered(struct state *state, const struct state_key *key, struct span viewer,
                         unsigned verdict, struct span answer, struct err *err)
{
    struct state_key marked = *key;
    CLEANUP(str_free) struct str id = {0};
    struct statement statement;

    sql_open(&statement, state,
             "INSERT INTO mark (format, root, team, box, id, viewer, answered, answer)"
             " VALUES (?, ?, ?, ?, ?, ?, ?, ?)"
             " ON CONFLICT DO UPDATE SET answered = excluded.answered, answer = excluded.answer");
    marked.id = state_mark_id(key, &id);
    sql_key(&statement, &marked);
    sql_bytes(&statement, viewer);
    sql_int(&statement, verdict);
    sql_bytes(&statement, answer);
    sql_run(&statement);
    return sql_close(&statement, err);
}

bool state_unmark_answered(struct state *state, const struct outbox_entry *answer, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state,
             "UPDATE mark SET answered = 0, answer = x'' WHERE format = ? AND root = ?"
             " AND team = ? AND answer = ?");
    sql_bytes(&statement, answer->format);
    sql_bytes(&statement, answer->root);
    sql_bytes(&statement, answer->team);
    sql_bytes(&statement, answer->id);
    sql_run(&statement);
    return sql_close(&statement, err);
}

static void add_key(struct str *out, struct span team, struct span box, struct span id)
{
    const struct span parts[] = {team, box, id};

    state_add_key(out, parts, sizeof parts / sizeof *parts);
}

enum { CONTENT_LEN = 9 }; /* of the suffix of an id; see state_mark_id() */

static void add_mark(struct marks *marks, struct statement *statement, struct str *key)
{
    struct span word = sql_get(statement, 4);
    struct mark mark = {.seen = sql_get_int(statement, 3) != 0,
                        .changed_us = TIME_NONE,
                        .answered = (unsigned)sql_get_int(statement, 6) & 3};
    bool fresh;

    if (status_parse(word, &mark.status)) {
        mark.has_status = true;
        mark.changed_us = sql_get_int(statement, 5);
    }
    struct span id = sql_get(statement, 2);
    marks->bare |= id.len <= CONTENT_LEN || id.at[id.len - CONTENT_LEN] != '~';
    str_clear(key);
    add_key(key, sql_get(statement, 0), sql_get(statement, 1), id);
    uint32_t *index = map_put_copy(&marks->map, &marks->arena, str_span(key), &fresh);
    *index = (uint32_t)marks->count;
    *mem_push(marks->items, marks->count, marks->cap) = mark;
}

bool state_marks(struct state *state, const char *format, const char *root, struct span viewer,
                 struct marks *out, struct err *err)
{
    CLEANUP(str_free) struct str key = {0};
    struct statement statement;

    marks_free(out);
    sql_open(&statement, state,
             "SELECT team, box, id, seen, status, changed_us, answered FROM mark"
             " WHERE format = ? AND root = ? AND viewer = ?");
    sql_bytes(&statement, span_of(format));
    sql_bytes(&statement, span_of(root));
    sql_bytes(&statement, viewer);
    while (sql_row(&statement))
        add_mark(out, &statement, &key);
    return sql_close(&statement, err);
}

const struct mark *marks_find(const struct marks *marks, struct span team, struct span box,
                              struct span id)
{
    CLEANUP(str_free) struct str key = {0};

    if (!marks->count)
        return NULL;
    add_key(&key, team, box, id);
    const uint32_t *index = map_get(&marks->map, str_span(&key));
    return index ? &marks->items[*index] : NULL;
}

void marks_free(struct marks *marks)
{
    arena_free(&marks->arena);
    map_free(&marks->map);
    free(marks->items);
    *marks = (struct marks){0};
}

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

    sql_open(&statement, state, "SELECT number FROM copy" SQL_WHERE_KEY " AND bytes = ?");
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
        *mem_push(out->items, out->count, out->cap) = (struct copy){
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

/* Drops only the copies for which is_meant() is true: the others with that id are of other
 * messages. */
static bool drop_meant(struct state *state, const struct state_undo *item, struct err *err)
{
    CLEANUP(mem_free) int64_t *numbers = NULL;
    struct statement statement;
    size_t count = 0, cap = 0;

    sql_open(&statement, state, "SELECT number, bytes FROM copy" SQL_WHERE_KEY);
    sql_key(&statement, &item->key);
    sql_bytes(&statement, item->viewer);
    while (sql_row(&statement)) {
        if (item->is_meant(item->context, sql_get(&statement, 1)))
            *mem_push(numbers, count, cap) = sql_get_int(&statement, 0);
    }
    bool ok = sql_close(&statement, err);
    for (size_t i = 0; ok && i < count; i++)
        ok = drop_copy(state, numbers[i], err);
    return ok;
}

static bool drop_copies(struct state *state, const struct state_undo *item, struct err *err)
{
    struct statement statement;

    if (item->is_meant)
        return drop_meant(state, item, err);
    sql_open(&statement, state,
             item->bytes.at ? "DELETE FROM copy" SQL_WHERE_KEY " AND bytes = ?"
                            : "DELETE FROM copy" SQL_WHERE_KEY);
    sql_key(&statement, &item->key);
    sql_bytes(&statement, item->viewer);
    if (item->bytes.at)
        sql_bytes(&statement, item->bytes);
    sql_run(&statement);
    return sql_close(&statement, err);
}

bool state_undo_marks(struct state *state, const struct state_undo *items, size_t count,
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
