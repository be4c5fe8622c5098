/* The inside of a store, private to its verbs. */
#ifndef STORE_STORE_PRIVATE_H
#define STORE_STORE_PRIVATE_H

#include "base/thread.h"
#include "store/source/recipient.h"
#include "store/store.h"

struct store {
    struct source *sources;
    size_t source_count;
    bool readonly;
    bool unrecovered; /* store_recover() is still to be called */
    int64_t opened_us;
    struct span_list coming;   /* directories that would be sources if they existed */
    struct arena coming_texts; /* their paths */
    bool lasting;              /* the store is open for long: roots may be removed and made again
                                * meanwhile */
    bool own_only;             /* loads return only messages to or from who we are */
    struct state *state;       /* NULL until it is needed */
    struct err state_problem;  /* why it cannot be read */
    struct log *log;
    void (*tell)(void *context, const char *sentence);
    void *report_context;
    struct worker *worker;      /* that owns the store, and passes on what is told; or NULL */
    struct loading *unfinished; /* see store_finish_loads() */
    struct beside finishing;    /* the thread that does that beside the caller */
    struct searcher *searcher;  /* NULL before the first search */
};

/* Finishes what earlier processes left unfinished; without a state the outbox has nothing. */
void store_recover(struct store *store);

/* False, with the reason, if the store is read-only. */
bool store_may_write(const struct store *store, struct err *err);

/* Finds the agent that AGENT or AGENT@TEAM means, and its source. Exactly
 * one source whose layout supports the verb may know it. A new mailbox is made only if there is
 * exactly one such source. ERR_NONE if no source supports it. */
bool store_find_recipient(const struct store *store, struct span to, enum verb verb,
                          enum recipient_rule rule, size_t *index, struct address *address,
                          struct arena *arena, struct err *err);

/* Returns the local state, opened at the first use; created only with `create`. NULL, with the
 * reason, if it cannot be opened; ERR_ABSENT if there is none. */
struct state *store_state(struct store *store, bool create, struct err *err);

/* Like store_state() without creating, for reading: keeps the failure for store_state_problem(). */
struct state *store_state_to_read(struct store *store);

/* Like store_state() without creating, but without one succeeds with NULL: then nothing is in
 * it. */
bool store_state_if_any(struct store *store, struct state **state, struct err *err);
/* Like store_state() with creating; refused in a read-only store. */
struct state *store_state_to_write(struct store *store, struct err *err);

/* Returns the parameters for changing messages of a source. */
struct changing store_changing(struct store *store, size_t index);

#endif
