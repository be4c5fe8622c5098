/* Recipients: checks that a recipient exists, because mistyped names make phantom inboxes. */
#ifndef STORE_SOURCE_RECIPIENT_H
#define STORE_SOURCE_RECIPIENT_H

#include "store/source/address.h"

/* The rule for a recipient that is not known. */
enum recipient_rule {
    RECIPIENT_KNOWN, /* refuse it */
    RECIPIENT_OFFER, /* refuse it, and say how to allow it */
    RECIPIENT_NEW,   /* allow it: a mailbox is made */
};

/* Finds the agent that AGENT or AGENT@TEAM means. An agent is known if it has a box, is on a
 * roster, is us, or has written a message. The last is checked only if the others fail, because
 * every message must be read for it. ERR_REFUSED with the nearest names if the agent is not known,
 * unless the rule allows a new one; and for names that share a box with another's. */
bool recipient_find(const struct source *source, struct span text, enum recipient_rule rule,
                    struct address *address, struct arena *arena, struct err *err);

/* Names that were found during a search in one source after the other that had no result. */
struct recipient_met {
    struct arena arena;
    struct span_list names;
    bool with_teams; /* names are AGENT@TEAM where there are teams, because the typed one was */
    bool unknown;    /* at least one source has no agent of that name */
    bool several;    /* several teams of the last source have the name */
    bool rosterless; /* that source has no roster of the team: its members are unknown */
};

/* Like recipient_find(), for a search in several sources: if the source has no agent of that name,
 * adds its names to `met`. */
bool recipient_seek(const struct source *source, struct span text, enum recipient_rule rule,
                    struct recipient_met *met, struct address *address, struct arena *arena,
                    struct err *err);
void recipient_met_free(struct recipient_met *met);
/* Reports that no agent has that name, with the nearest of the names. Returns false. */
bool recipient_say_unknown(struct span text, const struct span_list *names,
                           enum recipient_rule rule, struct err *err);

/* Like recipient_find(), for an answer to a message in that box: its sender has a name, but may
 * have no box; the layout may have a box for such answers. */
bool recipient_find_sender(const struct source *source, struct span text, struct span box,
                           struct address *address, struct arena *arena, struct err *err);

/* Returns the name by which a box is really addressed, if it holds mail and none of the checked
 * messages is for `agent`; absent otherwise. Allocated in the arena. */
struct span recipient_other_spelling(const struct source *source, struct span agent,
                                     struct arena *arena);

/* Returns the other name, with or without its swarm, under which an agent has a mailbox while it
 * has none under the addressed name; absent otherwise. Allocated in the arena. */
struct span recipient_other_name(const struct source *source, const struct address *to,
                                 struct arena *arena);

/* Fills in the agents of all swarms, as far as they can be read; agent_names_are_all() reports
 * whether some are missing. */
bool recipient_all(const struct source *source, struct agent_names *names, struct err *err);

/* Fills in the members of a swarm or, with an absent name, of all swarms; a name may then occur
 * several times. If a layout has no rosters, the agents that have a box are its only swarm. Refused
 * with the nearest names if there is no such swarm. */
bool recipient_swarm(const struct source *source, struct span swarm, struct agent_names *names,
                     struct err *err);

/* True if the swarm or, with an absent name, one of them has mail but no roster, so that its
 * members are unknown: err says which. */
bool recipient_is_rosterless(const struct source *source, struct span swarm, struct err *err);

/* True if a roster entry and an address, bare or SWARM/NAME, mean the same agent. */
bool recipient_is_member(const struct agent_name *member, struct span address);

#endif
