/* Parses everything that a program writes to its terminal, and finds the sequences and characters
 * that no screen program should use. Shares no code with the sanitizing that it checks. */
#ifndef SCREENS_SCAN_H
#define SCREENS_SCAN_H

#include "base/str.h"
#include "tests/screens/terminal/terminfo.h"

enum { SCAN_MODES_MAX = 32 };

/* Filled by scan_init(); freed by scan_free(). */
struct scan {
    bool utf8;
    struct str own;               /* the terminal's strings in the database, separated by NULs */
    struct str reset_colours;     /* one of them, which has no end of its own on the console */
    const char *const *may_write; /* borrowed */

    struct str pending;  /* the start of a sequence or a character */
    struct str instead;  /* the bytes that the emulator gets in its place */
    char last;           /* the letter before, if it is ASCII */
    size_t offset;       /* of all bytes so far */
    struct str problems; /* one line each */
    size_t problem_count;

    struct scan_mode {
        unsigned number;
        bool on;
    } modes[SCAN_MODES_MAX]; /* modes that were ever changed */
    size_t mode_count;
};

/* `may_write`: more sequences from ESC on, or prefixes of them, that are correct; NULL for none. */
void scan_init(struct scan *scan, struct terminfo *info, bool utf8, const char *const *may_write);
void scan_free(struct scan *scan);

/* Reads the next bytes, and appends those for a terminal emulator. */
void scan_feed(struct scan *scan, struct span bytes, struct str *pass);
/* Adds a problem that an earlier stage has found. */
void scan_add_problem(struct scan *scan, const char *what, struct span bytes);
/* Ends the scan: an incomplete sequence is a problem. */
void scan_end(struct scan *scan);

/* True if a private mode (2004: bracketed paste) is on: as it was set last, else the initial state
 * of terminals. The keypad's mode is SCAN_KEYPAD. */
bool scan_mode(const struct scan *scan, unsigned number);
bool scan_mode_at_start(unsigned number);
enum { SCAN_KEYPAD = 66 };

#endif
