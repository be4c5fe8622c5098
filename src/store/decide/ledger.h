/* The ledger: what was decided, written down before it is done and again as it comes to pass.
 *
 * $XDG_STATE_HOME/swarmutt/ledger is a file of JSON lines that only ever grows; swarmutt-json(5)
 * has its format. Each line has the SHA-256 of the line before it, so that what is in it cannot be
 * changed, moved or taken out without showing, and the sum of its own bytes. ledger.head beside it
 * says how far it had come, so that cutting its end off shows too.
 *
 * Texts may be any bytes, but JSON is text: lone surrogates are kept as they are (utf8.h), other
 * bytes that are not UTF-8 become U+FFFD. The sums of requests and answers tell the very bytes. */
#ifndef STORE_DECIDE_LEDGER_H
#define STORE_DECIDE_LEDGER_H

#include "base/err.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/time.h"

#include <sys/types.h>

enum ledger_event {
    LEDGER_INTENT,    /* it is decided, and nothing was written to a mailbox yet */
    LEDGER_DELIVERED, /* the answer was written */
    LEDGER_VERIFIED,  /* it was looked for again and found */
    LEDGER_EFFECT,    /* the agent has reacted */
    LEDGER_REFUSED,   /* the store refused: the request had changed or was answered */
    LEDGER_FAILED,    /* nothing was written */
    LEDGER_LOST,      /* it was written and has vanished */
    LEDGER_OTHER,     /* a word that this program does not know; never written */
};

/* What was decided on. Where the file holds several messages, `at` and `len` are its part of it. */
struct ledger_request {
    struct span message; /* its id as a message */
    struct span id;      /* the id that an answer names */
    struct span file;    /* beneath the source's root */
    struct span sha256;  /* of its bytes, its state blanked */
    struct span asked;   /* what was asked, as the person saw it */
    int64_t at, len;
};

struct ledger_answer {
    struct span message, file;
    struct span sha256; /* of its bytes, its state blanked */
    struct span text;   /* exactly as it was sent */
};

struct ledger_terms {
    struct span mode;
    struct span feedback; /* or the reason */
    struct span rules;
};

/* One line. What is absent is left out. */
struct ledger_entry {
    enum ledger_event event;
    struct span decision; /* the same in all events of one decision; see ledger_new_decision() */
    struct span verb;     /* approve, reject, grant, deny, allow-host, deny-host, accept, decline,
                             shutdown, mode, assign, rules, escalate */
    struct span kind;     /* kind_name() of the request */
    struct span by;       /* who we were there */
    struct span format, root, team;
    struct span agent; /* whom it concerns */
    struct ledger_request request;
    struct ledger_answer answer;
    struct ledger_terms terms;
    struct span note;    /* a sentence: why it was refused, what the effect was */
    struct span seen_in; /* the id of the message that showed the effect */
    int64_t at_us;       /* 0: now */

    /* Filled by ledger_append() and ledger_read() themselves. */
    int64_t version;
    int64_t number; /* counts lines, also those that are missing now */
    int64_t uid, pid;
    struct span prev;                /* the sum of the line before, in hexadecimal */
    struct span word;                /* for the event */
    bool torn;                       /* the line before had no end when this one was written */
    size_t line;                     /* in the file, from 1 */
    const struct ledger_entry *next; /* of the same decision */
};

/* The word for an event in the ledger. */
const char *ledger_event_word(enum ledger_event event);

enum { LEDGER_SUM = 64, LEDGER_DECISION = 36 };

/* A new name for a decision. */
void ledger_new_decision(char name[LEDGER_DECISION + 1]);

/* Adds one line. True means that it is on disk. Any thread and process. A ledger that is a link, no
 * file, somebody else's or open to others' writing is not written to. After a failure no entry
 * was added, unless the sentence says that it may be there. */
bool ledger_append(const struct ledger_entry *entry, struct err *err);

/* How far a decision came. */
enum decision_state {
    DECISION_UNKNOWN,   /* intended, and nothing is known of what happened then */
    DECISION_REFUSED,   /* not sent */
    DECISION_FAILED,    /* not sent */
    DECISION_DELIVERED, /* sent, and nobody has looked whether it stayed */
    DECISION_VERIFIED,  /* sent */
    DECISION_LOST,
    DECISION_EFFECT,
};

/* All events of one decision: first, then each one's next. */
struct decision_record {
    enum decision_state state;
    const struct ledger_entry *first;
    struct ledger_entry *last;
    const struct ledger_entry *sent, *effect; /* the first that says so, or NULL */
    const struct ledger_entry *ended;         /* the last that was refused, failed or lost */
    struct ledger_entry whole; /* what all of them say: of an answer the latest word counts, of
                                  everything else the first */
};

/* Something that is wrong with the ledger, or only odd. */
struct ledger_finding {
    size_t line; /* 0: the ledger as a whole */
    bool damage;
    struct span text; /* a sentence */
};

/* Private: decisions that share a key. */
struct ledger_link {
    uint32_t decision, next;
};

/* A ledger in memory. Zero-initialised is empty and valid; ends with ledger_free(). Borrowed until
 * the next ledger_read(); entries and texts until ledger_free(). */
struct ledger {
    struct arena arena;
    struct ledger_entry **entries; /* in their order */
    size_t count, cap;
    struct decision_record *decisions; /* the oldest first */
    size_t decision_count, decision_cap;
    struct ledger_finding *findings;
    size_t finding_count, finding_cap;
    size_t damage;             /* how many of the findings are */
    size_t lines;              /* of any kind */
    char head[LEDGER_SUM + 1]; /* the sum of the last line; zeros before the first */
    bool there;                /* there is one, or there was */

    /* How far it was read, and the ways to find something in it. */
    dev_t dev;
    ino_t ino;
    int64_t size, number;
    bool unsettled; /* its end is to be read again, even if nothing was added */
    bool newer;     /* some lines are of a later version */
    struct map by_decision, by_key;
    struct ledger_link *links;
    size_t link_count, link_cap;
};

/* Reads all of it, or only what was added since the last time. A ledger that is not there is empty.
 * Lines that make no sense are findings, and the rest is read. Safe while others append. */
bool ledger_read(struct ledger *ledger, struct err *err);
void ledger_free(struct ledger *ledger);

/* Whether a line, or the line before the first one, has that sum. */
bool ledger_has_sum(const struct ledger *ledger, struct span sum);

/* A message that lies in an agent's box, or a request that came from there. */
struct ledger_sought {
    struct span format, root, team, agent;
    struct span message, request_id;
    struct span sha256, text;
};

/* Whether we have written that answer or order, or were about to: by the text, if it is given, as
 * long as the ids of the messages do not contradict it, else by the id of the message. So an answer
 * of somebody else to a request that we have answered is not ours. */
bool ledger_has_answer(const struct ledger *ledger, const struct ledger_sought *sought);

/* A decision on a request of anybody in that team that had the same id (that of its message where
 * it has none) and other bytes, or NULL. */
const struct decision_record *ledger_other_request(const struct ledger *ledger,
                                                   const struct ledger_sought *sought);

/* Appends the members of an entry as the ledger has them, each with a comma before it, but for
 * those that a line has about itself: from "decision" on. */
void ledger_add_members(struct str *out, const struct ledger_entry *entry);

/* Words for people. All hold raw text of others: clean it. The first appends what was done, to
 * follow a name: "granted a permission to tester-2@dev"; the second how far it came: "sent,
 * unconfirmed". */
void decision_add_deed(struct str *out, const struct decision_record *record);
void decision_add_state(struct str *out, const struct decision_record *record);
/* The word for the state in JSON. */
const char *decision_state_word(enum decision_state state);

#endif
