/* Processes: background priority, and the lifetime of others. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* Lowers the priority of the calling thread, for work that nobody waits for. This cannot be
 * undone. */
void background_enter(void);

/* Reports whether no process with this number exists any more. False for a number that no process
 * can have. */
bool process_has_ended(pid_t pid);

#endif
