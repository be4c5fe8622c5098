/* The pager: a document that can be scrolled and searched. No curses. */
#ifndef UI_WIDGET_PAGER_H
#define UI_WIDGET_PAGER_H

#include "mail/page/page.h"
#include "ui/keys/keymap.h"
#include "ui/term/grid.h"
#include "ui/ui.h"

/* Incremental search in any screen that can be searched. */

bool search_act(struct ui *ui, enum action action, struct span argument);

/* A screen with any text in a pager: help, output of commands. */

/* Returns a new screen; copies both texts. */
struct screen *text_screen_new(struct ui *ui, const char *title, struct span text);

/* Opens the help: the keys of a screen, from the table of actions. */

void help_open(struct ui *ui, unsigned where);

/* Zero-initialised is empty and valid. */
struct pager {
    struct document document;
    size_t top;      /* first visible line */
    size_t left;     /* columns scrolled to the right, if unwrapped */
    size_t rows;     /* when last drawn */
    size_t columns;  /* width of the layout; 0: not laid out */
    int64_t made_us; /* time of the layout */
    bool unwrapped;
    struct str sought;
    struct page_matches matches;
    size_t match; /* index of the current match */
    size_t began; /* `top` at the start of an incremental search */
    bool searching;
};

void pager_free(struct pager *pager);
/* Marks the text as changed: the next draw lays it out again and keeps the position. */
void pager_stale(struct pager *pager);
/* Like pager_stale(), but for another text: the position is reset. */
void pager_reset(struct pager *pager);

/* Draws the document; calls `make` first if it has to be laid out for this width. */
void pager_draw(struct pager *pager, struct grid *grid, const struct area *area,
                const struct page_options *options,
                void (*make)(void *context, struct document *document,
                             const struct page_options *options),
                void *context);

/* Scrolls or toggles wrapping; returns false for other actions, and for ACTION_SCROLL at the
 * end. */
bool pager_act(struct pager *pager, enum action action);
/* Implements the search of a screen; see screen.h. */
bool pager_search(struct pager *pager, struct span text, bool forward, bool live);
/* search() of struct screen_ops, for a screen with a pager. */
bool pager_screen_search(struct screen *screen, struct span text, bool forward, bool live);

/* pager_percent() returns how much was shown, 0 to 100; pager_at_end() reports whether the end is
 * visible. */
unsigned pager_percent(const struct pager *pager);
bool pager_at_end(const struct pager *pager);
/* Reports whether the last line was drawn into the area, and wrapped, so that nothing was hidden to
 * the right. */
bool pager_was_read(const struct pager *pager, const struct area *area);

#endif
