/* Guarding: what is seen to before anything else is done. */
#ifndef CMD_GUARDING_H
#define CMD_GUARDING_H

#include "cmd/app.h"

/* Puts something into the place of standard streams that are closed, so that no file gets their
 * numbers: what is printed would be written into it. Nothing can be read from it or written to it.
 */
void guarding_streams(void);

/* From now on a lack of memory ends the process with a sentence. `app` tells whether something may
 * have changed by then, and must stay. */
void guarding_memory(const struct app *app);

#endif
