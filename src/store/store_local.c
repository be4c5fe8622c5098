/* The local state through the store, and names. */
#include "store/store_local.h"
#include "base/mem.h"

#include "store/scan/local_marks.h"
#include "store/send/outbox.h"
#include "store/store_private.h"

/* Drafts. */

bool store_drafts(struct store *store, struct saved_drafts *drafts, struct err *err)
{
    struct state *state;

    saved_drafts_free(drafts);
    return store_state_if_any(store, &state, err) && (!state || state_drafts(state, drafts, err));
}

bool store_draft(struct store *store, struct span id, struct saved_drafts *draft, struct err *err)
{
    struct state *state = store_state(store, false, err);

    return state && state_draft(state, id, draft, err);
}

bool store_claim_draft(struct store *store, struct span id, struct saved_drafts *draft,
                       struct err *err)
{
    struct state *state = store_state_to_write(store, err);

    return state && state_claim_draft(state, id, draft, err);
}

bool store_release_draft(struct store *store, struct span id, struct err *err)
{
    struct state *state = store_state_to_write(store, err);

    return state && state_release_draft(state, id, err);
}

bool store_save_draft(struct store *store, const struct saved_draft *draft,
                      struct draft_saved *saved, struct err *err)
{
    struct state *state = store_state_to_write(store, err);

    return state && state_save_draft(state, draft, saved, err);
}

bool store_drop_draft(struct store *store, struct span id, int64_t version, struct err *err)
{
    struct state *state = store_state_to_write(store, err);

    return state && state_drop_draft(state, id, version, err);
}

/* Snoozes and kept lines. */

struct snooze snooze_of(const struct source *source, const struct message *message,
                        int64_t until_us)
{
    struct snooze snooze = {.key = local_marks_key(source, message),
                            .viewer = span_of(source->identity),
                            .until_us = until_us};

    if (!snooze.key.id.len) /* damage may have removed the id */
        snooze.key.id = message->file;
    return snooze;
}

bool snoozes_hide(const struct snoozes *snoozes, const struct source *source,
                  const struct message *message, int64_t now_us)
{
    if (!snoozes->count)
        return false;
    struct snooze snooze = snooze_of(source, message, TIME_NONE);
    return snoozes_find(snoozes, &snooze.key, snooze.viewer) > now_us; /* TIME_NONE never is */
}

bool store_snooze(struct store *store, const struct snooze *snoozes, size_t count, int64_t now_us,
                  struct err *err)
{
    struct state *state = store_state_to_write(store, err);

    return state && state_snooze(state, snoozes, count, now_us, err);
}

bool store_snoozes(struct store *store, int64_t now_us, struct snoozes *snoozes, struct err *err)
{
    struct state *state;

    snoozes_free(snoozes);
    return store_state_if_any(store, &state, err) &&
           (!state || state_snoozes(state, now_us, snoozes, err));
}

bool store_keep(struct store *store, struct span name, struct span text, struct err *err)
{
    struct state *state = store_state_to_write(store, err);

    return state && state_keep(state, name, text, err);
}

bool store_kept(struct store *store, struct span name, struct str *text, struct err *err)
{
    struct state *state;

    str_clear(text);
    return store_state_if_any(store, &state, err) && (!state || state_kept(state, name, text, err));
}

/* Names: what an address means, which agents exist, and their work. */

bool store_address(struct store *store, uint32_t source, struct span text, struct address *address,
                   struct arena *arena, struct err *err)
{
    return address_read(&store->sources[source], text, address, arena, err);
}

bool store_names(struct store *store, uint32_t source, struct agent_names *names, struct err *err)
{
    return address_book(&store->sources[source], names, err);
}

bool store_tasks(struct store *store, uint32_t source, struct tasks *tasks, struct err *err)
{
    return source_tasks(&store->sources[source], tasks, err);
}

/* The outbox. */

bool store_outbox(struct store *store, struct outbox *outbox, struct err *err)
{
    struct state *state;

    return store_state_if_any(store, &state, err) && (!state || outbox_list(state, outbox, err));
}

/* Returns the state for work on one entry. Without a state there is no entry: nothing was ever
 * sent. */
static struct state *state_of_entry(struct store *store, int64_t number, struct err *err)
{
    struct state *state = store_state(store, false, err);

    if (!state && err->scope == ERR_ABSENT)
        err_set(err, ERR_ABSENT, "the outbox is empty: it has no entry %lld", (long long)number);
    return state;
}

bool store_outbox_check(struct store *store, int64_t number, struct outbox *outbox, struct err *err)
{
    struct state *state = state_of_entry(store, number, err);

    return state && outbox_read(state, number, outbox, err);
}

bool store_outbox_retry(struct store *store, int64_t number, struct err *err)
{
    struct state *state = store_may_write(store, err) ? state_of_entry(store, number, err) : NULL;

    return state && outbox_retry(state, number, store->log, err);
}

/* Removes an entry from the outbox. A message that was once in the mailbox stays recorded as
 * sent. */
static bool forget_entry(struct state *state, const struct outbox_entry *entry, struct err *err)
{
    const struct format *format = format_find(entry->format);
    bool array = format && format->storage == STORAGE_ARRAY;
    enum sent_delivery delivery = SENT_THERE;

    switch (entry->state) {
    case OUTBOX_RECORDED:
    case OUTBOX_QUEUED:
    case OUTBOX_FAILED:
        return outbox_remove(state, entry->number, err);
    case OUTBOX_WRITTEN:
        break;
    case OUTBOX_LOST:
        delivery = array ? SENT_LOST : SENT_THERE; /* the reader of a slot empties it */
        break;
    case OUTBOX_TAKEN:
        delivery = SENT_TAKEN;
        break;
    case OUTBOX_UNCONFIRMED:
        delivery = SENT_UNCONFIRMED;
        break;
    }
    return outbox_done(state, entry->number, entry->id, delivery, time_now(), err);
}

bool store_outbox_drop(struct store *store, int64_t number, struct err *err)
{
    CLEANUP(outbox_free) struct outbox one = {0};
    struct state *state = store_may_write(store, err) ? state_of_entry(store, number, err) : NULL;

    return state && outbox_claim(state, number, time_now(), &one, err) &&
           forget_entry(state, &one.items[0], err);
}

/* Converts to the steady clock, so that a waiting caller is neither delayed nor hurried when the
 * wall clock is adjusted. */
static int64_t steady_of(int64_t clock_us)
{
    int64_t left_us = clock_us - time_now();

    return time_steady() + (left_us > 0 ? left_us : 0);
}

bool store_outbox_work(struct store *store, int64_t *next_us, struct err *err)
{
    struct state *state = NULL;
    bool ok = store_may_write(store, err) && store_state_if_any(store, &state, err);

    *next_us = TIME_NONE;
    if (!state)
        return ok;
    outbox_work(state, store->log);
    int64_t due_us = outbox_next_us(state, time_now(), store->log);
    if (due_us != TIME_NONE)
        *next_us = steady_of(due_us);
    return true;
}
