/* Output of --dry-run. */
#ifndef CMD_WRITE_DRY_RUN_H
#define CMD_WRITE_DRY_RUN_H

#include "cmd/app.h"

/* Prints the destination and the bytes of the message. Returns the exit code. */
int preview_and_print(const struct app *app, struct outgoing_message *letter,
                      const struct send_options *how);

/* Prints a preview that the caller has made. */
void preview_print(const struct app *app, const struct preview *preview);

/* Prints a broadcast: the recipients, those left out, and the first message. `source` may be
 * STORE_ANY. Returns the exit code. */
int preview_all_and_print(const struct app *app, const struct draft *draft, uint32_t source,
                          struct span swarm, const struct span_list *exclude);

#endif
