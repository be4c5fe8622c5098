/* The outbox afterwards: what every later process does for those before it. */
#include "store/send/outbox_private.h"

#include <string.h>
#include <unistd.h>

#define SLOT_US INT64_C(60000000) /* who watches the slot is told sooner */

/* After its look was due: a message that is missing then is not written again. */
#define LATE_US INT64_C(8000000)
#define SLOT_LATE_US INT64_C(3000000)

enum { ERRAND_WAIT_MS = 50 }; /* nobody's command waits long for what others left */

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
    const struct decision_record *decision = errand_decision(errand);
    struct err err;

    switch (errand_look(errand, &err)) {
    case PARCEL_THERE:
        errand_done(errand, SENT_THERE, &err);
        if (decision && !decision->sent)
            decided_add(decision, LEDGER_DELIVERED, "found to be sent after an interruption",
                        (struct span){0});
        break;
    case PARCEL_UNSURE: /* somebody may be writing there just now */
        errand_settle(errand, OUTBOX_RECORDED, when_now() + OUTBOX_SOON_US,
                      err.scope == ERR_NONE ? "its mailbox cannot be read just now" : err.text);
        break;
    case PARCEL_GONE:
        errand_settle(errand, OUTBOX_FAILED, 0,
                      "sending was interrupted, and its mailbox is gone or damaged: nobody knows "
                      "whether it was sent");
        break;
    case PARCEL_TAKEN:
    case PARCEL_SUSPECT:
    case PARCEL_OVERWRITTEN:
    case PARCEL_MISSING:
        if (decision)
            drop_decision(errand, decision);
        else
            errand_settle(errand, OUTBOX_FAILED, 0,
                          "sending was interrupted, and it was not found: it was not sent, or its "
                          "reader took it at once");
        break;
    }
    sweep(&errand->parcel);
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

static bool is_array(const struct errand *errand)
{
    return errand->parcel.source->format->keeping == KEEP_ARRAY;
}

/* Its reader has it: a decision was delivered then, whoever died before the ledger was told. */
static void settle_taken(struct errand *errand)
{
    const struct decision_record *decision;
    struct err err;

    if (!is_array(errand)) {
        errand_done(errand, SENT_THERE, &err);
        return;
    }
    decision = errand->entry->state == OUTBOX_WRITTEN ? errand_decision(errand) : NULL;
    if (decision && (decision->state == DECISION_UNKNOWN || decision->state == DECISION_DELIVERED))
        decided_add(decision, LEDGER_VERIFIED, DECIDED_TAKEN, (struct span){0});
    errand_done(errand, SENT_TAKEN, &err);
}

/* Of a decision the ledger is told, too. */
static void settle_lost(struct errand *errand, const char *problem)
{
    const struct decision_record *decision = errand_decision(errand);

    if (decision) {
        struct err err;
        if (!state_unmark_answered(errand->state, errand->entry, &err))
            log_add(errand->log, "outbox: %s", err.text);
        decided_add(decision, LEDGER_LOST, "another program has overwritten it", (struct span){0});
        problem = "your decision was overwritten by another program; look at the request again";
    }
    errand_settle(errand, OUTBOX_LOST, 0, problem);
}

/* Written again after two looks have found it so; a decision never, as the request may have changed
 * since, nor what its sender has long forgotten. */
static void settle_overwritten(struct errand *errand)
{
    const struct format *format = errand->parcel.source->format;
    bool late = is_late(errand);
    struct err err;

    if (!is_array(errand) && late) { /* a slot with another message was emptied */
        errand_done(errand, SENT_THERE, &err);
    } else if (is_array(errand) && (late || errand_decision(errand))) {
        settle_lost(errand, "another program has overwritten it; it is not written again so late "
                            "by itself");
    } else if (errand->entry->attempts >= outbox_rewrites(format)) {
        errand_settle(errand, OUTBOX_LOST, 0, outbox_vanished(format));
    } else {
        errand->entry->attempts++;
        log_add(errand->log, "%s was overwritten: writing it again", str_c(&errand->parcel.id));
        errand_write_again(errand, &err);
    }
}

/* Late there is no use in a second look. */
static void settle_suspect(struct errand *errand)
{
    if (is_late(errand))
        settle_overwritten(errand);
    else
        errand_settle(errand, OUTBOX_WRITTEN, when_now() + OUTBOX_SUSPECT_US, "");
}

static void look_again(struct errand *errand)
{
    enum parcel_seen seen = outbox_look(errand->state, &errand->parcel, errand->log);
    struct err err;

    /* what happens to the file after ours was taken is no evidence */
    if (errand->entry->state == OUTBOX_TAKEN && seen != PARCEL_THERE)
        seen = PARCEL_TAKEN;
    switch (seen) {
    case PARCEL_THERE:
        errand_done(errand, SENT_THERE, &err);
        break;
    case PARCEL_TAKEN:
        settle_taken(errand);
        break;
    case PARCEL_GONE:
        errand_settle(errand, OUTBOX_UNCONFIRMED, 0, outbox_unconfirmed);
        break;
    case PARCEL_UNSURE:
        errand_settle(errand, OUTBOX_WRITTEN, when_now() + OUTBOX_SOON_US, "");
        break;
    case PARCEL_SUSPECT:
        settle_suspect(errand);
        break;
    case PARCEL_MISSING: /* never told by outbox_look() */
    case PARCEL_OVERWRITTEN:
        settle_overwritten(errand);
        break;
    }
}

/* The whole mailbox has gone since. */
static void settle_without_source(struct errand *errand, const char *problem)
{
    const struct format *format = format_find(errand->entry->format);
    bool array = format && format->keeping == KEEP_ARRAY;
    struct err err;

    switch (errand->entry->state) {
    case OUTBOX_TAKEN:
        errand_done(errand, SENT_TAKEN, &err);
        break;
    case OUTBOX_WRITTEN:
        if (array)
            errand_settle(errand, OUTBOX_UNCONFIRMED, 0, outbox_unconfirmed);
        else
            errand_done(errand, SENT_THERE, &err);
        break;
    case OUTBOX_RECORDED:
    case OUTBOX_QUEUED:
    case OUTBOX_LOST:
    case OUTBOX_FAILED:
    case OUTBOX_UNCONFIRMED:
        errand_settle(errand, OUTBOX_FAILED, 0, problem);
        break;
    }
}

static void work_on(struct state *state, struct log *log, struct outbox_entry *entry)
{
    struct errand errand = {.state = state, .log = log, .entry = entry, .parcel = {.dir = -1}};
    struct source source;
    struct err err;

    if (!errand_open_source(entry, &source, &err)) {
        str_add_span(&errand.parcel.id, entry->id);
        settle_without_source(&errand, err.text);
    } else {
        parcel_restore(&errand.parcel, &source, entry);
        errand.parcel.wait_ms = ERRAND_WAIT_MS;
        if (entry->state == OUTBOX_RECORDED)
            resolve_interrupted(&errand);
        else if (entry->state == OUTBOX_WRITTEN || entry->state == OUTBOX_TAKEN)
            look_again(&errand);
        else
            errand_write_again(&errand, &err);
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
    if (errand_open_source(entry, &source, &ignored)) {
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
    int64_t pause_us = entry->state == OUTBOX_QUEUED ? SLOT_US : OUTBOX_LATER_US;

    if (outbox_is_stuck(entry->state))
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
        first_us = now_us + OUTBOX_LATER_US;
    }
    for (size_t i = 0; i < all.count; i++)
        when_take_sooner(&first_us, next_us(&all.items[i], now_us));
    outbox_free(&all);
    return first_us;
}
