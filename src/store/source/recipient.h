/* Recipients: is there anybody of that name? Mistyped names make phantom inboxes. */
#ifndef STORE_SOURCE_RECIPIENT_H
#define STORE_SOURCE_RECIPIENT_H

#include "store/source/address.h"

/* Whether somebody whom nobody knows may be written to. */
enum recipient_rule {
    RECIPIENT_KNOWN, /* no */
    RECIPIENT_OFFER, /* no, but the error says how */
    RECIPIENT_NEW,   /* yes: a mailbox is made */
};

/* Finds the one that AGENT or AGENT@TEAM means. An agent is known who has a box, is on a roster, is
 * us, or has written to somebody. The last is looked for only when nothing else is found, because
 * every message must be read for it. ERR_REFUSED with the nearest names when nobody is, unless the
 * rule says that a new one may be made; and for names that share a box with another's. */
bool recipient_find(const struct source *source, struct span text, enum recipient_rule rule,
                    struct address *address, struct arena *arena, struct err *err);

/* Names that were met while somebody was sought in vain in one source after the other. */
struct recipient_met {
    struct arena arena;
    struct span_list names;
    bool with_teams; /* AGENT@TEAM where there are teams: one was typed */
    bool unknown;    /* nobody is called that in at least one source */
    bool several;    /* the name was met in several teams of the source asked last */
    bool rosterless; /* that source has no roster of the team: its members are unknown */
};

/* The same, where several sources are searched: adds the names of a source in which nobody is
 * called that. */
bool recipient_seek(const struct source *source, struct span text, enum recipient_rule rule,
                    struct recipient_met *met, struct address *address, struct arena *arena,
                    struct err *err);
void recipient_met_free(struct recipient_met *met);
/* Says that nobody is called that, with the nearest of the names. Returns false. */
bool recipient_say_unknown(struct span text, const struct span_list *names,
                           enum recipient_rule rule, struct err *err);

/* The same for an answer to a message in that box: whoever wrote has a name, but may have no box,
 * where the layout has one for such cases. */
bool recipient_find_sender(const struct source *source, struct span text, struct span box,
                           struct address *address, struct arena *arena, struct err *err);

/* The name that a box is really addressed by, when it holds mail and none that was looked at is for
 * `agent`; absent otherwise. Lives in the arena. */
struct span recipient_other_spelling(const struct source *source, struct span agent,
                                     struct arena *arena);

/* The other name, with or without its swarm, under which an agent has its mailbox while it has none
 * under the one that was addressed; absent otherwise. Lives in the arena. */
struct span recipient_other_name(const struct source *source, const struct address *to,
                                 struct arena *arena);

/* Fills in everybody of all swarms, as far as they can be read: agent_names_are_all() tells. */
bool recipient_all(const struct source *source, struct agent_names *names, struct err *err);

/* Fills in the members of a swarm or, with an absent name, of all swarms, where a name may stand
 * several times. Where a layout has no rosters, those who have a box are its only swarm. Refused
 * with the nearest names when there is no such swarm. */
bool recipient_swarm(const struct source *source, struct span swarm, struct agent_names *names,
                     struct err *err);

/* Whether the swarm or, with an absent name, one of them has mail but no roster, so that its
 * members are unknown: says so. */
bool recipient_is_rosterless(const struct source *source, struct span swarm, struct err *err);

/* True when a roster entry and an address, bare or SWARM/NAME, mean the same agent. */
bool recipient_is_member(const struct agent_name *member, struct span address);

#endif
