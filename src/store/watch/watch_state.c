/* Watching our own state: what is looked at again depends on what was changed in it. */
#include "store/watch/watch_private.h"

enum { TALLY_UNKNOWN = -1 };

void watch_tally(struct state *state, int64_t tally[TALLY_COUNT])
{
    struct err ignored;

    memset(tally, 0, TALLY_COUNT * sizeof *tally);
    if (state && !state_tally(state, tally, &ignored))
        for (int i = 0; i < TALLY_COUNT; i++)
            tally[i] = TALLY_UNKNOWN;
}

/* Marks that another process has made, or we have. False when some could not be read. */
static bool look_at_marks(struct watch *watch, struct state *state, bool changed)
{
    struct err ignored;
    bool all = true;

    for (uint32_t i = 0; i < watch->tree_count; i++) {
        struct watched_tree *tree = &watch->trees[i];
        struct overlay now;
        if (tree->kind != TREE_MAIL || (!changed && tree->overlay_print))
            continue;
        if (!overlay_open(&now, tree->source, state, (struct span){0}, &ignored)) {
            all = false; /* another time: what is known is better than nothing */
            continue;
        }
        overlay_free(&tree->overlay);
        tree->overlay = now;
        uint64_t print = overlay_print(&now);
        bool differs = print != tree->overlay_print;
        tree->overlay_print = print;
        if (differs)
            watch_look(watch, i);
    }
    return all;
}

void watch_look_at_state(struct watch *watch)
{
    struct err ignored;
    struct state *state = store_state(watch->store, false, &ignored);
    int64_t tally[TALLY_COUNT];
    bool changed[TALLY_COUNT];

    watch_tally(state, tally);
    for (int i = 0; i < TALLY_COUNT; i++)
        changed[i] = tally[i] != watch->tally[i] || tally[i] == TALLY_UNKNOWN;
    memcpy(watch->tally, tally, sizeof tally);
    if (!look_at_marks(watch, state, changed[TALLY_MAIL]))
        watch->tally[TALLY_MAIL] = TALLY_UNKNOWN;
    if (changed[TALLY_OUTBOX])
        watch->known_due_us = when_steady();
    if (changed[TALLY_KEPT])
        store_post(watch->store, &(struct news){.kind = NEWS_KEPT});
}
