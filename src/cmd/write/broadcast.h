/* Broadcasting: what the commands broadcast and send --to broadcast:SWARM share. */
#ifndef CMD_WRITE_BROADCAST_H
#define CMD_WRITE_BROADCAST_H

#include "cmd/app.h"

/* Sends to a swarm, or to all with an absent name, and prints one id a line. Returns the exit code.
 */
int broadcast_and_print(struct app *app, const struct draft *draft, struct span swarm,
                        const struct span_list *exclude);

#endif
