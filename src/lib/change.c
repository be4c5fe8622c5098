/* The library: changing the state of messages. */
#include "base/mem.h"
#include "lib/handle.h"

#include <stdlib.h>

/* The messages that a caller names; NULL with the mistake. The caller frees the array. */
static struct message **take(const struct swarmutt *mail,
                             const struct swarmutt_message *const *messages, size_t count,
                             bool in_inbox, struct swarmutt_error *error)
{
    lib_begin(error);
    if (!mail || (count && !messages)) {
        lib_misused(error, "a handle and messages are needed");
        return NULL;
    }
    struct message **heads = mem_zero(count, sizeof *heads);
    for (size_t i = 0; i < count; i++) {
        const struct lib_message *here = lib_message(mail, messages[i], error);
        if (!here) {
            free(heads);
            return NULL;
        }
        /* what lies in both places is archived for all purposes but one: archiving it again */
        heads[i] = in_inbox && here->inbox ? here->inbox : here->head;
    }
    return heads;
}

/* Tells what became of each, and frees everything. */
static bool tell(struct message **heads, struct changed *outcomes, size_t count,
                 struct swarmutt_change *changes, struct swarmutt_error *error)
{
    bool all = true;

    for (size_t i = count; i--;) { /* the first failure is the one that stays */
        const struct changed *outcome = &outcomes[i];
        if (!outcome->ok)
            all = lib_fail(error, &outcome->err);
        if (!changes)
            continue;
        memset(&changes[i], 0, sizeof changes[i]);
        changes[i].done = outcome->ok;
        changes[i].local = outcome->local;
        changes[i].remains = outcome->remains;
        if (!outcome->ok)
            lib_fail(&changes[i].error, &outcome->err);
    }
    free(heads);
    free(outcomes);
    return all;
}

static bool status_of(int status, enum status *meant)
{
    static const enum status statuses[] = {[SWARMUTT_READ] = STATUS_READ,
                                           [SWARMUTT_PROCESSING] = STATUS_PROCESSING,
                                           [SWARMUTT_FAILED] = STATUS_FAILED,
                                           [SWARMUTT_COMPLETED] = STATUS_COMPLETED};

    if (status < SWARMUTT_READ || status > SWARMUTT_COMPLETED)
        return false;
    *meant = statuses[status];
    return true;
}

bool swarmutt_mark(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                   size_t count, int status, struct swarmutt_change *changes,
                   struct swarmutt_error *error)
{
    struct message **heads = take(mail, messages, count, false, error);
    enum status meant;

    if (!heads)
        return false;
    if (!status_of(status, &meant)) {
        free(heads);
        return lib_misused(error, "messages are marked as read, processing, completed or failed");
    }
    struct changed *outcomes = mem_zero(count, sizeof *outcomes);
    store_change(mail->store, heads, count, meant, (struct span){0}, outcomes);
    return tell(heads, outcomes, count, changes, error);
}

/* A note that nobody would ever see is refused. */
static bool can_keep_note(const struct swarmutt *mail, struct message *const *heads, size_t count,
                          struct swarmutt_error *error)
{
    struct err err;

    for (size_t i = 0; i < count; i++)
        if (!change_keeps_note(store_source(mail->store, heads[i]->place->source), &err))
            return lib_fail(error, &err);
    return true;
}

bool swarmutt_archive(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                      size_t count, const char *note, struct swarmutt_change *changes,
                      struct swarmutt_error *error)
{
    struct message **heads = take(mail, messages, count, true, error);

    if (!heads)
        return false;
    if (!lib_check_text(note, "note", error) ||
        (note && !can_keep_note(mail, heads, count, error))) {
        free(heads);
        return false;
    }
    struct changed *outcomes = mem_zero(count, sizeof *outcomes);
    store_change(mail->store, heads, count, STATUS_ARCHIVED, span_of(note), outcomes);
    return tell(heads, outcomes, count, changes, error);
}

bool swarmutt_restore(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                      size_t count, struct swarmutt_change *changes, struct swarmutt_error *error)
{
    struct message **heads = take(mail, messages, count, false, error);

    if (!heads)
        return false;
    struct changed *outcomes = mem_zero(count, sizeof *outcomes);
    store_restore(mail->store, heads, count, outcomes);
    return tell(heads, outcomes, count, changes, error);
}

bool swarmutt_seen(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                   size_t count, struct swarmutt_error *error)
{
    struct message **heads = take(mail, messages, count, false, error);
    struct err err = {0};

    if (!heads)
        return false;
    bool ok = store_mark_seen(mail->store, heads, count, &err) || lib_fail(error, &err);
    free(heads);
    return ok;
}
