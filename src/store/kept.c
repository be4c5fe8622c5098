/* The verbs on snoozes and kept lines. */
#include "store/kept.h"

#include "store/job.h"
#include "store/overlay.h"

struct kept_job {
    struct job job;
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
    struct snooze snooze = {.key = overlay_key(source, message),
                            .viewer = span_of(source->identity),
                            .until_us = until_us};

    if (!snooze.key.id.len) /* damage may have taken it */
        snooze.key.id = message->file;
    return snooze;
}

bool snoozes_hide(const struct snoozes *snoozes, const struct source *source,
                  const struct message *message, int64_t now_us)
{
    if (!snoozes->count)
        return false;
    struct snooze snooze = snooze_of(source, message, WHEN_NONE);
    return snoozes_find(snoozes, &snooze.key, snooze.viewer) > now_us; /* WHEN_NONE never is */
}

static bool run_snooze(struct job *job, struct store *store, struct err *err)
{
    const struct kept_job *kept = (const struct kept_job *)job;
    struct state *state = store_state(store, true, err);

    return state && state_snooze(state, kept->items, kept->count, kept->now_us, err);
}

bool store_snooze(struct store *store, const struct snooze *snoozes, size_t count, int64_t now_us,
                  struct err *err)
{
    struct kept_job job = {
        .job.run = run_snooze, .items = snoozes, .count = count, .now_us = now_us};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
}

static bool run_snoozes(struct job *job, struct store *store, struct err *err)
{
    const struct kept_job *kept = (const struct kept_job *)job;
    struct state *state = store_state(store, false, err);

    if (!state)
        return err->scope == ERR_ABSENT; /* nothing was ever kept */
    return state_snoozes(state, kept->now_us, kept->snoozes, err);
}

bool store_snoozes(struct store *store, int64_t now_us, struct snoozes *snoozes, struct err *err)
{
    struct kept_job job = {.job.run = run_snoozes, .now_us = now_us, .snoozes = snoozes};

    snoozes_free(snoozes);
    return store_run(store, &job.job, NULL, err);
}

static bool run_keep(struct job *job, struct store *store, struct err *err)
{
    const struct kept_job *kept = (const struct kept_job *)job;
    struct state *state = store_state(store, true, err);

    return state && state_keep(state, kept->name, kept->text, err);
}

bool store_keep(struct store *store, struct span name, struct span text, struct err *err)
{
    struct kept_job job = {.job.run = run_keep, .name = name, .text = text};

    return store_may_write(store, err) && store_run(store, &job.job, NULL, err);
}

static bool run_kept(struct job *job, struct store *store, struct err *err)
{
    const struct kept_job *kept = (const struct kept_job *)job;
    struct state *state = store_state(store, false, err);

    if (!state)
        return err->scope == ERR_ABSENT;
    return state_kept(state, kept->name, kept->out, err);
}

bool store_kept(struct store *store, struct span name, struct str *text, struct err *err)
{
    struct kept_job job = {.job.run = run_kept, .name = name, .out = text};

    str_clear(text);
    return store_run(store, &job.job, NULL, err);
}
