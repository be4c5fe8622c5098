/* Cleaning: the only way for text from agents to reach a terminal.
 *
 * Every control, bidi, zero-width, invisible or unassigned character becomes visible text (^[,
 * <U+202E>); bytes that are not UTF-8 become U+FFFD. Bytes on disk are never touched by this. */
#ifndef BASE_TEXT_SANITIZE_H
#define BASE_TEXT_SANITIZE_H

#include "base/str.h"

#include <stdint.h>

enum sanitize_mode {
    SANITIZE_LINE = 0,  /* one line: newline and tab are shown as ^J and ^I */
    SANITIZE_LINES = 1, /* newline and tab pass */
    SANITIZE_ASCII = 2, /* for terminals that are not UTF-8: everything else is escaped */
};

/* What one code point looks like. */
struct sanitize_piece {
    char text[12];
    unsigned char len;
    unsigned char columns; /* 0 for combining marks, newlines and tabs */
    bool escaped;          /* stands for something that must not be drawn */
    bool hidden;           /* and a terminal would show nothing of it, or obey it */
};

/* Zero-initialise, then set rest and mode. */
struct sanitize_cursor {
    struct span rest;
    unsigned mode;
    unsigned marks;  /* combining marks on the present base character */
    bool has_base;   /* a mark may combine with what was drawn before */
    bool pictograph; /* an emoji was drawn before: a joiner or a selector belongs to it */
    bool selected;   /* it has had its selector */
    bool key;        /* a digit, # or * was drawn before: it may become a keycap */
};

/* False at the end of the text. Emoji joiners and selectors yield nothing of their own. */
bool sanitize_next(struct sanitize_cursor *cursor, struct sanitize_piece *piece);

/* Whether a terminal shows nothing of a character, or obeys it: controls, what turns the direction
 * of text, tags, characters without width or ink, private and unassigned ones, surrogates. Newline
 * and tab are controls too. */
bool sanitize_is_hidden(int32_t code);

/* The same, and blanks of any width. */
bool sanitize_is_blank(int32_t code);

/* Finds the first thing in a text of several lines that a person could not see as what it is: a
 * hidden character, or bytes that are not UTF-8. What belongs to an emoji is none. False when there
 * is nothing; otherwise the piece is how it is written out. */
bool sanitize_find_hidden(struct span text, struct sanitize_piece *piece);

/* Appends the cleaned text and returns the columns it takes, newlines and tabs not counted. */
size_t sanitize_add(struct str *out, struct span text, unsigned mode);

/* For what is no terminal: appends the text as it is, but for what a person could not see as what
 * it is (see sanitize_find_hidden()), which is written out as by sanitize_add(). Returns how often.
 */
size_t sanitize_add_exact(struct str *out, struct span text, unsigned mode);

/* Appends the text cut to at most that many columns; a cut is marked with '~'. Returns the columns
 * that were used. */
size_t sanitize_cut(struct str *out, struct span text, unsigned mode, size_t columns);

/* Appends the text cut or padded to exactly that many columns. */
void sanitize_fit(struct str *out, struct span text, unsigned mode, size_t columns);

#endif
