/* What was decided, afterwards: decisions that were interrupted, and what they led to. */
#include "store/decide/decided.h"

#include "base/process.h"
#include "mail/protocol/decision.h"
#include "store/decide/decide.h"
#include "store/store_private.h"

/* So long a reaction is waited for. */
#define REACTION_US (INT64_C(7) * 86400 * 1000000)

/* After so long no process is still at it, whoever has its number now. */
#define SURELY_OVER_US (INT64_C(10) * 60 * 1000000)

const struct decision_record *decided_find(const struct ledger *ledger,
                                           const struct outbox_entry *entry)
{
    for (size_t i = ledger->decision_count; i-- > 0;) {
        const struct decision_record *record = &ledger->decisions[i];
        const struct ledger_entry *whole = &record->whole;
        if (span_eq(whole->answer.message, entry->id) && span_eq(whole->format, entry->format) &&
            span_eq(whole->root, entry->root) && span_eq(whole->team, entry->team))
            return record;
    }
    return NULL;
}

void decided_add(const struct decision_record *record, enum ledger_event event, const char *note,
                 struct span seen_in)
{
    struct ledger_entry line = {.event = event,
                                .decision = record->whole.decision,
                                .verb = record->whole.verb,
                                .kind = record->whole.kind,
                                .agent = record->whole.agent,
                                .note = span_of(note),
                                .seen_in = seen_in};
    struct err ignored;

    ledger_append(&line, &ignored);
}

/* --- interrupted --- */

static bool is_over(const struct decision_record *record)
{
    int64_t since_us = record->first->at_us;

    return (since_us != WHEN_NONE && when_now() - since_us > SURELY_OVER_US) ||
           process_has_ended((pid_t)record->first->pid);
}

/* The entry of its answer, or NULL. */
static const struct outbox_entry *find_in_outbox(const struct outbox *outbox,
                                                 const struct decision_record *record)
{
    for (size_t i = 0; i < outbox->count; i++)
        if (span_eq(outbox->items[i].id, record->whole.answer.message))
            return &outbox->items[i];
    return NULL;
}

static bool was_sent(const struct sent_list *sent, const struct decision_record *record)
{
    const struct ledger_entry *whole = &record->whole;

    for (size_t i = 0; i < sent->count; i++)
        if (span_eq(sent->items[i].id, whole->answer.message) &&
            span_eq(sent->items[i].root, whole->root))
            return true;
    return false;
}

/* Finds out what became of decisions whose process ended in the middle, and reads the ledger again
 * where it did. Nothing is written to a mailbox before it is in the outbox, which notes that it was
 * written. From there it goes to the list of what was sent: what is in neither was not sent. */
static void settle(struct ledger *ledger, struct state *state)
{
    struct outbox outbox = {0};
    struct sent_list sent = {0};
    struct err ignored;
    bool known =
        state && outbox_list(state, &outbox, &ignored) && sent_read(state, &sent, &ignored);
    bool added = false;

    for (size_t i = 0; known && i < ledger->decision_count; i++) {
        const struct decision_record *record = &ledger->decisions[i];
        const struct outbox_entry *entry = find_in_outbox(&outbox, record);
        bool written = entry && (entry->state == OUTBOX_WRITTEN || entry->state == OUTBOX_TAKEN);
        if (record->state != DECISION_UNKNOWN || !is_over(record) || (entry && !written))
            continue;
        if (written || was_sent(&sent, record))
            decided_add(record, LEDGER_DELIVERED, "found to be sent after an interruption",
                        (struct span){0});
        else
            decided_add(record, LEDGER_FAILED,
                        "interrupted before anything was written; the request still waits",
                        (struct span){0});
        added = true;
    }
    outbox_free(&outbox);
    sent_list_free(&sent);
    if (added)
        ledger_read(ledger, &ignored);
}

/* --- effects --- */

static const struct source *source_of(const struct ledger_entry *entry,
                                      const struct source *sources, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (source_is(&sources[i], entry->format, entry->root))
            return &sources[i];
    return NULL;
}

/* What was sent, and whether the agent can be known not to have looked at it yet. */
static struct decision_sent sent_of(const struct model *model, uint32_t source,
                                    const struct decision_record *record)
{
    const struct ledger_entry *whole = &record->whole;
    struct decision_sent sent = {.agent = whole->agent,
                                 .team = whole->team,
                                 .answer = whole->answer.message,
                                 .request = whole->request.id,
                                 .sent_us = record->sent->at_us,
                                 .now_us = when_now(),
                                 .noticed = true};

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (message->place->source == source && span_eq(message->id, sent.answer))
            sent.noticed = !message_left_unread(message);
    }
    return sent;
}

/* The first thing that shows that the agent has it. */
static const struct message *find_reaction(const struct model *model, uint32_t source,
                                           const struct decision_sent *sent)
{
    const struct message *first = NULL;

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (message->place->source == source && decision_is_reaction(message, sent) &&
            (!first || message_cmp_time(message, first) < 0))
            first = message;
    }
    return first;
}

/* The first message of an agent after what was decided about it. */
static void see_effects(struct ledger *ledger, const struct model *model,
                        const struct source *sources, size_t source_count)
{
    struct err ignored;
    bool added = false;

    for (size_t i = 0; i < ledger->decision_count; i++) {
        const struct decision_record *record = &ledger->decisions[i];
        const struct source *source = source_of(&record->whole, sources, source_count);
        if (!source || !record->sent || record->effect || record->state == DECISION_LOST ||
            record->sent->at_us == WHEN_NONE || when_now() - record->sent->at_us > REACTION_US)
            continue;
        struct decision_sent sent = sent_of(model, source->index, record);
        const struct message *reaction = find_reaction(model, source->index, &sent);
        if (!reaction)
            continue;
        struct str text = {0};
        decision_add_reaction(&text, reaction, &sent);
        decided_add(record, LEDGER_EFFECT, str_c(&text), reaction->id);
        str_free(&text);
        added = true;
    }
    if (added)
        ledger_read(ledger, &ignored);
}

/* --- through the store --- */

struct settle_job {
    struct job job;
    const struct model *model;
    const char *decision_name; /* only this one, seen in `message`, as the note says; or NULL */
    struct span message;
    const char *note;
};

static void note_one(struct ledger *ledger, const struct settle_job *job)
{
    for (size_t i = 0; i < ledger->decision_count; i++) {
        const struct decision_record *record = &ledger->decisions[i];
        if (span_is(record->whole.decision, job->decision_name) && !record->effect)
            decided_add(record, LEDGER_EFFECT, job->note, job->message);
    }
}

static bool run_settle(struct job *base, struct store *store, struct err *err)
{
    struct settle_job *job = (struct settle_job *)base;
    struct ledger ledger = {0};
    bool ok = ledger_read(&ledger, err);

    if (ok && job->decision_name) {
        note_one(&ledger, job);
    } else if (ok && ledger.decision_count) {
        settle(&ledger, store_state(store, false, err));
        if (job->model)
            see_effects(&ledger, job->model, store->sources, store->source_count);
    }
    ledger_free(&ledger);
    return ok;
}

void store_settle_decisions(struct store *store, const struct model *model)
{
    struct settle_job job = {.job.run = run_settle, .model = model};
    struct err ignored;

    if (!store->readonly)
        store_run(store, &job.job, NULL, &ignored);
}

void store_note_effect(struct store *store, const char *decision_name, struct span message,
                       const char *note)
{
    struct settle_job job = {
        .job.run = run_settle, .decision_name = decision_name, .message = message, .note = note};
    struct err ignored;

    if (!store->readonly)
        store_run(store, &job.job, NULL, &ignored);
}
