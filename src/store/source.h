/* A source: one mailbox tree on disk, with the layout it is in and who we are there. */
#ifndef STORE_SOURCE_H
#define STORE_SOURCE_H

#include "store/format.h"

struct source {
    const struct format *format;
    char *path; /* absolute */
    char *identity;
    int root;          /* descriptor of the root directory */
    char *roster_path; /* NULL where the layout has no rosters of its own */
    uint32_t index;    /* its number in the store */
};

/* Opens [FORMAT:]PATH. Without FORMAT the layout is recognised, also from the project directory
 * above the mailboxes. `identity` and `swarms` may be NULL. The caller closes it. */
bool source_open(struct source *source, const char *spec, const char *identity, const char *swarms,
                 struct err *err);
void source_close(struct source *source);

/* Fills `path` with the nearest mailbox tree of the layout at or above the working directory. */
bool source_discover(const struct format *format, struct str *path);

/* Opens a directory beneath the root, "" for the root itself: -1 and errno on failure. */
int source_dir(const struct source *source, const char *dir);

/* An agent that is named somewhere: in a roster, or by having a box. */
struct agent_name {
    struct span team; /* swarm, for a roster entry */
    struct span name;
    bool on_roster;
};

struct agent_names {
    struct arena arena;
    struct agent_name *items;
    size_t count, cap;
};

void agent_names_free(struct agent_names *names);
/* The agents of all rosters, in the order of their names. No roster directory is no error. */
bool source_rosters(const struct source *source, struct agent_names *names, struct err *err);
/* The boxes that exist, by directory, in the order of their names. */
bool source_boxes(const struct source *source, struct agent_names *names, struct err *err);

#endif
