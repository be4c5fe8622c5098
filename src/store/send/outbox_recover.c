/* Recovery of the outbox: what every process does for the processes before it. */
#include "store/decide/decision_trail.h"
#include "store/scan/load.h"
#include "store/send/outbox.h"

#include <string.h>
#include <unistd.h>

/* Time until an entry is checked again: one that was just written, and one that could not be
 * written. */
#define OUTBOX_SOON_US INT64_C(300000)
#define OUTBOX_LATER_US INT64_C(10000000)

/* One entry of the outbox that is being worked on. */
struct recovery {
    struct state *state;
    struct log *log;
    struct outbox_entry *entry;
    struct outgoing_file outgoing;
    struct ledger ledger; /* read when something has gone wrong */
};

static void errand_free(struct recovery *recovering)
{
    outgoing_file_free(&recovering->outgoing);
    ledger_free(&recovering->ledger);
}

/* One entry: finding its message, writing it again, and noting the result. */

static bool note_entry(struct recovery *recovering, enum outbox_state state, int64_t due_us,
                       const char *problem, struct err *err)
{
    recovering->entry->state = state;
    recovering->entry->due_us = due_us;
    recovering->entry->problem = span_of(problem);
    recovering->entry->id = str_span(&recovering->outgoing.id);
    recovering->entry->before = recovering->outgoing.before;
    if (outbox_settle(recovering->state, recovering->entry, err))
        return true;
    log_add(recovering->log, "outbox: %s", err->text);
    return false;
}

/* Notes how far the entry has come; recovery_done() removes it from the outbox. */
static void recovery_settle(struct recovery *recovering, enum outbox_state state, int64_t due_us,
                            const char *problem)
{
    struct err ignored;

    note_entry(recovering, state, due_us, problem, &ignored);
}

static bool say_unnoted(struct err *err)
{
    err_at(err, "it is there, but the outbox still has it");
    err->scope = ERR_UNCONFIRMED;
    return false;
}

static bool recovery_done(struct recovery *recovering, enum sent_delivery delivery, struct err *err)
{
    log_add(recovering->log, "outbox: %s is done", str_c(&recovering->outgoing.id));
    if (outbox_done(recovering->state, recovering->entry->number,
                    str_span(&recovering->outgoing.id), delivery, time_now(), err))
        return true;
    log_add(recovering->log, "outbox: %s", err->text);
    return say_unnoted(err);
}

/* Returns the decision that the entry is an answer of, or NULL. Recovery never writes a decision:
 * only a person who has seen the request may, because it may have changed, or been answered. */
static const struct decision_record *recovery_decision(struct recovery *recovering)
{
    struct err err;

    if (!ledger_read(&recovering->ledger, &err))
        log_add(recovering->log, "outbox: %s", err.text);
    return decision_trail_find(&recovering->ledger, recovering->entry);
}

/* Search for a message with its own file anywhere in its box: its owner may have marked or archived
 * it. */
struct search {
    struct span id;
    struct str dir, name; /* where the message is */
    bool found;
    const struct outgoing_file *outgoing;
    struct err unread; /* a file that may be the message, and cannot be read */
};

/* True if an unreadable file or folder may be the message: its file, or a folder of its box. */
static bool may_be(const struct outgoing_file *outgoing, const struct message *message)
{
    const struct place *place = message->place;

    return message->unread_bytes &&
           (!place->team.at || span_eq(place->team, str_span(&outgoing->team))) &&
           (!place->box.at || span_eq(place->box, str_span(&outgoing->box))) &&
           (message->whole_folder || span_eq(message->file, str_span(&outgoing->name)));
}

static void search_batch(void *context, struct batch *batch)
{
    struct search *search = context;

    for (size_t i = 0; !search->found && i < batch->count; i++) {
        const struct message *message = &batch->items[i];
        if (may_be(search->outgoing, message)) {
            err_set(&search->unread, ERR_MESSAGE, "it cannot be read: %s", message->damaged);
            message_err_at(&search->unread, message);
            continue;
        }
        if (!span_eq(message->id, search->id))
            continue;
        search->found = true;
        str_add_span(&search->dir, message->place->dir);
        str_add_span(&search->name, message->file);
    }
}

/* Syncs a message that was found: only then does it count as there. */
static bool sync_found(int dir, const char *name, const char *path, struct err *err)
{
    if (file_sync(dir, name, err) && file_sync_dir(dir, err))
        return true;
    err_at(err, path);
    err->scope = ERR_UNCONFIRMED;
    return false;
}

/* True if the message is there; its file is on disk then. */
static bool is_file_there(struct recovery *recovering, struct err *err)
{
    const struct source *source = recovering->outgoing.source;
    struct search search = {.id = str_span(&recovering->outgoing.id),
                            .outgoing = &recovering->outgoing};
    struct load all = {.inbox = true, .archive = true};
    bool ok = load_source(source, &all, search_batch, &search, recovering->log, err);
    int dir = ok && search.found ? source_open_dir(source, str_c(&search.dir), err) : -1;

    if (ok && !search.found && search.unread.scope != ERR_NONE)
        *err = search.unread;
    ok = dir >= 0 && sync_found(dir, str_c(&search.name), str_c(&search.dir), err);
    if (dir >= 0)
        close(dir);
    str_free(&search.dir);
    str_free(&search.name);
    return ok;
}

/* Finds the message. Fills in err if the result is OUTGOING_FILE_UNSURE for a known reason. With
 * OUTGOING_FILE_THERE the message is on disk. */
static enum outgoing_file_seen recovery_check(struct recovery *recovering, struct err *err)
{
    struct outgoing_file *outgoing = &recovering->outgoing;

    err->scope = ERR_NONE;
    if (outgoing->source->format->storage == STORAGE_FILES) {
        if (is_file_there(recovering, err))
            return OUTGOING_FILE_THERE;
        return err->scope == ERR_NONE ? OUTGOING_FILE_MISSING : OUTGOING_FILE_UNSURE;
    }
    enum outgoing_file_seen seen = outgoing_file_check(outgoing, NULL);
    if (seen == OUTGOING_FILE_THERE &&
        (!outgoing_file_open(outgoing, err) ||
         !sync_found(outgoing->dir, str_c(&outgoing->name), str_c(&outgoing->path), err)))
        return OUTGOING_FILE_UNSURE;
    return seen;
}

/* Keeps the reason why it could not be written with the entry, for the next try and for the
 * person. */
static bool keep_problem(struct recovery *recovering, const struct err *err)
{
    bool array = recovering->outgoing.source->format->storage == STORAGE_ARRAY;

    if (array && recovering->entry->attempts && err->scope != ERR_UNCONFIRMED)
        recovering->entry->attempts--; /* a try that has written nothing does not count */
    recovery_settle(recovering, recovering->entry->state, time_now() + OUTBOX_LATER_US, err->text);
    return false;
}

/* Notes OUTBOX_RECORDED before writing, so that it is not written again automatically after a
 * kill. */
static bool note_writing(struct recovery *recovering, struct err *err)
{
    struct outbox_entry writing = *recovering->entry;

    if (recovering->outgoing.source->format->storage != STORAGE_ARRAY)
        return true;
    writing.state = OUTBOX_RECORDED;
    return outbox_keep(recovering->state, &writing, err);
}

/* Writes into a shared file or a slot. On failure keeps the reason with the entry, for the next try
 * and for the person. */
static bool recovery_write_again(struct recovery *recovering, struct err *err)
{
    if (!outgoing_file_open(&recovering->outgoing, err) || !note_writing(recovering, err))
        return keep_problem(recovering, err);
    switch (outgoing_file_write(&recovering->outgoing, recovering->log, err)) {
    case FILE_OK:
        return note_entry(recovering, OUTBOX_WRITTEN, time_now() + OUTBOX_SOON_US, "", err) ||
               say_unnoted(err);
    case FILE_EXISTS:
        return note_entry(recovering, OUTBOX_QUEUED, time_now(), "", err);
    case FILE_GONE:
    case FILE_CHANGED:
    case FILE_FAILED:
        break;
    }
    return keep_problem(recovering, err);
}

/* Opens the source that an entry is for. */
static bool recovery_open_source(const struct outbox_entry *entry, struct source *source,
                                 struct err *err)
{
    CLEANUP(str_free) struct str spec = {0};

    str_add_span(&spec, entry->format);
    str_putc(&spec, ':');
    str_add_span(&spec, entry->root);
    return source_open(source, str_c(&spec), NULL, NULL, err);
}

/* Retrying an entry at the person's request. */

static bool is_there(struct recovery *recovering, struct err *err)
{
    return recovery_check(recovering, err) == OUTGOING_FILE_THERE;
}

static bool write_file(struct recovery *recovering, struct err *err)
{
    struct outgoing_file *outgoing = &recovering->outgoing;

    if (!outgoing_file_open(outgoing, err) ||
        !file_stage(&outgoing->staged, outgoing->dir, str_c(&outgoing->name),
                    str_span(&outgoing->bytes), outgoing->source->format->file_mode, err))
        return false;
    enum file_result result = file_publish_new(&outgoing->staged, err);
    if (result == FILE_EXISTS) {
        file_discard(&outgoing->staged);
        return err_set(
            err, ERR_REFUSED,
            "%s/%s: the name is taken by another message; drop this one and send it anew",
            str_c(&outgoing->path), str_c(&outgoing->name));
    }
    if (result != FILE_OK)
        return false;
    if (file_sync_dir(outgoing->dir, err))
        return true;
    err->scope = ERR_UNCONFIRMED;
    return false;
}

bool outbox_retry(struct state *state, int64_t number, struct log *log, struct err *err)
{
    CLEANUP(outbox_free) struct outbox one = {0};
    CLEANUP(source_close) struct source source = {.root = -1};
    CLEANUP(errand_free)
    struct recovery recovering = {.state = state, .log = log, .outgoing = {.dir = -1}};
    bool claimed = outbox_claim(state, number, time_now(), &one, err);
    bool ok = claimed && recovery_open_source(&one.items[0], &source, err);

    if (ok) {
        recovering.entry = &one.items[0];
        outgoing_file_restore(&recovering.outgoing, &source, recovering.entry);
        if (is_there(&recovering, err)) {
            ok = recovery_done(&recovering, SENT_THERE, err);
        } else if (recovery_decision(&recovering)) {
            ok = err_set(err, ERR_REFUSED,
                         "it is a decision: the request may have changed since; look at it and "
                         "decide again, then drop this one");
            outbox_release(state, number, NULL);
        } else if (err->scope != ERR_NONE) { /* there, or unknown */
            ok = false;
            outbox_release(state, number, NULL);
        } else if (source.format->storage == STORAGE_FILES) {
            ok = write_file(&recovering, err);
            if (ok)
                ok = recovery_done(&recovering, SENT_THERE, err);
            else
                outbox_release(state, number, NULL);
        } else {
            recovering.entry->attempts = 0;
            ok = recovery_write_again(&recovering, err);
        }
    } else if (claimed) {
        outbox_release(state, number, NULL);
    }
    return ok;
}

#define SLOT_US INT64_C(60000000) /* a caller who watches the slot calls sooner */

/* Time after a check was due from which on a missing message is not written again. */
#define LATE_US INT64_C(8000000)
#define SLOT_LATE_US INT64_C(3000000)

enum { RECOVERY_WAIT_MS = 50 }; /* no command waits long for what others left */

/* Drops a decision that is not in its mailbox: the request still waits. */
static void drop_decision(struct recovery *recovering, const struct decision_record *decision)
{
    struct err err;

    decision_trail_add(decision, LEDGER_FAILED,
                       "interrupted before it was written; the request still waits",
                       (struct span){0});
    if (!outbox_remove(recovering->state, recovering->entry->number, &err))
        log_add(recovering->log, "outbox: %s", err.text);
}

static bool is_staged_file(struct span bytes, const void *context)
{
    const struct outgoing_file *outgoing = context;
    const struct format *format = outgoing->source->format;

    return format->storage == STORAGE_ARRAY ? format->holds(bytes, str_span(&outgoing->bytes))
                                            : span_starts(str_span(&outgoing->bytes), bytes);
}

/* Removes staged files of the message: their content is in the outbox, or need not be kept. */
static void sweep_staged(const struct outgoing_file *outgoing)
{
    int dir = source_dir(outgoing->source, str_c(&outgoing->path));

    if (dir >= 0) {
        file_sweep(dir, str_c(&outgoing->name), is_staged_file, outgoing);
        close(dir);
    }
}

/* Settles an entry whose process died while sending it. The message is never sent without the
 * person's knowledge. */
static void resolve_interrupted(struct recovery *recovering)
{
    const struct decision_record *decision = recovery_decision(recovering);
    struct err err;

    switch (recovery_check(recovering, &err)) {
    case OUTGOING_FILE_THERE:
        recovery_done(recovering, SENT_THERE, &err);
        if (decision && !decision->sent)
            decision_trail_add(decision, LEDGER_DELIVERED, "found to be sent after an interruption",
                               (struct span){0});
        break;
    case OUTGOING_FILE_UNSURE: /* another program may be writing there */
        recovery_settle(recovering, OUTBOX_RECORDED, time_now() + OUTBOX_SOON_US,
                        err.scope == ERR_NONE ? "its mailbox cannot be read just now" : err.text);
        break;
    case OUTGOING_FILE_GONE:
        recovery_settle(recovering, OUTBOX_FAILED, 0,
                        "sending was interrupted, and its mailbox is gone or damaged: nobody knows "
                        "whether it was sent");
        break;
    case OUTGOING_FILE_TAKEN:
    case OUTGOING_FILE_SUSPECT:
    case OUTGOING_FILE_OVERWRITTEN:
    case OUTGOING_FILE_MISSING:
        if (decision)
            drop_decision(recovering, decision);
        else
            recovery_settle(
                recovering, OUTBOX_FAILED, 0,
                "sending was interrupted, and it was not found: it was not sent, or its "
                "reader took it at once");
        break;
    }
    sweep_staged(&recovering->outgoing);
}

/* True if the clock was set back since: the time that has passed is unknown. */
static bool is_from_later(const struct outbox_entry *entry, int64_t now_us)
{
    return entry->due_us > now_us + OUTBOX_LEASE_US;
}

/* True if so much time has passed that its reader may well have taken it. */
static bool is_late(const struct recovery *recovering)
{
    bool slot = recovering->outgoing.source->format->storage == STORAGE_SLOT;
    int64_t now_us = time_now();

    return now_us - recovering->entry->due_us > (slot ? SLOT_LATE_US : LATE_US) ||
           is_from_later(recovering->entry, now_us);
}

static bool is_array(const struct recovery *recovering)
{
    return recovering->outgoing.source->format->storage == STORAGE_ARRAY;
}

/* Settles a message that its reader has taken. A decision was delivered then, even if the process
 * died before it wrote that to the ledger. */
static void settle_taken(struct recovery *recovering)
{
    const struct decision_record *decision;
    struct err err;

    if (!is_array(recovering)) {
        recovery_done(recovering, SENT_THERE, &err);
        return;
    }
    decision = recovering->entry->state == OUTBOX_WRITTEN ? recovery_decision(recovering) : NULL;
    if (decision && (decision->state == DECISION_UNKNOWN || decision->state == DECISION_DELIVERED))
        decision_trail_add(decision, LEDGER_VERIFIED, DECIDED_TAKEN, (struct span){0});
    recovery_done(recovering, SENT_TAKEN, &err);
}

/* Settles an overwritten message that is not written again; notes the loss of a decision in the
 * ledger too. */
static void settle_lost(struct recovery *recovering, const char *problem)
{
    const struct decision_record *decision = recovery_decision(recovering);

    if (decision) {
        struct err err;
        if (!state_unmark_answered(recovering->state, recovering->entry, &err))
            log_add(recovering->log, "outbox: %s", err.text);
        decision_trail_add(decision, LEDGER_LOST, "another program has overwritten it",
                           (struct span){0});
        problem = "your decision was overwritten by another program; look at the request again";
    }
    recovery_settle(recovering, OUTBOX_LOST, 0, problem);
}

/* Writes the message again, after two checks have found it overwritten. Not a decision, as the
 * request may have changed since, and not a late message, which its sender has long forgotten. */
static void settle_overwritten(struct recovery *recovering)
{
    const struct format *format = recovering->outgoing.source->format;
    bool late = is_late(recovering);
    struct err err;

    if (!is_array(recovering) && late) { /* a slot with another message was emptied */
        recovery_done(recovering, SENT_THERE, &err);
    } else if (is_array(recovering) && (late || recovery_decision(recovering))) {
        settle_lost(recovering,
                    "another program has overwritten it; it is not written again so late "
                    "by itself");
    } else if (recovering->entry->attempts >= outbox_rewrites(format)) {
        recovery_settle(recovering, OUTBOX_LOST, 0, outbox_vanished(format));
    } else {
        recovering->entry->attempts++;
        log_add(recovering->log, "%s was overwritten: writing it again",
                str_c(&recovering->outgoing.id));
        recovery_write_again(recovering, &err);
    }
}

/* Asks for a second check, unless it is late: then a second check is of no use. */
static void settle_suspect(struct recovery *recovering)
{
    if (is_late(recovering))
        settle_overwritten(recovering);
    else
        recovery_settle(recovering, OUTBOX_WRITTEN, time_now() + OUTBOX_SUSPECT_US, "");
}

static void check_again(struct recovery *recovering)
{
    enum outgoing_file_seen seen =
        outbox_check(recovering->state, &recovering->outgoing, recovering->log);
    struct err err;

    /* a change of the file after ours was taken is no evidence */
    if (recovering->entry->state == OUTBOX_TAKEN && seen != OUTGOING_FILE_THERE)
        seen = OUTGOING_FILE_TAKEN;
    switch (seen) {
    case OUTGOING_FILE_THERE:
        recovery_done(recovering, SENT_THERE, &err);
        break;
    case OUTGOING_FILE_TAKEN:
        settle_taken(recovering);
        break;
    case OUTGOING_FILE_GONE:
        recovery_settle(recovering, OUTBOX_UNCONFIRMED, 0, outbox_unconfirmed);
        break;
    case OUTGOING_FILE_UNSURE:
        recovery_settle(recovering, OUTBOX_WRITTEN, time_now() + OUTBOX_SOON_US, "");
        break;
    case OUTGOING_FILE_SUSPECT:
        settle_suspect(recovering);
        break;
    case OUTGOING_FILE_MISSING: /* never returned by outbox_check() */
    case OUTGOING_FILE_OVERWRITTEN:
        settle_overwritten(recovering);
        break;
    }
}

/* Settles an entry whose whole mailbox is gone. */
static void settle_without_source(struct recovery *recovering, const char *problem)
{
    const struct format *format = format_find(recovering->entry->format);
    bool array = format && format->storage == STORAGE_ARRAY;
    struct err err;

    switch (recovering->entry->state) {
    case OUTBOX_TAKEN:
        recovery_done(recovering, SENT_TAKEN, &err);
        break;
    case OUTBOX_WRITTEN:
        if (array)
            recovery_settle(recovering, OUTBOX_UNCONFIRMED, 0, outbox_unconfirmed);
        else
            recovery_done(recovering, SENT_THERE, &err);
        break;
    case OUTBOX_RECORDED:
    case OUTBOX_QUEUED:
    case OUTBOX_LOST:
    case OUTBOX_FAILED:
    case OUTBOX_UNCONFIRMED:
        recovery_settle(recovering, OUTBOX_FAILED, 0, problem);
        break;
    }
}

static void work_on(struct state *state, struct log *log, struct outbox_entry *entry)
{
    CLEANUP(source_close) struct source source = {.root = -1};
    CLEANUP(errand_free)
    struct recovery recovering = {
        .state = state, .log = log, .entry = entry, .outgoing = {.dir = -1}};
    struct err err;

    if (!recovery_open_source(entry, &source, &err)) {
        str_add_span(&recovering.outgoing.id, entry->id);
        settle_without_source(&recovering, err.text);
    } else {
        outgoing_file_restore(&recovering.outgoing, &source, entry);
        recovering.outgoing.wait_ms = RECOVERY_WAIT_MS;
        if (entry->state == OUTBOX_RECORDED)
            resolve_interrupted(&recovering);
        else if (entry->state == OUTBOX_WRITTEN || entry->state == OUTBOX_TAKEN)
            check_again(&recovering);
        else
            recovery_write_again(&recovering, &err);
    }
}

/* True if the entry is queued and its slot is still taken. Checks without a claim: every process
 * that watches the state would wake up for a claim. */
static bool still_waits(const struct outbox_entry *entry)
{
    CLEANUP(source_close) struct source source = {.root = -1};
    CLEANUP(outgoing_file_free) struct outgoing_file outgoing = {.dir = -1};
    struct err ignored;

    if (entry->state != OUTBOX_QUEUED || !recovery_open_source(entry, &source, &ignored))
        return false;
    outgoing_file_restore(&outgoing, &source, entry);
    return outgoing_file_slot_is_taken(&outgoing);
}

/* True if the entry is unchanged. Another process may have worked on it, and released it, between
 * the check and the claim. */
static bool is_as_it_was(const struct outbox_entry *seen, const struct outbox_entry *claimed)
{
    return seen->state == claimed->state && seen->due_us == claimed->due_us &&
           seen->attempts == claimed->attempts;
}

static void work_on_due(struct state *state, struct log *log, const struct outbox_entry *due)
{
    CLEANUP(outbox_free) struct outbox one = {0};
    struct err err;

    if (still_waits(due) || !outbox_claim(state, due->number, time_now(), &one, &err))
        return;
    if (is_as_it_was(due, &one.items[0]))
        work_on(state, log, &one.items[0]);
    else if (!outbox_release(state, due->number, &err))
        log_add(log, "outbox: %s", err.text);
}

void outbox_work(struct state *state, struct log *log)
{
    CLEANUP(outbox_free) struct outbox due = {0};
    struct err err;

    if (!outbox_due(state, time_now(), &due, &err))
        log_add(log, "outbox: %s", err.text);
    for (size_t i = 0; i < due.count; i++)
        work_on_due(state, log, &due.items[i]);
}

/* Returns when the entry needs work. An entry that is due but not done belongs to another process,
 * or did until that process died. */
static int64_t next_us(const struct outbox_entry *entry, int64_t now_us)
{
    int64_t pause_us = entry->state == OUTBOX_QUEUED ? SLOT_US : OUTBOX_LATER_US;

    if (outbox_is_stuck(entry->state))
        return TIME_NONE;
    return entry->due_us > now_us && !is_from_later(entry, now_us) ? entry->due_us
                                                                   : now_us + pause_us;
}

int64_t outbox_next_us(struct state *state, int64_t now_us, struct log *log)
{
    int64_t first_us = TIME_NONE;
    CLEANUP(outbox_free) struct outbox all = {0};
    struct err err;

    if (!outbox_list(state, &all, &err)) {
        log_add(log, "outbox: %s", err.text);
        first_us = now_us + OUTBOX_LATER_US;
    }
    for (size_t i = 0; i < all.count; i++)
        time_min(&first_us, next_us(&all.items[i], now_us));
    return first_us;
}
