/* A layout as its own programs use it: making a tree, sending, reading, and finishing messages. */
#ifndef DEMO_LAYOUTS_LAYOUT_H
#define DEMO_LAYOUTS_LAYOUT_H

#include "demo/message.h"
#include "demo/random.h"

#include <stddef.h>
#include <time.h>

struct layout;
struct box;

/* One agent of the swarm. */
struct member {
    const struct layout *layout;
    char name[40];
    const char *role;
    const char *color;
    unsigned place; /* index among the agents of its layout */
};

/* Names of messages that were read already; kept as long as the agent lives. */
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
    struct timespec changed; /* time stamp of the file or directory at the last check */
    bool asleep;             /* reads nothing before the lead has written to it */
    /* Gets each new message, and takes ownership of it. */
    void (*got)(void *context, struct message *message);
    void *context;
};

struct layout {
    const char *name; /* as in the client's table of formats */
    const char *lead; /* name of the person there */
    const char *team;
    const char *roles[6]; /* of its agents, in turn */
    unsigned
        weight; /* share of the agents, out of eighteen: the layouts with most to show get more */
    bool one_slot; /* room for one message per recipient */
    bool programs; /* its agents are programs that wait for their requests, and report when idle */
    bool requests; /* a request is one for the client too, not only for a human reader */
    bool conversations;    /* messages have a conversation id */
    const struct box *box; /* of layouts with one file per message */

    /* Makes the tree with its roster, as of that time. */
    bool (*found)(const char *dir, const struct member *members, size_t count, int64_t time_us);
    /* The ids of its messages: # is a hexadecimal digit, @ is a UUID, ^ is the sender and the time.
     * NULL: messages have none. */
    const char *id;
    /* Gives the message an id and writes it. Returns false if that is not possible now; nothing was
     * written. */
    bool (*send)(struct post *post, struct message *message);
    void (*take)(struct post *post);
    /* Mark a message as being worked on, or as finished. NULL: nothing is written. */
    void (*begin)(struct post *post, const struct message *message);
    void (*done)(struct post *post, const struct message *message);
    /* Removes the agent from the team. NULL: nothing is written. */
    void (*leave)(struct post *post);
    /* Writes a task of the agent; the number is the team's. NULL: no tasks. */
    void (*task)(struct post *post, unsigned number, const char *subject, const char *status);
};

extern const struct layout layout_claude, layout_openclaw, layout_inbox, layout_adr, layout_roo;

extern const struct layout *const layouts[]; /* ends with NULL */

/* Gives a message its id and conversation, unless it has them. Returns false if messages have no
 * ids in this layout. */
bool layout_name(const struct layout *layout, struct message *message, struct dice *dice);

/* Reports whether to read a message from that sender; a message from the lead wakes an agent that
 * is asleep. */
bool post_wants(struct post *post, const char *from);
bool post_has_seen(const struct post *post, const char *name);
void post_note(struct post *post, const char *name);
/* Returns false if the file or directory is unchanged since the last call. */
bool post_has_changed(struct post *post, const char *path);

#endif
