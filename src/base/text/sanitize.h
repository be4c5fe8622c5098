/* Sanitizing: the only way for text from agents to reach a terminal.
 *
 * Every control, bidi, zero-width, invisible or unassigned character becomes visible text (^[,
 * <U+202E>); bytes that are not UTF-8 become U+FFFD. Bytes on disk are not affected. */
#ifndef BASE_TEXT_SANITIZE_H
#define BASE_TEXT_SANITIZE_H

#include "base/str.h"

#include <stdint.h>

enum sanitize_mode {
    SANITIZE_LINE = 0,  /* one line: newline and tab become ^J and ^I */
    SANITIZE_LINES = 1, /* newline and tab pass */
    SANITIZE_ASCII = 2, /* for terminals that are not UTF-8: everything beyond ASCII is escaped */
};

/* The visible form of one code point. */
struct sanitize_piece {
    char text[12];
    unsigned char len;
    unsigned char columns; /* 0 for combining marks, newlines and tabs */
    bool escaped;          /* replaces something that must not be drawn */
    bool hidden;           /* escaped, and a terminal would show nothing for it, or obey it */
};

/* An iterator over a text. Zero-initialise, then set rest and mode. */
struct sanitize_cursor {
    struct span rest;
    unsigned mode;
    unsigned marks;  /* combining marks on the current base character */
    bool has_base;   /* a mark may combine with the previous character */
    bool pictograph; /* the previous character is an emoji: a joiner or a selector belongs to it */
    bool selected;   /* that emoji has had its selector */
    bool key;        /* the previous character is a digit, # or *: it may become a keycap */
};

/* Fills in the next piece; returns false at the end of the text. Emoji joiners and selectors yield
 * no piece. */
bool sanitize_next(struct sanitize_cursor *cursor, struct sanitize_piece *piece);

/* Reports whether a terminal shows nothing for a character, or obeys it: controls, bidi controls,
 * tags, characters without width or ink, private and unassigned ones, surrogates. Newline and tab
 * are controls too. */
bool sanitize_is_hidden(int32_t code);

/* Like sanitize_is_hidden(), but also true for blanks of any width. */
bool sanitize_is_blank(int32_t code);

/* Finds the first thing in a text of several lines that a person could not see as it is: a hidden
 * character, or bytes that are not UTF-8. Parts of an emoji do not count. Returns false if there is
 * none; otherwise `piece` is its escaped form. */
bool sanitize_find_hidden(struct span text, struct sanitize_piece *piece);

/* Appends the sanitized text and returns its columns, newlines and tabs not counted. */
size_t sanitize_add(struct str *out, struct span text, unsigned mode);

/* For output that is not a terminal: appends the text unchanged, except that what a person could
 * not see as it is (see sanitize_find_hidden()) is escaped as by sanitize_add(). Returns the number
 * of escapes. */
size_t sanitize_add_exact(struct str *out, struct span text, unsigned mode);

/* Appends the text, cut to at most `columns` columns; a cut is marked with '~'. Returns the columns
 * used. */
size_t sanitize_cut(struct str *out, struct span text, unsigned mode, size_t columns);

/* Appends the text, cut or padded to exactly `columns` columns. */
void sanitize_fit(struct str *out, struct span text, unsigned mode, size_t columns);

#endif
