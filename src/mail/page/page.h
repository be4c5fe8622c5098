/* Documents: texts of agents as styled and wrapped lines, for a screen to scroll through.
 *
 * What a person decides on must not hide anything, so nothing of a text is left out or cut:
 * Markdown keeps its marks, a link its address, HTML and definitions stand there as text. All of it
 * has been cleaned (base/clean.h): what a document holds is safe for a terminal. */
#ifndef MAIL_PAGE_PAGE_H
#define MAIL_PAGE_PAGE_H

#include "base/str.h"
#include "mail/message/message.h"
#include "mail/page/style.h"

/* A part of a line that looks the same, in document.text. */
struct page_piece {
    uint32_t at, len;
    uint32_t columns;
    uint8_t style; /* enum look */
    bool added;    /* is no part of the text: an indent, a mark, a rule. Not searched. */
};

/* How a line goes on with the one before it. */
enum page_join {
    JOIN_NONE,   /* it starts anew */
    JOIN_BLANK,  /* the blanks between the two are not shown */
    JOIN_DIRECT, /* there is nothing between the two */
};

struct page_line {
    uint32_t first, count; /* pieces */
    uint32_t source;       /* which line of the text it comes from, whatever the width */
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
    int64_t ages_us; /* when an age in it becomes another one; 0: it has none */
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
    bool ascii_borders;  /* rules are of - and |; so they are with SANITIZE_ASCII */
    struct span handoff; /* of a message: what became of the handoff that it is; or absent */
};

/* A message: its head, its body, and whatever it carries. Needs data and body. */
void page_message(struct document *page, const struct message *message,
                  const struct page_options *options);

/* What stands around a request that a person is to decide on. Texts may be absent. */
struct page_request {
    struct span refusal;                   /* why it must not be said yes to */
    const struct span_list *flags;         /* what to know of it and its sender */
    bool alarm;                            /* it is no request: an order that nobody of ours gave */
    const struct message *answer;          /* in our name, not sent from here; or NULL */
    struct span answer_note;               /* who is said to have given it, and in which file */
    bool answer_alarm;                     /* nobody else should answer in our name */
    struct span native_note;               /* who takes the answer, if that is not a program */
    struct span before;                    /* the plan whose place this one takes */
    struct span amended;                   /* the input that would be used instead: JSON */
    const struct span_list *amended_flags; /* what to know of that */
    struct span directory;                 /* where the agent works */
    const bool *chosen; /* for each suggestion of the request whether it is granted too */
    size_t chosen_count;
    struct span_list earlier; /* what was decided for the same agent before */
};

/* A request, whole: what is ours to say first, then the message behind a gutter that it cannot draw
 * in, then what would be granted besides, and the end, which is said. */
void page_request(struct document *page, const struct message *message,
                  const struct page_request *about, const struct page_options *options);

/* The bytes of a file: every control is shown, also tabs; bytes that are not UTF-8 are shown in
 * hexadecimal, <FF>. */
void page_raw(struct document *page, struct span bytes, const struct page_options *options);

/* Markdown. A line break in it is a line break here. Texts of more than PAGE_MARKDOWN_MOST
 * bytes are not looked through for marks: they are shown as they are, and a line says so. */
enum { PAGE_MARKDOWN_MOST = 256 << 10 };
void page_markdown(struct document *page, struct span text, const struct page_options *options);

/* JSON as lines of KEY: VALUE, nested by indents; elements of arrays start with "- ". Texts are
 * decoded, in quotes only where they could pass for something else; several lines of text stand
 * below their key. Everything else is as it was written, and nothing is reordered or joined. What
 * is no JSON, or is more than PAGE_JSON_MOST bytes, is shown as it is, and a line says why. */
enum { PAGE_JSON_MOST = 4 << 20 };
void page_json(struct document *page, struct span json, const struct page_options *options);

/* Plain text: help, what a command said. */
void page_text(struct document *page, struct span text, const struct page_options *options);

void page_clear(struct document *page);
void page_free(struct document *page);

/* A place in the text that is the same when the document is made again for another width. */
struct page_place {
    uint32_t source, offset;
};
struct page_place page_place(const struct document *page, size_t line);
/* The line that shows a place; the last one when it is not there any more. 0 without lines. */
size_t page_line_at(const struct document *page, struct page_place place);

/* What a search found: bytes of document.text. It may go over several lines; what is added between
 * them lies in the range too. */
struct page_match {
    uint32_t from, to;
    uint32_t line; /* the first one */
};
struct page_matches {
    struct page_match *items;
    size_t count, cap;
};

/* Fills in every place where the text holds the needle, in order and without overlaps. The case of
 * letters does not matter (base/fold.h), nor where lines are wrapped. */
void page_search(const struct document *page, struct span needle, struct page_matches *matches);
/* The first match that ends behind this byte of the text; count when there is none. */
size_t page_match_at(const struct page_matches *matches, uint32_t at);
/* The first match that starts on this line or below it; count when there is none. */
size_t page_match_from(const struct page_matches *matches, size_t line);
void page_matches_free(struct page_matches *matches);

#endif
