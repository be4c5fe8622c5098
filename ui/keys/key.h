/* Keys as numbers, and their notation.
 *
 * One key is written
 *   j  ?  é            a character as it is
 *   ^D                 Ctrl with a character: a letter or one of @ \ ] ^ _
 *   Enter  Up  F1      a key with a name, see key_named_at()
 *   Alt-b  Ctrl-Left   with Ctrl-, Alt- or Shift- before it
 *
 * A sequence, keys pressed one after the other, is one word: gg, ^Xs, g<Enter>. Everything in it
 * that is neither a character nor ^ with a character is enclosed in < >. A word that is the name of
 * a key is that key: Up is not U and p, which is <U>p. A < that does not end the word opens a name,
 * and a ^ that does not end it is Ctrl, so those characters are <<> and <^> there; <;> is ; where
 * that would start a comment.
 *
 * Keys that terminals cannot distinguish are one key: ^I is Tab, ^M and ^J are Enter, ^[ is Esc, ^H
 * and ^? are Backspace, Ctrl-Space is ^@, Shift-Tab is BackTab. */
#ifndef UI_KEYS_KEY_H
#define UI_KEYS_KEY_H

#include "base/err.h"
#include "base/str.h"

#include <stdint.h>

/* A key is a code point or one of these, with bits for modifiers. A character with K_CTRL is a
 * capital letter or @ \ ] ^ _. The prefix is not KEY_, which belongs to curses. */
enum {
    K_NONE = 0,
    K_SPACE = ' ',
    K_ENTER = 0x110000, /* after the last code point */
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
    K_UNKNOWN, /* an unknown key was pressed; cannot be bound */
    K_CTRL = 1 << 24,
    K_ALT = 1 << 25,
    K_SHIFT = 1 << 26,
};

enum { KEY_SEQUENCE_MAX = 4 };

struct key_sequence {
    uint32_t keys[KEY_SEQUENCE_MAX];
    unsigned count;
};

/* Returns the key for a character that a terminal sent, control characters included. */
uint32_t key_of_code(uint32_t code);
/* Reports whether the key is a character that can be part of a text. */
bool key_is_text(uint32_t key);

/* Appends the name that key_sequence_parse() reads, in its canonical form. A character that cannot
 * be bound is shown as by sanitize_add(), K_UNKNOWN as "an unknown key". */
void key_add_name(struct str *out, uint32_t key);

/* Parses one key or a sequence. On failure returns false, and err says how keys are written. Esc
 * cannot be part of a sequence, because it gives sequences up. */
bool key_sequence_parse(struct span word, struct key_sequence *sequence, struct err *err);
void key_sequence_add_name(struct str *out, const struct key_sequence *sequence);

bool key_sequence_eq(const struct key_sequence *a, const struct key_sequence *b);
/* Reports whether `keys` begins with all of `start`; also true if they are equal. */
bool key_sequence_starts(const struct key_sequence *keys, const struct key_sequence *start);

/* Returns the canonical name of key i of the table; NULL for an alias and after the last. */
const char *key_named_at(size_t i);

#endif
