/* Verdicts, inside: from a key that may be pressed to a decision that is made. */
#ifndef UI_DECIDE_VERDICT_PRIVATE_H
#define UI_DECIDE_VERDICT_PRIVATE_H

#include "ui/decide/verdict.h"

/* Makes the decision, after what has to be typed with it. Whether it may be made was looked at
 * before. */
void verdict_make(struct screen *screen, struct request_page *shown, enum decision decision,
                  enum action action);

/* Switches the suggestion of that number; false, and it was said, when there is none. */
bool verdict_choose(struct ui *ui, struct request_page *shown, struct span text);
void verdict_ask_suggestion(struct screen *screen, struct request_page *shown);

#endif
