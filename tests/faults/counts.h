/* Shared by the preloaded libraries: the kinds of calls, and the page with their counts. */
#ifndef FAULTS_COUNTS_H
#define FAULTS_COUNTS_H

enum kind {
    OPEN,
    READ,
    WRITE,
    SYNC,
    RENAME,
    LINK,
    MKDIR,
    UNLINK,
    CLOSE,
    MAP,
    LOCK,
    ATTR,
    LIST,
    LOOK,
    MEMORY,
};

/* The page has a number of 64 bits for each kind, followed by the number of calls that were hit. */
enum { KINDS = MEMORY + 1, PAGE = 4096 };

#endif
