/* Long texts of ours: in the person's pager where there is a terminal and a pager, else as they
 * are. */
#ifndef CMD_PAGING_H
#define CMD_PAGING_H

#include "cmd/app.h"

void paging_put(const struct app *app, const struct str *text);

#endif
