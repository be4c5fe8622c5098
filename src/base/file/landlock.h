/* Confinement by Landlock, if the kernel has it: a process gives up the right to open anything but
 * what it allowed itself. This cannot be undone, and all programs that the process starts inherit
 * it.
 *
 * Only the calling thread and those that it starts later are confined: call landlock_enter() before
 * there are other threads. What was opened before stays usable, and names and attributes of files
 * are not protected: Landlock does not restrict stat(2). */
#ifndef BASE_FILE_LANDLOCK_H
#define BASE_FILE_LANDLOCK_H

#include "base/err.h"

#include <stddef.h>
#include <stdint.h>

/* Rights beneath a directory, or on a file. Each includes those before it. */
enum landlock_right {
    LANDLOCK_LIST,  /* list names */
    LANDLOCK_READ,  /* read files */
    LANDLOCK_WRITE, /* create, change, move and remove files */
};

/* A set of rights; zero-initialised is none. */
struct confine {
    int version; /* the Landlock ABI; 0: none */
    int ruleset;
    uint64_t handled;
    struct landlock_place *places; /* directories that may be read */
    size_t count, cap;
};

/* Interprets the result of asking the kernel for its Landlock version. Returns the version, or 0
 * with the reason why it cannot be used. */
int landlock_judge(long answer, int error, struct err *err);
/* Returns the version of this kernel, or 0 with the reason. */
int landlock_version(struct err *err);

/* Starts collecting what is allowed. Returns false with the reason if confinement is not
 * possible. */
bool landlock_open(struct confine *confine, struct err *err);
/* Allows a path. Returns false if it does not exist; it is then left out. */
bool landlock_allow(struct confine *confine, const char *path, enum landlock_right right);
/* Confines the process to what was allowed. Programs that it starts cannot gain rights from
 * set-user-ID files either. */
bool landlock_enter(struct confine *confine, struct err *err);
/* Reports whether files beneath an open directory may be read. A directory that was removed and
 * created again is not allowed unless a directory above it is. Thread-safe. */
bool landlock_reaches(const struct confine *confine, int dir);
/* Frees the memory; the confinement itself stays. */
void landlock_free(struct confine *confine);

#endif
