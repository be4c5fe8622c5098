/* The outbox through the store. */
#include "store/send/outbox.h"

#include "store/store_private.h"

struct errand {
    int64_t number;
    bool (*work)(struct errand *errand, struct state *state, struct err *err);
    bool opened; /* there is a state */
    struct outbox *outbox;
    struct log *log;
    int64_t next_us;
};

static bool list(void *context, struct state *state, struct err *err)
{
    return outbox_list(state, ((struct errand *)context)->outbox, err);
}

bool store_outbox(struct store *store, struct outbox *outbox, struct err *err)
{
    struct errand errand = {.outbox = outbox};

    return store_with_state(store, STATE_IF_ANY, list, &errand, err);
}

static bool run_entry(void *context, struct state *state, struct err *err)
{
    struct errand *errand = context;

    errand->opened = true;
    return errand->work(errand, state, err);
}

/* One entry: where nothing was ever sent there is none. */
static bool with_entry(struct store *store, struct errand *errand, struct err *err)
{
    if (store_with_state(store, STATE_LOOK, run_entry, errand, err))
        return true;
    if (!errand->opened && err->scope == ERR_ABSENT)
        err_set(err, ERR_ABSENT, "the outbox is empty: it has no entry %lld",
                (long long)errand->number);
    return false;
}

static bool look(struct errand *errand, struct state *state, struct err *err)
{
    return outbox_read(state, errand->number, errand->outbox, err);
}

bool store_outbox_look(struct store *store, int64_t number, struct outbox *outbox, struct err *err)
{
    struct errand errand = {.number = number, .work = look, .outbox = outbox};

    return with_entry(store, &errand, err);
}

static bool retry(struct errand *errand, struct state *state, struct err *err)
{
    return outbox_retry(state, errand->number, errand->log, err);
}

bool store_outbox_retry(struct store *store, int64_t number, struct err *err)
{
    struct errand errand = {.number = number, .work = retry, .log = store->log};

    return store_may_write(store, err) && with_entry(store, &errand, err);
}

/* What was there once stays among what was sent. */
static bool forget(struct state *state, const struct outbox_entry *entry, struct err *err)
{
    const struct format *format = format_find(entry->format);
    bool array = format && format->keeping == KEEP_ARRAY;
    enum sent_fate fate = SENT_THERE;

    switch (entry->state) {
    case OUTBOX_RECORDED:
    case OUTBOX_QUEUED:
    case OUTBOX_FAILED:
        return outbox_remove(state, entry->number, err);
    case OUTBOX_WRITTEN:
        break;
    case OUTBOX_LOST:
        fate = array ? SENT_LOST : SENT_THERE; /* who reads a slot empties it */
        break;
    case OUTBOX_TAKEN:
        fate = SENT_TAKEN;
        break;
    case OUTBOX_UNCONFIRMED:
        fate = SENT_UNCONFIRMED;
        break;
    }
    return outbox_done(state, entry->number, entry->id, fate, when_now(), err);
}

static bool drop(struct errand *errand, struct state *state, struct err *err)
{
    struct outbox one = {0};
    bool ok = outbox_claim(state, errand->number, when_now(), &one, err) &&
              forget(state, &one.items[0], err);

    outbox_free(&one);
    return ok;
}

bool store_outbox_drop(struct store *store, int64_t number, struct err *err)
{
    struct errand errand = {.number = number, .work = drop};

    return store_may_write(store, err) && with_entry(store, &errand, err);
}

static bool work(void *context, struct state *state, struct err *err)
{
    struct errand *errand = context;

    (void)err;
    outbox_work(state, errand->log);
    errand->next_us = outbox_next_us(state, when_now(), errand->log);
    return true;
}

/* Nobody who waits for that time is held up or hurried when the clock is put right. */
static int64_t steady_of(int64_t clock_us)
{
    int64_t left_us = clock_us - when_now();

    return when_steady() + (left_us > 0 ? left_us : 0);
}

bool store_outbox_work(struct store *store, int64_t *next_us, struct err *err)
{
    struct errand errand = {.log = store->log, .next_us = WHEN_NONE};
    bool ok =
        store_may_write(store, err) && store_with_state(store, STATE_IF_ANY, work, &errand, err);

    *next_us = errand.next_us == WHEN_NONE ? WHEN_NONE : steady_of(errand.next_us);
    return ok;
}
