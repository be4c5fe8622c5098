/* Processes that others started. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* No process has that number any more. False for what cannot be the number of one. */
bool process_has_ended(pid_t pid);

#endif
