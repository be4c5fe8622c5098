/* A layout as its own programs keep it: founding a tree, sending, taking, and being done. */
#ifndef DEMO_LAYOUTS_LAYOUT_H
#define DEMO_LAYOUTS_LAYOUT_H

#include "demo/message.h"
#include "demo/random.h"

#include <stddef.h>
#include <time.h>

struct layout;

/* One agent of the swarm. */
struct member {
    const struct layout *layout;
    char name[40];
    const char *role;
    const char *color;
    unsigned place; /* among those of its layout */
};

/* Names that were dealt with already; kept as long as the agent lives. */
struct seen {
    char **names;
    size_t count;
};

/* An agent's own access to the mailboxes of its layout. */
struct post {
    const struct layout *layout;
    const char *dir; /* of the swarm */
    const char *who;
    const char *color;
    struct dice *dice;
    struct seen seen;
    struct timespec changed; /* of what was looked through last */
    bool asleep;             /* takes nothing before the lead has written to it */
};

struct layout {
    const char *name; /* as in the client's table of formats */
    const char *lead; /* what the person is called there */
    const char *team;
    unsigned weight; /* how many of eighteen it gets: what has the most to show comes first */
    bool one_slot;   /* there is room for one message to each */
    bool programs;   /* its agents are programs that wait with their requests, and say when idle */
    bool requests;   /* a request there is one for the client, too, and not only for who reads it */
    bool conversations; /* messages name theirs */

    /* The tree with its roster, as it was at that time. */
    bool (*found)(const char *dir, const struct member *members, size_t count, int64_t time_us);
    /* A new id for a letter. NULL: messages have none. */
    void (*add_id)(struct text *out, const struct message *message, struct dice *dice);
    /* Gives the letter its name. False: not now, and nothing was written. */
    bool (*send)(struct post *post, struct message *message);
    /* Hands over what has come for the agent; the letter is the receiver's. */
    void (*take)(struct post *post, void (*got)(void *context, struct message *message),
                 void *context);
    /* The agent works on it; the agent has done with it. NULL: nothing is written then. */
    void (*begin)(struct post *post, const struct message *message);
    void (*done)(struct post *post, const struct message *message);
    /* The agent is not of the team any more. NULL: nothing is written then. */
    void (*leave)(struct post *post);
    /* A piece of work of the agent; the number is the team's. NULL: there are none. */
    void (*task)(struct post *post, unsigned number, const char *subject, const char *status);
};

extern const struct layout layout_claude, layout_openclaw, layout_inbox, layout_adr, layout_roo;

extern const struct layout *const layouts[]; /* NULL ends it */

/* Gives a letter the id that it has there, and its conversation, unless it has them. False:
 * messages have none there. */
bool layout_name(const struct layout *layout, struct message *message, struct dice *dice);

/* Whether a letter from that sender is to be taken; wakes who sleeps when it is the lead's. */
bool post_wants(struct post *post, const char *from);
bool post_has_seen(const struct post *post, const char *name);
void post_note(struct post *post, const char *name);
/* False when the file or directory is as it was at the last call. */
bool post_has_changed(struct post *post, const char *path);

#endif
