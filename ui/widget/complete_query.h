/* Completion of queries: the word at their end is a field, a keyword, or a value of a field. */
#ifndef UI_WIDGET_COMPLETE_QUERY_H
#define UI_WIDGET_COMPLETE_QUERY_H

#include "mail/query/query.h"
#include "ui/widget/complete.h"

/* Adds what the language itself knows; *from is where the part of `before` starts that is to be
 * completed. Returns the field whose value that is, for the values that only mail can tell, or NULL
 * when it is none. */
const struct query_field *complete_query(struct completion *completion, struct span before,
                                         size_t *from);

/* Whether the values of a field are names of agents, or tags. */
bool complete_wants_agents(const struct query_field *field);
bool complete_wants_tags(const struct query_field *field);

#endif
