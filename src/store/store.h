/* The store: all sources, and the verbs on them.
 *
 * A verb works on the thread that calls it, and returns when it is done. A store belongs to one
 * thread at a time; worker.h has threads that own one. */
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

struct config;
struct store;

struct store_options {
    /* [FORMAT:]PATH each; with none, the sources of the config and those that are discovered */
    const char *const *sources;
    size_t source_count;
    const struct config *config; /* borrowed until store_open() returns; NULL if nothing is
                                  * configured */
    const char *identity;        /* NULL for that of the config, or else the layout's default */
    const char *swarms;          /* NULL for the layout's default place */
    bool sourceless;             /* finding no source is not an error */
    bool local_only;             /* open no source: only the local state can be used */
    bool readonly;               /* refuse every verb that writes */
    bool bystander;              /* do not finish what other processes left unfinished */
    bool patient;                /* leave it to the worker that gets the store */
    bool lasting;                /* open roots again that are removed and made again */
    bool absent;                 /* a source that is absent just now is not an error */
    struct log *log;             /* borrowed; NULL for none */
    /* Called on the thread that called the verb, while it works, with what it waits for; and with
     * the sources of the config that are left out, and why. May be NULL. */
    void (*tell)(void *context, const char *sentence);
    void *report_context;
    /* Called with report_context when the sources are known; may be NULL. */
    void (*found)(void *context, const struct store *store);
};

/* Opens the sources. NULL on failure. Release with store_close(). */
struct store *store_open(const struct store_options *options, struct err *err);
/* Opens another store, for another thread, with the same sources under the same numbers. It is a
 * bystander. NULL on failure. */
struct store *store_copy(const struct store *store, struct err *err);
void store_close(struct store *store);
/* Does what loads have left for later, such as writing caches: call it when nobody waits. The next
 * load and store_close() do it otherwise. Without a worker a thread writes the cache beside the
 * caller, and this waits for its end. */
void store_finish_loads(struct store *store);
/* Opens roots again that were removed and made again. */
void store_follow_roots(struct store *store);

/* Borrowed until store_close(). */
const struct source *store_source(const struct store *store, size_t index);

/* Narrows who we are to one agent in each source from now on, even if others have similar names;
 * see address_narrow(). */
bool store_be_one(struct store *store, struct err *err);
/* Makes later loads leave out all messages that are neither to nor from who we are in their source,
 * before an id is searched for: not even an ambiguous id says anything about others' mail. */
void store_own_only(struct store *store);

/* Adds the messages of all sources that match `load` to the model, and settles it. */
bool store_load(struct store *store, const struct load *load, struct model *model, struct err *err);

/* Reads one message again, with data and body. The result is in the batch and borrows from the
 * given message, in particular its place; its head may differ from the given one if the file has
 * changed. NULL on failure; ERR_ABSENT if the file now holds another message. */
struct message *store_fetch(struct store *store, const struct message *message, struct batch *batch,
                            struct err *err);

/* Appends the bytes of the message's file as they are now. */
bool store_raw(struct store *store, const struct message *message, struct str *bytes,
               struct err *err);

/* Appends the message as a JSON object on one line; see render_json(). */
void store_add_json(const struct store *store, struct str *out, const struct message *message);

struct send_options {
    bool create;             /* allow creating a mailbox that nobody has yet */
    enum verify verify;      /* how certain to be that the message stays there */
    uint32_t source;         /* the target; STORE_ANY finds the source that knows the recipient */
    struct span answers_box; /* the box of the message that this one answers; or absent */
    bool thread_is_local;    /* the thread belongs to thread_source: leave it out in other sources,
                              * also if messages of the layout name no thread */
    uint32_t thread_source;
    const struct send_hooks *hooks; /* checks on the way; or NULL */
};

#define STORE_ANY UINT32_MAX

/* Sends one message. Stores its id in letter->id. */
bool store_send(struct store *store, struct outgoing_message *letter,
                const struct send_options *options, struct err *err);

/* Reports what store_send() would do with the letter, to the byte, and writes nothing. Refused for
 * the same reasons, but allowed in a read-only store. Afterwards the letter can be sent as it was
 * shown: keep the preview until then, since the letter borrows its id from it. */
bool store_preview(struct store *store, struct outgoing_message *letter,
                   const struct send_options *options, struct preview *preview, struct err *err);

/* Fills in the answer to a message, whose data must be loaded. Texts are allocated in the arena.
 * The recipient is the author of the message or, if that is the draft's own author, the recipient
 * of the message. */
bool store_prepare_reply(struct store *store, const struct message *original, struct draft *draft,
                         struct arena *arena, struct err *err);

/* Returns the options for sending an answer to that message. Borrows from it. */
struct send_options store_answer_options(const struct message *original);
/* True if answering the message ends it for the agent `self` (absent: who we are there), so that it
 * must be archived then. */
bool store_ends_by_answer(const struct store *store, const struct message *message,
                          struct span self);
/* Archives the message if store_ends_by_answer(). To be called after the answer is sent. */
bool store_end_by_answer(struct store *store, struct message *message, struct span self,
                         bool *archived, struct err *err);
/* For a new message that names the one it answers in `reply_to`: completes that id, and finds the
 * thread as the layout's own writer would. Loads everything into the model, from which the draft
 * then borrows. An unknown id is sent unchanged: then *found is false. */
bool store_join_thread(struct store *store, struct draft *draft, struct model *model, bool *found,
                       struct err *err);

/* A member that does not get a broadcast. */
struct left_out {
    struct span name;
    const char *why; /* in a few words */
};

/* The outcome, or the planned outcome, of a broadcast. */
struct broadcast {
    uint32_t source;
    struct outgoing_message *letters;
    size_t count;
    struct agent_names members;
    struct span_list reached; /* the recipients, if one message is for all */
    struct preview *previews; /* one per letter, if it was only previewed; else NULL */
    struct left_out *left_out;
    size_t left_out_count;
    struct arena arena;
};

/* Sends to each member of a swarm (an absent name: of all swarms) except the sender and those in
 * `exclude`. ERR_ABSENT if nobody is left. The caller frees the result in any case. */
bool store_broadcast(struct store *store, const struct draft *draft, struct span swarm,
                     const struct span_list *exclude, enum verify verify, struct broadcast *result,
                     struct err *err);
void broadcast_free(struct broadcast *broadcast);

/* Plans what store_broadcast() would do and writes nothing: every letter with its preview. `source`
 * may be STORE_ANY. */
bool store_preview_broadcast(struct store *store, const struct draft *draft, uint32_t source,
                             struct span swarm, const struct span_list *exclude,
                             struct broadcast *plan, struct err *err);
/* Sends the plan as it was shown, to the recipients that were shown, even if members came or left
 * since. Only once per plan. The texts of the draft must still exist. */
bool store_broadcast_plan(struct store *store, struct broadcast *plan, enum verify verify,
                          struct err *err);

/* Changes the status of messages; see change.h. Refused for each of them with --readonly. */
void store_change(struct store *store, struct message *const *messages, size_t count,
                  enum status status, struct span note, struct changed *outcomes);

/* Marks messages as completed and archives them in one step. */
void store_complete(struct store *store, struct message *const *messages, size_t count,
                    struct changed *outcomes);

/* Like store_change(), and adds to `records` what store_undo_change() needs, for each message that
 * was changed. */
void store_change_recorded(struct store *store, struct message *const *messages, size_t count,
                           enum status status, struct span note, struct changed *outcomes,
                           struct change_records *records);

/* Undoes recorded changes, the last one first, and fills one outcome per record; see undo.h. To
 * redo them, call store_change() with the messages of the records. */
void store_undo_change(struct store *store, const struct change_records *records,
                       struct changed *outcomes);

/* Moves messages from the archive back to the inbox, if the layout and the owner permit it. Their
 * former status is derived from what the archive keeps; a record, if there is one, is more
 * precise. */
void store_restore(struct store *store, struct message *const *messages, size_t count,
                   struct changed *outcomes);
/* Like store_restore(), and adds for each restored message a record of its archiving, as far as
 * that is known. store_change_recorded() can archive the messages of these records again. */
void store_restore_recorded(struct store *store, struct message *const *messages, size_t count,
                            struct changed *outcomes, struct change_records *records);

/* Records, locally only, that the person has seen these messages. */
bool store_mark_seen(struct store *store, struct message *const *messages, size_t count,
                     struct err *err);

size_t store_source_count(const struct store *store);

/* Returns why the last load could not read local marks, or NULL. */
const char *store_state_problem(const struct store *store);

/* Cleans up one source, or empties the inbox of AGENT@TEAM (`clear`) in it; see cleanup.h. */
bool store_cleanup(struct store *store, uint32_t source, const struct cleaning *cleaning,
                   struct span clear, struct cleaned *result, struct err *err);

/* Saves the parts of messages that the next session reports first; see first_screen.h. */
void store_keep_first_screen(struct store *store, uint32_t source, const struct span_list *parts);

/* Finds what AGENT or AGENT@TEAM means in a source; see address.h. */
bool store_address(struct store *store, uint32_t source, struct span text, struct address *address,
                   struct arena *arena, struct err *err);

/* Lists all agents that have a box in a source or are on its rosters. The caller frees the
 * names. */
bool store_names(struct store *store, uint32_t source, struct agent_names *names, struct err *err);

/* Reads the layout's own list of work; see task_list.h. The caller frees it. */
bool store_tasks(struct store *store, uint32_t source, struct tasks *tasks, struct err *err);

/* The outbox. store_outbox() lists every entry that is not done; the other calls act on one
 * entry. */
bool store_outbox(struct store *store, struct outbox *outbox, struct err *err);
/* Reads one entry with its bytes. */
bool store_outbox_check(struct store *store, int64_t number, struct outbox *outbox,
                        struct err *err);
bool store_outbox_retry(struct store *store, int64_t number, struct err *err);
bool store_outbox_drop(struct store *store, int64_t number, struct err *err);
/* Does the work that is due in the outbox, as opening a store also does; see outbox.h. Call it
 * again at *next_us, by the steady clock, and when the outbox has changed or, with entries queued,
 * mail has. TIME_NONE if nothing is on its way. */
bool store_outbox_work(struct store *store, int64_t *next_us, struct err *err);

/* Lists the local notes on what we, as who we are in each source, have sent there. The caller frees
 * the notes. */
bool store_sent(struct store *store, struct delivery_notes *notes, struct err *err);
/* Describes how a source treats what is sent there. */
struct delivery_source store_delivery_source(const struct store *store, size_t index);

#endif
