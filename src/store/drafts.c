/* The verbs on drafts. */
#include "store/drafts.h"

#include "store/job.h"

struct draft_job {
    struct job job;
    bool (*work)(const struct draft_job *job, struct state *state, struct err *err);
    bool looks; /* without a state there is nothing to be seen, and none is made */
    struct span id;
    int64_t version;
    struct saved_drafts *drafts;
    const struct saved_draft *draft;
    struct draft_saved *saved;
};

static bool work_list(const struct draft_job *job, struct state *state, struct err *err)
{
    return state_drafts(state, job->drafts, err);
}

static bool work_look(const struct draft_job *job, struct state *state, struct err *err)
{
    return state_draft(state, job->id, job->drafts, err);
}

static bool work_claim(const struct draft_job *job, struct state *state, struct err *err)
{
    return state_claim_draft(state, job->id, job->drafts, err);
}

static bool work_release(const struct draft_job *job, struct state *state, struct err *err)
{
    return state_release_draft(state, job->id, err);
}

static bool work_save(const struct draft_job *job, struct state *state, struct err *err)
{
    return state_save_draft(state, job->draft, job->saved, err);
}

static bool work_drop(const struct draft_job *job, struct state *state, struct err *err)
{
    return state_drop_draft(state, job->id, job->version, err);
}

static bool run_draft(struct job *base, struct store *store, struct err *err)
{
    const struct draft_job *job = (const struct draft_job *)base;
    struct state *state = store_state(store, !job->looks, err);

    return state && job->work(job, state, err);
}

static bool run(struct store *store, struct draft_job *job, struct err *err)
{
    job->job.run = run_draft;
    return (job->looks || store_may_write(store, err)) && store_run(store, &job->job, NULL, err);
}

bool store_drafts(struct store *store, struct saved_drafts *drafts, struct err *err)
{
    struct draft_job job = {.work = work_list, .looks = true, .drafts = drafts};

    saved_drafts_free(drafts);
    return run(store, &job, err) || err->scope == ERR_ABSENT; /* nothing was ever kept */
}

bool store_draft(struct store *store, struct span id, struct saved_drafts *draft, struct err *err)
{
    struct draft_job job = {.work = work_look, .looks = true, .id = id, .drafts = draft};

    return run(store, &job, err);
}

bool store_claim_draft(struct store *store, struct span id, struct saved_drafts *draft,
                       struct err *err)
{
    struct draft_job job = {.work = work_claim, .id = id, .drafts = draft};

    return run(store, &job, err);
}

bool store_release_draft(struct store *store, struct span id, struct err *err)
{
    struct draft_job job = {.work = work_release, .id = id};

    return run(store, &job, err);
}

bool store_save_draft(struct store *store, const struct saved_draft *draft,
                      struct draft_saved *saved, struct err *err)
{
    struct draft_job job = {.work = work_save, .draft = draft, .saved = saved};

    return run(store, &job, err);
}

bool store_drop_draft(struct store *store, struct span id, int64_t version, struct err *err)
{
    struct draft_job job = {.work = work_drop, .id = id, .version = version};

    return run(store, &job, err);
}
