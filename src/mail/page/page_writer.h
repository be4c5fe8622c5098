/* Documents, inside: how lines are written. */
#ifndef MAIL_PAGE_PAGE_WRITER_H
#define MAIL_PAGE_PAGE_WRITER_H

#include "base/json/json.h"
#include "base/text/sanitize.h"
#include "mail/page/page.h"

enum { TAB_STOP = 8, WRITER_WHOLE = 1 << 30 };

/* How a line that is too long goes on. Words longer than a line are broken in all of them. */
enum line_mode {
    LINE_WORDS, /* between words, whose blanks go; a broken word is marked with \ at its end */
    LINE_KEEP,  /* before blanks, which go to the next line */
    LINE_EXACT, /* where the screen ends, but before blanks */
};

/* A character that waits for the end of its word. */
struct cell {
    uint8_t len, columns, style;
};

struct writer {
    struct document *page;
    const struct page_options *options;
    size_t width;     /* columns; huge where lines are whole */
    size_t indent;    /* blanks before every line: for what stands within something else */
    bool gutter;      /* and before those a rule that no text of others can draw */
    bool tabs;        /* a tab goes on to the next stop; else it is shown as ^I */
    bool brief;       /* of the head only who it is from: the rest stands in what follows */
    bool same_source; /* lines belong to the source of the one before */
    const char
        *below; /* the value that starts there has a part of its own, further down; or NULL */

    /* the line that is written */
    enum line_mode mode;
    struct str next; /* what lines start with that go on with it; ASCII */
    size_t room;     /* columns behind that */
    size_t used, start;
    size_t column; /* of the whole line, for tabs */
    size_t blanks; /* that were not written yet */
    uint8_t blank_look;
    bool broken; /* the present word is longer than a line */
    uint32_t source, offset;
    struct sanitize_cursor cursor;
    struct str word;
    struct cell *cells;
    size_t cell_count, cell_cap, word_columns;
};

void writer_open(struct writer *w, struct document *page, const struct page_options *options);
void writer_close(struct writer *w);
/* Whether rules may use more than ASCII. */
bool writer_draws(const struct writer *w);
/* How many columns an indent may take, so that there is room for text behind it. */
size_t writer_half(const struct writer *w);
/* How many columns every line starts with: the gutter and the indent. */
size_t writer_margin(const struct writer *w);
void line_start(struct writer *w, enum page_join join);

/* Starts a line. Lines that go on with it start with `next`, plain ASCII, of which only the last
 * two characters are taken when it would leave too little room. */
void line_open(struct writer *w, enum line_mode mode, struct span next);
/* What the text stands behind; wrapped like text if it is too wide for that. */
void line_lead(struct writer *w, struct span text, enum style style);
/* Text of others, with neither newline; newlines are shown as ^J. */
void line_put(struct writer *w, struct span text, enum style style);
/* Text of our own that is no part of theirs: cleaned, its columns known, not wrapped. */
void line_add(struct writer *w, struct span text, size_t columns, enum style style);
void line_pad(struct writer *w, size_t columns);
void line_close(struct writer *w);

void line_empty(struct writer *w);
/* A line of our own words. */
void line_say(struct writer *w, const char *sentence, enum style style);
/* A rule from here to the end of the line. */
void line_rule(struct writer *w);

/* Takes a line off the text; a carriage return before its end goes too if `crlf`. */
struct span text_line(struct span *text, bool crlf);
/* The text without the blanks and tabs at its ends: what nobody would see. */
struct span text_trim(struct span text);
/* Takes lines with nothing in them off the text where they are so many that they would only push
 * what follows out of sight; a line says how many. */
void text_skip_empty(struct writer *w, struct span *text);

/* Appends what lines start with that go on behind such a lead: as wide, with its quote marks. */
void text_hang(struct str *next, struct span lead);

void markdown_put(struct writer *w, struct span text);
void json_put(struct writer *w, struct span json);
/* A value that was scanned before, as json_put() shows it, or a member of an object. */
void json_put_scanned(struct writer *w, struct json value);
void json_put_member(struct writer *w, struct json key, struct json value);
void text_put(struct writer *w, struct span text, enum line_mode mode, enum style style);

#endif
