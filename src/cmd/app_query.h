/* Queries of the command line: the query that operands make, for the commands that take one. */
#ifndef CMD_APP_QUERY_H
#define CMD_APP_QUERY_H

#include "cmd/app.h"
#include "store/querying.h"

/* Reads operands, joined by blanks, as one query. False after the mistake was said, with a mark
 * beneath it: the command then ends with EXIT_USAGE. The caller closes it in any case. */
bool app_query_read(struct querying *querying, const struct app *app, char *const *operands,
                    int count);

/* querying_load(), and says when marks that are kept here could not be read. */
bool app_query_load(const struct app *app, struct querying *querying, const struct load *load,
                    struct model *model, struct err *err);

#endif
