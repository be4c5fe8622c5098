/* Edit: text that a person writes, in a field of a form or in the line at the foot.
 *
 * The cursor always stands where a character as it is drawn begins, or at the end of the text: a
 * letter and its marks are one, an emoji of several pictures is as many. What is drawn is what
 * sanitize_next() makes of the text; a tab reaches to the next multiple of eight columns of its
 * row. Rows are broken behind blanks, too long words anywhere; blanks that do not fit hang at the
 * end of their row, undrawn. */
#ifndef UI_WIDGET_LINE_EDIT_H
#define UI_WIDGET_LINE_EDIT_H

#include "base/str.h"
#include "ui/keys/action.h"

#include <stdint.h>

enum {
    EDIT_MOST = 4 << 20,       /* bytes of a text, unless told otherwise */
    EDIT_UNDO_STEPS = 1000,    /* what can be taken back: this many steps */
    EDIT_UNDO_BYTES = 8 << 20, /* of at most this many bytes together, but one step always */
    EDIT_TAB = 8,
};

/* What was cut out last, for all edits that are given the same one. Zero-initialised is empty. */
struct edit_clip {
    struct str text;
};

void edit_clip_free(struct edit_clip *clip);

enum edit_result {
    EDIT_NOTHING, /* there was nothing to do: at the first row there is no row above */
    EDIT_DONE,
    EDIT_FULL, /* refused: the text would be longer than `most`. Nothing has changed; say so. */
};

/* What follows what, so that a run of keys is one step. */
enum edit_run {
    EDIT_RUN_NONE,
    EDIT_RUN_TYPE,
    EDIT_RUN_BACK,
    EDIT_RUN_AHEAD,
    EDIT_RUN_CUT,
};

struct edit_change;

struct edit_undo {
    struct edit_change *changes; /* the oldest first */
    size_t count, cap;
    size_t done;  /* so many of them are in the text; the others were taken back */
    size_t bytes; /* of text in all of them */
};

/* Rows of the text as it was in that version, at that width. */
struct edit_rows {
    size_t *starts;
    size_t count, cap;
    size_t columns;
    uint64_t version;
    size_t same; /* so many bytes at the start have not been changed since */
};

/* Set the first four, zero-initialise the rest. To be moved in memory, not copied. */
struct edit {
    struct edit_clip *clip; /* may be NULL: nothing can be put back then */
    bool single;            /* one line: newlines become blanks */
    bool ascii;             /* the terminal is not UTF-8: see SANITIZE_ASCII */
    size_t most;            /* bytes; 0 for EDIT_MOST */

    struct str text; /* UTF-8, no NUL, lines end in \n */
    size_t cursor;   /* a byte offset */
    uint64_t version;
    size_t wanted; /* the column that up and down try to keep */
    bool has_wanted;
    enum edit_run run;
    size_t columns; /* of the last layout; 0 before the first */
    struct edit_rows rows;
    struct edit_undo undo;
};

void edit_free(struct edit *edit);

/* Starts anew with this text, the cursor at its end: nothing can be taken back. */
enum edit_result edit_set(struct edit *edit, struct span text);

/* Borrowed until the next change. */
struct span edit_text(const struct edit *edit);
/* A number that is another one after every change of the text. */
uint64_t edit_version(const struct edit *edit);

/* Typing, when it is one character; anything longer is a paste, which is a step of its own. CR and
 * CRLF become newlines, what is not UTF-8 becomes U+FFFD, NUL is dropped; other control characters
 * stay and are drawn visibly. On a single line newlines become blanks, those at the end nothing. */
enum edit_result edit_insert(struct edit *edit, struct span text);

/* Puts a text in the place of another as one step, the cursor behind it: for completions and for
 * what comes back from $EDITOR. Offsets where no character begins are moved to where one does. */
enum edit_result edit_replace(struct edit *edit, size_t from, size_t to, struct span text);

/* Does one of the actions that belong to IN_TEXT; those of other kinds are EDIT_NOTHING. Up and
 * down go by the rows of the last layout; start and end mean the line as it was written, not the
 * row. Words are letters, digits and '_'. Consecutive cuts become one text for the clip. */
enum edit_result edit_act(struct edit *edit, enum action action);

/* The text as rows of at most so many columns. Costs a walk through the text from the
 * changed line on, nothing when nothing was changed. Only a character that is wider than that makes
 * a row wider. */
struct edit_layout {
    size_t rows;   /* one at least */
    size_t row;    /* of the cursor */
    size_t column; /* of the cursor: 0 to `columns`, so keep a column behind the text for it */
};

struct edit_layout edit_layout(struct edit *edit, size_t columns);

/* The bytes of a row of the last layout; together the rows are exactly the text. */
struct span edit_row(const struct edit *edit, size_t row);
/* Appends a row as it is to be drawn, cleaned, and returns the columns that it takes. */
size_t edit_draw(const struct edit *edit, size_t row, struct str *out);
/* Puts the cursor there, or as near as the row allows, in the last layout: for the mouse, and for
 * entering a field from above or below. */
void edit_go(struct edit *edit, size_t row, size_t column);

/* Edit: what its files share. */

/* A character as a person sees it. */
struct edit_cell {
    size_t end;     /* behind it */
    size_t columns; /* 0 for a newline and a tab */
    char first;     /* its first byte */
    bool blank;     /* a space without marks, or a tab */
    bool wide;      /* rows may be broken on both sides of it */
};

/* The character that begins there, before the end of the text. */
struct edit_cell edit_cell(const struct edit *edit, size_t at);

/* Where a character begins at or behind that place. */
size_t edit_snap(const struct edit *edit, size_t at);

/* Where these lead from a place at which a character begins; nowhere is that place. */
size_t edit_left(const struct edit *edit, size_t at);
size_t edit_right(const struct edit *edit, size_t at);

/* Puts the text, which is clean, in the place of what is there and remembers how it was; joins the
 * step before when that belongs to the same run. */
void edit_change(struct edit *edit, size_t from, size_t to, struct span text, enum edit_run run);
enum edit_result edit_undo(struct edit *edit);

#endif
