/* Rows of the queue that are no requests any more, or never were: orders of a lead that neither the
 * lead nor the person has given, and requests that were answered in the person's name, but not from
 * here. */
#ifndef UI_DECIDE_FORGED_ROWS_H
#define UI_DECIDE_FORGED_ROWS_H

#include "store/decide/forged_command.h"
#include "ui/ui.h"
#include "ui/widget/list.h"

/* Kinds of rows in the queue. Of ROW_ANSWERED `of` is the answer's number in the picture, and
 * `part` is 1 for an alarm. */
enum { ROW_REQUEST, ROW_FORGED, ROW_ANSWERED, ROW_GONE };

struct forged_row {
    enum forged_state state;
    struct span key, answer; /* of the picture; an order has no answer */
};

/* Zero-initialised is empty and valid. */
struct forged_rows {
    struct forged_row *items;
    size_t count, cap;
    struct arena arena;
    struct map settled; /* messages that are nobody else's, by key: their print */
    struct arena settled_keys;
    bool looked; /* all mail was looked through once */
};

void decide_forged_free(struct forged_rows *rows);

/* Finds them anew, without waiting, once all mail is there; `take` is called when `rows`, which
 * belong to the screen, are filled. */
void decide_forged_find(struct forged_rows *rows, struct screen *screen,
                        void (*take)(struct screen *screen));

/* Adds the rows that are alarms to the list, or all others. */
void decide_forged_add(const struct forged_rows *rows, const struct picture *picture,
                       struct list *list, bool alarms);

static inline bool row_is_alarm(const struct list_row *row)
{
    return row->kind == ROW_FORGED || (row->kind == ROW_ANSWERED && row->part);
}

/* How many rows of the list wait for nobody. */
size_t decide_forged_notes(const struct list *list);

/* Whether the row was answered already, so that nothing is decided by that action; it is said then.
 */
bool decide_forged_refuses(struct ui *ui, const struct list_row *row, enum action action);

#endif
