/* Drafts in the local state. */
#include "store/state/drafts.h"

#include "base/mem.h"
#include "store/state/sql.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

/* ?1 is our own number. A dead holder holds nothing. */
#define COLUMNS                                                                                    \
    "id, form, format, root, recipient, subject, version, created_us, updated_us, holder,"         \
    " iif(holder NOT IN (0, ?1) AND holder_lives(holder), pid, 0)"

enum { COLUMN_FIELDS = 11 };

static void add_draft(struct saved_drafts *out, struct statement *statement)
{
    struct saved_draft draft = {.version = sql_get_int(statement, 6),
                                .created_us = sql_get_int(statement, 7),
                                .updated_us = sql_get_int(statement, 8),
                                .pid = sql_get_int(statement, 10)};
    struct span *const texts[] = {&draft.id,   &draft.form, &draft.format,
                                  &draft.root, &draft.to,   &draft.subject};

    for (int i = 0; i < (int)(sizeof texts / sizeof *texts); i++)
        *texts[i] = arena_copy(&out->arena, sql_get(statement, i));
    if (sqlite3_column_count(statement->stmt) > COLUMN_FIELDS)
        draft.fields = arena_copy(&out->arena, sql_get(statement, COLUMN_FIELDS));
    *mem_push(out->items, out->count, out->cap) = draft;
}

bool state_drafts(struct state *state, struct saved_drafts *out, struct err *err)
{
    struct statement statement;

    saved_drafts_free(out);
    if (!state_become_holder(state, err))
        return false;
    sql_open(&statement, state,
             "SELECT " COLUMNS " FROM draft ORDER BY updated_us DESC, number DESC");
    sql_int(&statement, state->holder);
    while (sql_row(&statement))
        add_draft(out, &statement);
    return sql_close(&statement, err);
}

/* Reads one draft. A missing draft is not an error here; `holder` may be NULL. */
static bool read_draft(struct state *state, struct span id, struct saved_drafts *out,
                       int64_t *holder, struct err *err)
{
    struct statement statement;

    saved_drafts_free(out);
    sql_open(&statement, state, "SELECT " COLUMNS ", fields FROM draft WHERE id = ?2");
    sql_int(&statement, state->holder);
    sql_bytes(&statement, id);
    while (sql_row(&statement)) {
        add_draft(out, &statement);
        if (holder)
            *holder = sql_get_int(&statement, 9);
    }
    return sql_close(&statement, err);
}

static bool must_be_there(const struct saved_drafts *drafts, struct span id, struct err *err)
{
    return drafts->count ||
           err_set(err, ERR_ABSENT,
                   "there is no draft %.*s any more: it was sent or dropped elsewhere", (int)id.len,
                   id.at);
}

static bool must_be_free(const struct saved_draft *draft, struct err *err)
{
    return !draft->pid ||
           err_set(err, ERR_REFUSED,
                   "the draft %.*s is open in another swarmutt, process %lld; leave it there first",
                   (int)draft->id.len, draft->id.at, (long long)draft->pid);
}

bool state_draft(struct state *state, struct span id, struct saved_drafts *out, struct err *err)
{
    return state_become_holder(state, err) && read_draft(state, id, out, NULL, err) &&
           must_be_there(out, id, err);
}

static bool set_holder(struct state *state, struct span id, int64_t from, int64_t to,
                       struct err *err)
{
    struct statement statement;

    sql_open(&statement, state,
             "UPDATE draft SET holder = ?1, pid = ?2 WHERE id = ?3 AND holder = ?4");
    sql_int(&statement, to);
    sql_int(&statement, to ? getpid() : 0);
    sql_bytes(&statement, id);
    sql_int(&statement, from);
    sql_run(&statement);
    return sql_close(&statement, err);
}

bool state_claim_draft(struct state *state, struct span id, struct saved_drafts *out,
                       struct err *err)
{
    int64_t holder = 0;

    if (!state_become_holder(state, err) || !state_begin(state, err))
        return false;
    bool ok = read_draft(state, id, out, &holder, err) && must_be_there(out, id, err) &&
              must_be_free(&out->items[0], err) &&
              (holder == state->holder || set_holder(state, id, holder, state->holder, err));
    return state_end(state, ok, err);
}

bool state_release_draft(struct state *state, struct span id, struct err *err)
{
    return !state->holder || set_holder(state, id, state->holder, 0, err);
}

void saved_drafts_free(struct saved_drafts *drafts)
{
    arena_free(&drafts->arena);
    free(drafts->items);
    *drafts = (struct saved_drafts){0};
}

/* Generates an id that no draft has. */
static bool draw_id(struct state *state, char *id, struct err *err)
{
    CLEANUP(saved_drafts_free) struct saved_drafts others = {0};
    unsigned char bytes[DRAFT_ID_LEN / 2];
    bool ok;

    do {
        if (getrandom(bytes, sizeof bytes, 0) != sizeof bytes)
            return err_set(err, ERR_SOURCE, "the system gives no random numbers: %s; try again",
                           strerror(errno));
        for (size_t i = 0; i < sizeof bytes; i++)
            snprintf(id + 2 * i, 3, "%02x", bytes[i]);
        ok = read_draft(state, span_of(id), &others, NULL, err);
    } while (ok && others.count);
    return ok;
}

/* Finds out whether the draft is still the version that was read, and not claimed by another
 * process. */
static bool compare_draft(struct state *state, const struct saved_draft *draft,
                          enum draft_saving *how, int64_t *created_us, struct err *err)
{
    CLEANUP(saved_drafts_free) struct saved_drafts there = {0};
    bool ok = read_draft(state, draft->id, &there, NULL, err);

    *how = DRAFT_REMOVED;
    if (ok && there.count) {
        bool same = there.items[0].version == draft->version && !there.items[0].pid;
        *how = same ? DRAFT_SAVED : DRAFT_CHANGED;
        *created_us = same ? there.items[0].created_us : *created_us;
    }
    return ok;
}

static bool write_draft(struct state *state, const struct saved_draft *draft,
                        const struct draft_saved *saved, struct err *err)
{
    const struct span texts[] = {span_of(saved->id), draft->form,    draft->format, draft->root,
                                 draft->to,          draft->subject, draft->fields};
    const int64_t numbers[] = {saved->version, saved->created_us, draft->updated_us, state->holder,
                               getpid()};
    struct statement statement;

    sql_open(&statement, state,
             "INSERT INTO draft (id, form, format, root, recipient, subject, fields, version,"
             " created_us, updated_us, holder, pid) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
             " ON CONFLICT (id) DO UPDATE SET form = excluded.form, format = excluded.format,"
             " root = excluded.root, recipient = excluded.recipient,"
             " subject = excluded.subject, fields = excluded.fields,"
             " version = excluded.version, updated_us = excluded.updated_us,"
             " holder = excluded.holder, pid = excluded.pid");
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        sql_bytes(&statement, texts[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sql_int(&statement, numbers[i]);
    sql_run(&statement);
    return sql_close(&statement, err);
}

bool state_save_draft(struct state *state, const struct saved_draft *draft,
                      struct draft_saved *saved, struct err *err)
{
    struct draft_saved now = {
        .version = 1, .created_us = draft->created_us ? draft->created_us : draft->updated_us};
    bool known = draft->id.len > 0;

    if (!state_become_holder(state, err) || !state_begin(state, err))
        return false;
    bool ok = !known || compare_draft(state, draft, &now.how, &now.created_us, err);
    if (ok && known && now.how == DRAFT_SAVED) {
        snprintf(now.id, sizeof now.id, "%.*s", (int)draft->id.len, draft->id.at);
        now.version = draft->version + 1;
    } else {
        ok = ok && draw_id(state, now.id, err);
    }
    ok = ok && write_draft(state, draft, &now, err);
    ok = state_end(state, ok, err);
    if (ok)
        *saved = now;
    return ok;
}

bool state_drop_draft(struct state *state, struct span id, int64_t version, struct err *err)
{
    CLEANUP(saved_drafts_free) struct saved_drafts there = {0};
    struct statement statement;

    if (!state_become_holder(state, err) || !state_begin(state, err))
        return false;
    bool ok = read_draft(state, id, &there, NULL, err);
    if (ok && there.count && there.items[0].version != version)
        ok = err_set(err, ERR_REFUSED,
                     "the draft %.*s was changed by another swarmutt; it is kept, look at it first",
                     (int)id.len, id.at);
    ok = ok && (!there.count || must_be_free(&there.items[0], err));
    if (ok) {
        sql_open(&statement, state, "DELETE FROM draft WHERE id = ?");
        sql_bytes(&statement, id);
        sql_run(&statement);
        ok = sql_close(&statement, err);
    }
    return state_end(state, ok, err);
}
