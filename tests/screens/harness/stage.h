/* What tests of the terminal interface share: the program on a mailbox, the row that is selected,
 * and what holds for every screen of every size. */
#ifndef SCREENS_STAGE_H
#define SCREENS_STAGE_H

#include "mailbox.h"
#include "tests/screens/terminal/terminal.h"

struct stage {
    struct mailbox mailbox;
    struct terminal *terminal;
    struct terminal *other; /* a second program on the same mailbox, where a test starts one */
};

/* There is one: each test is a process of its own. */
extern struct stage stage;

/* Everything that is neither hostile nor long. */
#define STAGE_USUAL ((unsigned)MAILBOX_ALL & ~((unsigned)MAILBOX_HOSTILE | (unsigned)MAILBOX_LONG))

/* Makes the mailbox and starts the program on it; returns when all mail and rosters are there. */
void stage_open(unsigned parts, const struct terminal_options *options);
/* Starts the program on a mailbox that is made already. */
void stage_start(const struct terminal_options *options);
void stage_close(void);
/* Leaves by Q, which has to end well. */
void stage_quit(void);
/* A command of the program on the mailbox, which has to end well; arguments end with NULL. */
void stage_run(const char *const *args);

/* Writes a shell script and returns an environment that has it as the editor. Borrowed until the
 * next one. */
const char *const *stage_editor(const char *script);
/* An unread ADR message with these tags, a JSON array. */
void stage_put_tagged(const char *id, const char *tags);

/* Keys as terminal_keys() has them, then waits for a text. */
void stage_go(const char *keys, const char *text);
/* Types a line behind : and waits for a text. */
void stage_command(const char *line, const char *text);

/* Appends the row with the cursor's mark, from the mark on. False when no row has one. */
bool stage_selected(struct terminal *terminal, struct str *row);
/* Until the selected row has the text. */
void stage_wait_selected(const char *text);

/* When nothing moves any more: what is shown is what is there after everything is drawn again, the
 * cursor is on the screen and nothing forbidden was written. */
void stage_check_drawn(void);
/* Without colours, and without letters beyond ASCII. */
void stage_check_colourless(void);
void stage_check_ascii(void);

/* Sends what a form holds: it is shown before, and afterwards nothing of it is left here. */
void stage_send(const char *shown, const char *said);

/* How often a file of the mailbox has the text. */
size_t stage_times_in(const char *path, const char *text);
/* All that lies beneath the mailbox's directory, or beneath one in it: names, kinds, times of
 * change and bytes. */
void stage_snapshot(struct str *out);
void stage_snapshot_of(const char *dir, struct str *out);
/* Expects two of them to be the same, and frees both. */
void stage_expect_unchanged(struct str *before, struct str *after);

#endif
