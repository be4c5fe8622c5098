/* Cleanup at the end of the process: the table, and the handler that works through it.
 *
 * The table is global because a signal handler has no other way to reach it. */
#include "base/file/signal_cleanup.h"

#include "base/time.h"

#include <fcntl.h>
#include <poll.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { WAIT_US = 200000 };

static struct slot {
    atomic_int owner; /* the process that registered it: a forked child must not undo it; 0: free */
    struct signal_cleanup_undo undo;
} slots[SIGNAL_CLEANUP_SLOTS];

static atomic_bool dying;
static atomic_int inside; /* threads between signal_cleanup_enter() and signal_cleanup_leave() */
static _Thread_local atomic_int here;     /* 1 if this thread is one of them */
static _Thread_local atomic_int deferred; /* a signal that arrived meanwhile */
static void (*_Atomic last_hook)(void);

static const int ending_signals[] = {SIGINT, SIGTERM, SIGHUP,  SIGQUIT, SIGSEGV, SIGBUS,  SIGABRT,
                                     SIGFPE, SIGILL,  SIGXCPU, SIGXFSZ, SIGALRM, SIGUSR1, SIGUSR2};
static const int own_faults[] = {SIGSEGV, SIGBUS, SIGABRT, SIGFPE, SIGILL};

static int64_t mtime_ns(const struct stat *st)
{
    return st->st_mtim.tv_sec * INT64_C(1000000000) + st->st_mtim.tv_nsec;
}

void signal_undo_identify(struct signal_cleanup_undo *undo, const struct stat *st)
{
    undo->dev = st->st_dev;
    undo->ino = st->st_ino;
    undo->mtime_ns = mtime_ns(st);
}

static bool same_inode(const struct signal_cleanup_undo *undo, struct stat *st)
{
    return fstatat(undo->dir, undo->name, st, AT_SYMLINK_NOFOLLOW) == 0 &&
           st->st_dev == undo->dev && st->st_ino == undo->ino;
}

bool signal_undo_stands(const struct signal_cleanup_undo *undo)
{
    struct stat st;

    return same_inode(undo, &st) && mtime_ns(&st) == undo->mtime_ns;
}

void signal_undo_hide(struct signal_cleanup_undo *undo)
{
    if (undo->aside[0] && signal_undo_stands(undo) &&
        renameat(undo->dir, undo->name, undo->dir, undo->aside) == 0) {
        memcpy(undo->name, undo->aside, sizeof undo->name);
        undo->aside[0] = '\0';
    }
}

void signal_undo_run(const struct signal_cleanup_undo *listed)
{
    struct signal_cleanup_undo undo_now = *listed, *undo = &undo_now;
    struct stat st;

    if (!undo->is_dir) {
        unlinkat(undo->dir, undo->name, 0);
        return;
    }
    signal_undo_hide(undo);
    bool stands = signal_undo_stands(undo);
    if (undo->inner_dir >= 0) {
        unlinkat(undo->inner_dir, undo->inner, AT_REMOVEDIR);
        /* While empty it can be removed by others, who may have created a new one since. */
        stands = stands && same_inode(undo, &st);
    }
    if (stands)
        unlinkat(undo->dir, undo->name, AT_REMOVEDIR);
}

static _Noreturn void wait_for_the_end(void)
{
    for (;;)
        poll(NULL, 0, 1000);
}

static _Noreturn void end_by(int signal_number)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t only;

    sigaction(signal_number, &standard, NULL);
    sigemptyset(&only);
    sigaddset(&only, signal_number);
    raise(signal_number);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    _exit(128 + signal_number);
}

/* Reports whether another process sent the signal, as kill(1) does; false if this thread raised
 * it. */
static bool is_sent(const siginfo_t *info)
{
    return info->si_code <= 0 && info->si_pid != getpid();
}

/* Waits for other threads that are inside a section, undoes what is in the table and calls the
 * hook. Only the first caller does so; for all others it does not return. */
static void take_all_back(void)
{
    if (atomic_exchange(&dying, true))
        wait_for_the_end(); /* another thread is doing it */
    /* If this thread is itself inside, it cannot leave any more: wait only for the others. */
    int64_t end = time_steady() + WAIT_US;
    while (atomic_load(&inside) > atomic_load(&here) && time_steady() < end)
        poll(NULL, 0, 1);

    pid_t self = getpid();
    for (int i = 0; i < SIGNAL_CLEANUP_SLOTS; i++)
        if (atomic_load(&slots[i].owner) == self)
            signal_undo_run(&slots[i].undo);
    void (*hook)(void) = atomic_load(&last_hook);
    if (hook)
        hook();
}

static void on_signal(int signal_number, siginfo_t *info, void *context)
{
    (void)context;
    if (atomic_load(&here) && is_sent(info)) {
        atomic_store(&deferred, signal_number);
        return;
    }
    take_all_back();
    end_by(signal_number);
}

void signal_cleanup_exit(int code, const char *sentence)
{
    sigset_t all, before;

    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before);
    take_all_back();
    ssize_t ignored = write(STDERR_FILENO, sentence, strlen(sentence));
    (void)ignored;
    _exit(code);
}

void signal_cleanup_install(void)
{
    struct sigaction action = {.sa_sigaction = on_signal, .sa_flags = SA_SIGINFO}, old;

    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < sizeof ending_signals / sizeof *ending_signals; i++) {
        bool free_to_take = sigaction(ending_signals[i], NULL, &old) == 0 &&
                            !(old.sa_flags & SA_SIGINFO) && old.sa_handler == SIG_DFL;
        if (free_to_take)
            sigaction(ending_signals[i], &action, NULL);
    }
}

void signal_cleanup_set_hook(void (*hook)(void))
{
    atomic_store(&last_hook, hook);
}

void signal_cleanup_thread_mask(sigset_t *set)
{
    sigfillset(set);
    for (size_t i = 0; i < sizeof own_faults / sizeof *own_faults; i++)
        sigdelset(set, own_faults[i]);
}

void signal_cleanup_enter(sigset_t *before)
{
    sigset_t mask;

    signal_cleanup_thread_mask(&mask);
    pthread_sigmask(SIG_BLOCK, &mask, before);
    atomic_store(&here, 1);
    atomic_fetch_add(&inside, 1);
    if (atomic_load(&dying)) {
        atomic_fetch_sub(&inside, 1);
        wait_for_the_end();
    }
}

void signal_cleanup_leave(const sigset_t *before)
{
    atomic_fetch_sub(&inside, 1);
    atomic_store(&here, 0);
    int late = atomic_exchange(&deferred, 0);
    if (late)
        raise(late);
    pthread_sigmask(SIG_SETMASK, before, NULL);
}

int signal_cleanup_add(const struct signal_cleanup_undo *undo)
{
    for (int i = 0; i < SIGNAL_CLEANUP_SLOTS; i++) {
        int free_slot = 0;
        /* Claim the slot with an owner that no process has, so that a handler skips it until it is
         * filled. */
        if (atomic_compare_exchange_strong(&slots[i].owner, &free_slot, -1)) {
            slots[i].undo = *undo;
            atomic_store(&slots[i].owner, getpid());
            return i;
        }
    }
    return -1;
}

void signal_cleanup_forget(int slot)
{
    if (slot >= 0)
        atomic_store(&slots[slot].owner, 0);
}
