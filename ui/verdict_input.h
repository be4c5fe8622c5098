/* Verdicts: what a tool is to work on, changed by the person or made a rule. */
#ifndef UI_VERDICT_INPUT_H
#define UI_VERDICT_INPUT_H

#include "mail/protocol.h"
#include "ui/shown.h"

/* What the same use of the tool is, as a rule: its command, or the file it works on. Absent: there
 * is no such thing. False: it holds what means more than itself in a rule. */
bool verdict_same_use(const struct protocol *p, struct span *rule, struct arena *arena);

/* Opens the input of the request in the person's editor; what that leaves is checked, shown, and
 * only then can be granted. */
void verdict_amend(struct ui *ui, struct shown *shown);

#endif
