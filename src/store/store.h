/* The store: all sources behind one storage thread, and the verbs on them.
 *
 * The calling thread never touches a mailbox file. It hands jobs to the storage thread and takes
 * results from a queue with a descriptor; the calls below do both and wait. */
#ifndef STORE_STORE_H
#define STORE_STORE_H

#include "base/log.h"
#include "mail/message/message.h"
#include "mail/message/model.h"
#include "mail/sent/delivery_status.h"
#include "store/change/change.h"
#include "store/change/cleanup.h"
#include "store/scan/load.h"
#include "store/send/deliver.h"
#include "store/send/preview.h"
#include "store/source/source.h"
#include "store/source/task_list.h"

struct agents_world;
struct confine;
struct config;
struct store;

struct store_options {
    /* [FORMAT:]PATH each; none: those of the config, and those that are discovered */
    const char *const *sources;
    size_t source_count;
    const struct config *config; /* borrowed until it is open; NULL: nothing is set */
    const char *identity;        /* NULL: the config's, or else the layout's own */
    const char *swarms;          /* NULL: the layout's usual place */
    bool sourceless;             /* none to be found is no error */
    bool local_only;             /* no source at all: only what is kept here can be asked for */
    bool readonly;               /* every verb that writes is refused */
    bool bystander;              /* what others could not finish is left to them */
    bool patient;                /* what others could not finish is finished without waiting */
    bool lasting;                /* roots that are made again are opened again */
    bool absent;                 /* a source that is not there just now is no error */
    struct log *log;             /* borrowed; NULL for none */
    /* Called on the calling thread with what is waited for while a verb is at work, and with which
     * sources of the config are left out and why; may be NULL. */
    void (*tell)(void *context, const char *sentence);
    void *tell_context;
    /* Called with tell_context when the sources are known, before the store has a thread; may be
     * NULL. */
    void (*found)(void *context, const struct store *store);
};

/* NULL on failure. Starts the storage thread. */
struct store *store_open(const struct store_options *options, struct err *err);
void store_close(struct store *store);

/* Borrowed until store_close(). */
const struct source *store_source(const struct store *store, size_t index);

/* From now on who we are is one agent in each source, whatever others are called alike; see
 * address_narrow(). */
bool store_be_one(struct store *store, struct err *err);
/* From now on loads leave out whatever is neither to nor from who we are in its source. */
void store_own_only(struct store *store);

/* Adds what is wanted of all sources to the model, and settles it. */
bool store_load(struct store *store, const struct load *load, struct model *model, struct err *err);

/* Reads one message again, whole. The result lives in the batch and borrows from the head that was
 * given, its place above all; the head may have changed. */
struct message *store_fetch(struct store *store, const struct message *message, struct batch *batch,
                            struct err *err);

/* The bytes of the message's file as they are now. */
bool store_raw(struct store *store, const struct message *message, struct str *bytes,
               struct err *err);

/* Appends the object that stands for a message in JSON, as one line; see render_json(). */
void store_add_json(const struct store *store, struct str *out, const struct message *message);

struct send_options {
    bool create;             /* a mailbox nobody has yet may be made */
    enum verify verify;      /* how sure to be that it stays there */
    uint32_t source;         /* where to; STORE_ANY finds the source that knows the recipient */
    struct span answers_box; /* an answer to a message in this box; or absent */
    bool thread_is_local;    /* its thread is one of thread_source, and left out elsewhere, also
                                where messages of the layout name no thread */
    uint32_t thread_source;
    const struct send_hooks *hooks; /* who is asked on the way; or NULL */
};

#define STORE_ANY UINT32_MAX

/* Sends one message. The id goes into letter->id. */
bool store_send(struct store *store, struct outgoing_message *letter,
                const struct send_options *options, struct err *err);

/* Shows what store_send() would do with the letter, to the byte, and writes nothing; refused for
 * the same reasons, and allowed in a store for reading. The letter can be sent afterwards, as it
 * was shown: keep the preview until then, the letter borrows its id from it. */
bool store_preview(struct store *store, struct outgoing_message *letter,
                   const struct send_options *options, struct preview *preview, struct err *err);

/* Fills in the answer to a message, whose data must be there. Texts live in the arena. It goes to
 * who wrote the message or, when that is the draft's own author, to who got it. */
bool store_prepare_reply(struct store *store, const struct message *original, struct draft *draft,
                         struct arena *arena, struct err *err);

/* How an answer to that message is sent. Borrows from it. */
struct send_options store_answer_options(const struct message *original);
/* Whether who is called that (absent: who we are there) is done with a message by answering it: it
 * is to be archived then. */
bool store_ends_by_answer(const struct store *store, const struct message *message,
                          struct span self);
/* Archives it if so, when the answer is sent. */
bool store_end_by_answer(struct store *store, struct message *message, struct span self,
                         bool *archived, struct err *err);
/* For a new message that names the one it answers in `reply_to`: completes its id, and finds the
 * thread as the layout's own writer would. Loads everything into the model, which the draft then
 * borrows from. An id that nobody knows is sent as it stands: then *found is false. */
bool store_join_thread(struct store *store, struct draft *draft, struct model *model, bool *found,
                       struct err *err);

/* Who does not get a broadcast. */
struct left_out {
    struct span name;
    const char *why; /* in a few words */
};

/* What a broadcast became, or would become. */
struct broadcast {
    uint32_t source;
    struct outgoing_message *letters;
    size_t count;
    struct agent_names members;
    struct span_list reached; /* where one message is for all: who gets it */
    struct preview *previews; /* of each letter, when it was only looked at; else NULL */
    struct left_out *left_out;
    size_t left_out_count;
    struct arena arena;
};

/* Sends to each member of a swarm (an absent name: of all swarms) but the sender and those in
 * `exclude`. ERR_ABSENT when nobody is left. The caller frees the result in any case. */
bool store_broadcast(struct store *store, const struct draft *draft, struct span swarm,
                     const struct span_list *exclude, enum verify verify, struct broadcast *result,
                     struct err *err);
void broadcast_free(struct broadcast *broadcast);

/* Shows what store_broadcast() would do and writes nothing: every letter with its preview. `source`
 * may be STORE_ANY. */
bool store_preview_broadcast(struct store *store, const struct draft *draft, uint32_t source,
                             struct span swarm, const struct span_list *exclude,
                             struct broadcast *plan, struct err *err);
/* Sends it as it was shown, to those who were shown, whoever has come or gone since. Once. The
 * texts of the draft must still be there. */
bool store_broadcast_plan(struct store *store, struct broadcast *plan, enum verify verify,
                          struct err *err);

/* Changes the status of messages; see change.h. With --readonly all of them are refused. */
void store_change(struct store *store, struct message *const *messages, size_t count,
                  enum status status, struct span note, struct changed *outcomes);

/* Marks messages as completed and archives them in one step. */
void store_complete(struct store *store, struct message *const *messages, size_t count,
                    struct changed *outcomes);

/* The same as store_change(), and adds to `records` what store_take_back() needs, for each that was
 * changed. */
void store_change_recorded(struct store *store, struct message *const *messages, size_t count,
                           enum status status, struct span note, struct changed *outcomes,
                           struct change_records *records);

/* Takes recorded changes back, the last one first, and fills an outcome for each record; see
 * restore.h. To make them again: store_change() with the messages of the records. */
void store_take_back(struct store *store, const struct change_records *records,
                     struct changed *outcomes);

/* Brings messages back out of the archive, where the layout and its owner permit it. What they were
 * before is told by what is kept in the archive: a record, where there is one, knows better. */
void store_restore(struct store *store, struct message *const *messages, size_t count,
                   struct changed *outcomes);
/* The same, and adds a record for each that came back: of its way into the archive, as it was told.
 * Their messages can be archived again by store_change_recorded(). */
void store_restore_recorded(struct store *store, struct message *const *messages, size_t count,
                            struct changed *outcomes, struct change_records *records);

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
    /* For who is confined, borrowed; NULL: nobody is. A root that comes back out of reach stays
     * lost. */
    const struct confine *confine;
    /* While a source is gone nothing is told of its messages: whoever shows them keeps them. Else
     * they are gone, too. */
    bool keep_gone;
};

enum news_kind {
    NEWS_UPDATE, /* files of a source changed, or were met */
    NEWS_READY,  /* everything that was there at the start has been told */
    NEWS_KNOWN,  /* rosters, tasks or the outbox changed, or may have; see agents.h */
    NEWS_KEPT,   /* drafts or snoozes changed, or may have; those before NEWS_READY are not told */
    NEWS_HEALTH, /* how a source is watched has changed; the text says how */
    NEWS_SOURCE, /* a source is gone, or back, or one has come; the text says so */
    NEWS_DONE,   /* work that was begun is done */
};

struct news {
    enum news_kind kind;
    uint32_t source;            /* NEWS_HEALTH, NEWS_SOURCE; UINT32_MAX: not among the sources */
    char *text;                 /* NEWS_HEALTH, NEWS_SOURCE */
    bool gone;                  /* NEWS_SOURCE: it cannot be read, or is not there */
    bool reopen;                /* NEWS_SOURCE: who opens all sources anew can read it */
    struct agents_world *world; /* NEWS_KNOWN */
    struct update update;       /* NEWS_UPDATE */
    void *done;                 /* NEWS_DONE: the context of the work; not freed with the news */
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

/* In work that was begun: notes what is to be told first the next time; see foremost.h. */
void store_keep_first_screen(struct store *store, uint32_t source, const struct span_list *parts);

/* Lets the storage thread do work(store, context), in which the verbs of this file run in place,
 * and returns at once. Its end is told by NEWS_DONE, unless the store is closed before that: then
 * the work has ended when store_close() returns. */
void store_begin(struct store *store, void (*work)(struct store *store, void *context),
                 void *context);

/* What AGENT or AGENT@TEAM means in a source; see address.h. */
bool store_address(struct store *store, uint32_t source, struct span text, struct address *address,
                   struct arena *arena, struct err *err);

/* Everybody who has a box in a source or is on its rosters. The caller frees the names. */
bool store_names(struct store *store, uint32_t source, struct agent_names *names, struct err *err);

/* The layout's own list of work; see tasks.h. The caller frees it. */
bool store_tasks(struct store *store, uint32_t source, struct tasks *tasks, struct err *err);

/* The outbox. Listing gives everything that is not done; retrying and dropping take one of them. */
bool store_outbox(struct store *store, struct outbox *outbox, struct err *err);
/* One of them with its bytes, just to look at. */
bool store_outbox_look(struct store *store, int64_t number, struct outbox *outbox, struct err *err);
bool store_outbox_retry(struct store *store, int64_t number, struct err *err);
bool store_outbox_drop(struct store *store, int64_t number, struct err *err);
/* Does what is due there, as every store does when it is opened; see outbox.h. To be called again
 * at `next_us`, by the steady clock, and when the outbox or, with something queued, mail has
 * changed; TIME_NONE: nothing is on its way. */
bool store_outbox_work(struct store *store, int64_t *next_us, struct err *err);

/* What was noted here on what was sent in these sources by who we are there. The caller frees the
 * notes. */
bool store_sent(struct store *store, struct delivery_notes *notes, struct err *err);
/* How a source treats what is sent there. */
struct delivery_source store_delivery_source(const struct store *store, size_t index);

#endif
