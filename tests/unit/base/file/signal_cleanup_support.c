/* Shared by the tests of signals: children that may be killed. */
#include "signal_cleanup_support.h"

#include "base/file/signal_cleanup.h"

#include <criterion/criterion.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP,  SIGQUIT, SIGSEGV, SIGBUS,  SIGABRT, SIGFPE,
                              SIGILL, SIGXCPU, SIGXFSZ, SIGALRM, SIGUSR1, SIGUSR2, 0};

int start_child(void (*body)(void))
{
    int child = fork();

    cr_assert(child >= 0);
    if (child)
        return child;
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t none;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* leave no child running when a test fails */
    for (int i = 1; i < NSIG; i++)
        sigaction(i, &standard, NULL);
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    signal_cleanup_install();
    body();
    _exit(0);
}

int end_of_child(int child)
{
    int status;

    cr_assert_eq(waitpid(child, &status, 0), child);
    if (WIFSIGNALED(status))
        return WTERMSIG(status);
    cr_assert_eq(WEXITSTATUS(status), 0, "the child failed with %d", WEXITSTATUS(status));
    return 0;
}

int run_child(void (*body)(void))
{
    return end_of_child(start_child(body));
}
