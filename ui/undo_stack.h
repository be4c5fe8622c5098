/* The journal: changes that can be undone and redone. */
#ifndef UI_UNDO_STACK_H
#define UI_UNDO_STACK_H

#include "ui/ui.h"

enum { UNDO_STACK_MAX = 100 };

/* An undoable change. `undo` and `redo` start the work and return at once; they report when it is
 * done. The entry belongs to the journal until `free`. */
struct undo_stack_entry {
    struct str label; /* what was done, in words for the person: "archived 3 messages" */
    void (*undo)(struct ui *ui, struct undo_stack_entry *entry);
    void (*redo)(struct ui *ui, struct undo_stack_entry *entry);
    void (*free)(struct undo_stack_entry *entry);
};

/* Zero-initialised is empty and valid. */
struct undo_stack {
    struct undo_stack_entry *entries[UNDO_STACK_MAX]; /* oldest first */
    size_t count;
    size_t done;                      /* entries before it are made; the others were undone */
    struct undo_stack_entry *working; /* being undone or redone; NULL: none */
    struct str final;                 /* the last thing done, if it cannot be undone; or empty */
};

void undo_stack_free(struct undo_stack *journal);
/* Takes ownership of the entry. Drops the entries that were undone, which cannot be redone after
 * this, except one that is being redone already. */
void undo_stack_add(struct undo_stack *journal, struct undo_stack_entry *entry);
/* Records the label of something that cannot be undone. The next undo says so, before any earlier
 * change is undone. */
void undo_stack_end(struct undo_stack *journal, struct span label);

void undo_stack_undo(struct ui *ui);
void undo_stack_redo(struct ui *ui);
/* To be called by an entry when its work has ended. `ok` means that it is undone now (`undone`), or
 * made. */
void undo_stack_settle(struct ui *ui, struct undo_stack_entry *entry, bool undone, bool ok);

#endif
