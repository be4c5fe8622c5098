/* The identity of agents: all spellings of one agent lead to the same key. */
#ifndef STORE_SOURCE_AGENT_IDENTITY_H
#define STORE_SOURCE_AGENT_IDENTITY_H

#include "base/map.h"
#include "mail/agent/agent.h"
#include "store/source/address.h"

/* The names of one source, indexed. */
struct agent_keys {
    const struct format *format;
    const struct agent_names *names;
    struct map named;   /* team, or none, and name: 1 + the only roster entry; 0: several */
    struct map members; /* team and box: 1 + the roster entry with that box; 0: several */
    struct map boxes;   /* team and box: a set of those that exist */
    struct map asked;   /* team and name that were looked up: 1 + the answer */
    struct agent_id *answers;
    size_t answer_count, answer_cap;
    struct arena arena;
    struct str scratch;
};

/* `names` is borrowed, and comes from address_book(). */
void agent_keys_build(struct agent_keys *keys, const struct format *format,
                      const struct agent_names *names);
void agent_keys_free(struct agent_keys *keys);

/* Finds the agent that a name means in a team. A roster entry matches by its name, by SWARM/NAME,
 * and by every spelling of its box that no other entry has; a bare name that two swarms have is an
 * agent of its own. Without a roster the box decides, in any of the layout's spellings. False for
 * "all" if that means everybody. Texts live as long as the keys and the names; a repeated lookup
 * takes no more memory. */
bool agent_keys_find(struct agent_keys *keys, struct span team, struct span name,
                     struct agent_id *id);

#endif
