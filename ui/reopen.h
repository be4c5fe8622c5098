/* Reopening the screens in the same terminal, when there are new mailboxes that the screens do not
 * know, or that confinement does not let them read.
 *
 * Sources are found and confinement is entered once, at the start, so the program is started anew:
 * by the spawner, which is not confined, while this process waits; without a spawner this process
 * executes it itself. View, filter, scope and cursor are passed in a file; drafts are on disk
 * anyway. */
#ifndef UI_REOPEN_H
#define UI_REOPEN_H

#include "ui/ui.h"

/* Notes whether the screens were reopened; to be called before other programs are started. */
void reopen_init(struct ui *ui);
/* For the spawner: returns the words that start the program again, with a NULL at the end; the
 * caller frees them with spawn_free_words(). Sets *variable to its entry of the environment (static
 * memory). NULL if reopening is not wanted. */
char **reopen_words(const struct ui *ui, char **variable);
/* Opens the view that was open, with its filter and scope. Returns false if the screens are opened
 * for the first time or the state cannot be read. */
bool reopen_resume(struct ui *ui);

/* Requests a reopen. It happens as soon as it would not disturb anything. */
void reopen_want(struct ui *ui);
/* reopen_due_us() returns when to check again. reopen_work() puts the cursor where it was, and
 * begins a wanted reopen if possible. */
int64_t reopen_due_us(const struct ui *ui);
void reopen_work(struct ui *ui);
/* To be called after everything was closed: starts the program and waits for its end. Returns only
 * on failure. */
void reopen_run(struct ui *ui);
void reopen_free(struct ui *ui);

#endif
