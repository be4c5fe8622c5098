/* Drafts through the store. */
#include "store/store_drafts.h"

#include "store/store_private.h"

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
