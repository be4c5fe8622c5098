/* Foreign orders and answers: what was written in the name of a lead, or in ours, and not from
 * here.
 *
 * Whoever can write into a mailbox can give orders and answers in any name, and the agents'
 * programs follow them. The ledger, the outbox and what was noted as sent tell what was written
 * from here. A lead's own program answers as well, so an answer in our name need not be forged: the
 * setting decide.answers-elsewhere says how it is taken. */
#ifndef STORE_DECIDE_FORGED_COMMAND_H
#define STORE_DECIDE_FORGED_COMMAND_H

#include "mail/thread/request.h"
#include "store/config/config.h"
#include "store/store.h"

/* How long an answer is shown after it was found. It leaves earlier when its request is archived.
 */
#define FORGED_SHOWN_US (INT64_C(7) * 86400 * 1000000)

enum forged_state {
    FORGED_NO,    /* it was written here, or by who may; or it is not to be shown any more */
    FORGED_ORDER, /* an order of a lead that neither the lead nor we have given */
    FORGED_NOTE,  /* an answer in our name that was not sent from here */
    FORGED_ALARM, /* the same, where nobody else answers in our name */
};

struct forged {
    struct message *message; /* the order, or the answer. Borrowed, as the request is */
    struct message *request; /* the request for us that it answers; NULL: it is an order */
    enum forged_state state; /* filled by store_judge_forged() */
};

/* Zero-initialised is empty and valid. */
struct forged_list {
    struct forged *items;
    size_t count, cap;
};

void forged_list_free(struct forged_list *list);
void forged_add(struct forged_list *list, struct message *message, struct message *request);

/* Adds what has to be judged: all orders that lie with agents, and all answers to requests for us
 * that something is decided by. */
void forged_collect(struct forged_list *list, const struct model *model, const struct asks *asks);

/* Judges each of them. Answers that are found for the first time are noted in the local state:
 * those that were there, and are older, when a source was first used here are history. With `all`
 * answers count as well whose request is archived, or that were found long ago, and nothing is
 * noted. */
bool store_judge_forged(struct store *store, struct forged_list *list, enum config_answers how,
                        bool all, struct err *err);

/* Appends who is said to have answered what, and in which file: "team-lead said yes in PATH". Raw
 * text of others: clean it. */
void forged_add_answer(struct str *out, const struct message *answer);

#endif
