/* Mail that waits for an agent, as the agent's own program would find it. */
#ifndef STORE_STORE_READ_H
#define STORE_STORE_READ_H

#include "base/str.h"
#include "store/store.h"

struct checking {
    struct span agent; /* exactly as messages are addressed; absent: who we are, by any name */
    bool unread;
    struct span_list types; /* none: all */
    enum priority least;
    bool plain; /* leave out protocol messages, which go to a program, not to the model */
    int64_t now_us;
};

/* Returns what the agent's own program would read. Borrows the name. */
struct load checking_load(const struct checking *checking);

/* True if a message is addressed to the agent, as its own program compares names; or, without an
 * agent, to us. */
bool checking_is_addressed(const struct store *store, const struct message *message,
                           struct span agent);

/* True if a message waits. Damaged and expired ones do not: the agent does not see them either. */
bool checking_matches(const struct store *store, const struct message *message,
                      const struct checking *checking);

#endif
