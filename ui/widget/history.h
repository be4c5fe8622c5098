/* History: the lines that were typed before, by kind, to walk through with up and down. */
#ifndef UI_WIDGET_HISTORY_H
#define UI_WIDGET_HISTORY_H

#include "base/str.h"

enum {
    HISTORY_LINES = 500,       /* of one kind; the oldest are dropped */
    HISTORY_LINE_MOST = 65536, /* bytes; longer lines are not kept */
};

enum history_kind {
    HISTORY_COMMAND,
    HISTORY_SEARCH,
    HISTORY_FILTER,
    HISTORY_AGENT,    /* agents that were picked or written to */
    HISTORY_DURATION, /* durations of snoozes */
    HISTORY_REASON,   /* reasons given with decisions */
    HISTORY_KINDS,
};

struct history_list {
    struct str *lines; /* oldest first */
    size_t count, cap;
};

/* Zero-initialised is empty and valid. */
struct history {
    struct history_list lists[HISTORY_KINDS];
};

void history_free(struct history *history);

/* Adds a line, unless it is empty, too long, or equal to the last one. It may contain newlines. */
void history_add(struct history *history, enum history_kind kind, struct span line);
/* Like history_add(), but replaces the last line if that is `before`: of a line that is still being
 * typed only the latest form is kept. */
void history_renew(struct history *history, enum history_kind kind, struct span before,
                   struct span line);

/* Appends all lines as text to be saved: a line each, after the word of its kind. */
void history_text(const struct history *history, struct str *out);
/* Adds the lines of such a text. Skips lines of unknown kinds. */
void history_add_lines(struct history *history, struct span text);

/* Position of a walk. Zero-initialised is after the last line. */
struct history_walk {
    struct str typed; /* text before the walk; only lines that start with it are visited */
    struct str shown; /* last line that the walk returned */
    size_t back;      /* number of lines back; 0: not walking */
};

void history_walk_free(struct history_walk *walk);

/* Return the next older or newer line. `now` is the text on the screen: if it is not the last one
 * that the walk returned, it was edited and a new walk begins. After the newest line comes the
 * typed text. Returns an absent span if there is no such line. Borrowed until the next step. */
struct span history_older(const struct history *history, enum history_kind kind,
                          struct history_walk *walk, struct span now);
struct span history_newer(const struct history *history, enum history_kind kind,
                          struct history_walk *walk, struct span now);

#endif
