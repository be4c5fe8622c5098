/* Confinement: a process gives up the right to open anything but what it was allowed, through
 * Landlock, where the kernel has it. Nothing undoes it, and all that the process starts has it too.
 *
 * Only the calling thread and those that it starts later are confined: call landlock_enter() before
 * there are others. What was opened before stays open, and names and attributes of files are no
 * secret: Landlock has no say in stat(2). */
#ifndef BASE_FILE_LANDLOCK_H
#define BASE_FILE_LANDLOCK_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* What may be done beneath a directory, or to a file. Each has what those before it have. */
enum landlock_right {
    LANDLOCK_LIST,  /* names can be listed */
    LANDLOCK_READ,  /* files can be read */
    LANDLOCK_WRITE, /* and be made, changed, moved and removed */
};

/* Zero-initialised is none. */
struct confine {
    int version; /* of Landlock; 0: none */
    int ruleset;
    uint64_t handled;
    struct landlock_place *places; /* directories that may be read */
    size_t count, cap;
};

/* What the kernel's answer to the question for its version means: the version, or 0 with the reason
 * why it is of no use. */
int landlock_judge(long answer, int error, struct err *err);
/* The version that this kernel has; 0 with the reason. */
int landlock_version(struct err *err);

/* Begins to collect what is allowed. False with the reason when there is no confinement. */
bool landlock_open(struct confine *confine, struct err *err);
/* What is not there is left out; false then. */
bool landlock_allow(struct confine *confine, const char *path, enum landlock_right right);
/* From now on nothing but that. No program that is started gets more rights by its file, either.
 */
bool landlock_enter(struct confine *confine, struct err *err);
/* Whether what lies in a directory that was opened may be read. One that was removed and made again
 * is another one, which nobody has allowed unless a directory above it was. Any thread. */
bool landlock_reaches(const struct confine *confine, int dir);
/* Frees what is known of it; the confinement itself stays. */
void landlock_free(struct confine *confine);

#endif
