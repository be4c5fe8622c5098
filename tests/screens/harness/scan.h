/* Everything that a program writes to its terminal, taken apart: which sequences and characters it
 * used that no screen program has a reason to use. It does not share a line with the cleaning that
 * it watches over. */
#ifndef SCREENS_SCAN_H
#define SCREENS_SCAN_H

#include "base/str.h"
#include "tests/screens/terminal/terminfo.h"

enum { SCAN_MODES_MAX = 32 };

/* Filled by scan_init(); freed by scan_free(). */
struct scan {
    bool utf8;
    struct str own;               /* what the database gives this terminal, NULs between */
    struct str reset_colours;     /* one of them, which on the console has no end of its own */
    const char *const *may_write; /* borrowed */

    struct str pending;  /* the start of a sequence or a character */
    struct str instead;  /* what the emulator gets in its place */
    char last;           /* the letter before, if it is one of ASCII */
    size_t offset;       /* of all bytes so far */
    struct str problems; /* a line each */
    size_t problem_count;

    struct scan_mode {
        unsigned number;
        bool on;
    } modes[SCAN_MODES_MAX]; /* those that were ever changed */
    size_t mode_count;
};

/* `may_write`: sequences from ESC on, or starts of them, that are right besides; NULL for none. */
void scan_init(struct scan *scan, struct terminfo *info, bool utf8, const char *const *may_write);
void scan_free(struct scan *scan);

/* Takes the next bytes, and appends what a terminal emulator is to get of them. */
void scan_feed(struct scan *scan, struct span bytes, struct str *pass);
/* Something that whoever looks before has found. */
void scan_add_problem(struct scan *scan, const char *what, struct span bytes);
/* Nothing more comes: what is half written is a problem. */
void scan_end(struct scan *scan);

/* Whether a private mode (2004: bracketed paste) is on: as it was set last, else as terminals
 * start. The keypad's mode is SCAN_KEYPAD. */
bool scan_mode(const struct scan *scan, unsigned number);
bool scan_mode_at_start(unsigned number);
enum { SCAN_KEYPAD = 66 };

#endif
