/* Long output: in the person's pager if there is a terminal and a pager, else printed as it is. */
#ifndef CMD_PAGER_H
#define CMD_PAGER_H

#include "cmd/app.h"
#include "mail/page/page.h"

void pager_put(const struct app *app, const struct str *text);

/* Documents, one screenful at a time. */

/* Prints the document and waits for Enter after each screenful. Returns false with ERR_REFUSED if
 * the person stopped before the end. */
bool app_show(const struct app *app, const struct document *document, struct err *err);

#endif
