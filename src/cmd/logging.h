/* Logging: decisions of the ledger as paragraphs for people and as lines for programs. */
#ifndef CMD_LOGGING_H
#define CMD_LOGGING_H

#include "cmd/command.h"
#include "store/ledger.h"

/* Prints one decision. With `whole` everything that is known of it. */
void log_put_decision(const struct app *app, const struct decision_record *record, bool whole);
/* Prints one line of JSON for each of its events. */
void log_put_json(const struct decision_record *record);

#endif
