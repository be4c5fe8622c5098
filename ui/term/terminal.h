/* The terminal: taking it over, giving it back, keys from it and the grid onto it. */
#ifndef UI_TERM_TERMINAL_H
#define UI_TERM_TERMINAL_H

#include "base/err.h"
#include "ui/keys/key.h"
#include "ui/term/grid.h"
#include "ui/term/theme.h"

#include <wchar.h>

enum input_kind {
    INPUT_NONE, /* nothing more at present */
    INPUT_KEY,
    INPUT_PASTE, /* text that the terminal says was pasted; in terminal->pasted */
    INPUT_CLICK,
    INPUT_WHEEL, /* y is -1 for up, 1 for down */
    INPUT_RESIZE,
    INPUT_GONE, /* the terminal is no more, or a signal wants an end: its number is in key */
};

struct input {
    enum input_kind kind;
    uint32_t key;
    int y, x;
    bool twice; /* the second click at the same place within a moment */
};

struct terminal {
    struct theme *theme; /* borrowed */
    bool started, mouse, paste;
    unsigned resumes; /* how often somebody else had it, and it came back */
    bool pasting;
    struct input clicked; /* the last click, which another one would make two; or none */
    int64_t clicked_us;
    bool sends_utf8; /* else its letters are the locale's */
    char part[4];    /* of a letter whose last bytes are under way */
    size_t part_len; /* of them */
    mbstate_t shift; /* the same for letters of the locale */
    int colours;     /* 0: none */
    int wake[2];     /* signals write to it */
    struct str pasted;
    void *screen; /* curses' own */
};

/* Whether the terminal can do what full screens need. */
bool terminal_is_able(void);

/* From here on the terminal is ours, until terminal_stop() or a signal that ends the process. */
bool terminal_start(struct terminal *terminal, struct theme *theme, struct err *err);
void terminal_stop(struct terminal *terminal);

/* How many colours it has, to be called before terminal_start(); 0 with NO_COLOR or without any. */
int terminal_colours(void);

/* To be polled for: keys, and signals that want something. */
int terminal_fd(const struct terminal *terminal);
int terminal_wake_fd(const struct terminal *terminal);
/* What comes next; never waits. */
struct input terminal_next(struct terminal *terminal);

int terminal_rows(void);
int terminal_columns(void);

/* What follows does nothing to a terminal that was not started, except that terminal_suspend()
 * stops the process all the same. */

/* Makes the terminal look like the grid. */
void terminal_show(struct terminal *terminal, const struct grid *grid);
/* Forgets what is on it: the next show draws everything. */
void terminal_redraw(struct terminal *terminal);
void terminal_bell(const struct terminal *terminal);
/* Writes a sequence that changes nothing of what is on the screen. */
void terminal_put(const struct terminal *terminal, struct span sequence);
void terminal_set_mouse(struct terminal *terminal, bool on);

/* Gives the terminal back for a while, to a shell or to an editor, and takes it again. In between
 * signals that end the process do so at once, and leave the terminal to whoever has it. */
void terminal_release(struct terminal *terminal);
void terminal_resume(struct terminal *terminal);
/* Its settings as they were at the start; for a signal handler. */
void terminal_restore_modes(void);
/* Stops the process as ^Z does, and returns when it goes on. */
void terminal_suspend(struct terminal *terminal);

#endif
