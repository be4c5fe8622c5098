/* Following the mailboxes as they change, for the commands that do. */
#ifndef CMD_WATCHING_H
#define CMD_WATCHING_H

#include "cmd/command.h"
#include "mail/gone.h"
#include "mail/live.h"

/* What a command wants to be told; any may be NULL. Called in the order in which things happen. */
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
    const struct app *app;
    struct live *live;
    bool ready;
    const struct watching_calls *calls;
    void *context;
    struct gone gone; /* messages that may only be on their way somewhere else */
};

/* Starts to follow; `want` are the parts that messages are told with. Without a config nothing is
 * told about agents. */
void watching_start(struct watching *watching, const struct app *app, unsigned want,
                    const struct config *config, const struct watching_calls *calls, void *context);
void watching_stop(struct watching *watching);

/* Takes some of the news that is there, without waiting. */
void watching_take(struct watching *watching);

/* Takes news until that is enough, or that time of the steady clock has come (WHEN_NONE: never), or
 * nobody reads standard output any more. What is there at the start is looked at in any case. */
void watching_follow(struct watching *watching, int64_t end_us,
                     bool (*is_enough)(const void *context));

/* How long a caller may wait until something is due though no news comes; -1: for ever. */
int watching_timeout_ms(const struct watching *watching);

#endif
