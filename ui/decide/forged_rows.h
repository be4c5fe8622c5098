/* Rows of the queue that are not open requests: lead commands that neither the lead nor the person
 * has given, and requests that were answered in the person's name, but not from here. */
#ifndef UI_DECIDE_FORGED_ROWS_H
#define UI_DECIDE_FORGED_ROWS_H

#include "store/decide/forged_command.h"
#include "ui/ui.h"
#include "ui/widget/list.h"

/* Kinds of rows in the queue. For ROW_ANSWERED `of` is the index of the answer in the model, and
 * `part` is 1 for an alarm. */
enum { ROW_REQUEST, ROW_FORGED, ROW_ANSWERED, ROW_GONE };

struct forged_row {
    enum forged_state state;
    struct span key, answer; /* keys in the snapshot; a lead command has no answer */
};

/* Zero-initialised is empty and valid. */
struct forged_rows {
    struct forged_row *items;
    size_t count, cap;
    struct arena arena;
    struct map settled; /* messages that are not forged: from their key to the hash of their
                         * bytes */
    struct arena settled_keys;
    bool looked; /* true if all mail was checked once */
};

void decide_forged_free(struct forged_rows *rows);

/* Checks all mail again in the background, once it is loaded. `take` is called when `rows`, which
 * must be a part of the screen, have changed. */
void decide_forged_find(struct forged_rows *rows, struct screen *screen,
                        void (*take)(struct screen *screen));

/* Adds either the alarms or all other rows to the list. */
void decide_forged_add(const struct forged_rows *rows, const struct picture *picture,
                       struct list *list, bool alarms);

static inline bool row_is_alarm(const struct list_row *row)
{
    return row->kind == ROW_FORGED || (row->kind == ROW_ANSWERED && row->part);
}

/* Returns the number of rows in the list that nobody has to decide. */
size_t decide_forged_notes(const struct list *list);

/* True, after a message, if the row was answered already and the action would decide it. */
bool decide_forged_refuses(struct ui *ui, const struct list_row *row, enum action action);

#endif
