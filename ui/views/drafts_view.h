/* Drafts and outbox, inside. */
#ifndef UI_VIEWS_DRAFTS_VIEW_H
#define UI_VIEWS_DRAFTS_VIEW_H

#include "store/state/drafts.h"
#include "ui/ui.h"
#include "ui/widget/list.h"
#include "ui/widget/pager.h"

/* The first three are groups, in this order, and the rows in them. */
enum drafts_row { ROW_DRAFT, ROW_OUTBOX, ROW_SENT, ROW_HEADING };

enum { SENT_MOST = 20 };

struct drafts_view {
    struct screen screen;
    struct list list; /* kind: enum drafts_row; item: which draft, entry or fate; of a heading: the
                         group */
    bool stale;       /* what the rows show is gone: they are to be filled again */
    bool bare;
    bool has_page, in_page; /* the page was drawn; keys move in it, not in the list */
    size_t counts[3];
    struct delivery_notes notes; /* what was sent */
    bool notes_asked, notes_known;
    struct delivery_statuses statuses; /* of the present picture; borrows from it and the notes */
    struct pager pager;                /* what is selected, below the list */
    struct str text;                   /* of it */
    struct str shown;                  /* the key of what the text is about, and its version */
    uint64_t styles;                   /* that were begun: only the last one counts */
    int who_width;
    struct grid *grid; /* while it is drawn */
};

static inline struct drafts_view *drafts_of(struct screen *screen)
{
    return (struct drafts_view *)screen;
}

/* drafts_fill.c */
/* What a row shows. Borrowed until the next renewal. */
const struct saved_draft *drafts_draft(const struct drafts_view *view, const struct list_row *row);
const struct outbox_entry *drafts_entry(const struct drafts_view *view, const struct list_row *row);
const struct delivery_status *drafts_delivery(const struct drafts_view *view,
                                              const struct list_row *row);

/* Fills the list again if it is stale. */
void drafts_settle(struct drafts_view *view);

/* drafts_draw.c */
void drafts_draw(struct screen *screen, struct grid *grid, const struct area *area);
/* Appends the words of a row that are searched. */
void drafts_add_words(void *context, const struct list_row *row, struct str *out);

/* drafts_look.c: the text about the selected row is made, or begun to be read. */
void drafts_look(struct drafts_view *view);

#endif
