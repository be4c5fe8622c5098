/* Tests the lock of an inbox when processes end or race. */
#include "inbox_lock_support.h"
#include "tests/unit/base/file/signal_cleanup_support.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static int signal_now;
static bool on_thread; /* a storage thread holds it, another gets the signal */
static atomic_bool is_held;

static void take_or_end(void)
{
    if (!lock_take(&lock, tmp.fd, INBOX, NULL, &err) || !tmp_exists(&tmp, LOCK))
        _exit(9);
    is_held = true;
}

static void *hold(void *context)
{
    take_or_end();
    for (;;)
        pause();
    return context;
}

/* Starts a thread like the storage thread: signals go to the other thread, except for its own
 * faults. */
static void start_thread(void *(*work)(void *))
{
    sigset_t mask, before;
    pthread_t thread;

    signal_cleanup_thread_mask(&mask);
    pthread_sigmask(SIG_SETMASK, &mask, &before);
    pthread_create(&thread, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    while (!is_held)
        usleep(100);
}

static void hold_and_raise(void)
{
    if (on_thread)
        start_thread(hold);
    else
        take_or_end();
    kill(getpid(), signal_now);
    for (;;)
        pause();
}

Test(lock, is_removed_by_every_signal_that_can_be_caught)
{
    for (int variant = 0; variant < 4; variant++) {
        on_thread = variant & 1;
        for (int i = 0; ending_signals[i]; i++) {
            if (variant & 2)
                make_dir(LOCK, 11);
            signal_now = ending_signals[i];
            cr_assert_eq(run_child(hold_and_raise), signal_now);
            cr_assert_eq(tmp_count(&tmp, "."), 0, "signal %d, variant %d", signal_now, variant);
        }
    }
}

static void *fault(void *context)
{
    take_or_end();
    raise(SIGSEGV);
    return context;
}

static void hold_and_fault(void)
{
    start_thread(fault);
    for (;;)
        pause();
}

Test(lock, is_removed_by_a_fault_of_the_thread_that_holds_it)
{
    cr_assert_eq(run_child(hold_and_fault), SIGSEGV);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

Test(lock, of_a_killed_process_stays_and_is_taken_over_ten_seconds_later)
{
    signal_now = SIGKILL;
    for (int claimed = 0; claimed < 2; claimed++) {
        if (claimed)
            make_dir(LOCK, 11);
        cr_assert_eq(run_child(hold_and_raise), SIGKILL);
        expect_busy(30, "a lock directory of another program, 0 s old");
        cr_assert_eq(tmp_count(&tmp, LOCK), 1);
        age(LOCK "/claim", 11);
        age(LOCK, 11);
        take(1000);
        release();
    }
}

/* Takes, takes over and releases the lock as fast as it can. */
static void *work_on(void *context)
{
    sigset_t before;

    for (int i = 0;; i++) {
        if (i % 2) {
            signal_cleanup_enter(&before);
            make_dir(LOCK, 11);
            signal_cleanup_leave(&before);
        }
        /* the lock itself is not checked: the handler may have removed it already */
        if (!lock_take(&lock, tmp.fd, INBOX, NULL, &err))
            _exit(9);
        lock_release(&lock);
    }
    return context;
}

static void work_until_signalled(void)
{
    start_thread(work_on);
    for (;;)
        pause();
}

/* The stale lock that the child makes may stay, as an empty directory; a claim or a fresh lock may
 * not. */
Test(lock, a_signal_at_any_moment_leaves_none)
{
    for (int i = 0; i < 100; i++) {
        struct stat st;
        int child = start_child(work_until_signalled);
        usleep((useconds_t)(i * 97 % 3000));
        kill(child, SIGTERM);
        cr_assert_eq(end_of_child(child), SIGTERM);
        if (fstatat(tmp.fd, LOCK, &st, AT_SYMLINK_NOFOLLOW) < 0)
            continue;
        cr_assert_eq(tmp_count(&tmp, LOCK), 0, "round %d: a claim", i);
        cr_assert_eq(unlinkat(tmp.fd, LOCK, AT_REMOVEDIR), 0);
        cr_assert(st.st_mtim.tv_sec + 5 < time(NULL), "round %d: a lock", i);
    }
}

enum { TAKERS = 4, ROUNDS = 400 }; /* see usual_rounds() */

static struct race {
    pthread_barrier_t ready, done;
    atomic_int inside, takings, failures, doubles;
    atomic_llong longest_us;
} * race;

static void enter_and_leave(void)
{
    struct lock mine;
    struct err why;

    if (!lock_take(&mine, tmp.fd, INBOX, NULL, &why)) {
        atomic_fetch_add(&race->failures, 1);
        return;
    }
    /* Count holders in memory, and by a file that can be created only once. */
    int fd = openat(tmp.fd, "marker", O_WRONLY | O_CREAT | O_EXCL, 0666);
    if (atomic_fetch_add(&race->inside, 1) || fd < 0 || !lock_still_ours(&mine))
        atomic_fetch_add(&race->doubles, 1);
    close(fd);
    usleep(200);
    unlinkat(tmp.fd, "marker", 0);
    if (!lock_still_ours(&mine))
        atomic_fetch_add(&race->doubles, 1);
    atomic_fetch_sub(&race->inside, 1);
    lock_release(&mine);
    atomic_fetch_add(&race->takings, 1);
}

static void run_taker(void)
{
    for (int i = 0; i < usual_rounds(ROUNDS); i++) {
        pthread_barrier_wait(&race->ready);
        enter_and_leave();
        pthread_barrier_wait(&race->done);
    }
    long long longest = lock_longest_hold_us();
    if (longest > race->longest_us)
        race->longest_us = longest;
}

static void plant_stale(int round)
{
    switch (round % 4) {
    case 0:
    case 1:
        make_dir(LOCK, 11);
        break;
    case 2: /* left by a process of ours */
        make_dir(LOCK, 0);
        make_dir(LOCK "/claim", 11);
        age(LOCK, 11);
        break;
    case 3: /* left by another program */
        tmp_write(&tmp, LOCK, span_of("nobody"));
        age(LOCK, 31);
        break;
    }
}

Test(lock, many_takers_of_a_stale_one_never_hold_it_together)
{
    pthread_barrierattr_t shared;
    int takers[TAKERS];

    race = mmap(NULL, sizeof *race, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(race != MAP_FAILED);
    pthread_barrierattr_init(&shared);
    pthread_barrierattr_setpshared(&shared, PTHREAD_PROCESS_SHARED);
    pthread_barrier_init(&race->ready, &shared, TAKERS + 1);
    pthread_barrier_init(&race->done, &shared, TAKERS + 1);
    for (int i = 0; i < TAKERS; i++)
        takers[i] = start_child(run_taker);
    for (int round = 0; round < usual_rounds(ROUNDS); round++) {
        plant_stale(round);
        pthread_barrier_wait(&race->ready);
        pthread_barrier_wait(&race->done);
        if (tmp_exists(&tmp, LOCK))
            atomic_fetch_add(&race->failures, 1);
    }
    for (int i = 0; i < TAKERS; i++)
        cr_assert_eq(end_of_child(takers[i]), 0);
    cr_assert_eq(race->doubles, 0, "two holders at once, %d times", race->doubles);
    cr_assert_eq(race->failures, 0);
    cr_assert_eq(race->takings, TAKERS * usual_rounds(ROUNDS));
    fprintf(stderr, "%d takings of a stale lock, longest hold %lld us\n", race->takings,
            race->longest_us);
    munmap(race, sizeof *race);
}
