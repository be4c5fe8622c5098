/* Lists: rows that change, with a cursor that stays with its row; and sets of their keys. No
 * curses. */
#ifndef UI_WIDGET_LIST_H
#define UI_WIDGET_LIST_H

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "ui/keys/keymap.h"
#include "ui/screen.h"
#include "ui/term/grid.h"

/* A set of keys: rows that are tagged, or unfolded. Zero-initialised is empty and valid. */
struct key_set {
    struct map keys; /* value 1: in the set */
    struct arena arena;
};

/* Frees the keys and leaves an empty set. */
void key_set_free(struct key_set *set);
bool key_set_has(const struct key_set *set, struct span key);
/* Adds the key or removes it. The key is copied. */
void key_set_toggle(struct key_set *set, struct span key);
size_t key_set_count(const struct key_set *set);

/* A list: rows that change, and a cursor that stays with its row. No curses. */

struct list_row {
    struct span key; /* identity of the row across all changes; absent: a heading */
    uint32_t item;   /* the shown item; for the owner of the list */
    uint32_t of;     /* for the owner */
    uint32_t part;   /* for the owner */
    uint8_t kind;    /* for the owner */
};

/* Zero-initialised is empty and valid. */
struct list {
    struct list_row *rows;
    size_t count, cap;
    size_t cursor;      /* on a row with a key, if there is one */
    size_t top;         /* first visible row */
    size_t pager;       /* number of visible rows when last drawn */
    size_t settled;     /* `top` after the last move; scrolling for another size starts from it */
    bool moved;         /* moved since the last draw */
    bool touched;       /* the person has moved or acted in it */
    bool loading;       /* rows are still missing; see list_end() */
    int y;              /* first line of the last draw */
    struct str sought;  /* key of the row where a search began */
    struct arena arena; /* holds the keys */
    struct list_row *old_rows; /* the former rows, while the list is filled */
    size_t old_count;
    struct arena old_arena;
};

void list_free(struct list *list);

/* Filling: rows are added between list_begin() and list_end(). Afterwards the cursor is on the same
 * row as before; if that is gone, on the next remaining row after it, else on the last one before
 * it. The cursor stays at its height on the screen. While rows are still missing (`loading`) the
 * cursor is on the first row, unless the person has touched the list, because rows that come first
 * may still be missing. */
void list_begin(struct list *list);
void list_add(struct list *list, const struct list_row *row); /* copies the key */
/* Adds the row under the cursor again at its former place, with this kind and without an item. Call
 * it after the last list_add(), and only if that row was not among those added. */
void list_keep(struct list *list, uint8_t kind);
void list_end(struct list *list, bool loading);
/* Returns the place of the row with that key, or SIZE_MAX. */
size_t list_find(const struct list *list, struct span key);

/* Returns the row under the cursor; NULL if there is none. */
const struct list_row *list_here(const struct list *list);
/* Moves the cursor to the row with that key; returns false if there is none. */
bool list_go(struct list *list, struct span key);
void list_go_to(struct list *list, size_t row);
/* Moves the cursor to the next or previous row that `takes` accepts, wrapping around. Returns false
 * if no other row is accepted. */
bool list_seek(struct list *list, bool forward,
               bool (*takes)(void *context, const struct list_row *row), void *context);
/* Like list_seek() for the list of a screen, which is the context; says `nothing` if it fails. */
void list_screen_seek(struct screen *screen, bool forward, const char *nothing,
                      bool (*takes)(void *context, const struct list_row *row));

/* Appends the text of a row, with newlines between its parts. */
typedef void list_words(void *context, const struct list_row *row, struct str *out);
/* Searches the rows, ignoring case. `live` is for each change while typing: it searches from the
 * row at which the search began, that row included, and without a text moves back to it. Otherwise
 * moves to the next match. Returns false if nothing matches. */
bool list_search(struct list *list, struct span text, bool forward, bool live, list_words *words,
                 void *context);

/* Performs a moving action; returns false for others. */
bool list_act(struct list *list, enum action action);

/* Draws the visible rows, with one call each, and marks the row under the cursor. */
void list_draw(struct list *list, struct grid *grid, const struct area *area,
               void (*row)(void *context, const struct list_row *row, const struct area *line),
               void *context);

/* Returns the row at that line of the grid; NULL if there is none. */
const struct list_row *list_at(const struct list *list, int y);
/* Handles a click on that line of the screen, of which the list is a part: chooses the row. */
bool list_click(const struct list *list, struct screen *screen, int y, bool twice);

/* choose() and click() of struct screen_ops, for a screen with a list. */
bool list_screen_choose(struct screen *screen, struct span key, bool open);
bool list_screen_click(struct screen *screen, int y, int x, bool twice);

#endif
