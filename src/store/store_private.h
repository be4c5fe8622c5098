/* The storage thread, private to the store: verbs as jobs for it. */
#ifndef STORE_STORE_PRIVATE_H
#define STORE_STORE_PRIVATE_H

#include "base/queue.h"
#include "store/source/recipient.h"
#include "store/store.h"

/* Work for the storage thread. Its poster owns it and waits for it, unless `unattended`. */
struct job {
    struct queue_item item;
    bool (*run)(struct job *job, struct store *store, struct err *err); /* NULL ends the thread */
    struct err err;
    bool ok;
    bool unattended; /* nobody waits: the storage thread frees it */
};

/* An event that the storage thread posts: one of the following. */
struct event {
    struct queue_item item;
    struct job *done;   /* this job has ended, or NULL */
    char *sentence;     /* else: a sentence for the person, or NULL */
    struct news *news;  /* else: news from watching, or NULL */
    struct batch batch; /* else: messages that were read */
};

struct store {
    struct source *sources;
    size_t source_count;
    bool readonly, started;
    int64_t opened_us;
    struct span_list coming;   /* directories that would be sources if they existed */
    struct arena coming_texts; /* their paths */
    bool lasting;              /* the store is open for long: roots may be removed and made again
                                * meanwhile */
    bool own_only;             /* loads return only messages to or from who we are */
    struct state *state;       /* of the storage thread; NULL until it is needed */
    struct err state_problem;  /* why it cannot be read */
    struct log *log;
    void (*tell)(void *context, const char *sentence);
    void *report_context;
    pthread_t thread;
    struct queue jobs, events;
    struct loading *unfinished; /* of the storage thread: to be finished when nobody waits for it */
    struct model *filling;      /* of the storage thread: the model that loads of work running there
                                 * fill */
    struct watch *watch;        /* of the storage thread; NULL if nothing is watched */
    struct searcher *searcher;  /* of the storage thread; NULL before the first search */
    struct queue_item *news, **news_last; /* arrived while somebody waited for a job */
};

/* On the storage thread: takes ownership of the news and queues it for the watching thread. */
void store_post(struct store *store, const struct news *news);

/* False, with the reason, if the store is read-only. */
bool store_may_write(const struct store *store, struct err *err);

/* On the storage thread: finds the agent that AGENT or AGENT@TEAM means, and its source. Exactly
 * one source whose layout supports the verb may know it. A new mailbox is made only if there is
 * exactly one such source. ERR_NONE if no source supports it. */
bool store_find_recipient(const struct store *store, struct span to, enum verb verb,
                          enum recipient_rule rule, size_t *index, struct address *address,
                          struct arena *arena, struct err *err);

/* Returns the local state, opened at the first use; created only with `create`. NULL, with the
 * reason, if it cannot be opened; ERR_ABSENT if there is none. On the storage thread only. */
struct state *store_state(struct store *store, bool create, struct err *err);

/* Like store_state() without creating, for reading: keeps the failure for store_state_problem(). */
struct state *store_state_to_read(struct store *store);

/* A function that works on the local state. */
typedef bool store_work(void *context, struct state *state, struct err *err);
enum state_use {
    STATE_LOOK,   /* do not create it: ERR_ABSENT if there is none */
    STATE_IF_ANY, /* do not create it: succeed without work if there is none */
    STATE_MAKE,   /* create it if needed; refused in a read-only store */
};
/* Runs work(context) on the storage thread with the state, and waits for it. */
bool store_with_state(struct store *store, enum state_use use, store_work *work, void *context,
                      struct err *err);

/* On the storage thread: returns the parameters for changing messages of a source. */
struct changing store_changing(struct store *store, size_t index);

/* Runs the job on the storage thread and waits for it; batches are added to the model, if any. */
bool store_run(struct store *store, struct job *job, struct model *model, struct err *err);

#endif
