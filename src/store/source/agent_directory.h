/* Everything that the store knows about agents except their messages. */
#ifndef STORE_SOURCE_AGENT_DIRECTORY_H
#define STORE_SOURCE_AGENT_DIRECTORY_H

#include "base/map.h"
#include "mail/agent/agent.h"
#include "mail/handoff/handoff_status.h"
#include "store/config/config.h"
#include "store/source/address.h"
#include "store/store.h"

#include <pthread.h>

/* The identity of agents: all spellings of one agent lead to the same key. */

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

/* The directory. Zero-initialised is empty and valid. Owns the data that its pointers refer to. */
struct agent_directory {
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

void agent_directory_free(struct agent_directory *world);

/* Reads rosters, mailboxes, tasks and the outbox of all sources. An outbox that cannot be read is
 * left out. The caller frees the directory in any case. */
bool store_agents(struct store *store, const struct config *config, struct agent_directory *world,
                  struct err *err);

/* Calls agents_build() with the directory. The result borrows from the directory, which must not
 * move, and from the model. */
void agent_directory_build(struct agent_directory *world, const struct model *model,
                           const struct requests *asks, int64_t now_us, struct agents *agents);
/* Like agent_directory_build(), but from the shares that were computed of all parts of the
 * model. */
void agent_directory_join(struct agent_directory *world, const struct model *model,
                          const struct agents_share *shares, size_t share_count,
                          const struct requests *asks, int64_t now_us, struct agents *agents);

/* Call handoffs_build(), handoffs_collect() and handoffs_join() with the directory, which may be
 * NULL. The results borrow nothing from it. agent_directory_collect() may run on several threads.
 */
void agent_directory_handoffs(struct agent_directory *world, const struct model *model,
                              const struct threads *threads, int64_t now_us,
                              struct handoff_list *handoffs);
void agent_directory_collect(struct agent_directory *world, const struct model *model,
                             const struct threads *threads, int64_t now_us,
                             struct hearing *hearing);
void agent_directory_join_handoffs(struct agent_directory *world, const struct model *model,
                                   const struct threads *threads,
                                   const struct handoffs_share *shares, size_t share_count,
                                   int64_t now_us, struct handoff_list *handoffs);

#endif
