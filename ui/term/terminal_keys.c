/* Keys from curses: characters, named keys, pastes, clicks, and what signals want. */
#include "base/text/utf8.h"
#include "base/when.h"
#include "ui/term/escape.h"
#include "ui/term/terminal.h"
#include "ui/term/terminal_private.h"

#include <curses.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <unistd.h>

/* Codes of our own for what curses has none for; far behind those that it gives to what terminfo
 * has besides. */
enum { CODE_PASTE = 0x4000, CODE_PASTED };

enum { PASTE_MAX = 16 << 20, SEQUENCE_MAX = 4096, ESC = 0x1b };

/* Two clicks within this are one. */
#define TOGETHER_US INT64_C(400000)

void terminal_define_keys(void)
{
    define_key("\033[200~", CODE_PASTE);
    define_key("\033[201~", CODE_PASTED);
}

/* What terminfo has and curses has no name for is known by its sequence. */
static uint32_t key_of_bound(int code)
{
    char *sequence = keybound(code, 0);
    uint32_t key = sequence && *sequence == ESC ? escape_key(span_of(sequence + 1)) : K_UNKNOWN;

    free(sequence);
    return key;
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

/* --- letters --- */

enum got { GOT_NOTHING, GOT_LETTER, GOT_KEY };

enum { MORE = UTF8_INVALID - 1 }; /* instead of a letter: the rest of it is under way */

/* One byte more of a letter: its code point, UTF8_INVALID or MORE. A terminal that says nothing of
 * its letters beyond ASCII most likely sends UTF-8 all the same. */
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
    if (terminal->part_len && (byte & 0xc0) != 0x80) { /* it ended too early: this is the next */
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

/* A letter, which may be a control character or UTF8_INVALID, or a key that curses knows. */
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

/* Takes the rest of a sequence that terminfo does not describe, so that its bytes are no keys. */
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

/* Esc has come: alone, before a key that Alt is held with, or as the start of a sequence. */
static uint32_t take_escape(struct terminal *terminal)
{
    struct str sequence = {0};
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
    uint32_t key = sequence.len > 1 ? escape_key(str_span(&sequence)) : (uint32_t)code | K_ALT;
    str_free(&sequence);
    return key;
}

/* --- pastes and clicks --- */

static void keep_pasted(struct terminal *terminal, int32_t code)
{
    if (terminal->pasted.len < PASTE_MAX)
        utf8_add(&terminal->pasted, code == UTF8_INVALID ? 0xfffd : code);
}

/* Curses would tell two clicks from one only by waiting for the second. */
static void pair_click(struct terminal *terminal, struct input *click)
{
    const struct input *last = &terminal->clicked;
    int64_t now_us = when_steady();

    click->twice |= last->kind == INPUT_CLICK && now_us - terminal->clicked_us < TOGETHER_US &&
                    last->y == click->y && last->x == click->x;
    terminal->clicked = !click->twice ? *click : (struct input){0}; /* a third one begins anew */
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
        input.twice = (event.bstate & BUTTON1_DOUBLE_CLICKED) != 0; /* they came at once */
        pair_click(terminal, &input);
    } else if (event.bstate & (BUTTON4_PRESSED | BUTTON5_PRESSED)) {
        input.kind = INPUT_WHEEL;
        input.y = event.bstate & BUTTON4_PRESSED ? -1 : 1;
    }
    return input;
}

/* In a paste the sequence of a key is text, too; of several for the same key, the usual one. */
static void keep_pasted_key(struct terminal *terminal, int code)
{
    char *sequence = keybound(code, 0);

    for (const char *c = sequence; c && *c; c++)
        keep_pasted(terminal, (unsigned char)*c);
    free(sequence);
}

/* While a paste lasts everything is text, Esc too. */
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

/* What signals want; they are few. */
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
        terminal_resume(terminal); /* whoever had the terminal may have left it as they liked */
    } else if (terminal_take_size()) {
        clearok(curscr, TRUE); /* it may have been another size between, and have lost its rows */
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
