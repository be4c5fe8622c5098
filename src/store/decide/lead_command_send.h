/* Lead commands: their recipient, what its layout supports, and the sender's name. */
#ifndef STORE_DECIDE_LEAD_COMMAND_SEND_H
#define STORE_DECIDE_LEAD_COMMAND_SEND_H

#include "mail/protocol/lead_command.h"
#include "store/store.h"

/* The recipient of a command. Texts are in the arena of the call. */
struct order_way {
    uint32_t source;
    enum ability ability;
    struct span agent; /* absent: all of a team */
    struct span team;  /* absent in layouts without teams */
};

/* Finds the recipient in that source, or with STORE_ANY among all sources that support the verb of
 * the terms, and fills in the terms that depend on it: means, from and agent. An escalation without
 * a recipient goes by its level. Refused when nobody has that name, the layout does not support the
 * verb, or the command would go to its own sender or to the lead; and for a teammate who gives a
 * command that only a lead gives. */
bool store_lead_agent(struct store *store, uint32_t source, struct span to,
                      struct order_terms *terms, struct order_way *way, struct arena *arena,
                      struct err *err);

/* Like store_lead_agent(), but for all teammates of a team; the terms name no agent. `leads` gets
 * the members that lead the team, and get no command. ERR_ABSENT when no team has that name. */
bool store_lead_team(struct store *store, uint32_t source, struct span team,
                     struct order_terms *terms, struct order_way *way, struct span_list *leads,
                     struct arena *arena, struct err *err);

/* Gives an escalation without an id the next one of the day, after all ids that messages mention.
 * The terms borrow from `id`. */
bool store_name_escalation(struct store *store, struct order_terms *terms, struct str *id,
                           struct err *err);

/* The members of a command's ledger entry. Borrowed. */
struct order_note {
    const char *verb;
    enum kind kind;
    struct span agent, team; /* the recipient; no team in layouts without teams */
    struct span terms;       /* in a few words */
    struct span id;          /* of the request that the command makes; or absent */
};

/* Sends a lead command like store_send(). The intent is in the ledger before it is written, and the
 * result afterwards. */
bool store_lead_command(struct store *store, struct outgoing_message *letter,
                        const struct send_options *options, const struct order_note *note,
                        struct err *err);

#endif
