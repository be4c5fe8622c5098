/* Verdicts: what a tool is to work on, changed by the person. */
#ifndef UI_DECIDE_VERDICT_INPUT_H
#define UI_DECIDE_VERDICT_INPUT_H

#include "ui/decide/request_page.h"

/* Opens the input of the request in the person's editor; what that leaves is checked, shown, and
 * only then can be granted. What cannot be taken is there again the next time. */
void verdict_amend(struct ui *ui, struct request_page *shown);

#endif
