/* Locks of inboxes that killed processes of ours have left behind, in a whole source: agents'
 * programs cannot take these over. */
#ifndef STORE_SEND_LOCK_LEFT_H
#define STORE_SEND_LOCK_LEFT_H

#include "store/source/source.h"

/* After this time a lock that was left behind can be cleared. */
#define LOCK_LEFT_US INT64_C(11000000)

/* Clears those that are old enough. True when there are others that may have been left behind: to
 * be called again after LOCK_LEFT_US. */
bool lock_clear_left(const struct source *source);

/* Whether a name beside inboxes is a lock. */
bool lock_is_name(struct span name);

#endif
