/* Answers that were found, in the local state. */
#include "store/state/answers.h"

#include "base/mem.h"
#include "base/time.h"
#include "store/state/sql.h"

#include <stdlib.h>

static void bind_source(struct statement *statement, const struct state_source *source)
{
    sql_bytes(statement, span_of(source->format));
    sql_bytes(statement, span_of(source->root));
    sql_bytes(statement, source->viewer);
}

static bool read_use(struct state *state, const struct state_source *source,
                     struct state_answers *out, struct err *err)
{
    struct statement statement;

    out->first_us = TIME_NONE;
    sql_open(&statement, state,
             "SELECT first_us, looked FROM source WHERE format = ? AND root = ? AND viewer = ?");
    bind_source(&statement, source);
    while (sql_row(&statement)) {
        out->first_us = sql_get_int(&statement, 0);
        out->looked = sql_get_int(&statement, 1);
    }
    return sql_close(&statement, err);
}

static bool add_use(struct state *state, const struct state_source *source, int64_t now_us,
                    struct err *err)
{
    struct statement statement;

    sql_open(&statement, state,
             "INSERT OR IGNORE INTO source (format, root, viewer, first_us) VALUES (?, ?, ?, ?)");
    bind_source(&statement, source);
    sql_int(&statement, now_us);
    sql_run(&statement);
    return sql_close(&statement, err);
}

bool state_note_use(struct state *state, const struct state_source *source, int64_t now_us,
                    struct err *err)
{
    struct state_answers known = {0};

    if (!read_use(state, source, &known, err))
        return false;
    if (known.first_us != TIME_NONE)
        return true;
    state_relax(state, true); /* a note that a power cut loses is made again by the next command */
    bool ok = add_use(state, source, now_us, err);
    state_relax(state, false);
    return ok;
}

void state_answer_key(struct str *out, struct span team, struct span request, struct span answer)
{
    const struct span parts[] = {team, request, answer};

    state_add_key(out, parts, sizeof parts / sizeof *parts);
}

bool state_answers(struct state *state, const struct state_source *source,
                   struct state_answers *out, struct err *err)
{
    struct statement statement;
    bool fresh;

    state_answers_free(out);
    if (!read_use(state, source, out, err))
        return false;
    sql_open(&statement, state,
             "SELECT name, found_us FROM answer WHERE format = ? AND root = ? AND viewer = ?");
    bind_source(&statement, source);
    while (sql_row(&statement)) {
        *map_put_copy(&out->map, &out->arena, sql_get(&statement, 0), &fresh) =
            (uint32_t)out->count;
        *mem_push(out->found_us, out->count, out->cap) = sql_get_int(&statement, 1);
    }
    return sql_close(&statement, err);
}

void state_answers_free(struct state_answers *answers)
{
    arena_free(&answers->arena);
    map_free(&answers->map);
    free(answers->found_us);
    *answers = (struct state_answers){.first_us = TIME_NONE};
}

int64_t state_answers_find(const struct state_answers *answers, struct span key)
{
    const uint32_t *number = map_get(&answers->map, key);

    return number ? answers->found_us[*number] : TIME_NONE;
}

static bool add_answers(struct state *state, const struct state_source *source,
                        const struct state_answer *items, size_t count, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state,
             "INSERT OR IGNORE INTO answer (format, root, viewer, name, found_us)"
             " VALUES (?, ?, ?, ?, ?)");
    for (size_t i = 0; i < count; i++) {
        bind_source(&statement, source);
        sql_bytes(&statement, items[i].key);
        sql_int(&statement, items[i].found_us);
        sql_run(&statement);
    }
    return sql_close(&statement, err);
}

static bool set_looked(struct state *state, const struct state_source *source, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state,
             "UPDATE source SET looked = 1 WHERE format = ? AND root = ? AND viewer = ?");
    bind_source(&statement, source);
    sql_run(&statement);
    return sql_close(&statement, err);
}

bool state_note_answers(struct state *state, const struct state_source *source,
                        const struct state_answer *items, size_t count, int64_t now_us,
                        struct err *err)
{
    if (!state_begin(state, err))
        return false;
    bool ok = add_use(state, source, now_us, err) &&
              add_answers(state, source, items, count, err) && set_looked(state, source, err);
    return state_end(state, ok, err);
}
