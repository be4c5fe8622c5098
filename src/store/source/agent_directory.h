/* What the store knows about agents beside their messages. */
#ifndef STORE_SOURCE_AGENT_DIRECTORY_H
#define STORE_SOURCE_AGENT_DIRECTORY_H

#include "mail/handoff/handoff_status.h"
#include "store/config/config.h"
#include "store/source/agent_identity.h"
#include "store/store.h"

#include <pthread.h>

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
    uint64_t naming;       /* the same in two worlds in which the same names mean the same agents */
    pthread_mutex_t asked; /* keys note what they have answered */
};

void agent_directory_free(struct agents_world *world);

/* Reads rosters, mailboxes, tasks and the outbox of all sources, on the storage thread. An outbox
 * that cannot be read is left out. The caller frees the world in any case. */
bool store_agents(struct store *store, const struct config *config, struct agents_world *world,
                  struct err *err);
/* The same for who is on the storage thread. */
bool agent_directory_fill(struct store *store, const struct config *config,
                          struct agents_world *world, struct err *err);

/* agents_build() with what the world knows. What is built lives as long as the world, which must
 * not move, and as the model. */
void agent_directory_build(struct agents_world *world, const struct model *model,
                           const struct asks *asks, int64_t now_us, struct agents *agents);
/* The same of what is known already of all shares of the model. */
void agent_directory_join(struct agents_world *world, const struct model *model,
                          const struct agents_share *shares, size_t share_count,
                          const struct asks *asks, int64_t now_us, struct agents *agents);

/* handoffs_build(), handoffs_hear() and handoffs_join() with what the world knows; it may be NULL.
 * Nothing borrows from the world. Several threads can hear. */
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
