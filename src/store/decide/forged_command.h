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
#define FOREIGN_SHOWN_US (INT64_C(7) * 86400 * 1000000)

enum foreign_state {
    FOREIGN_NO,    /* it was written here, or by who may; or it is not to be shown any more */
    FOREIGN_ORDER, /* an order of a lead that neither the lead nor we have given */
    FOREIGN_NOTE,  /* an answer in our name that was not sent from here */
    FOREIGN_ALARM, /* the same, where nobody else answers in our name */
};

struct foreign {
    struct message *message;  /* the order, or the answer. Borrowed, as the request is */
    struct message *request;  /* the request for us that it answers; NULL: it is an order */
    enum foreign_state state; /* filled by store_judge_foreign() */
};

/* Zero-initialised is empty and valid. */
struct foreign_list {
    struct foreign *items;
    size_t count, cap;
};

void foreign_list_free(struct foreign_list *list);
void foreign_add(struct foreign_list *list, struct message *message, struct message *request);

/* Adds what has to be judged: all orders that lie with agents, and all answers to requests for us
 * that something is decided by. */
void foreign_collect(struct foreign_list *list, const struct model *model, const struct asks *asks);

/* Judges each of them. Answers that are found for the first time are noted in the local state:
 * those that were there, and are older, when a source was first used here are history. With `all`
 * answers count as well whose request is archived, or that were found long ago, and nothing is
 * noted. */
bool store_judge_foreign(struct store *store, struct foreign_list *list, enum config_answers how,
                         bool all, struct err *err);

/* Appends who is said to have answered what, and in which file: "team-lead said yes in PATH". Raw
 * text of others: clean it. */
void foreign_add_answer(struct str *out, const struct message *answer);

#endif
