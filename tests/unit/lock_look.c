/* Tests looking at the lock of an inbox: what was left behind is told from what is held, and
 * nothing is changed by the look. */
#include "lock_support.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static void expect(enum lock_state state, const char *what)
{
    struct lock_seen there = lock_look(tmp.fd, INBOX);

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
    cr_assert(lock_look(tmp.fd, INBOX).age_ms < 0);
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
    cr_assert_eq(lock_look(tmp.fd, INBOX).pid, child);
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
