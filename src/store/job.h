/* The storage thread, inside: how verbs become its work. */
#ifndef STORE_JOB_H
#define STORE_JOB_H

#include "base/queue.h"
#include "store/store.h"

/* Work for the storage thread. The one who posts it owns it and waits for it. */
struct job {
    struct queue_item item;
    bool (*run)(struct job *job, struct store *store, struct err *err); /* NULL ends the thread */
    struct err err;
    bool ok;
};

struct store {
    struct source *sources;
    size_t source_count;
    bool readonly, started;
    struct log *log;
    pthread_t thread;
    struct queue jobs, events;
};

/* Runs the job on the storage thread and waits for it; batches go into the model, if any. */
bool store_run(struct store *store, struct job *job, struct model *model, struct err *err);

#endif
