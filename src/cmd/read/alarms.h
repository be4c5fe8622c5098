/* Alarms for the commands that follow the mailboxes: when to look at everything; see mail/alarm.h.
 */
#ifndef CMD_READ_ALARMS_H
#define CMD_READ_ALARMS_H

#include "cmd/app_watch.h"
#include "mail/thread/alarm.h"
#include "store/source/agents.h"

/* Zero-initialise, set app, calls and context. */
struct alarms {
    const struct app *app;
    const struct alarm_calls *calls;
    void *context;
    struct agents_world *world; /* NULL until it is known */
    struct alarms_told told;
    bool stale;      /* something happened since the last look */
    bool held;       /* the next look was put off until held_until_us */
    int64_t next_us; /* of the wall clock: when time alone may change something */
    /* Of the clock that never jumps: no look before then, when the last one was and how long it
     * took, and when something happened last. */
    int64_t rest_until_us, looked_us, took_us, news_us, held_until_us;
};

void alarms_free(struct alarms *alarms);

/* What is known of agents is this now. Takes it over. */
void alarms_known(struct alarms *alarms, struct agents_world *world);

/* Something has happened in the mailboxes. */
void alarms_news(struct alarms *alarms);
/* Something that the person should know of soon, after alarms_news(). */
void alarms_hurry(struct alarms *alarms);

/* Looks at everything again if something has happened and it is time for it: a look costs as much
 * as there is mail, and takes a small part of the time at most. Without `tell` what is there now is
 * taken for told. */
void alarms_look(struct alarms *alarms, const struct live *live, bool tell);

/* Puts the next look off, once: what is seen now may be half of something. */
void alarms_hold(struct alarms *alarms, int64_t for_us);

/* When to call alarms_look() again though nothing happens; -1: never. */
int alarms_timeout_ms(const struct alarms *alarms);

#endif
