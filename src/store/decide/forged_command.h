/* Forged commands and answers: messages in the name of a lead, or in ours, that were not written
 * here.
 *
 * Anybody who can write into a mailbox can give commands and answers in any name, and the agents'
 * programs follow them. The ledger, the outbox and the list of sent messages say what was written
 * here. A lead's own program answers as well, so an answer in our name need not be forged: the
 * setting decide.answers-elsewhere says how such an answer is treated. */
#ifndef STORE_DECIDE_FORGED_COMMAND_H
#define STORE_DECIDE_FORGED_COMMAND_H

#include "mail/thread/request.h"
#include "store/config/config.h"
#include "store/store.h"

/* How long an answer is shown after it was found. It is hidden earlier when its request is
 * archived. */
#define FORGED_SHOWN_US (INT64_C(7) * 86400 * 1000000)

enum forged_state {
    FORGED_NO,    /* written here, or by somebody who may; or not shown any more */
    FORGED_ORDER, /* a lead command that neither the lead nor we have given */
    FORGED_NOTE,  /* an answer in our name that was not sent from here */
    FORGED_ALARM, /* like FORGED_NOTE, where nobody else answers in our name */
};

struct forged {
    struct message *message; /* the command, or the answer; borrowed, as is `request` */
    struct message *request; /* the request for us that it answers; NULL: a command */
    enum forged_state state; /* filled by store_judge_forged() */
};

/* A list of messages to judge. Zero-initialised is empty and valid. */
struct forged_list {
    struct forged *items;
    size_t count, cap;
};

void forged_list_free(struct forged_list *list);
void forged_add(struct forged_list *list, struct message *message, struct message *request);

/* Adds the messages that have to be judged: all commands of leads in agents' boxes, and all answers
 * to requests for us that decide something. */
void forged_collect(struct forged_list *list, const struct model *model,
                    const struct requests *asks);

/* Judges each message. Answers that are found for the first time are noted in the local state:
 * those that the first search of a source finds, and that are older than the first use of the
 * source here, count as history. With `all`, answers to archived requests and answers found long
 * ago count as well, and nothing is noted. */
bool store_judge_forged(struct store *store, struct forged_list *list, enum config_answers how,
                        bool all, struct err *err);

/* Appends the claimed sender, its answer and the file: "team-lead said yes in PATH". Raw text of
 * others: sanitize it. */
void forged_add_answer(struct str *out, const struct message *answer);

#endif
