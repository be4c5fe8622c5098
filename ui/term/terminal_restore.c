/* The terminal: its capabilities, and restoring it when a signal ends the process. */
#include "ui/term/terminal_restore.h"
#include "base/file/signal_cleanup.h"
#include "ui/term/terminal.h"

#include <curses.h>
#include <errno.h>
#include <stdlib.h>
#include <term.h> /* has macros for common words: nothing else belongs into this file */
#include <termios.h>
#include <unistd.h>

enum { RESTORE_MAX = 512 };

/* State for a signal that ends the process: the handler may only write and set modes. */
static struct {
    struct termios modes;
    bool known; /* modes are valid */
    char bytes[RESTORE_MAX];
    size_t len;
} restoring;

const char terminal_paste_on[] = "\033[?2004h", terminal_paste_off[] = "\033[?2004l";
static const char mouse_off[] = "\033[?1006l\033[?1002l\033[?1000l";

void terminal_write(const char *bytes, size_t len)
{
    while (len) {
        ssize_t put = write(STDOUT_FILENO, bytes, len);
        if (put < 0 && errno != EINTR)
            return;
        if (put > 0) {
            bytes += put;
            len -= (size_t)put;
        }
    }
}

static void restore_now(void)
{
    terminal_write(restoring.bytes, restoring.len);
    terminal_restore_modes();
}

void terminal_keep_modes(void)
{
    restoring.known = tcgetattr(STDIN_FILENO, &restoring.modes) == 0;
}

static int keep_byte(int byte)
{
    if (restoring.len < RESTORE_MAX)
        restoring.bytes[restoring.len++] = (char)byte;
    return byte;
}

static void keep_capability(const char *text)
{
    if (text)
        tputs(text, 1, keep_byte);
}

static void keep_text(const char *text)
{
    while (*text)
        keep_byte(*text++);
}

void terminal_prepare_restoring(bool paste)
{
    restoring.len = 0;
    if (paste)
        keep_text(terminal_paste_off);
    if (key_mouse)
        keep_text(mouse_off);
    keep_capability(exit_attribute_mode);
    keep_capability(orig_pair);
    keep_capability(keypad_local);
    keep_capability(cursor_normal);
    keep_capability(exit_ca_mode);
    terminal_arm_restoring(true);
}

void terminal_arm_restoring(bool on)
{
    signal_cleanup_set_hook(on ? restore_now : NULL);
}

void terminal_restore_modes(void)
{
    if (restoring.known)
        tcsetattr(STDIN_FILENO, TCSANOW, &restoring.modes);
}

bool terminal_is_able(void)
{
    int problem;

    return isatty(STDIN_FILENO) && isatty(STDOUT_FILENO) &&
           setupterm(NULL, STDOUT_FILENO, &problem) == OK && cursor_address && clear_screen;
}

int terminal_colours(void)
{
    const char *refused = getenv("NO_COLOR");
    int problem;

    if ((refused && *refused) || setupterm(NULL, STDOUT_FILENO, &problem) != OK)
        return 0;
    return max_colors > 0 ? max_colors : 0;
}
