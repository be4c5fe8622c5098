/* The store: all sources behind one storage thread, and the verbs on them.
 *
 * The calling thread never touches a mailbox file. It hands jobs to the storage thread and takes
 * results from a queue with a descriptor; the calls below do both and wait. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/log.h"
#include "mail/fate.h"
#include "mail/model.h"
#include "mail/update.h"
#include "store/change.h"
#include "store/cleanup.h"
#include "store/deliver.h"
#include "store/load.h"
#include "store/source.h"
#include "store/tasks.h"

struct agents_world;
struct config;
struct store;

struct store_options {
    const char *const
        *sources; /* [FORMAT:]PATH each; none: discovered from the working directory */
    size_t source_count;
    const char *identity; /* NULL: the layout's own */
    const char *swarms;   /* NULL: the layout's usual place */
    bool sourceless;      /* none to be found is no error */
    bool readonly;        /* every verb that writes is refused */
    struct log *log;      /* borrowed; NULL for none */
    /* Called on the calling thread with what is waited for while a verb is at work; may be NULL. */
    void (*tell)(void *context, const char *sentence);
    void *tell_context;
};

/* NULL on failure. Starts the storage thread. */
struct store *store_open(const struct store_options *options, struct err *err);
void store_close(struct store *store);

/* Borrowed until store_close(). */
const struct source *store_source(const struct store *store, size_t index);

/* Adds what is wanted of all sources to the model, and settles it. */
bool store_load(struct store *store, const struct load *load, struct model *model, struct err *err);

/* Reads one message again, whole. The result lives in the batch; the head may have changed. */
struct message *store_fetch(struct store *store, const struct message *message, struct batch *batch,
                            struct err *err);

/* The bytes of the message's file as they are now. */
bool store_raw(struct store *store, const struct message *message, struct str *bytes,
               struct err *err);

struct send_options {
    bool create;             /* a mailbox nobody has yet may be made */
    enum verify verify;      /* how sure to be that it stays there */
    uint32_t source;         /* where to; STORE_ANY finds the source that knows the recipient */
    struct span answers_box; /* an answer to a message in this box; or absent */
};

#define STORE_ANY UINT32_MAX

/* Sends one message. The id goes into letter->id. */
bool store_send(struct store *store, struct letter *letter, const struct send_options *options,
                struct err *err);

/* Fills in the answer to a message, whose data must be there. Texts live in the arena. */
bool store_prepare_reply(struct store *store, const struct message *original, struct draft *draft,
                         struct arena *arena, struct err *err);

/* What a broadcast became. */
struct broadcast {
    struct letter *letters;
    size_t count;
    struct agent_names members;
    struct span_list reached; /* where one message is for all: who gets it */
    struct arena arena;
};

/* Sends to each member of a swarm (an absent name: of all swarms) but the sender and those in
 * `exclude`. ERR_ABSENT when nobody is left. The caller frees the result in any case. */
bool store_broadcast(struct store *store, const struct draft *draft, struct span swarm,
                     const struct span_list *exclude, enum verify verify, struct broadcast *result,
                     struct err *err);
void broadcast_free(struct broadcast *broadcast);

/* Changes the status of messages; see change.h. With --readonly all of them are refused. */
void store_change(struct store *store, struct message *const *messages, size_t count,
                  enum status status, struct span note, struct changed *outcomes);

/* Notes that the person has looked at these messages, here only. */
bool store_mark_seen(struct store *store, struct message *const *messages, size_t count,
                     struct err *err);

size_t store_source_count(const struct store *store);

/* Why local marks could not be read by the last load, or NULL. */
const char *store_state_problem(const struct store *store);

/* Cleans one source up, or empties the inbox of AGENT@TEAM in it; see cleanup.h. */
bool store_cleanup(struct store *store, uint32_t source, const struct cleaning *cleaning,
                   struct span clear, struct cleaned *result, struct err *err);

struct watch_options {
    unsigned want;               /* enum message_want of what is told */
    unsigned want_shared;        /* besides, of files that hold many */
    bool poll;                   /* look every second instead of being told */
    const struct config *config; /* borrowed; NULL: what is known of agents is not told */
};

enum news_kind {
    NEWS_UPDATE, /* files of a source changed, or were met */
    NEWS_READY,  /* everything that was there at the start has been told */
    NEWS_KNOWN,  /* rosters, tasks or the outbox changed, or may have; see agents.h */
    NEWS_HEALTH, /* how a source is watched has changed; the text says how */
};

struct news {
    enum news_kind kind;
    uint32_t source;            /* NEWS_HEALTH */
    char *text;                 /* NEWS_HEALTH */
    struct agents_world *world; /* NEWS_KNOWN */
    struct update update;       /* NEWS_UPDATE */
};

void news_free(struct news *news);

/* From now on the storage thread watches all sources and tells what changes, what is there first.
 * Returns at once. */
void store_watch(struct store *store, const struct watch_options *options);
/* Ends it; what has been told and not been taken is dropped. */
void store_unwatch(struct store *store);
/* Readable when there may be news. */
int store_fd(const struct store *store);
/* The next piece of news; false at once when there is none. The caller frees it. */
bool store_next(struct store *store, struct news *news);

/* What AGENT or AGENT@TEAM means in a source; see address.h. */
bool store_address(struct store *store, uint32_t source, struct span text, struct address *address,
                   struct arena *arena, struct err *err);

/* Everybody who has a box in a source or is on its rosters. The caller frees the names. */
bool store_names(struct store *store, uint32_t source, struct agent_names *names, struct err *err);

/* The layout's own list of work; see tasks.h. The caller frees it. */
bool store_tasks(struct store *store, uint32_t source, struct tasks *tasks, struct err *err);

/* The outbox. Listing gives everything that is not done; retrying and dropping take one of them. */
bool store_outbox(struct store *store, struct outbox *outbox, struct err *err);
bool store_outbox_retry(struct store *store, int64_t number, struct err *err);
bool store_outbox_drop(struct store *store, int64_t number, struct err *err);

/* What was noted here on what was sent in these sources by who we are there. The caller frees the
 * notes. */
bool store_sent(struct store *store, struct fate_notes *notes, struct err *err);
/* How a source treats what is sent there. */
struct fate_source store_fate_source(const struct store *store, size_t index);

#endif
