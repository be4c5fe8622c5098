/* Sweeping decisions and their trail. */
#include "sweep.h"

#include "mail/ask.h"
#include "mail/decision.h"
#include "mail/handoff.h"
#include "store/decide.h"
#include "store/ledger.h"
#include "store/request.h"

static const char permission[] =
    "{\"type\":\"permission_request\",\"request_id\":\"perm-1\",\"agent_id\":\"bob\","
    "\"tool_name\":\"Bash\",\"tool_use_id\":\"toolu_1\",\"description\":\"List files\","
    "\"input\":{\"command\":\"ls\"},\"permission_suggestions\":[]}";

/* bob asks alice: where programs ask, for a permission, elsewhere by handing work over. */
static void ask(void)
{
    struct handoff handoff = {.work_completed = span_of("half of it"),
                              .current_state = span_of("12 of 24")};
    struct send_options options = {.create = true, .verify = VERIFY_NONE, .source = STORE_ANY};
    struct letter letter = make_letter("bob", "alice");
    struct err err;

    if (world.format->keeping == KEEP_ARRAY) {
        letter.draft.protocol = span_of(permission);
    } else {
        letter.draft.handoff = &handoff;
    }
    cr_assert(store_send(world.store, &letter, &options, &err), "%s", err.text);
    letter_free(&letter);
}

static struct message *find_request(const struct model *model)
{
    for (size_t i = 0; i < model->count; i++)
        if (message_asks(model->messages[i]) && span_is(model->messages[i]->from, "bob"))
            return model->messages[i];
    return NULL;
}

/* As it was shown. */
static bool send_answer(struct store *store, struct message *head, const struct request *request,
                        struct err *err)
{
    struct deciding shown = {.request = head, .sha256 = request->sha256, .verify = VERIFY_NONE};
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
    struct requests requests = {0};
    struct ledger ledger = {0};
    bool ok = store_requests(store, &head, 1, &requests, err);

    if (ok && requests.items[0].err.scope) {
        *err = requests.items[0].err;
        ok = false;
    }
    ok = ok && send_answer(store, head, &requests.items[0], err);
    if (ok) {
        store_settle_decisions(store, model);
        ok = ledger_read(&ledger, err);
    }
    ledger_free(&ledger);
    requests_free(&requests);
    return ok;
}

static bool decide(struct store *store, struct err *err)
{
    struct load all = {.inbox = true, .archive = true, .want = WANT_DATA | WANT_BODY};
    struct model model = {0};
    bool ok = store_load(store, &all, &model, err);
    struct message *head = ok ? find_request(&model) : NULL;

    if (ok && !head) /* where a box holds one message, others are before it */
        ok = world.format->keeping == KEEP_SLOT || err_set(err, ERR_ABSENT, "nobody asks");
    ok = ok && (!head || answer(store, head, &model, err));
    model_free(&model);
    return ok;
}

sweeping(deciding)
{
    sweep(*index, &(struct swept){.prepare = ask, .run = decide});
}
