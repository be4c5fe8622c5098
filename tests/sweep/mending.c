/* Sweeps the repairs: the outbox, and the doctor. */
#include "sweep.h"

#include "store/doctor/doctor.h"
#include "store/send/outbox.h"
#include "tests/faults/storage.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Sends in a process that is killed at the first such call. */
static void kill_a_sender(enum kind kind)
{
    struct fault_order fault = {
        .under = world.tmp.path, .kind = kind, .at = 1, .error = FAULT_KILL, .lasting = true};
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = STORE_ANY};
    struct outgoing_message letter = make_letter("alice", "dave");
    struct err err;
    int status;

    store_close(world.store); /* its threads do not exist in a child */
    world.store = NULL;
    pid_t child = fork();
    cr_assert_geq(child, 0);
    if (!child) {
        struct store *store = open_store("alice", false, NULL);
        fault_begin(&fault);
        store_send(store, &letter, &options, &err);
        _exit(0);
    }
    cr_assert_eq(waitpid(child, &status, 0), child);
    outgoing_message_free(&letter);
    world.store = open_store("alice", false, NULL);
}

static void leave_in_outbox(void)
{
    struct outbox outbox = {0};
    struct err err;

    kill_a_sender(SYNC);
    cr_assert(store_outbox(world.store, &outbox, &err), "%s", err.text);
    cr_assert_gt(outbox.count, 0);
    outbox_free(&outbox);
}

static bool work_on_outbox(struct store *store, struct err *err)
{
    struct outbox all = {0}, one = {0};
    int64_t next_us;
    bool ok = store_outbox_work(store, &next_us, err) && store_outbox(store, &all, err);

    for (size_t i = 0; ok && i < all.count; i++) {
        struct err why = {0};
        ok = store_outbox_check(store, all.items[i].number, &one, err);
        outbox_free(&one);
        one = (struct outbox){0};
        if (ok && !store_outbox_retry(store, all.items[i].number, &why))
            ok = store_outbox_drop(store, all.items[i].number, err) || why.scope == ERR_REFUSED;
    }
    outbox_free(&all);
    return ok;
}

sweeping(working_on_the_outbox)
{
    sweep(*index, &(struct swept){.prepare = leave_in_outbox, .run = work_on_outbox});
}

/* Leaves the files of a killed process, and a state with the wrong mode. */
static void leave_behind(void)
{
    struct doctor doctor = {0};
    size_t fixable = 0;

    kill_a_sender(RENAME);
    kill_a_sender(SYNC);
    fault_clock(7200); /* so that the files are old */
    cr_assert_eq(fchmodat(world.tmp.fd, "state/swarmutt", 0755, 0), 0);
    store_doctor(world.store, time_now(), &doctor);
    for (const struct doctor_check *check = doctor_checks; check->word; check++)
        fixable += doctor_fixable(&doctor, check);
    cr_assert_gt(fixable, 0);
    doctor_free(&doctor);
}

static bool repair(struct store *store, struct err *err)
{
    struct doctor doctor = {0};
    bool ok = true;

    store_doctor(store, time_now(), &doctor);

    for (const struct doctor_check *check = doctor_checks; ok && check->word; check++)
        if (doctor_fixable(&doctor, check))
            ok = store_doctor_fix(store, &doctor, check, err);
    if (ok)
        store_doctor_confirm(store, &doctor);
    doctor_free(&doctor);
    return ok;
}

sweeping(repairing)
{
    sweep(*index, &(struct swept){.prepare = leave_behind, .run = repair});
}
