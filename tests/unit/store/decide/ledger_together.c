/* Tests the ledger with many writers at once: threads and processes that append to one chain, also
 * while it is moved away or they are killed. */
#include "ledger_support.h"

#include <dirent.h>
#include <pthread.h>
#include <sched.h>
#include <sys/file.h>

TestSuite(ledger_together, .init = make_home, .fini = clear_ledger, .timeout = 120);

static void *append_some(void *failed)
{
    for (int i = 0; i < 100; i++) {
        struct ledger_entry entry = entry_of("thread", LEDGER_INTENT, i);
        struct err mine;
        *(bool *)failed |= !ledger_append(&entry, &mine);
    }
    return NULL;
}

Test(ledger_together, threads_append_to_one_chain)
{
    pthread_t threads[3];
    bool failed[3] = {false};

    for (int i = 0; i < 3; i++)
        cr_assert_eq(pthread_create(&threads[i], NULL, append_some, &failed[i]), 0);
    for (int i = 0; i < 3; i++) {
        pthread_join(threads[i], NULL);
        cr_assert(!failed[i]);
    }
    expect_whole(300, 0);
}

static bool append_one(int unused)
{
    struct err mine;
    struct ledger_entry entry = entry_of("late", LEDGER_INTENT, 1);

    (void)unused;
    return ledger_append(&entry, &mine);
}

static bool has_open(pid_t pid, const char *end)
{
    char path[64], target[512];
    bool found = false;

    snprintf(path, sizeof path, "/proc/%ld/fd", (long)pid);
    DIR *dir = opendir(path);
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        ssize_t len = readlinkat(dirfd(dir), entry->d_name, target, sizeof target);
        found |= len > 0 && span_ends((struct span){target, (size_t)len}, end);
    }
    if (dir)
        closedir(dir);
    return found;
}

Test(ledger_together, a_ledger_that_is_moved_away_while_its_lock_is_waited_for_is_not_written_to)
{
    append_many(1);
    cr_assert_eq(linkat(tmp.fd, LEDGER, tmp.fd, "other", 0), 0);
    int fd = openat(tmp.fd, "other", O_RDONLY | O_CLOEXEC); /* the child inherits it */
    cr_assert_eq(flock(fd, LOCK_EX), 0);
    pid_t child = start(append_one, 0);
    while (!has_open(child, "/" LEDGER))
        sched_yield();
    cr_assert_eq(renameat(tmp.fd, LEDGER, tmp.fd, "swarmutt/old"), 0);
    tmp_write(&tmp, LEDGER, span_of(""));
    cr_assert_eq(fchmodat(tmp.fd, LEDGER, 0600, 0), 0);
    cr_assert_eq(flock(fd, LOCK_UN), 0);
    close(fd);
    expect_success(child);
    struct str old = tmp_read(&tmp, "swarmutt/old"), text = tmp_read(&tmp, LEDGER);
    cr_assert_null(strstr(old.at, "late"));
    cr_assert(strstr(text.at, "late") != NULL);
    str_free(&old);
    str_free(&text);
}

static void add_bytes(const char *bytes)
{
    int fd = openat(tmp.fd, LEDGER, O_WRONLY | O_APPEND | O_CLOEXEC);

    cr_assert_eq(write(fd, bytes, strlen(bytes)), (ssize_t)strlen(bytes));
    close(fd);
}

Test(ledger_together,
     one_that_was_stopped_in_the_middle_of_a_line_stops_no_reader_and_no_writer_for_ever)
{
    append_many(2);
    int fd = openat(tmp.fd, LEDGER, O_RDONLY | O_CLOEXEC);
    cr_assert_eq(flock(fd, LOCK_EX), 0);
    add_bytes("{\"v\":1,\"n\":3");
    expect_whole(2, 0); /* it may still be finished */
    struct str before = tmp_read(&tmp, LEDGER);
    struct ledger_entry entry = entry_of("late", LEDGER_INTENT, 1);
    cr_assert_not(ledger_append(&entry, &err));
    cr_assert_not_null(strstr(err.text, "another program is writing to the ledger; try again"),
                       "%s", err.text);
    struct str after = tmp_read(&tmp, LEDGER);
    cr_assert(span_eq(str_span(&before), str_span(&after)));
    close(fd);
    expect_whole(2, 1); /* nobody can finish it now */
    append(&entry);
    expect_whole(3, 1);
    str_free(&before);
    str_free(&after);
}

enum { PROCESSES = 2, EACH = 200 };

static bool append_each(int number)
{
    for (int i = 0; i < EACH; i++) {
        char name[32];
        struct err mine;
        snprintf(name, sizeof name, "p%d-%d", number, i);
        struct ledger_entry entry = entry_of(name, LEDGER_INTENT, i);
        if (!ledger_append(&entry, &mine))
            return false;
    }
    return true;
}

Test(ledger_together, processes_append_to_one_chain_while_another_reads_and_none_is_lost)
{
    pid_t children[PROCESSES];
    size_t seen = 0;

    for (int i = 0; i < PROCESSES; i++)
        children[i] = start(append_each, i);
    while (seen < PROCESSES * EACH) {
        cr_assert(ledger_read(&ledger, &err), "%s", err.text);
        cr_assert(!ledger.finding_count && ledger.count >= seen, "%zu after %zu: %s", ledger.count,
                  seen, ledger.finding_count ? ledger.findings[0].text.at : "");
        seen = ledger.count;
    }
    for (int i = 0; i < PROCESSES; i++)
        expect_success(children[i]);
    expect_whole(PROCESSES * EACH, 0);
    cr_assert_eq(ledger.decision_count, PROCESSES * EACH);
    for (size_t i = 0; i < ledger.count; i++)
        cr_assert_eq(ledger.entries[i]->number, (int64_t)i + 1);
}

/* Appends until it is killed, and reports each line that is on disk. */
static bool append_for_ever(int to)
{
    char byte = '.';

    for (int i = 0;; i++) {
        struct err mine;
        struct ledger_entry entry = entry_of("killed", LEDGER_INTENT, i);
        if (!ledger_append(&entry, &mine) || write(to, &byte, 1) != 1)
            return false;
    }
}

Test(ledger_together, a_kill_at_any_moment_loses_nothing_that_was_acknowledged)
{
    size_t known = 0;

    for (int round = 0; round < 30; round++) {
        char acknowledged[64];
        int ends[2];
        cr_assert_eq(pipe(ends), 0);
        pid_t child = start(append_for_ever, ends[1]);
        close(ends[1]);
        for (int i = 0; i <= round % 3; i++) {
            cr_assert_eq(read(ends[0], acknowledged, 1), 1);
            known++;
        }
        kill(child, SIGKILL);
        waitpid(child, NULL, 0);
        for (ssize_t got; (got = read(ends[0], acknowledged, sizeof acknowledged)) > 0;)
            known += (size_t)got;
        close(ends[0]);
        cr_assert(is_whole(), "%s", ledger.findings[0].text.at);
        cr_assert(ledger.count >= known && ledger.count <= known + (size_t)round + 1,
                  "%zu entries, %zu acknowledged", ledger.count, known);
    }
}
