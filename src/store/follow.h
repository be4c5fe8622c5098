/* Following mailboxes as they change: applies news to the live mail, and reports what changed. */
#ifndef STORE_FOLLOW_H
#define STORE_FOLLOW_H

#include "mail/live/live.h"
#include "mail/live/vanished.h"
#include "store/worker.h"

/* Callbacks of the caller; each may be NULL. Called in the order in which things happen. */
struct watching_calls {
    /* The live mail has been updated; the calls for the changed messages follow. */
    void (*updated)(void *context);
    /* Something happened to a message. Before `ready` every message is new. */
    void (*changed)(void *context, enum live_event event, const struct message *message);
    /* Everything that was present at the start has been reported. */
    void (*ready)(void *context);
    /* The data about agents changed, or may have. Takes ownership of `world`. */
    void (*known)(void *context, struct agent_directory *world);
    /* There is nothing more to report just now. */
    void (*settled)(void *context);
};

struct watching {
    struct worker *worker;
    struct store *store; /* the caller's, whose roots are followed too */
    struct live *live;
    bool ready;
    const struct watching_calls *calls;
    void *context;
    /* Called with news of sources and of how they are watched; set it after the start, or NULL. */
    void (*tell)(void *context, const char *sentence);
    void *report_context;
    struct vanished gone; /* vanished messages that may only be moving */
};

/* Starts to follow the sources of the store with a worker, which has a store of its own, and
 * returns at once. Without a config nothing is reported about agents. On failure watching_stop() is
 * not needed. */
bool watching_begin(struct watching *watching, struct store *store,
                    const struct watch_options *options, const struct watching_calls *calls,
                    void *context, struct err *err);
void watching_stop(struct watching *watching);

/* Handles some of the available news, without waiting. */
void watching_take(struct watching *watching);

/* Returns how long a caller may wait for news before something else is due; -1: for ever. */
int watching_timeout_ms(const struct watching *watching);

#endif
