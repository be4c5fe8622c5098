/* Columns: what lists of any kind share. */
#ifndef MAIL_RENDER_COLUMNS_H
#define MAIL_RENDER_COLUMNS_H

#include "mail/message/message.h"
#include "mail/query/query.h"

/* On a narrow screen the subject is worth more than whole names. */
enum { COLUMNS_KIND = 7, COLUMNS_NAME = 24, COLUMNS_NAME_NARROW = 11, COLUMNS_NARROW = 110 };

/* How wide a column of names may be on a screen of that width; 0 is no screen. */
size_t columns_for_name(size_t screen);

/* A name as it is shown there: on a narrow screen without the swarm before it, SWARM/NAME, which is
 * the same for many and would leave nothing of the name. */
struct span columns_name(struct span name, size_t screen);

/* Appends a cleaned name in at most that many columns. What does not fit is cut where names of one
 * swarm are alike: its swarm goes first, ~NAME, then the middle, na~1. */
void columns_add_short(struct str *out, struct span name, size_t columns, unsigned clean);

/* Widens a column so that the text fits, but to no more than `most`. */
void columns_widen(size_t *width, size_t most, struct span text, struct str *scratch,
                   unsigned clean);

/* Appends what ends a line about a message: its priority, where that is told, and its id. */
void columns_add_tail(struct str *tail, const struct message *message, unsigned clean);

/* Appends a line that was cleaned, with its newline. On a screen it is cut so that the tail, which
 * was cleaned too, stays whole, unless that would leave little of the line. */
void columns_put_line(struct str *out, struct span line, struct span tail, unsigned clean,
                      size_t screen);

/* Excerpts: the line of a message in which a search has found something. */

struct excerpt {
    struct span before, found, after; /* of one line; not cleaned */
    bool cut;                         /* the line starts earlier */
};

/* Borrows from the message. Without words that were found: the first line of its text that is not
 * blank. */
struct excerpt excerpt_of(const struct query *query, const struct message *message);

/* Appends one of its parts cleaned; words in a row may stand on two lines, which become one. */
void excerpt_add_part(struct str *out, struct span part, unsigned clean);
/* Appends it cleaned, as one line of its own without an end. */
void excerpt_add(struct str *out, const struct excerpt *excerpt, unsigned clean);

#endif
