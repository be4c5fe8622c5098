/* What the parts of terminal.h share. */
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
    bool xterm; /* libvterm's own keys are this terminal's */
    bool unchecked, no_escape;

    VTerm *vterm;
    VTermScreen *screen;
    int rows, cols;
    bool cursor_visible, alt_screen, mouse;
    struct str title;
    int bells;

    struct introducer introducer;
    struct str raw;  /* all that the program wrote */
    struct str keys; /* what it has yet to be given */
};

/* Passes keys and output on, waiting up to so many milliseconds for any. False when nothing
 * came. */
bool terminal_pump(struct terminal *terminal, int wait_ms);
/* Gives the program all keys. */
void terminal_flush(struct terminal *terminal);

/* Half a minute for those who are patient once. */
int terminal_patience_s(void);

#endif
