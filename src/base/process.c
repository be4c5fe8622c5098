/* Processes that others started: whether they are still there. */
#include "base/process.h"

#include <errno.h>
#include <signal.h>

bool process_has_ended(pid_t pid)
{
    return pid > 0 && kill(pid, 0) < 0 && errno == ESRCH;
}
