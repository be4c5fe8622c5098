/* Judging requests: why one must not be said yes to, and what a person should know first. */
#ifndef STORE_DECIDE_REQUEST_JUDGE_H
#define STORE_DECIDE_REQUEST_JUDGE_H

#include "store/decide/ledger.h"
#include "store/decide/request.h"
#include "store/source/address.h"
#include "store/source/name_index.h"

/* What requests of one source are judged with; read once. */
struct request_judge {
    struct arena *arena; /* of the sentences */
    struct ledger ledger;
    const struct source *source; /* whose rosters these are; NULL: none yet */
    struct agent_names names;
    struct name_index index; /* of these */
    bool has_ledger;
    struct err ledger_err; /* else: why */
};

/* A ledger that cannot be read is no reason to keep requests from the person; it is told. */
void request_judge_open(struct request_judge *judge, struct arena *arena);
void request_judge_close(struct request_judge *judge);

/* Fills in refusal and flags. `doubled`: the same name stands for another request as well. */
void request_judge(struct request_judge *judge, const struct source *source,
                   struct request *request, uid_t owner, bool doubled);

#endif
