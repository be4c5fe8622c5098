/* The file that a plan names. It is read only if the person asks for it, and only below a
 * decide.plan-root of the config. */
#ifndef UI_DECIDE_PLAN_DIFF_H
#define UI_DECIDE_PLAN_DIFF_H

#include "ui/decide/request_view.h"

/* Compares the plan that is shown with its file in the background, and shows the difference. */
void plan_diff_compare(struct ui *ui, const struct request_page *shown);

#endif
