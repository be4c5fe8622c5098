/* Previewing: what --dry-run shows instead of sending. */
#ifndef CMD_WRITE_DRY_RUN_H
#define CMD_WRITE_DRY_RUN_H

#include "cmd/app.h"

/* Shows where the letter would go and its bytes. Returns the exit code. */
int preview_and_print(const struct app *app, struct outgoing_message *letter,
                      const struct send_options *how);

/* The same of what was previewed elsewhere. */
void preview_print(const struct app *app, const struct preview *preview);

/* The same for a broadcast: who gets it, who does not, and the first message. `source` may be
 * STORE_ANY. */
int preview_all_and_print(const struct app *app, const struct draft *draft, uint32_t source,
                          struct span swarm, const struct span_list *exclude);

#endif
