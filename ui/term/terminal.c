/* The terminal, through curses: modes, input, and showing the grid. */
#include "ui/term/terminal.h"

#include "base/text/utf8.h"
#include "base/time.h"
#include "ui/term/escape.h"
#include "ui/term/terminal_restore.h"

#include <curses.h>
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Takes over the current size of the terminal. Returns false if the terminal does not report it. */
static bool terminal_take_size(void)
{
    struct winsize size;
    bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row && size.ws_col;

    if (known)
        resizeterm(size.ws_row, size.ws_col);
    return known;
}

/* Signals. Handlers only write into a pipe; the reader of the pipe does the work. */

enum { LEAVE_S = 5 };

/* Signals that ask the process to end. While we have the terminal there are LEAVE_S seconds to save
 * what was just typed, no more. */
static const int asking[] = {SIGINT, SIGTERM, SIGHUP};
enum { ASKING = sizeof asking / sizeof *asking };

/* For the handlers: the write end of the pipe, and the former actions of the signals above, which
 * end the process at once. */
static int wake_end = -1;
static struct sigaction at_once[ASKING];

static void on_signal(int number)
{
    int kept = errno;
    char byte = (char)number;
    ssize_t ignored = write(wake_end, &byte, 1);

    (void)ignored;
    errno = kept;
}

static void terminal_let_end(void)
{
    struct sigaction now;

    for (size_t i = 0; i < ASKING; i++)
        if (sigaction(asking[i], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaction(asking[i], &at_once[i], NULL);
}

static void on_asking(int number)
{
    terminal_let_end(); /* a second signal ends the process at once */
    alarm(LEAVE_S);
    on_signal(number);
}

/* Catches the signals that ask the process to end, so that there is time to save what was typed.
 * After the first of them, each ends the process at once. */
static void terminal_catch_asking(void)
{
    struct sigaction action = {.sa_handler = on_asking, .sa_flags = SA_RESTART}, now;

    sigfillset(&action.sa_mask);
    for (size_t i = 0; i < ASKING; i++) {
        sigaction(asking[i], NULL, &now);
        if (now.sa_handler == on_asking || now.sa_handler == SIG_IGN)
            continue;
        at_once[i] = now;
        sigaction(asking[i], &action, NULL);
    }
}

static bool terminal_asks_to_end(int number)
{
    for (size_t i = 0; i < ASKING; i++)
        if (asking[i] == number)
            return true;
    return false;
}

/* Starts reporting signals through terminal->wake. */
static bool terminal_catch_signals(struct terminal *terminal, struct err *err)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    const int numbers[] = {SIGWINCH, SIGTSTP, SIGCONT};

    if (pipe2(terminal->wake, O_CLOEXEC | O_NONBLOCK) != 0)
        return err_set(err, ERR_SOURCE, "no pipe can be had: %s", strerror(errno));
    wake_end = terminal->wake[1];
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        sigaction(numbers[i], &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    return true;
}

/* Empties the signal pipe after a stop: the SIGCONT has been handled. Signals that ask for the end
 * are put back. */
static void forget_continuing(struct terminal *terminal)
{
    char numbers[64];
    ssize_t count = read(terminal->wake[0], numbers, sizeof numbers);

    for (ssize_t i = 0; i < count; i++)
        if (terminal_asks_to_end(numbers[i]))
            on_signal(numbers[i]);
}

void terminal_suspend(struct terminal *terminal)
{
    struct sigaction stop = {.sa_handler = SIG_DFL}, before;

    terminal_release(terminal);
    sigemptyset(&stop.sa_mask);
    sigaction(SIGTSTP, &stop, &before);
    raise(SIGTSTP);
    terminal_resume(terminal);
    sigaction(SIGTSTP, &before, NULL);
    forget_continuing(terminal);
}

/* Input: characters, named keys, pastes, clicks, and signals. */

/* Codes for keys that curses has no code for; far above those that curses assigns to other
 * capabilities of terminfo. */
enum { CODE_PASTE = 0x4000, CODE_PASTED };

enum { PASTE_MAX = 16 << 20, SEQUENCE_MAX = 4096, ESC = 0x1b };

/* Two clicks within this time are a double click. */
#define TOGETHER_US INT64_C(400000)

/* Defines keys for curses that terminfo does not describe. */
static void terminal_define_keys(void)
{
    define_key("\033[200~", CODE_PASTE);
    define_key("\033[201~", CODE_PASTED);
}

/* Returns the key for a capability of terminfo that curses has no name for, by its sequence. */
static uint32_t key_of_bound(int code)
{
    CLEANUP(mem_free) char *sequence = keybound(code, 0);

    return sequence && *sequence == ESC ? escape_key(span_of(sequence + 1)) : K_UNKNOWN;
}

static uint32_t key_of_curses(int code)
{
    static const struct {
        int code;
        uint32_t key;
    } known[] = {
        {KEY_UP, K_UP},
        {KEY_DOWN, K_DOWN},
        {KEY_LEFT, K_LEFT},
        {KEY_RIGHT, K_RIGHT},
        {KEY_HOME, K_HOME},
        {KEY_END, K_END},
        {KEY_PPAGE, K_PGUP},
        {KEY_NPAGE, K_PGDN},
        {KEY_BACKSPACE, K_BACKSPACE},
        {KEY_DC, K_DELETE},
        {KEY_IC, K_INSERT},
        {KEY_BTAB, K_BACKTAB},
        {KEY_ENTER, K_ENTER},
        {KEY_SR, K_SHIFT | K_UP},
        {KEY_SF, K_SHIFT | K_DOWN},
        {KEY_SLEFT, K_SHIFT | K_LEFT},
        {KEY_SRIGHT, K_SHIFT | K_RIGHT},
    };

    if (code >= KEY_F(1) && code <= KEY_F(12))
        return K_F1 + (uint32_t)(code - KEY_F(1));
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (known[i].code == code)
            return known[i].key;
    return key_of_bound(code);
}

/* --- characters --- */

enum got { GOT_NOTHING, GOT_LETTER, GOT_KEY };

enum { MORE = UTF8_INVALID - 1 }; /* instead of a character: more bytes are needed */

/* Adds a byte to a character. Returns its code point, UTF8_INVALID, or MORE. A terminal with an
 * ASCII locale most likely sends UTF-8 all the same. */
static int32_t take_byte(struct terminal *terminal, char byte)
{
    unsigned char first = (unsigned char)(terminal->part_len ? terminal->part[0] : byte);
    size_t len = first < 0xc2 || first >= 0xf5 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
    wchar_t letter;

    if (!terminal->sends_utf8) {
        size_t used = mbrtowc(&letter, &byte, 1, &terminal->shift);
        if (used == (size_t)-1)
            terminal->shift = (mbstate_t){0};
        return used == (size_t)-1 ? UTF8_INVALID : used == (size_t)-2 ? MORE : (int32_t)letter;
    }
    if (terminal->part_len && (byte & 0xc0) != 0x80) { /* ended too early: this byte starts the
                                                        * next */
        terminal->part_len = 0;
        ungetch((unsigned char)byte);
        return UTF8_INVALID;
    }
    terminal->part[terminal->part_len++] = byte;
    if (terminal->part_len < len)
        return MORE;
    struct span rest = {terminal->part, terminal->part_len};
    int32_t code = utf8_next(&rest);
    terminal->part_len = 0;
    return rest.len || (code >= 0xd800 && code <= 0xdfff) ? UTF8_INVALID : code;
}

/* Reads a character, which may be a control character or UTF8_INVALID, or a key that curses
 * knows. */
static enum got next_code(struct terminal *terminal, int32_t *code)
{
    do {
        int got = getch();
        if (got == ERR)
            return GOT_NOTHING;
        *code = got;
        if (got > 0xff && !terminal->part_len)
            return GOT_KEY;
        if (got > 0xff)
            ungetch(got);
        *code = got > 0xff ? UTF8_INVALID : take_byte(terminal, (char)got);
        if (got > 0xff)
            terminal->part_len = 0;
    } while (*code == MORE);
    return GOT_LETTER;
}

static uint32_t key_of_letter(int32_t code)
{
    return code == UTF8_INVALID ? K_UNKNOWN : key_of_code((uint32_t)code);
}

/* --- sequences --- */

/* Reads the rest of a sequence that terminfo does not describe, so that its bytes are not taken for
 * keys. */
static void take_sequence(struct str *sequence)
{
    timeout(TERMINAL_ESC_MS);
    while (escape_goes_on(str_span(sequence)) && sequence->len < SEQUENCE_MAX) {
        int got = getch();
        bool another = got > 0xff || (got == ESC && !escape_is_text(str_span(sequence)));
        if (another)
            ungetch(got);
        if (got == ERR || another)
            break;
        str_putc(sequence, (char)got);
    }
    nodelay(stdscr, TRUE);
}

/* Handles Esc: alone, before a key pressed with Alt, or as the start of a sequence. */
static uint32_t take_escape(struct terminal *terminal)
{
    CLEANUP(str_free) struct str sequence = {0};
    enum got got;
    int32_t code;

    do
        got = next_code(terminal, &code);
    while (got == GOT_LETTER && code == ESC);
    if (got == GOT_KEY)
        ungetch(code);
    if (got != GOT_LETTER)
        return K_ESC;
    if (code < ' ' || code > '~')
        return key_of_letter(code) | (code == UTF8_INVALID ? 0U : K_ALT);
    str_putc(&sequence, (char)code);
    take_sequence(&sequence);
    return sequence.len > 1 ? escape_key(str_span(&sequence)) : (uint32_t)code | K_ALT;
}

/* --- pastes and clicks --- */

static void keep_pasted(struct terminal *terminal, int32_t code)
{
    if (terminal->pasted.len < PASTE_MAX)
        utf8_add(&terminal->pasted, code == UTF8_INVALID ? 0xfffd : code);
}

/* Detects double clicks: curses could only do so by waiting for the second click. */
static void pair_click(struct terminal *terminal, struct input *click)
{
    const struct input *last = &terminal->clicked;
    int64_t now_us = time_steady();

    click->twice |= last->kind == INPUT_CLICK && now_us - terminal->clicked_us < TOGETHER_US &&
                    last->y == click->y && last->x == click->x;
    terminal->clicked = !click->twice ? *click : (struct input){0}; /* a third click begins anew */
    terminal->clicked_us = now_us;
}

static struct input take_mouse(struct terminal *terminal)
{
    struct input input = {0};
    MEVENT event;

    if (getmouse(&event) != OK)
        return input;
    input.y = event.y;
    input.x = event.x;
    if (event.bstate & (BUTTON1_PRESSED | BUTTON1_CLICKED | BUTTON1_DOUBLE_CLICKED)) {
        input.kind = INPUT_CLICK;
        input.twice = (event.bstate & BUTTON1_DOUBLE_CLICKED) != 0; /* both clicks came at once */
        pair_click(terminal, &input);
    } else if (event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
        input.kind = INPUT_WHEEL;
        input.y = event.bstate & BUTTON4_PRESSED ? -1 : 1;
    }
    return input;
}

/* Keeps the sequence of a key as text, because it is part of a paste; of several sequences for the
 * key, the first. */
static void keep_pasted_key(struct terminal *terminal, int code)
{
    CLEANUP(mem_free) char *sequence = keybound(code, 0);

    for (const char *c = sequence; c && *c; c++)
        keep_pasted(terminal, (unsigned char)*c);
}

/* Handles input during a paste: everything is text, Esc too. */
static struct input take_pasted(struct terminal *terminal, enum got got, int32_t code)
{
    bool over = got == GOT_KEY && code == CODE_PASTED;

    terminal->pasting = !over;
    if (got == GOT_LETTER)
        keep_pasted(terminal, code);
    else if (!over)
        keep_pasted_key(terminal, code);
    return (struct input){.kind = over ? INPUT_PASTE : INPUT_NONE};
}

static struct input take_code(struct terminal *terminal, enum got got, int32_t code)
{
    struct input input = {.kind = INPUT_KEY};

    if (terminal->pasting)
        return take_pasted(terminal, got, code);
    if (got == GOT_KEY && code == CODE_PASTE) {
        terminal->pasting = true;
        str_clear(&terminal->pasted);
        return (struct input){0};
    }
    if (got == GOT_KEY && code == KEY_MOUSE)
        return take_mouse(terminal);
    if (got == GOT_KEY && code == KEY_RESIZE)
        return (struct input){.kind = INPUT_RESIZE};
    if (got == GOT_KEY)
        input.key = key_of_curses(code);
    else
        input.key = code == ESC ? take_escape(terminal) : key_of_letter(code);
    if (input.key == K_NONE)
        input.kind = INPUT_NONE;
    return input;
}

/* Handles one signal; there are few of them. */
static struct input take_signal(struct terminal *terminal)
{
    char number;

    if (read(terminal->wake[0], &number, 1) != 1)
        return (struct input){0};
    if (terminal_asks_to_end(number))
        return (struct input){.kind = INPUT_GONE, .key = (uint32_t)number};
    if (number == SIGTSTP) {
        terminal_suspend(terminal);
    } else if (number == SIGCONT) {
        terminal_resume(terminal); /* another program may have changed the modes */
    } else if (terminal_take_size()) {
        clearok(curscr, TRUE); /* there may have been another size in between, which lost rows */
    }
    return (struct input){.kind = INPUT_RESIZE};
}

static bool is_gone(void)
{
    struct pollfd fd = {.fd = STDIN_FILENO, .events = POLLIN};

    return poll(&fd, 1, 0) == 1 && fd.revents & (POLLHUP | POLLERR | POLLNVAL);
}

struct input terminal_next(struct terminal *terminal)
{
    struct input input = take_signal(terminal);
    int32_t code;

    while (input.kind == INPUT_NONE) {
        enum got got = next_code(terminal, &code);
        if (got == GOT_NOTHING)
            return (struct input){.kind = is_gone() ? INPUT_GONE : INPUT_NONE};
        input = take_code(terminal, got, code);
    }
    return input;
}

static void put_mode(const char *bytes)
{
    terminal_write(bytes, strlen(bytes));
}

/* Reports whether the terminal can be sent the paste mode. Most terminals ignore what they do not
 * know; these would draw it. */
static bool knows_paste(void)
{
    const char *name = getenv("TERM");

    return name && strncmp(name, "vt", 2) != 0 && strcmp(name, "dumb") != 0 &&
           strcmp(name, "linux") != 0 && strcmp(name, "ansi") != 0;
}

/* Reports whether the codeset is that of the C locale, under the names that libraries use. */
static bool is_ascii(const char *letters)
{
    return strncmp(letters, "ANSI_X3.4", 9) == 0 || strcmp(letters, "ASCII") == 0 ||
           strcmp(letters, "US-ASCII") == 0;
}

/* Turns mouse events on or off. While they are off curses must not know KEY_MOUSE: it would take
 * the start of a mouse sequence for a key, and leave the rest to be taken for other keys. */
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
    if (!terminal_catch_signals(terminal, err)) /* before curses does */
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

void terminal_resume(struct terminal *terminal)
{
    terminal->resumes++;
    if (!terminal->started)
        return;
    /* Must be first: the kernel stops a process that does this in the background, until it is in
     * the foreground. */
    reset_prog_mode();
    terminal_catch_asking();
    terminal_arm_restoring(true);
    if (!isendwin())
        endwin(); /* stopped without release: the modes are unknown */
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

static attr_t attributes(const struct text_attributes *drawn)
{
    static const struct {
        unsigned flag;
        attr_t attribute;
    } known[] = {{ATTRIBUTE_BOLD, A_BOLD},
                 {ATTRIBUTE_DIM, A_DIM},
                 {ATTRIBUTE_ITALIC, A_ITALIC},
                 {ATTRIBUTE_UNDERLINE, A_UNDERLINE},
                 {ATTRIBUTE_REVERSE, A_REVERSE}};
    attr_t all = A_NORMAL;

    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (drawn->attrs & known[i].flag)
            all |= known[i].attribute;
    return all;
}

/* Sets the attributes for a cell. The overlay wins where it specifies something. */
static void set_style(const struct terminal *terminal, const struct cell *cell)
{
    struct text_attributes drawn = theme_style(terminal->theme, cell->style);
    struct text_attributes over = theme_style(terminal->theme, cell->over);
    int pair = 0;

    if (cell->over) {
        drawn.attrs |= over.attrs;
        if (over.fg >= 0)
            drawn.fg = over.fg;
        if (over.bg >= 0)
            drawn.bg = over.bg;
    }
    if (terminal->colours && (drawn.fg >= 0 || drawn.bg >= 0))
        pair = alloc_pair(drawn.fg, drawn.bg);
    attr_set(attributes(&drawn), 0, &pair);
}

static bool is_styled_alike(const struct cell *a, const struct cell *b)
{
    return a->style == b->style && a->over == b->over;
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
    /* shows the position to screen readers, and to people without colours */
    curs_set(grid->has_cursor || !terminal->colours ? 1 : 0);
    refresh();
}

void terminal_redraw(struct terminal *terminal)
{
    if (terminal->started)
        clearok(curscr, TRUE);
}
