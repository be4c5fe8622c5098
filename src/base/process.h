/* Work that nobody waits for. */
#ifndef BASE_PROCESS_H
#define BASE_PROCESS_H

#include <stdbool.h>
#include <sys/types.h>

/* From now on the calling thread gives way to whoever works at the machine. There is no way back.
 */
void background_enter(void);

/* Processes that others started. */

/* No process has that number any more. False for what cannot be the number of one. */
bool process_has_ended(pid_t pid);

#endif
