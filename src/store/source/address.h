/* Addresses: the meaning of AGENT or AGENT@TEAM in a source. */
#ifndef STORE_SOURCE_ADDRESS_H
#define STORE_SOURCE_ADDRESS_H

#include "store/source/roster.h"
#include "store/source/source.h"

/* An address. Texts are allocated in the arena that was given. */
struct address {
    struct span agent; /* without the team */
    struct span team;  /* as its directory spells it; absent if the layout has no teams */
    struct span box;   /* as the directory or file spells it */
    bool has_box;      /* it exists */
    bool on_roster;
    bool has_team;     /* it exists */
    bool has_roster;   /* its team has a roster */
    struct span color; /* of a roster entry, or absent */
};

/* Reads all names that are needed to resolve addresses in a source. The caller frees the names. */
bool address_book(const struct source *source, struct agent_names *names, struct err *err);

/* Resolves an address. A name that several teams know is refused, with those teams. An unknown team
 * or agent is not an error here: has_box and on_roster are false then. */
bool address_resolve(const struct source *source, const struct agent_names *names, struct span text,
                     struct address *address, struct arena *arena, struct err *err);
/* Like address_resolve(), but reads the names itself, for a single address. */
bool address_read(const struct source *source, struct span text, struct address *address,
                  struct arena *arena, struct err *err);

/* The boxes that a reader of mail means by an address: one, or one in each team if several know a
 * bare name. A team whose names could not all be read then counts too: it may have such a box. */
struct addresses {
    struct address *items;
    size_t count, cap;
};

/* Resolves an address into its boxes. The caller frees the addresses; their texts are allocated in
 * the arena. */
bool address_read_all(const struct source *source, struct span text, struct addresses *addresses,
                      struct arena *arena, struct err *err);
void addresses_free(struct addresses *addresses);

/* True if a roster entry and a name, bare or SWARM/NAME, mean the same agent. */
bool address_is_member(const struct agent_name *member, struct span agent);

/* Returns another roster entry whose mail goes into the same box; absent if there is none. */
struct span address_collision(const struct source *source, const struct agent_names *names,
                              const struct address *address);

/* Owners of messages. */

/* Narrows our bare name to one agent: the one in the only swarm that has it, or one without a swarm
 * if none has. Refused, with the swarms, if several have it. */
bool address_narrow(struct source *source, struct err *err);
/* True if a message is for who we are in the source. */
bool address_is_ours(const struct source *source, const struct message *message);
/* True if a sender's name at that place means us. */
bool address_is_us(const struct source *source, const struct place *place, struct span name);
/* Sets whether a message is for us and whether it is from us. A damaged one whose address cannot be
 * read belongs to the box it is in. */
void address_own(const struct source *source, struct message *message);
/* Like address_own(), for a message that was just read: also sets its kind. */
void address_settle(const struct source *source, struct message *message);
/* Refuses an operation that only the owner of a message may do, and says how to act as the owner.
 * Returns false. */
bool address_refuse(const struct source *source, const struct message *message, struct err *err);
/* True if a message is for the agent with that name in the source, alone or with all others. */
bool address_is_owner(const struct source *source, const struct message *message,
                      struct span agent);
/* True if an answer ends the message for the agent `self`: the message is archived then. */
bool address_ends_by_answer(const struct source *source, const struct message *message,
                            struct span self);

#endif
