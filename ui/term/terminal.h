/* The terminal: taking it over, releasing it, reading keys and showing the grid. */
#ifndef UI_TERM_TERMINAL_H
#define UI_TERM_TERMINAL_H

#include "base/err.h"
#include "ui/term/grid.h"
#include "ui/term/theme.h"

#include <wchar.h>

enum input_kind {
    INPUT_NONE, /* nothing more at present */
    INPUT_KEY,
    INPUT_PASTE, /* text that the terminal reports as pasted; in terminal->pasted */
    INPUT_CLICK,
    INPUT_WHEEL, /* y is -1 for up, 1 for down */
    INPUT_RESIZE,
    INPUT_GONE, /* the terminal was closed, or a signal asks for the end: its number is in key */
};

struct input {
    enum input_kind kind;
    uint32_t key;
    int y, x;
    bool twice; /* second click at the same place within a moment */
};

struct terminal {
    struct theme *theme; /* borrowed */
    bool started, mouse, paste;
    unsigned resumes; /* number of times the terminal came back to us */
    bool pasting;
    struct input clicked; /* last click, if it may become a double click; or none */
    int64_t clicked_us;
    bool sends_utf8; /* else characters are in the encoding of the locale */
    char part[4];    /* bytes of an incomplete character */
    size_t part_len; /* of `part` */
    mbstate_t shift; /* of an incomplete character of the locale */
    int colours;     /* 0: none */
    int wake[2];     /* pipe that signals write to */
    struct str pasted;
    void *screen; /* the SCREEN of curses */
};

/* Reports whether the terminal can show full screens. */
bool terminal_is_able(void);

/* Takes over the terminal, until terminal_stop() or a signal that ends the process. */
bool terminal_start(struct terminal *terminal, struct theme *theme, struct err *err);
void terminal_stop(struct terminal *terminal);

/* Returns the number of colours; 0 with NO_COLOR or if there are none. To be called before
 * terminal_start(). */
int terminal_colours(void);

/* Descriptors to poll: one for keys, one for signals. */
int terminal_fd(const struct terminal *terminal);
int terminal_wake_fd(const struct terminal *terminal);
/* Returns the next input; never waits. */
struct input terminal_next(struct terminal *terminal);

int terminal_rows(void);
int terminal_columns(void);

/* The functions below do nothing to a terminal that was not started, except that terminal_suspend()
 * still stops the process. */

/* Updates the terminal to show the grid. */
void terminal_show(struct terminal *terminal, const struct grid *grid);
/* Forgets the content of the terminal: the next terminal_show() draws everything. */
void terminal_redraw(struct terminal *terminal);
void terminal_bell(const struct terminal *terminal);
/* Writes a sequence that does not change what is on the screen. */
void terminal_put(const struct terminal *terminal, struct span sequence);
void terminal_set_mouse(struct terminal *terminal, bool on);

/* Releases the terminal for a while, to a shell or an editor, and takes it over again. In between,
 * signals that end the process do so at once, and leave the terminal to the program that has it. */
void terminal_release(struct terminal *terminal);
void terminal_resume(struct terminal *terminal);
/* Restores the settings that the terminal had at the start; safe in a signal handler. */
void terminal_restore_modes(void);
/* Stops the process as ^Z does; returns when it is continued. */
void terminal_suspend(struct terminal *terminal);

#endif
