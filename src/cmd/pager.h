/* Long texts of ours: in the person's pager where there is a terminal and a pager, else as they
 * are. */
#ifndef CMD_PAGER_H
#define CMD_PAGER_H

#include "cmd/app.h"
#include "mail/page/page.h"

void pager_put(const struct app *app, const struct str *text);

/* Showing a document on a terminal, a screenful at a time. */

/* Prints all of it, waiting for Enter after each screenful; false, refused, when the person has
 * left off before its end. */
bool app_show(const struct app *app, const struct document *document, struct err *err);

#endif
