/* Documents: texts of agents as styled and wrapped lines, for a screen to scroll through.
 *
 * A person decides by what is shown, so nothing of a text is left out or cut: Markdown keeps its
 * marks, a link its address, and HTML and definitions are shown as text. All text is sanitized
 * (base/text/sanitize.h), so a document is safe for a terminal. */
#ifndef MAIL_PAGE_PAGE_H
#define MAIL_PAGE_PAGE_H

#include "base/json/json.h"
#include "base/str.h"
#include "base/text/sanitize.h"
#include "mail/message/message.h"
#include "mail/page/style.h"

/* A part of a line that has one style; its bytes are in document.text. */
struct page_piece {
    uint32_t at, len;
    uint32_t columns;
    uint8_t style; /* enum style */
    bool added;    /* not part of the text: an indent, a mark, a rule. Not searched. */
};

/* How a line continues the one before it. */
enum page_join {
    JOIN_NONE,   /* starts anew */
    JOIN_BLANK,  /* the blanks between the two are not shown */
    JOIN_DIRECT, /* nothing is between the two */
};

struct page_line {
    uint32_t first, count; /* pieces */
    uint32_t source;       /* number of the line of the text that it comes from, for any width */
    uint32_t offset;       /* bytes of that line before this one */
    uint8_t join;          /* enum page_join */
};

/* Zero-initialised is empty and valid. Every function below appends. */
struct document {
    struct str text;
    struct page_piece *pieces;
    struct page_line *lines;
    size_t piece_count, line_count;
    size_t widest;   /* columns of the widest line */
    int64_t ages_us; /* when the first age in it changes; 0: it has none */
    size_t escaped;  /* characters that must not be drawn and were written out: ^[, <U+202E> */
    /* private */
    size_t piece_cap, line_cap;
    uint32_t sources;
};

struct page_options {
    size_t columns;      /* of the screen; at least 2 are used */
    int64_t now_us;      /* for ages */
    unsigned clean;      /* SANITIZE_ASCII or 0 */
    bool whole;          /* lines are not wrapped */
    bool all_fields;     /* of a message */
    bool ascii_borders;  /* rules use - and |, as they do with SANITIZE_ASCII */
    struct span handoff; /* of a message: the status of the handoff that it is; or absent */
};

/* Appends a message: its head, its body, and its context, attachments and payload. Needs data and
 * body. */
void page_message(struct document *page, const struct message *message,
                  const struct page_options *options);

/* The facts shown around a request that a person decides on. Texts may be absent. */
struct page_request {
    struct span refusal;           /* why it must not be approved */
    const struct span_list *flags; /* warnings about the request and its sender */
    bool alarm; /* a lead command that neither we nor the lead sent, not a request */
    const struct message *answer; /* in our name, not sent from here; or NULL */
    struct span answer_note;      /* its claimed sender and its file */
    bool answer_alarm;            /* nobody else should answer in our name */
    struct span native_note;      /* the receiver of the answer, if that is not a program */
    struct span before;           /* the plan that this one replaces */
    struct span amended;          /* the input that would be used instead: JSON */
    const struct span_list *amended_flags; /* warnings about that input */
    struct span directory;                 /* working directory of the agent */
    const bool *chosen; /* for each suggestion of the request: true if it is granted too */
    size_t chosen_count;
    struct span_list earlier; /* earlier decisions for the same agent */
};

/* Appends the whole request: our own statements, then the message after a gutter that its text
 * cannot draw, then suggestions, amended input and changes, and a line that marks the end. */
void page_request(struct document *page, const struct message *message,
                  const struct page_request *about, const struct page_options *options);

/* Appends the bytes of a file. Every control character is shown, also tabs; bytes that are not
 * UTF-8 are shown in hexadecimal, <FF>. */
void page_raw(struct document *page, struct span bytes, const struct page_options *options);

/* Appends Markdown. A line break in it is a line break here. A text of more than PAGE_MARKDOWN_MOST
 * bytes is not parsed for marks: it is shown as it is, after a line that says so. */
enum { PAGE_MARKDOWN_MOST = 256 << 10 };
void page_markdown(struct document *page, struct span text, const struct page_options *options);

/* Appends JSON as lines of KEY: VALUE, nested by indents; elements of arrays start with "- ". Texts
 * are decoded, and quoted only where they could be taken for something else; a text of several
 * lines is below its key. Everything else is shown as it was written, and nothing is reordered or
 * joined. Text that is not JSON, or is longer than PAGE_JSON_MOST bytes, is shown as it is, after a
 * line that says why. */
enum { PAGE_JSON_MOST = 4 << 20 };
void page_json(struct document *page, struct span json, const struct page_options *options);

/* Appends plain text: help, the output of a command. */
void page_text(struct document *page, struct span text, const struct page_options *options);

void page_clear(struct document *page);
void page_free(struct document *page);

/* A position in the text that stays the same when the document is made again for another width. */
struct page_place {
    uint32_t source, offset;
};
struct page_place page_place(const struct document *page, size_t line);
/* Returns the line that shows the place, or the last line before it. 0 without lines. */
size_t page_line_at(const struct document *page, struct page_place place);

/* A match of a search: bytes of document.text. It may span several lines; the range then includes
 * the added pieces between them. */
struct page_match {
    uint32_t from, to;
    uint32_t line; /* the first one */
};
struct page_matches {
    struct page_match *items;
    size_t count, cap;
};

/* Replaces `matches` by all places where the text holds the needle, in order and without overlaps.
 * Ignores the case of letters (base/text/utf8.h) and line wraps. */
void page_search(const struct document *page, struct span needle, struct page_matches *matches);
/* Returns the index of the first match that ends after this byte of the text, or the count. */
size_t page_match_at(const struct page_matches *matches, uint32_t at);
/* Returns the index of the first match that starts on this line or below it, or the count. */
size_t page_match_from(const struct page_matches *matches, size_t line);
void page_matches_free(struct page_matches *matches);

/* Documents, private: the writer of lines. */

/* Returns the index of the first item whose number, an uint32_t at that offset, is greater than
 * `at`; the items are sorted by it. */
size_t page_first(const void *items, size_t count, size_t size, size_t offset, size_t at);

enum { TAB_STOP = 8, WRITER_WHOLE = 1 << 30, WRITER_LABELS = 11 };

/* How a line that is too long is wrapped. In all modes a word longer than a line is broken. */
enum line_mode {
    LINE_WORDS, /* between words, whose blanks are dropped; a broken word is marked with \ at its
                   end */
    LINE_KEEP,  /* before blanks, which go to the next line */
    LINE_EXACT, /* where the screen ends, but before blanks */
};

/* A character of a word whose end is not known yet. */
struct page_cell {
    uint8_t len, columns, style;
};

struct writer {
    struct document *page;
    const struct page_options *options;
    size_t width;      /* columns; huge if lines are not wrapped */
    size_t indent;     /* blanks before every line: for a part within something else */
    size_t labels;     /* columns of the labels of fields, with at least one blank after them */
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
    struct page_cell *cells;
    size_t cell_count, cell_cap, word_columns;
};

struct writer writer_new(struct document *page, const struct page_options *options);
void writer_free(struct writer *w);
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
