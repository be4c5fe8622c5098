/* Filling: words become lines of a given width, with indents that change on the way.
 *
 * Words are ASCII, or characters of one column each: this is for our own text, never for that of
 * agents. A word that is wider than a line has a line for itself. */
#ifndef BASE_TEXT_FILL_H
#define BASE_TEXT_FILL_H

#include "base/str.h"

/* Set out and columns; the rest starts as zero. */
struct fill {
    struct str *out;
    size_t columns; /* lines are no wider, if words allow it */
    size_t indent;  /* of lines that are begun from now on */
    size_t column;  /* how far the present line has come; 0: nothing is on it */
    struct str word;
    size_t word_columns;
    size_t go;  /* where the next word begins, if the line goes on; 0: behind a blank */
    bool glue;  /* what comes next belongs to the word */
    bool blank; /* an empty line is due before the next one */
};

void fill_free(struct fill *fill);

/* Adds to the word when they are glued together, else begins the next one. */
void fill_put(struct fill *fill, struct span text);
/* Takes the word as finished: what follows is another one, whatever was glued. */
void fill_end_word(struct fill *fill);
void fill_end_line(struct fill *fill);
/* Ends the line; the next one has an empty line before it, unless it is the first. */
void fill_skip(struct fill *fill);
/* The next word begins at that column, counted from 0, or behind two blanks where the line has come
 * farther. */
void fill_go(struct fill *fill, size_t column);
/* A line as it is, however wide. */
void fill_verbatim(struct fill *fill, struct span line);

#endif
