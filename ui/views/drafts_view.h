/* Drafts and outbox: shared by the files of this view only. */
#ifndef UI_VIEWS_DRAFTS_VIEW_H
#define UI_VIEWS_DRAFTS_VIEW_H

#include "store/state/drafts.h"
#include "ui/ui.h"
#include "ui/widget/list.h"
#include "ui/widget/pager.h"

/* Kinds of rows. The first three are also groups, in this order. */
enum drafts_row { ROW_DRAFT, ROW_OUTBOX, ROW_SENT, ROW_HEADING };

enum { SENT_MOST = 20 };

struct drafts_view {
    struct screen screen;
    struct list list; /* kind: enum drafts_row; item: index of the draft, entry or delivery status;
                       * of a heading: the group */
    bool stale;       /* true if the rows refer to data that may be freed: the list has to be filled
                       * again */
    bool bare;
    bool has_page, in_page; /* has_page: the page was drawn; in_page: keys move in it, not in the
                             * list */
    size_t counts[3];
    struct delivery_notes notes; /* records of sent messages */
    bool notes_asked, notes_known;
    struct delivery_statuses statuses; /* of this snapshot; borrows from it and the notes */
    struct pager pager;                /* the selected row in full, below the list */
    struct str text;                   /* the text in the pager */
    struct str shown;                  /* the key and version of the row that `text` is about */
    uint64_t styles;                   /* reads begun; only the last result is used */
    int who_width;
    struct grid *grid; /* valid while drawing */
};

static inline struct drafts_view *drafts_of(struct screen *screen)
{
    return (struct drafts_view *)screen;
}

/* Return the data of a row of that kind. Borrowed until the next renewal. */
const struct saved_draft *drafts_draft(const struct drafts_view *view, const struct list_row *row);
const struct outbox_entry *drafts_entry(const struct drafts_view *view, const struct list_row *row);
const struct delivery_status *drafts_delivery(const struct drafts_view *view,
                                              const struct list_row *row);

/* Fills the list again if it is stale. */
void drafts_settle(struct drafts_view *view);

void drafts_draw(struct screen *screen, struct grid *grid, const struct area *area);
/* Appends the words of a row that searching compares. */
void drafts_add_words(void *context, const struct list_row *row, struct str *out);

/* Makes the text about the selected row, or begins to read it. */
void drafts_reload(struct drafts_view *view);

#endif
