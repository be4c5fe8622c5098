/* What the store knows about agents beside their messages. */
#ifndef STORE_AGENTS_H
#define STORE_AGENTS_H

#include "store/agent_key.h"
#include "store/config.h"
#include "store/store.h"

/* Zero-initialised is empty and valid. It keeps what the input below points to. */
struct agents_world {
    struct agent_names *names; /* one for each source */
    struct agent_keys *keys;
    struct tasks *tasks;
    size_t source_count;
    struct outbox outbox;
    struct agent_limits *limits;
    struct agent_known *known;
    size_t known_count, known_cap;
    struct agent_task *works;
    size_t work_count, work_cap;
    struct agent_unsent *unsent;
    size_t unsent_count, unsent_cap;
};

void agents_world_free(struct agents_world *world);

/* Reads rosters, mailboxes, tasks and the outbox of all sources, on the storage thread. An outbox
 * that cannot be read is left out. The caller frees the world in any case. */
bool store_agents(struct store *store, const struct config *config, struct agents_world *world,
                  struct err *err);
/* The same for who is on the storage thread. */
bool agents_world_fill(struct store *store, const struct config *config, struct agents_world *world,
                       struct err *err);

/* All of the input but model, asks and time. It, and what is built from it, lives as long as the
 * world, which must not move. */
struct agents_input agents_world_input(struct agents_world *world);

#endif
