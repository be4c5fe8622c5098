/* Snoozes and kept lines through the store. */
#include "store/store_kept.h"

#include "store/scan/overlay.h"
#include "store/store_private.h"

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
