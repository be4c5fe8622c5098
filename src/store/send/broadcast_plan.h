/* Planning a broadcast, inside: who gets it, who does not, and where. */
#ifndef STORE_SEND_BROADCAST_PLAN_H
#define STORE_SEND_BROADCAST_PLAN_H

#include "store/store_private.h"

/* What is asked for, and where the answer goes. */
struct broadcast_wish {
    const struct draft *draft;
    uint32_t source; /* STORE_ANY: the only one that has the swarm */
    struct span swarm;
    const struct span_list *exclude;
    struct broadcast *result;
};

/* Fills in the letters with their addresses, and who is left out. Nothing is written. */
bool broadcast_plan(const struct store *store, const struct broadcast_wish *wish, struct err *err);

#endif
