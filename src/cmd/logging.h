/* Logging: decisions of the ledger as paragraphs for people and as lines for programs. */
#ifndef CMD_LOGGING_H
#define CMD_LOGGING_H

#include "cmd/naming.h"
#include "store/ledger.h"

/* Prints one decision. With `whole` everything that is known of it. The naming knows of all that
 * are printed. */
void log_put_decision(const struct naming *naming, const struct decision_record *record,
                      bool whole);
/* Prints one line of JSON for each of its events. */
void log_put_json(const struct app *app, const struct decision_record *record);

#endif
