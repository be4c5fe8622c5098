/* Names through the store: what an address means, who is there, and their work. */
#include "store/store_private.h"

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
