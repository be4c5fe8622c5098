/* Queries, private: shared by parsing, matching and the table of fields. */
#ifndef MAIL_QUERY_QUERY_FIELDS_H
#define MAIL_QUERY_QUERY_FIELDS_H

#include "mail/query/query.h"

/* The ends of the text at which the value must match. */
enum query_anchor { QUERY_START = 1, QUERY_END = 2, QUERY_WHOLE = 3 };

/* Reports whether the text contains the value, ignoring case; false for an absent text. */
bool query_stands_in(const struct query_value *value, struct span text, unsigned anchors);

/* The index of "waiting" among the words of is:. */
enum { QUERY_IS_WAITING = 2 };

/* True for characters that end text without quotes. */
/* Returns the number of letters before a colon at the start of the text; 0 if it starts
 * otherwise. */

/* The state of parsing a query. */
struct query_parser {
    struct query *query;
    struct span text;
    size_t at;
    struct err *err;
    size_t *error_at;
};

#endif
