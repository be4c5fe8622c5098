/* The ledger: every decision is written down before it is carried out, and again at each later
 * step.
 *
 * $XDG_STATE_HOME/swarmutt/ledger is a file of JSON lines that only ever grows; swarmutt-json(5)
 * has its format. Each line has the SHA-256 of the line before it, so that no line can be changed,
 * moved or removed without being noticed, and the sum of its own bytes. ledger.head next to it says
 * how long the ledger was, so that cutting off its end is noticed too. The head is written after
 * the line is synced: it may be behind, never ahead.
 *
 * A crash may leave a line without its end. The next line then starts with the missing newline,
 * says `torn`, and its sum of the line before covers the bytes that are there. Only its writer has
 * seen that the newline was missing, so only `torn` tells a crash from a change; a line that the
 * head counts was complete and has been cut. Nothing is ever truncated or overwritten, so the file
 * may have the append-only attribute.
 *
 * Texts may be any bytes, but JSON is text: lone surrogates are kept as they are (utf8.h), other
 * bytes that are not UTF-8 become U+FFFD. The sums of requests and answers identify the exact
 * bytes. */
#ifndef STORE_DECIDE_LEDGER_H
#define STORE_DECIDE_LEDGER_H

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/time.h"

#include <sys/types.h>

enum ledger_event {
    LEDGER_INTENT,    /* decided, and nothing was written to a mailbox yet */
    LEDGER_DELIVERED, /* the answer was written */
    LEDGER_VERIFIED,  /* a later check found it, or found that it was taken */
    LEDGER_EFFECT,    /* the agent has reacted */
    LEDGER_REFUSED,   /* refused: the request had changed or was answered */
    LEDGER_FAILED,    /* nothing was written */
    LEDGER_LOST,      /* written, and has vanished */
    LEDGER_OTHER,     /* a word that this version does not know; never written */
};

/* The request that was decided on. Where its file holds several messages, `at` and `len` are its
 * part. */
struct ledger_request {
    struct span message; /* id of the message */
    struct span id;      /* the id that an answer names */
    struct span file;    /* below the source's root */
    struct span sha256;  /* of its bytes, with its state blanked */
    struct span asked;   /* the question as the person saw it */
    int64_t at, len;
};

struct ledger_answer {
    struct span message, file;
    struct span sha256; /* of its bytes, with its state blanked */
    struct span text;   /* exactly as it was sent */
};

struct ledger_terms {
    struct span mode;
    struct span feedback; /* or the reason */
    struct span rules;
};

/* One line. Absent members are left out of the line. */
struct ledger_entry {
    enum ledger_event event;
    struct span decision; /* the same in all events of a decision; see ledger_new_decision() */
    struct span verb;     /* approve, reject, grant, deny, allow-host, deny-host, accept, decline,
                             shutdown, mode, assign, rules, escalate */
    struct span kind;     /* kind_name() of the request */
    struct span by;       /* our identity there */
    struct span format, root, team;
    struct span agent; /* the agent that it concerns */
    struct ledger_request request;
    struct ledger_answer answer;
    struct ledger_terms terms;
    struct span note;    /* a sentence: the reason of a refusal, the effect */
    struct span seen_in; /* id of the message that showed the effect */
    int64_t at_us;       /* 0: now */

    /* Filled in by ledger_append() and ledger_read(). */
    int64_t version;
    int64_t number; /* counts lines, including those that are missing now */
    int64_t uid, pid;
    struct span prev;                /* the sum of the previous line, in hexadecimal */
    struct span word;                /* of the event */
    bool torn;                       /* the previous line had no end when this one was written */
    size_t line;                     /* in the file, from 1 */
    const struct ledger_entry *next; /* of the same decision */
};

/* Returns the word for an event in the ledger. */
const char *ledger_event_word(enum ledger_event event);

enum { LEDGER_SUM = 64, LEDGER_DECISION = 36 };

/* Makes a new name for a decision. */
void ledger_new_decision(char name[LEDGER_DECISION + 1]);

/* Adds one line. If true, the line is on disk. May be called from any thread and process. Refuses
 * to write to a ledger that is a link, not a regular file, owned by somebody else or writable by
 * others. After a failure no entry was added, unless the error says that it may be there. */
bool ledger_append(const struct ledger_entry *entry, struct err *err);

/* How far a decision has come. */
enum decision_state {
    DECISION_UNKNOWN,   /* intended; what happened then is unknown */
    DECISION_REFUSED,   /* not sent */
    DECISION_FAILED,    /* not sent */
    DECISION_DELIVERED, /* sent, and not checked afterwards */
    DECISION_VERIFIED,  /* sent */
    DECISION_LOST,
    DECISION_EFFECT,
};

/* All events of one decision: `first`, then each one's `next`. */
struct decision_record {
    enum decision_state state;
    const struct ledger_entry *first;
    struct ledger_entry *last;
    const struct ledger_entry *sent, *effect; /* the first such event, or NULL */
    const struct ledger_entry *ended;         /* the last event that was refused, failed or lost */
    struct ledger_entry whole; /* all events combined: of an answer the last value of a member
                                  counts, of everything else the first */
};

/* A problem of the ledger, or an oddity. */
struct ledger_finding {
    size_t line; /* 0: the ledger as a whole */
    bool damage;
    struct span text; /* a sentence */
};

/* Private: decisions that share a key. */
struct ledger_link {
    uint32_t decision, next;
};

/* A ledger in memory. Zero-initialised is empty and valid; free with ledger_free(). Its arrays are
 * valid until the next ledger_read(); entries and texts until ledger_free(). */
struct ledger {
    struct arena arena;
    struct ledger_entry **entries; /* in file order */
    size_t count, cap;
    struct decision_record *decisions; /* the oldest first */
    size_t decision_count, decision_cap;
    struct ledger_finding *findings;
    size_t finding_count, finding_cap;
    size_t damage;             /* number of findings that are damage */
    size_t lines;              /* of any kind */
    char head[LEDGER_SUM + 1]; /* the sum of the last line; zeros before the first line */
    bool there;                /* the ledger exists, or did */

    /* How far it was read, and the indexes. */
    dev_t dev;
    ino_t ino;
    int64_t size, number;
    bool unsettled; /* read its end again, even if nothing was added */
    bool newer;     /* some lines have a later version */
    struct map by_decision, by_key;
    struct ledger_link *links;
    size_t link_count, link_cap;
};

/* Reads the whole ledger, or only what was added since the last call. A ledger that does not exist
 * is empty. Malformed lines become findings, and the rest is read. Safe while others append. */
bool ledger_read(struct ledger *ledger, struct err *err);
void ledger_free(struct ledger *ledger);

/* True if a line, or the start before the first line, has that sum. */
bool ledger_has_sum(const struct ledger *ledger, struct span sum);

/* A message in an agent's box, or a request from that box. */
struct ledger_sought {
    struct span format, root, team, agent;
    struct span message, request_id;
    struct span sha256, text;
};

/* True if we have written that answer or command, or were about to. Compares the text, if it is
 * given, provided that the ids of the messages do not contradict it; else the id of the message. So
 * somebody else's answer to a request that we have answered is not ours. */
bool ledger_has_answer(const struct ledger *ledger, const struct ledger_sought *sought);

/* Returns a decision on a request of anybody in that team that had the same id (that of its message
 * where it has none) and other bytes, or NULL. */
const struct decision_record *ledger_other_request(const struct ledger *ledger,
                                                   const struct ledger_sought *sought);

/* Appends the members of an entry as they are in the ledger, each with a comma before it, from
 * "decision" on: without those about the line itself. */
void ledger_add_members(struct str *out, const struct ledger_entry *entry);

/* Texts for people. Both hold raw text of others: sanitize it. decision_add_action() appends what
 * was done, to follow a name: "granted a permission to tester-2@dev"; decision_add_state() how far
 * it came: "sent, unconfirmed". */
void decision_add_action(struct str *out, const struct decision_record *record);
void decision_add_state(struct str *out, const struct decision_record *record);
/* Returns the word for the state in JSON. */
const char *decision_state_word(enum decision_state state);

/* Shared by the sources of the ledger: single lines, paths, the lock and the head. */

/* The largest number in a line: the largest that doubles hold exactly. */
#define LEDGER_NUMBER_MAX INT64_C(9007199254740992)

extern const char ledger_no_sum[]; /* sum "of the line" before the first line */

/* Computes the sum of any text. */
void ledger_sum(struct span text, char sum[LEDGER_SUM + 1]);

/* Appends the line of an entry, without its newline, and computes its sum. */
void ledger_add_line(struct str *out, const struct ledger_entry *entry, char sum[LEDGER_SUM + 1]);

/* The kind of a line. */
enum ledger_line {
    LINE_ENTRY,
    LINE_CHANGED, /* an object, but not the one that was written */
    LINE_BROKEN,  /* not an object */
};

/* Parses a line without its newline. The entry borrows from it and from the arena. `sum` becomes
 * the sum of the line, for its successor. */
enum ledger_line ledger_parse_line(struct ledger_entry *entry, struct span line,
                                   char sum[LEDGER_SUM + 1], struct arena *arena);

/* Replaces `path` by the path of the ledger; with `make` creates its directory. */
bool ledger_path(struct str *path, bool make, struct err *err);

/* The end of the ledger when it was last written to; number 0 when that is unknown. */
struct ledger_head {
    int64_t number;
    char sum[LEDGER_SUM + 1];
};

/* False when the head exists and cannot be read. A malformed head is treated as none. */
bool ledger_head_read(struct ledger_head *head, const char *path, struct err *err);

/* Locks the open ledger, exclusively to write, or shared to read while nobody writes. Gives up
 * after a while: false with errno. */
bool ledger_lock(int fd, bool to_write);

/* Reads a part of the open ledger; false with errno on failure. */
bool ledger_pread(int fd, char *at, size_t len, int64_t from);

#endif
