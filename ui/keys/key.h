/* Keys: what a person presses, as numbers, and how these are written.
 *
 * One key is written
 *   j  ?  é            a character as it is
 *   ^D                 Ctrl with a character: a letter or one of @ \ ] ^ _
 *   Enter  Up  F1      a key with a name, see key_named_at()
 *   Alt-b  Ctrl-Left   with Ctrl-, Alt- or Shift- before it
 *
 * A sequence, keys pressed one after the other, is one word: gg, ^Xs, g<Enter>. In it whatever is
 * not a character or ^ with a character stands in < >. A word that is the name of a key is that
 * key: Up is not U and p, which is <U>p. A < that does not end the word opens a name, and a ^ that
 * does not end it is Ctrl, so those characters are <<> and <^> there; <;> is ; where that would
 * start a comment.
 *
 * What terminals cannot tell apart is one key: ^I is Tab, ^M and ^J are Enter, ^[ is Esc, ^H and ^?
 * are Backspace, Ctrl-Space is ^@, Shift-Tab is BackTab. */
#ifndef UI_KEYS_KEY_H
#define UI_KEYS_KEY_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

/* A key is a code point or one of these, with bits for what is held down. A character with K_CTRL
 * is a capital letter or @ \ ] ^ _. Not KEY_: those names belong to curses. */
enum {
    K_NONE = 0,
    K_SPACE = ' ',
    K_ENTER = 0x110000, /* behind the last code point */
    K_ESC,
    K_TAB,
    K_BACKTAB,
    K_BACKSPACE,
    K_DELETE,
    K_INSERT,
    K_UP,
    K_DOWN,
    K_LEFT,
    K_RIGHT,
    K_HOME,
    K_END,
    K_PGUP,
    K_PGDN,
    K_F1,
    K_F12 = K_F1 + 11,
    K_UNKNOWN, /* something was pressed, and nobody knows what; it cannot be bound */
    K_CTRL = 1 << 24,
    K_ALT = 1 << 25,
    K_SHIFT = 1 << 26,
};

enum { KEY_SEQUENCE_MAX = 4 };

struct key_sequence {
    uint32_t keys[KEY_SEQUENCE_MAX];
    unsigned count;
};

/* The key for a character as a terminal sends it, control characters included. */
uint32_t key_of_code(uint32_t code);
/* Whether it is a character that belongs in a text. */
bool key_is_text(uint32_t key);

/* Appends the name that key_sequence_parse() reads, in its usual form. A character that cannot be
 * bound is shown as sanitize_add() shows it, and K_UNKNOWN is said to be that. */
void key_add_name(struct str *out, uint32_t key);

/* Reads one key or several, one after the other; false with a sentence that says how keys are
 * written. Esc is only ever alone, because it gives a sequence up. */
bool key_sequence_parse(struct span word, struct key_sequence *sequence, struct err *err);
void key_sequence_add_name(struct str *out, const struct key_sequence *sequence);

bool key_sequence_eq(const struct key_sequence *a, const struct key_sequence *b);
/* Whether the text of keys begins with all of start; also when they are the same. */
bool key_sequence_starts(const struct key_sequence *keys, const struct key_sequence *start);

/* The names of keys, one by one; NULL behind the last. */
const char *key_named_at(size_t i);

#endif
