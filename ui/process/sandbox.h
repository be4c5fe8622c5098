/* Confining the screens: what they may still open, and who starts programs for them. */
#ifndef UI_PROCESS_SANDBOX_H
#define UI_PROCESS_SANDBOX_H

#include "base/err.h"

struct config;
struct store;
struct ui;

/* By which version of Landlock the screens are confined here; 0 with the reason why they are not.
 */
int sandbox_version(const struct config *config, struct err *err);

/* Starts the spawner, with the hooks as they are now, where the screens can be confined and the
 * config does not say no. To be called before there are threads. */
void sandbox_prepare(struct ui *ui);
/* Confines this process to what it needs for these sources. Says in the log what came of it; a
 * failure leaves everything as it was. To be called before there are threads, too. */
void sandbox_enter(struct ui *ui, const struct store *store);

#endif
