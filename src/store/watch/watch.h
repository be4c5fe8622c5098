/* Watching: the storage thread learns what changes in the sources and tells of it.
 *
 * Directories are watched before they are looked through, so that nothing falls between. Where the
 * kernel cannot tell of changes the tree is looked at every second. */
#ifndef STORE_WATCH_WATCH_H
#define STORE_WATCH_WATCH_H

#include "store/store.h"

struct watch;

/* Starts to watch all sources and looks through them; everything that is there is told. On the
 * storage thread, as all of this. */
struct watch *watch_start(struct store *store, const struct watch_options *options);
void watch_stop(struct watch *watch);

/* What to wait for: a descriptor that becomes readable, or -1, and when the next thing is due; -1
 * for never. */
int watch_fd(const struct watch *watch);
int watch_timeout_ms(const struct watch *watch);

/* Does what is to be done now, if anything. */
void watch_work(struct watch *watch);

#endif
