/* Addresses: what AGENT or AGENT@TEAM means in a source. */
#ifndef STORE_SOURCE_ADDRESS_H
#define STORE_SOURCE_ADDRESS_H

#include "store/source/roster.h"
#include "store/source/source.h"

/* Texts live in the arena that was given. */
struct address {
    struct span agent; /* without the team */
    struct span team;  /* as its directory spells it; absent where there are none */
    struct span box;   /* as the directory or file spells it */
    bool has_box;      /* it exists */
    bool on_roster;
    bool has_team;     /* it exists */
    bool has_roster;   /* its team keeps one at all */
    struct span color; /* of a roster entry, or absent */
};

/* Everything that is needed to understand addresses in a source. The caller frees the names. */
bool address_book(const struct source *source, struct agent_names *names, struct err *err);

/* Reads an address. A name that several teams know is refused, with those teams. A team or an agent
 * that nobody knows is no error here: has_box and on_roster are false then. */
bool address_resolve(const struct source *source, const struct agent_names *names, struct span text,
                     struct address *address, struct arena *arena, struct err *err);
/* The same when only one is asked for. */
bool address_read(const struct source *source, struct span text, struct address *address,
                  struct arena *arena, struct err *err);

/* The boxes that a reader means by an address: one, or one in each team where several know a bare
 * name. A team whose names could not all be read counts then, too: it may have such a box. */
struct addresses {
    struct address *items;
    size_t count, cap;
};

/* The caller frees the addresses; their texts live in the arena. */
bool address_read_all(const struct source *source, struct span text, struct addresses *addresses,
                      struct arena *arena, struct err *err);
void addresses_free(struct addresses *addresses);

/* True when a roster entry and a name, bare or SWARM/NAME, mean the same agent. */
bool address_is_member(const struct agent_name *member, struct span agent);

/* Another roster entry whose mail goes into the same box; absent when there is none. */
struct span address_collision(const struct source *source, const struct agent_names *names,
                              const struct address *address);

/* Whose mail a message is. */

/* Makes a bare name of ours one agent's: that of the only swarm that has it, or nobody's in any.
 * Refused, with their names, where several swarms have one. */
bool address_narrow(struct source *source, struct err *err);
/* Whether a message is for who we are in the source. */
bool address_is_ours(const struct source *source, const struct message *message);
/* Whether a sender's name at that place means us. */
bool address_is_us(const struct source *source, const struct place *place, struct span name);
/* Sets what a message is to us: for us, from us. A damaged one whose address cannot be read belongs
 * to the box it lies in. */
void address_own(const struct source *source, struct message *message);
/* The same for a message that was just read, and of which kind it is. */
void address_settle(const struct source *source, struct message *message);
/* Refuses what only the owner of a message may do, and says how to be them. Returns false. */
bool address_refuse(const struct source *source, const struct message *message, struct err *err);
/* Whether a message is for whoever is addressed by that name in the source, alone or with all. */
bool address_is_owner(const struct source *source, const struct message *message,
                      struct span agent);
/* Whether who is called that is done with a message by answering it: it goes to the archive then.
 */
bool address_ends_by_answer(const struct source *source, const struct message *message,
                            struct span self);

#endif
