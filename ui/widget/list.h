/* A set of keys: rows that are tagged, or unfolded. No curses. */
#ifndef UI_WIDGET_LIST_H
#define UI_WIDGET_LIST_H

#include "base/map.h"
#include "base/mem.h"
#include "base/str.h"
#include "ui/keys/action.h"
#include "ui/screen.h"
#include "ui/term/grid.h"

/* Zero-initialised is empty and valid. */
struct key_set {
    struct map keys; /* 1 for what is in it */
    struct arena arena;
};

/* Afterwards it is empty. */
void key_set_free(struct key_set *set);
bool key_set_has(const struct key_set *set, struct span key);
/* Puts it in, or takes it out. The key is copied. */
void key_set_toggle(struct key_set *set, struct span key);
size_t key_set_count(const struct key_set *set);

/* A list: rows that come and go, and a cursor that stays with its row. No curses. */

struct list_row {
    struct span key; /* who it is, over all changes of the list; absent: a heading */
    uint32_t item;   /* what it shows; for its owner */
    uint32_t of;     /* the same */
    uint32_t part;   /* the same */
    uint8_t kind;    /* the same */
};

/* Zero-initialised is empty and valid. */
struct list {
    struct list_row *rows;
    size_t count, cap;
    size_t cursor;      /* a row with a key, if there is one */
    size_t top;         /* the first row that is shown */
    size_t pager;       /* how many rows were shown last */
    size_t settled;     /* the top that the last move has left: other sizes come back to it */
    bool moved;         /* something has moved since */
    bool touched;       /* the person has moved or acted in it */
    bool loading;       /* rows are still missing; see list_end() */
    int y;              /* where it was drawn last */
    struct str sought;  /* the row that a search began from */
    struct arena arena; /* of the keys */
    struct list_row *old_rows; /* while it is filled anew */
    size_t old_count;
    struct arena old_arena;
};

void list_free(struct list *list);

/* Filling it anew: between these two rows are added. Afterwards the cursor is on the row it was on;
 * where that is gone, on the first one after it that is still there, else on the last before it. It
 * stays at its height on the screen, and so does what is around it. While rows are still missing
 * (`loading`) the cursor is on the first row, unless the person has touched the list: which row is
 * the first is not known before. */
void list_begin(struct list *list);
void list_add(struct list *list, const struct list_row *row); /* the key is copied */
/* The row that the cursor was on, which is not among those that were added, stays where it was,
 * with this kind and without an item. To be called after the last list_add(). */
void list_keep(struct list *list, uint8_t kind);
void list_end(struct list *list, bool loading);
/* The place of the row with that key, or SIZE_MAX. */
size_t list_find(const struct list *list, struct span key);

/* The row under the cursor; NULL in a list without any. */
const struct list_row *list_here(const struct list *list);
/* Goes to the row with that key; false when there is none. */
bool list_go(struct list *list, struct span key);
void list_go_to(struct list *list, size_t row);
/* The next row from the cursor on, or the one before it, that the test takes, around the end; false
 * when there is none but the present one at most. */
bool list_seek(struct list *list, bool forward,
               bool (*takes)(void *context, const struct list_row *row), void *context);

/* Appends what a row says, with newlines between its parts. */
typedef void list_words(void *context, const struct list_row *row, struct str *out);
/* Searching while typing, whatever the case: the same for the row under the cursor and those after
 * it, from the row on that the search began at. Without a text it goes back there. Not `live` it is
 * for the next one. */
bool list_search(struct list *list, struct span text, bool forward, bool live, list_words *words,
                 void *context);

/* Moves by one of the moving actions; false for any other. */
bool list_act(struct list *list, enum action action);

/* Draws what fits, one call a row, and lays the cursor over its row. */
void list_draw(struct list *list, struct grid *grid, const struct area *area,
               void (*row)(void *context, const struct list_row *row, const struct area *line),
               void *context);

/* The row that is drawn at that line of the grid; NULL for none. */
const struct list_row *list_at(const struct list *list, int y);
/* A click on that line of the screen, which the list is a part of: chooses the row. */
bool list_click(const struct list *list, struct screen *screen, int y, bool twice);

#endif
