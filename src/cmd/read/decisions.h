/* Decisions of the ledger in the output of commands: paragraphs for people, lines for programs. */
#ifndef CMD_READ_DECISIONS_H
#define CMD_READ_DECISIONS_H

#include "cmd/read/naming.h"
#include "store/decide/ledger.h"

/* Prints one decision. With `whole` everything that is known of it. The naming knows of all that
 * are printed. */
void decision_put(const struct naming *naming, const struct decision_record *record, bool whole);
/* Prints one line of JSON for each of its events. */
void decision_put_json(const struct app *app, const struct decision_record *record);

#endif
