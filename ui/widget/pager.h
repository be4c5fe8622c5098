/* A page: a document that is scrolled through and searched. No curses. */
#ifndef UI_WIDGET_PAGER_H
#define UI_WIDGET_PAGER_H

#include "mail/page/page.h"
#include "ui/keys/action.h"
#include "ui/term/grid.h"

/* Zero-initialised is empty and valid. */
struct pager {
    struct document document;
    size_t top;      /* the first line that is shown */
    size_t left;     /* columns to the left of what is shown, without wrapping */
    size_t rows;     /* that were shown last */
    size_t columns;  /* that it was made for; 0: it is to be made */
    int64_t made_us; /* when that was */
    bool unwrapped;
    struct str sought;
    struct page_matches matches;
    size_t match; /* the one that was gone to */
    size_t began; /* the line that a search while typing began from */
    bool searching;
};

void pager_free(struct pager *pager);
/* The text has changed: it is made again when it is drawn next, and the place in it kept. */
void pager_stale(struct pager *pager);
/* The same for another text: from its start. */
void pager_reset(struct pager *pager);

/* Draws it; where it has to be made for this width `make` does that. */
void pager_draw(struct pager *pager, struct grid *grid, const struct area *area,
                const struct page_options *options,
                void (*make)(void *context, struct document *document,
                             const struct page_options *options),
                void *context);

/* Scrolls, wraps or not; false for any other action, and for scrolling on at the end. */
bool pager_act(struct pager *pager, enum action action);
/* As screens search; see screen.h. */
bool pager_search(struct pager *pager, struct span text, bool forward, bool live);

/* How far it was read: 0 to 100; and whether all of it fits. */
unsigned pager_percent(const struct pager *pager);
bool pager_at_end(const struct pager *pager);
/* Whether its last line was drawn into that area, wrapped, so that nothing was beside the screen.
 */
bool pager_was_read(const struct pager *pager, const struct area *area);

#endif
