/* The library: sending messages, and their receipts. */
#include "base/mem.h"
#include "lib/handle.h"

#include <stdlib.h>

/* A checked draft, as an outgoing message. Borrows from the caller's draft. */
struct lib_draft {
    struct outgoing_message letter;
    struct send_options how;
    bool preview;
};

/* Checking a draft. */

enum {
    SEND_FLAGS = SWARMUTT_CREATE | SWARMUTT_VERIFY_TWICE | SWARMUTT_VERIFY_NEVER | SWARMUTT_PREVIEW,
};

#define LASTS_MAX_S UINT64_C(100000000000) /* some thousand years: more cannot be represented */

/* Adds an array of texts from a caller. */
static bool lib_add_texts(struct span_list *list, const char *const *texts, size_t count,
                          const char *what, struct swarmutt_error *error)
{
    if (count && !texts)
        return lib_misused(error, "texts were counted and not given");
    for (size_t i = 0; i < count; i++) {
        if (!texts[i])
            return lib_misused(error, "a text in a list is NULL");
        if (!lib_check_text(texts[i], what, error))
            return false;
        span_list_add(list, span_of(texts[i]));
    }
    return true;
}

/* The texts of a draft and the members they are copied to. */
static const struct draft_text {
    const char *name;
    size_t from, to;
} draft_texts[] = {
#define TEXT(member) offsetof(struct swarmutt_draft, member), offsetof(struct draft, member)
    {"recipient", TEXT(to)},    {"sender", TEXT(from)},   {"subject", TEXT(subject)},
    {"body", TEXT(body)},       {"type", TEXT(type)},     {"payload", TEXT(payload)},
    {"context", TEXT(context)}, {"thread", TEXT(thread)}, {"answered id", TEXT(reply_to)},
    {"swarm", TEXT(swarm)},
#undef TEXT
};

static bool take_texts(const struct swarmutt_draft *given, struct draft *draft,
                       struct swarmutt_error *error)
{
    for (size_t i = 0; i < sizeof draft_texts / sizeof *draft_texts; i++) {
        const struct draft_text *row = &draft_texts[i];
        const char *text;
        memcpy(&text, (const char *)given + row->from, sizeof text);
        if (!lib_check_text(text, row->name, error))
            return false;
        *(struct span *)(void *)((char *)draft + row->to) = span_of(text);
    }
    return lib_add_texts(&draft->tags, given->tags, given->tag_count, "tag", error) &&
           lib_add_texts(&draft->attachments, given->attachments, given->attachment_count,
                         "attachment", error);
}

static bool take_values(const struct swarmutt *mail, const struct swarmutt_draft *given,
                        struct lib_draft *taken, struct swarmutt_error *error)
{
    struct draft *draft = &taken->letter.draft;

    if (!lib_check_flags(given->flags, SEND_FLAGS, error))
        return false;
    if (given->flags & SWARMUTT_VERIFY_TWICE && given->flags & SWARMUTT_VERIFY_NEVER)
        return lib_misused(error, "to verify twice and never exclude each other");
    if (given->priority < 0 || given->priority > SWARMUTT_URGENT)
        return lib_misused(error, "a priority was given that is not known");
    if (given->source > store_source_count(mail->store))
        return lib_misused(error, "a source was given that is not open");
    if (given->lasts_s > LASTS_MAX_S)
        return lib_misused(error, "the message would last for too long");
    if (given->priority)
        draft->priority = (enum priority)given->priority;
    if (given->lasts_s)
        draft->expires_us = time_now() + (int64_t)given->lasts_s * 1000000;
    draft->requires_response = given->requires_response;
    taken->preview = given->flags & SWARMUTT_PREVIEW;
    taken->how =
        (struct send_options){.create = given->flags & SWARMUTT_CREATE,
                              .verify = given->flags & SWARMUTT_VERIFY_TWICE   ? VERIFY_BOTH
                                        : given->flags & SWARMUTT_VERIFY_NEVER ? VERIFY_NONE
                                                                               : VERIFY_FIRST,
                              .source = given->source ? (uint32_t)(given->source - 1) : STORE_ANY};
    return true;
}

/* Checks and copies a draft. Returns false with the error. The caller frees `taken` in any case. */
static bool lib_draft_take(struct lib_draft *taken, const struct swarmutt *mail,
                           const struct swarmutt_draft *draft, struct swarmutt_error *error)
{
    struct swarmutt_draft given;
    struct err err = {0};

    lib_begin(error);
    *taken = (struct lib_draft){.letter.draft = draft_new()};
    if (!mail || !draft)
        return lib_misused(error, "a handle and a draft are needed");
    if (!lib_take(&given, sizeof given, draft, error) || !take_values(mail, &given, taken, error) ||
        !take_texts(&given, &taken->letter.draft, error))
        return false;
    return (draft_read_object("the payload", &taken->letter.draft.payload, &err) &&
            draft_read_object("the context", &taken->letter.draft.context, &err)) ||
           lib_fail(error, &err);
}

static void lib_draft_free(struct lib_draft *taken)
{
    outgoing_message_free(&taken->letter);
}

/* Refuses a draft in which one of these texts is absent; the names are for the error. */
static bool lib_draft_needs(const struct span *texts, const char *const *names, size_t count,
                            struct swarmutt_error *error)
{
    struct err err;

    for (size_t i = 0; i < count; i++) {
        if (texts[i].at)
            continue;
        err_set(&err, ERR_USAGE, "the %s is missing", names[i]);
        return lib_fail(error, &err);
    }
    return true;
}

/* Receipts with everything that they borrow from; the caller sees the first member. */
struct lib_sent {
    struct swarmutt_sent shown;
    struct arena arena;
    struct swarmutt_receipt *receipts;
    struct swarmutt_left_out *left_out;
};

void swarmutt_sent_free(struct swarmutt_sent *shown)
{
    struct lib_sent *sent = (struct lib_sent *)shown;

    if (!sent)
        return;
    arena_free(&sent->arena);
    free(sent->receipts);
    free(sent->left_out);
    free(sent);
}

static const char *copy_warning(struct lib_sent *sent, const struct str *warning)
{
    return warning->len ? arena_copy(&sent->arena, str_span(warning)).at : NULL;
}

static void write_receipt(struct lib_sent *sent, struct swarmutt_receipt *receipt,
                          const struct outgoing_message *letter, uint32_t source)
{
    *receipt = (struct swarmutt_receipt){.id = lib_text(&sent->arena, str_span(&letter->id)),
                                         .from = lib_text(&sent->arena, letter->draft.from),
                                         .to = lib_text(&sent->arena, letter->draft.to),
                                         .source = source,
                                         .warning = copy_warning(sent, &letter->warning)};
    receipt->fate = (letter->delivered ? SWARMUTT_DELIVERED : 0) |
                    (letter->seen ? SWARMUTT_VERIFIED : 0) | (letter->taken ? SWARMUTT_TAKEN : 0) |
                    (letter->queued ? SWARMUTT_QUEUED : 0);
}

static void write_preview(struct lib_sent *sent, struct swarmutt_receipt *receipt,
                          const struct preview *preview)
{
    *receipt =
        (struct swarmutt_receipt){.id = lib_text(&sent->arena, str_span(&preview->id)),
                                  .from = lib_text(&sent->arena, str_span(&preview->from)),
                                  .to = lib_text(&sent->arena, str_span(&preview->to)),
                                  .source = preview->source,
                                  .warning = copy_warning(sent, &preview->warning),
                                  .path = lib_text(&sent->arena, str_span(&preview->path)),
                                  .bytes = lib_text(&sent->arena, str_span(&preview->bytes))};
    receipt->fate = SWARMUTT_PREVIEWED | (preview->queued ? SWARMUTT_QUEUED : 0) |
                    (preview->makes_box ? SWARMUTT_NEW_BOX : 0) |
                    (preview->is_entry ? SWARMUTT_ENTRY : 0);
}

static struct lib_sent *new_sent(size_t count)
{
    struct lib_sent *sent = mem_zero(1, sizeof *sent);
    const struct swarmutt_receipt **receipts =
        arena_alloc(&sent->arena, (count + 1) * sizeof *receipts);

    sent->receipts = mem_zero(count, sizeof *sent->receipts);
    for (size_t i = 0; i < count; i++)
        receipts[i] = &sent->receipts[i];
    sent->shown.receipts = receipts;
    return sent;
}

/* Gives receipts to a caller who wants them; frees them otherwise, and if there are none. */
static void give_receipt(struct lib_sent *sent, struct swarmutt_sent **wanted)
{
    if (wanted && sent && sent->shown.count)
        *wanted = &sent->shown;
    else if (sent)
        swarmutt_sent_free(&sent->shown);
}

/* Sends or previews one message. Returns its receipts, which may be none. */
static struct lib_sent *send_letter(struct swarmutt *mail, struct lib_draft *taken, bool *ok,
                                    struct err *err)
{
    struct lib_sent *sent = new_sent(1);
    CLEANUP(preview_free) struct preview preview = {0};
    struct outgoing_message *letter = &taken->letter;

    if (taken->preview)
        *ok = store_preview(mail->store, letter, &taken->how, &preview, err);
    else
        *ok = store_send(mail->store, letter, &taken->how, err);
    if (taken->preview && *ok)
        write_preview(sent, &sent->receipts[0], &preview);
    else if (!taken->preview)
        write_receipt(sent, &sent->receipts[0], letter, letter->source);
    sent->shown.count = taken->preview ? *ok : letter->delivered || letter->queued;
    return sent;
}

/* The end of all functions that send one message. */
static bool send_one(struct swarmutt *mail, struct lib_draft *taken, struct swarmutt_sent **sent,
                     struct swarmutt_error *error)
{
    struct err err = {0};
    bool ok;

    give_receipt(send_letter(mail, taken, &ok, &err), sent);
    return ok || lib_fail(error, &err);
}

static bool send_new(struct swarmutt *mail, struct lib_draft *taken, struct swarmutt_sent **sent,
                     struct swarmutt_error *error)
{
    static const char *const names[] = {"recipient", "subject"};
    struct draft *draft = &taken->letter.draft;
    struct span texts[] = {draft->to, draft->subject};
    CLEANUP(model_free) struct model model = {0};
    struct err err = {0};
    bool found;

    return lib_draft_needs(texts, names, 2, error) &&
           (store_join_thread(mail->store, draft, &model, &found, &err) || lib_fail(error, &err)) &&
           send_one(mail, taken, sent, error);
}

bool swarmutt_send(struct swarmutt *mail, const struct swarmutt_draft *draft,
                   struct swarmutt_sent **sent, struct swarmutt_error *error)
{
    CLEANUP(lib_draft_free) struct lib_draft taken = {0};

    if (sent)
        *sent = NULL;
    return lib_draft_take(&taken, mail, draft, error) && send_new(mail, &taken, sent, error);
}

/* Checks and copies a handoff. The required texts are first in `names`. */
static bool take_handoff(const struct swarmutt_handoff *given, struct handoff *handoff,
                         struct swarmutt_error *error)
{
    static const char *const names[] = {
        "work that was done", "state of the work", "state file", "job", "note", "additional note"};
    const char *const texts[] = {given->done, given->state, given->state_file,
                                 given->job,  given->notes, given->additional_notes};
    struct span needed[] = {span_of(given->done), span_of(given->state)};

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (!lib_check_text(texts[i], names[i], error))
            return false;
    handoff->work_completed = needed[0];
    handoff->current_state = needed[1];
    handoff->state_file = span_of(given->state_file);
    handoff->job_id = span_of(given->job);
    handoff->notes = span_of(given->notes);
    handoff->additional_notes = span_of(given->additional_notes);
    return lib_draft_needs(needed, names, 2, error) &&
           lib_add_texts(&handoff->next_steps, given->next_steps, given->next_step_count,
                         "next step", error) &&
           lib_add_texts(&handoff->blockers, given->blockers, given->blocker_count, "blocker",
                         error) &&
           lib_add_texts(&handoff->files_modified, given->files_modified,
                         given->file_modified_count, "name of a file", error) &&
           lib_add_texts(&handoff->files_created, given->files_created, given->file_created_count,
                         "name of a file", error) &&
           lib_add_texts(&handoff->dependencies, given->dependencies, given->dependency_count,
                         "dependency", error) &&
           lib_add_texts(&handoff->related_escalations, given->escalations, given->escalation_count,
                         "escalation", error);
}

bool swarmutt_handoff(struct swarmutt *mail, const struct swarmutt_draft *draft,
                      const struct swarmutt_handoff *handoff, struct swarmutt_sent **sent,
                      struct swarmutt_error *error)
{
    struct swarmutt_handoff given;
    CLEANUP(handoff_free) struct handoff made = {0};
    CLEANUP(lib_draft_free) struct lib_draft taken = {0};

    if (sent)
        *sent = NULL;
    if (!lib_draft_take(&taken, mail, draft, error) ||
        !(handoff || lib_misused(error, "a handoff is needed")) ||
        !lib_take(&given, sizeof given, handoff, error) || !take_handoff(&given, &made, error))
        return false;
    taken.letter.draft.handoff = &made;
    return send_new(mail, &taken, sent, error);
}

static bool send_answer(struct swarmutt *mail, const struct lib_message *here,
                        struct lib_draft *taken, struct swarmutt_sent **sent, struct err *err)
{
    struct draft *draft = &taken->letter.draft;
    struct span from = draft->from;
    CLEANUP(arena_free) struct arena arena = {0};
    CLEANUP(batch_free) struct batch batch = {0};
    struct message *original = store_fetch(mail->store, here->head, &batch, err);
    bool ok, archived = false;

    if (!original || !store_prepare_reply(mail->store, original, draft, &arena, err))
        return false;
    struct send_options how = store_answer_options(original);
    how.verify = taken->how.verify;
    taken->how = how;
    draft->from = from;
    struct lib_sent *receipts = send_letter(mail, taken, &ok, err);
    ok = ok &&
         (taken->preview || store_end_by_answer(mail->store, here->head, from, &archived, err));
    if (archived)
        receipts->receipts[0].fate |= SWARMUTT_PUT_AWAY;
    give_receipt(receipts, sent);
    return ok;
}

bool swarmutt_reply(struct swarmutt *mail, const struct swarmutt_message *message,
                    const struct swarmutt_draft *draft, struct swarmutt_sent **sent,
                    struct swarmutt_error *error)
{
    static const char *const names[] = {"body"};
    CLEANUP(lib_draft_free) struct lib_draft taken = {0};
    struct err err = {0};

    if (sent)
        *sent = NULL;
    bool ok = lib_draft_take(&taken, mail, draft, error);
    const struct lib_message *here = ok ? lib_message(mail, message, error) : NULL;
    return here && lib_draft_needs(&taken.letter.draft.body, names, 1, error) &&
           (send_answer(mail, here, &taken, sent, &err) || lib_fail(error, &err));
}

static void write_left_out(struct lib_sent *sent, const struct broadcast *result)
{
    const struct swarmutt_left_out **rows =
        arena_alloc(&sent->arena, (result->left_out_count + 1) * sizeof *rows);
    struct swarmutt_text *reached =
        arena_alloc(&sent->arena, (result->reached.count + 1) * sizeof *reached);

    sent->left_out = mem_zero(result->left_out_count, sizeof *sent->left_out);
    for (size_t i = 0; i < result->left_out_count; i++) {
        sent->left_out[i].name = lib_text(&sent->arena, result->left_out[i].name);
        sent->left_out[i].why = arena_strdup(&sent->arena, result->left_out[i].why);
        rows[i] = &sent->left_out[i];
    }
    for (size_t i = 0; i < result->reached.count; i++)
        reached[i] = lib_text(&sent->arena, result->reached.items[i]);
    sent->shown.left_out = rows;
    sent->shown.left_out_count = result->left_out_count;
    sent->shown.reached = reached;
    sent->shown.reached_count = result->reached.count;
}

/* Plans the broadcast, then sends it as planned. */
static bool send_broadcast(struct swarmutt *mail, const struct lib_draft *taken, struct span swarm,
                           const struct span_list *exclude, struct swarmutt_sent **sent,
                           struct err *err)
{
    CLEANUP(broadcast_free) struct broadcast plan = {0};

    if (!store_preview_broadcast(mail->store, &taken->letter.draft, taken->how.source, swarm,
                                 exclude, &plan, err))
        return false;
    struct lib_sent *receipts = new_sent(plan.count);
    bool ok = taken->preview || store_broadcast_plan(mail->store, &plan, taken->how.verify, err);
    for (size_t i = 0; i < plan.count; i++) {
        const struct outgoing_message *letter = &plan.letters[i];
        struct swarmutt_receipt *receipt = &receipts->receipts[receipts->shown.count];
        if (taken->preview)
            write_preview(receipts, receipt, &plan.previews[i]);
        else
            write_receipt(receipts, receipt, letter, plan.source);
        receipts->shown.count += taken->preview || letter->delivered || letter->queued;
    }
    write_left_out(receipts, &plan);
    give_receipt(receipts, sent);
    return ok;
}

bool swarmutt_broadcast(struct swarmutt *mail, const struct swarmutt_draft *draft,
                        const char *swarm, const char *const *exclude, size_t exclude_count,
                        struct swarmutt_sent **sent, struct swarmutt_error *error)
{
    static const char *const names[] = {"subject", "body"};
    CLEANUP(span_list_free) struct span_list without = {0};
    CLEANUP(lib_draft_free) struct lib_draft taken = {0};
    struct err err = {0};

    if (sent)
        *sent = NULL;
    if (!lib_draft_take(&taken, mail, draft, error) ||
        !lib_check_text(swarm, "name of the swarm", error) ||
        !lib_add_texts(&without, exclude, exclude_count, "name of an agent", error))
        return false;
    struct span texts[] = {taken.letter.draft.subject, taken.letter.draft.body};
    return lib_draft_needs(texts, names, 2, error) &&
           (send_broadcast(mail, &taken, span_of(swarm), &without, sent, &err) ||
            lib_fail(error, &err));
}
