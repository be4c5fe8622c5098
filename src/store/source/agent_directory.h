/* Everything that the store knows about agents except their messages. */
#ifndef STORE_SOURCE_AGENT_DIRECTORY_H
#define STORE_SOURCE_AGENT_DIRECTORY_H

#include "mail/handoff/handoff_status.h"
#include "store/config/config.h"
#include "store/source/agent_identity.h"
#include "store/store.h"

#include <pthread.h>

/* The directory. Zero-initialised is empty and valid. Owns the data that its pointers refer to. */
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
    uint64_t naming;       /* equal in two directories in which the same names mean the same
                            * agents */
    pthread_mutex_t asked; /* locks `keys`, which cache their answers */
};

void agent_directory_free(struct agents_world *world);

/* Reads rosters, mailboxes, tasks and the outbox of all sources, on the storage thread. An outbox
 * that cannot be read is left out. The caller frees the directory in any case. */
bool store_agents(struct store *store, const struct config *config, struct agents_world *world,
                  struct err *err);
/* Like store_agents(), for a caller on the storage thread. */
bool agent_directory_fill(struct store *store, const struct config *config,
                          struct agents_world *world, struct err *err);

/* Calls agents_build() with the directory. The result borrows from the directory, which must not
 * move, and from the model. */
void agent_directory_build(struct agents_world *world, const struct model *model,
                           const struct asks *asks, int64_t now_us, struct agents *agents);
/* Like agent_directory_build(), but from the shares that were computed of all parts of the
 * model. */
void agent_directory_join(struct agents_world *world, const struct model *model,
                          const struct agents_share *shares, size_t share_count,
                          const struct asks *asks, int64_t now_us, struct agents *agents);

/* Call handoffs_build(), handoffs_hear() and handoffs_join() with the directory, which may be NULL.
 * The results borrow nothing from it. agent_directory_hear() may run on several threads. */
void agent_directory_handoffs(struct agents_world *world, const struct model *model,
                              const struct threads *threads, int64_t now_us,
                              struct handoff_list *handoffs);
void agent_directory_hear(struct agents_world *world, const struct model *model,
                          const struct threads *threads, int64_t now_us, struct hearing *hearing);
void agent_directory_join_handoffs(struct agents_world *world, const struct model *model,
                                   const struct threads *threads,
                                   const struct handoffs_share *shares, size_t share_count,
                                   int64_t now_us, struct handoff_list *handoffs);

#endif
