/* Requests on the command line: what is to be known of them. */
#ifndef CMD_READ_PENDING_H
#define CMD_READ_PENDING_H

#include "cmd/app.h"
#include "store/decide/forged_command.h"
#include "store/decide/request_snapshot.h"

/* Appends the line of JSON that stands for a request. `head` stands in for one that cannot be read
 * any more. */
void request_add_json(const struct app *app, struct str *out, const struct message *head,
                      const struct request *request);

/* Prints the requests that were answered in our name and not from here: those that are alarms, or
 * all others under a heading. Returns how many. */
size_t requests_put_answered(const struct app *app, const struct forged_list *list,
                             enum forged_state state);

#endif
