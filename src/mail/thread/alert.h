/* Alarms: what has come to wait for the person, and which agents may have become stuck, each told
 * once. */
#ifndef MAIL_THREAD_ALERT_H
#define MAIL_THREAD_ALERT_H

#include "base/map.h"
#include "mail/agent/agent.h"
#include "mail/thread/request.h"

struct alert_calls {
    /* A request that waits for the person. Its data may be missing; `name` is what names it alone.
     */
    void (*waiting)(void *context, const struct message *message, struct span name);
    /* An agent that may be stuck. */
    void (*stuck)(void *context, const struct agents *agents, const struct agent *agent,
                  const struct model *model);
};

/* What was told and is still so. Zero-initialised is nothing. */
struct alerts_told {
    struct map waiting, stuck;
    struct arena names; /* of both */
};

void alerts_told_free(struct alerts_told *told);

/* Tells what was not so the last time, and notes what is so now. Without calls everything is taken
 * for told. */
void alerts_tell(struct alerts_told *told, const struct model *model, const struct asks *asks,
                 const struct agents *agents, const struct alert_calls *calls, void *context);

#endif
