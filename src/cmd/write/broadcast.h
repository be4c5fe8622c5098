/* Broadcasting, for broadcast and send --to broadcast:SWARM. */
#ifndef CMD_WRITE_BROADCAST_H
#define CMD_WRITE_BROADCAST_H

#include "cmd/app.h"

/* Sends to a swarm, or to all swarms if `swarm` is absent, and prints one id per line. Returns the
 * exit code. */
int broadcast_and_print(struct app *app, const struct draft *draft, struct span swarm,
                        const struct span_list *exclude);

#endif
