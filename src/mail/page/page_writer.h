/* Documents, private: the writer of lines. */
#ifndef MAIL_PAGE_PAGE_WRITER_H
#define MAIL_PAGE_PAGE_WRITER_H

#include "base/json/json.h"
#include "base/text/sanitize.h"
#include "mail/page/page.h"

enum { TAB_STOP = 8, WRITER_WHOLE = 1 << 30 };

/* How a line that is too long is wrapped. In all modes a word longer than a line is broken. */
enum line_mode {
    LINE_WORDS, /* between words, whose blanks are dropped; a broken word is marked with \ at its
                   end */
    LINE_KEEP,  /* before blanks, which go to the next line */
    LINE_EXACT, /* where the screen ends, but before blanks */
};

/* A character of a word whose end is not known yet. */
struct cell {
    uint8_t len, columns, style;
};

struct writer {
    struct document *page;
    const struct page_options *options;
    size_t width;      /* columns; huge if lines are not wrapped */
    size_t indent;     /* blanks before every line: for a part within something else */
    bool gutter;       /* a rule before the indent, which no text of others can draw */
    bool tabs;         /* a tab advances to the next stop; otherwise it is shown as ^I */
    bool brief;        /* of the head show only the sender: what follows has the rest */
    bool same_source;  /* lines have the source number of the line before */
    const char *below; /* start of a value that has a part of its own, further down; or NULL */

    /* the line that is being written */
    enum line_mode mode;
    struct str next; /* start of its continuation lines; ASCII */
    size_t room;     /* columns after that */
    size_t used, start;
    size_t column; /* in the unwrapped line, for tabs */
    size_t blanks; /* not written yet */
    uint8_t blank_look;
    bool broken; /* the current word is longer than a line */
    uint32_t source, offset;
    struct sanitize_cursor cursor;
    struct str word;
    struct cell *cells;
    size_t cell_count, cell_cap, word_columns;
};

void writer_open(struct writer *w, struct document *page, const struct page_options *options);
void writer_close(struct writer *w);
/* True if rules may use more than ASCII. */
bool writer_draws(const struct writer *w);
/* Returns the most columns that an indent may take, so that there is room for text after it. */
size_t writer_half(const struct writer *w);
/* Returns the columns of the gutter and the indent, with which every line starts. */
size_t writer_margin(const struct writer *w);
void line_start(struct writer *w, enum page_join join);

/* Starts a line. Its continuation lines start with `next`, plain ASCII; if that would leave too
 * little room, only its last two characters are used, or none in LINE_WORDS. */
void line_open(struct writer *w, enum line_mode mode, struct span next);
/* Writes the lead of a line, such as a bullet; wrapped like text if it is too wide for a lead. */
void line_lead(struct writer *w, struct span text, enum style style);
/* Writes text of others, sanitized; newlines are shown as ^J. */
void line_put(struct writer *w, struct span text, enum style style);
/* Writes our own text, marked as added: sanitized by the caller, its columns known, not wrapped. */
void line_add(struct writer *w, struct span text, size_t columns, enum style style);
void line_pad(struct writer *w, size_t columns);
void line_close(struct writer *w);

void line_empty(struct writer *w);
/* Writes a sentence of our own as a line. */
void line_say(struct writer *w, const char *sentence, enum style style);
/* Draws a rule from here to the end of the line. */
void line_rule(struct writer *w);

/* Removes the first line from the text and returns it, without its newline, and without a carriage
 * return before that if `crlf`. */
struct span text_line(struct span *text, bool crlf);
/* Returns the text without the blanks and tabs at its ends, which nobody would see. */
struct span text_trim(struct span text);
/* Removes empty lines from the start of the text if they are so many that they would only push what
 * follows out of sight; writes a line with their number instead. */
void text_skip_empty(struct writer *w, struct span *text);

/* Appends the start of continuation lines after such a lead: as wide as it, with its quote
 * marks. */
void text_hang(struct str *next, struct span lead);

void markdown_put(struct writer *w, struct span text);
void json_put(struct writer *w, struct span json);
/* Writes a value that was scanned before, as json_put() does, or a member of an object. */
void json_put_scanned(struct writer *w, struct json value);
void json_put_member(struct writer *w, struct json key, struct json value);
void text_put(struct writer *w, struct span text, enum line_mode mode, enum style style);

#endif
