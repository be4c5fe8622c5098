/* Deciding: makes the answer, binds it to the request, and follows it into its mailbox. */
#include "store/decide/decide.h"

#include "base/map.h"
#include "store/decide/decision_trail.h"
#include "store/decide/request_snapshot.h"
#include "store/source/address.h"
#include "store/store_private.h"

void deciding_free(struct deciding *deciding)
{
    outgoing_message_free(&deciding->letter);
    str_free(&deciding->note);
    arena_free(&deciding->arena);
}

/* The answer. */

/* Makes the answer for the agent's program. Programs take commands only from the lead, so the
 * answer has the lead's name, whatever our name in other mail. */
static bool answer_program(const struct source *source, struct deciding *it,
                           const struct message *message, const struct protocol *request,
                           struct err *err)
{
    struct draft *draft = &it->letter.draft;
    struct protocol answer;
    CLEANUP(str_free) struct str text = {0};

    draft->created_us = time_now();
    if (!decision_settle(&it->terms, request, &it->arena, err) ||
        !decision_answer(&answer, it->decision, request, &it->terms, draft->created_us, &it->arena,
                         err))
        return false;
    /* the recipient of a shutdown request answers in person */
    bool stops = request->kind == PROTOCOL_SHUTDOWN_REQUEST;
    draft->from = span_of(stops ? source->identity : source->format->identity);
    if (stops)
        answer.from = draft->from;
    if (!protocol_check(&answer, err))
        return false;
    protocol_compose(&text, &answer);
    draft->protocol = arena_copy(&it->arena, str_span(&text));
    /* the writer of the request waits: nobody can answer a worker that it names in another's
     * name */
    draft->to = arena_copy(&it->arena, message->from);
    draft->team = message->place->team;
    return true;
}

static bool answer_words(struct store *store, struct deciding *it, const struct message *message,
                         struct err *err)
{
    const struct source *source = &store->sources[message->place->source];
    struct decision_carrier carrier = {.payload = source->format->fields & FIELD_PAYLOAD,
                                       .type = source->format->fields & FIELD_TYPE};

    str_puts(&it->note, "no program enforces it: it is words for the agent");
    return store_prepare_reply(store, message, &it->letter.draft, &it->arena, err) &&
           decision_say(&it->letter.draft, it->decision, message, &it->terms, carrier, &it->arena,
                        err);
}

static bool make_answer(struct store *store, struct deciding *it, const struct message *message,
                        struct err *err)
{
    struct protocol request;

    it->letter.draft = draft_new();
    it->native = message->data && message->data->protocol.len &&
                 protocol_parse(&request, message->data->protocol, &it->arena) &&
                 protocol_wants_answer(request.kind);
    const struct source *source = &store->sources[message->place->source];
    /* without an id no program would know what is answered: use words, which always work */
    it->native = it->native && request.request_id.len;
    return it->native ? answer_program(source, it, message, &request, err)
                      : answer_words(store, it, message, err);
}

/* Copies the texts that the draft borrows from the request, which is freed earlier. */
static void keep_draft(struct deciding *it)
{
    struct draft *draft = &it->letter.draft;
    struct span *const texts[] = {&draft->to,     &draft->team,     &draft->subject, &draft->type,
                                  &draft->thread, &draft->reply_to, &draft->swarm};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (texts[i]->at)
            *texts[i] = arena_copy(&it->arena, *texts[i]);
}

/* Sending. */

struct decide_job {
    struct store *store;
    struct deciding *it;
    struct preview *preview; /* NULL: send it */
    const struct source *source;
    const struct request_snapshot *request;
    struct decided_trail trail;
    /* The recipient's inbox when it was last searched, and the result in `answered`. */
    bool inspected;
    size_t box_len;
    uint32_t box_hash;
    uint64_t seed;
    struct err answered;
    bool torn; /* under the lock the request's file was half written */
    /* The answer given from here, now or earlier, and the id of its message. */
    enum protocol_verdict verdict;
    struct span answer;
};

static bool note_intent(void *context, const struct outgoing_file *outgoing, struct err *err)
{
    struct decide_job *job = context;

    if (!decision_trail_intend(&job->trail, outgoing, err))
        return false;
    memcpy(job->it->decision_name, job->trail.decision, sizeof job->it->decision_name);
    return true;
}

static void note_written(void *context, const struct outgoing_file *outgoing)
{
    struct decide_job *job = context;

    decision_trail_note(&job->trail, LEDGER_DELIVERED, outgoing, NULL);
}

/* True if the answer has arrived. For a program's answer that was not checked, the inbox of its
 * agent decides instead. */
static bool has_arrived(const struct decision_record *record, bool native)
{
    return record->sent && record->state != DECISION_LOST &&
           !(native && record->state == DECISION_DELIVERED);
}

static enum protocol_verdict verdict_of(enum decision decision)
{
    return decisions[decision].yes ? VERDICT_YES : VERDICT_NO;
}

/* Notes that the request was answered: the agent's program may remove the answer from its inbox,
 * and the request must not wait again then. */
static void note_answered(const struct decide_job *job)
{
    const struct state_key key = local_marks_key(job->source, job->request->message);
    struct err err;
    struct state *state = store_state(job->store, true, &err);

    if (!state || !state_mark_answered(state, &key, span_of(job->source->identity), job->verdict,
                                       job->answer, &err))
        log_add(job->store->log, "decide: %s", err.text);
}

/* True if any process has decided the request from here before. Where answers are files of their
 * own, or were taken, no inbox shows that. */
static bool is_decided(struct decide_job *job, struct err *err)
{
    const struct message *request = job->request->message;
    CLEANUP(ledger_free) struct ledger ledger = {0};
    bool decided = !ledger_read(&ledger, err); /* unknown: better not twice */

    for (size_t i = 0; !decided && i < ledger.decision_count; i++) {
        const struct decision_record *record = &ledger.decisions[i];
        const struct ledger_entry *whole = &record->whole;
        decided = has_arrived(record, job->it->native) &&
                  !span_is(whole->decision, job->trail.decision) &&
                  span_eq(whole->request.message, request->id) &&
                  span_is(whole->request.sha256, job->it->sha256) &&
                  span_is(whole->root, job->source->path) &&
                  span_eq(whole->team, request->place->team);
        if (!decided)
            continue;
        enum decision earlier;
        if (decision_parse(whole->verb, &earlier))
            job->verdict = verdict_of(earlier);
        job->answer = arena_copy(&job->it->arena, whole->answer.message);
        err_set(err, ERR_REFUSED, "it was answered already, from here: %.*s; nothing was sent",
                (int)whole->verb.len, whole->verb.at);
    }
    return decided;
}

/* Searches the inbox for anybody's answer to the request. A large inbox takes time, so this is done
 * before the lock is taken; under the lock it is repeated only if the bytes are others. */
static void inspect_inbox(void *context, struct span box)
{
    struct decide_job *job = context;
    const struct message *request = job->request->message;
    CLEANUP(batch_free) struct batch batch = {0};
    struct err ignored;

    if (job->torn) /* only waits; confirm_request() judges the content */
        request_is_same(job->source, job->it->request, job->it->sha256, true, &ignored);
    job->inspected = true;
    job->box_len = box.len;
    job->box_hash = map_hash(box, job->seed);
    job->answered = (struct err){0};
    if (job->it->native && request->thread.len && box.len &&
        format_parse_bytes(job->source->format, span_of(""), box, WANT_HEAD | WANT_SALVAGE, &batch,
                           &ignored)) {
        for (size_t i = 0; !job->answered.scope && i < batch.count; i++) {
            const struct message *other = &batch.items[i];
            if (other->verdict != VERDICT_UNSAID && span_eq(other->reply_to, request->thread))
                err_set(&job->answered, ERR_REFUSED,
                        "it was answered already: \"%.*s\" said %s; nothing was sent",
                        (int)other->from.len, other->from.at,
                        other->verdict == VERDICT_YES ? "yes" : "no");
        }
    }
    /* the agent's program may have taken our answer out of its inbox */
    if (job->it->native && !job->answered.scope)
        is_decided(job, &job->answered);
}

static bool is_answered(struct decide_job *job, struct span box, struct err *err)
{
    if (!job->inspected || job->box_len != box.len || job->box_hash != map_hash(box, job->seed))
        inspect_inbox(job, box);
    if (job->answered.scope)
        *err = job->answered;
    return job->answered.scope != ERR_NONE;
}

static enum send_answer is_same(struct decide_job *job, struct err *err)
{
    bool locked = job->source->format->storage == STORAGE_ARRAY; /* do not wait under a lock */
    enum send_answer same =
        request_is_untouched(job->source, job->request)
            ? SEND_YES
            : request_is_same(job->source, job->it->request, job->it->sha256, !locked, err);

    job->torn = same == SEND_AGAIN;
    return same;
}

/* The confirm() hook: called under the lock of the box that the answer goes to, and no other
 * lock. */
static enum send_answer confirm_request(void *context, struct span box, struct err *err)
{
    struct decide_job *job = context;
    enum send_answer same = is_same(job, err);

    if (same != SEND_YES)
        return same;
    return is_answered(job, box, err) || (!job->it->native && is_decided(job, err)) ? SEND_NO
                                                                                    : SEND_YES;
}

/* Accompanying changes. */

static void add_note(struct deciding *it, const char *sentence, const char *detail)
{
    str_addf(&it->note, "%s%s%s", it->note.len ? "; " : "", sentence, detail);
}

/* True if the answer has no place for words: the agents' program would drop them. They go in a
 * separate message after the answer. */
static bool needs_letter(const struct deciding *it)
{
    return it->native && it->terms.reason.len && !decisions[it->decision].says;
}

static void send_words(struct decide_job *job, struct store *store)
{
    struct deciding *it = job->it;
    CLEANUP(str_free) struct str subject = {0};
    CLEANUP(outgoing_message_free) struct outgoing_message letter = {.draft = draft_new()};
    struct send_options how = {.source = job->source->index, .verify = VERIFY_NONE};
    struct err err;

    if (job->preview) {
        add_note(it, "what you say with it goes in a message of its own, behind it", "");
        return;
    }
    str_addf(&subject, "%s: ", decisions[it->decision].words);
    str_add_span(&subject, job->request->message->subject);
    letter.draft.from = it->letter.draft.from;
    letter.draft.to = it->letter.draft.to;
    letter.draft.team = it->letter.draft.team;
    letter.draft.subject = str_span(&subject);
    letter.draft.body = it->terms.reason;
    if (store_send(store, &letter, &how, &err))
        add_note(it, "your words went in a message of their own, ", str_c(&letter.id));
    else
        add_note(it, "your words could NOT be sent, say them again: ", err.text);
}

/* Archives the request where answering ends a message. */
static void put_away(struct decide_job *job, struct store *store)
{
    struct deciding *it = job->it;
    struct message copy = *it->request, *head = &copy;
    struct changed outcome;

    if (job->preview || !address_ends_by_answer(job->source, head, span_of(job->source->identity)))
        return;
    store_change(store, &head, 1, STATUS_ARCHIVED, (struct span){0}, &outcome);
    if (!outcome.ok)
        add_note(it, "the request was not archived: ", outcome.err.text);
}

/* The verb. */

static bool check_decision(const struct decide_job *job, struct err *err)
{
    const struct request_snapshot *now = job->request;
    const struct deciding *it = job->it;

    if (!source_is_there(job->source, err))
        return err_at(err, "nothing can be decided");
    if (now->err) {
        *err = *now->err;
        return false;
    }
    if (!now->message->mine)
        return address_refuse(job->source, now->message, err);
    if (strcmp(now->sha256, it->sha256) != 0)
        return err_set(err, ERR_REFUSED,
                       "the request is not what was shown any more (its sha256 is %s now); look at "
                       "it again",
                       now->sha256);
    if (now->decider)
        return err_set(err, ERR_REFUSED, "%s", now->decider);
    if (decisions[it->decision].yes && now->refusal.at)
        return err_set(err, now->refused_unread ? ERR_SOURCE : ERR_REFUSED, "it cannot be %s: %.*s",
                       decisions[it->decision].done, (int)now->refusal.len, now->refusal.at);
    return true;
}

static bool send_answer(struct decide_job *job, struct store *store, struct err *err)
{
    struct deciding *it = job->it;
    struct send_hooks hooks = {.packed = note_intent,
                               .inspect = inspect_inbox,
                               .confirm = confirm_request,
                               .written = note_written,
                               .context = job};
    struct send_options how = {.source = job->source->index,
                               .verify = it->verify,
                               .answers_box = !it->native ? job->request->message->place->box
                                                          : (struct span){0},
                               .hooks = &hooks};

    if (job->preview)
        return store_preview(store, &it->letter, &how, job->preview, err);
    bool ok = store_send(store, &it->letter, &how, err);
    decision_trail_sent(&job->trail, &it->letter, ok, err);
    if (ok && it->letter.delivered) {
        job->verdict = verdict_of(it->decision);
        job->answer = str_span(&it->letter.id);
    }
    if (job->verdict != VERDICT_UNSAID)
        note_answered(job);
    return ok;
}

/* Sends the decision, or only previews it. */
static bool decide(struct store *store, struct deciding *it, struct preview *preview,
                   struct err *err)
{
    struct decide_job work = {.store = store, .it = it, .preview = preview}, *job = &work;
    struct message copy = *it->request, *head = &copy;
    CLEANUP(request_snapshots_free) struct request_snapshots requests = {0};

    job->source = &store->sources[head->place->source];
    job->seed = map_seed();
    requests_read(&requests, store->sources, &head, 1);
    job->request = &requests.items[0];
    bool ok = check_decision(job, err) && make_answer(store, it, job->request->message, err);
    keep_draft(it);
    if (ok) {
        decision_trail_open(&job->trail, job->source, job->request, it);
        ok = send_answer(job, store, err);
        decision_trail_close(&job->trail);
        if (ok && needs_letter(it))
            send_words(job, store);
        if (ok)
            put_away(job, store);
    }
    return ok;
}

bool store_decide(struct store *store, struct deciding *deciding, struct err *err)
{
    return store_may_write(store, err) && decide(store, deciding, NULL, err);
}

bool store_preview_decision(struct store *store, struct deciding *deciding, struct preview *preview,
                            struct err *err)
{
    return decide(store, deciding, preview, err);
}
