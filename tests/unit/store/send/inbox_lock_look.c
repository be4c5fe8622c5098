/* Tests lock checks: an abandoned lock is distinguished from a held one, and the check changes
 * nothing. */
#include "inbox_lock_support.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect(enum lock_state state, const char *what)
{
    struct lock_seen there = lock_inspect(tmp.fd, INBOX);

    cr_assert_eq(there.state, state, "%s: expected %d, got %d", what, (int)state, (int)there.state);
}

Test(lock, a_look_tells_a_directory_that_was_left_from_one_that_is_held)
{
    expect(LOCK_NONE, "nothing");
    make_dir(LOCK, 9);
    expect(LOCK_HELD, "9 s");
    age(LOCK, 11);
    expect(LOCK_LEFT, "11 s");
    cr_assert(lock_is_left(LOCK_LEFT));
    age(LOCK, -1);
    expect(LOCK_HELD, "a second ahead, as the agents' library probes");
    age(LOCK, -60);
    expect(LOCK_AHEAD, "a minute ahead");
    cr_assert_not(lock_is_left(LOCK_AHEAD));
    cr_assert(lock_inspect(tmp.fd, INBOX).age_ms < 0);
}

Test(lock, a_look_tells_a_claim_that_was_left_from_one_that_is_held)
{
    make_dir(LOCK, 0);
    make_dir(LOCK "/claim", 0);
    age(LOCK, 60);
    expect(LOCK_HELD, "a fresh claim");
    age(LOCK "/claim", 60);
    age(LOCK, 60);
    expect(LOCK_LEFT_CLAIM, "an old claim");
    tmp_write(&tmp, LOCK "/note", span_of("mine"));
    age(LOCK, 60);
    expect(LOCK_FILLED, "something else beside it");
    cr_assert_not(lock_is_left(LOCK_FILLED));
    cr_assert_eq(tmp_count(&tmp, LOCK), 2);
}

Test(lock, a_look_at_a_lock_file_asks_for_its_process_and_its_age)
{
    char text[32];
    int child = fork();

    if (!child)
        _exit(0);
    waitpid(child, NULL, 0);
    write_pid(text, sizeof text, "%d\n", child);
    tmp_write(&tmp, LOCK, span_of(text));
    expect(LOCK_DEAD_FILE, "its process has ended");
    cr_assert_eq(lock_inspect(tmp.fd, INBOX).pid, child);
    write_pid(text, sizeof text, "%d\n", getpid());
    tmp_write(&tmp, LOCK, span_of(text));
    expect(LOCK_HELD, "its process lives");
    age(LOCK, 31);
    expect(LOCK_LEFT_FILE, "it is old all the same");
}

Test(lock, a_look_at_something_else_in_the_place_of_a_lock_says_so)
{
    make_link("elsewhere", LOCK);
    expect(LOCK_STRANGE, "a link");
    cr_assert_not(lock_is_left(LOCK_STRANGE));
}

#define PRIVATE ".lock.4711.0a1b2c3d.tmp"

Test(lock, one_that_a_killed_process_was_making_or_removing_is_cleared_when_it_is_old)
{
    for (int claimed = 0; claimed < 2; claimed++) {
        make_dir(PRIVATE, 0);
        if (claimed)
            make_dir(PRIVATE "/claim", 11);
        age(PRIVATE, 9);
        cr_assert_not(lock_is_left_private(tmp.fd, PRIVATE));
        age(PRIVATE, 11);
        int fd = openat(tmp.fd, PRIVATE, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        cr_assert_eq(flock(fd, LOCK_EX), 0);
        cr_assert_not(lock_clear_private(tmp.fd, PRIVATE), "its process is alive");
        close(fd);
        cr_assert(lock_is_left_private(tmp.fd, PRIVATE));
        cr_assert(lock_clear_private(tmp.fd, PRIVATE));
        cr_assert_eq(tmp_count(&tmp, "."), 0);
    }
}

Test(lock, what_is_not_a_lock_under_a_private_name_stays)
{
    make_dir(".other.json.4711.0a1b2c3d.tmp", 60);
    cr_assert_not(lock_clear_private(tmp.fd, ".other.json.4711.0a1b2c3d.tmp"));
    tmp_write(&tmp, PRIVATE "/note", span_of("mine"));
    age(PRIVATE, 60);
    cr_assert_not(lock_clear_private(tmp.fd, PRIVATE), "it holds something else");
    make_link("elsewhere", ".lock.1.0a1b2c3d.tmp");
    cr_assert_not(lock_clear_private(tmp.fd, ".lock.1.0a1b2c3d.tmp"));
    cr_assert_eq(tmp_count(&tmp, "."), 3);
}
