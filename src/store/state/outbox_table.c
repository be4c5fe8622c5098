/* The outbox and the sent messages: entries that left the outbox delivered, kept to report later
 * what became of them. */
#include "base/file/file.h"
#include "base/mem.h"
#include "store/state/sql.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/random.h>

/* Holders: the processes that have claimed an entry of the outbox, or a draft.
 *
 * A holder is a random number. It is alive while the byte at that offset of a file next to the
 * database is locked; the lock ends with the process and with nothing else. */

static void holder_lives(sqlite3_context *context, int count, sqlite3_value **values)
{
    const struct state *state = sqlite3_user_data(context);
    int64_t holder = sqlite3_value_int64(values[0]);
    struct flock lock = {
        .l_type = F_WRLCK, .l_whence = SEEK_SET, .l_start = (off_t)holder, .l_len = 1};

    (void)count;
    bool dead = holder != state->holder && fcntl(state->holders, F_OFD_GETLK, &lock) == 0 &&
                lock.l_type == F_UNLCK;
    sqlite3_result_int(context, !dead);
}

static bool lock_byte(struct state *state, struct err *err)
{
    struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_SET, .l_len = 1};
    uint64_t number;

    do {
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            return err_set(err, ERR_SOURCE, "the system gives no random numbers: %s; try again",
                           strerror(errno));
        lock.l_start = (off_t)(number >> 2) + 1;
        if (fcntl(state->holders, F_OFD_SETLK, &lock) == 0) {
            state->holder = lock.l_start;
            return true;
        }
    } while (errno == EAGAIN || errno == EACCES); /* another process has the same number */
    return err_set(err, ERR_SOURCE, "%s: the file beside it, state.lock, cannot be locked: %s",
                   str_c(&state->path), strerror(errno));
}

bool state_become_holder(struct state *state, struct err *err)
{
    CLEANUP(str_free) struct str path = {0};

    if (state->holder)
        return true;
    str_add(&path, state->path.at, state->path.len - strlen("db"));
    str_puts(&path, "lock");
    if (state->holders < 0)
        state->holders =
            retry_open(AT_FDCWD, str_c(&path), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (state->holders < 0)
        return err_set(err, ERR_SOURCE, "%s: it cannot be opened: %s; see who owns it",
                       str_c(&path), strerror(errno));
    if (!lock_byte(state, err))
        return false;
    int rc = sqlite3_create_function(state->db, "holder_lives", 1, SQLITE_UTF8 | SQLITE_DIRECTONLY,
                                     state, holder_lives, NULL, NULL);
    return rc == SQLITE_OK || state_fail(state, rc, sqlite3_errstr(rc), err);
}

/* Outbox: every message is recorded here before any mailbox is touched.
 *
 * An entry is worked on by one process at a time: neither a clock that jumps nor a process that was
 * stopped for an hour lets two write the same message. The lease is for holders whose locks cannot
 * be checked from here. */

#define COLUMNS                                                                                    \
    "number, format, root, team, box, id, uuid, sender, recipient, subject, name, problem,"        \
    " created_us, due_us, state, attempts, mailing, before_count, before_unread, before_sum,"      \
    " before_newer"
/* A lease that ends later than any taken now could is from a clock that was set back; the same
 * applies to due times. */
#define FREE                                                                                       \
    "(holder = 0 OR (lease_us NOT BETWEEN ?1 + 1 AND ?1 + ?2 AND NOT holder_lives(holder)))"

enum { COLUMN_BYTES = 21 };

static void bind_entry(struct statement *statement, const struct outbox_entry *entry,
                       int64_t holder, int64_t lease_us)
{
    const struct span texts[] = {entry->format,  entry->root, entry->team,   entry->box,
                                 entry->id,      entry->uuid, entry->from,   entry->to,
                                 entry->subject, entry->name, entry->problem};
    const int64_t numbers[] = {entry->created_us, entry->due_us, (int64_t)entry->state,
                               entry->attempts,   holder,        lease_us};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        sql_bytes(statement, texts[i]);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sql_int(statement, numbers[i]);
    sql_bytes(statement, entry->bytes);
    sql_bytes(statement, entry->mailing);
    sql_run(statement);
}

bool outbox_record(struct state *state, struct outbox_entry *entries, size_t count, int64_t now_us,
                   struct err *err)
{
    struct statement statement;

    if (!state_become_holder(state, err) || !state_begin(state, err))
        return false;
    sql_open(&statement, state,
             "INSERT INTO outbox (format, root, team, box, id, uuid, sender, recipient, subject,"
             " name, problem, created_us, due_us, state, attempts, holder, lease_us, bytes,"
             " mailing)"
             " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    for (size_t i = 0; i < count; i++) {
        bind_entry(&statement, &entries[i], state->holder, now_us + OUTBOX_LEASE_US);
        entries[i].number = sqlite3_last_insert_rowid(state->db);
    }
    bool ok = state_end(state, sql_close(&statement, err), err);
    for (size_t i = 0; !ok && i < count; i++)
        entries[i].number = 0;
    return ok;
}

static void take_sum(struct span kept, char sum[BOX_BEFORE_SUM + 1])
{
    if (kept.len == BOX_BEFORE_SUM)
        memcpy(sum, kept.at, kept.len);
}

static void add_entry(struct outbox *out, struct statement *statement)
{
    struct outbox_entry entry = {
        .number = sql_get_int(statement, 0),
        .created_us = sql_get_int(statement, 12),
        .due_us = sql_get_int(statement, 13),
        .state = (enum outbox_state)sql_get_int(statement, 14),
        .attempts = (int)sql_get_int(statement, 15),
        .before = {.count = sql_get_int(statement, 17), .unread = sql_get_int(statement, 18)},
    };
    struct span *const texts[] = {&entry.format,  &entry.root, &entry.team,   &entry.box,
                                  &entry.id,      &entry.uuid, &entry.from,   &entry.to,
                                  &entry.subject, &entry.name, &entry.problem};

    for (int i = 0; i < (int)(sizeof texts / sizeof *texts); i++)
        *texts[i] = arena_copy(&out->arena, sql_get(statement, 1 + i));
    entry.mailing = arena_copy(&out->arena, sql_get(statement, 16));
    take_sum(sql_get(statement, 19), entry.before.sum);
    take_sum(sql_get(statement, 20), entry.before.newer);
    if (sqlite3_column_count(statement->stmt) > COLUMN_BYTES)
        entry.bytes = arena_copy(&out->arena, sql_get(statement, COLUMN_BYTES));
    *mem_push(out->items, out->count, out->cap) = entry;
}

/* Replaces `out` with all rows of a statement whose values are bound. */
static bool take_rows(struct outbox *out, struct statement *statement, struct err *err)
{
    outbox_free(out);
    while (sql_row(statement))
        add_entry(out, statement);
    return sql_close(statement, err);
}

bool outbox_list(struct state *state, struct outbox *out, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state, "SELECT " COLUMNS " FROM outbox ORDER BY number");
    return take_rows(out, &statement, err);
}

bool outbox_due(struct state *state, int64_t now_us, struct outbox *out, struct err *err)
{
    struct statement statement;

    if (!state_become_holder(state, err))
        return false;
    sql_open(&statement, state,
             "SELECT " COLUMNS " FROM outbox WHERE state IN (?3, ?4, ?5, ?6)"
             " AND due_us NOT BETWEEN ?1 + 1 AND ?1 + ?2 AND " FREE " ORDER BY number");
    sql_int(&statement, now_us);
    sql_int(&statement, OUTBOX_LEASE_US);
    sql_int(&statement, OUTBOX_RECORDED);
    sql_int(&statement, OUTBOX_WRITTEN);
    sql_int(&statement, OUTBOX_QUEUED);
    sql_int(&statement, OUTBOX_TAKEN);
    return take_rows(out, &statement, err);
}

bool outbox_read(struct state *state, int64_t number, struct outbox *out, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state, "SELECT " COLUMNS ", bytes FROM outbox WHERE number = ?");
    sql_int(&statement, number);
    return take_rows(out, &statement, err) &&
           (out->count ||
            err_set(err, ERR_ABSENT, "the outbox has no entry %lld any more", (long long)number));
}

void outbox_free(struct outbox *outbox)
{
    arena_free(&outbox->arena);
    free(outbox->items);
    *outbox = (struct outbox){0};
}

bool outbox_claim(struct state *state, int64_t number, int64_t now_us, struct outbox *out,
                  struct err *err)
{
    struct statement statement;

    if (!state_become_holder(state, err))
        return false;
    sql_open(&statement, state,
             "UPDATE outbox SET holder = ?3, lease_us = ?1 + ?2"
             " WHERE number = ?4 AND (holder = ?3 OR " FREE ")");
    sql_int(&statement, now_us);
    sql_int(&statement, OUTBOX_LEASE_US);
    sql_int(&statement, state->holder);
    sql_int(&statement, number);
    sql_run(&statement);
    if (!sql_close(&statement, err))
        return false;
    bool ours = sqlite3_changes(state->db) > 0;
    return outbox_read(state, number, out, err) &&
           (ours || err_set(err, ERR_REFUSED,
                            "another swarmutt is at work on the entry %lld of the outbox; look "
                            "again in a minute",
                            (long long)number));
}

/* Ends a statement that changes one entry of ours. */
static bool changed_ours(struct statement *statement, int64_t number, struct err *err)
{
    sql_run(statement);
    return sql_close(statement, err) &&
           (sqlite3_changes(statement->state->db) > 0 ||
            err_set(err, ERR_REFUSED, "the entry %lld of the outbox is not ours to change",
                    (long long)number));
}

static bool save_entry(struct state *state, const struct outbox_entry *entry, bool let_go,
                       struct err *err)
{
    struct statement statement;

    if (!state_become_holder(state, err))
        return false;
    sql_open(&statement, state,
             "UPDATE outbox SET id = ?, uuid = ?, name = ?, problem = ?, due_us = ?, state = ?,"
             " attempts = ?, before_count = ?, before_unread = ?, before_sum = ?,"
             " before_newer = ?, holder = iif(?, 0, holder), lease_us = iif(?, 0, lease_us),"
             " bytes = iif(?, ?, bytes) WHERE number = ? AND holder = ?");
    sql_bytes(&statement, entry->id);
    sql_bytes(&statement, entry->uuid);
    sql_bytes(&statement, entry->name);
    sql_bytes(&statement, entry->problem);
    sql_int(&statement, entry->due_us);
    sql_int(&statement, (int64_t)entry->state);
    sql_int(&statement, entry->attempts);
    sql_int(&statement, entry->before.count);
    sql_int(&statement, entry->before.unread);
    sql_bytes(&statement, span_of(entry->before.sum));
    sql_bytes(&statement, span_of(entry->before.newer));
    sql_int(&statement, let_go);
    sql_int(&statement, let_go);
    sql_int(&statement, entry->bytes.at != NULL);
    sql_bytes(&statement, entry->bytes);
    sql_int(&statement, entry->number);
    sql_int(&statement, state->holder);
    return changed_ours(&statement, entry->number, err);
}

bool outbox_settle(struct state *state, const struct outbox_entry *entry, struct err *err)
{
    return save_entry(state, entry, true, err);
}

bool outbox_keep(struct state *state, const struct outbox_entry *entry, struct err *err)
{
    return save_entry(state, entry, false, err);
}

static bool with_ours(struct state *state, const char *sql, int64_t number, struct err *err)
{
    struct statement statement;

    if (!state_become_holder(state, err))
        return false;
    sql_open(&statement, state, sql);
    sql_int(&statement, number);
    sql_int(&statement, state->holder);
    return changed_ours(&statement, number, err);
}

bool outbox_release(struct state *state, int64_t number, struct err *err)
{
    return with_ours(state,
                     "UPDATE outbox SET holder = 0, lease_us = 0 WHERE number = ? AND holder = ?",
                     number, err);
}

bool outbox_remove(struct state *state, int64_t number, struct err *err)
{
    return with_ours(state, "DELETE FROM outbox WHERE number = ? AND holder = ?", number, err);
}

bool outbox_remove_all(struct state *state, const int64_t *numbers, size_t count, struct err *err)
{
    bool ok = state_begin(state, err);

    if (!ok)
        return false;
    for (size_t i = 0; ok && i < count; i++)
        ok = outbox_remove(state, numbers[i], err);
    return state_end(state, ok, err);
}

/* Runs a statement on one entry of the outbox that is ours. ERR_REFUSED if it changed nothing. */
static bool run_on_ours(struct state *state, const char *sql, int64_t number, struct span id,
                        enum sent_delivery delivery, int64_t now_us, struct err *err)
{
    struct statement statement;

    sql_open(&statement, state, sql);
    sql_int(&statement, number);
    sql_int(&statement, state->holder);
    if (id.at) {
        sql_bytes(&statement, id);
        sql_int(&statement, now_us);
        sql_int(&statement, delivery);
    }
    return changed_ours(&statement, number, err);
}

static bool prune_sent(struct state *state, int64_t now_us, struct err *err)
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

bool outbox_done(struct state *state, int64_t number, struct span id, enum sent_delivery delivery,
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
    bool ok = run_on_ours(state, note, number, id.at ? id : span_of(""), delivery, now_us, err) &&
              run_on_ours(state, leave, number, (struct span){0}, delivery, 0, err) &&
              prune_sent(state, now_us, err);
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
                                   .delivery = (enum sent_delivery)sql_get_int(&statement, 11),
                                   .delivery_us = sql_get_int(&statement, 12)};
        struct span *const texts[] = {&entry.format, &entry.root,    &entry.team,
                                      &entry.box,    &entry.id,      &entry.from,
                                      &entry.to,     &entry.subject, &entry.mailing};
        for (int i = 0; i < (int)(sizeof texts / sizeof *texts); i++)
            *texts[i] = arena_copy(&out->arena, sql_get(&statement, i));
        *mem_push(out->items, out->count, out->cap) = entry;
    }
    return sql_close(&statement, err);
}

void sent_list_free(struct sent_list *sent)
{
    arena_free(&sent->arena);
    free(sent->items);
    *sent = (struct sent_list){0};
}
