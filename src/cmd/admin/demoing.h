/* The swarm of a demo: a directory, a program that lives in it, and the end of both. */
#ifndef CMD_ADMIN_DEMOING_H
#define CMD_ADMIN_DEMOING_H

#include "base/err.h"
#include "base/str.h"

#include <sys/types.h>

struct demo {
    struct str dir;                      /* absolute */
    struct str program;                  /* that the agents are */
    bool keep;                           /* the directory stays */
    const struct format *const *formats; /* NULL ends them */
    const char *agents, *speed, *seed;   /* numbers, as they were given */
    int lifeline;                        /* the swarm lives until every copy of it is closed */
    pid_t swarm;
};

/* A new directory for it, or the one that is to be kept: new or empty. */
bool demo_make_dir(struct demo *demo, const char *keep, struct err *err);
/* Starts the swarm and returns when there is something to see. */
bool demo_start(struct demo *demo, struct err *err);
/* Lets the swarm end and waits for it. False when something of it is left. */
bool demo_end(struct demo *demo);

/* Where the mailboxes of a layout lie in the directory; NULL when no agents of the demo have it. */
const char *demo_root(const struct format *format);
/* The same as --source takes it. */
void demo_add_source(struct str *out, const struct demo *demo, const struct format *format);
/* Makes everything that this process and its children keep for themselves stay in the directory. */
void demo_move_in(const struct demo *demo);
/* Leaves a script in the directory that runs this program there. */
bool demo_write_script(const struct demo *demo, struct err *err);

#endif
