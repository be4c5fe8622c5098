/* Shared by the tests of the terminal interface: the program on a mailbox, the selected row, and
 * checks of every screen at every size. */
#ifndef SCREENS_STAGE_H
#define SCREENS_STAGE_H

#include "mailbox.h"
#include "tests/screens/terminal/terminal.h"

struct stage {
    struct mailbox mailbox;
    struct terminal *terminal;
    struct terminal *other; /* a second program on the same mailbox, if the test starts one */
};

/* Global, because each test is a process of its own. */
extern struct stage stage;

/* All parts that are neither hostile nor long. */
#define STAGE_USUAL ((unsigned)MAILBOX_ALL & ~((unsigned)MAILBOX_HOSTILE | (unsigned)MAILBOX_LONG))

/* Makes the mailbox and starts the program on it; returns when all mail and rosters are loaded. */
void stage_open(unsigned parts, const struct terminal_options *options);
/* Starts the program on an existing mailbox. */
void stage_start(const struct terminal_options *options);
void stage_close(void);
/* Quits with Q, which must succeed. */
void stage_quit(void);
/* Runs a command of the program on the mailbox, which must succeed; arguments end with NULL. */
void stage_run(const char *const *args);

/* Writes a shell script and returns an environment that has it as the editor. Borrowed until the
 * next call. */
const char *const *stage_editor(const char *script);
/* Writes an unread ADR message with these tags, a JSON array. */
void stage_put_tagged(const char *id, const char *tags);

/* Sends keys like terminal_keys(), then waits for a text. */
void stage_go(const char *keys, const char *text);
/* Types a line after : and waits for a text. */
void stage_command(const char *line, const char *text);

/* Appends the row with the cursor's mark, from the mark on. Returns false if no row has one. */
bool stage_selected(struct terminal *terminal, struct str *row);
/* Waits until the selected row has the text. */
void stage_wait_selected(const char *text);

/* Waits until nothing changes, and checks that a full redraw gives the same screen, that the cursor
 * is on the screen and that nothing forbidden was written. */
void stage_check_drawn(void);
/* Checks that there are no colours and no letters beyond ASCII. */
void stage_check_colourless(void);
void stage_check_ascii(void);

/* Sends the message of a form: checks the review before, and that nothing of it is left here
 * afterwards. */
void stage_send(const char *shown, const char *said);

/* Returns how often a file of the mailbox has the text. */
size_t stage_times_in(const char *path, const char *text);
/* Appends all that is below the mailbox's directory, or below one in it: names, kinds, times of
 * change and bytes. */
void stage_snapshot(struct str *out);
void stage_snapshot_of(const char *dir, struct str *out);
/* Expects two snapshots to be equal, and frees both. */
void stage_expect_unchanged(struct str *before, struct str *after);

#endif
