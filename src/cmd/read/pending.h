/* Requests in the output of commands. */
#ifndef CMD_READ_PENDING_H
#define CMD_READ_PENDING_H

#include "cmd/app.h"
#include "store/decide/forged_command.h"
#include "store/decide/request_snapshot.h"

/* Appends a request as one line of JSON. `head` is used if the message cannot be read any more. */
void request_add_json(const struct app *app, struct str *out, const struct message *head,
                      const struct request_snapshot *request);

/* Prints the requests that were answered in our name but not from here and have this state: each
 * alarm as a line, the others below a heading. Returns their number. */
size_t requests_put_answered(const struct app *app, const struct forged_list *list,
                             enum forged_state state);

#endif
