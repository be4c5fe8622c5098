/* Deciding: one answer to one request, bound to the bytes that were shown, with a trail in the
 * ledger.
 *
 * The intent is in the ledger before anything is written. Under the recipient's lock the request is
 * read again, and the recipient's inbox is searched for an answer: if the bytes differ, or there is
 * an answer already, nothing is sent. No other lock is taken, and nothing waits under this one: if
 * the file of the request is half written just then, the lock is released, the writer is waited
 * for, and the check starts again. */
#ifndef STORE_DECIDE_DECIDE_H
#define STORE_DECIDE_DECIDE_H

#include "mail/protocol/decision.h"
#include "store/decide/request_snapshot.h"
#include "store/store.h"

struct deciding {
    const struct message *request; /* its head */
    enum decision decision;
    struct decision_terms terms;
    const char *sha256; /* of the request as it was shown to the person */
    enum verify verify;

    /* Filled in by store_decide(); freed by deciding_free(). */
    struct outgoing_message letter;
    struct str note;        /* sentences for the person, or empty; raw, to be sanitized */
    char decision_name[37]; /* in the ledger; "" before the intent was written */
    bool native;            /* a program takes the answer; false: words that no program enforces */
    struct arena arena;
};

void deciding_free(struct deciding *deciding);

/* Sends the answer. ERR_REFUSED, with nothing sent: the request has changed or was answered, the
 * answer would be a yes to a request that cannot be trusted, the request is not for us, or the
 * terms are invalid. A refusal after the intent is noted in the ledger, too. */
bool store_decide(struct store *store, struct deciding *deciding, struct err *err);

/* Makes the preview of that answer, to the byte, without writing anything; refuses for the same
 * reasons. */
bool store_preview_decision(struct store *store, struct deciding *deciding, struct preview *preview,
                            struct err *err);

/* Brings the ledger up to date: settles interrupted decisions, and adds reactions of agents that
 * are in the model. The model may be NULL. */
void store_settle_decisions(struct store *store, const struct model *model);
/* Notes one such reaction, with a sentence that describes it. */
void store_note_effect(struct store *store, const char *decision_name, struct span message,
                       const char *note);

#endif
