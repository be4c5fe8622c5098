/* A terminal in a test: its keyboard and mouse. */
#include "base/text/utf8.h"
#include "terminal_private.h"
#include "tests/unit/support.h"

#include <stdlib.h>

/* The sequences of a key: libvterm's xterm, or for other terminals those of the database. */
static const struct key {
    const char *name;
    VTermKey code;
    const char *capability;
} keys[] = {
    {"Enter", VTERM_KEY_ENTER, NULL},        {"Tab", VTERM_KEY_TAB, NULL},
    {"Esc", VTERM_KEY_ESCAPE, NULL},         {"Backspace", VTERM_KEY_BACKSPACE, "kbs"},
    {"Up", VTERM_KEY_UP, "kcuu1"},           {"Down", VTERM_KEY_DOWN, "kcud1"},
    {"Left", VTERM_KEY_LEFT, "kcub1"},       {"Right", VTERM_KEY_RIGHT, "kcuf1"},
    {"Home", VTERM_KEY_HOME, "khome"},       {"End", VTERM_KEY_END, "kend"},
    {"PgUp", VTERM_KEY_PAGEUP, "kpp"},       {"PgDn", VTERM_KEY_PAGEDOWN, "knp"},
    {"Insert", VTERM_KEY_INS, "kich1"},      {"Delete", VTERM_KEY_DEL, "kdch1"},
    {"F1", VTERM_KEY_FUNCTION(1), "kf1"},    {"F2", VTERM_KEY_FUNCTION(2), "kf2"},
    {"F3", VTERM_KEY_FUNCTION(3), "kf3"},    {"F4", VTERM_KEY_FUNCTION(4), "kf4"},
    {"F5", VTERM_KEY_FUNCTION(5), "kf5"},    {"F6", VTERM_KEY_FUNCTION(6), "kf6"},
    {"F7", VTERM_KEY_FUNCTION(7), "kf7"},    {"F8", VTERM_KEY_FUNCTION(8), "kf8"},
    {"F9", VTERM_KEY_FUNCTION(9), "kf9"},    {"F10", VTERM_KEY_FUNCTION(10), "kf10"},
    {"F11", VTERM_KEY_FUNCTION(11), "kf11"}, {"F12", VTERM_KEY_FUNCTION(12), "kf12"},
};

static const struct modifier {
    const char *prefix;
    VTermModifier bit;
} modifiers[] = {{"Alt-", VTERM_MOD_ALT}, {"Ctrl-", VTERM_MOD_CTRL}, {"Shift-", VTERM_MOD_SHIFT}};

static const struct key *find_key(struct span name)
{
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (span_is(name, keys[i].name))
            return &keys[i];
    return NULL;
}

static unsigned take_modifiers(struct span *name)
{
    unsigned bits = 0;

    for (size_t i = 0; i < sizeof modifiers / sizeof *modifiers;) {
        struct span prefix = span_of(modifiers[i].prefix);
        if (name->len > prefix.len && span_starts(*name, prefix)) {
            bits |= modifiers[i].bit;
            *name = (struct span){name->at + prefix.len, name->len - prefix.len};
            i = 0;
        } else {
            i++;
        }
    }
    return bits;
}

static void press_char(struct terminal *terminal, struct span name, unsigned bits)
{
    struct span rest = name;

    if (span_is(name, "Space"))
        name = span_of(" ");
    else
        cr_assert(utf8_next(&rest) != UTF8_INVALID && !rest.len, "there is no key %.*s",
                  (int)name.len, name.at);
    if (bits & VTERM_MOD_ALT)
        str_putc(&terminal->keys, '\x1b');
    if (bits & VTERM_MOD_CTRL)
        str_putc(&terminal->keys, (char)(name.at[0] & 0x1f));
    else
        str_add_span(&terminal->keys, name);
}

static void press(struct terminal *terminal, struct span name)
{
    unsigned bits = take_modifiers(&name);
    const struct key *key = find_key(name);

    if (name.len == 2 && name.at[0] == '^') {
        if (bits & VTERM_MOD_ALT)
            str_putc(&terminal->keys, '\x1b');
        str_putc(&terminal->keys, name.at[1] == '?' ? '\x7f' : (char)(name.at[1] & 0x1f));
        return;
    }
    if (!key) {
        press_char(terminal, name, bits);
        return;
    }
    const char *text = terminal->xterm || bits || !key->capability
                           ? NULL
                           : terminfo_string(terminal->info, key->capability);
    if (text)
        str_puts(&terminal->keys, text);
    else
        vterm_keyboard_key(terminal->vterm, key->code, (VTermModifier)bits);
}

void terminal_key(struct terminal *terminal, const char *name)
{
    while (terminal_pump(terminal, 0))
        ; /* the bytes of a key depend on modes, so process pending output first */
    press(terminal, span_of(name));
    terminal_flush(terminal);
}

void terminal_keys(struct terminal *terminal, const char *names)
{
    char *copy = strdup(names), *rest = copy;

    for (char *name; (name = strsep(&rest, " "));)
        if (*name)
            terminal_key(terminal, name);
    free(copy);
}

void terminal_type(struct terminal *terminal, const char *text)
{
    str_puts(&terminal->keys, text);
    terminal_flush(terminal);
}

void terminal_paste(struct terminal *terminal, const char *text)
{
    while (terminal_pump(terminal, 0))
        ;
    vterm_keyboard_start_paste(terminal->vterm);
    str_puts(&terminal->keys, text);
    vterm_keyboard_end_paste(terminal->vterm);
    terminal_flush(terminal);
}

void terminal_click(struct terminal *terminal, int button, int y, int x)
{
    while (terminal_pump(terminal, 0))
        ;
    if (!terminal->mouse) /* libvterm does not check this */
        return;
    vterm_mouse_move(terminal->vterm, y, x, VTERM_MOD_NONE);
    vterm_mouse_button(terminal->vterm, button, true, VTERM_MOD_NONE);
    if (button <= 3)
        vterm_mouse_button(terminal->vterm, button, false, VTERM_MOD_NONE);
    terminal_flush(terminal);
}
