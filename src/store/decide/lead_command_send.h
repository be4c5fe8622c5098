/* Orders: whom one goes to, whether the layout there has a way for it, and in whose name. */
#ifndef STORE_DECIDE_LEAD_COMMAND_SEND_H
#define STORE_DECIDE_LEAD_COMMAND_SEND_H

#include "mail/protocol/lead_command.h"
#include "store/store.h"

/* Texts live in the arena that was given. */
struct order_way {
    uint32_t source;
    enum ability ability;
    struct span agent; /* of one agent; absent for a team */
    struct span team;  /* absent where there are none */
};

/* Finds the recipient in that source, or with STORE_ANY among all that have a way for the verb of
 * the terms, and fills in what else the terms owe to it: means, from and agent. An escalation may
 * name nobody: then it goes by its level. Refused when nobody is called that, the layout there has
 * no way, or it would go to who orders it or leads; and for a teammate who orders what only a lead
 * does. */
bool store_lead_agent(struct store *store, uint32_t source, struct span to,
                      struct order_terms *terms, struct order_way *way, struct arena *arena,
                      struct err *err);

/* The same for all teammates of a team, for whom the terms name no agent: `leads` are those members
 * who get nothing. ERR_ABSENT when no team is called that. */
bool store_lead_team(struct store *store, uint32_t source, struct span team,
                     struct order_terms *terms, struct order_way *way, struct span_list *leads,
                     struct arena *arena, struct err *err);

/* Gives an escalation without an id the next one of the day, after all that messages speak of. The
 * terms borrow from `id`. */
bool store_name_escalation(struct store *store, struct order_terms *terms, struct str *id,
                           struct err *err);

/* What the ledger is told of an order. Borrowed. */
struct order_note {
    const char *verb;
    enum kind kind;
    struct span agent, team; /* who gets it; without a team where there are none */
    struct span terms;       /* in a few words */
    struct span id;          /* of the request that it makes; or absent */
};

/* Sends an order as store_send() sends a message. The ledger knows of it before it is written, and
 * of what became of it. */
bool store_lead_command(struct store *store, struct outgoing_message *letter,
                        const struct send_options *options, const struct order_note *note,
                        struct err *err);

#endif
