/* The terminal, through curses: modes, and the grid onto it. */
#include "ui/term/terminal.h"

#include "ui/term/terminal_private.h"

#include <curses.h>
#include <langinfo.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void put_mode(const char *bytes)
{
    terminal_write(bytes, strlen(bytes));
}

/* Terminals that ignore what they do not know; a real one of that age would draw it. */
static bool knows_paste(void)
{
    const char *name = getenv("TERM");

    return name && strncmp(name, "vt", 2) != 0 && strcmp(name, "dumb") != 0 &&
           strcmp(name, "linux") != 0 && strcmp(name, "ansi") != 0;
}

/* The C locale, as libraries call it. */
static bool is_ascii(const char *letters)
{
    return strncmp(letters, "ANSI_X3.4", 9) == 0 || strcmp(letters, "ASCII") == 0 ||
           strcmp(letters, "US-ASCII") == 0;
}

/* Where the mouse is not ours curses would take the start of what it sends for a key, and leave the
 * rest to be taken for others. */
static void want_mouse(const struct terminal *terminal)
{
    keyok(KEY_MOUSE, terminal->mouse);
    mousemask(terminal->mouse ? ALL_MOUSE_EVENTS : 0, NULL);
}

static void enter_modes(struct terminal *terminal)
{
    if (terminal->paste)
        put_mode(terminal_paste_on);
    want_mouse(terminal);
}

static void leave_modes(struct terminal *terminal)
{
    if (terminal->paste)
        put_mode(terminal_paste_off);
    mousemask(0, NULL);
}

bool terminal_start(struct terminal *terminal, struct theme *theme, struct err *err)
{
    const char *name = getenv("TERM");

    *terminal = (struct terminal){.theme = theme, .wake = {-1, -1}, .paste = knows_paste()};
    terminal->sends_utf8 =
        strcmp(nl_langinfo(CODESET), "UTF-8") == 0 || is_ascii(nl_langinfo(CODESET));
    terminal->colours = terminal_colours();
    if (!terminal_catch_signals(terminal, err)) /* before curses would */
        return false;
    terminal_keep_modes();
    terminal_prepare_restoring(terminal->paste);
    terminal->screen = newterm(NULL, stdout, stdin);
    if (!terminal->screen) {
        terminal_arm_restoring(false);
        return err_set(err, ERR_USAGE,
                       "the terminal \"%s\" is not known here; set TERM, or use --plain",
                       name ? name : "");
    }
    set_escdelay(TERMINAL_ESC_MS);
    raw();
    noecho();
    nonl();
    keypad(stdscr, TRUE);
    nodelay(stdscr, TRUE);
    mouseinterval(0);
    if (terminal->colours) {
        start_color();
        use_default_colors();
    }
    terminal_define_keys();
    terminal->started = true;
    enter_modes(terminal);
    terminal_catch_asking();
    return true;
}

void terminal_stop(struct terminal *terminal)
{
    if (terminal->started) {
        leave_modes(terminal);
        endwin();
        terminal_arm_restoring(false);
        delscreen(terminal->screen);
    }
    for (int i = 0; i < 2; i++)
        if (terminal->wake[i] >= 0)
            close(terminal->wake[i]);
    str_free(&terminal->pasted);
    *terminal = (struct terminal){.wake = {-1, -1}};
}

int terminal_fd(const struct terminal *terminal)
{
    (void)terminal;
    return STDIN_FILENO;
}

int terminal_wake_fd(const struct terminal *terminal)
{
    return terminal->wake[0];
}

int terminal_rows(void)
{
    return LINES;
}

int terminal_columns(void)
{
    return COLS;
}

void terminal_release(struct terminal *terminal)
{
    if (!terminal->started)
        return;
    leave_modes(terminal);
    endwin();
    terminal_arm_restoring(false);
    terminal_let_end();
}

bool terminal_take_size(void)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col;

    if (known)
        resizeterm(size.ws_row, size.ws_col);
    return known;
}

void terminal_resume(struct terminal *terminal)
{
    terminal->resumes++;
    if (!terminal->started)
        return;
    /* First of all: the kernel stops who does this in the background, until it is in front. */
    reset_prog_mode();
    terminal_catch_asking();
    terminal_arm_restoring(true);
    if (!isendwin())
        endwin(); /* it was stopped without being asked: whatever the terminal is like now */
    enter_modes(terminal);
    terminal_take_size();
    clearok(curscr, TRUE);
    refresh();
    curs_set(0);
}

void terminal_set_mouse(struct terminal *terminal, bool on)
{
    terminal->mouse = on;
    want_mouse(terminal);
}

void terminal_bell(const struct terminal *terminal)
{
    if (terminal->started)
        beep();
}

void terminal_put(const struct terminal *terminal, struct span sequence)
{
    if (terminal->started)
        terminal_write(sequence.at, sequence.len);
}

static attr_t attributes(const struct look_style *style)
{
    static const struct {
        unsigned flag;
        attr_t attribute;
    } known[] = {{STYLE_BOLD, A_BOLD},
                 {STYLE_DIM, A_DIM},
                 {STYLE_ITALIC, A_ITALIC},
                 {STYLE_UNDERLINE, A_UNDERLINE},
                 {STYLE_REVERSE, A_REVERSE}};
    attr_t all = A_NORMAL;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (style->attrs & known[i].flag)
            all |= known[i].attribute;
    return all;
}

/* What is laid over a cell wins where it says something. */
static void set_style(const struct terminal *terminal, const struct cell *cell)
{
    struct look_style style = theme_style(terminal->theme, cell->look);
    struct look_style over = theme_style(terminal->theme, cell->over);
    int pair = 0;

    if (cell->over) {
        style.attrs |= over.attrs;
        if (over.fg >= 0)
            style.fg = over.fg;
        if (over.bg >= 0)
            style.bg = over.bg;
    }
    if (terminal->colours && (style.fg >= 0 || style.bg >= 0))
        pair = alloc_pair(style.fg, style.bg);
    attr_set(attributes(&style), 0, &pair);
}

static bool is_styled_alike(const struct cell *a, const struct cell *b)
{
    return a->look == b->look && a->over == b->over;
}

static void show_row(const struct terminal *terminal, const struct grid *grid, int y)
{
    const struct cell *cells = &grid->cells[(size_t)y * (size_t)grid->columns];
    const struct cell *before = NULL;

    move(y, 0);
    for (int x = 0; x < grid->columns; x++) {
        const struct cell *cell = &cells[x];
        if (cell->covered)
            continue;
        if (!before || !is_styled_alike(before, cell))
            set_style(terminal, cell);
        before = cell;
        if (cell->len)
            addnstr(grid->text.at + cell->at, cell->len);
        else
            addch(' ');
    }
}

void terminal_show(struct terminal *terminal, const struct grid *grid)
{
    erase();
    for (int y = 0; y < grid->rows; y++)
        show_row(terminal, grid, y);
    attr_set(A_NORMAL, 0, NULL);
    move(grid->cursor_y, grid->cursor_x);
    /* it tells screen readers, and who sees no colours, where they are */
    curs_set(grid->has_cursor || !terminal->colours ? 1 : 0);
    refresh();
}

void terminal_redraw(struct terminal *terminal)
{
    if (terminal->started)
        clearok(curscr, TRUE);
}
