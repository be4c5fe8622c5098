/* A terminal in a test: a program started in a pseudo terminal, with libvterm as the person's
 * terminal. Tests send keys and read the screen.
 *
 * Nothing sleeps for a guessed time: the wait functions return as soon as their condition holds,
 * and after half a minute (times $SWARMUTT_PATIENCE) the test fails and shows the last screen. When
 * a program has ended, terminal_end() also checks what must hold for every program: nothing
 * forbidden was written, and the terminal was restored. */
#ifndef SCREENS_TERMINAL_H
#define SCREENS_TERMINAL_H

#include "base/str.h"

#include <stdint.h>

struct terminal;

/* Zero or NULL selects the default in brackets. */
struct terminal_options {
    int rows, cols;               /* [24, 80] */
    const char *term;             /* [xterm-256color] */
    const char *locale;           /* [C.UTF-8]; any other counts as one without UTF-8 */
    const char *program;          /* [$SWARMUTT, else ./swarmutt] */
    const char *const *args;      /* after the program's name, ended by NULL [none] */
    const char *const *env;       /* NAME=value, ended by NULL; overrides the few others [none] */
    const char *cwd;              /* [the current one] */
    const char *const *may_write; /* prefixes of sequences that are also correct, as in scan.h */
    bool no_escape;               /* the terminal is the one of introducer.h */
    bool unchecked;               /* terminal_end() checks nothing */
};

/* Starts the program in an environment of its own: only PATH and the variables for libraries and
 * sanitizers come from ours. HOME does not exist unless env sets it. options may be NULL. */
struct terminal *terminal_start(const struct terminal_options *options);
/* Kills all remaining processes. NULL is fine. */
void terminal_free(struct terminal *terminal);

/* Types text, byte for byte. */
void terminal_type(struct terminal *terminal, const char *text);
/* Presses one key by its name: Enter, Esc, Tab, Space, Backspace, Up, Down, Left, Right, Home, End,
 * PgUp, PgDn, Insert, Delete, F1 to F12; ^D; Alt-b, Shift-Tab, Ctrl-Right; else the character
 * itself. As on any terminal, a character right after Esc belongs to it: wait for the effect of Esc
 * first. */
void terminal_key(struct terminal *terminal, const char *name);
/* Presses several keys, separated by blanks. */
void terminal_keys(struct terminal *terminal, const char *names);
/* Pastes text, in brackets if the program has enabled them. */
void terminal_paste(struct terminal *terminal, const char *text);
/* Clicks, or for the buttons 4 and 5 turns the wheel once. Sends nothing to a program that has not
 * enabled the mouse. */
void terminal_click(struct terminal *terminal, int button, int y, int x);
void terminal_resize(struct terminal *terminal, int rows, int cols);
void terminal_signal(struct terminal *terminal, int number);
/* Closes the window. The screen can still be read. */
void terminal_hang_up(struct terminal *terminal);
/* Waits until the program was stopped, for example by ^Z; then continues it, like fg. A ^Z that
 * comes while ncurses draws is lost, so the program should be idle when it is typed. */
void terminal_wait_stopped(struct terminal *terminal);
void terminal_continue(struct terminal *terminal);

/* Called after each output of the program. */
typedef bool terminal_test(struct terminal *terminal, void *context);
/* `what` completes the sentence "the screen never ...". */
void terminal_wait(struct terminal *terminal, const char *what, terminal_test *test, void *context);
/* Like terminal_wait(), for conditions outside the screen: calls the test again and again. */
void terminal_wait_for(struct terminal *terminal, const char *what, terminal_test *test,
                       void *context);
/* Like terminal_wait(), for that many seconds and without failing. */
bool terminal_try(struct terminal *terminal, int seconds, terminal_test *test, void *context);
/* Waits until the text is somewhere in a row of the screen, is nowhere, or is in row y (from 0). */
void terminal_wait_text(struct terminal *terminal, const char *text);
void terminal_wait_gone(struct terminal *terminal, const char *text);
void terminal_wait_row(struct terminal *terminal, int y, const char *text);
/* Waits until the program has read every key, has written all output, and sleeps in all its
 * threads. It may still wait for a time. */
void terminal_wait_idle(struct terminal *terminal);

/* Waits for the end of the program; returns its exit code, or the number of the signal as a
 * negative. */
int terminal_end(struct terminal *terminal);
/* Returns the program's process id. */
int terminal_pid(const struct terminal *terminal);

/* Appends a row, or all of them with a newline each; UTF-8, without blanks at the ends of rows. */
void terminal_row(const struct terminal *terminal, int y, struct str *out);
void terminal_screen(const struct terminal *terminal, struct str *out);
bool terminal_has(const struct terminal *terminal, const char *text);
/* Finds the first position of the text; the column counts cells. Returns false if there is none. */
bool terminal_find(const struct terminal *terminal, const char *text, int *y, int *x);

/* Returns the character of a cell; a blank for an empty one. */
uint32_t terminal_letter(const struct terminal *terminal, int y, int x);

enum { COLOUR_DEFAULT = -1, COLOUR_RGB = 1 << 24 };

/* The style of a cell. Colours: one of 256, or COLOUR_RGB with 0xrrggbb, or COLOUR_DEFAULT.
 * Attributes that libvterm does not know (dim) are missing. */
struct terminal_attrs {
    bool bold, underline, italic, blink, reverse, strike;
    int fg, bg;
};

struct terminal_attrs terminal_attrs(const struct terminal *terminal, int y, int x);
bool terminal_attrs_equal(const struct terminal_attrs *a, const struct terminal_attrs *b);
/* Appends "bold reverse red on blue"; nothing for the default style. */
void terminal_attrs_describe(const struct terminal_attrs *attrs, struct str *out);

int terminal_rows(const struct terminal *terminal);
int terminal_cols(const struct terminal *terminal);
void terminal_cursor(const struct terminal *terminal, int *y, int *x);
bool terminal_cursor_visible(const struct terminal *terminal);
bool terminal_alt_screen(const struct terminal *terminal);
bool terminal_mouse(const struct terminal *terminal);
bool terminal_bracketed_paste(const struct terminal *terminal);
const char *terminal_title(const struct terminal *terminal);
int terminal_bells(const struct terminal *terminal);

/* Returns every byte that the program wrote. Borrowed until the next wait. */
struct span terminal_raw(const struct terminal *terminal);
/* True if nothing forbidden was written; otherwise appends the problems, one line each. */
bool terminal_is_clean(struct terminal *terminal, struct str *problems);
void terminal_check_clean(struct terminal *terminal);
/* True if screen, cursor, colours, modes and the settings of the terminal are as they were before
 * the program. Only once it has stopped or ended. */
bool terminal_is_restored(struct terminal *terminal, struct str *problems);
void terminal_check_restored(struct terminal *terminal);

/* Fails the test and shows the screen. */
_Noreturn void terminal_fail(const struct terminal *terminal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
