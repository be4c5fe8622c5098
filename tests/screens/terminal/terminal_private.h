/* Shared by the parts of terminal.h. */
#ifndef SCREENS_TERMINAL_PRIVATE_H
#define SCREENS_TERMINAL_PRIVATE_H

#include "child.h"
#include "terminal.h"
#include "terminfo.h"
#include "tests/screens/harness/introducer.h"
#include "tests/screens/harness/scan.h"

#include <vterm.h>

struct terminal {
    struct child child;
    struct terminfo *info;
    struct scan scan;
    bool xterm; /* it has the same keys as libvterm */
    bool unchecked, no_escape;

    VTerm *vterm;
    VTermScreen *screen;
    int rows, cols;
    bool cursor_visible, alt_screen, mouse;
    struct str title;
    int bells;

    struct introducer introducer;
    struct str raw;  /* all output of the program */
    struct str keys; /* input for the program, not yet written */
};

/* Passes keys and output on, waiting up to `wait_ms` milliseconds for any. Returns false if nothing
 * came. */
bool terminal_pump(struct terminal *terminal, int wait_ms);
/* Writes all keys to the program. */
void terminal_flush(struct terminal *terminal);

/* Returns the limit of a wait: half a minute, times $SWARMUTT_PATIENCE. */
int terminal_patience_s(void);

#endif
