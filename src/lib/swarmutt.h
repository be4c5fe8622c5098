/* libswarmutt: mailboxes of agents, in all layouts, for programs of your own.
 *
 *     struct swarmutt_error error;
 *     struct swarmutt *mail = swarmutt_open(NULL, &error);
 *     struct swarmutt_list *list = mail ? swarmutt_search(mail, NULL, &error) : NULL;
 *     for (size_t i = 0; list && i < list->count; i++)
 *         use(list->messages[i]);
 *     swarmutt_list_free(list);
 *     swarmutt_close(mail);
 *
 * It does to mailboxes what the program swarmutt does, with the same promises: what it says is sent
 * is on disk, and nothing is lost, doubled or damaged when the process is killed at any moment. It
 * keeps what no mailbox can hold in the same place, $XDG_STATE_HOME/swarmutt, so programs and
 * swarmutt see each other's marks and finish each other's work.
 *
 * Threads. A handle, and all that came from it, is used by one thread at a time; different handles
 * are independent. Each has a thread of its own that touches the mailboxes, with all signals
 * blocked. After fork() a child must not use or close a handle of its parent.
 *
 * Waiting. Calls return when the work is done: sending may wait for the lock of an agent, and looks
 * again after 0.3 s. Watching never blocks.
 *
 * What it leaves alone: it does not print, end the process, install signal handlers, start
 * programs, or change the locale, the environment or the working directory. SIGPIPE is not raised.
 *
 * Memory. Where there is no more, the process ends by abort(): all that was acknowledged is on disk
 * by then. libcjson, which builds what is sent, takes memory by the hooks that the process has set
 * in it, or by malloc(). These are left alone; a host in which they may return NULL should set some
 * that do not, as swarmutt does, or a message may lack a field then.
 *
 * Failure. Functions return false or NULL and fill the error, which may be NULL if nobody wants to
 * know. NULL where something is needed, a message of another handle, an unknown flag and a text
 * that is not UTF-8 are refused with SWARMUTT_USAGE.
 *
 * Growing. Structures that a caller fills in start with their own size: set all bytes to zero, then
 * `size` to sizeof. Zero always means "not given". A newer library takes what an older program
 * gives, and an older library refuses what it does not know, unless it is zero. Structures that the
 * library returns may get more members at their end: never copy them or take their size. The error
 * and the outcome of a change never grow.
 *
 * Texts of the library have their length, and a NUL behind it; `at` is NULL for what is absent.
 * They are UTF-8, but half a surrogate pair, which JSON can hold, stands there as three bytes. They
 * were written by agents: nothing of them belongs on a terminal before swarmutt_clean(). */
#ifndef LIB_SWARMUTT_H
#define LIB_SWARMUTT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* Counts up whenever something is added here. */
#define SWARMUTT_INTERFACE 1

/* The interface that the library has, and its version for people. Need no handle. */
int swarmutt_interface(void);
const char *swarmutt_version(void);

struct swarmutt;

/* How much of the world a failure concerns. */
enum swarmutt_scope {
    SWARMUTT_FINE = 0,        /* no failure */
    SWARMUTT_ABSENT = 1,      /* no such message, thread, box or recipient */
    SWARMUTT_USAGE = 2,       /* the call itself makes no sense */
    SWARMUTT_REFUSED = 3,     /* a rule forbids it; nothing was tried */
    SWARMUTT_MESSAGE = 4,     /* this message failed; others may go on */
    SWARMUTT_BOX = 5,         /* this mailbox failed; other boxes may go on */
    SWARMUTT_SOURCE = 6,      /* the whole source is unusable */
    SWARMUTT_UNCONFIRMED = 7, /* something was written, but perhaps not all, or not for good */
};

struct swarmutt_error {
    int scope;       /* enum swarmutt_scope */
    char text[1024]; /* one finished sentence, with raw names in it: to be cleaned for a terminal */
};

struct swarmutt_text {
    const char *at;
    size_t length;
};

/* Times are microseconds since the epoch. */
#define SWARMUTT_NO_TIME INT64_MIN

/* -- Opening ------------------------------------------------------------------------------- */

enum swarmutt_open_flag {
    SWARMUTT_READONLY = 1,  /* whatever would write is refused */
    SWARMUTT_NO_CONFIG = 2, /* the person's config is not read */
    SWARMUTT_NO_SOURCE = 4, /* no mailboxes to be found is no failure */
};

struct swarmutt_options {
    size_t size;
    /* [FORMAT:]PATH each; none: those of the config and those that can be found, as the program
     * finds them. Formats are adr, claude, openclaw, inbox and roo. */
    const char *const *sources;
    size_t source_count;
    const char *identity; /* who acts here; NULL: as the environment says (Claude), the config, or
                             the layout */
    const char *swarms;   /* (adr) where swarms are described; NULL: at the usual place */
    unsigned flags;       /* enum swarmutt_open_flag */
    /* Called, while a call is at work and on its thread, with a sentence on what is waited for or
     * was left out; NULL: nobody listens. It must not use the handle. */
    void (*tell)(void *context, const char *sentence);
    void *tell_context;
};

/* Opens mailboxes. NULL options: all that can be found. The options are not needed afterwards. */
struct swarmutt *swarmutt_open(const struct swarmutt_options *options,
                               struct swarmutt_error *error);

/* Ends all work and frees the handle. Lists, receipts and events that came from it go first. NULL
 * is fine. */
void swarmutt_close(struct swarmutt *mail);

struct swarmutt_source {
    const char *format;   /* adr, claude, openclaw, inbox, roo */
    const char *title;    /* the same for people */
    const char *path;     /* absolute */
    const char *identity; /* who acts there */
    const char *team;     /* of that identity, or NULL */
    const char *problem;  /* what is wrong with its settings, as a sentence, or NULL */
};

/* How many mailbox trees are open; 0 for NULL. */
size_t swarmutt_source_count(const struct swarmutt *mail);
/* One of them, counted from 0; NULL when there is none. Borrowed until the handle is closed. */
const struct swarmutt_source *swarmutt_source(const struct swarmutt *mail, size_t index);

/* -- Reading ------------------------------------------------------------------------------- */

enum swarmutt_priority {
    SWARMUTT_NO_PRIORITY = 0, /* it cannot be read; in a draft: normal */
    SWARMUTT_LOW = 1,
    SWARMUTT_NORMAL = 2,
    SWARMUTT_HIGH = 3,
    SWARMUTT_URGENT = 4,
};

enum swarmutt_status {
    SWARMUTT_NO_STATUS = 0, /* it cannot be read */
    SWARMUTT_UNREAD = 1,
    SWARMUTT_READ = 2,
    SWARMUTT_PROCESSING = 3,
    SWARMUTT_FAILED = 4,
    SWARMUTT_COMPLETED = 5,
    SWARMUTT_ARCHIVED = 6,
};

/* A message in the model that all layouts share. Absent is what the layout or the message does not
 * have. What stands behind the empty line is absent where only the head was read. */
struct swarmutt_message {
    struct swarmutt_text id;   /* of its layout; several messages may have the same one */
    struct swarmutt_text name; /* of this message alone: its absolute path, and #ID where a file
                                * holds several */
    struct swarmutt_text path; /* of its file, absolute */
    size_t source;             /* for swarmutt_source() */
    struct swarmutt_text team, box, from, to, subject, type, thread, reply_to;
    const char *kind; /* message, question, handoff, escalation, plan, permission, host,
                       * shutdown, task, mode, rules, idle */
    int priority;     /* enum swarmutt_priority */
    int status;       /* enum swarmutt_status, with the marks that were made here */
    int64_t created_us, expires_us; /* or SWARMUTT_NO_TIME */
    bool requires_response;
    bool archived;       /* it lies in an archive, or counts as archived here */
    bool to_us;          /* it is for who acts in its source, alone or with all */
    bool by_us;          /* it was written by them */
    const char *damaged; /* why its file cannot be read as a message, as a sentence; else NULL */
    const char *const *remarks; /* what else is odd about it, a sentence each */
    size_t remark_count;

    struct swarmutt_text body;
    struct swarmutt_text context, payload, protocol; /* JSON, as it was written */
    struct swarmutt_text attachments, tags;          /* JSON arrays of strings */
    int64_t read_us, completed_us;                   /* or SWARMUTT_NO_TIME */
};

/* Messages, owned by who got the list. They are as they were when they were read. */
struct swarmutt_list {
    size_t count;
    const struct swarmutt_message *const *messages;
};

void swarmutt_list_free(struct swarmutt_list *list);

enum swarmutt_search_flag {
    SWARMUTT_IN_INBOX = 1,   /* what is not archived; also when neither is given */
    SWARMUTT_IN_ARCHIVE = 2, /* what is; implied by a query for is:archived */
    SWARMUTT_BODIES = 4,     /* with bodies, too */
    SWARMUTT_AS_AGENT = 8,   /* what the own program of `agent` would find in the inbox: neither
                              * damaged nor expired, with the marks of that agent */
};

enum swarmutt_order {
    SWARMUTT_OLDEST_FIRST = 0,
    SWARMUTT_NEWEST_FIRST = 1,
    SWARMUTT_BY_URGENCY = 2, /* priority first, then the oldest */
};

struct swarmutt_wanted {
    size_t size;
    const char *query; /* in the language of swarmutt(1); NULL: everything */
    const char *agent; /* only the box of AGENT or AGENT@TEAM; NULL: everybody's */
    unsigned flags;    /* enum swarmutt_search_flag */
    int order;         /* enum swarmutt_order */
    size_t most;       /* no more than these; 0: all */
};

/* The messages that a query finds; none is an empty list and no failure. NULL for `wanted`: the
 * inboxes of everybody. Bodies are there only if they were asked for, or the query needed them. */
struct swarmutt_list *swarmutt_search(struct swarmutt *mail, const struct swarmutt_wanted *wanted,
                                      struct swarmutt_error *error);

/* The one message with that id, or whose id alone starts so, or whose name or path that is. A list
 * of one, head only. SWARMUTT_ABSENT when there is none, SWARMUTT_REFUSED when several
 * are meant. */
struct swarmutt_list *swarmutt_find(struct swarmutt *mail, const char *id,
                                    struct swarmutt_error *error);

/* The conversation of the message that swarmutt_find() would find, or that carries this thread id,
 * oldest message first, archived ones included, heads only. */
struct swarmutt_list *swarmutt_thread(struct swarmutt *mail, const char *id,
                                      struct swarmutt_error *error);

/* A conversation: a thread, all idle notices of one agent to another, or one damaged message. */
struct swarmutt_talk {
    struct swarmutt_text id, subject;
    const char *kind; /* of the most demanding message; or damaged */
    int priority;     /* enum swarmutt_priority: the highest of what is open, else of all */
    size_t unread;    /* messages that their recipients have not read */
    int64_t last_us;
    struct swarmutt_text waits_on; /* who was asked something; absent: nobody is waited for */
    int64_t waits_us;              /* since when, or SWARMUTT_NO_TIME */
    bool waits_for_us;             /* it is who acts there */
    bool archived;                 /* all of it */
    struct swarmutt_text stuck, stuck_why; /* an agent that may be stuck, and the evidence */
    size_t count;
    const struct swarmutt_message *const *messages; /* oldest first, without bodies */
};

/* Owned by who got them, with their messages. */
struct swarmutt_talks {
    size_t count;
    const struct swarmutt_talk *const *talks;
};

void swarmutt_talks_free(struct swarmutt_talks *talks);

/* The conversations in which the query (NULL: any) finds a message, the most pressing first, as
 * `swarmutt list` orders them. Of the flags of a search SWARMUTT_IN_INBOX, which is implied, and
 * SWARMUTT_IN_ARCHIVE, for those that are archived as a whole. */
struct swarmutt_talks *swarmutt_talks(struct swarmutt *mail, const char *query, unsigned flags,
                                      struct swarmutt_error *error);

/* The message as it is now, whole; a list of one. It is followed into the archive. A damaged one
 * comes with as much as can be read of it, or fails. Nothing is marked. */
struct swarmutt_list *swarmutt_fetch(struct swarmutt *mail, const struct swarmutt_message *message,
                                     struct swarmutt_error *error);

/* The bytes of the message in its file as it is now, with a NUL behind them. Freed by
 * swarmutt_free(). `length` may be NULL. */
char *swarmutt_raw(struct swarmutt *mail, const struct swarmutt_message *message, size_t *length,
                   struct swarmutt_error *error);

/* One line of JSON in ASCII, as `swarmutt messages --json` prints it, with what the message has at
 * hand; members that were not asked for are null. Freed by swarmutt_free(). */
char *swarmutt_json(struct swarmutt *mail, const struct swarmutt_message *message,
                    struct swarmutt_error *error);

/* Frees what swarmutt_raw(), swarmutt_json() and swarmutt_clean() returned. NULL is fine. */
void swarmutt_free(char *text);

/* A copy that a terminal shows as it is: controls, and characters that are invisible or turn the
 * direction of text, are written out; without `lines` newlines and tabs are, too. What is no ASCII
 * passes only where the process has a locale with UTF-8. Freed by swarmutt_free(); NULL for NULL.
 */
char *swarmutt_clean(const char *text, size_t length, bool lines);

/* -- Writing ------------------------------------------------------------------------------- */

enum swarmutt_send_flag {
    SWARMUTT_CREATE = 1,       /* a mailbox that nobody has yet may be made */
    SWARMUTT_VERIFY_TWICE = 2, /* look for it again after 2 s, too */
    SWARMUTT_VERIFY_NEVER = 4, /* do not look for it again */
    SWARMUTT_PREVIEW = 8,      /* write nothing: only tell what would be written, and where */
};

/* A message to be sent. All texts are UTF-8 and borrowed for the call. What a layout has no place
 * for is refused, unless it is only a hint. */
struct swarmutt_draft {
    size_t size;
    const char *to;      /* AGENT or AGENT@TEAM */
    const char *from;    /* NULL: who acts in that source */
    const char *subject; /* needed, but for answers */
    const char *body;
    const char *type; /* NULL: the layout's plain message */
    int priority;     /* enum swarmutt_priority */
    const char *const *tags;
    size_t tag_count;
    const char *const *attachments; /* paths, sent as text */
    size_t attachment_count;
    const char *payload, *context; /* JSON objects */
    uint64_t lasts_s;              /* for how many seconds it is of use; 0: for ever */
    const char *thread, *reply_to, *swarm;
    bool requires_response;
    unsigned flags; /* enum swarmutt_send_flag */
    size_t
        source; /* 1 + the number of the source it goes to; 0: the one that knows the recipient */
};

/* What the next agent has to know of work that is handed off; swarmutt(1) has what each means. */
struct swarmutt_handoff {
    size_t size;
    const char *done, *state; /* needed */
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
    const char *additional_notes; /* for the text; the notes are for the context */
};

enum swarmutt_fate {
    SWARMUTT_DELIVERED = 1, /* it is in the mailbox, and on disk unless the call failed */
    SWARMUTT_VERIFIED = 2,  /* it was looked for afterwards, and was there or had been taken */
    SWARMUTT_QUEUED = 4,    /* its place is taken: it is kept in the outbox and goes out later */
    SWARMUTT_PREVIEWED = 8, /* nothing was written */
    SWARMUTT_NEW_BOX = 16,  /* (of a preview) the mailbox would be made */
    SWARMUTT_ENTRY = 32,    /* (of a preview) `bytes` are an entry of a file that holds many */
    SWARMUTT_PUT_AWAY =
        64,               /* (of an answer) the answered message is archived, as its layout wants */
    SWARMUTT_TAKEN = 128, /* its recipient had taken it when it was looked for */
};

struct swarmutt_receipt {
    struct swarmutt_text id, from, to;
    unsigned fate;              /* enum swarmutt_fate */
    size_t source;              /* for swarmutt_source() */
    const char *warning;        /* what the sender should know, as a sentence, or NULL */
    struct swarmutt_text path;  /* of a preview: where it goes */
    struct swarmutt_text bytes; /* of a preview: what is written there */
};

struct swarmutt_left_out {
    struct swarmutt_text name;
    const char *why; /* in a few words */
};

/* What became of something that was sent, one receipt for each message that was written or, of a
 * preview, would be. */
struct swarmutt_sent {
    size_t count;
    const struct swarmutt_receipt *const *receipts;
    /* Of a broadcast: who gets it where one message is for all, and who does not. */
    size_t reached_count;
    const struct swarmutt_text *reached;
    size_t left_out_count;
    const struct swarmutt_left_out *const *left_out;
};

void swarmutt_sent_free(struct swarmutt_sent *sent);

/* All of these: *sent, where `sent` is not NULL, is set when there is something to tell, and to
 * NULL otherwise; the caller frees it. That may be so after a failure, too: then the scope is
 * SWARMUTT_UNCONFIRMED and the receipts tell what is there all the same. Every message is recorded
 * in the outbox before a mailbox is touched. */

bool swarmutt_send(struct swarmutt *mail, const struct swarmutt_draft *draft,
                   struct swarmutt_sent **sent, struct swarmutt_error *error);

/* Answers a message: subject, recipient and thread come from it, of the draft only body, from,
 * payload and flags count. */
bool swarmutt_reply(struct swarmutt *mail, const struct swarmutt_message *message,
                    const struct swarmutt_draft *draft, struct swarmutt_sent **sent,
                    struct swarmutt_error *error);

/* Hands work off. Body, context and attachments are made from the handoff, not taken from the
 * draft.
 */
bool swarmutt_handoff(struct swarmutt *mail, const struct swarmutt_draft *draft,
                      const struct swarmutt_handoff *handoff, struct swarmutt_sent **sent,
                      struct swarmutt_error *error);

/* Sends to each agent of a swarm or team (NULL: of all) but the sender and those to be left out;
 * `to` of the draft does not count. SWARMUTT_ABSENT when nobody is left. */
bool swarmutt_broadcast(struct swarmutt *mail, const struct swarmutt_draft *draft,
                        const char *swarm, const char *const *exclude, size_t exclude_count,
                        struct swarmutt_sent **sent, struct swarmutt_error *error);

/* -- Changing ------------------------------------------------------------------------------ */

/* What became of one message. */
struct swarmutt_change {
    bool done;
    bool local; /* only kept here: the layout has no such state, its mailbox is unchanged */
    const char *remains; /* of what was restored: what stays, as a sentence that lives as long as
                          * the program; or NULL */
    struct swarmutt_error error; /* when it was not done */
};

/* All of these change what can be changed, and return true when that was everything. `changes`,
 * unless it is NULL, has room for one outcome a message; the error is the first one of them. The
 * decision is made on the files as they are now, and what somebody else changes meanwhile is never
 * overwritten. The messages themselves stay as they were read. */

/* To read, processing, completed or failed; only mail of who acts there. Nothing is archived. */
bool swarmutt_mark(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                   size_t count, int status, struct swarmutt_change *changes,
                   struct swarmutt_error *error);

/* Puts them away as their layouts do it. `note` says what was done, for layouts that keep such a
 * note; or NULL. */
bool swarmutt_archive(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                      size_t count, const char *note, struct swarmutt_change *changes,
                      struct swarmutt_error *error);

/* Brings them back out of the archive, where the layout and its owner permit it. */
bool swarmutt_restore(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                      size_t count, struct swarmutt_change *changes, struct swarmutt_error *error);

/* Notes here, and in no mailbox, that the person has looked at them. */
bool swarmutt_seen(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                   size_t count, struct swarmutt_error *error);

/* -- Watching ------------------------------------------------------------------------------ */

enum swarmutt_watch_flag {
    SWARMUTT_FROM_START = 1, /* what is there already is told first, as new */
    SWARMUTT_POLL = 2,       /* look every second instead of being told by the kernel */
};

struct swarmutt_watching {
    size_t size;
    const char *query; /* only of messages that it finds; NULL: of all */
    unsigned flags;    /* enum swarmutt_watch_flag */
};

enum swarmutt_event_kind {
    SWARMUTT_NEW = 1,
    SWARMUTT_CHANGED = 2, /* its state, its place, or anything else of it */
    SWARMUTT_GONE = 3,    /* it is nowhere any more */
    SWARMUTT_READY = 4,   /* what was there at the start has been looked at; comes once */
    SWARMUTT_HEALTH = 5,  /* how a source is watched has changed: the text says how */
};

struct swarmutt_event {
    int kind;                               /* enum swarmutt_event_kind */
    const struct swarmutt_message *message; /* head only; NULL for the last two kinds */
    const char *text;                       /* of SWARMUTT_HEALTH, else NULL */
};

/* Begins to watch all sources; a handle that watches already starts anew. Returns at once. NULL
 * options: everything. All other calls go on as usual meanwhile. */
bool swarmutt_watch(struct swarmutt *mail, const struct swarmutt_watching *options,
                    struct swarmutt_error *error);

/* The next event, or NULL at once when there is none now. It and its message are borrowed until the
 * next call of this function, swarmutt_watch() or swarmutt_unwatch(). */
const struct swarmutt_event *swarmutt_next(struct swarmutt *mail);

/* When swarmutt_next() has returned NULL: wait until this descriptor is readable, or that many
 * milliseconds have passed (-1: for ever), and ask again. It is only to be waited for, never read.
 * Both are -1 for a handle that does not watch. */
int swarmutt_watch_fd(const struct swarmutt *mail);
int swarmutt_watch_timeout_ms(const struct swarmutt *mail);

/* Ends it; what has not been taken is dropped. */
void swarmutt_unwatch(struct swarmutt *mail);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
