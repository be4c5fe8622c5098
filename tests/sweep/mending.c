/* Sweeping what mends: the outbox, and the doctor's repairs. */
#include "sweep.h"

#include "../faults/storage.h"
#include "store/doctor.h"
#include "store/outbox.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

/* A message that could not be put into its place stays in the outbox. */
static void leave_in_outbox(void)
{
    struct fault_order full = {.under = world.root, .at = 1, .error = ENOSPC, .lasting = true};
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = STORE_ANY};
    enum kind kinds[] = {RENAME, LINK, SYNC};
    struct err err;

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        struct letter letter = make_letter("alice", "dave");
        full.kind = kinds[i];
        fault_begin(&full);
        store_send(world.store, &letter, &options, &err);
        fault_end();
        letter_free(&letter);
    }
}

static bool work_on_outbox(struct store *store, struct err *err)
{
    struct outbox all = {0}, one = {0};
    int64_t next_us;
    bool ok = store_outbox_work(store, &next_us, err) && store_outbox(store, &all, err);

    for (size_t i = 0; ok && i < all.count; i++) {
        struct err why = {0};
        ok = store_outbox_look(store, all.items[i].number, &one, err);
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

/* What a killed process leaves: a staged file, and a lock with nobody behind it. */
static void leave_behind(void)
{
    struct model model = load(true, true);
    char path[1024], other[1100];

    for (size_t i = 0; i < model.count; i++) {
        path_of(model.messages[i], path, sizeof path);
        struct str bytes = tmp_read(&world.tmp, path);
        snprintf(other, sizeof other, "%s.lock/x", path);
        if (world.format->keeping == KEEP_ARRAY) {
            tmp_write(&world.tmp, other, span_of(""));
            unlinkat(world.tmp.fd, other, 0);
        } else {
            snprintf(other, sizeof other, "%.*s/.x-%zu.tmp", (int)(strrchr(path, '/') - path), path,
                     i);
            tmp_write(&world.tmp, other, str_span(&bytes));
        }
        str_free(&bytes);
    }
    model_free(&model);
}

static bool repair(struct store *store, struct err *err)
{
    struct doctor doctor = {0};
    bool ok = store_doctor(store, when_now(), &doctor, err);

    for (const struct doctor_check *check = doctor_checks; ok && check->word; check++)
        if (doctor_fixable(&doctor, check))
            ok = store_doctor_fix(store, &doctor, check, err);
    ok = ok && store_doctor_confirm(store, &doctor, err);
    doctor_free(&doctor);
    return ok;
}

sweeping(repairing)
{
    sweep(*index, &(struct swept){.prepare = leave_behind, .run = repair});
}
