/* What was sent: entries that left the outbox delivered, for telling later what became of them. */
#include "base/mem.h"
#include "store/state/state_sql.h"

#include <stdlib.h>

/* A statement on one entry of the outbox that is ours; true when it changed something. */
static bool run_on_ours(struct state *state, const char *sql, int64_t number, struct span id,
                        enum sent_fate fate, int64_t now_us, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state, sql);
    sql_int(&statement, number);
    sql_int(&statement, state->holder);
    if (id.at) {
        sql_bytes(&statement, id);
        sql_int(&statement, now_us);
        sql_int(&statement, fate);
    }
    sql_run(&statement);
    if (!sql_close(&statement, err))
        return false;
    return sqlite3_changes(state->db) > 0 ||
           err_set(err, ERR_REFUSED, "the entry %lld of the outbox is not ours to change",
                   (long long)number);
}

static bool prune(struct state *state, int64_t now_us, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state,
             "DELETE FROM sent WHERE delivered_us < ?"
             " OR number <= (SELECT max(number) FROM sent) - ?");
    sql_int(&statement, now_us - SENT_KEPT_US);
    sql_int(&statement, SENT_KEPT);
    sql_run(&statement);
    return sql_close(&statement, err);
}

bool outbox_done(struct state *state, int64_t number, struct span id, enum sent_fate fate,
                 int64_t now_us, struct err *err)
{
    static const char note[] =
        "INSERT OR REPLACE INTO sent (format, root, team, box, id, sender, recipient, subject,"
        " mailing, created_us, delivered_us, fate, fate_us)"
        " SELECT format, root, team, box, ?3, sender, recipient, subject, mailing, created_us, ?4,"
        " ?5, iif(?5, ?4, 0)"
        " FROM outbox WHERE number = ?1 AND holder = ?2 AND holder <> 0";
    static const char leave[] = "DELETE FROM outbox WHERE number = ?1 AND holder = ?2";

    if (!state_begin(state, err))
        return false;
    bool ok = run_on_ours(state, note, number, id.at ? id : span_of(""), fate, now_us, err) &&
              run_on_ours(state, leave, number, (struct span){0}, fate, 0, err) &&
              prune(state, now_us, err);
    return state_end(state, ok, err);
}

bool sent_read(struct state *state, struct sent_list *out, struct err *err)
{
    struct statement statement;

    sent_list_free(out);
    sql_open(&statement, state,
             "SELECT format, root, team, box, id, sender, recipient, subject, mailing,"
             " created_us, delivered_us, fate, fate_us FROM sent ORDER BY number");
    while (sql_row(&statement)) {
        struct sent_entry entry = {.created_us = sql_get_int(&statement, 9),
                                   .delivered_us = sql_get_int(&statement, 10),
                                   .fate = (enum sent_fate)sql_get_int(&statement, 11),
                                   .fate_us = sql_get_int(&statement, 12)};
        struct span *const texts[] = {&entry.format, &entry.root,    &entry.team,
                                      &entry.box,    &entry.id,      &entry.from,
                                      &entry.to,     &entry.subject, &entry.mailing};
        for (int i = 0; i < (int)(sizeof texts / sizeof *texts); i++)
            *texts[i] = arena_copy(&out->arena, sql_get(&statement, i));
        out->items = mem_grow(out->items, &out->cap, out->count + 1, sizeof *out->items);
        out->items[out->count++] = entry;
    }
    return sql_close(&statement, err);
}

void sent_list_free(struct sent_list *sent)
{
    arena_free(&sent->arena);
    free(sent->items);
    *sent = (struct sent_list){0};
}
