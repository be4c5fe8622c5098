/* Small parts of the local state: snoozes, saved lines and change counts. */
#include "store/state/snooze_history.h"

#include "base/mem.h"
#include "base/time.h"
#include "store/state/sql.h"

#include <stdlib.h>

static bool put_snoozes(struct state *state, const struct snooze *snoozes, size_t count, bool ends,
                        const char *sql, struct err *err)
{
    CLEANUP(str_free) struct str id = {0};
    struct statement statement;

    sql_open(&statement, state, sql);
    for (size_t i = 0; i < count; i++) {
        if ((snoozes[i].until_us == TIME_NONE) != ends)
            continue;
        struct state_key key = snoozes[i].key;
        key.id = state_mark_id(&snoozes[i].key, &id);
        sql_key(&statement, &key);
        sql_bytes(&statement, snoozes[i].viewer);
        if (!ends)
            sql_int(&statement, snoozes[i].until_us);
        sql_run(&statement);
    }
    return sql_close(&statement, err);
}

static bool forget_past(struct state *state, int64_t now_us, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state, "DELETE FROM snooze WHERE until_us <= ?");
    sql_int(&statement, now_us);
    sql_run(&statement);
    return sql_close(&statement, err);
}

bool state_snooze(struct state *state, const struct snooze *snoozes, size_t count, int64_t now_us,
                  struct err *err)
{
    if (!state_begin(state, err))
        return false;
    bool ok = put_snoozes(state, snoozes, count, false,
                          "INSERT INTO snooze (format, root, team, box, id, viewer, until_us)"
                          " VALUES (?, ?, ?, ?, ?, ?, ?)"
                          " ON CONFLICT DO UPDATE SET until_us = excluded.until_us",
                          err) &&
              put_snoozes(state, snoozes, count, true, "DELETE FROM snooze" SQL_WHERE_KEY, err) &&
              forget_past(state, now_us, err);
    return state_end(state, ok, err);
}

enum { KEY_PARTS = 6 };

bool state_snoozes(struct state *state, int64_t now_us, struct snoozes *out, struct err *err)
{
    CLEANUP(str_free) struct str key = {0};
    struct statement statement;
    bool fresh;

    snoozes_free(out);
    sql_open(&statement, state,
             "SELECT format, root, team, box, id, viewer, until_us FROM snooze"
             " WHERE until_us > ?");
    sql_int(&statement, now_us);
    while (sql_row(&statement)) {
        struct span parts[KEY_PARTS];
        for (int i = 0; i < KEY_PARTS; i++)
            parts[i] = sql_get(&statement, i);
        str_clear(&key);
        state_add_key(&key, parts, KEY_PARTS);
        *map_put_copy(&out->map, &out->arena, str_span(&key), &fresh) = (uint32_t)out->count;
        *mem_push(out->until_us, out->count, out->cap) = sql_get_int(&statement, KEY_PARTS);
    }
    return sql_close(&statement, err);
}

int64_t snoozes_find(const struct snoozes *snoozes, const struct state_key *key, struct span viewer)
{
    CLEANUP(str_free) struct str text = {0}, id = {0};

    if (!snoozes->count) /* the common case */
        return TIME_NONE;
    const struct span parts[KEY_PARTS] = {span_of(key->format),
                                          span_of(key->root),
                                          key->team,
                                          key->box,
                                          state_mark_id(key, &id),
                                          viewer};
    state_add_key(&text, parts, KEY_PARTS);
    const uint32_t *index = map_get(&snoozes->map, str_span(&text));
    return index ? snoozes->until_us[*index] : TIME_NONE;
}

int64_t snoozes_next_us(const struct snoozes *snoozes)
{
    int64_t next_us = TIME_NONE;

    for (size_t i = 0; i < snoozes->count; i++)
        time_min(&next_us, snoozes->until_us[i]);
    return next_us;
}

void snoozes_free(struct snoozes *snoozes)
{
    arena_free(&snoozes->arena);
    map_free(&snoozes->map);
    free(snoozes->until_us);
    *snoozes = (struct snoozes){0};
}

bool state_keep(struct state *state, struct span name, struct span text, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state,
             "INSERT INTO kept (name, text) VALUES (?, ?)"
             " ON CONFLICT DO UPDATE SET text = excluded.text");
    sql_bytes(&statement, name);
    sql_bytes(&statement, text);
    sql_run(&statement);
    return sql_close(&statement, err);
}

bool state_kept(struct state *state, struct span name, struct str *text, struct err *err)
{
    struct statement statement;

    str_clear(text);
    sql_open(&statement, state, "SELECT text FROM kept WHERE name = ?");
    sql_bytes(&statement, name);
    while (sql_row(&statement))
        str_add_span(text, sql_get(&statement, 0));
    return sql_close(&statement, err);
}

bool state_tally(struct state *state, int64_t tally[TALLY_COUNT], struct err *err)
{
    struct statement statement;

    sql_open(&statement, state, "SELECT area, count FROM tally");
    while (sql_row(&statement)) {
        int64_t area = sql_get_int(&statement, 0);
        if (area >= 0 && area < TALLY_COUNT)
            tally[area] = sql_get_int(&statement, 1);
    }
    return sql_close(&statement, err);
}
