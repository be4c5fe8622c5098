/* A worker: a thread that owns a store, runs functions on it, and watches its sources between
 * them. The owner of the worker waits for none of this; it receives news. */
#ifndef STORE_WORKER_H
#define STORE_WORKER_H

#include "store/watch/watch.h"

struct worker;

/* Starts a thread for the store, and takes ownership of it: it is closed if this fails, which
 * returns NULL, and by worker_stop(). A store of NULL, which could not be opened, fails too. The
 * thread first finishes what a `patient` store left for later. */
struct worker *worker_start(struct store *store, struct err *err);
/* Waits for all that was begun, and drops the news that nobody has fetched. NULL is allowed. */
void worker_stop(struct worker *worker);

/* The store, only for what does not change: its sources and how it was opened. */
const struct store *worker_store(const struct worker *worker);

/* Makes the thread run work(store, context) and returns at once. NEWS_DONE reports the end, unless
 * the worker is stopped before: then the work has ended when worker_stop() returns. */
void worker_begin(struct worker *worker, void (*work)(struct store *store, void *context),
                  void *context);
/* Makes the thread watch all sources and report changes, starting with everything that is present.
 * Returns at once. */
void worker_watch(struct worker *worker, const struct watch_options *options);

/* Returns a descriptor that is readable when there may be news. */
int worker_fd(const struct worker *worker);
/* Fetches the next news; false at once if there is none. The caller frees it. Sentences that verbs
 * have reported on the thread meanwhile are passed on to the receiver that the store was opened
 * with. */
bool worker_next(struct worker *worker, struct news *news);

/* Queues a sentence for the person, on the thread. */
void worker_tell(struct worker *worker, const char *sentence);
/* Queues the news, as the thread does; takes ownership. `context` is the worker. */
void worker_post(void *context, const struct news *news);

#endif
