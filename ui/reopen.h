/* Opening the screens again in the same terminal, when mailboxes have come that they do not know,
 * or that confinement does not let them read.
 *
 * Sources are found and confinement is entered once, at the start, so the program is started anew:
 * by the spawner, which is not confined, while this process waits for it; without a spawner this
 * process becomes it. View, filter, scope and cursor are handed over in a file; drafts are on disk
 * anyway. */
#ifndef UI_REOPEN_H
#define UI_REOPEN_H

#include "ui/ui.h"

/* Notes at the start whether the screens were opened again, before other programs are started. */
void reopen_init(struct ui *ui);
/* For the spawner: the words that start the program again, NULL behind them, to be freed with
 * spawn_free_words(), and what stands in its environment. NULL when that is not wanted. */
char **reopen_words(const struct ui *ui, const char **variable);
/* Opens the view that was open, with its filter and scope; false: the screens are opened for the
 * first time. */
bool reopen_resume(struct ui *ui);

/* Asks for it. It is done as soon as nothing is under way that it could disturb. */
void reopen_want(struct ui *ui);
/* When to look whether it can be done; does it, and puts the cursor where it was. */
int64_t reopen_due_us(const struct ui *ui);
void reopen_work(struct ui *ui);
/* After everything was closed: starts it and waits for its end. Returns only if it failed. */
void reopen_run(struct ui *ui);
void reopen_free(struct ui *ui);

#endif
