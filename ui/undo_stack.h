/* The journal: what was changed, so that it can be taken back and made again. */
#ifndef UI_UNDO_STACK_H
#define UI_UNDO_STACK_H

#include "ui/ui.h"

enum { JOURNAL_MAX = 100 };

/* Something that can be undone. Both begin the work and return at once; they say what they did when
 * it is done. The entry belongs to the journal until `free`. */
struct journal_entry {
    struct str label; /* what was done, for the person: "archived 3 messages" */
    void (*undo)(struct ui *ui, struct journal_entry *entry);
    void (*redo)(struct ui *ui, struct journal_entry *entry);
    void (*free)(struct journal_entry *entry);
};

/* Zero-initialised is empty and valid. */
struct journal {
    struct journal_entry *entries[JOURNAL_MAX]; /* the oldest first */
    size_t count;
    size_t done;                   /* those before it are made; the others were taken back */
    struct journal_entry *working; /* that is being taken back or made again; NULL: none */
    struct str final;              /* what was done last, and cannot be taken back; or empty */
};

void journal_free(struct journal *journal);
/* Takes the entry over. What was taken back before can not be made again after this, but for what
 * is being made already. */
void journal_add(struct journal *journal, struct journal_entry *entry);
/* Something was done that cannot be taken back: who tries is told so, before what was done earlier
 * is taken back. */
void journal_end(struct journal *journal, struct span label);

void journal_undo(struct ui *ui);
void journal_redo(struct ui *ui);
/* To be called by an entry when its work has ended, of whatever kind: `ok` when it is undone now,
 * or made. */
void journal_settle(struct ui *ui, struct journal_entry *entry, bool undone, bool ok);

#endif
