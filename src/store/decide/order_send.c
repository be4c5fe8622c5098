/* Orders: sent, with their trail in the ledger. */
#include "store/decide/decided.h"
#include "store/decide/order.h"
#include "store/store.h"

struct order_trail {
    const struct letter *letter;
    const struct order_note *note;
    struct decided_trail trail;
};

static bool note_intent(void *context, const struct parcel *parcel, struct err *err)
{
    struct order_trail *it = context;
    const struct draft *draft = &it->letter->draft;

    decided_open_order(&it->trail, parcel->source, it->note,
                       draft->protocol.at ? draft->protocol : draft->body);
    if (draft->from.len)
        it->trail.entry.by = draft->from;
    return decided_intend(&it->trail, parcel, err);
}

static void note_written(void *context, const struct parcel *parcel)
{
    struct order_trail *it = context;

    decided_note(&it->trail, LEDGER_DELIVERED, parcel, NULL);
}

bool store_order(struct store *store, struct letter *letter, const struct send_options *options,
                 const struct order_note *note, struct err *err)
{
    struct order_trail it = {.letter = letter, .note = note};
    struct guard guard = {.packed = note_intent, .written = note_written, .context = &it};
    struct send_options how = *options;

    how.guard = &guard;
    bool ok = store_send(store, letter, &how, err);
    decided_sent(&it.trail, letter, ok, err);
    decided_close(&it.trail);
    return ok;
}
