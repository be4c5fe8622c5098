/* The journal: what was changed, so that it can be taken back and made again. */
#ifndef UI_UNDO_STACK_H
#define UI_UNDO_STACK_H

#include "ui/ui.h"

enum { UNDO_STACK_MAX = 100 };

/* Something that can be undone. Both begin the work and return at once; they say what they did when
 * it is done. The entry belongs to the journal until `free`. */
struct undo_stack_entry {
    struct str label; /* what was done, for the person: "archived 3 messages" */
    void (*undo)(struct ui *ui, struct undo_stack_entry *entry);
    void (*redo)(struct ui *ui, struct undo_stack_entry *entry);
    void (*free)(struct undo_stack_entry *entry);
};

/* Zero-initialised is empty and valid. */
struct journal {
    struct undo_stack_entry *entries[UNDO_STACK_MAX]; /* the oldest first */
    size_t count;
    size_t done;                      /* those before it are made; the others were taken back */
    struct undo_stack_entry *working; /* that is being taken back or made again; NULL: none */
    struct str final;                 /* what was done last, and cannot be taken back; or empty */
};

void undo_stack_free(struct journal *journal);
/* Takes the entry over. What was taken back before can not be made again after this, but for what
 * is being made already. */
void undo_stack_add(struct journal *journal, struct undo_stack_entry *entry);
/* Something was done that cannot be taken back: who tries is told so, before what was done earlier
 * is taken back. */
void undo_stack_end(struct journal *journal, struct span label);

void undo_stack_undo(struct ui *ui);
void undo_stack_redo(struct ui *ui);
/* To be called by an entry when its work has ended, of whatever kind: `ok` when it is undone now,
 * or made. */
void undo_stack_settle(struct ui *ui, struct undo_stack_entry *entry, bool undone, bool ok);

#endif
