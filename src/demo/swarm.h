/* The swarm: who is in it, what has happened before it lives, and its one director. */
#ifndef DEMO_SWARM_H
#define DEMO_SWARM_H

#include "demo/layouts/layout.h"
#include "demo/story.h"

#include <stddef.h>
#include <sys/types.h>

enum { AGENTS_MAX = 200 };

enum mood {
    MOOD_FREE,
    MOOD_WAITS, /* for the lead's answer */
    MOOD_STUCK, /* reads nothing until the lead writes */
    MOOD_RING,  /* does not answer its peers, who wait for it as it does for them */
};

/* How an agent begins: in the middle of things. */
struct start {
    enum mood mood;
    struct message *asked; /* what it waits for; owned */
    unsigned step;
    bool refused; /* has said once that it cannot stop */
};

struct swarm {
    const char *dir;
    double speed;
    uint64_t seed;
    struct member *members;
    struct start *starts; /* one for each */
    size_t count;
    volatile char *gone; /* one for each, shared by all processes: it has left */
};

/* Shares the agents out over some layouts, in their order. False: there are fewer agents than one,
 * or more than AGENTS_MAX. */
bool swarm_cast(struct swarm *swarm, const struct layout *const *chosen, size_t agents);
void swarm_free(struct swarm *swarm);
/* The agent at that place of a layout, or NULL. */
const struct member *swarm_member(const struct swarm *swarm, const struct layout *layout,
                                  unsigned place);
size_t swarm_size(const struct swarm *swarm, const struct layout *layout);

/* Founds the trees and writes what has been said in the last hours. False: a file could not be
 * written, errno says why. */
bool history_write(struct swarm *swarm);

/* The life of one agent in its own process; `line` leads to the director. Never returns. */
_Noreturn void agent_live(const struct swarm *swarm, size_t number, int line);

/* What an agent tells the director, a byte each. */
enum { TELL_ASKED = 'R', TELL_FREE = 'F', TELL_SENT = 'S', TELL_PERSON = 'P' };
/* What the director tells an agent. */
enum { GO = 'g', GO_AND_ASK = 'G', REST = 'r' };

/* Starts the agents and keeps them going until `lifeline` ends. All are gone when it returns. */
bool director_run(struct swarm *swarm, int lifeline);

#endif
