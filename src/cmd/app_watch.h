/* Following the mailboxes as they change, for the commands that do. */
#ifndef CMD_APP_WATCH_H
#define CMD_APP_WATCH_H

#include "cmd/app.h"
#include "store/watching.h"

/* Starts to follow; `want` are the parts that messages are told with. Without a config nothing is
 * told about agents. */
void app_watch(struct watching *watching, const struct app *app, unsigned want,
               const struct config *config, const struct watching_calls *calls, void *context);

/* Takes news until that is enough, or that time of the steady clock has come (WHEN_NONE: never), or
 * nobody reads standard output any more. What is there at the start is looked at in any case. */
void app_watch_until(struct watching *watching, int64_t end_us,
                     bool (*is_enough)(const void *context));

#endif
