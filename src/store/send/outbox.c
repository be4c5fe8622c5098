/* The outbox while a message is sent: notes it, and checks that it is still in the shared file. */
#include "store/send/outbox.h"

#include "base/mem.h"
#include "base/time.h"

#include <stdlib.h>

#define FIRST_LOOK_US INT64_C(300000)
#define SECOND_LOOK_US INT64_C(2000000)

const char *outbox_vanished(const struct format *format)
{
    return format->storage == STORAGE_SLOT
               ? "it was written three times, and each time another message stood in its place: it "
                 "was "
                 "read at once, or others write over it"
               : "it was written twice and overwritten each time: another program writes this "
                 "mailbox without its lock";
}

static const char lock_lost[] = "another program took the lock of its mailbox while it was "
                                "written, and it is not there: nobody "
                                "can tell whether it was read or overwritten";

const char outbox_unconfirmed[] =
    "it was written, and its mailbox is gone or damaged since: nobody can tell whether it was read";

int outbox_rewrites(const struct format *format)
{
    return format->storage == STORAGE_SLOT ? 2 : 1;
}

bool outbox_note(const struct delivery *how, const struct outgoing_message *letters,
                 struct outgoing_file *outgoing_files, size_t count, struct err *err)
{
    CLEANUP(mem_free) struct outbox_entry *entries = mem_zero(count, sizeof *entries);
    int64_t now_us = time_now();

    for (size_t i = 0; i < count; i++)
        entries[i] = (struct outbox_entry){.format = span_of(how->source->format->name),
                                           .root = span_of(how->source->path),
                                           .team = str_span(&outgoing_files[i].team),
                                           .box = str_span(&outgoing_files[i].box),
                                           .id = str_span(&outgoing_files[i].id),
                                           .uuid = str_span(&outgoing_files[i].uuid),
                                           .from = letters[i].draft.from,
                                           .to = letters[i].draft.to,
                                           .subject = letters[i].draft.subject,
                                           .mailing = how->mailing,
                                           .name = str_span(&outgoing_files[i].name),
                                           .bytes = str_span(&outgoing_files[i].bytes),
                                           .created_us = now_us,
                                           .due_us = now_us,
                                           .state = OUTBOX_RECORDED};
    bool ok = outbox_record(how->state, entries, count, now_us, err);
    for (size_t i = 0; ok && i < count; i++)
        outgoing_files[i].number = entries[i].number;
    if (!ok) {
        err_at(err, "nothing was sent, because it cannot be noted in the outbox first");
        err->scope = ERR_SOURCE;
    }
    return ok;
}

bool outbox_has_queue(const struct delivery *how, const struct outgoing_file *outgoing)
{
    CLEANUP(outbox_free) struct outbox all = {0};
    struct err err;
    bool found = false;

    if (!outbox_list(how->state, &all, &err))
        log_add(how->log, "outbox: %s", err.text);
    for (size_t i = 0; i < all.count; i++) {
        const struct outbox_entry *entry = &all.items[i];
        found |= entry->state == OUTBOX_QUEUED && entry->number < outgoing->number &&
                 source_is(how->source, entry->format, entry->root) &&
                 span_eq(entry->box, str_span(&outgoing->box));
    }
    return found;
}

static struct outbox_entry entry_of(const struct outgoing_file *outgoing, enum outbox_state state,
                                    int64_t due_us, int attempts, const char *problem)
{
    return (struct outbox_entry){.number = outgoing->number,
                                 .id = str_span(&outgoing->id),
                                 .uuid = str_span(&outgoing->uuid),
                                 .name = str_span(&outgoing->name),
                                 .bytes = str_span(&outgoing->bytes),
                                 .state = state,
                                 .due_us = due_us,
                                 .attempts = attempts,
                                 .before = outgoing->before,
                                 .problem = span_of(problem)};
}

/* Leaves the message in the outbox for a later process, or for the person. */
static void keep_entry(const struct delivery *how, const struct outgoing_file *outgoing,
                       enum outbox_state state, int64_t due_us, int attempts, const char *problem)
{
    struct outbox_entry entry = entry_of(outgoing, state, due_us, attempts, problem);
    struct err err;

    if (!outbox_settle(how->state, &entry, &err))
        log_add(how->log, "outbox: %s", err.text);
}

/* Queues a message, which is then only in the outbox. */
static bool keep_queued(const struct delivery *how, const struct outgoing_file *outgoing,
                        struct err *err)
{
    struct outbox_entry entry = entry_of(outgoing, OUTBOX_QUEUED, time_now(), 0, "");
    struct err reason;

    if (outbox_settle(how->state, &entry, &reason))
        return true;
    log_add(how->log, "outbox: %s", reason.text);
    return err_set(err, ERR_UNCONFIRMED,
                   "its place is taken and it could not be queued: %.800s; see swarmutt outbox",
                   reason.text);
}

/* Notes the progress for the process that finds the entry after a kill. Only for STORAGE_ARRAY: the
 * other layouts have no progress to note. */
static void note_progress(const struct delivery *how, const struct outgoing_file *outgoing,
                          enum outbox_state state, int attempts)
{
    struct outbox_entry entry =
        entry_of(outgoing, state, time_now() + SECOND_LOOK_US, attempts, "");
    struct err err;

    entry.bytes = (struct span){0}; /* absent: unchanged */
    if (how->source->format->storage == STORAGE_ARRAY && !outbox_keep(how->state, &entry, &err))
        log_add(how->log, "outbox: %s", err.text);
}

void outbox_note_written(const struct delivery *how, const struct outgoing_file *outgoing)
{
    if (how->verify != VERIFY_NONE || outgoing->lock_lost)
        note_progress(how, outgoing, OUTBOX_WRITTEN, 0);
}

static void take_off(const struct delivery *how, const struct outgoing_file *outgoing,
                     enum sent_delivery fate)
{
    struct err err;

    if (!outbox_done(how->state, outgoing->number, str_span(&outgoing->id), fate, time_now(), &err))
        log_add(how->log, "outbox: %s", err.text); /* the next process finds that it is delivered */
}

/* Removes all unsent messages at once: if only some of them stayed, the others would seem to have
 * been sent. */
static void take_off_unsent(const struct delivery *how, const struct outgoing_message *letters,
                            const struct outgoing_file *outgoing_files, size_t count)
{
    CLEANUP(mem_free) int64_t *numbers = mem_zero(count, sizeof *numbers);
    size_t unsent = 0;
    struct err err;

    for (size_t i = 0; i < count; i++)
        if (!letters[i].queued && !letters[i].delivered)
            numbers[unsent++] = outgoing_files[i].number;
    if (unsent && !outbox_remove_all(how->state, numbers, unsent, &err))
        log_add(how->log, "outbox: %s", err.text);
}

/* Sleeps until a time of the monotonic clock. */
static void sleep_until(int64_t steady_us)
{
    time_sleep(steady_us - time_steady());
}

/* The state of one message while it is checked. */
struct watched {
    bool waiting; /* true while it is still to be checked */
    int attempts;
    enum outgoing_file_seen seen; /* result of the last check */
};

/* The messages of one delivery while they are checked. */
struct watch {
    const struct delivery *how;
    struct outgoing_message *letters;
    struct outgoing_file *outgoing_files;
    struct watched *watched;
    size_t count;
    enum verify verify;
    const char *problem; /* reported to the person, or NULL */
};

static void give_up(struct watch *watch, size_t i, enum outbox_state state, const char *problem)
{
    keep_entry(watch->how, &watch->outgoing_files[i], state, 0, watch->watched[i].attempts,
               problem);
    watch->watched[i].waiting = false;
    if (problem == lock_lost)
        watch->problem = "it was written, but another program took the lock of its mailbox "
                         "meanwhile, and it is not there; see swarmutt outbox";
    else if (state == OUTBOX_UNCONFIRMED)
        watch->problem = "it was delivered, but its mailbox is gone or damaged since; see "
                         "swarmutt outbox";
    else
        watch->problem = "it was delivered, but is not there any more; see swarmutt outbox";
}

/* Writes an overwritten message again. Returns the pause until the next check; 0: none soon. */
static int64_t write_again(struct watch *watch, size_t i)
{
    const struct delivery *how = watch->how;
    struct outgoing_file *outgoing = &watch->outgoing_files[i];
    struct watched *it = &watch->watched[i];
    struct err err;

    if (it->attempts == outbox_rewrites(how->source->format)) {
        give_up(watch, i, OUTBOX_LOST, outbox_vanished(how->source->format));
        return 0;
    }
    it->attempts++;
    log_add(how->log, "%s was overwritten: writing it again", str_c(&outgoing->id));
    /* after a kill it is not written again automatically */
    note_progress(how, outgoing, OUTBOX_RECORDED, it->attempts);
    switch (outgoing_file_write(outgoing, how->log, &err)) {
    case FILE_OK:
        note_progress(how, outgoing, OUTBOX_WRITTEN, it->attempts);
        return FIRST_LOOK_US;
    case FILE_EXISTS: /* another message has the slot now */
        keep_entry(how, outgoing, OUTBOX_QUEUED, time_now(), it->attempts, "");
        it->waiting = false;
        watch->letters[i].queued = true;
        break;
    case FILE_GONE:
    case FILE_CHANGED:
    case FILE_FAILED:
        give_up(watch, i, OUTBOX_LOST, err.text);
        break;
    }
    return 0;
}

/* Checks one message. Returns the pause until the next check; 0: none soon. */
static int64_t check_outgoing(struct watch *watch, size_t i)
{
    const struct delivery *how = watch->how;
    bool array = how->source->format->storage == STORAGE_ARRAY;
    struct watched *it = &watch->watched[i];
    enum outgoing_file_seen seen = outbox_check(how->state, &watch->outgoing_files[i], how->log);

    /* a change of the file after ours was taken is no evidence */
    if (array && it->seen == OUTGOING_FILE_TAKEN && seen != OUTGOING_FILE_THERE)
        seen = OUTGOING_FILE_TAKEN;
    it->seen = seen;
    bool unsure = watch->outgoing_files[i].lock_lost && seen != OUTGOING_FILE_THERE;
    watch->letters[i].seen =
        seen == OUTGOING_FILE_THERE || (seen == OUTGOING_FILE_TAKEN && !unsure);
    watch->letters[i].taken = array && seen == OUTGOING_FILE_TAKEN && !unsure;
    if (seen == OUTGOING_FILE_SUSPECT)
        return OUTBOX_SUSPECT_US;
    return seen == OUTGOING_FILE_OVERWRITTEN ? write_again(watch, i) : 0;
}

/* Checks all messages that are waited for, until none needs another check soon. */
static void check_all(struct watch *watch)
{
    for (int64_t pause_us = 1; pause_us;) {
        pause_us = 0;
        for (size_t i = 0; i < watch->count; i++) {
            int64_t wanted_us = watch->watched[i].waiting ? check_outgoing(watch, i) : 0;
            pause_us = wanted_us > pause_us ? wanted_us : pause_us;
        }
        time_sleep(pause_us);
    }
}

/* Settles an entry after the last check. */
static void settle_entry(struct watch *watch, size_t i, int64_t written_us)
{
    const struct watched *it = &watch->watched[i];
    const struct outgoing_file *outgoing = &watch->outgoing_files[i];
    const struct delivery *how = watch->how;
    bool array = how->source->format->storage == STORAGE_ARRAY;
    bool taken = array && it->seen == OUTGOING_FILE_TAKEN;

    if (it->attempts)
        written_us = time_now();
    if (taken && outgoing->lock_lost) {
        watch->letters[i].gone = true;
        give_up(watch, i, OUTBOX_UNCONFIRMED, lock_lost);
    } else if (watch->verify == VERIFY_FIRST)
        keep_entry(how, outgoing, taken ? OUTBOX_TAKEN : OUTBOX_WRITTEN,
                   written_us + SECOND_LOOK_US, it->attempts, "");
    else if (it->seen == OUTGOING_FILE_GONE) {
        watch->letters[i].gone = true;
        give_up(watch, i, OUTBOX_UNCONFIRMED, outbox_unconfirmed);
    } else if (array && it->seen == OUTGOING_FILE_UNSURE)
        keep_entry(how, outgoing, OUTBOX_WRITTEN, time_now() + FIRST_LOOK_US, it->attempts, "");
    else
        take_off(how, outgoing, taken ? SENT_TAKEN : SENT_THERE);
}

/* Does the checks that `verify` asks for, and leaves the others to later processes. */
static void watch_outgoing(struct watch *watch)
{
    int64_t written_us = time_now(), steady_us = time_steady();

    if (watch->verify != VERIFY_NONE) {
        time_sleep(FIRST_LOOK_US);
        check_all(watch);
    }
    if (watch->verify == VERIFY_BOTH) {
        sleep_until(steady_us + SECOND_LOOK_US);
        check_all(watch);
    }
    for (size_t i = 0; i < watch->count; i++)
        if (watch->watched[i].waiting)
            settle_entry(watch, i, written_us);
}

bool outbox_finish(const struct delivery *how, struct outgoing_message *letters,
                   struct outgoing_file *outgoing_files, size_t count, bool ok, struct err *err)
{
    bool shared = how->source->format->storage != STORAGE_FILES;
    bool any = false;
    struct watch watch = {.how = how,
                          .letters = letters,
                          .outgoing_files = outgoing_files,
                          .watched = mem_zero(count, sizeof *watch.watched),
                          .count = count,
                          .verify = how->verify};

    for (size_t i = 0; i < count; i++) {
        if (letters[i].queued) {
            if (!keep_queued(how, &outgoing_files[i], err))
                ok = false;
        } else if (letters[i].delivered && letters[i].unsure) {
            keep_entry(how, &outgoing_files[i], OUTBOX_FAILED, 0, 0, err->text);
        } else if (letters[i].delivered && shared) {
            watch.watched[i].waiting = any = true;
            if (outgoing_files[i].lock_lost)
                watch.verify = VERIFY_BOTH;
        } else if (letters[i].delivered) {
            take_off(how, &outgoing_files[i], SENT_THERE);
        }
    }
    take_off_unsent(how, letters, outgoing_files, count);
    if (any)
        watch_outgoing(&watch);
    if (watch.problem)
        ok = err_set(err, ERR_UNCONFIRMED, "%s", watch.problem);
    free(watch.watched);
    return ok;
}

static bool is_same_box(const struct outgoing_file *outgoing, struct span format, struct span root,
                        struct span box)
{
    return span_is(format, outgoing->source->format->name) &&
           span_is(root, outgoing->source->path) && span_eq(box, str_span(&outgoing->box));
}

/* True if the id is one that we have sent to this box, or are about to send. */
static bool is_ours(struct state *state, const struct outgoing_file *outgoing, struct span id,
                    struct err *err)
{
    CLEANUP(outbox_free) struct outbox outbox = {0};
    CLEANUP(sent_list_free) struct sent_list sent = {0};
    bool found = false;

    if (outbox_list(state, &outbox, err) && sent_read(state, &sent, err)) {
        for (size_t i = 0; !found && i < outbox.count; i++) {
            const struct outbox_entry *entry = &outbox.items[i];
            found = span_eq(entry->id, id) &&
                    is_same_box(outgoing, entry->format, entry->root, entry->box);
        }
        for (size_t i = 0; !found && i < sent.count; i++) {
            const struct sent_entry *entry = &sent.items[i];
            found = span_eq(entry->id, id) &&
                    is_same_box(outgoing, entry->format, entry->root, entry->box);
        }
    }
    return found;
}

/* True if the message was archived from here, which emptied its slot. */
static bool was_archived(struct state *state, const struct outgoing_file *outgoing, struct err *err)
{
    const struct source *source = outgoing->source;
    CLEANUP(copies_free) struct copies copies = {0};
    bool found = false;

    if (state_copies(state, source->format->name, source->path, &copies, err))
        for (size_t i = 0; !found && i < copies.count; i++)
            found = span_eq(copies.items[i].id, str_span(&outgoing->id)) &&
                    span_eq(copies.items[i].box, str_span(&outgoing->box));
    return found;
}

/* Judges a missing entry of an array. While its reader is at work, its place soon holds something
 * else or nothing: only the same other entry in two checks means that it was overwritten. */
static enum outgoing_file_seen judge_array(struct outgoing_file *outgoing,
                                           enum outgoing_file_seen seen)
{
    struct box_before *before = &outgoing->before;

    if (seen == OUTGOING_FILE_MISSING)
        return OUTGOING_FILE_TAKEN;
    if (seen != OUTGOING_FILE_SUSPECT)
        return seen;
    if (before->newer[0])
        return strcmp(before->newer, outgoing->newer) == 0 ? OUTGOING_FILE_OVERWRITTEN
                                                           : OUTGOING_FILE_TAKEN;
    memcpy(before->newer, outgoing->newer, sizeof before->newer);
    return OUTGOING_FILE_SUSPECT;
}

enum outgoing_file_seen outbox_check(struct state *state, struct outgoing_file *outgoing,
                                     struct log *log)
{
    CLEANUP(str_free) struct str other = {0};
    struct err err = {0};
    enum outgoing_file_seen seen = outgoing_file_check(outgoing, &other);

    if (outgoing->source->format->storage == STORAGE_ARRAY)
        seen = judge_array(outgoing, seen);
    else if (seen == OUTGOING_FILE_GONE)
        seen = OUTGOING_FILE_TAKEN;
    else if (seen == OUTGOING_FILE_MISSING)
        seen =
            is_ours(state, outgoing, str_span(&other), &err) || was_archived(state, outgoing, &err)
                ? OUTGOING_FILE_TAKEN
                : OUTGOING_FILE_OVERWRITTEN;
    if (err.scope != ERR_NONE) { /* unknown whose it is: do not send ours twice */
        log_add(log, "outbox: %s", err.text);
        seen = OUTGOING_FILE_UNSURE;
    }
    return seen;
}
