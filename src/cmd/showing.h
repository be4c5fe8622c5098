/* Showing a document on a terminal, a screenful at a time. */
#ifndef CMD_SHOWING_H
#define CMD_SHOWING_H

#include "cmd/app.h"
#include "mail/page/document.h"

/* Prints all of it, waiting for Enter after each screenful; false, refused, when the person has
 * left off before its end. */
bool app_show(const struct app *app, const struct document *document, struct err *err);

#endif
