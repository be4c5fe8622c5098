/* Tests signals: they undo the entries of the table and nothing else, and still end the process. */
#include "signal_cleanup_support.h"
#include "tests/unit/support.h"

#include "base/file/signal_cleanup.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/wait.h>
#include <unistd.h>

static struct tmp tmp;
static int signal_now; /* the signal that the child raises */
static atomic_bool begun, late_entered;

static void make(void)
{
    tmp_make(&tmp);
}

static void clear(void)
{
    tmp_remove(&tmp);
}

TestSuite(crash, .init = make, .fini = clear, .timeout = 60);

static void nap(void)
{
    usleep(1000);
}

static struct signal_cleanup_undo dir_undo(const char *name)
{
    struct signal_cleanup_undo undo = {.dir = tmp.fd, .is_dir = true, .inner_dir = -1};
    struct stat st;

    snprintf(undo.name, sizeof undo.name, "%s", name);
    if (fstatat(tmp.fd, name, &st, AT_SYMLINK_NOFOLLOW) < 0)
        _exit(9);
    signal_undo_identify(&undo, &st);
    return undo;
}

static struct signal_cleanup_undo file_undo(const char *name)
{
    struct signal_cleanup_undo undo = {.dir = tmp.fd};

    snprintf(undo.name, sizeof undo.name, "%s", name);
    return undo;
}

static int add(struct signal_cleanup_undo undo)
{
    sigset_t before;

    signal_cleanup_enter(&before);
    int slot = signal_cleanup_add(&undo);
    signal_cleanup_leave(&before);
    return slot;
}

static int add_dir(const char *name)
{
    mkdirat(tmp.fd, name, 0777);
    return add(dir_undo(name));
}

static void add_one_of_each(void)
{
    add_dir("plain");
    mkdirat(tmp.fd, "claimed", 0777);
    mkdirat(tmp.fd, "claimed/inner", 0777);
    struct signal_cleanup_undo claimed = dir_undo("claimed");
    claimed.inner_dir = openat(tmp.fd, "claimed", O_RDONLY | O_DIRECTORY);
    claimed.inner = "inner";
    add(claimed);
    close(openat(tmp.fd, "file", O_WRONLY | O_CREAT, 0666));
    add(file_undo("file"));
}

static void raise_over_one_of_each(void)
{
    add_one_of_each();
    raise(signal_now);
}

Test(crash, every_signal_that_ends_a_process_takes_everything_back_first)
{
    for (int i = 0; ending_signals[i]; i++) {
        signal_now = ending_signals[i];
        cr_assert_eq(run_child(raise_over_one_of_each), signal_now, "signal %d", signal_now);
        cr_assert_eq(tmp_count(&tmp, "."), 0, "signal %d", signal_now);
    }
}

static void exit_over_one_of_each(void)
{
    add_one_of_each();
    signal_cleanup_exit(0, "");
}

Test(crash, an_end_without_memory_takes_everything_back_first)
{
    cr_assert_eq(run_child(exit_over_one_of_each), 0);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

static void forget_and_raise(void)
{
    int slot = add_dir("kept");

    signal_cleanup_forget(slot);
    signal_cleanup_forget(-1);
    raise(SIGTERM);
}

Test(crash, what_was_forgotten_stays)
{
    cr_assert_eq(run_child(forget_and_raise), SIGTERM);
    cr_assert(tmp_exists(&tmp, "kept"));
}

static void replace_and_raise(void)
{
    add_dir("replaced");
    renameat(tmp.fd, "replaced", tmp.fd, "moved");
    mkdirat(tmp.fd, "replaced", 0777);
    add_dir("touched");
    const struct timespec times[2] = {{.tv_sec = 1000}, {.tv_sec = 1000}};
    utimensat(tmp.fd, "touched", times, 0);
    raise(SIGTERM);
}

Test(crash, a_directory_that_is_not_the_one_that_was_seen_stays)
{
    cr_assert_eq(run_child(replace_and_raise), SIGTERM);
    cr_assert(tmp_exists(&tmp, "replaced") && tmp_exists(&tmp, "touched"));
}

static void ignore_and_raise(void)
{
    signal(SIGHUP, SIG_IGN);
    signal(SIGTERM, SIG_DFL);
    signal(SIGUSR1, SIG_DFL);
    signal_cleanup_install();
    add_one_of_each();
    raise(SIGHUP);
}

Test(crash, a_signal_that_was_ignored_stays_ignored)
{
    cr_assert_eq(run_child(ignore_and_raise), 0);
    cr_assert_eq(tmp_count(&tmp, "."), 3);
}

static void own_handler(int signal_number)
{
    (void)signal_number;
    begun = true;
}

static void handle_and_raise(void)
{
    signal(SIGUSR1, own_handler);
    signal_cleanup_install();
    add_one_of_each();
    raise(SIGUSR1);
    _exit(begun ? 0 : 1);
}

Test(crash, a_handler_that_was_there_before_stays)
{
    cr_assert_eq(run_child(handle_and_raise), 0);
    cr_assert_eq(tmp_count(&tmp, "."), 3);
}

static void say_hook(void)
{
    mkdirat(tmp.fd, tmp_exists(&tmp, "file") ? "early" : "hooked", 0777);
}

static void hook_and_raise(void)
{
    signal_cleanup_set_hook(say_hook);
    raise_over_one_of_each();
}

Test(crash, the_hook_runs_when_all_is_undone)
{
    signal_now = SIGINT;
    cr_assert_eq(run_child(hook_and_raise), SIGINT);
    cr_assert(tmp_exists(&tmp, "hooked"));
    cr_assert_eq(tmp_count(&tmp, "."), 1);
}

static void fork_and_raise(void)
{
    add_one_of_each();
    int child = fork();
    if (!child) {
        raise(SIGTERM);
        _exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    _exit(WIFSIGNALED(status) && WTERMSIG(status) == SIGTERM ? 0 : 1);
}

Test(crash, a_forked_child_takes_back_nothing_of_its_parent)
{
    cr_assert_eq(run_child(fork_and_raise), 0);
    cr_assert_eq(tmp_count(&tmp, "."), 3);
}

static void fault_inside(void)
{
    sigset_t before;

    add_one_of_each();
    signal_cleanup_enter(&before);
    raise(SIGSEGV);
}

Test(crash, a_fault_inside_does_not_wait_for_itself)
{
    cr_assert_eq(run_child(fault_inside), SIGSEGV);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

/* Another process sends the signal after the directory is made and before it is in the table. */
static void signal_between(void)
{
    sigset_t before;
    int status, self = getpid();

    signal_cleanup_enter(&before);
    mkdirat(tmp.fd, "between", 0777);
    int child = fork();
    if (!child)
        _exit(kill(self, signal_now) < 0);
    waitpid(child, &status, 0);
    struct signal_cleanup_undo undo = dir_undo("between");
    signal_cleanup_add(&undo);
    signal_cleanup_leave(&before);
}

Test(crash, a_signal_between_making_and_adding_comes_after_it)
{
    for (int i = 0; ending_signals[i]; i++) {
        signal_now = ending_signals[i];
        cr_assert_eq(run_child(signal_between), signal_now);
        cr_assert_eq(tmp_count(&tmp, "."), 0, "signal %d", signal_now);
    }
}

static void raise_between(void)
{
    sigset_t before;

    signal_cleanup_enter(&before);
    mkdirat(tmp.fd, "between", 0777);
    raise(SIGINT);
    struct signal_cleanup_undo undo = dir_undo("between");
    signal_cleanup_add(&undo);
    signal_cleanup_leave(&before);
}

Test(crash, a_signal_that_no_process_sent_comes_after_adding_too)
{
    cr_assert_eq(run_child(raise_between), SIGINT);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

static void *stay_inside(void *context)
{
    sigset_t before;

    signal_cleanup_enter(&before);
    begun = true;
    for (;;)
        pause();
    return context;
}

static void raise_beside(void *(*work)(void *))
{
    pthread_t thread;

    pthread_create(&thread, NULL, work, NULL);
    while (!begun)
        nap();
    raise(SIGTERM);
}

static void raise_beside_one_that_stays(void)
{
    add_one_of_each();
    raise_beside(stay_inside);
}

Test(crash, a_thread_that_never_leaves_does_not_keep_the_process_alive)
{
    cr_assert_eq(run_child(raise_beside_one_that_stays), SIGTERM);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

static void *enter_late(void *context)
{
    sigset_t before;

    (void)context;
    begun = true;
    while (begun)
        nap();
    signal_cleanup_enter(&before);
    late_entered = true;
    mkdirat(tmp.fd, "late", 0777);
    return NULL;
}

/* Lets the other thread run after the table was worked through. */
static void wait_for_late(void)
{
    begun = false;
    for (int i = 0; i < 100 && !late_entered; i++)
        nap();
}

static void raise_beside_one_that_is_late(void)
{
    signal_cleanup_set_hook(wait_for_late);
    raise_beside(enter_late);
}

Test(crash, nothing_new_is_begun_once_the_process_is_dying)
{
    cr_assert_eq(run_child(raise_beside_one_that_is_late), SIGTERM);
    cr_assert_not(tmp_exists(&tmp, "late"));
}

static void *make_and_remove(void *context)
{
    sigset_t before;

    for (;;) {
        signal_cleanup_enter(&before);
        mkdirat(tmp.fd, "often", 0777);
        struct signal_cleanup_undo undo = dir_undo("often");
        int slot = signal_cleanup_add(&undo);
        signal_cleanup_leave(&before);
        begun = true;
        signal_cleanup_enter(&before);
        signal_undo_run(&undo);
        signal_cleanup_forget(slot);
        signal_cleanup_leave(&before);
    }
    return context;
}

static void raise_beside_one_at_work(void)
{
    raise_beside(make_and_remove);
}

Test(crash, a_signal_at_any_moment_of_another_thread_leaves_nothing)
{
    for (int i = 0; i < 100; i++) {
        cr_assert_eq(run_child(raise_beside_one_at_work), SIGTERM);
        cr_assert_eq(tmp_count(&tmp, "."), 0, "round %d", i);
    }
}

Test(crash, a_full_table_takes_no_more_until_something_is_forgotten)
{
    struct signal_cleanup_undo undo = file_undo("none");
    int slots[SIGNAL_CLEANUP_SLOTS];

    for (int i = 0; i < SIGNAL_CLEANUP_SLOTS; i++)
        cr_assert((slots[i] = add(undo)) >= 0);
    cr_assert_eq(add(undo), -1);
    signal_cleanup_forget(slots[7]);
    cr_assert_eq(add(undo), slots[7]);
}

Test(crash, a_working_thread_keeps_the_signals_of_its_own_faults)
{
    sigset_t mask;

    signal_cleanup_thread_mask(&mask);
    cr_assert(sigismember(&mask, SIGTERM) && sigismember(&mask, SIGINT));
    cr_assert_not(sigismember(&mask, SIGSEGV) || sigismember(&mask, SIGABRT) ||
                  sigismember(&mask, SIGBUS) || sigismember(&mask, SIGFPE) ||
                  sigismember(&mask, SIGILL));
}
