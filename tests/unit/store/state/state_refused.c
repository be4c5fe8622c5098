/* Tests a local state in which something cannot be changed or read: every call reports it and
 * changes nothing. */
#include "tests/unit/store/send/outbox_support.h"

#include "store/state/drafts.h"
#include "store/state/snooze_history.h"

#include <fcntl.h>

static const char *const tables[] = {"mark",  "copy",   "outbox", "sent",
                                     "draft", "snooze", "kept",   "tally"};
enum { TABLES = sizeof tables / sizeof *tables, ENTRIES = 6 };

static const struct state_key key = {
    .format = "roo", .root = "/srv/mail", .box = {"b", 1}, .id = {"i", 1}};
static struct saved_draft draft = {.form = {"new", 3}, .fields = {"{}", 2}, .updated_us = NOW};
static struct draft_saved saved;
static int64_t entries[ENTRIES]; /* of the outbox, claimed by us */
static int64_t copy_number;

static bool save_new_draft(struct state *state)
{
    struct draft_saved another;

    return state_save_draft(state, &draft, &another, &err);
}

static bool save_draft_again(struct state *state)
{
    struct saved_draft known = draft;
    struct draft_saved again;

    known.id = span_of(saved.id);
    known.version = saved.version;
    bool ok = state_save_draft(state, &known, &again, &err);
    if (ok)
        saved = again;
    return ok;
}

static bool read_drafts(struct state *state)
{
    struct saved_drafts all = {0};
    bool ok = state_drafts(state, &all, &err) && state_draft(state, span_of(saved.id), &all, &err);

    saved_drafts_free(&all);
    return ok;
}

static bool claim_draft(struct state *state)
{
    struct saved_drafts one = {0};
    bool ok = state_claim_draft(state, span_of(saved.id), &one, &err);

    saved_drafts_free(&one);
    return ok;
}

static bool release_draft(struct state *state)
{
    return state_release_draft(state, span_of(saved.id), &err);
}

static bool drop_draft(struct state *state)
{
    return state_drop_draft(state, span_of(saved.id), saved.version, &err);
}

static bool record_two(struct state *state)
{
    struct outbox_entry two[] = {entry_of("one"), entry_of("two")};
    bool ok = outbox_record(state, two, 2, NOW, &err);

    cr_assert(ok || (!two[0].number && !two[1].number), "what is not there has no number");
    return ok;
}

static bool list_outbox(struct state *state)
{
    return outbox_list(state, &box, &err) && outbox_due(state, AFTER, &box, &err);
}

static bool claim_entry(struct state *state)
{
    return outbox_claim(state, entries[0], NOW, &box, &err);
}

static bool settle_entry(struct state *state)
{
    struct outbox_entry entry = entry_of("settled");

    entry.number = entries[1];
    return outbox_settle(state, &entry, &err);
}

static bool release_entry(struct state *state)
{
    return outbox_release(state, entries[2], &err);
}

static bool remove_entries(struct state *state)
{
    return outbox_remove_all(state, &entries[3], 2, &err);
}

static bool finish_entry(struct state *state)
{
    return outbox_done(state, entries[5], span_of("done"), SENT_THERE, NOW, &err);
}

static bool read_sent(struct state *state)
{
    struct sent_list sent = {0};
    bool ok = sent_read(state, &sent, &err);

    sent_list_free(&sent);
    return ok;
}

static bool mark_seen(struct state *state)
{
    return state_mark_seen(state, &key, 1, span_of("me"), &err);
}

static bool set_status(struct state *state)
{
    return state_set_status(state, &key, 1, span_of("me"), STATUS_COMPLETED, NOW, &err);
}

static bool keep_copy(struct state *state)
{
    return state_keep_copy(state, &key, span_of("me"), span_of("file"), span_of("other bytes"),
                           span_of(""), NOW, NULL, &err);
}

static bool read_copies(struct state *state)
{
    struct copies copies = {0};
    struct str bytes = {0};
    bool ok = state_copies(state, key.format, key.root, &copies, &err) &&
              state_copy_bytes(state, copy_number, &bytes, &err);

    copies_free(&copies);
    str_free(&bytes);
    return ok;
}

static bool take_back(struct state *state)
{
    const struct mark none = {.changed_us = TIME_NONE};
    const struct state_undo undo = {
        .key = key, .viewer = span_of("me"), .mark = &none, .copies = true};

    return state_undo_marks(state, &undo, 1, &err);
}

static bool put_aside(struct state *state)
{
    const struct snooze until[] = {{key, span_of("you"), AFTER}, {key, span_of("me"), TIME_NONE}};

    return state_snooze(state, until, 2, NOW, &err);
}

static bool read_snoozes(struct state *state)
{
    struct snoozes snoozes = {0};
    bool ok = state_snoozes(state, NOW, &snoozes, &err);

    snoozes_free(&snoozes);
    return ok;
}

static bool keep_line(struct state *state)
{
    return state_keep(state, span_of("line"), span_of("another"), &err);
}

static bool read_line(struct state *state)
{
    struct str text = {0};
    bool ok = state_kept(state, span_of("line"), &text, &err);

    str_free(&text);
    return ok;
}

static bool read_tally(struct state *state)
{
    int64_t tally[TALLY_COUNT];

    return state_tally(state, tally, &err);
}

static const struct change_kind {
    const char *name;
    bool (*run)(struct state *state);
    bool writes, holds; /* it needs the file next to the database */
} deeds[] = {
    {"a new draft", save_new_draft, true, true},
    {"a draft again", save_draft_again, true, true},
    {"all drafts", read_drafts, false, true},
    {"claiming a draft", claim_draft, false, true},
    {"letting go of a draft", release_draft, true, false},
    {"dropping a draft", drop_draft, true, true},
    {"recording", record_two, true, true},
    {"the outbox", list_outbox, false, true},
    {"claiming an entry", claim_entry, true, true},
    {"settling", settle_entry, true, true},
    {"letting go of an entry", release_entry, true, true},
    {"removing", remove_entries, true, true},
    {"being done", finish_entry, true, true},
    {"what was sent", read_sent, false, false},
    {"having seen", mark_seen, true, false},
    {"a status", set_status, true, false},
    {"a copy", keep_copy, true, false},
    {"all copies", read_copies, false, false},
    {"taking back", take_back, true, false},
    {"putting aside", put_aside, true, false},
    {"all that is put aside", read_snoozes, false, false},
    {"a line", keep_line, true, false},
    {"the line", read_line, false, false},
    {"the tally", read_tally, false, false},
};
enum { DEEDS = sizeof deeds / sizeof *deeds };

/* Fills every table. */
static void fill(struct state *state)
{
    const struct snooze until = {key, span_of("me"), AFTER};

    cr_assert(state_save_draft(state, &draft, &saved, &err), "%s", err.text);
    for (size_t i = 0; i < ENTRIES; i++)
        entries[i] = record(state, "entry");
    cr_assert(state_keep_copy(state, &key, span_of("me"), span_of("file"), span_of("bytes"),
                              span_of(""), NOW, &copy_number, &err),
              "%s", err.text);
    cr_assert(state_snooze(state, &until, 1, NOW, &err), "%s", err.text);
    cr_assert(state_keep(state, span_of("line"), span_of("text"), &err), "%s", err.text);
}

static int add_row(void *context, int count, char **values, char **names)
{
    (void)names;
    for (int i = 0; i < count; i++)
        str_addf(context, "%s|", values[i] ? values[i] : "NULL");
    str_puts(context, "\n");
    return 0;
}

/* Returns all rows of all tables, one of which may be renamed to "away". */
static struct str rows(sqlite3 *outside)
{
    struct str out = {0};
    char sql[80];

    for (size_t i = 0; i < TABLES; i++) {
        snprintf(sql, sizeof sql, "SELECT * FROM %s", tables[i]);
        if (sqlite3_exec(outside, sql, add_row, &out, NULL) != SQLITE_OK)
            cr_assert_eq(sqlite3_exec(outside, "SELECT * FROM away", add_row, &out, NULL),
                         SQLITE_OK);
    }
    return out;
}

/* Runs a change; if it fails, it names the file and leaves every row as it was. */
static bool run(const struct change_kind *deed, struct state *state, sqlite3 *outside,
                const char *what)
{
    struct str before = rows(outside);

    err = (struct err){0};
    bool ok = deed->run(state);
    struct str after = rows(outside);
    cr_assert(ok || err.scope == ERR_REFUSED || strstr(err.text, tmp.path), "%s, %s: %s", what,
              deed->name, err.text);
    cr_assert(ok || span_eq(str_span(&before), str_span(&after)), "%s, %s:\n%s\n%s", what,
              deed->name, str_c(&before), str_c(&after));
    str_free(&before);
    str_free(&after);
    return ok;
}

/* Returns how many changes fail with that obstacle. */
static size_t run_all(const char *obstacle)
{
    size_t failed = 0;

    make_home();
    struct state *state = open_state();
    fill(state);
    sqlite3 *outside = open_outside();
    run_sql(outside, obstacle);
    for (size_t i = 0; i < DEEDS; i++)
        failed += !run(&deeds[i], state, outside, obstacle);
    sqlite3_close(outside);
    finish(state);
    clear_home();
    return failed;
}

TestSuite(state_refused, .timeout = 120);

Test(state_refused, nothing_fails_without_a_reason)
{
    cr_assert_eq(run_all("SELECT 1"), 0, "%s", err.text);
}

Test(state_refused, a_table_that_is_away_is_told_of_and_nothing_is_half_done)
{
    for (size_t i = 0; i < TABLES; i++) {
        char sql[100];
        snprintf(sql, sizeof sql, "ALTER TABLE %s RENAME TO away", tables[i]);
        cr_assert_gt(run_all(sql), 0, "%s", sql);
    }
}

Test(state_refused, a_row_that_cannot_be_changed_is_told_of_and_nothing_is_half_done)
{
    static const char *const events[] = {"INSERT", "UPDATE", "DELETE"};
    size_t failed = 0;

    for (size_t i = 0; i < 3 * TABLES; i++) {
        char sql[160];
        snprintf(sql, sizeof sql,
                 "CREATE TRIGGER refused BEFORE %s ON %s BEGIN SELECT RAISE(ABORT, 'no'); END",
                 events[i % 3], tables[i / 3]);
        failed += run_all(sql);
    }
    cr_assert_gt(failed, 0);
}

Test(state_refused, who_cannot_change_it_is_told_that_another_program_has_it, .init = make_home,
     .fini = clear_home)
{
    struct state *state = open_state();

    fill(state);
    sqlite3 *outside = open_outside();
    run_sql(outside, "BEGIN IMMEDIATE");
    for (size_t i = 0; i < DEEDS; i++) {
        bool ok = run(&deeds[i], state, outside, "locked");
        cr_assert(ok || strstr(err.text, "another program has kept it locked"), "%s: %s",
                  deeds[i].name, err.text);
        cr_assert(!ok || !deeds[i].writes, "%s", deeds[i].name);
    }
    sqlite3_close(outside);
    finish(state);
}

Test(state_refused, without_the_file_of_the_holders_nothing_can_be_held, .init = make_home,
     .fini = clear_home)
{
    struct state *state = open_state();

    fill(state);
    finish(state);
    cr_assert_eq(unlinkat(tmp.fd, "swarmutt/state.lock", 0), 0);
    cr_assert_eq(mkdirat(tmp.fd, "swarmutt/state.lock", 0700), 0);
    state = open_state();
    sqlite3 *outside = open_outside();
    for (size_t i = 0; i < DEEDS; i++) {
        bool ok = run(&deeds[i], state, outside, "no holders");
        cr_assert_eq(ok, !deeds[i].holds, "%s: %s", deeds[i].name, err.text);
        cr_assert(ok || strstr(err.text, "state.lock") || strstr(err.text, "not ours"), "%s: %s",
                  deeds[i].name, err.text);
    }
    sqlite3_close(outside);
    finish(state);
}
