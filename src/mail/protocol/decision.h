/* Decisions: the verbs by which a person decides a request, and the exact answer for each.
 *
 * If the asking program takes part, the answer is a message of its protocol. Otherwise it is words,
 * with the data that the layout has for programs: people and models follow those, and nothing
 * enforces them. */
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
    const char *name;  /* the verb, as in commands and the ledger */
    const char *done;  /* the participle: "approved" */
    const char *words; /* the start of an answer in words */
    unsigned kinds;    /* 1 << enum kind: the requests it answers */
    bool yes;  /* something happens because of it: only a request that can be trusted gets such an
                  answer */
    bool says; /* its reason is sent with it */
    bool needs_reason; /* a reason is required */
};

extern const struct decision_info decisions[DECISION_COUNT];

/* Returns false if the word is no verb. */
bool decision_parse(struct span word, enum decision *decision);
/* Finds the verb of a kind for yes or no; returns false if the kind is not decided. */
bool decision_of(enum kind kind, bool yes, enum decision *decision);

/* The terms of a decision. Absent: none. */
struct decision_terms {
    struct span reason; /* why not; sent as a note with verbs that have no reason */
    struct span mode;   /* for a plan that is approved; absent: default */
    struct span input;  /* a JSON object that is used instead of the request's input */
    const unsigned
        *suggested; /* the numbers, from 1, of the request's suggestions that are granted too */
    size_t suggested_count;
    bool for_session;    /* allow the same tool for the rest of its session ... */
    struct span pattern; /* ... for uses that match this */
    bool every_use;      /* ... or, without a pattern, for all uses */
};

/* Sets the pattern of a grant for the session that has none: the rule for exactly this use, from
 * the input that will be used. Refused if there is no such rule, unless the grant is for every
 * use. */
bool decision_settle(struct decision_terms *terms, const struct protocol *request,
                     struct arena *arena, struct err *err);

/* Fills in the answer of the protocol. Its texts borrow from the request, the terms and the arena;
 * an unchanged input is the request's own bytes. Refused, with the reason, if the request is of
 * another kind or the terms do not fit it. */
bool decision_answer(struct protocol *answer, enum decision decision,
                     const struct protocol *request, const struct decision_terms *terms,
                     int64_t now_us, struct arena *arena, struct err *err);

/* The means of a layout besides words. */
struct decision_carrier {
    bool payload; /* an object for programs */
    bool type;    /* a word for the kind; only used without a payload */
};

/* Puts the decision into the draft of a reply, as words. Texts live in the arena. */
bool decision_say(struct draft *draft, enum decision decision, const struct message *request,
                  const struct decision_terms *terms, struct decision_carrier carrier,
                  struct arena *arena, struct err *err);

/* Appends the terms in a few words, for the ledger and reports; nothing without terms. */
void decision_add_terms(struct str *out, enum decision decision,
                        const struct decision_terms *terms);

/* A decision or a lead command that was sent. */
struct decision_sent {
    struct span agent, team; /* the recipient */
    struct span answer;      /* id of the message that carries it */
    struct span request;     /* the id that an answer to it names, or absent */
    int64_t sent_us, now_us;
    bool noticed; /* the agent has read it, or its layout cannot say that it has not */
};

/* Reports whether a message is the agent's own reaction: an answer, or any message that the agent
 * writes after it has noticed. Times are claims of their senders, so a time from the future does
 * not count. */
bool decision_is_reaction(const struct message *message, const struct decision_sent *sent);
/* Appends the kind of reaction in a few words of our own, and the title of an answer. */
void decision_add_reaction(struct str *out, const struct message *message,
                           const struct decision_sent *sent);

#endif
