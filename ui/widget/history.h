/* History: the lines that were typed before, of each kind, to be walked through with up and down.
 */
#ifndef UI_WIDGET_HISTORY_H
#define UI_WIDGET_HISTORY_H

#include "base/str.h"

enum {
    HISTORY_LINES = 500,       /* of one kind; the oldest go first */
    HISTORY_LINE_MOST = 65536, /* bytes; a longer line is not kept */
};

enum history_kind {
    HISTORY_COMMAND,
    HISTORY_SEARCH,
    HISTORY_FILTER,
    HISTORY_AGENT,    /* names that were picked or written to */
    HISTORY_DURATION, /* how long something was snoozed */
    HISTORY_REASON,   /* what was said with a decision */
    HISTORY_KINDS,
};

struct history_list {
    struct str *lines; /* the oldest first */
    size_t count, cap;
};

/* Zero-initialised is empty and valid. */
struct history {
    struct history_list lists[HISTORY_KINDS];
};

void history_free(struct history *history);

/* Keeps a line, unless it is empty, too long, or is the same as the last one. It may have newlines
 * in it. */
void history_add(struct history *history, enum history_kind kind, struct span line);
/* The same in place of the last one, should that be `before`: of a line that is still being typed
 * only the latest state is kept. */
void history_renew(struct history *history, enum history_kind kind, struct span before,
                   struct span line);

/* All of it as text, to be kept: a line each, the word of its kind before it. */
void history_text(const struct history *history, struct str *out);
/* Adds the lines of such a text. Lines of unknown kinds are left out. */
void history_add_lines(struct history *history, struct span text);

/* Where a walk is. Zero-initialised stands behind the last line. */
struct history_walk {
    struct str
        typed; /* what was there before the walk; only lines that start with it are visited */
    struct str shown; /* what the walk has given last */
    size_t back;      /* so many lines back; 0: not walking */
};

void history_walk_free(struct history_walk *walk);

/* The next older or newer line, given what the person sees now. When that is not what the walk gave
 * last, it has been edited and a new walk begins. Newer than the last line is what was typed. An
 * absent span when there is no such line. Borrowed until the next step. */
struct span history_older(const struct history *history, enum history_kind kind,
                          struct history_walk *walk, struct span now);
struct span history_newer(const struct history *history, enum history_kind kind,
                          struct history_walk *walk, struct span now);

#endif
