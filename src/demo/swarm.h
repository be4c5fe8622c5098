/* The swarm: its agents, their history before the start, and the director. */
#ifndef DEMO_SWARM_H
#define DEMO_SWARM_H

#include "demo/layouts/layout.h"

#include <stddef.h>

enum { AGENTS_MAX = 200 };

enum mood {
    MOOD_FREE,
    MOOD_WAITS, /* for the lead's answer */
    MOOD_STUCK, /* reads nothing until the lead writes */
    MOOD_RING,  /* does not answer its peers, and they do not answer it */
};

/* The state in which an agent starts: in the middle of its work. */
struct start {
    enum mood mood;
    struct message *asked; /* the request that it waits for; owned */
    unsigned step;
    bool refused; /* has already refused to stop */
};

struct swarm {
    const char *dir;
    double speed;
    uint64_t seed;
    struct member *members;
    struct start *starts; /* one for each */
    size_t count;
    volatile char *gone; /* one for each, shared by all processes: the agent has left */
};

/* Distributes the agents over the chosen layouts. Returns false if there is no agent, or more than
 * AGENTS_MAX. */
bool swarm_cast(struct swarm *swarm, const struct layout *const *chosen, size_t agents);
void swarm_free(struct swarm *swarm);
/* Returns the agent at that place of a layout, or NULL. */
const struct member *swarm_member(const struct swarm *swarm, const struct layout *layout,
                                  unsigned place);
size_t swarm_size(const struct swarm *swarm, const struct layout *layout);

/* Makes the trees and writes the messages of the last hours. Returns false, with errno, if a file
 * could not be written. */
bool history_write(struct swarm *swarm);

/* Runs one agent in its own process; `line` is the socket to the director. Never returns. */
_Noreturn void agent_live(const struct swarm *swarm, size_t number, int line);

/* Reports of an agent to the director, one byte each. */
enum { TELL_ASKED = 'R', TELL_FREE = 'F', TELL_SENT = 'S', TELL_PERSON = 'P' };
/* Commands of the director to an agent. */
enum { GO = 'g', GO_AND_ASK = 'G', REST = 'r' };

#endif
