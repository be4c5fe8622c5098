/* Sight: everything that is made of all messages together: what waits, conversations, agents,
 * handoffs. */
#ifndef STORE_SIGHT_H
#define STORE_SIGHT_H

#include "base/beside.h"
#include "mail/agent.h"
#include "mail/talk.h"
#include "store/agents.h"

/* Zero-initialised is empty and valid. It borrows from the model and the world. */
struct sight {
    const struct model *model;
    struct asks asks;
    struct threads threads;
    struct agents agents; /* none without a world */
    struct talks talks;   /* with what agents that may be stuck hint at */
    struct courses handoffs;
};

/* The world must not move, and may be NULL. With `expired` talks have what has expired, too. */
void sight_build(struct sight *sight, const struct model *model, struct agents_world *world,
                 int64_t now_us, bool expired);
/* The same in two steps: handoffs are not there before the end, and until then the world is not to
 * be asked. The making must not move. */
struct sight_making {
    struct sight *sight;
    struct agents_world *world;
    int64_t now_us;
    struct beside beside;
};
void sight_begin(struct sight_making *making, const struct model *model, bool expired);
void sight_end(struct sight_making *making);
void sight_free(struct sight *sight);

/* What a person wants to know at a glance. */
struct sight_counts {
    size_t waiting; /* requests that wait for them */
    size_t unread;  /* messages for them */
    size_t stuck;   /* agents that may be stuck */
};
struct sight_counts sight_count(const struct sight *sight);

#endif
