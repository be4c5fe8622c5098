/* Tests the undo stack while changes are on their way: entries that are being undone or redone when
 * another change is noted. */
#include "tests/unit/support.h"

#include "base/mem.h"
#include "ui/ui_state.h"

#include <stdlib.h>

static struct ui *ui;
static struct undo_stack_entry *begun; /* the entry whose undo or redo was called last */

static void begin(struct ui *of, struct undo_stack_entry *entry)
{
    (void)of;
    begun = entry;
}

static void free_entry(struct undo_stack_entry *entry)
{
    free(entry);
}

static struct undo_stack_entry *entry_new(const char *label)
{
    struct undo_stack_entry *entry = mem_zero(1, sizeof *entry);

    *entry = (struct undo_stack_entry){.undo = begin, .redo = begin, .free = free_entry};
    str_puts(&entry->label, label);
    return entry;
}

/* Notes a change that was made for the first time. */
static void note(const char *label)
{
    struct undo_stack_entry *entry = entry_new(label);

    undo_stack_add(&ui->journal, entry);
    undo_stack_settle(ui, entry, false, true);
}

static void settle(bool undone, bool ok)
{
    undo_stack_settle(ui, begun, undone, ok);
    begun = NULL;
}

static void expect(const char *made, const char *taken_back)
{
    const struct undo_stack *journal = &ui->journal;
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
    undo_stack_free(&ui->journal);
    status_message_free(&ui->saying);
    free(ui);
}

TestSuite(journal, .init = make, .fini = clear);

Test(journal, takes_back_and_makes_again_in_order)
{
    note("a");
    note("b");
    expect("ab", "");
    undo_stack_undo(ui);
    settle(true, true);
    expect("a", "b");
    undo_stack_undo(ui);
    settle(true, true);
    expect("", "ab");
    undo_stack_redo(ui);
    settle(false, true);
    expect("a", "b");
    note("c");
    expect("ac", "");
}

Test(journal, what_failed_stays_where_it_was)
{
    note("a");
    undo_stack_undo(ui);
    settle(true, false);
    expect("a", "");
    undo_stack_undo(ui);
    settle(true, true);
    undo_stack_redo(ui);
    settle(false, false);
    expect("", "a");
}

Test(journal, one_at_a_time)
{
    note("a");
    note("b");
    undo_stack_undo(ui);
    begun = NULL;
    undo_stack_undo(ui);
    undo_stack_redo(ui);
    cr_expect_null(begun);
}

Test(journal, a_change_that_ends_while_one_is_made_again_does_not_drop_it)
{
    note("a");
    undo_stack_undo(ui);
    settle(true, true);
    undo_stack_redo(ui);
    note("b"); /* it was begun before the redo */
    expect("b", "a");
    struct undo_stack_entry *making = begun;
    begun = NULL;
    undo_stack_undo(ui);
    cr_expect_null(begun, "it is still busy");
    begun = making;
    settle(false, true);
    expect("ba", "");
}

Test(journal, a_change_that_ends_while_one_is_taken_back_stays_made)
{
    note("a");
    undo_stack_undo(ui);
    note("b");
    settle(true, true);
    expect("b", "a");
}

Test(journal, the_oldest_is_forgotten_but_not_while_it_is_worked_on)
{
    note("a");
    undo_stack_undo(ui);
    for (int i = 0; i < UNDO_STACK_MAX + 5; i++)
        note("-");
    cr_assert_eq(ui->journal.count, UNDO_STACK_MAX);
    settle(true, true);
    cr_assert_eq(ui->journal.done, UNDO_STACK_MAX - 1);
    cr_assert_str_eq(str_c(&ui->journal.entries[UNDO_STACK_MAX - 1]->label), "a");
}
