/* Work that nobody waits for: stepping back. */
#include "base/background.h"

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { BACKGROUND_NICE = 10 };

void background_enter(void)
{
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), BACKGROUND_NICE);
}
