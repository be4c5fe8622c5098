/* Watching the sources: the storage thread notices changes and reports them.
 *
 * Each directory is watched before it is scanned, so that no change is missed. Trees for which the
 * kernel cannot report changes are scanned every second. */
#ifndef STORE_WATCH_WATCH_H
#define STORE_WATCH_WATCH_H

#include "store/store.h"

struct watch;

/* Starts to watch all sources, scans them and reports everything that exists. All functions here
 * run on the storage thread. */
struct watch *watch_start(struct store *store, const struct watch_options *options);
void watch_stop(struct watch *watch);

/* Return what to wait for: a descriptor that becomes readable, or -1; and the time until the next
 * action is due, -1 for never. */
int watch_fd(const struct watch *watch);
int watch_timeout_ms(const struct watch *watch);

/* Does everything that is due now. */
void watch_work(struct watch *watch);

#endif
