/* Columns and excerpts: shared by all lists. */
#ifndef MAIL_RENDER_COLUMNS_H
#define MAIL_RENDER_COLUMNS_H

#include "mail/message/message.h"
#include "mail/query/query.h"

/* On a narrow screen the subject matters more than whole names. */
enum { COLUMNS_KIND = 7, COLUMNS_NAME = 24, COLUMNS_NAME_NARROW = 11, COLUMNS_NARROW = 110 };

/* Returns the width of a column of names on a screen of that width; 0: no screen. */
size_t columns_for_name(size_t screen);

/* Returns a name as it is shown there. On a narrow screen SWARM/NAME loses its swarm, which is the
 * same for many names and would leave no room for the name. */
struct span columns_name(struct span name, size_t screen);

/* Appends a sanitized name in at most that many columns. A name that does not fit is cut where the
 * names of one swarm are alike: first its swarm, ~NAME, then its middle, na~1. */
void columns_add_short(struct str *out, struct span name, size_t columns, unsigned clean);

/* Appends an id or the like, sanitized and whole, for copying; pads it to the width of its column.
 */
void columns_add_whole(struct str *out, struct span text, size_t width, unsigned clean);

/* Appends the time since then, or "-" if it is not known. */
void columns_add_age(struct str *out, int64_t since_us, int64_t now_us);

/* Widens a column so that the text fits, up to `most`. */
void columns_widen(size_t *width, size_t most, struct span text, struct str *scratch,
                   unsigned clean);

/* Appends the end of a line about a message: its priority, if it is worth showing, and its id. */
void columns_add_tail(struct str *tail, const struct message *message, unsigned clean);

/* Appends a sanitized line with a newline. On a screen the line is cut so that the tail, sanitized
 * too, stays whole, unless that would leave little of the line. */
void columns_put_line(struct str *out, struct span line, struct span tail, unsigned clean,
                      size_t screen);

/* Excerpts: the line of a message that matches a search. */

struct excerpt {
    struct span before, found, after; /* of one line; not sanitized */
    bool cut;                         /* the line starts earlier */
};

/* Returns an excerpt that borrows from the message. Without a match: the first line of its text
 * that is not blank. */
struct excerpt excerpt_of(const struct query *query, const struct message *message);

/* Appends one part of an excerpt, sanitized. A match may span several lines: they become one. */
void excerpt_add_part(struct str *out, struct span part, unsigned clean);
/* Appends an excerpt, sanitized, as one line without a newline. */
void excerpt_add(struct str *out, const struct excerpt *excerpt, unsigned clean);

#endif
