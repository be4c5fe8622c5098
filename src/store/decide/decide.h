/* Deciding: one answer to one request, bound to the bytes that were shown, with a trail.
 *
 * The ledger knows of it before anything is written. Under the recipient's lock the request is read
 * again, and what lies in the recipient's inbox is searched for an answer: other bytes, or an
 * answer that is there already, stop it. */
#ifndef STORE_DECIDE_DECIDE_H
#define STORE_DECIDE_DECIDE_H

#include "mail/protocol/decision.h"
#include "store/decide/request_snapshot.h"
#include "store/store.h"

struct deciding {
    const struct message *request; /* its head */
    enum decision decision;
    struct decision_terms terms;
    const char *sha256; /* of the request as it was shown */
    enum verify verify;

    /* filled in; ends with deciding_free() */
    struct outgoing_message letter;
    struct str note;        /* what the person should know, or empty: sentences, to be cleaned */
    char decision_name[37]; /* in the ledger; "" before it was noted there */
    bool native;            /* a program takes the answer; else it is words that nothing enforces */
    struct arena arena;
};

void deciding_free(struct deciding *deciding);

/* Sends the answer. ERR_REFUSED, and nothing was sent: the request has changed or was answered, it
 * cannot be trusted and the answer would be a yes, it is not for us, or the terms make no sense.
 * What is refused on its way, when the ledger knows of it already, is noted there, too. */
bool store_decide(struct store *store, struct deciding *deciding, struct err *err);

/* Shows what that would send, to the byte, and writes nothing; refused for the same reasons. */
bool store_preview_decision(struct store *store, struct deciding *deciding, struct preview *preview,
                            struct err *err);

/* Brings the ledger up to date: with what became of decisions that were interrupted, and with how
 * agents have reacted since, as the model tells. The model may be NULL. */
void store_settle_decisions(struct store *store, const struct model *model);
/* Notes one such reaction, with a sentence on what it shows. */
void store_note_effect(struct store *store, const char *decision_name, struct span message,
                       const char *note);

#endif
