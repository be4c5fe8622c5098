/* Escape sequences: finding their end, and decoding keys. No curses.
 *
 * Sequences are passed without their Esc. */
#ifndef UI_TERM_ESCAPE_H
#define UI_TERM_ESCAPE_H

#include "ui/keys/key.h"

/* Reports whether a sequence needs more bytes. A single byte that opens no sequence is a key
 * pressed with Alt; so is one that opens one, if nothing follows at once. */
bool escape_goes_on(struct span sequence);
/* Reports whether the sequence is a control string such as OSC, which may hold any byte until its
 * terminator. */
bool escape_is_text(struct span sequence);

/* Returns the key for which terminals send the sequence, whatever terminfo says; K_UNKNOWN for
 * others. */
uint32_t escape_key(struct span sequence);

#endif
