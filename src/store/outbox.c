/* The outbox while a message is sent: noted, written, looked for. */
#include "store/outbox.h"

#include "base/mem.h"
#include "base/when.h"

#include <stdlib.h>

#define FIRST_LOOK_US INT64_C(300000)
#define SECOND_LOOK_US INT64_C(2000000)

const char *outbox_vanished(const struct format *format)
{
    return format->keeping == KEEP_SLOT
               ? "it was written three times, and each time another message stood in its place: it "
                 "was "
                 "read at once, or others write over it"
               : "it was written three times and vanished each time: another program writes this "
                 "mailbox without its lock";
}

bool outbox_note(const struct delivery *how, const struct letter *letters, struct parcel *parcels,
                 size_t count, struct err *err)
{
    struct outbox_entry *entries = mem_zero(count, sizeof *entries);
    int64_t now_us = when_now();

    for (size_t i = 0; i < count; i++)
        entries[i] = (struct outbox_entry){.format = span_of(how->source->format->name),
                                           .root = span_of(how->source->path),
                                           .team = str_span(&parcels[i].team),
                                           .box = str_span(&parcels[i].box),
                                           .id = str_span(&parcels[i].id),
                                           .uuid = str_span(&parcels[i].uuid),
                                           .from = letters[i].draft.from,
                                           .to = letters[i].draft.to,
                                           .subject = letters[i].draft.subject,
                                           .mailing = how->mailing,
                                           .name = str_span(&parcels[i].name),
                                           .bytes = str_span(&parcels[i].bytes),
                                           .created_us = now_us,
                                           .due_us = now_us,
                                           .state = OUTBOX_RECORDED};
    bool ok = outbox_record(how->state, entries, count, now_us, err);
    for (size_t i = 0; ok && i < count; i++)
        parcels[i].number = entries[i].number;
    if (!ok) {
        err_at(err, "nothing was sent, because it cannot be noted in the outbox first");
        err->scope = ERR_SOURCE;
    }
    free(entries);
    return ok;
}

bool outbox_has_queue(const struct delivery *how, const struct parcel *parcel)
{
    struct outbox all = {0};
    struct err err;
    bool found = false;

    if (!outbox_list(how->state, &all, &err))
        log_add(how->log, "outbox: %s", err.text);
    for (size_t i = 0; i < all.count; i++) {
        const struct outbox_entry *entry = &all.items[i];
        found |= entry->state == OUTBOX_QUEUED && entry->number < parcel->number &&
                 source_is(how->source, entry->format, entry->root) &&
                 span_eq(entry->box, str_span(&parcel->box));
    }
    outbox_free(&all);
    return found;
}

/* Leaves a parcel in the outbox for whoever runs later, or for the person. */
static bool keep(const struct delivery *how, const struct parcel *parcel, enum outbox_state state,
                 int64_t due_us, int attempts, const char *problem)
{
    struct outbox_entry entry = {.number = parcel->number,
                                 .id = str_span(&parcel->id),
                                 .uuid = str_span(&parcel->uuid),
                                 .name = str_span(&parcel->name),
                                 .bytes = str_span(&parcel->bytes),
                                 .state = state,
                                 .due_us = due_us,
                                 .attempts = attempts,
                                 .problem = span_of(problem)};
    struct err err;

    bool ok = outbox_settle(how->state, &entry, &err);
    if (!ok)
        log_add(how->log, "outbox: %s", err.text);
    return ok;
}

static void take_off(const struct delivery *how, const struct parcel *parcel)
{
    struct err err;

    if (!outbox_done(how->state, parcel->number, str_span(&parcel->id), when_now(), &err))
        log_add(how->log, "outbox: %s", err.text); /* the next process finds it delivered */
}

/* Half of what was not sent, left behind, would look as if the other half had been. */
static void take_off_unsent(const struct delivery *how, const struct letter *letters,
                            const struct parcel *parcels, size_t count)
{
    int64_t *numbers = mem_zero(count, sizeof *numbers);
    size_t unsent = 0;
    struct err err;

    for (size_t i = 0; i < count; i++)
        if (!letters[i].queued && !letters[i].delivered)
            numbers[unsent++] = parcels[i].number;
    if (unsent && !outbox_remove_all(how->state, numbers, unsent, &err))
        log_add(how->log, "outbox: %s", err.text);
    free(numbers);
}

/* By the clock that never jumps. */
static void sleep_until(int64_t steady_us)
{
    when_sleep(steady_us - when_steady());
}

/* Where the parcels of one delivery stand while they are watched. */
struct watch {
    const struct delivery *how;
    struct letter *letters;
    struct parcel *parcels;
    int *attempts;
    bool *waiting; /* is looked for */
    size_t count;
    bool lost;
};

static void give_up(struct watch *watch, size_t i, const char *problem)
{
    keep(watch->how, &watch->parcels[i], OUTBOX_LOST, 0, watch->attempts[i], problem);
    watch->waiting[i] = false;
    watch->lost = true;
}

/* Looks for everything that is waited for; true when something had to be written again. */
static bool look(struct watch *watch)
{
    bool again = false;

    for (size_t i = 0; i < watch->count; i++) {
        struct err err;
        if (!watch->waiting[i])
            continue;
        enum parcel_seen seen = outbox_look(watch->how->state, &watch->parcels[i], watch->how->log);
        watch->letters[i].seen = seen == PARCEL_THERE || seen == PARCEL_TAKEN;
        if (seen != PARCEL_MISSING)
            continue;
        if (watch->attempts[i] == OUTBOX_REWRITES) {
            give_up(watch, i, outbox_vanished(watch->how->source->format));
            continue;
        }
        watch->attempts[i]++;
        log_add(watch->how->log, "%s vanished: writing it again", str_c(&watch->parcels[i].id));
        switch (parcel_write(&watch->parcels[i], watch->how->log, &err)) {
        case FILE_OK:
            again = true;
            break;
        case FILE_EXISTS: /* another message has the slot now */
            keep(watch->how, &watch->parcels[i], OUTBOX_QUEUED, when_now(), watch->attempts[i], "");
            watch->waiting[i] = false;
            watch->letters[i].queued = true;
            break;
        case FILE_GONE:
        case FILE_CHANGED:
        case FILE_FAILED:
            give_up(watch, i, err.text);
            break;
        }
    }
    return again;
}

/* Waits for the looks that were asked for, and leaves the others to whoever comes. */
static void watch_parcels(struct watch *watch)
{
    int64_t written_us = when_now(), steady_us = when_steady();

    if (watch->how->verify != VERIFY_NONE) {
        do
            sleep_until(when_steady() + FIRST_LOOK_US);
        while (look(watch));
    }
    if (watch->how->verify == VERIFY_BOTH) {
        sleep_until(steady_us + SECOND_LOOK_US);
        while (look(watch))
            sleep_until(when_steady() + FIRST_LOOK_US);
    }
    for (size_t i = 0; i < watch->count; i++) {
        if (!watch->waiting[i])
            continue;
        if (watch->how->verify == VERIFY_FIRST)
            keep(watch->how, &watch->parcels[i], OUTBOX_WRITTEN, written_us + SECOND_LOOK_US,
                 watch->attempts[i], "");
        else
            take_off(watch->how, &watch->parcels[i]);
    }
}

bool outbox_finish(const struct delivery *how, struct letter *letters, struct parcel *parcels,
                   size_t count, bool ok, struct err *err)
{
    bool shared = how->source->format->keeping != KEEP_FILES;
    bool any = false;
    struct watch watch = {.how = how,
                          .letters = letters,
                          .parcels = parcels,
                          .attempts = mem_zero(count, sizeof(int)),
                          .waiting = mem_zero(count, sizeof(bool)),
                          .count = count};

    for (size_t i = 0; i < count; i++) {
        if (letters[i].queued) {
            if (!keep(how, &parcels[i], OUTBOX_QUEUED, when_now(), 0, ""))
                ok = err_set(err, ERR_UNCONFIRMED,
                             "its place is taken and it could not be queued; see swarmutt outbox");
        } else if (letters[i].delivered && letters[i].unsure) {
            keep(how, &parcels[i], OUTBOX_FAILED, 0, 0, err->text);
        } else if (letters[i].delivered && shared) {
            watch.waiting[i] = any = true;
        } else if (letters[i].delivered) {
            take_off(how, &parcels[i]);
        }
    }
    take_off_unsent(how, letters, parcels, count);
    if (any)
        watch_parcels(&watch);
    if (watch.lost)
        ok = err_set(err, ERR_UNCONFIRMED,
                     "it was delivered, but is not there any more; see swarmutt outbox");
    free(watch.attempts);
    free(watch.waiting);
    return ok;
}
