/* Excerpts: the line of a message in which a search has found something. */
#ifndef MAIL_RENDER_EXCERPT_H
#define MAIL_RENDER_EXCERPT_H

#include "mail/query/query.h"

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
