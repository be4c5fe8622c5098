/* Sweeps decisions and their trail. */
#include "sweep.h"

#include "mail/protocol/decision.h"
#include "mail/protocol/lead_command.h"
#include "store/decide/decide.h"
#include "store/decide/lead_command_send.h"
#include "store/decide/ledger.h"
#include "store/decide/request_snapshot.h"

/* Answers the request as it was shown. */
static bool send_answer(struct store *store, struct message *head,
                        const struct request_snapshot *request, struct err *err)
{
    struct deciding shown = {.request = head,
                             .sha256 = request->sha256,
                             .terms = {.reason = span_of("go on")},
                             .verify = VERIFY_NONE};
    struct preview preview = {0};

    cr_assert(decision_of(head->kind, true, &shown.decision));
    struct deciding sent = shown;
    bool ok =
        store_preview_decision(store, &shown, &preview, err) && store_decide(store, &sent, err);
    preview_free(&preview);
    deciding_free(&shown);
    deciding_free(&sent);
    return ok;
}

static bool answer(struct store *store, struct message *head, struct model *model, struct err *err)
{
    struct request_snapshots requests = {0};
    struct ledger ledger = {0};
    bool ok = store_requests(store, &head, 1, &requests, err);

    if (ok && requests.items[0].err) {
        *err = *requests.items[0].err;
        ok = false;
    }
    ok = ok && send_answer(store, head, &requests.items[0], err);
    if (ok) {
        store_settle_decisions(store, model);
        ok = ledger_read(&ledger, err);
    }
    ledger_free(&ledger);
    request_snapshots_free(&requests);
    return ok;
}

static bool decide(struct store *store, struct err *err)
{
    struct load all = {.inbox = true, .archive = true, .want = WANT_DATA | WANT_BODY};
    struct model model = {0};
    bool ok = store_load(store, &all, &model, err);
    struct message *head = ok ? find_asked(&model) : NULL;

    if (ok && !head) /* a box with one slot may have another message */
        ok = world.format->storage == STORAGE_SLOT || err_set(err, ERR_ABSENT, "nobody asks");
    ok = ok && (!head || answer(store, head, &model, err));
    model_free(&model);
    return ok;
}

sweeping(deciding)
{
    sweep(*index, &(struct swept){.prepare = ask_alice, .run = decide});
}

/* --- orders --- */

static bool give_order(struct store *store, struct order_terms *terms, struct err *err)
{
    struct order_way way = {0};
    struct order_text text = {0};
    struct arena arena = {0};
    struct outgoing_message letter = {0};
    struct span to = terms->verb == LEAD_ESCALATE ? (struct span){0} : span_of("bob");
    bool ok = store_lead_agent(store, STORE_ANY, to, terms, &way, &arena, err) &&
              lead_command_make(&text, terms, err);

    if (ok) {
        struct order_note note = {.verb = lead_verb_name(terms->verb),
                                  .kind = lead_verb_kind(terms->verb),
                                  .agent = way.agent,
                                  .team = way.team,
                                  .terms = str_span(&text.in_short),
                                  .id = text.id};
        struct send_options how = {.create = true, .verify = VERIFY_NONE, .source = way.source};
        letter.draft = text.draft;
        letter.draft.to = way.agent;
        letter.draft.team = way.team;
        ok = store_lead_command(store, &letter, &how, &note, err);
    }
    outgoing_message_free(&letter);
    lead_command_free(&text);
    arena_free(&arena);
    return ok || err->scope == ERR_REFUSED; /* some layouts do not support it */
}

static bool give_orders(struct store *store, struct err *err)
{
    struct order_terms stop = {
        .verb = LEAD_SHUTDOWN, .now_us = SENT_US, .reason = span_of("enough")};
    struct order_terms tell = {.verb = LEAD_ESCALATE,
                               .now_us = SENT_US,
                               .title = span_of("A title"),
                               .reason = span_of("It stands still.")};
    struct str id = {0};
    bool ok = give_order(store, &stop, err);

    if (ok)
        err->text[0] = '\0'; /* a refusal */
    ok = ok && (store_name_escalation(store, &tell, &id, err) || err->scope == ERR_REFUSED) &&
         give_order(store, &tell, err);
    str_free(&id);
    return ok;
}

sweeping(giving_orders)
{
    sweep(*index, &(struct swept){.run = give_orders});
}
