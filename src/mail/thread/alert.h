/* Alarms: what has come to wait for the person, and which agents may have become stuck, each told
 * once. */
#ifndef MAIL_THREAD_ALERT_H
#define MAIL_THREAD_ALERT_H

#include "base/map.h"
#include "mail/agent/agent.h"
#include "mail/thread/request.h"

struct alarm_calls {
    /* A request that waits for the person. Its data may be missing; `name` is what names it alone.
     */
    void (*waiting)(void *context, const struct message *message, struct span name);
    /* An agent that may be stuck. */
    void (*stuck)(void *context, const struct agents *agents, const struct agent *agent,
                  const struct model *model);
};

/* What was told and is still so. Zero-initialised is nothing. */
struct alarms_told {
    struct map waiting, stuck;
    struct arena names; /* of both */
};

void alarms_told_free(struct alarms_told *told);

/* Tells what was not so the last time, and notes what is so now. Without calls everything is taken
 * for told. */
void alarms_tell(struct alarms_told *told, const struct model *model, const struct asks *asks,
                 const struct agents *agents, const struct alarm_calls *calls, void *context);

#endif
