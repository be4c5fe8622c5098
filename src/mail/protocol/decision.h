/* Decisions: what a person can say to a request, and the exact answer that says it.
 *
 * Where the asking program takes part, the answer is a message of its protocol. Elsewhere it is
 * words, with what the layout has for programs beside them: people and models follow those, and
 * nothing enforces them. */
#ifndef MAIL_PROTOCOL_DECISION_H
#define MAIL_PROTOCOL_DECISION_H

#include "mail/message/draft.h"
#include "mail/message/kind.h"
#include "mail/protocol/protocol.h"

enum decision {
    DECISION_APPROVE,
    DECISION_REJECT,
    DECISION_GRANT,
    DECISION_DENY,
    DECISION_ALLOW_HOST,
    DECISION_DENY_HOST,
    DECISION_ACCEPT,
    DECISION_DECLINE,
    DECISION_COUNT,
};

struct decision_info {
    const char *name;  /* the verb, as commands and the ledger have it */
    const char *done;  /* what was done: "approved" */
    const char *words; /* how the answer starts where it is words */
    unsigned kinds;    /* 1 << enum kind: the requests it answers */
    bool yes;          /* something happens by it: only what can be trusted gets such an answer */
    bool says;         /* it says why: what is said goes with it */
    bool needs_reason; /* and nothing goes without that */
};

extern const struct decision_info decisions[DECISION_COUNT];

/* False when the word is none. */
bool decision_parse(struct span word, enum decision *decision);
/* The one of a kind that says yes, or no; false where nothing of a kind is decided. */
bool decision_of(enum kind kind, bool yes, enum decision *decision);

/* What is said along with it. Absent: nothing. */
struct decision_terms {
    struct span reason;        /* why not; with what says nothing by itself, a note beside it */
    struct span mode;          /* of a plan that is approved; absent: default */
    struct span input;         /* a JSON object to be used instead of what was asked for */
    const unsigned *suggested; /* which of the request's suggestions are granted too, from 1 up */
    size_t suggested_count;
    bool for_session;    /* the same tool may do it again while its session lasts ... */
    struct span pattern; /* ... for what matches this */
    bool every_use;      /* ... or, without a pattern, whatever it is used for */
};

/* Gives a grant for the session that names no pattern the rule for this very use: of the input that
 * will be used. Refused where there is no such rule, unless it is for every use. */
bool decision_settle(struct decision_terms *terms, const struct protocol *request,
                     struct arena *arena, struct err *err);

/* Fills in the answer of the protocol. What it holds borrows from the request, the terms and the
 * arena; an input that was not changed is the request's own bytes. Refused, with the reason, when
 * the request is of another kind, or the terms make no sense with it. */
bool decision_answer(struct protocol *answer, enum decision decision,
                     const struct protocol *request, const struct decision_terms *terms,
                     int64_t now_us, struct arena *arena, struct err *err);

/* What a layout can carry besides words. */
struct decision_carrier {
    bool payload; /* an object for programs */
    bool type;    /* a word for what it is; only used where there is no payload */
};

/* Puts the same into the draft of a reply, as words. Texts live in the arena. */
bool decision_say(struct draft *draft, enum decision decision, const struct message *request,
                  const struct decision_terms *terms, struct decision_carrier carrier,
                  struct arena *arena, struct err *err);

/* Appends the terms in a few words, for whoever reads of it later; nothing where there are none. */
void decision_add_terms(struct str *out, enum decision decision,
                        const struct decision_terms *terms);

/* A decision that was sent, or an order. */
struct decision_sent {
    struct span agent, team; /* whom it went to */
    struct span answer;      /* the id of the message that it is */
    struct span request;     /* the id that an answer to it names, or absent */
    int64_t sent_us, now_us;
    bool noticed; /* nobody can tell otherwise: the agent has it, or its layout does not say */
};

/* Whether a message is the agent's own reaction to it: an answer, or whatever the agent writes once
 * it has noticed. Times are claims of their senders, so none from the future counts. */
bool decision_is_reaction(const struct message *message, const struct decision_sent *sent);
/* Appends what it shows, in a few words of ours and its title. */
void decision_add_reaction(struct str *out, const struct message *message,
                           const struct decision_sent *sent);

#endif
