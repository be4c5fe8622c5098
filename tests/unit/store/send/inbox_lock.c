/* Tests the lock of an inbox: one holder, no files left, and nothing of others removed. */
#include "inbox_lock_support.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

Test(lock, taken_it_is_a_directory_with_our_claim_in_it_and_released_it_is_gone)
{
    struct stat st;

    take(1000);
    cr_assert_eq(fstatat(tmp.fd, LOCK, &st, AT_SYMLINK_NOFOLLOW), 0);
    cr_assert(S_ISDIR(st.st_mode));
    cr_assert_eq(tmp_count(&tmp, LOCK), 1);
    cr_assert(tmp_exists(&tmp, LOCK "/claim"));
    cr_assert(lock_still_ours(&lock));
    release();
    cr_assert(lock_longest_hold_us() > 0);
}

Test(lock, an_agent_that_judged_an_older_one_cannot_remove_it)
{
    take(1000);
    cr_assert(unlinkat(tmp.fd, LOCK, AT_REMOVEDIR) < 0 && errno == ENOTEMPTY);
    cr_assert(lock_still_ours(&lock));
    release();
}

/* At each call the lock does not exist, or an agent cannot remove it. */
static void agent_removes(int call, const char *name)
{
    (void)call;
    (void)name;
    cr_assert(unlinkat(tmp.fd, LOCK, AT_REMOVEDIR) < 0);
}

static void agent_removes_after(void)
{
    agent_removes(0, LOCK);
}

Test(lock, at_no_moment_is_it_there_without_our_claim)
{
    before_mkdir = agent_removes;
    take(1000);
    before_mkdir = NULL;
    after_unlink = agent_removes_after;
    release();
    cr_assert_null(after_unlink);
}

Test(lock, a_process_holds_one_at_a_time)
{
    const struct lock_options options = {.wait_ms = 30};
    struct lock second;

    take(1000);
    cr_assert_not(lock_take(&second, tmp.fd, "other.json", &options, &err));
    cr_assert(err.scope == ERR_BOX && strstr(err.text, "already"), "%s", err.text);
    cr_assert_not(tmp_exists(&tmp, "other.json.lock"));
    release();
    take(1000);
    release();
}

static sem_t tried;

static void tell_second_try(int call)
{
    if (call == 2)
        sem_post(&tried);
}

static void *take_and_release(void *unused)
{
    (void)unused;
    take(60000);
    lock_release(&lock);
    return NULL;
}

Test(lock, one_that_a_thread_waits_for_keeps_no_other_thread_from_its_own)
{
    const struct lock_options options = {.wait_ms = 20000};
    struct lock second;
    pthread_t waiting;

    cr_assert_eq(sem_init(&tried, 0, 0), 0);
    make_dir(LOCK, 0);
    before_look = tell_second_try;
    cr_assert_eq(pthread_create(&waiting, NULL, take_and_release, NULL), 0);
    cr_assert_eq(sem_wait(&tried), 0);
    struct err problem;
    cr_assert(lock_take(&second, tmp.fd, "other.json", &options, &problem), "%s", problem.text);
    lock_release(&second);
    unlinkat(tmp.fd, LOCK, AT_REMOVEDIR);
    pthread_join(waiting, NULL);
    sem_destroy(&tried);
    cr_assert_eq(tmp_count(&tmp, "."), 0);
}

Test(lock, a_name_that_leads_elsewhere_is_refused)
{
    char longest[NAME_MAX + 1];
    const char *names[] = {"", "a/b.json", "../up.json", longest};

    memset(longest, 'x', NAME_MAX);
    longest[NAME_MAX] = '\0';
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        cr_assert_not(lock_take(&lock, tmp.fd, names[i], NULL, &err), "%s", names[i]);
        cr_assert_eq(err.scope, ERR_REFUSED);
        cr_assert_not(lock_clear_claim(tmp.fd, names[i]));
    }
}

Test(lock, every_one_that_is_held_is_in_the_table_of_crashes)
{
    for (int i = 0; i <= SIGNAL_CLEANUP_SLOTS; i++) {
        take(1000);
        cr_assert_geq(lock.slot, 0, "the table is full after %d", i);
        release();
    }
}

static int styles;

static void release_at_third(int call)
{
    styles = call;
    if (call == 3)
        unlinkat(tmp.fd, LOCK, AT_REMOVEDIR);
}

Test(lock, a_fresh_one_is_waited_for)
{
    make_dir(LOCK, 9);
    before_look = release_at_third;
    take(20000);
    before_look = NULL;
    cr_assert_eq(styles, 3);
    release();
}

Test(lock, a_stale_one_is_taken_over_where_it_stands)
{
    struct stat before, after;

    make_dir(LOCK, 11);
    fstatat(tmp.fd, LOCK, &before, AT_SYMLINK_NOFOLLOW);
    take(1000);
    fstatat(tmp.fd, LOCK, &after, AT_SYMLINK_NOFOLLOW);
    cr_assert_eq(before.st_ino, after.st_ino);
    cr_assert(after.st_mtim.tv_sec > before.st_mtim.tv_sec + 5, "it still looks stale");
    cr_assert(tmp_exists(&tmp, LOCK "/claim"), "an agent could remove it");
    cr_assert(lock_still_ours(&lock));
    release();
}

static void agent_retakes(int call, const char *name)
{
    (void)call;
    if (strcmp(name, "claim") != 0)
        return;
    unlinkat(tmp.fd, LOCK, AT_REMOVEDIR);
    make_dir(LOCK, 0);
    before_mkdir = NULL;
}

Test(lock, a_stale_one_that_an_agent_takes_first_is_left_to_it)
{
    make_dir(LOCK, 11);
    before_mkdir = agent_retakes;
    expect_busy(60, "a lock directory of another program");
    cr_assert_eq(tmp_count(&tmp, LOCK), 0);
}

static void owner_refreshes(void)
{
    age(LOCK, 0);
}

Test(lock, a_stale_one_that_is_fresh_again_when_opened_is_left_alone)
{
    make_dir(LOCK, 11);
    before_flock = owner_refreshes;
    expect_busy(60, "a lock directory of another program");
    cr_assert_eq(tmp_count(&tmp, LOCK), 0);
}

static void lock_is_moved(void)
{
    renameat(tmp.fd, LOCK, tmp.fd, "moved");
    make_dir(LOCK, 0);
    before_flock = NULL;
}

Test(lock, a_stale_one_that_was_moved_away_when_opened_is_not_taken_for_the_lock)
{
    make_dir(LOCK, 11);
    before_flock = lock_is_moved;
    expect_busy(60, "a lock directory of another program");
    cr_assert_eq(tmp_count(&tmp, LOCK), 0);
    cr_assert_eq(tmp_count(&tmp, "moved"), 0);
}

Test(lock, a_stale_one_that_another_of_our_kind_is_taking_over_is_left_to_it)
{
    make_dir(LOCK, 11);
    int fd = openat(tmp.fd, LOCK, O_RDONLY | O_DIRECTORY);
    cr_assert_eq(flock(fd, LOCK_EX), 0);
    expect_busy(60, "an abandoned lock directory that cannot be taken over, 11 s old");
    cr_assert_eq(tmp_count(&tmp, LOCK), 0);
    close(fd);
    take(1000);
    release();
}

Test(lock, one_that_someone_else_broke_and_took_is_not_removed)
{
    take(1000);
    remove_by_hand();
    make_dir(LOCK, 0);
    cr_assert_not(lock_still_ours(&lock));
    lock_release(&lock);
    cr_assert(tmp_exists(&tmp, LOCK));
}

Test(lock, one_that_someone_else_touched_is_not_removed)
{
    for (int stale = 0; stale < 2; stale++) {
        if (stale)
            age(LOCK, 11);
        take(1000);
        age(LOCK, 3);
        cr_assert_not(lock_still_ours(&lock));
        lock_release(&lock);
        cr_assert(tmp_exists(&tmp, LOCK));
        cr_assert_eq(tmp_count(&tmp, LOCK), 0, "our claim keeps agents out");
    }
}

static void agent_takes_it(void)
{
    unlinkat(tmp.fd, LOCK, AT_REMOVEDIR);
    make_dir(LOCK, 0);
}

Test(lock, one_that_an_agent_took_as_soon_as_our_claim_was_gone_is_not_removed)
{
    make_dir(LOCK, 11);
    take(1000);
    after_unlink = agent_takes_it;
    lock_release(&lock);
    cr_assert(tmp_exists(&tmp, LOCK));
}

Test(lock, one_that_is_gone_is_not_ours)
{
    take(1000);
    remove_by_hand();
    cr_assert_not(lock_still_ours(&lock));
    release();
}

Test(lock, a_directory_of_inboxes_that_is_gone_says_that_the_team_is)
{
    make_dir("team", 0);
    int dir = openat(tmp.fd, "team", O_RDONLY | O_DIRECTORY);
    unlinkat(tmp.fd, "team", AT_REMOVEDIR);
    cr_assert_not(lock_take(&lock, dir, INBOX, NULL, &err));
    cr_assert(err.scope == ERR_BOX && strstr(err.text, "the team is gone"), "%s", err.text);
    close(dir);
    take(1000);
    release();
}

/* --- file systems without a rename that replaces nothing --- */

Test(lock, where_names_are_only_replaced_it_is_made_in_its_place)
{
    exchange_errno = EINVAL;
    take(1000);
    cr_assert(tmp_exists(&tmp, LOCK "/claim"));
    cr_assert_eq(tmp_count(&tmp, "."), 1);
    cr_assert(lock_still_ours(&lock));
    release();
}

static bool agent_took_it;

static void agent_takes_before_claim(int call, const char *name)
{
    (void)call;
    if (strcmp(name, "claim") != 0 || !tmp_exists(&tmp, LOCK))
        return;
    unlinkat(tmp.fd, LOCK, AT_REMOVEDIR);
    make_dir(LOCK, 0);
    agent_took_it = true;
}

Test(lock, one_made_in_its_place_that_an_agent_takes_before_our_claim_is_left_to_it)
{
    exchange_errno = EINVAL;
    before_mkdir = agent_takes_before_claim;
    expect_busy(60, "a lock directory of another program");
    cr_assert(agent_took_it);
    cr_assert_eq(tmp_count(&tmp, LOCK), 0);
    cr_assert_eq(tmp_count(&tmp, "."), 1);
}
