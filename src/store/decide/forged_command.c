/* Forged commands and answers: recognised by the lead, the ledger, and the list of sent
 * messages. */
#include "store/decide/forged_command.h"

#include "base/io_error.h"
#include "base/mem.h"
#include "mail/protocol/lead_command.h"
#include "mail/protocol/protocol.h"
#include "store/decide/decision_trail.h"
#include "store/source/name_index.h"
#include "store/state/answers.h"
#include "store/store_private.h"

#include <stdlib.h>

void forged_list_free(struct forged_list *list)
{
    free(list->items);
    *list = (struct forged_list){0};
}

void forged_add(struct forged_list *list, struct message *message, struct message *request)
{
    *mem_push(list->items, list->count, list->cap) =
        (struct forged){.message = message, .request = request};
}

/* True if a yes to such a request lets an agent do something. */
static bool is_decided(const struct message *request)
{
    return request->kind == KIND_PLAN || request->kind == KIND_PERMISSION ||
           request->kind == KIND_HOST || request->kind == KIND_SHUTDOWN ||
           request->kind == KIND_HANDOFF;
}

void forged_collect(struct forged_list *list, const struct model *model,
                    const struct requests *asks)
{
    for (size_t i = 0; i < model->count; i++)
        if (message_is_lead_command_given(model->messages[i]))
            forged_add(list, model->messages[i], NULL);
    for (size_t i = 0; i < asks->count; i++) {
        const struct request *ask = &asks->items[i];
        struct message *request = model->messages[ask->message];
        if (ask->answer != REQUEST_NONE && !ask->refusal && message_for_us(request) &&
            is_decided(request))
            forged_add(list, model->messages[ask->answer], request);
    }
}

void forged_add_answer(struct str *out, const struct message *answer)
{
    str_add_span(out, answer->from);
    str_puts(out, answer->verdict == VERDICT_YES  ? " said yes in "
                  : answer->verdict == VERDICT_NO ? " said no in "
                                                  : " answered in ");
    message_add_path(out, answer, false);
}

/* The author. */

/* True if the sender is the lead that the roster names or, without one, has the name that leads
 * have. */
static bool is_lead(const struct source *source, const struct name_index *index,
                    const struct message *message)
{
    struct span team = message->place->team.at ? message->place->team : (struct span){"", 0};
    const struct agent_name *sender = name_index_find(index, team, message->from);

    if (name_index_lead(index, team).at)
        return sender && sender->member.lead;
    return span_is(message->from, source->format->identity);
}

/* Returns the text of the message as it is now, in the batch's memory; absent when it cannot be
 * read. */
static struct span text_of(const struct source *source, const struct message *message,
                           struct batch *batch)
{
    struct err err;

    if (!load_again(source, message, WANT_DATA | WANT_BODY, NULL, batch, &err))
        io_error_note_err(&err);
    else
        for (size_t i = 0; i < batch->count; i++)
            if (span_eq(batch->items[i].id, message->id) && batch->items[i].data)
                return batch->items[i].data->body;
    return (struct span){0};
}

/* True if we wrote it, by its id and by its text: anybody can name a request that we have answered,
 * or give a command of theirs the id of ours. */
static bool is_in_ledger(const struct ledger *ledger, const struct source *source,
                         const struct message *message)
{
    struct ledger_sought sought = {.format = span_of(source->format->name),
                                   .root = span_of(source->path),
                                   .team = message->place->team,
                                   .agent = message_recipient(message),
                                   .message = message->id};
    CLEANUP(batch_free) struct batch batch = {0};
    bool ours = ledger_has_answer(ledger, &sought);

    if (ours) { /* rare, so reading them costs little */
        sought.text = text_of(source, message, &batch);
        ours = sought.text.at && ledger_has_answer(ledger, &sought);
    }
    return ours;
}

/* Messages sent from here without a decision: replies, and messages made by hand. */

struct sent_index {
    bool filled;
    struct sent_list sent;
    struct outbox outbox;
    struct map map; /* set of places and ids; all values are 1 */
    struct arena keys;
};

static void sent_index_free(struct sent_index *index)
{
    sent_list_free(&index->sent);
    outbox_free(&index->outbox);
    map_free(&index->map);
    arena_free(&index->keys);
}

enum { SENT_PARTS = 5 };

static void sent_index_add(struct sent_index *index, const struct span parts[SENT_PARTS])
{
    CLEANUP(str_free) struct str key = {0};
    bool fresh;

    *map_put_copy(&index->map, &index->keys, map_key(&key, 0, parts, SENT_PARTS), &fresh) = 1;
}

static void sent_index_fill(struct sent_index *index, struct state *state)
{
    struct err err;

    index->filled = true;
    if (!state)
        return;
    if (!sent_read(state, &index->sent, &err) || !outbox_list(state, &index->outbox, &err)) {
        io_error_note_err(&err);
        return;
    }
    for (size_t i = 0; i < index->sent.count; i++) {
        const struct sent_entry *one = &index->sent.items[i];
        sent_index_add(
            index, (struct span[SENT_PARTS]){one->format, one->root, one->team, one->box, one->id});
    }
    for (size_t i = 0; i < index->outbox.count; i++) {
        const struct outbox_entry *one = &index->outbox.items[i];
        sent_index_add(
            index, (struct span[SENT_PARTS]){one->format, one->root, one->team, one->box, one->id});
    }
}

/* Returns the box of a message. Where files are not kept by box, the address says whose it is. */
static struct span message_box(const struct message *message)
{
    return message->place->box.len ? message->place->box : message->to;
}

static bool was_sent(struct sent_index *index, struct state *state, const struct source *source,
                     const struct message *message)
{
    const struct span parts[SENT_PARTS] = {span_of(source->format->name), span_of(source->path),
                                           message->place->team, message_box(message), message->id};
    CLEANUP(str_free) struct str key = {0};

    if (!index->filled)
        sent_index_fill(index, state);
    return map_get(&index->map, map_key(&key, 0, parts, SENT_PARTS));
}

/* The time when it was found. */

/* One source while its answers are judged. */
struct judging {
    struct store *store;
    struct state *state; /* NULL: none, or it cannot be used */
    struct ledger ledger;
    struct sent_index sent;
    enum config_answers how;
    bool all;
    int64_t now_us;

    const struct source *source;
    struct agent_names names; /* read when first needed */
    struct name_index index;  /* of these */
    bool has_names;
    struct state_answers known;
    struct state_answer *fresh; /* found for the first time; their keys are in the arena */
    size_t fresh_count, fresh_cap;
    struct arena arena;
};

static struct state_source place_of(const struct source *source)
{
    return (struct state_source){source->format->name, source->path, span_of(source->identity)};
}

/* Notes the new answers of the current source, and that it was searched, and frees its data. */
static void close_source(struct judging *judging)
{
    struct err err;

    if (judging->source && judging->state && !judging->store->readonly && !judging->all &&
        (judging->fresh_count || !judging->known.looked)) {
        struct state_source place = place_of(judging->source);
        if (!state_note_answers(judging->state, &place, judging->fresh, judging->fresh_count,
                                judging->store->opened_us, &err))
            log_add(judging->store->log, "answers: %s", err.text);
    }
    name_index_free(&judging->index);
    agent_names_free(&judging->names);
    state_answers_free(&judging->known);
    arena_free(&judging->arena);
    judging->names = (struct agent_names){0};
    judging->has_names = false;
    judging->arena = (struct arena){0};
    judging->fresh_count = 0;
    judging->source = NULL;
}

static void open_source(struct judging *judging, const struct source *source)
{
    struct state_source place = place_of(source);
    struct err err;

    if (judging->source == source)
        return;
    close_source(judging);
    judging->source = source;
    state_answers_free(&judging->known);
    if (judging->state && !state_answers(judging->state, &place, &judging->known, &err))
        io_error_note_err(&err);
}

static bool is_by_lead(struct judging *judging, const struct message *message)
{
    struct err err;

    if (!judging->has_names) {
        if (!source_rosters(judging->source, &judging->names, &err))
            io_error_note_err(&err);
        name_index_build(&judging->index, &judging->names);
    }
    judging->has_names = true;
    return is_lead(judging->source, &judging->index, message);
}

/* True if the answer claims to be older than the first use of this source here. Once the source was
 * searched, such a claim makes no answer old. */
static bool is_history(const struct judging *judging, const struct message *answer)
{
    int64_t first_us = judging->known.first_us;

    if (first_us == TIME_NONE)
        first_us = judging->store->opened_us;
    return !judging->known.looked &&
           (answer->created_us == TIME_NONE || answer->created_us < first_us);
}

/* Returns when the answer was first found; 0: it is history, or ours. */
static int64_t found_us(struct judging *judging, const struct forged *item)
{
    const struct message *answer = item->message;
    CLEANUP(str_free) struct str key = {0};

    state_answer_key(&key, item->request->place->team, item->request->id, answer->id);
    int64_t found = state_answers_find(&judging->known, str_span(&key));
    if (found == TIME_NONE && is_in_ledger(&judging->ledger, judging->source, answer)) {
        found = 0; /* the ledger keeps that for ever */
    } else if (found == TIME_NONE) {
        /* the list of sent messages forgets after some months, so note this, too */
        bool ours = was_sent(&judging->sent, judging->state, judging->source, answer);
        found = ours || is_history(judging, answer) ? 0 : judging->now_us;
        *mem_push(judging->fresh, judging->fresh_count, judging->fresh_cap) =
            (struct state_answer){arena_copy(&judging->arena, str_span(&key)), found};
    }
    return found;
}

static enum config_answers how_taken(const struct judging *judging)
{
    if (judging->how != CONFIG_ANSWERS_USUAL)
        return judging->how;
    return judging->source->format->lead_answers ? CONFIG_ANSWERS_NOTE : CONFIG_ANSWERS_ALARM;
}

static bool is_archived(const struct message *message)
{
    return message->place->archived || message->status == STATUS_ARCHIVED;
}

static enum forged_state judge_answer(struct judging *judging, const struct forged *item)
{
    const struct message *answer = item->message;
    bool by_lead = is_by_lead(judging, answer);
    enum config_answers how = how_taken(judging);

    if (how == CONFIG_ANSWERS_IGNORE || !(by_lead || answer->by_us))
        return FORGED_NO;
    if (!by_lead && message_is_lead_command_given(answer)) /* judged as a command */
        return FORGED_NO;
    int64_t found = found_us(judging, item);
    if (!found || (!judging->all &&
                   (judging->now_us - found > FORGED_SHOWN_US || is_archived(item->request))))
        return FORGED_NO;
    return how == CONFIG_ANSWERS_ALARM ? FORGED_ALARM : FORGED_NOTE;
}

static enum forged_state judge_order(struct judging *judging, const struct message *order)
{
    return is_by_lead(judging, order) || is_in_ledger(&judging->ledger, judging->source, order)
               ? FORGED_NO
               : FORGED_ORDER;
}

bool store_judge_forged(struct store *store, struct forged_list *list, enum config_answers how,
                        bool all, struct err *err)
{
    struct err problem = {0};
    struct judging judging = {.store = store,
                              .state = store_state(store, !store->readonly && !all, &problem),
                              .how = how,
                              .all = all,
                              .now_us = time_now()};
    bool ok = ledger_read(&judging.ledger, err);

    io_error_note_err(&problem);
    for (size_t source = 0; ok && source < store->source_count; source++) {
        open_source(&judging, &store->sources[source]);
        for (size_t i = 0; i < list->count; i++) {
            struct forged *item = &list->items[i];
            if (item->message->place->source == source)
                item->state = item->request ? judge_answer(&judging, item)
                                            : judge_order(&judging, item->message);
        }
        close_source(&judging);
    }
    free(judging.fresh);
    sent_index_free(&judging.sent);
    ledger_free(&judging.ledger);
    return ok;
}
