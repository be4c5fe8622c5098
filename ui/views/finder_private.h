/* The search through all mail, inside. */
#ifndef UI_VIEWS_FINDER_PRIVATE_H
#define UI_VIEWS_FINDER_PRIVATE_H

#include "mail/query/query.h"
#include "ui/views/finder.h"
#include "ui/widget/list.h"

#include <stdatomic.h>

enum { FOUND_MOST = 200 };

/* A message that was found, as its rows show it. */
struct found_row {
    struct span key; /* of the picture */
    int64_t created_us;
    struct span from, subject, team;
    struct span before, found, after; /* the line it was found in */
    uint32_t source;
    bool cut, archived;
};

/* What a search has brought. Zero-initialised is nothing. */
struct found_rows {
    struct found_row *items;
    size_t count, cap;
    struct arena arena;
    bool more;
    bool damaged;       /* a part of the index could not be used */
    size_t read, files; /* that the index did not know, and of how many */
};

void found_rows_free(struct found_rows *rows);

struct finder_task;

struct finder {
    struct screen screen;
    struct list list; /* item: which message; rows without a key are the lines they were found in */
    struct str text;  /* as it is typed */
    struct err mistake; /* in it; scope ERR_NONE: none */
    bool empty;         /* there is nothing to be sought in it */
    bool ranked;
    struct found_rows rows;
    bool known;                /* the rows are what the text finds */
    bool other;                /* and something else than those before: the first one is selected */
    struct finder_task *task;  /* that is at work, or NULL */
    bool again;                /* its answer will not be the one that is wanted */
    bool stale;                /* mail has changed since */
    int64_t ended_us, cost_us; /* of the last search, by the steady clock */
    struct grid *grid;         /* while it is drawn */
};

/* finder_seek.c: begins to search for what is typed, or lets go of it. */
void finder_seek(struct finder *finder);
/* Gives up what is at work. */
void finder_give_up(struct finder *finder);
/* In how many microseconds mail that has changed is searched again; WHEN_NONE: never. */
int64_t finder_due_us(struct screen *screen);

/* The rows are filled anew. */
void finder_fill(struct finder *finder);

/* finder_draw.c */
void finder_draw(struct screen *screen, struct grid *grid, const struct area *area);

#endif
