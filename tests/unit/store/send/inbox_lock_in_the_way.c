/* Tests the lock of an inbox with files and directories of others in its place. */
#include "inbox_lock_support.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

Test(lock, a_lock_file_is_held_for_thirty_seconds)
{
    tmp_write(&tmp, LOCK, span_of("not a number\n"));
    age(LOCK, 29);
    expect_busy(60, "a lock file of another program, 29 s old");
    cr_assert(tmp_exists(&tmp, LOCK));
    age(LOCK, 31);
    take(1000);
    release();
}

static int ended_pid(void)
{
    int child = fork();

    if (!child)
        _exit(0);
    waitpid(child, NULL, 0);
    return child;
}

Test(lock, a_lock_file_of_a_process_that_ended_goes_at_once)
{
    const char *forms[] = {"%d", "%d\n", "%d\nsome host\n"};
    char text[64];

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        write_pid(text, sizeof text, forms[i], ended_pid());
        tmp_write(&tmp, LOCK, span_of(text));
        take(1000);
        release();
    }
}

Test(lock, a_lock_file_of_a_living_process_or_of_none_is_held)
{
    char own[64], spoiled[6][64];
    int dead = ended_pid();
    const char *texts[] = {own,          "",         "0",        "-1",       "99999999999999999999",
                           "4294967296", "\n",       spoiled[0], spoiled[1], spoiled[2],
                           spoiled[3],   spoiled[4], spoiled[5]};
    const char *forms[] = {"%dx", " %d", "+%d", "-%d", "%d \n", "pid %d\n"};

    write_pid(own, sizeof own, "%d\n", getpid());
    for (int i = 0; i < 6; i++)
        write_pid(spoiled[i], sizeof spoiled[i], forms[i], dead);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        tmp_write(&tmp, LOCK, span_of(texts[i]));
        expect_busy(1, "a lock file of another program");
        cr_assert(tmp_exists(&tmp, LOCK), "\"%s\" was removed", texts[i]);
    }
}

static void file_is_renewed(void)
{
    unlinkat(tmp.fd, LOCK, 0);
    tmp_write(&tmp, LOCK, span_of("new"));
    before_flock = NULL;
}

Test(lock, a_lock_file_that_was_renewed_after_the_look_stays)
{
    tmp_write(&tmp, LOCK, span_of("old"));
    age(LOCK, 31);
    before_flock = file_is_renewed;
    expect_busy(60, "a lock file of another program");
    struct str text = tmp_read(&tmp, LOCK);
    assert_span(str_span(&text), "new");
    str_free(&text);
}

static void plant_dir(void)
{
    make_dir(LOCK, 1);
}

static void plant_future(void)
{
    make_dir(LOCK, -3600);
}

static void plant_file(void)
{
    tmp_write(&tmp, LOCK, span_of("x"));
}

static void plant_link(void)
{
    make_dir("target", 100);
    make_link("target", LOCK);
}

static void plant_dangling_link(void)
{
    make_link("nowhere", LOCK);
}

static void plant_fifo(void)
{
    mkfifoat(tmp.fd, LOCK, 0666);
    age(LOCK, 100);
}

static void plant_full(void)
{
    tmp_write(&tmp, LOCK "/something", span_of("x"));
    age(LOCK, 100);
}

static void plant_full_claim(void)
{
    tmp_write(&tmp, LOCK "/claim/something", span_of("x"));
    age(LOCK "/claim", 100);
    age(LOCK, 100);
}

static void plant_claim_and_more(void)
{
    make_dir(LOCK, 0);
    make_dir(LOCK "/claim", 100);
    make_dir(LOCK "/more", 100);
    age(LOCK, 100);
}

static void plant_claim_file(void)
{
    tmp_write(&tmp, LOCK "/claim", span_of("x"));
    age(LOCK "/claim", 100);
    age(LOCK, 100);
}

static void plant_young_claim(void)
{
    make_dir(LOCK, 0);
    make_dir(LOCK "/claim", 5);
    age(LOCK, 100);
}

Test(lock, what_is_in_the_way_is_waited_for_named_and_left_alone)
{
    static const struct {
        void (*plant)(void);
        const char *says;
    } traps[] = {
        {plant_dir, "a lock directory of another program, 1 s old"},
        {plant_future, "a lock directory of another program, dated 59m in the future"},
        {plant_file, "a lock file of another program, 0 s old"},
        {plant_link, "a symbolic link"},
        {plant_dangling_link, "a symbolic link"},
        {plant_fifo, "a FIFO"},
        {plant_full, "a lock directory that is not empty, 100 s old"},
        {plant_claim_and_more, "a lock directory that is not empty"},
        {plant_full_claim, "cannot be taken over"},
        {plant_claim_file, "cannot be taken over"},
        {plant_young_claim, "cannot be taken over"},
    };
    struct stat before, after;

    for (size_t i = 0; i < sizeof traps / sizeof *traps; i++) {
        struct tmp whole = tmp;
        tmp_make(&tmp);
        traps[i].plant();
        fstatat(tmp.fd, LOCK, &before, AT_SYMLINK_NOFOLLOW);
        int inside = S_ISDIR(before.st_mode) ? tmp_count(&tmp, LOCK) : 0;
        expect_busy(150, traps[i].says);
        cr_assert_not(lock_clear_claim(tmp.fd, INBOX), "%s", traps[i].says);
        fstatat(tmp.fd, LOCK, &after, AT_SYMLINK_NOFOLLOW);
        cr_assert(before.st_ino == after.st_ino &&
                      before.st_mtim.tv_nsec == after.st_mtim.tv_nsec &&
                      before.st_mtim.tv_sec == after.st_mtim.tv_sec,
                  "%s: it was changed", traps[i].says);
        cr_assert(!inside || tmp_count(&tmp, LOCK) == inside);
        tmp_remove(&tmp);
        tmp = whole;
    }
}

Test(lock, a_claim_left_by_a_killed_process_is_taken_over)
{
    struct stat st;

    make_dir(LOCK, 0);
    make_dir(LOCK "/claim", 11);
    age(LOCK, 11);
    take(1000);
    cr_assert(tmp_exists(&tmp, LOCK "/claim"));
    fstatat(tmp.fd, LOCK, &st, AT_SYMLINK_NOFOLLOW);
    cr_assert(st.st_mtim.tv_sec + 5 > time(NULL), "it still looks stale");
    release();
}

Test(lock, a_left_claim_is_cleared_with_its_directory_and_nothing_else_is)
{
    cr_assert_not(lock_clear_claim(tmp.fd, INBOX));
    make_dir(LOCK, 11);
    cr_assert_not(lock_clear_claim(tmp.fd, INBOX), "an agent's lock");
    make_dir(LOCK "/claim", 11);
    age(LOCK, 9);
    cr_assert_not(lock_clear_claim(tmp.fd, INBOX), "still held");
    age(LOCK, 11);
    int fd = openat(tmp.fd, LOCK, O_RDONLY | O_DIRECTORY);
    flock(fd, LOCK_EX);
    cr_assert_not(lock_clear_claim(tmp.fd, INBOX), "its holder is alive");
    close(fd);
    cr_assert(tmp_exists(&tmp, LOCK "/claim"));
    cr_assert(lock_clear_claim(tmp.fd, INBOX));
    cr_assert_eq(tmp_count(&tmp, "."), 0);
    take(1000);
    release();
}

Test(lock, files_that_others_flock_are_honoured_in_order_and_never_made)
{
    const char *names[] = {"worker.lock", ".lock"};
    int fds[2];

    for (int i = 0; i < 2; i++) {
        tmp_write(&tmp, names[i], span_of(""));
        fds[i] = openat(tmp.fd, names[i], O_RDWR);
        cr_assert_eq(flock(fds[i], LOCK_EX), 0);
    }
    expect_busy(30, ".lock: another program keeps this file locked");
    cr_assert_eq(strncmp(err.text, ".lock", 5), 0, "%s", err.text);
    flock(fds[1], LOCK_UN);
    expect_busy(30, "worker.lock: another program keeps this file locked");
    cr_assert_eq(flock(fds[1], LOCK_EX | LOCK_NB), 0, "it was not given back");
    flock(fds[1], LOCK_UN);
    flock(fds[0], LOCK_UN);
    take(1000);
    for (int i = 0; i < 2; i++)
        cr_assert(flock(fds[i], LOCK_EX | LOCK_NB) < 0 && errno == EWOULDBLOCK, "%s", names[i]);
    lock_release(&lock);
    for (int i = 0; i < 2; i++) {
        cr_assert_eq(flock(fds[i], LOCK_EX | LOCK_NB), 0, "%s", names[i]);
        close(fds[i]);
    }
    cr_assert_eq(tmp_count(&tmp, "."), 2);
}

Test(lock, a_link_or_directory_in_the_place_of_a_flocked_file_is_passed_over)
{
    tmp_write(&tmp, "elsewhere", span_of(""));
    int fd = openat(tmp.fd, "elsewhere", O_RDWR);
    flock(fd, LOCK_EX);
    make_link("elsewhere", ".lock");
    make_dir("worker.lock", 0);
    take(1000);
    lock_release(&lock);
    close(fd);
}

Test(lock, what_is_no_file_and_no_directory_is_named)
{
    struct sockaddr_un there = {.sun_family = AF_UNIX};

    cr_assert_eq(mkfifoat(tmp.fd, LOCK, 0600), 0);
    expect_busy(1, "a FIFO is where the inbox's lock belongs");
    unlinkat(tmp.fd, LOCK, 0);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(there.sun_path, sizeof there.sun_path, "/proc/self/fd/%d/" LOCK, tmp.fd);
    cr_assert_eq(bind(fd, (struct sockaddr *)&there, sizeof there), 0);
    expect_busy(1, "a socket is where the inbox's lock belongs");
    close(fd);
}

/* Another process of ours is taking it over. */
Test(lock, what_was_left_behind_is_not_taken_from_who_is_taking_it)
{
    make_dir(LOCK, 12);
    int fd = openat(tmp.fd, LOCK, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    cr_assert_eq(flock(fd, LOCK_EX), 0);
    expect_busy(1, "an abandoned lock directory");
    close(fd);
    cr_assert_eq(unlinkat(tmp.fd, LOCK, AT_REMOVEDIR), 0);
    tmp_write(&tmp, LOCK, span_of("left"));
    age(LOCK, 40);
    fd = openat(tmp.fd, LOCK, O_RDONLY | O_CLOEXEC);
    cr_assert_eq(flock(fd, LOCK_EX), 0);
    expect_busy(1, "a lock file of another program");
    cr_assert(tmp_exists(&tmp, LOCK));
    close(fd);
    take(1000);
    release();
}

static void file_is_touched(void)
{
    age(LOCK, 35);
    before_flock = NULL;
}

Test(lock, a_lock_file_that_is_touched_while_it_is_looked_at_is_looked_at_again)
{
    tmp_write(&tmp, LOCK, span_of("left"));
    age(LOCK, 40);
    before_flock = file_is_touched;
    take(1000);
    cr_assert_null(before_flock);
    release();
}

Test(lock, a_lock_file_with_a_long_line_names_no_process)
{
    tmp_write(&tmp, LOCK, span_of("00000000000000000000000000000001"));
    expect_busy(1, "a lock file of another program");
}

#define CUSTOM ".lock"

static void custom_is_renewed(void)
{
    unlinkat(tmp.fd, CUSTOM, 0);
    tmp_write(&tmp, CUSTOM, span_of("new"));
    before_flock = NULL;
}

static void custom_goes(void)
{
    unlinkat(tmp.fd, CUSTOM, 0);
    before_flock = NULL;
}

Test(lock, a_file_that_others_lock_may_be_renewed_or_go_while_it_is_locked)
{
    tmp_write(&tmp, CUSTOM, span_of(""));
    before_flock = custom_is_renewed;
    take(1000);
    cr_assert_null(before_flock);
    int fd = openat(tmp.fd, CUSTOM, O_RDONLY | O_CLOEXEC);
    cr_assert_neq(flock(fd, LOCK_EX | LOCK_NB), 0, "the new one is locked");
    close(fd);
    lock_release(&lock);
    before_flock = custom_goes;
    take(1000);
    cr_assert_null(before_flock);
    release();
}

Test(lock, a_directory_where_others_have_a_file_is_none_of_theirs)
{
    make_dir(CUSTOM, 0);
    take(1000);
    lock_release(&lock);
    cr_assert_eq(unlinkat(tmp.fd, CUSTOM, AT_REMOVEDIR), 0);
}

Test(lock, names_without_an_extension_are_locked_and_paths_are_not)
{
    static const char *const names[] = {"a", "box-of-an-agent"};

    for (size_t i = 0; i < 2; i++) {
        cr_assert(lock_take(&lock, tmp.fd, names[i], NULL, &err), "%s", err.text);
        release();
    }
    cr_assert_not(lock_take(&lock, tmp.fd, "a/b.json", NULL, &err));
    cr_assert(strstr(err.text, "cannot be the name of an inbox"), "%s", err.text);
    cr_assert_eq(lock_inspect(tmp.fd, "a/b.json").state, LOCK_NONE);
}
