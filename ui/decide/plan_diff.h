/* The file that a plan names: looked at only when the person says so, and only beneath a root of
 * the config. */
#ifndef UI_DECIDE_PLAN_DIFF_H
#define UI_DECIDE_PLAN_DIFF_H

#include "ui/decide/request_view.h"

/* Compares the plan that is shown with its file, and shows the difference. */
void plan_diff_compare(struct ui *ui, const struct request_page *shown);

#endif
