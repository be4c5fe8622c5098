/* libswarmutt: mailboxes of agents, in all layouts, for other programs.
 *
 *     struct swarmutt_error error;
 *     struct swarmutt *mail = swarmutt_open(NULL, &error);
 *     struct swarmutt_list *list = mail ? swarmutt_search(mail, NULL, &error) : NULL;
 *     for (size_t i = 0; list && i < list->count; i++)
 *         use(list->messages[i]);
 *     swarmutt_list_free(list);
 *     swarmutt_close(mail);
 *
 * The library does to mailboxes what the program swarmutt does, with the same guarantees: what it
 * reports as sent is on disk, and nothing is lost, duplicated or damaged if the process is killed
 * at any moment. It keeps what no mailbox can hold in the same place as the program,
 * $XDG_STATE_HOME/swarmutt, so that programs and swarmutt see each other's marks and finish each
 * other's work.
 *
 * Threads. A handle, and everything obtained from it, is used by one thread at a time; different
 * handles are independent. Calls access the mailboxes on the calling thread; a handle that watches
 * has a thread of its own for that, with all signals blocked. After fork() a child must not use or
 * close a handle of its parent.
 *
 * Waiting. Calls return when the work is done: sending may wait for the lock of an agent, and
 * verifies the message after 0.3 s. Watching never blocks.
 *
 * Side effects. The library does not print, end the process, install signal handlers, start
 * programs, or change the locale, the environment or the working directory. SIGPIPE is not raised.
 * A host with a limit on the size of files should ignore SIGXFSZ: the write then fails.
 *
 * Memory. If memory is exhausted, the process ends by abort(): everything that was acknowledged is
 * on disk by then. libcjson, which builds what is sent, allocates memory by the hooks that the
 * process has set in it, or by malloc(). The library does not change the hooks; a host whose hooks
 * may return NULL should set some that do not, as swarmutt does, or a message may lack a field in
 * that case.
 *
 * Failure. Functions return false or NULL and fill in the error, which may be NULL if the caller
 * does not need it. NULL for a required argument, a message of another handle, an unknown flag and
 * a text that is not UTF-8 are refused with SWARMUTT_USAGE.
 *
 * Compatibility. Structures that a caller fills in start with their own size: set all bytes to
 * zero, then `size` to sizeof. Zero always means "not given". A newer library accepts the
 * structures of an older program, and an older library refuses members that it does not know,
 * unless they are zero. Structures that the library returns may get more members at their end:
 * never copy them or take their size. The error and the outcome of a change never grow.
 *
 * Texts that the library returns have a length and are followed by a NUL; `at` is NULL for an
 * absent text. They are UTF-8, except that half a surrogate pair, which JSON can hold, is kept as
 * three bytes. They were written by agents: never print them to a terminal before
 * swarmutt_clean(). */
#ifndef SWARMUTT_H
#define SWARMUTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Incremented whenever something is added to this header. */
#define SWARMUTT_INTERFACE 1

/* Return the interface of the library, and its version for display. They need no handle. */
int swarmutt_interface(void);
const char *swarmutt_version(void);

struct swarmutt;

/* The extent of a failure. */
enum swarmutt_scope {
    SWARMUTT_FINE = 0,        /* no failure */
    SWARMUTT_ABSENT = 1,      /* no such message, thread, box or recipient */
    SWARMUTT_USAGE = 2,       /* the call itself is not valid */
    SWARMUTT_REFUSED = 3,     /* a rule forbids it; nothing was tried */
    SWARMUTT_MESSAGE = 4,     /* this message failed; others may go on */
    SWARMUTT_BOX = 5,         /* this mailbox failed; other boxes may go on */
    SWARMUTT_SOURCE = 6,      /* the whole source is unusable */
    SWARMUTT_UNCONFIRMED = 7, /* something was written, perhaps not all, or not permanently */
};

struct swarmutt_error {
    int scope;       /* enum swarmutt_scope */
    char text[1024]; /* one sentence, with raw names in it: sanitize it for a terminal */
};

struct swarmutt_text {
    const char *at;
    size_t length;
};

/* Times are microseconds since the epoch. */
#define SWARMUTT_NO_TIME INT64_MIN

/* -- Opening ------------------------------------------------------------------------------- */

enum swarmutt_open_flag {
    SWARMUTT_READONLY = 1,  /* everything that would write is refused */
    SWARMUTT_NO_CONFIG = 2, /* the user's config is not read */
    SWARMUTT_NO_SOURCE = 4, /* it is not an error if no mailboxes are found */
};

struct swarmutt_options {
    size_t size;
    /* Each is [FORMAT:]PATH. None: those of the config and those that are found, as the program
     * finds them. Formats are adr, claude, openclaw, inbox and roo. */
    const char *const *sources;
    size_t source_count;
    const char *identity; /* the agent that acts here; NULL: from the environment (Claude), the
                           * config, or the layout */
    const char *swarms;   /* (adr) where swarms are described; NULL: the default place */
    unsigned flags;       /* enum swarmutt_open_flag */
    /* Called during a call, on its thread, with a sentence on what it waits for or has left out;
     * may be NULL. It must not use the handle. */
    void (*tell)(void *context, const char *sentence);
    void *tell_context;
};

/* Opens mailboxes. NULL options: all that can be found. The options need not outlive the call.
 * Returns NULL on failure. The caller closes the handle. */
struct swarmutt *swarmutt_open(const struct swarmutt_options *options,
                               struct swarmutt_error *error);

/* Ends all work and frees the handle. Free lists, receipts and events obtained from it first. NULL
 * is allowed. */
void swarmutt_close(struct swarmutt *mail);

struct swarmutt_source {
    const char *format;   /* adr, claude, openclaw, inbox, roo */
    const char *title;    /* the format's name for display */
    const char *path;     /* absolute */
    const char *identity; /* the agent that acts there */
    const char *team;     /* of that identity, or NULL */
    const char *problem;  /* the problem with its settings, as a sentence, or NULL */
};

/* Returns the number of open mailbox trees; 0 for NULL. */
size_t swarmutt_source_count(const struct swarmutt *mail);
/* Returns one of them, counted from 0; NULL if there is none. Borrowed until the handle is
 * closed. */
const struct swarmutt_source *swarmutt_source(const struct swarmutt *mail, size_t index);

/* -- Reading ------------------------------------------------------------------------------- */

enum swarmutt_priority {
    SWARMUTT_NO_PRIORITY = 0, /* unreadable; in a draft: normal */
    SWARMUTT_LOW = 1,
    SWARMUTT_NORMAL = 2,
    SWARMUTT_HIGH = 3,
    SWARMUTT_URGENT = 4,
};

enum swarmutt_status {
    SWARMUTT_NO_STATUS = 0, /* unreadable */
    SWARMUTT_UNREAD = 1,
    SWARMUTT_READ = 2,
    SWARMUTT_PROCESSING = 3,
    SWARMUTT_FAILED = 4,
    SWARMUTT_COMPLETED = 5,
    SWARMUTT_ARCHIVED = 6,
};

/* A message in the model that all layouts share. Members that the layout or the message does not
 * have are absent. The members after the empty line are absent if only the head was read. */
struct swarmutt_message {
    struct swarmutt_text id;   /* as in its layout; several messages may have the same one */
    struct swarmutt_text name; /* unique: the absolute path, and #ID if a file has several */
    struct swarmutt_text path; /* its file, absolute */
    size_t source;             /* for swarmutt_source() */
    struct swarmutt_text team, box, from, to, subject, type, thread, reply_to;
    const char *kind; /* message, question, handoff, escalation, plan, permission, host,
                       * shutdown, task, mode, rules, idle */
    int priority;     /* enum swarmutt_priority */
    int status;       /* enum swarmutt_status, including local marks */
    int64_t created_us, expires_us; /* or SWARMUTT_NO_TIME */
    bool requires_response;
    bool archived;       /* it is in an archive, or is marked locally as archived */
    bool to_us;          /* it is to the identity of its source, alone or among others */
    bool by_us;          /* the identity of its source wrote it */
    const char *damaged; /* why its file cannot be parsed as a message, as a sentence; else NULL */
    const char *const *remarks; /* other problems with it, one sentence each */
    size_t remark_count;

    struct swarmutt_text body;
    struct swarmutt_text context, payload, protocol; /* JSON, as in the file */
    struct swarmutt_text attachments, tags;          /* JSON arrays of strings */
    int64_t read_us, completed_us;                   /* or SWARMUTT_NO_TIME */
};

/* Messages, owned by the caller. They are as they were when they were read. */
struct swarmutt_list {
    size_t count;
    const struct swarmutt_message *const *messages;
};

void swarmutt_list_free(struct swarmutt_list *list);

enum swarmutt_search_flag {
    SWARMUTT_IN_INBOX = 1,   /* messages that are not archived; the default if neither is given */
    SWARMUTT_IN_ARCHIVE = 2, /* archived messages; implied by a query for is:archived */
    SWARMUTT_BODIES = 4,     /* include bodies */
    SWARMUTT_AS_AGENT = 8,   /* the messages that the program of `agent` itself would find in the
                              * inbox: neither damaged nor expired, with the marks of that agent */
};

enum swarmutt_order {
    SWARMUTT_OLDEST_FIRST = 0,
    SWARMUTT_NEWEST_FIRST = 1,
    SWARMUTT_BY_URGENCY = 2, /* priority first, then the oldest */
};

struct swarmutt_wanted {
    size_t size;
    const char *query; /* in the query language of swarmutt(1); NULL: everything */
    const char *agent; /* only the box of AGENT or AGENT@TEAM; NULL: all boxes */
    unsigned flags;    /* enum swarmutt_search_flag */
    int order;         /* enum swarmutt_order */
    size_t most;       /* limit; 0: all */
};

/* Returns the messages that a query finds; an empty list is not a failure. NULL for `wanted`: the
 * inboxes of all agents. Bodies are included only if requested, or if the query needed them. The
 * caller frees the list. */
struct swarmutt_list *swarmutt_search(struct swarmutt *mail, const struct swarmutt_wanted *wanted,
                                      struct swarmutt_error *error);

/* Returns the one message with this id, or with a unique id that starts with it, or with this name
 * or path. A list of one, head only. SWARMUTT_ABSENT if there is none, SWARMUTT_REFUSED if several
 * match. */
struct swarmutt_list *swarmutt_find(struct swarmutt *mail, const char *id,
                                    struct swarmutt_error *error);

/* Returns the conversation of the message that swarmutt_find() would find, or that has this thread
 * id, oldest message first, including archived ones, heads only. */
struct swarmutt_list *swarmutt_thread(struct swarmutt *mail, const char *id,
                                      struct swarmutt_error *error);

/* A conversation: a thread, all idle notices of one agent to another, or one damaged message. */
struct swarmutt_talk {
    struct swarmutt_text id, subject;
    const char *kind; /* of the most demanding message; or damaged */
    int priority;     /* enum swarmutt_priority: the highest of the open messages, else of all */
    size_t unread;    /* messages not read by their recipients */
    int64_t last_us;
    struct swarmutt_text waits_on; /* who was asked something; absent: it waits for nobody */
    int64_t waits_us;              /* since when, or SWARMUTT_NO_TIME */
    bool waits_for_us;             /* it waits for the identity of the source */
    bool archived;                 /* all messages are archived */
    struct swarmutt_text stuck, stuck_why; /* an agent that may be stuck, and the evidence for it */
    size_t count;
    const struct swarmutt_message *const *messages; /* oldest first, without bodies */
};

/* Conversations with their messages, owned by the caller. */
struct swarmutt_talks {
    size_t count;
    const struct swarmutt_talk *const *talks;
};

void swarmutt_talks_free(struct swarmutt_talks *talks);

/* Returns the conversations in which the query (NULL: any) finds a message, the most pressing
 * first, as `swarmutt list` orders them. Of the search flags it accepts SWARMUTT_IN_INBOX, which is
 * implied, and SWARMUTT_IN_ARCHIVE, for conversations that are archived as a whole. */
struct swarmutt_talks *swarmutt_talks(struct swarmutt *mail, const char *query, unsigned flags,
                                      struct swarmutt_error *error);

/* Returns the message as it is now, whole, as a list of one. Finds it in the archive if it was
 * moved there. Of a damaged message it returns as much as can be read, or fails. Nothing is
 * marked. */
struct swarmutt_list *swarmutt_fetch(struct swarmutt *mail, const struct swarmutt_message *message,
                                     struct swarmutt_error *error);

/* Returns the bytes of the message in its file as it is now, followed by a NUL. Freed by
 * swarmutt_free(). `length` may be NULL. */
char *swarmutt_raw(struct swarmutt *mail, const struct swarmutt_message *message, size_t *length,
                   struct swarmutt_error *error);

/* Returns one line of JSON in ASCII, as `swarmutt messages --json` prints it, with the members that
 * the message has loaded; members that were not requested are null. Freed by swarmutt_free(). */
char *swarmutt_json(struct swarmutt *mail, const struct swarmutt_message *message,
                    struct swarmutt_error *error);

/* Frees what swarmutt_raw(), swarmutt_json() and swarmutt_clean() returned. NULL is allowed. */
void swarmutt_free(char *text);

/* Returns a copy that is safe for a terminal: controls, and characters that are invisible or change
 * the direction of text, are escaped; without `lines` newlines and tabs are escaped, too.
 * Characters beyond ASCII are kept only if the process has a locale with UTF-8. Freed by
 * swarmutt_free(); NULL for NULL. */
char *swarmutt_clean(const char *text, size_t length, bool lines);

/* -- Writing ------------------------------------------------------------------------------- */

enum swarmutt_send_flag {
    SWARMUTT_CREATE = 1,       /* a mailbox that does not exist yet may be created */
    SWARMUTT_VERIFY_TWICE = 2, /* verify again after 2 s, too */
    SWARMUTT_VERIFY_NEVER = 4, /* do not verify */
    SWARMUTT_PREVIEW = 8,      /* write nothing: only report what would be written, and where */
};

/* A message to send. All texts are UTF-8 and borrowed for the call. A member that the layout cannot
 * store is refused, unless it is only a hint. */
struct swarmutt_draft {
    size_t size;
    const char *to;      /* AGENT or AGENT@TEAM */
    const char *from;    /* NULL: the identity of that source */
    const char *subject; /* required, except for answers */
    const char *body;
    const char *type; /* NULL: the layout's plain message */
    int priority;     /* enum swarmutt_priority */
    const char *const *tags;
    size_t tag_count;
    const char *const *attachments; /* paths, sent as text */
    size_t attachment_count;
    const char *payload, *context; /* JSON objects */
    uint64_t lasts_s;              /* lifetime in seconds; 0: for ever */
    const char *thread, *reply_to, *swarm;
    bool requires_response;
    unsigned flags; /* enum swarmutt_send_flag */
    size_t source;  /* 1 + the index of the source to send to; 0: the one that has the recipient */
};

/* A handoff: the information for the next agent; swarmutt(1) documents each member. */
struct swarmutt_handoff {
    size_t size;
    const char *done, *state; /* required */
    const char *state_file, *job, *notes;
    const char *const *next_steps;
    size_t next_step_count;
    const char *const *blockers;
    size_t blocker_count;
    const char *const *files_modified;
    size_t file_modified_count;
    const char *const *files_created;
    size_t file_created_count;
    const char *const *dependencies;
    size_t dependency_count;
    const char *const *escalations;
    size_t escalation_count;
    const char *additional_notes; /* for the text of the message; `notes` are for the context */
};

enum swarmutt_fate {
    SWARMUTT_DELIVERED = 1, /* it is in the mailbox, and on disk unless the call failed */
    SWARMUTT_VERIFIED = 2,  /* it was verified afterwards: it was there, or had been taken */
    SWARMUTT_QUEUED = 4,    /* its slot is occupied: it is kept in the outbox and sent later */
    SWARMUTT_PREVIEWED = 8, /* nothing was written */
    SWARMUTT_NEW_BOX = 16,  /* (preview) the mailbox would be created */
    SWARMUTT_ENTRY = 32,    /* (preview) `bytes` are one entry of a file that holds several */
    SWARMUTT_PUT_AWAY = 64, /* (answer) the answered message was archived, as its layout requires */
    SWARMUTT_TAKEN = 128,   /* its recipient had taken it when it was verified */
};

struct swarmutt_receipt {
    struct swarmutt_text id, from, to;
    unsigned fate;              /* enum swarmutt_fate */
    size_t source;              /* for swarmutt_source() */
    const char *warning;        /* a warning for the sender, as a sentence, or NULL */
    struct swarmutt_text path;  /* (preview) the path it would have */
    struct swarmutt_text bytes; /* (preview) what would be written there */
};

struct swarmutt_left_out {
    struct swarmutt_text name;
    const char *why; /* in a few words */
};

/* The outcome of sending, one receipt for each message that was written or, in a preview, would
 * be. */
struct swarmutt_sent {
    size_t count;
    const struct swarmutt_receipt *const *receipts;
    /* Of a broadcast: who gets it if one message is for all, and who does not. */
    size_t reached_count;
    const struct swarmutt_text *reached;
    size_t left_out_count;
    const struct swarmutt_left_out *const *left_out;
};

void swarmutt_sent_free(struct swarmutt_sent *sent);

/* For all of these: *sent, if `sent` is not NULL, is set to the receipts if there are any, and to
 * NULL otherwise; the caller frees it. There may be receipts after a failure, too: then the scope
 * is SWARMUTT_UNCONFIRMED and the receipts report what was written nevertheless. Every message is
 * recorded in the outbox before a mailbox is changed. */

bool swarmutt_send(struct swarmutt *mail, const struct swarmutt_draft *draft,
                   struct swarmutt_sent **sent, struct swarmutt_error *error);

/* Answers a message: subject, recipient and thread are those of the message; of the draft only
 * body, from, payload and flags are used. */
bool swarmutt_reply(struct swarmutt *mail, const struct swarmutt_message *message,
                    const struct swarmutt_draft *draft, struct swarmutt_sent **sent,
                    struct swarmutt_error *error);

/* Hands work off. Body, context and attachments are built from the handoff, not taken from the
 * draft. */
bool swarmutt_handoff(struct swarmutt *mail, const struct swarmutt_draft *draft,
                      const struct swarmutt_handoff *handoff, struct swarmutt_sent **sent,
                      struct swarmutt_error *error);

/* Sends to each agent of a swarm or team (NULL: to all agents) except the sender and the excluded
 * ones; `to` of the draft is ignored. SWARMUTT_ABSENT if no recipient remains. */
bool swarmutt_broadcast(struct swarmutt *mail, const struct swarmutt_draft *draft,
                        const char *swarm, const char *const *exclude, size_t exclude_count,
                        struct swarmutt_sent **sent, struct swarmutt_error *error);

/* -- Changing ------------------------------------------------------------------------------ */

/* The outcome of a change to one message. */
struct swarmutt_change {
    bool done;
    bool local; /* recorded only locally: the layout has no such state, its mailbox is unchanged */
    const char *remains; /* (restore) what remains in the archive, as a sentence that lives as long
                          * as the program; or NULL */
    struct swarmutt_error error; /* if it was not done */
};

/* All of these change what can be changed, and return true if that was everything. `changes`,
 * unless it is NULL, has room for one outcome per message; the error is the first of theirs. The
 * decision is made on the files as they are now, and concurrent changes by others are never
 * overwritten. The messages passed in stay as they were read. */

/* Marks messages as read, processing, completed or failed; only mail to the identity of its source.
 * Archives nothing. */
bool swarmutt_mark(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                   size_t count, int status, struct swarmutt_change *changes,
                   struct swarmutt_error *error);

/* Archives messages as their layouts do. `note` says what was done, for layouts that keep such a
 * note; or NULL. */
bool swarmutt_archive(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                      size_t count, const char *note, struct swarmutt_change *changes,
                      struct swarmutt_error *error);

/* Restores messages from the archive, if the layout and its owner permit it. */
bool swarmutt_restore(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                      size_t count, struct swarmutt_change *changes, struct swarmutt_error *error);

/* Records locally, and in no mailbox, that the user has seen the messages. */
bool swarmutt_seen(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                   size_t count, struct swarmutt_error *error);

/* -- Watching ------------------------------------------------------------------------------ */

enum swarmutt_watch_flag {
    SWARMUTT_FROM_START = 1, /* report existing messages first, as new */
    SWARMUTT_POLL = 2,       /* poll every second instead of using kernel notifications */
};

struct swarmutt_watching {
    size_t size;
    const char *query; /* only messages that it finds; NULL: all */
    unsigned flags;    /* enum swarmutt_watch_flag */
};

enum swarmutt_event_kind {
    SWARMUTT_NEW = 1,
    SWARMUTT_CHANGED = 2, /* its state, its place, or anything else about it */
    SWARMUTT_GONE = 3,    /* it no longer exists anywhere */
    SWARMUTT_READY = 4,   /* the messages that existed at the start are processed; comes once */
    SWARMUTT_HEALTH = 5,  /* the way a source is watched has changed, as the text says */
};

struct swarmutt_event {
    int kind;                               /* enum swarmutt_event_kind */
    const struct swarmutt_message *message; /* head only; NULL for the last two kinds */
    const char *text;                       /* of SWARMUTT_HEALTH, else NULL */
};

/* Starts watching all sources; a handle that already watches starts again. Returns at once. NULL
 * options: everything. All other calls can be used meanwhile. */
bool swarmutt_watch(struct swarmutt *mail, const struct swarmutt_watching *options,
                    struct swarmutt_error *error);

/* Returns the next event, or NULL at once if there is none now. It and its message are borrowed
 * until the next call of this function, swarmutt_watch() or swarmutt_unwatch(). */
const struct swarmutt_event *swarmutt_next(struct swarmutt *mail);

/* After swarmutt_next() has returned NULL: wait until this descriptor is readable, or this many
 * milliseconds have passed (-1: for ever), and call it again. Only poll the descriptor, never read
 * it. Both are -1 for a handle that does not watch. */
int swarmutt_watch_fd(const struct swarmutt *mail);
int swarmutt_watch_timeout_ms(const struct swarmutt *mail);

/* Stops watching; events not returned yet are dropped. */
void swarmutt_unwatch(struct swarmutt *mail);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
