/* Rows of the queue that are not open requests: lead commands that neither the lead nor the person
 * has given, and requests that were answered in the person's name, but not from here. */
#ifndef UI_DECIDE_DECIDE_VIEW_H
#define UI_DECIDE_DECIDE_VIEW_H

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

static inline bool row_is_alarm(const struct list_row *row)
{
    return row->kind == ROW_FORGED || (row->kind == ROW_ANSWERED && row->part);
}

#endif
