/* Sight: everything that is made of all messages together: what waits, conversations, agents,
 * handoffs. */
#ifndef STORE_SIGHT_H
#define STORE_SIGHT_H

#include "mail/agent/agent.h"
#include "mail/thread/talk.h"
#include "store/source/agents.h"

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
void sight_free(struct sight *sight);

/* Agents that may be stuck: the conversation that shows it needs the person. There is room for as
 * many hints as there are agents; returns how many there are, which borrow from the agents. */
size_t sight_hints(const struct agents *agents, struct talk_hint *hints);

/* What a person wants to know at a glance. */
struct sight_counts {
    size_t waiting;    /* requests that wait for them */
    size_t unread;     /* messages for them */
    size_t stuck;      /* agents that may be stuck */
    size_t unreadable; /* inboxes, and files in them, that could not be read */
};
struct sight_counts sight_count(const struct sight *sight);
/* All but who is stuck, for who has only the talks. */
struct sight_counts sight_count_talks(const struct talks *talks);

#endif
