/* Alerts: requests that begin to wait for the person, and agents that may be stuck. Each is
 * reported once. */
#ifndef MAIL_THREAD_ALERT_H
#define MAIL_THREAD_ALERT_H

#include "base/map.h"
#include "mail/agent/agent.h"
#include "mail/thread/request.h"

struct alert_calls {
    /* Called for a request that waits for the person. Its data may be NULL; `name` is its unique
     * name. */
    void (*waiting)(void *context, const struct message *message, struct span name);
    /* Called for an agent that may be stuck. */
    void (*stuck)(void *context, const struct agents *agents, const struct agent *agent,
                  const struct model *model);
};

/* The alerts that were reported and still hold. Zero-initialised is empty and valid. */
struct alerts_reported {
    struct map waiting, stuck;
    struct arena names; /* the keys of both maps */
};

void alerts_reported_free(struct alerts_reported *told);

/* Reports everything that is new since the last call, and stores the present state in `told`. If
 * `calls` is NULL, everything counts as reported. */
void alerts_report(struct alerts_reported *told, const struct model *model,
                   const struct requests *asks, const struct agents *agents,
                   const struct alert_calls *calls, void *context);

#endif
