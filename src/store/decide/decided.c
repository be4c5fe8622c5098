/* What was decided: the lines of one decision. */
#include "store/decide/decided.h"

#include "base/text/utf8.h"
#include "mail/thread/ask_text.h"
#include "store/decide/decide.h"
#include "store/decide/order.h"

/* What the person saw, whole; more than anybody reads is left to the request's own bytes. */
enum { ASKED_CHARACTERS = 16 << 10 };

static void add_asked(struct str *out, const struct request *request)
{
    const struct message_data *data = request->message->data;

    ask_add_text(out, request->message);
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

void decided_open(struct decided_trail *trail, const struct source *source,
                  const struct request *request, const struct deciding *deciding)
{
    const struct message *message = request->message;
    const struct decision_terms *terms = &deciding->terms;
    struct ledger_entry *entry = &trail->entry;

    *trail = (struct decided_trail){0};
    ledger_new_decision(trail->decision);
    add_asked(&trail->asked, request);
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

void decided_open_order(struct decided_trail *trail, const struct source *source,
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

void decided_close(struct decided_trail *trail)
{
    str_free(&trail->asked);
    str_free(&trail->terms);
    str_free(&trail->text);
    str_free(&trail->file);
    arena_free(&trail->arena);
}

static void set_answer(struct decided_trail *trail, const struct parcel *parcel)
{
    struct ledger_answer *answer = &trail->entry.answer;
    struct str file = {0};

    str_addf(&file, "%s%s%s", str_c(&parcel->path), parcel->path.len ? "/" : "",
             str_c(&parcel->name));
    answer->message = arena_copy(&trail->arena, str_span(&parcel->id));
    answer->file = arena_copy(&trail->arena, str_span(&file));
    str_free(&file);
}

bool decided_intend(struct decided_trail *trail, const struct parcel *parcel, struct err *err)
{
    set_answer(trail, parcel);
    trail->entry.answer.text = str_span(&trail->text);
    trail->entry.event = LEDGER_INTENT;
    trail->intended = ledger_append(&trail->entry, err);
    return trail->intended || err_at(err, "nothing was sent, because it cannot be noted first");
}

void decided_sent(struct decided_trail *trail, const struct letter *letter, bool ok,
                  const struct err *err)
{
    /* it speaks of a request, which an order does not answer */
    bool refused = !ok && err->scope == ERR_REFUSED && trail->entry.request.sha256.at;

    if (ok && letter->seen)
        decided_note(trail, LEDGER_VERIFIED, NULL, letter->taken ? DECIDED_TAKEN : NULL);
    else if (!ok && trail->intended && !letter->gone)
        decided_note(trail,
                     letter->delivered ? LEDGER_LOST
                     : refused         ? LEDGER_REFUSED
                                       : LEDGER_FAILED,
                     NULL, err->text);
}

void decided_note(struct decided_trail *trail, enum ledger_event event, const struct parcel *parcel,
                  const char *note)
{
    struct ledger_entry line = {.event = event,
                                .decision = span_of(trail->decision),
                                .verb = trail->entry.verb,
                                .kind = trail->entry.kind,
                                .agent = trail->entry.agent,
                                .note = note ? span_of(note) : (struct span){0}};
    struct err ignored;

    if (parcel) {
        set_answer(trail, parcel);
        line.answer.message = trail->entry.answer.message;
        line.answer.file = trail->entry.answer.file;
    }
    ledger_append(&line, &ignored);
}
