/* The journal of changes. */
#include "ui/undo_stack.h"

#include "ui/ui_state.h"

static void drop_entries(struct undo_stack_entry *entry)
{
    str_free(&entry->label);
    entry->free(entry);
}

void undo_stack_free(struct undo_stack *journal)
{
    for (size_t i = 0; i < journal->count; i++)
        drop_entries(journal->entries[i]);
    str_free(&journal->final);
    *journal = (struct undo_stack){0};
}

static struct undo_stack_entry *take_out(struct undo_stack *journal, size_t at)
{
    struct undo_stack_entry *entry = journal->entries[at];

    journal->count--;
    memmove(journal->entries + at, journal->entries + at + 1,
            (journal->count - at) * sizeof(struct undo_stack_entry *));
    return entry;
}

static void put_in(struct undo_stack *journal, size_t at, struct undo_stack_entry *entry)
{
    memmove(journal->entries + at + 1, journal->entries + at,
            (journal->count - at) * sizeof(struct undo_stack_entry *));
    journal->entries[at] = entry;
    journal->count++;
}

/* Drops the oldest entry, or the next one if the oldest is being worked on. */
static void forget_one(struct undo_stack *journal)
{
    size_t at = journal->entries[0] == journal->working;

    drop_entries(take_out(journal, at));
    journal->done -= at < journal->done;
}

void undo_stack_add(struct undo_stack *journal, struct undo_stack_entry *entry)
{
    size_t kept = journal->done;

    str_clear(&journal->final);
    if (kept < journal->count && journal->entries[kept] == journal->working)
        kept++;
    while (journal->count > kept)
        drop_entries(journal->entries[--journal->count]);
    if (journal->count == UNDO_STACK_MAX)
        forget_one(journal);
    put_in(journal, journal->done++, entry);
}

void undo_stack_end(struct undo_stack *journal, struct span label)
{
    str_set(&journal->final, label);
}

static bool is_busy(struct ui *ui)
{
    if (ui->journal.working)
        ui_info(ui, STYLE_DIM, "the last change is still being made; try again in a moment");
    return ui->journal.working != NULL;
}

void undo_stack_undo(struct ui *ui)
{
    struct undo_stack *journal = &ui->journal;

    if (is_busy(ui))
        return;
    if (journal->final.len) {
        ui_info(ui, STYLE_WARNING, "already delivered, and cannot be taken back: %s",
                str_c(&journal->final));
        str_clear(&journal->final);
        return;
    }
    if (!journal->done) {
        ui_info(ui, STYLE_DIM, "there is nothing to take back");
        return;
    }
    journal->working = journal->entries[journal->done - 1];
    journal->working->undo(ui, journal->working);
}

void undo_stack_redo(struct ui *ui)
{
    struct undo_stack *journal = &ui->journal;

    if (is_busy(ui))
        return;
    if (journal->done == journal->count) {
        ui_info(ui, STYLE_DIM, "there is nothing that was taken back");
        return;
    }
    journal->working = journal->entries[journal->done];
    journal->working->redo(ui, journal->working);
}

/* Moves the entry to the boundary between done and undone ones, because others may have been added
 * since its work began. */
void undo_stack_settle(struct ui *ui, struct undo_stack_entry *entry, bool undone, bool ok)
{
    struct undo_stack *journal = &ui->journal;
    size_t at = 0;

    if (journal->working == entry)
        journal->working = NULL;
    while (at < journal->count && journal->entries[at] != entry)
        at++;
    if (!ok || at == journal->count || undone == (at >= journal->done))
        return;
    take_out(journal, at);
    journal->done -= undone;
    put_in(journal, journal->done, entry);
    journal->done += !undone;
}
