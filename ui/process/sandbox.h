/* Confining the screens: what they may open, and the spawner that starts programs for them. */
#ifndef UI_PROCESS_SANDBOX_H
#define UI_PROCESS_SANDBOX_H

#include "base/err.h"

struct config;
struct store;
struct ui;

/* Returns the version of Landlock by which the screens are confined here; 0 and the reason if they
 * are not. */
int sandbox_version(const struct config *config, struct err *err);

/* Starts the spawner, with the hooks as they are now, if the screens can be confined and the config
 * allows it. To be called before there are threads. */
void sandbox_prepare(struct ui *ui);
/* Confines this process to the files that it needs for these sources, and logs the outcome; a
 * failure leaves everything as it was. To be called before there are threads. */
void sandbox_enter(struct ui *ui, const struct store *store);

#endif
