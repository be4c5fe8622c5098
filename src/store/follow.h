/* Following the mailboxes as they change: news into a live picture, and what that changed. */
#ifndef STORE_FOLLOW_H
#define STORE_FOLLOW_H

#include "mail/live/live.h"
#include "mail/live/vanished.h"
#include "store/store.h"

/* What somebody wants to be told; any may be NULL. Called in the order in which things happen. */
struct watching_calls {
    /* The picture has been brought up to date; what that changed follows. */
    void (*updated)(void *context);
    /* Something happened to a message. Before `ready` everything that is there is new. */
    void (*changed)(void *context, enum live_event event, const struct message *message);
    /* The present state is complete. */
    void (*ready)(void *context);
    /* What is known of agents changed, or may have. Takes the world over. */
    void (*known)(void *context, struct agents_world *world);
    /* Nothing more is to be told just now. */
    void (*settled)(void *context);
};

struct watching {
    struct store *store;
    struct live *live;
    bool ready;
    const struct watching_calls *calls;
    void *context;
    /* How a source is watched has changed; to be set after the beginning, or NULL. */
    void (*tell)(void *context, const char *sentence);
    void *tell_context;
    struct vanished gone; /* messages that may only be on their way somewhere else */
};

/* Starts to follow, and returns at once. Without a config nothing is told about agents. */
void watching_begin(struct watching *watching, struct store *store,
                    const struct watch_options *options, const struct watching_calls *calls,
                    void *context);
void watching_stop(struct watching *watching);

/* Takes some of the news that is there, without waiting. */
void watching_take(struct watching *watching);

/* How long a caller may wait until something is due though no news comes; -1: for ever. */
int watching_timeout_ms(const struct watching *watching);

#endif
