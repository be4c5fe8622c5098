/* The trail of a decision: its lines, interrupted decisions, and the reactions of agents. */
#include "store/decide/decision_trail.h"

#include "base/text/utf8.h"
#include "base/thread.h"
#include "mail/protocol/decision.h"
#include "mail/thread/request.h"
#include "store/decide/decide.h"
#include "store/decide/lead_command_send.h"
#include "store/store_private.h"

/* The lines of one decision. */

/* The length of the question as the person saw it. Longer texts are cut: the sum covers all
 * bytes. */
enum { ASKED_CHARACTERS = 16 << 10 };

static void add_requested(struct str *out, const struct request_snapshot *request)
{
    const struct message_data *data = request->message->data;

    request_add_text(out, request->message);
    if (!request_is_native(request) && data && span_trim(data->body).len) {
        str_puts(out, "\n\n");
        str_add_span(out, span_trim(data->body));
    }
    struct span kept = utf8_start(str_span(out), ASKED_CHARACTERS);
    if (kept.len < out->len) {
        out->len = kept.len;
        str_puts(out, "\n[cut here; the sum is of all of it]");
    }
}

void decision_trail_open(struct decided_trail *trail, const struct source *source,
                         const struct request_snapshot *request, const struct deciding *deciding)
{
    const struct message *message = request->message;
    const struct decision_terms *terms = &deciding->terms;
    struct ledger_entry *entry = &trail->entry;

    *trail = (struct decided_trail){0};
    ledger_new_decision(trail->decision);
    add_requested(&trail->asked, request);
    message_add_path(&trail->file, message, false);
    if (terms->for_session || terms->suggested_count || terms->input.at) {
        struct decision_terms rules = *terms;
        rules.mode = rules.reason = (struct span){0};
        decision_add_terms(&trail->terms, deciding->decision, &rules);
    }
    *entry = (struct ledger_entry){
        .decision = span_of(trail->decision),
        .verb = span_of(decisions[deciding->decision].name),
        .kind = span_of(kind_name(message->kind)),
        .by = span_of(source->identity),
        .format = span_of(source->format->name),
        .root = span_of(source->path),
        .team = message->place->team,
        .agent = deciding->letter.draft.to,
        .request = {.message = message->id,
                    .id = deciding->native ? message->thread : (struct span){0},
                    .file = str_span(&trail->file),
                    .sha256 = span_of(request->sha256),
                    .asked = str_span(&trail->asked),
                    .at = (int64_t)request->at,
                    .len = (int64_t)request->raw.len},
        .terms = {
            .mode = terms->mode, .feedback = terms->reason, .rules = str_span(&trail->terms)}};
    if (deciding->decision == DECISION_APPROVE && !terms->mode.at && deciding->native)
        entry->terms.mode = span_of("default");
    str_add_span(&trail->text,
                 deciding->native ? deciding->letter.draft.protocol : deciding->letter.draft.body);
}

void decision_trail_open_lead(struct decided_trail *trail, const struct source *source,
                              const struct order_note *note, struct span text)
{
    *trail = (struct decided_trail){0};
    ledger_new_decision(trail->decision);
    trail->entry = (struct ledger_entry){.decision = span_of(trail->decision),
                                         .verb = span_of(note->verb),
                                         .kind = span_of(kind_name(note->kind)),
                                         .by = span_of(source->identity),
                                         .format = span_of(source->format->name),
                                         .root = span_of(source->path),
                                         .team = note->team,
                                         .agent = note->agent,
                                         .request = {.id = note->id}};
    struct ledger_terms *terms = &trail->entry.terms;
    *(note->kind == KIND_SHUTDOWN ? &terms->feedback
      : note->kind == KIND_MODE   ? &terms->mode
                                  : &terms->rules) = note->terms;
    str_add_span(&trail->text, text);
}

void decision_trail_close(struct decided_trail *trail)
{
    str_free(&trail->asked);
    str_free(&trail->terms);
    str_free(&trail->text);
    str_free(&trail->file);
    arena_free(&trail->arena);
}

static void set_answer(struct decided_trail *trail, const struct outgoing_file *outgoing)
{
    struct ledger_answer *answer = &trail->entry.answer;
    CLEANUP(str_free) struct str file = {0};

    str_addf(&file, "%s%s%s", str_c(&outgoing->path), outgoing->path.len ? "/" : "",
             str_c(&outgoing->name));
    answer->message = arena_copy(&trail->arena, str_span(&outgoing->id));
    answer->file = arena_copy(&trail->arena, str_span(&file));
}

bool decision_trail_intend(struct decided_trail *trail, const struct outgoing_file *outgoing,
                           struct err *err)
{
    set_answer(trail, outgoing);
    trail->entry.answer.text = str_span(&trail->text);
    trail->entry.event = LEDGER_INTENT;
    trail->intended = ledger_append(&trail->entry, err);
    return trail->intended || err_at(err, "nothing was sent, because it cannot be noted first");
}

void decision_trail_sent(struct decided_trail *trail, const struct outgoing_message *letter,
                         bool ok, const struct err *err)
{
    /* ERR_REFUSED is about the request, and a command has none */
    bool refused = !ok && err->scope == ERR_REFUSED && trail->entry.request.sha256.at;

    if (ok && letter->seen)
        decision_trail_note(trail, LEDGER_VERIFIED, NULL, letter->taken ? DECIDED_TAKEN : NULL);
    else if (!ok && trail->intended && !letter->gone)
        decision_trail_note(trail,
                            letter->delivered ? LEDGER_LOST
                            : refused         ? LEDGER_REFUSED
                                              : LEDGER_FAILED,
                            NULL, err->text);
}

void decision_trail_note(struct decided_trail *trail, enum ledger_event event,
                         const struct outgoing_file *outgoing, const char *note)
{
    struct ledger_entry line = {.event = event,
                                .decision = span_of(trail->decision),
                                .verb = trail->entry.verb,
                                .kind = trail->entry.kind,
                                .agent = trail->entry.agent,
                                .note = note ? span_of(note) : (struct span){0}};

    if (outgoing) {
        set_answer(trail, outgoing);
        line.answer.message = trail->entry.answer.message;
        line.answer.file = trail->entry.answer.file;
    }
    ledger_append(&line, NULL);
}

/* How long to wait for a reaction. */
#define REACTION_US (INT64_C(7) * 86400 * 1000000)

/* The time after which no process is still working on it, whichever process has its number now. */
#define SURELY_OVER_US (INT64_C(10) * 60 * 1000000)

const struct decision_record *decision_trail_find(const struct ledger *ledger,
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

void decision_trail_add(const struct decision_record *record, enum ledger_event event,
                        const char *note, struct span seen_in)
{
    struct ledger_entry line = {.event = event,
                                .decision = record->whole.decision,
                                .verb = record->whole.verb,
                                .kind = record->whole.kind,
                                .agent = record->whole.agent,
                                .note = span_of(note),
                                .seen_in = seen_in};

    ledger_append(&line, NULL);
}

/* Interrupted decisions. */

static bool is_over(const struct decision_record *record)
{
    int64_t since_us = record->first->at_us;

    return (since_us != TIME_NONE && time_now() - since_us > SURELY_OVER_US) ||
           process_has_ended((pid_t)record->first->pid);
}

/* Returns the entry of the decision's answer, or NULL. */
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

/* Finds out what became of decisions whose process ended half way, and reads the ledger again if it
 * did. Nothing is written to a mailbox before it is in the outbox, which notes when it was written.
 * From there it moves to the list of sent messages: what is in neither was not sent. */
static void settle_decision(struct ledger *ledger, struct state *state)
{
    CLEANUP(outbox_free) struct outbox outbox = {0};
    CLEANUP(sent_list_free) struct sent_list sent = {0};
    bool known = state && outbox_list(state, &outbox, NULL) && sent_read(state, &sent, NULL);
    bool added = false;

    for (size_t i = 0; known && i < ledger->decision_count; i++) {
        const struct decision_record *record = &ledger->decisions[i];
        const struct outbox_entry *entry = find_in_outbox(&outbox, record);
        bool written = entry && (entry->state == OUTBOX_WRITTEN || entry->state == OUTBOX_TAKEN);
        if (record->state != DECISION_UNKNOWN || !is_over(record) || (entry && !written))
            continue;
        if (written || was_sent(&sent, record))
            decision_trail_add(record, LEDGER_DELIVERED, "found to be sent after an interruption",
                               (struct span){0});
        else
            decision_trail_add(record, LEDGER_FAILED,
                               "interrupted before anything was written; the request still waits",
                               (struct span){0});
        added = true;
    }
    if (added)
        ledger_read(ledger, NULL);
}

/* Effects. */

static const struct source *source_of(const struct ledger_entry *entry,
                                      const struct source *sources, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (source_is(&sources[i], entry->format, entry->root))
            return &sources[i];
    return NULL;
}

/* Returns what was sent, with `noticed` false if the agent is known not to have read it yet. */
static struct decision_sent sent_of(const struct model *model, uint32_t source,
                                    const struct decision_record *record)
{
    const struct ledger_entry *whole = &record->whole;
    struct decision_sent sent = {.agent = whole->agent,
                                 .team = whole->team,
                                 .answer = whole->answer.message,
                                 .request = whole->request.id,
                                 .sent_us = record->sent->at_us,
                                 .now_us = time_now(),
                                 .noticed = true};

    for (size_t i = 0; i < model->count; i++) {
        const struct message *message = model->messages[i];
        if (message->place->source == source && span_eq(message->id, sent.answer))
            sent.noticed = !message_left_unread(message);
    }
    return sent;
}

/* Returns the earliest message that shows that the agent has the answer, or NULL. */
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

/* Notes the first message of each agent that reacts to a decision. */
static void see_effects(struct ledger *ledger, const struct model *model,
                        const struct source *sources, size_t source_count)
{
    bool added = false;

    for (size_t i = 0; i < ledger->decision_count; i++) {
        const struct decision_record *record = &ledger->decisions[i];
        const struct source *source = source_of(&record->whole, sources, source_count);
        if (!source || !record->sent || record->effect || record->state == DECISION_LOST ||
            record->sent->at_us == TIME_NONE || time_now() - record->sent->at_us > REACTION_US)
            continue;
        struct decision_sent sent = sent_of(model, source->index, record);
        const struct message *reaction = find_reaction(model, source->index, &sent);
        if (!reaction)
            continue;
        CLEANUP(str_free) struct str text = {0};
        decision_add_reaction(&text, reaction, &sent);
        decision_trail_add(record, LEDGER_EFFECT, str_c(&text), reaction->id);
        added = true;
    }
    if (added)
        ledger_read(ledger, NULL);
}

/* Through the store. */

void store_settle_decisions(struct store *store, const struct model *model)
{
    CLEANUP(ledger_free) struct ledger ledger = {0};
    struct err ignored;

    if (store->readonly || !ledger_read(&ledger, &ignored) || !ledger.decision_count)
        return;
    settle_decision(&ledger, store_state(store, false, &ignored));
    if (model)
        see_effects(&ledger, model, store->sources, store->source_count);
}

void store_note_effect(struct store *store, const char *decision_name, struct span message,
                       const char *note)
{
    CLEANUP(ledger_free) struct ledger ledger = {0};
    struct err ignored;

    if (store->readonly || !ledger_read(&ledger, &ignored))
        return;
    for (size_t i = 0; i < ledger.decision_count; i++) {
        const struct decision_record *record = &ledger.decisions[i];
        if (span_is(record->whole.decision, decision_name) && !record->effect)
            decision_trail_add(record, LEDGER_EFFECT, note, message);
    }
}
