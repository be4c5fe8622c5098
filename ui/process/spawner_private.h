/* The spawner: what both of its ends know. */
#ifndef UI_PROCESS_SPAWNER_PRIVATE_H
#define UI_PROCESS_SPAWNER_PRIVATE_H

#include "ui/process/spawner.h"

enum { SPAWNER_WORDS = 1024, SPAWNER_BYTES = 65536, SPAWNER_FILES = 3 };

/* A request is this, the words with a NUL behind each, and the descriptors that are to be given, in
 * the order of the files. */
struct spawner_request {
    int files[SPAWNER_FILES]; /* SPAWN_NOTHING, SPAWN_OURS, or 0: the next descriptor */
    unsigned words;
    char text[SPAWNER_BYTES];
};

struct spawner_answer {
    int error;   /* 0: it runs */
    pid_t child; /* 0: there is none */
};

/* The process: answers until the other end is closed. */
void spawner_serve(int fd, const struct spawn_form *forms);

#endif
