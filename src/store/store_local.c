/* The outbox through the store. */
#include "store/store_local.h"
#include "base/mem.h"

#include "store/scan/local_marks.h"
#include "store/send/outbox.h"
#include "store/store_private.h"

/* Drafts through the store. */

struct draft_work {
    struct span id;
    int64_t version;
    struct saved_drafts *drafts;
    const struct saved_draft *draft;
    struct draft_saved *saved;
};

static bool work_list(void *context, struct state *state, struct err *err)
{
    const struct draft_work *with = context;

    return state_drafts(state, with->drafts, err);
}

static bool work_look(void *context, struct state *state, struct err *err)
{
    const struct draft_work *with = context;

    return state_draft(state, with->id, with->drafts, err);
}

static bool work_claim(void *context, struct state *state, struct err *err)
{
    const struct draft_work *with = context;

    return state_claim_draft(state, with->id, with->drafts, err);
}

static bool work_release(void *context, struct state *state, struct err *err)
{
    const struct draft_work *with = context;

    return state_release_draft(state, with->id, err);
}

static bool work_save(void *context, struct state *state, struct err *err)
{
    const struct draft_work *with = context;

    return state_save_draft(state, with->draft, with->saved, err);
}

static bool work_drop(void *context, struct state *state, struct err *err)
{
    const struct draft_work *with = context;

    return state_drop_draft(state, with->id, with->version, err);
}

bool store_drafts(struct store *store, struct saved_drafts *drafts, struct err *err)
{
    struct draft_work with = {.drafts = drafts};

    saved_drafts_free(drafts);
    return store_with_state(store, STATE_IF_ANY, work_list, &with, err);
}

bool store_draft(struct store *store, struct span id, struct saved_drafts *draft, struct err *err)
{
    struct draft_work with = {.id = id, .drafts = draft};

    return store_with_state(store, STATE_LOOK, work_look, &with, err);
}

bool store_claim_draft(struct store *store, struct span id, struct saved_drafts *draft,
                       struct err *err)
{
    struct draft_work with = {.id = id, .drafts = draft};

    return store_with_state(store, STATE_MAKE, work_claim, &with, err);
}

bool store_release_draft(struct store *store, struct span id, struct err *err)
{
    struct draft_work with = {.id = id};

    return store_with_state(store, STATE_MAKE, work_release, &with, err);
}

bool store_save_draft(struct store *store, const struct saved_draft *draft,
                      struct draft_saved *saved, struct err *err)
{
    struct draft_work with = {.draft = draft, .saved = saved};

    return store_with_state(store, STATE_MAKE, work_save, &with, err);
}

bool store_drop_draft(struct store *store, struct span id, int64_t version, struct err *err)
{
    struct draft_work with = {.id = id, .version = version};

    return store_with_state(store, STATE_MAKE, work_drop, &with, err);
}

/* Snoozes and kept lines through the store. */

struct kept_work {
    const struct snooze *items;
    size_t count;
    int64_t now_us;
    struct snoozes *snoozes;
    struct span name, text;
    struct str *out;
};

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

static bool work_snooze(void *context, struct state *state, struct err *err)
{
    const struct kept_work *kept = context;

    return state_snooze(state, kept->items, kept->count, kept->now_us, err);
}

bool store_snooze(struct store *store, const struct snooze *snoozes, size_t count, int64_t now_us,
                  struct err *err)
{
    struct kept_work work = {.items = snoozes, .count = count, .now_us = now_us};

    return store_with_state(store, STATE_MAKE, work_snooze, &work, err);
}

static bool work_snoozes(void *context, struct state *state, struct err *err)
{
    const struct kept_work *kept = context;

    return state_snoozes(state, kept->now_us, kept->snoozes, err);
}

bool store_snoozes(struct store *store, int64_t now_us, struct snoozes *snoozes, struct err *err)
{
    struct kept_work work = {.now_us = now_us, .snoozes = snoozes};

    snoozes_free(snoozes);
    return store_with_state(store, STATE_IF_ANY, work_snoozes, &work, err);
}

static bool work_keep(void *context, struct state *state, struct err *err)
{
    const struct kept_work *kept = context;

    return state_keep(state, kept->name, kept->text, err);
}

bool store_keep(struct store *store, struct span name, struct span text, struct err *err)
{
    struct kept_work work = {.name = name, .text = text};

    return store_with_state(store, STATE_MAKE, work_keep, &work, err);
}

static bool work_kept(void *context, struct state *state, struct err *err)
{
    const struct kept_work *kept = context;

    return state_kept(state, kept->name, kept->out, err);
}

bool store_kept(struct store *store, struct span name, struct str *text, struct err *err)
{
    struct kept_work work = {.name = name, .out = text};

    str_clear(text);
    return store_with_state(store, STATE_IF_ANY, work_kept, &work, err);
}

/* Names through the store: what an address means, which agents exist, and their work. */

struct names_job {
    struct job job;
    uint32_t source;
    struct span text;
    struct address *address;
    struct arena *arena;
    struct agent_names *names;
    struct tasks *tasks;
};

static bool run_address(struct job *job, struct store *store, struct err *err)
{
    struct names_job *ask = (struct names_job *)job;

    return address_read(&store->sources[ask->source], ask->text, ask->address, ask->arena, err);
}

bool store_address(struct store *store, uint32_t source, struct span text, struct address *address,
                   struct arena *arena, struct err *err)
{
    struct names_job job = {
        .job.run = run_address, .source = source, .text = text, .address = address, .arena = arena};

    return store_run(store, &job.job, NULL, err);
}

static bool run_names(struct job *job, struct store *store, struct err *err)
{
    struct names_job *ask = (struct names_job *)job;

    return address_book(&store->sources[ask->source], ask->names, err);
}

bool store_names(struct store *store, uint32_t source, struct agent_names *names, struct err *err)
{
    struct names_job job = {.job.run = run_names, .source = source, .names = names};

    return store_run(store, &job.job, NULL, err);
}

static bool run_tasks(struct job *job, struct store *store, struct err *err)
{
    struct names_job *ask = (struct names_job *)job;

    return source_tasks(&store->sources[ask->source], ask->tasks, err);
}

bool store_tasks(struct store *store, uint32_t source, struct tasks *tasks, struct err *err)
{
    struct names_job job = {.job.run = run_tasks, .source = source, .tasks = tasks};

    return store_run(store, &job.job, NULL, err);
}

struct errand {
    int64_t number;
    bool (*work)(struct errand *errand, struct state *state, struct err *err);
    bool opened; /* there is a state */
    struct outbox *outbox;
    struct log *log;
    int64_t next_us;
};

static bool list_outbox(void *context, struct state *state, struct err *err)
{
    return outbox_list(state, ((struct errand *)context)->outbox, err);
}

bool store_outbox(struct store *store, struct outbox *outbox, struct err *err)
{
    struct errand errand = {.outbox = outbox};

    return store_with_state(store, STATE_IF_ANY, list_outbox, &errand, err);
}

static bool run_entry(void *context, struct state *state, struct err *err)
{
    struct errand *errand = context;

    errand->opened = true;
    return errand->work(errand, state, err);
}

/* Runs the work on one entry. Without a state there is no entry: nothing was ever sent. */
static bool with_entry(struct store *store, struct errand *errand, struct err *err)
{
    if (store_with_state(store, STATE_LOOK, run_entry, errand, err))
        return true;
    if (!errand->opened && err->scope == ERR_ABSENT)
        err_set(err, ERR_ABSENT, "the outbox is empty: it has no entry %lld",
                (long long)errand->number);
    return false;
}

static bool read_entry(struct errand *errand, struct state *state, struct err *err)
{
    return outbox_read(state, errand->number, errand->outbox, err);
}

bool store_outbox_check(struct store *store, int64_t number, struct outbox *outbox, struct err *err)
{
    struct errand errand = {.number = number, .work = read_entry, .outbox = outbox};

    return with_entry(store, &errand, err);
}

static bool retry_entry(struct errand *errand, struct state *state, struct err *err)
{
    return outbox_retry(state, errand->number, errand->log, err);
}

bool store_outbox_retry(struct store *store, int64_t number, struct err *err)
{
    struct errand errand = {.number = number, .work = retry_entry, .log = store->log};

    return store_may_write(store, err) && with_entry(store, &errand, err);
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

static bool drop_entry(struct errand *errand, struct state *state, struct err *err)
{
    CLEANUP(outbox_free) struct outbox one = {0};

    return outbox_claim(state, errand->number, time_now(), &one, err) &&
           forget_entry(state, &one.items[0], err);
}

bool store_outbox_drop(struct store *store, int64_t number, struct err *err)
{
    struct errand errand = {.number = number, .work = drop_entry};

    return store_may_write(store, err) && with_entry(store, &errand, err);
}

static bool work_outbox(void *context, struct state *state, struct err *err)
{
    struct errand *errand = context;

    (void)err;
    outbox_work(state, errand->log);
    errand->next_us = outbox_next_us(state, time_now(), errand->log);
    return true;
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
    struct errand errand = {.log = store->log, .next_us = TIME_NONE};
    bool ok = store_may_write(store, err) &&
              store_with_state(store, STATE_IF_ANY, work_outbox, &errand, err);

    *next_us = errand.next_us == TIME_NONE ? TIME_NONE : steady_of(errand.next_us);
    return ok;
}
