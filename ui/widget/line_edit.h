/* Editing text, in a field of a form or in the line at the foot.
 *
 * The cursor is always at the start of a character as it is drawn, or at the end of the text: a
 * letter and its marks are one character, an emoji of several pictures is as many. Characters are
 * drawn as sanitize_next() returns them; a tab extends to the next multiple of eight columns of its
 * row. Rows are broken after blanks, words that are too long anywhere; blanks that do not fit are
 * at the end of their row, but not drawn. */
#ifndef UI_WIDGET_LINE_EDIT_H
#define UI_WIDGET_LINE_EDIT_H

#include "base/str.h"
#include "ui/keys/keymap.h"

#include <stdint.h>

enum {
    EDIT_MOST = 4 << 20,       /* default maximum of bytes of a text */
    EDIT_UNDO_STEPS = 1000,    /* maximum number of steps to undo */
    EDIT_UNDO_BYTES = 8 << 20, /* maximum of their bytes together, but always one step */
    EDIT_TAB = 8,
};

/* Text that was cut last, shared by all edits that point to it. Zero-initialised is empty. */
struct edit_clip {
    struct str text;
};

void edit_clip_free(struct edit_clip *clip);

enum edit_result {
    EDIT_NOTHING, /* nothing to do: no row above the first one */
    EDIT_DONE,
    EDIT_FULL, /* refused: the text would exceed `most`. Nothing has changed; the caller says so. */
};

/* Kinds of keys: a run of the same kind is one step. */
enum edit_run {
    EDIT_RUN_NONE,
    EDIT_RUN_TYPE,
    EDIT_RUN_BACK,
    EDIT_RUN_AHEAD,
    EDIT_RUN_CUT,
};

struct edit_change;

struct edit_undo {
    struct edit_change *changes; /* oldest first */
    size_t count, cap;
    size_t done;  /* number of changes that are in the text; the others were undone */
    size_t bytes; /* bytes of text in all changes */
};

/* Rows of the text in that version, for that width. */
struct edit_rows {
    size_t *starts;
    size_t count, cap;
    size_t columns;
    uint64_t version;
    size_t same; /* number of bytes at the start that are unchanged since */
};

/* Set the first four, zero-initialise the rest. May be moved in memory, but not copied. */
struct edit {
    struct edit_clip *clip; /* may be NULL: then there is no yanking */
    bool single;            /* one line: newlines become blanks */
    bool ascii;             /* the terminal is not UTF-8: see SANITIZE_ASCII */
    size_t most;            /* maximum of bytes; 0 for EDIT_MOST */

    struct str text; /* UTF-8, no NUL, lines end in \n */
    size_t cursor;   /* byte offset */
    uint64_t version;
    size_t wanted; /* column that up and down try to keep */
    bool has_wanted;
    enum edit_run run;
    size_t columns; /* of the last layout; 0 before the first */
    struct edit_rows rows;
    struct edit_undo undo;
};

void edit_free(struct edit *edit);

/* Replaces the text, moves the cursor to its end and drops the undo steps. */
enum edit_result edit_set(struct edit *edit, struct span text);

/* Returns the text, borrowed until the next change. */
struct span edit_text(const struct edit *edit);
/* Returns a number that differs after every change of the text. */
uint64_t edit_version(const struct edit *edit);

/* Inserts text at the cursor: one character as typing, anything longer as a paste, which is a step
 * of its own. CR and CRLF become newlines, invalid UTF-8 becomes U+FFFD, NUL is dropped; other
 * control characters stay and are drawn visibly. On a single line newlines become blanks, those at
 * the end are dropped. */
enum edit_result edit_insert(struct edit *edit, struct span text);

/* Replaces part of the text as one step, with the cursor after it: for completions and for text
 * from $EDITOR. Moves offsets to the next start of a character. */
enum edit_result edit_replace(struct edit *edit, size_t from, size_t to, struct span text);

/* Performs an action of IN_TEXT; returns EDIT_NOTHING for others. Up and down move by rows of the
 * last layout; start and end are those of the line as written, not of the row. Words are letters,
 * digits and '_'. Consecutive cuts become one text for the clip. */
enum edit_result edit_act(struct edit *edit, enum action action);

/* Lays out the text in rows of at most `columns` columns. The cost is a walk through the text from
 * the changed line on, and nothing if it is unchanged. Only a character wider than that makes a row
 * wider. */
struct edit_layout {
    size_t rows;   /* at least one */
    size_t row;    /* of the cursor */
    size_t column; /* of the cursor: 0 to `columns`; keep one more column free for it */
};

struct edit_layout edit_layout(struct edit *edit, size_t columns);

/* Returns the bytes of a row of the last layout; together the rows are exactly the text. */
struct span edit_row(const struct edit *edit, size_t row);
/* Appends a row as it is to be drawn, cleaned; returns the columns that it takes. */
size_t edit_draw(const struct edit *edit, size_t row, struct str *out);
/* Moves the cursor to a position of the last layout, or the nearest one in that row: for the mouse,
 * and for entering a field from above or below. */
void edit_go(struct edit *edit, size_t row, size_t column);

/* Shared by the parts of the editor. */

/* A character as a person sees it. */
struct edit_cell {
    size_t end;     /* offset after it */
    size_t columns; /* 0 for a newline and a tab */
    char first;     /* its first byte */
    bool blank;     /* a space without marks, or a tab */
    bool wide;      /* rows may be broken on both sides */
};

/* Returns the character that begins at that offset, which must be before the end of the text. */
struct edit_cell edit_cell(const struct edit *edit, size_t at);

/* Returns the first offset at or after that place at which a character begins. */
size_t edit_snap(const struct edit *edit, size_t at);

/* Return the previous or next place, from a place at which a character begins; that place itself at
 * the start or end of the text. */
size_t edit_left(const struct edit *edit, size_t at);
size_t edit_right(const struct edit *edit, size_t at);

#endif
