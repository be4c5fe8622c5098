/* Tests of the journal while changes are on their way: entries that are being taken back or made
 * again when another change is noted. */
#include "tests/unit/support.h"

#include "base/mem.h"
#include "ui/ui_state.h"

#include <stdlib.h>

static struct ui *ui;
static struct journal_entry *begun; /* whose undo or redo was called last */

static void begin(struct ui *of, struct journal_entry *entry)
{
    (void)of;
    begun = entry;
}

static void free_entry(struct journal_entry *entry)
{
    free(entry);
}

static struct journal_entry *entry_new(const char *label)
{
    struct journal_entry *entry = mem_zero(1, sizeof *entry);

    *entry = (struct journal_entry){.undo = begin, .redo = begin, .free = free_entry};
    str_puts(&entry->label, label);
    return entry;
}

/* As a change does when it was made for the first time. */
static void note(const char *label)
{
    struct journal_entry *entry = entry_new(label);

    journal_add(&ui->journal, entry);
    journal_settle(ui, entry, false, true);
}

static void settle(bool undone, bool ok)
{
    journal_settle(ui, begun, undone, ok);
    begun = NULL;
}

static void expect(const char *made, const char *taken_back)
{
    const struct journal *journal = &ui->journal;
    struct str before = {0}, after = {0};

    for (size_t i = 0; i < journal->count; i++)
        str_puts(i < journal->done ? &before : &after, str_c(&journal->entries[i]->label));
    cr_expect_str_eq(str_c(&before), made);
    cr_expect_str_eq(str_c(&after), taken_back);
    str_free(&before);
    str_free(&after);
}

static void make(void)
{
    ui = mem_zero(1, sizeof *ui);
}

static void clear(void)
{
    journal_free(&ui->journal);
    saying_free(&ui->saying);
    free(ui);
}

TestSuite(journal, .init = make, .fini = clear);

Test(journal, takes_back_and_makes_again_in_order)
{
    note("a");
    note("b");
    expect("ab", "");
    journal_undo(ui);
    settle(true, true);
    expect("a", "b");
    journal_undo(ui);
    settle(true, true);
    expect("", "ab");
    journal_redo(ui);
    settle(false, true);
    expect("a", "b");
    note("c");
    expect("ac", "");
}

Test(journal, what_failed_stays_where_it_was)
{
    note("a");
    journal_undo(ui);
    settle(true, false);
    expect("a", "");
    journal_undo(ui);
    settle(true, true);
    journal_redo(ui);
    settle(false, false);
    expect("", "a");
}

Test(journal, one_at_a_time)
{
    note("a");
    note("b");
    journal_undo(ui);
    begun = NULL;
    journal_undo(ui);
    journal_redo(ui);
    cr_expect_null(begun);
}

Test(journal, a_change_that_ends_while_one_is_made_again_does_not_drop_it)
{
    note("a");
    journal_undo(ui);
    settle(true, true);
    journal_redo(ui);
    note("b"); /* was begun before */
    expect("b", "a");
    struct journal_entry *making = begun;
    begun = NULL;
    journal_undo(ui);
    cr_expect_null(begun, "it is still busy");
    begun = making;
    settle(false, true);
    expect("ba", "");
}

Test(journal, a_change_that_ends_while_one_is_taken_back_stays_made)
{
    note("a");
    journal_undo(ui);
    note("b");
    settle(true, true);
    expect("b", "a");
}

Test(journal, the_oldest_is_forgotten_but_not_while_it_is_worked_on)
{
    note("a");
    journal_undo(ui);
    for (int i = 0; i < JOURNAL_MAX + 5; i++)
        note("-");
    cr_assert_eq(ui->journal.count, JOURNAL_MAX);
    settle(true, true);
    cr_assert_eq(ui->journal.done, JOURNAL_MAX - 1);
    cr_assert_str_eq(str_c(&ui->journal.entries[JOURNAL_MAX - 1]->label), "a");
}
