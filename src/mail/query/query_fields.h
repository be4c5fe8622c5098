/* Queries: what parsing and matching share with the table of fields. */
#ifndef MAIL_QUERY_QUERY_FIELDS_H
#define MAIL_QUERY_QUERY_FIELDS_H

#include "mail/query/query.h"

/* Where the sides of a value must meet those of the text. */
enum query_anchor { QUERY_START = 1, QUERY_END = 2, QUERY_WHOLE = 3 };

/* Whether the value stands in the text, case aside; never in one that is absent. */
bool query_stands_in(const struct query_value *value, struct span text, unsigned anchors);

/* The words of is: and has:, as the table of fields has them. */
enum { QUERY_IS_WAITING = 2 };

/* What ends text that is not in quotes. */
bool query_is_blank(char c);
bool query_ends_word(char c);
/* How many letters stand before a colon at the start of the text; 0 when it starts otherwise. */
size_t query_field_len(struct span text);
bool query_is_keyword(struct span word);

/* A query that is being read. */
struct query_parser {
    struct query *query;
    struct span text;
    size_t at;
    struct err *err;
    size_t *error_at;
};

#endif
