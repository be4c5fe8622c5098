/* Tests claims on the outbox: one process at a time has an entry, and no claim loses one. */
#include "tests/unit/store/send/outbox_support.h"

#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>

enum { ENTRIES = 300, ROUNDS = 300, KILLS = 20 };

TestSuite(state_claims, .init = make_home, .fini = clear_home, .timeout = 120);

Test(state_claims, what_another_has_is_not_touched)
{
    struct state *one = open_state(), *two = open_state();
    int64_t number = record(one, "1");
    struct outbox_entry entry = entry_of("2");

    entry.number = number;
    expect_refused(outbox_claim(two, number, NOW, &box, &err));
    expect_refused(outbox_settle(two, &entry, &err));
    expect_refused(outbox_release(two, number, &err));
    expect_refused(outbox_remove(two, number, &err));
    cr_assert(outbox_settle(one, &entry, &err), "%s", err.text);
    expect_refused(outbox_settle(one, &entry, &err));
    expect_claim(two, number, NOW);
    assert_span(box.items[0].id, "2");
    assert_span(box.items[0].bytes, "bytes");
    expect_refused(outbox_claim(one, number, NOW, &box, &err));
    state_close(two);
    finish(one);
}

Test(state_claims, what_nobody_has_is_claimed_before_it_is_changed)
{
    struct state *one = open_state();
    int64_t number = leave(one, "1");
    struct state *two = open_state();

    expect_refused(outbox_remove(two, number, &err));
    expect_claim(two, number, NOW);
    cr_assert(outbox_remove(two, number, &err), "%s", err.text);
    state_close(two);
    finish(one);
}

Test(state_claims, a_holder_that_lives_keeps_its_entry_for_as_long_as_it_takes)
{
    struct state *one = open_state(), *two = open_state();
    int64_t number = record(one, "1");

    expect_refused(outbox_claim(two, number, AFTER * 2, &box, &err));
    cr_assert_eq(count_due(two, AFTER * 2), 0);
    expect_claim(one, number, AFTER);
    state_close(two);
    finish(one);
}

Test(state_claims, the_entry_of_a_dead_holder_is_free_after_its_lease)
{
    struct state *one = open_state(), *two = open_state();
    int64_t first = record(one, "1"), second = record(one, "2");

    state_close(one);
    expect_refused(outbox_claim(two, first, AFTER - 1, &box, &err));
    cr_assert_eq(count_due(two, AFTER - 1), 0);
    cr_assert_eq(count_due(two, AFTER), 2);
    expect_claim(two, first, AFTER);
    expect_claim(two, second, NOW - 3600 * INT64_C(1000000)); /* the clock was set back */
    finish(two);
}

static int ready[2];

static bool record_and_hang(int number)
{
    struct state *state = state_open_within(true, PATIENCE_MS, &err);
    struct outbox_entry entry = entry_of("1");

    (void)number;
    if (!state || !outbox_record(state, &entry, 1, NOW, &err) || write(ready[1], "x", 1) != 1)
        return false;
    for (;;)
        pause();
}

Test(state_claims, a_kill_between_the_record_and_the_write_leaves_the_entry)
{
    char byte;
    int status;

    cr_assert_eq(pipe(ready), 0);
    pid_t pid = start(record_and_hang, 0);
    close(ready[1]);
    cr_assert_eq(read(ready[0], &byte, 1), 1);
    struct state *state = open_state();
    cr_assert_eq(count_all(state), 1);
    int64_t number = box.items[0].number;
    cr_assert_eq(box.items[0].state, OUTBOX_RECORDED);
    expect_refused(outbox_claim(state, number, AFTER, &box, &err)); /* its writer is alive */
    cr_assert_eq(kill(pid, SIGKILL), 0);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
    cr_assert(WIFSIGNALED(status));
    cr_assert_eq(count_due(state, NOW), 0);
    cr_assert_eq(count_due(state, AFTER), 1);
    expect_claim(state, number, AFTER);
    assert_span(box.items[0].bytes, "bytes");
    finish(state);
}

static bool record_for_ever(int number)
{
    struct state *state = state_open_within(true, PATIENCE_MS, &err);

    (void)number;
    for (;;) {
        struct outbox_entry entries[] = {entry_of("1"), entry_of("2")};
        if (!state || !outbox_record(state, entries, 2, NOW, &err) ||
            write(ready[1], &entries[1].number, sizeof entries[1].number) < 0)
            return false;
    }
}

Test(state_claims, what_was_acknowledged_survives_a_kill_at_any_moment)
{
    int64_t last = 0;

    for (int round = 0; round < KILLS; round++) {
        int status;
        cr_assert_eq(pipe(ready), 0);
        pid_t pid = start(record_for_ever, 0);
        close(ready[1]);
        for (int i = 0; i <= round; i++)
            cr_assert_eq(read(ready[0], &last, sizeof last), sizeof last);
        cr_assert_eq(kill(pid, SIGKILL), 0);
        cr_assert_eq(waitpid(pid, &status, 0), pid);
        while (read(ready[0], &last, sizeof last) == sizeof last)
            ;
        close(ready[0]);
        struct state *state = open_state();
        size_t count = count_all(state);
        cr_assert_geq(count, (size_t)last);
        cr_assert_eq(count % 2, 0, "half of a call was kept");
        for (size_t i = 0; i < count; i++)
            cr_assert_eq(box.items[i].number, (int64_t)i + 1);
        finish(state);
    }
}

/* Shared by all processes of a test. */
static struct shared {
    atomic_int claims[ENTRIES + 1], inside, overlaps, rounds;
} * shared;

static void share(void)
{
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    cr_assert(shared != MAP_FAILED);
}

static bool claim_all(int number)
{
    struct state *state = state_open_within(true, PATIENCE_MS, &err);

    (void)number;
    for (int i = 1; state && i <= ENTRIES; i++) {
        if (outbox_claim(state, i, NOW, &box, &err))
            atomic_fetch_add(&shared->claims[i], 1);
        else if (err.scope != ERR_REFUSED)
            return false;
    }
    finish(state);
    return state != NULL;
}

Test(state_claims, of_two_processes_that_want_all_entries_each_entry_has_one)
{
    struct outbox_entry entries[ENTRIES];
    struct state *state = open_state();

    share();
    for (int i = 0; i < ENTRIES; i++)
        entries[i] = entry_of("1");
    cr_assert(outbox_record(state, entries, ENTRIES, NOW, &err), "%s", err.text);
    cr_assert_eq(entries[ENTRIES - 1].number, ENTRIES);
    state_close(state);
    run_outside("UPDATE outbox SET holder = 0");
    pid_t pids[] = {start(claim_all, 0), start(claim_all, 1)};
    expect_success(pids[0]);
    expect_success(pids[1]);
    for (int i = 1; i <= ENTRIES; i++)
        cr_assert_eq(atomic_load(&shared->claims[i]), 1, "entry %d", i);
}

/* Uses a time after every lease, so that only the other holder being alive keeps us away. */
static bool take_turns(int number)
{
    struct state *state = state_open_within(true, PATIENCE_MS, &err);
    int64_t now = NOW + number;
    bool ok = state != NULL;

    while (ok && atomic_load(&shared->rounds) < ROUNDS) {
        now += 2 * OUTBOX_LEASE_US;
        if (outbox_claim(state, 1, now, &box, &err)) {
            if (atomic_fetch_add(&shared->inside, 1))
                atomic_fetch_add(&shared->overlaps, 1);
            atomic_fetch_add(&shared->rounds, 1);
            atomic_fetch_sub(&shared->inside, 1);
            ok = outbox_release(state, 1, &err);
        } else {
            ok = err.scope == ERR_REFUSED;
        }
    }
    finish(state);
    return ok;
}

Test(state_claims, two_processes_are_never_at_work_on_one_entry)
{
    struct state *state = open_state();

    share();
    cr_assert_eq(leave(state, "1"), 1);
    state_close(state);
    pid_t pids[] = {start(take_turns, 0), start(take_turns, 1)};
    expect_success(pids[0]);
    expect_success(pids[1]);
    cr_assert_eq(atomic_load(&shared->overlaps), 0);
    cr_assert_geq(atomic_load(&shared->rounds), ROUNDS);
}

static bool record_some(int number)
{
    struct state *state = state_open_within(true, PATIENCE_MS, &err);
    struct outbox_entry entries[] = {entry_of("1"), entry_of("2"), entry_of("3")};
    bool ok = state != NULL;

    for (int i = 0; ok && i < 30; i++) {
        entries[0].attempts = number * 100 + i;
        ok = outbox_record(state, entries, 3, NOW, &err);
    }
    state_close(state);
    return ok;
}

Test(state_claims, what_two_processes_record_is_all_there)
{
    bool seen[200] = {false};
    pid_t pids[] = {start(record_some, 0), start(record_some, 1)};

    expect_success(pids[0]);
    expect_success(pids[1]);
    struct state *state = open_state();
    cr_assert_eq(count_all(state), 2 * 30 * 3);
    for (size_t i = 0; i < box.count; i += 3) { /* the three of one call are adjacent */
        assert_span(box.items[i].id, "1");
        assert_span(box.items[i + 1].id, "2");
        assert_span(box.items[i + 2].id, "3");
        cr_assert_not(seen[box.items[i].attempts]);
        seen[box.items[i].attempts] = true;
    }
    finish(state);
}
