/* A terminal in a test: a program started in a pseudo terminal with libvterm as what the person
 * sees. Keys go in, the screen is looked at.
 *
 * Nothing sleeps for luck: the wait functions return as soon as what they wait for holds, and after
 * half a minute (times $SWARMUTT_PATIENCE) the test fails and shows the screen as it was. When a
 * program has ended, terminal_end() also holds it to what holds for every program: nothing
 * forbidden was written, and the terminal was given back as it was. */
#ifndef SCREENS_TERMINAL_H
#define SCREENS_TERMINAL_H

#include "base/str.h"

#include <stdint.h>

struct terminal;

/* Zero or NULL stands for the value in brackets. */
struct terminal_options {
    int rows, cols;               /* [24, 80] */
    const char *term;             /* [xterm-256color] */
    const char *locale;           /* [C.UTF-8]; any other is taken for one without UTF-8 */
    const char *program;          /* [$SWARMUTT, else ./swarmutt] */
    const char *const *args;      /* behind the program's name, ended by NULL [none] */
    const char *const *env;       /* NAME=value, ended by NULL; wins over the few others [none] */
    const char *cwd;              /* [this one] */
    const char *const *may_write; /* starts of sequences that are right besides, as in scan.h */
    bool no_escape;               /* the terminal is the one of introducer.h */
    bool unchecked;               /* terminal_end() does not hold it to anything */
};

/* The program runs in an environment of its own: only PATH and what libraries and sanitizers need
 * comes from ours. HOME is nowhere unless env says so. options may be NULL. */
struct terminal *terminal_start(const struct terminal_options *options);
/* Ends what still runs. NULL is fine. */
void terminal_free(struct terminal *terminal);

/* Text as if typed, byte for byte. */
void terminal_type(struct terminal *terminal, const char *text);
/* One key by its name: Enter, Esc, Tab, Space, Backspace, Up, Down, Left, Right, Home, End, PgUp,
 * PgDn, Insert, Delete, F1 to F12; ^D; Alt-b, Shift-Tab, Ctrl-Right; else the character itself. As
 * on any terminal, what follows Esc at once belongs to it: wait for what it does first. */
void terminal_key(struct terminal *terminal, const char *name);
/* Several of them, with blanks between. */
void terminal_keys(struct terminal *terminal, const char *names);
/* In brackets when the program has asked for them. */
void terminal_paste(struct terminal *terminal, const char *text);
/* A click, or for the buttons 4 and 5 one turn of the wheel. Says nothing to a program that has not
 * asked for the mouse. */
void terminal_click(struct terminal *terminal, int button, int y, int x);
void terminal_resize(struct terminal *terminal, int rows, int cols);
void terminal_signal(struct terminal *terminal, int number);
/* The window is closed. The screen can still be looked at. */
void terminal_hang_up(struct terminal *terminal);
/* Waits until the program was stopped, by ^Z for one; then lets it go on, as fg does. A ^Z that
 * comes while ncurses draws is lost, so the program should be idle when it is typed. */
void terminal_wait_stopped(struct terminal *terminal);
void terminal_continue(struct terminal *terminal);

/* Asked whenever something has come from the program. */
typedef bool terminal_test(struct terminal *terminal, void *context);
/* `what` completes the sentence "the screen never ...". */
void terminal_wait(struct terminal *terminal, const char *what, terminal_test *test, void *context);
/* The same for what no screen tells of: it is asked again and again. */
void terminal_wait_for(struct terminal *terminal, const char *what, terminal_test *test,
                       void *context);
/* The same for so many seconds, without failing. */
bool terminal_try(struct terminal *terminal, int seconds, terminal_test *test, void *context);
/* Until the text is somewhere in a row of the screen, is nowhere, or is in that row (from 0). */
void terminal_wait_text(struct terminal *terminal, const char *text);
void terminal_wait_gone(struct terminal *terminal, const char *text);
void terminal_wait_row(struct terminal *terminal, int y, const char *text);
/* Until the program has read every key, has written what it has to say, and sleeps in all its
 * threads. It may still wait for a time to pass. */
void terminal_wait_idle(struct terminal *terminal);

/* Waits for the end of the program; its exit code, or the number of the signal as a negative. */
int terminal_end(struct terminal *terminal);
/* The program's process, for those who look at it from outside. */
int terminal_pid(const struct terminal *terminal);

/* Appends a row, or all of them with a newline each; UTF-8, without blanks at the ends of rows. */
void terminal_row(const struct terminal *terminal, int y, struct str *out);
void terminal_screen(const struct terminal *terminal, struct str *out);
bool terminal_has(const struct terminal *terminal, const char *text);
/* Where the text stands first; the column counts cells. False when it stands nowhere. */
bool terminal_find(const struct terminal *terminal, const char *text, int *y, int *x);

/* The character of a cell; a blank for an empty one. */
uint32_t terminal_letter(const struct terminal *terminal, int y, int x);

enum { COLOUR_DEFAULT = -1, COLOUR_RGB = 1 << 24 };

/* How a cell is drawn. Colours: one of 256, or COLOUR_RGB with 0xrrggbb, or COLOUR_DEFAULT. What
 * libvterm does not know (dim) is not seen. */
struct terminal_attrs {
    bool bold, underline, italic, blink, reverse, strike;
    int fg, bg;
};

struct terminal_attrs terminal_attrs(const struct terminal *terminal, int y, int x);
bool terminal_attrs_equal(const struct terminal_attrs *a, const struct terminal_attrs *b);
/* Appends "bold reverse red on blue"; nothing for what is drawn as usual. */
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

/* Every byte that the program wrote. Borrowed until the next wait. */
struct span terminal_raw(const struct terminal *terminal);
/* Whether nothing forbidden was written; otherwise, with a line each, what was. */
bool terminal_is_clean(struct terminal *terminal, struct str *problems);
void terminal_check_clean(struct terminal *terminal);
/* Whether screen, cursor, colours, modes and the settings of the terminal are as they were before
 * the program. Only once it has stopped or ended. */
bool terminal_is_restored(struct terminal *terminal, struct str *problems);
void terminal_check_restored(struct terminal *terminal);

/* Fails the test and shows the screen. */
_Noreturn void terminal_fail(const struct terminal *terminal, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
