/* Changes of messages: the task, the report of its outcome, and undo. */
#include "ui/change_status.h"

#include "base/mem.h"
#include "ui/snapshot/picture.h"
#include "ui/ui_state.h"
#include "ui/undo_stack.h"

#include <stdlib.h>

/* Journal entry of a change. A restore is a change in reverse: it undid the archiving, and its undo
 * archives the messages again. */
struct change_entry {
    struct undo_stack_entry entry;
    struct change_records records;
    enum status status;
    bool restored;
};

/* Task that makes a change for the first time, makes it again, or undoes it. */
struct change_task {
    struct ui_task task;
    struct kept_heads messages; /* to change */
    size_t count;
    enum status status;
    struct changed *outcomes;
    struct change_records records; /* made by the task, or to be undone by it */
    struct change_entry *entry;    /* to be undone or made again; NULL for the first time */
    bool back;                     /* true if the task undoes the records */
    bool restores;                 /* first time only: the messages are restored */
    size_t left;                   /* messages left out because they were written to others */
    uint64_t screen;               /* where the undo was requested */
};

static void task_free(struct ui_task *task)
{
    struct change_task *change = (struct change_task *)task;

    free(change->outcomes);
    kept_heads_free(&change->messages);
    change_records_free(&change->records);
    free(change);
}

static void entry_free(struct undo_stack_entry *entry)
{
    struct change_entry *change = (struct change_entry *)entry;

    change_records_free(&change->records);
    free(change);
}

static void add_label(struct str *out, const struct change_entry *entry)
{
    size_t count = entry->records.count;

    if (entry->restored)
        str_puts(out, "restored");
    else if (entry->status == STATUS_ARCHIVED)
        str_puts(out, "archived");
    else
        str_addf(out, "marked as %s:", status_name(entry->status));
    str_addf(out, " %zu message%s", count, count == 1 ? "" : "s");
}

/* Shows the outcome. Of several failures only the reason of the first is shown. */
static void say_outcome(struct ui *ui, const struct change_task *change, const char *done,
                        const char *behind)
{
    const struct changed *failed = NULL, *local = NULL;
    size_t failures = 0, locals = 0;
    CLEANUP(str_free) struct str where = {0};

    for (size_t i = 0; i < change->count; i++) {
        failures += !change->outcomes[i].ok;
        locals += change->outcomes[i].ok && change->outcomes[i].local;
        if (!change->outcomes[i].ok && !failed)
            failed = &change->outcomes[i];
        if (change->outcomes[i].ok && (change->outcomes[i].local || change->outcomes[i].remains))
            local = &change->outcomes[i];
    }
    if (locals == change->count - failures && locals)
        str_puts(&where, ", here only");
    else if (locals)
        str_addf(&where, ", %zu of them here only", locals);
    if (change->left)
        str_addf(&where, "; %zu left: written to others", change->left);
    if (failed && failures == change->count)
        ui_error(ui, &failed->err);
    else if (failed)
        ui_failf(ui, "%s; %zu could not be: %s", done, failures, failed->err.text);
    else if (local && local->remains)
        ui_info(ui, STYLE_WARNING, "%s; %s", done, local->remains);
    else
        ui_info(ui, STYLE_PLAIN, "%s%s%s", done, str_c(&where), behind);
}

/* --- the work --- */

static void change_task_work(struct ui_task *task, struct store *store)
{
    struct change_task *change = (struct change_task *)task;

    if (change->back)
        store_undo_change(store, &change->records, change->outcomes);
    else if (change->restores)
        store_restore_recorded(store, change->messages.items, change->count, change->outcomes,
                               &change->records);
    else
        store_change_recorded(store, change->messages.items, change->count, change->status,
                              (struct span){0}, change->outcomes, &change->records);
}

static bool all_ok(const struct change_task *change)
{
    for (size_t i = 0; i < change->count; i++)
        if (!change->outcomes[i].ok)
            return false;
    return true;
}

/* Moves the cursor to the message that was brought back: the person wants to see it. */
static void await_message(struct ui *ui, const struct change_task *change,
                          const struct change_records *records)
{
    struct screen *screen = ui_screen(ui, change->screen);

    if (screen && screen->ops->await && records->count && all_ok(change))
        screen->ops->await(screen, &records->items[0].message);
}

static void take_back(struct ui *ui, struct undo_stack_entry *entry);
static void redo_change(struct ui *ui, struct undo_stack_entry *entry);

/* Moves the records of a finished task into the journal entry, for the next undo or redo. */
static void keep_records(struct change_entry *entry, struct change_task *change)
{
    change_records_free(&entry->records);
    entry->records = change->records;
    change->records = (struct change_records){0};
}

static struct change_entry *entry_new(struct ui *ui, struct change_task *change)
{
    struct change_entry *entry = mem_zero(1, sizeof *entry);

    *entry =
        (struct change_entry){.entry = {.undo = take_back, .redo = redo_change, .free = entry_free},
                              .status = change->status,
                              .restored = change->restores};
    if (entry->restored) {
        entry->entry.undo = redo_change;
        entry->entry.redo = take_back;
    }
    undo_stack_add(&ui->journal, &entry->entry);
    return entry;
}

/* Shows why the store could not be opened, and leaves the journal as it was. */
static void give_up(struct ui *ui, struct change_task *change)
{
    struct change_entry *entry = change->entry;

    ui_error(ui, &change->task.err);
    if (entry && change->back)
        keep_records(entry, change);
    if (entry)
        undo_stack_settle(ui, &entry->entry, change->back != entry->restored, false);
}

static void change_task_done(struct ui_task *task, struct ui *ui)
{
    struct change_task *change = (struct change_task *)task;
    struct change_entry *entry = change->entry;
    CLEANUP(str_free) struct str label = {0};

    if (task->unbegun) {
        give_up(ui, change);
        return;
    }
    if (!change->records.count) {
        say_outcome(ui, change, "nothing was changed", "");
        if (entry)
            undo_stack_settle(ui, &entry->entry, entry->restored, all_ok(change));
        return;
    }
    bool undone = entry && change->back != entry->restored;
    if (!entry)
        entry = entry_new(ui, change);
    keep_records(entry, change);
    if (undone) {
        str_addf(&label, "taken back: %s", str_c(&entry->entry.label));
    } else {
        add_label(&label, entry);
        str_set(&entry->entry.label, str_span(&label));
    }
    say_outcome(ui, change, str_c(&label), undone ? "; ^R does it again" : "; u takes it back");
    if (undone)
        await_message(ui, change, &entry->records);
    /* settled as ok even if some messages failed: the person could not get past the entry
     * otherwise */
    undo_stack_settle(ui, &entry->entry, undone, true);
}

static struct change_task *task_new(size_t count, enum status status)
{
    struct change_task *change = mem_zero(1, sizeof *change);

    *change = (struct change_task){
        .task = {.work = change_task_work, .done = change_task_done, .free = task_free},
        .count = count,
        .status = status};
    change->outcomes = mem_zero(count + 1, sizeof *change->outcomes);
    return change;
}

static void take_back(struct ui *ui, struct undo_stack_entry *entry)
{
    struct change_entry *made = (struct change_entry *)entry;
    struct change_task *change = task_new(made->records.count, made->status);

    change->back = true;
    change->screen = ui_top(ui)->id;
    change->entry = made;
    change->records = made->records; /* lent to the task, until keep_records() */
    made->records = (struct change_records){0};
    ui_begin(ui, UI_WRITE, &change->task);
}

/* Makes the change again. Copies the messages: they belong to the old records, which are freed when
 * the new ones arrive. */
static void redo_change(struct ui *ui, struct undo_stack_entry *entry)
{
    struct change_entry *made = (struct change_entry *)entry;
    struct change_task *change = task_new(made->records.count, made->status);

    change->entry = made;
    for (size_t i = 0; i < made->records.count; i++)
        kept_heads_add(&change->messages, &made->records.items[i].message);
    ui_begin(ui, UI_WRITE, &change->task);
}

static void begin_change(struct ui *ui, const struct span_list *keys, enum status status,
                         bool restores, size_t left)
{
    struct change_task *change = task_new(keys->count, status);

    for (size_t i = 0; i < keys->count; i++) {
        const struct message *message = picture_find(ui->picture, keys->items[i]);
        if (message)
            kept_heads_add(&change->messages, message);
    }
    change->count = change->messages.count;
    change->restores = restores;
    change->left = left;
    ui_begin(ui, UI_WRITE, &change->task);
}

void change_begin(struct ui *ui, const struct span_list *keys, enum status status, size_t left)
{
    begin_change(ui, keys, status, false, left);
}

void change_restore(struct ui *ui, const struct span_list *keys)
{
    begin_change(ui, keys, STATUS_ARCHIVED, true, 0);
}
