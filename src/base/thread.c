/* Work on another thread, which gets no signals. */
#include "base/thread.h"

#include "base/file/signal_cleanup.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Processes: background priority, and the lifetime of others. */

enum { BACKGROUND_NICE = 10 };

void background_enter(void)
{
    setpriority(PRIO_PROCESS, (id_t)syscall(SYS_gettid), BACKGROUND_NICE);
}

bool process_has_ended(pid_t pid)
{
    return pid > 0 && kill(pid, 0) < 0 && errno == ESRCH;
}

enum { MANY = 2000 };

int parallel_start(pthread_t *thread, void *(*run)(void *context), void *context)
{
    sigset_t all, before;

    signal_cleanup_thread_mask(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int failed = pthread_create(thread, NULL, run, context);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return failed;
}

void parallel_do(struct beside *beside, size_t count, void *(*run)(void *context), void *context)
{
    beside->running = count >= MANY && parallel_start(&beside->thread, run, context) == 0;
    if (!beside->running)
        run(context);
}

void parallel_wait(struct beside *beside)
{
    if (beside->running)
        pthread_join(beside->thread, NULL);
    beside->running = false;
}
