/* The storage thread, inside: how verbs become its work. */
#ifndef STORE_STORE_PRIVATE_H
#define STORE_STORE_PRIVATE_H

#include "base/queue.h"
#include "store/source/recipient.h"
#include "store/store.h"

/* Work for the storage thread. The one who posts it owns it and waits for it. */
struct job {
    struct queue_item item;
    bool (*run)(struct job *job, struct store *store, struct err *err); /* NULL ends the thread */
    struct err err;
    bool ok;
    bool unattended; /* nobody waits: the storage thread frees it */
};

/* What the storage thread has to say. */
struct event {
    struct queue_item item;
    struct job *done;   /* this job ended, or NULL */
    char *sentence;     /* else: for the person, or NULL */
    struct news *news;  /* else: of what is watched, or NULL */
    struct batch batch; /* else: messages that were read */
};

struct store {
    struct source *sources;
    size_t source_count;
    bool readonly, started;
    int64_t opened_us;
    struct span_list coming; /* directories that would be sources if they were there; owned */
    bool lasting;        /* it is open for long: roots may be removed and made again meanwhile */
    bool own_only;       /* loads give nothing that is neither to nor from who we are */
    struct state *state; /* of the storage thread; NULL until it is needed */
    struct err state_problem; /* why it cannot be had for reading */
    struct log *log;
    void (*tell)(void *context, const char *sentence);
    void *tell_context;
    pthread_t thread;
    struct queue jobs, events;
    struct loading *unfinished; /* of the storage thread: to be done when nobody waits for it */
    struct model *filling;      /* of the storage thread: where work that runs there loads to */
    struct watch *watch;        /* of the storage thread; NULL: nothing is watched */
    struct searcher *searcher;  /* of the storage thread; NULL: nothing was sought yet */
    struct queue_item *news, **news_last; /* that came while somebody waited for a job */
};

/* From the storage thread: takes the news over and hands it to whoever watches. */
void store_post(struct store *store, const struct news *news);

/* False, with the reason, in a store that is only for reading. */
bool store_may_write(const struct store *store, struct err *err);

/* From the storage thread: the one that AGENT or AGENT@TEAM means, and the source it is in: exactly
 * one of those whose layout has a way for the verb may know them. A new mailbox is made only where
 * one such source is there. ERR_NONE when none is. */
bool store_find_recipient(const struct store *store, struct span to, enum verb verb,
                          enum recipient_rule rule, size_t *index, struct address *address,
                          struct arena *arena, struct err *err);

/* The local state, opened when it is first needed; made only with `create`. NULL, with the reason,
 * when it cannot be had; ERR_ABSENT when there is none. On the storage thread only. */
struct state *store_state(struct store *store, bool create, struct err *err);

/* The same for reading: why there is none is kept for store_state_problem(). */
struct state *store_state_to_read(struct store *store);

/* Work on the local state. */
typedef bool store_work(void *context, struct state *state, struct err *err);
enum state_use {
    STATE_LOOK,   /* it is not made: ERR_ABSENT when there is none */
    STATE_IF_ANY, /* the same, and without one nothing is to be done */
    STATE_MAKE,   /* it is made if need be; refused in a store that is only for reading */
};
/* Runs work(context) on the storage thread with the state, and waits for it. */
bool store_with_state(struct store *store, enum state_use use, store_work *work, void *context,
                      struct err *err);

/* From the storage thread: what a change of messages in a source runs with. */
struct changing store_changing(struct store *store, size_t index);

/* Runs the job on the storage thread and waits for it; batches go into the model, if any. */
bool store_run(struct store *store, struct job *job, struct model *model, struct err *err);

#endif
