/* The outbox afterwards: what every later process does for those before it. */
#include "store/decided.h"
#include "store/load.h"
#include "store/outbox.h"

#include <string.h>
#include <unistd.h>

#define SOON_US INT64_C(300000)
#define LATER_US INT64_C(10000000)
#define SLOT_US INT64_C(60000000) /* who watches the slot is told sooner */

/* After its look was due: a message that is missing then is not written again. */
#define LATE_US INT64_C(8000000)
#define SLOT_LATE_US INT64_C(3000000)

enum { ERRAND_WAIT_MS = 50 }; /* nobody's command waits long for what others left */

/* One entry that is being worked on. */
struct errand {
    struct state *state;
    struct log *log;
    struct outbox_entry *entry;
    struct parcel parcel;
    struct ledger ledger; /* read when something has gone wrong */
};

static bool note(struct errand *errand, enum outbox_state state, int64_t due_us,
                 const char *problem, struct err *err)
{
    errand->entry->state = state;
    errand->entry->due_us = due_us;
    errand->entry->problem = span_of(problem);
    errand->entry->id = str_span(&errand->parcel.id);
    if (outbox_settle(errand->state, errand->entry, err))
        return true;
    log_add(errand->log, "outbox: %s", err->text);
    return false;
}

static void settle(struct errand *errand, enum outbox_state state, int64_t due_us,
                   const char *problem)
{
    struct err ignored;

    note(errand, state, due_us, problem, &ignored);
}

static bool say_unnoted(struct err *err)
{
    err_at(err, "it is there, but the outbox still has it");
    err->scope = ERR_UNCONFIRMED;
    return false;
}

static bool done(struct errand *errand, struct err *err)
{
    log_add(errand->log, "outbox: %s is done", str_c(&errand->parcel.id));
    if (outbox_done(errand->state, errand->entry->number, str_span(&errand->parcel.id), when_now(),
                    err))
        return true;
    log_add(errand->log, "outbox: %s", err->text);
    return say_unnoted(err);
}

/* Whether it is what was decided about a request. That is never written by somebody who has not
 * looked at the request: it may have changed, or been answered. */
static const struct decision_record *decision_of(struct errand *errand)
{
    struct err err;

    if (!ledger_read(&errand->ledger, &err))
        log_add(errand->log, "outbox: %s", err.text);
    return decided_find(&errand->ledger, errand->entry);
}

/* A message of its own file, wherever in its box it has got to: its owner may have marked it, or
 * put it away. */
struct search {
    struct span id;
    struct str dir, name; /* where it is */
    bool found;
};

static void search_batch(void *context, struct batch *batch)
{
    struct search *search = context;

    for (size_t i = 0; !search->found && i < batch->count; i++) {
        const struct message *message = &batch->items[i];
        if (!span_eq(message->id, search->id))
            continue;
        search->found = true;
        str_add_span(&search->dir, message->place->dir);
        str_add_span(&search->name, message->file);
    }
}

/* What was found counts when it is on disk. */
static bool sync_found(int dir, const char *name, const char *path, struct err *err)
{
    if (file_sync(dir, name, err) && file_sync_dir(dir, err))
        return true;
    err_at(err, path);
    err->scope = ERR_UNCONFIRMED;
    return false;
}

/* Whether it is there; its file is on disk then. */
static bool is_file_there(struct errand *errand, struct err *err)
{
    const struct source *source = errand->parcel.source;
    struct search search = {.id = str_span(&errand->parcel.id)};
    struct load all = {.inbox = true, .archive = true};
    bool ok = load_source(source, &all, search_batch, &search, errand->log, err);
    int dir = ok && search.found ? source_open_dir(source, str_c(&search.dir), err) : -1;

    ok = dir >= 0 && sync_found(dir, str_c(&search.name), str_c(&search.dir), err);
    if (dir >= 0)
        close(dir);
    str_free(&search.dir);
    str_free(&search.name);
    return ok;
}

/* Where it is, with the sentence when that is not to be known. What is there is on disk. */
static enum parcel_seen look_for(struct errand *errand, struct err *err)
{
    struct parcel *parcel = &errand->parcel;

    err->scope = ERR_NONE;
    if (parcel->source->format->keeping == KEEP_FILES) {
        if (is_file_there(errand, err))
            return PARCEL_THERE;
        return err->scope == ERR_NONE ? PARCEL_MISSING : PARCEL_UNSURE;
    }
    enum parcel_seen seen = parcel_look(parcel, NULL);
    if (seen == PARCEL_THERE &&
        (!parcel_open(parcel, err) ||
         !sync_found(parcel->dir, str_c(&parcel->name), str_c(&parcel->path), err)))
        return PARCEL_UNSURE;
    return seen;
}

static bool is_there(struct errand *errand, struct err *err)
{
    return look_for(errand, err) == PARCEL_THERE;
}

/* A decision that its mailbox does not have: the request still waits. */
static void drop_decision(struct errand *errand, const struct decision_record *decision)
{
    struct err err;

    decided_add(decision, LEDGER_FAILED,
                "interrupted before it was written; the request still waits", (struct span){0});
    if (!outbox_remove(errand->state, errand->entry->number, &err))
        log_add(errand->log, "outbox: %s", err.text);
}

static bool is_staged_parcel(struct span bytes, const void *context)
{
    const struct parcel *parcel = context;
    const struct format *format = parcel->source->format;

    return format->keeping == KEEP_ARRAY ? format->holds(bytes, str_span(&parcel->bytes))
                                         : span_starts(str_span(&parcel->bytes), bytes);
}

/* What was staged of it is in the outbox, or need not be kept. */
static void sweep(const struct parcel *parcel)
{
    int dir = source_dir(parcel->source, str_c(&parcel->path));

    if (dir >= 0) {
        file_sweep(dir, str_c(&parcel->name), is_staged_parcel, parcel);
        close(dir);
    }
}

/* Whoever noted this died before it was done: it is not sent behind the person's back. */
static void resolve_interrupted(struct errand *errand)
{
    const struct decision_record *decision = decision_of(errand);
    struct err err;

    switch (look_for(errand, &err)) {
    case PARCEL_THERE:
        done(errand, &err);
        if (decision && !decision->sent)
            decided_add(decision, LEDGER_DELIVERED, "found to be sent after an interruption",
                        (struct span){0});
        break;
    case PARCEL_UNSURE: /* somebody may be writing there just now */
        settle(errand, OUTBOX_RECORDED, when_now() + SOON_US,
               err.scope == ERR_NONE ? "its mailbox cannot be read just now" : err.text);
        break;
    case PARCEL_TAKEN:
        settle(
            errand, OUTBOX_FAILED, 0,
            "sending was interrupted, and its mailbox is gone: nobody knows whether it was sent");
        break;
    case PARCEL_MISSING:
        if (decision)
            drop_decision(errand, decision);
        else
            settle(errand, OUTBOX_FAILED, 0, "sending was interrupted, and it was not found");
        break;
    }
    sweep(&errand->parcel);
}

/* Why it could not be written stays with the entry, for the next try and for the person. */
static bool keep_problem(struct errand *errand, const struct err *err)
{
    settle(errand, errand->entry->state, when_now() + LATER_US, err->text);
    return false;
}

static bool write_again(struct errand *errand, struct err *err)
{
    if (!parcel_open(&errand->parcel, err))
        return keep_problem(errand, err);
    switch (parcel_write(&errand->parcel, errand->log, err)) {
    case FILE_OK:
        return note(errand, OUTBOX_WRITTEN, when_now() + SOON_US, "", err) || say_unnoted(err);
    case FILE_EXISTS:
        return note(errand, OUTBOX_QUEUED, when_now(), "", err);
    case FILE_GONE:
    case FILE_CHANGED:
    case FILE_FAILED:
        break;
    }
    return keep_problem(errand, err);
}

/* The clock was put back since: nobody knows how long ago that is. */
static bool is_from_later(const struct outbox_entry *entry, int64_t now_us)
{
    return entry->due_us > now_us + OUTBOX_LEASE_US;
}

/* Whether so much time has passed that its reader may well have taken it. */
static bool is_late(const struct errand *errand)
{
    bool slot = errand->parcel.source->format->keeping == KEEP_SLOT;
    int64_t now_us = when_now();

    return now_us - errand->entry->due_us > (slot ? SLOT_LATE_US : LATE_US) ||
           is_from_later(errand->entry, now_us);
}

/* It was there at the first look. A slot with another message was emptied; an array without it was
 * renewed or wiped, and the person should know. */
static void settle_late(struct errand *errand)
{
    struct err err;

    if (errand->parcel.source->format->keeping == KEEP_SLOT)
        done(errand, &err);
    else
        settle(errand, OUTBOX_LOST, 0,
               "it was there and is not any more; it is not written again so late by itself");
}

static void look_again(struct errand *errand)
{
    const struct decision_record *decision;
    struct err err;

    switch (outbox_look(errand->state, &errand->parcel, errand->log)) {
    case PARCEL_THERE:
    case PARCEL_TAKEN:
        done(errand, &err);
        break;
    case PARCEL_UNSURE:
        settle(errand, OUTBOX_WRITTEN, when_now() + SOON_US, "");
        break;
    case PARCEL_MISSING:
        decision = decision_of(errand);
        if (decision && errand->parcel.source->format->keeping != KEEP_SLOT) {
            decided_add(decision, LEDGER_LOST, "it was there and has vanished", (struct span){0});
            settle(errand, OUTBOX_LOST, 0,
                   "your decision was there and has vanished; look at the request again");
            break;
        }
        if (is_late(errand)) {
            settle_late(errand);
            break;
        }
        if (errand->entry->attempts >= OUTBOX_REWRITES) {
            settle(errand, OUTBOX_LOST, 0, outbox_vanished(errand->parcel.source->format));
            break;
        }
        errand->entry->attempts++;
        log_add(errand->log, "%s vanished: writing it again", str_c(&errand->parcel.id));
        write_again(errand, &err);
        break;
    }
}

static bool open_source_of(const struct outbox_entry *entry, struct source *source, struct err *err)
{
    struct str spec = {0};

    str_add_span(&spec, entry->format);
    str_putc(&spec, ':');
    str_add_span(&spec, entry->root);
    bool ok = source_open(source, str_c(&spec), NULL, NULL, err);
    str_free(&spec);
    return ok;
}

static void work_on(struct state *state, struct log *log, struct outbox_entry *entry)
{
    struct errand errand = {.state = state, .log = log, .entry = entry, .parcel = {.dir = -1}};
    struct source source;
    struct err err;

    if (!open_source_of(entry, &source, &err)) {
        str_add_span(&errand.parcel.id, entry->id);
        if (entry->state == OUTBOX_WRITTEN)
            done(&errand, &err); /* the whole mailbox has gone since */
        else
            settle(&errand, OUTBOX_FAILED, 0, err.text);
    } else {
        parcel_restore(&errand.parcel, &source, entry);
        errand.parcel.wait_ms = ERRAND_WAIT_MS;
        if (entry->state == OUTBOX_RECORDED)
            resolve_interrupted(&errand);
        else if (entry->state == OUTBOX_WRITTEN)
            look_again(&errand);
        else
            write_again(&errand, &err);
    }
    parcel_free(&errand.parcel);
    ledger_free(&errand.ledger);
    source_close(&source);
}

/* A look needs no claim, which everybody who watches the state would be told of. */
static bool still_waits(const struct outbox_entry *entry)
{
    struct parcel parcel = {.dir = -1};
    struct source source;
    struct err ignored;
    bool waits = false;

    if (entry->state != OUTBOX_QUEUED)
        return false;
    if (open_source_of(entry, &source, &ignored)) {
        parcel_restore(&parcel, &source, entry);
        waits = parcel_slot_is_taken(&parcel);
    }
    parcel_free(&parcel);
    source_close(&source);
    return waits;
}

/* Somebody else may have worked on it between the look and the claim, and have given it up. */
static bool is_as_it_was(const struct outbox_entry *seen, const struct outbox_entry *claimed)
{
    return seen->state == claimed->state && seen->due_us == claimed->due_us &&
           seen->attempts == claimed->attempts;
}

static void work_on_due(struct state *state, struct log *log, const struct outbox_entry *due)
{
    struct outbox one = {0};
    struct err err;

    if (still_waits(due) || !outbox_claim(state, due->number, when_now(), &one, &err)) {
        outbox_free(&one);
        return;
    }
    if (is_as_it_was(due, &one.items[0]))
        work_on(state, log, &one.items[0]);
    else if (!outbox_release(state, due->number, &err))
        log_add(log, "outbox: %s", err.text);
    outbox_free(&one);
}

void outbox_work(struct state *state, struct log *log)
{
    struct outbox due = {0};
    struct err err;

    if (!outbox_due(state, when_now(), &due, &err))
        log_add(log, "outbox: %s", err.text);
    for (size_t i = 0; i < due.count; i++)
        work_on_due(state, log, &due.items[i]);
    outbox_free(&due);
}

/* What is due and was not done is somebody else's, or was until they died. */
static int64_t next_us(const struct outbox_entry *entry, int64_t now_us)
{
    int64_t pause_us = entry->state == OUTBOX_QUEUED ? SLOT_US : LATER_US;

    if (entry->state > OUTBOX_QUEUED)
        return WHEN_NONE;
    return entry->due_us > now_us && !is_from_later(entry, now_us) ? entry->due_us
                                                                   : now_us + pause_us;
}

int64_t outbox_next_us(struct state *state, int64_t now_us, struct log *log)
{
    int64_t first_us = WHEN_NONE;
    struct outbox all = {0};
    struct err err;

    if (!outbox_list(state, &all, &err)) {
        log_add(log, "outbox: %s", err.text);
        first_us = now_us + LATER_US;
    }
    for (size_t i = 0; i < all.count; i++) {
        int64_t one_us = next_us(&all.items[i], now_us);
        if (one_us != WHEN_NONE && (first_us == WHEN_NONE || one_us < first_us))
            first_us = one_us;
    }
    outbox_free(&all);
    return first_us;
}

static bool write_file(struct errand *errand, struct err *err)
{
    struct parcel *parcel = &errand->parcel;

    if (!parcel_open(parcel, err) ||
        !file_stage(&parcel->staged, parcel->dir, str_c(&parcel->name), str_span(&parcel->bytes),
                    parcel->source->format->file_mode, err))
        return false;
    enum file_result result = file_publish_new(&parcel->staged, err);
    if (result == FILE_EXISTS) {
        file_discard(&parcel->staged);
        return err_set(
            err, ERR_REFUSED,
            "%s/%s: the name is taken by another message; drop this one and send it anew",
            str_c(&parcel->path), str_c(&parcel->name));
    }
    if (result != FILE_OK)
        return false;
    if (file_sync_dir(parcel->dir, err))
        return true;
    err->scope = ERR_UNCONFIRMED;
    return false;
}

bool outbox_retry(struct state *state, int64_t number, struct log *log, struct err *err)
{
    struct outbox one = {0};
    struct source source = {.root = -1};
    struct errand errand = {.state = state, .log = log, .parcel = {.dir = -1}};
    struct err ignored;
    bool claimed = outbox_claim(state, number, when_now(), &one, err);
    bool ok = claimed && open_source_of(&one.items[0], &source, err);

    if (ok) {
        errand.entry = &one.items[0];
        parcel_restore(&errand.parcel, &source, errand.entry);
        if (is_there(&errand, err)) {
            ok = done(&errand, err);
        } else if (decision_of(&errand)) {
            ok = err_set(err, ERR_REFUSED,
                         "it is a decision: the request may have changed since; look at it and "
                         "decide again, then drop this one");
            outbox_release(state, number, &ignored);
        } else if (err->scope != ERR_NONE) { /* there, or not to be known */
            ok = false;
            outbox_release(state, number, &ignored);
        } else if (source.format->keeping == KEEP_FILES) {
            ok = write_file(&errand, err);
            if (ok)
                ok = done(&errand, err);
            else
                outbox_release(state, number, &ignored);
        } else {
            errand.entry->attempts = 0;
            ok = write_again(&errand, err);
        }
    } else if (claimed) {
        outbox_release(state, number, &ignored);
    }
    parcel_free(&errand.parcel);
    ledger_free(&errand.ledger);
    source_close(&source);
    outbox_free(&one);
    return ok;
}
