/* Escape sequences: where one ends, and which key it is. No curses.
 *
 * A sequence is given without its Esc. */
#ifndef UI_TERM_ESCAPE_H
#define UI_TERM_ESCAPE_H

#include "ui/keys/key.h"

/* Whether more belongs to what has come of a sequence. One byte that opens none is a key that was
 * pressed with Alt, and so is one that does when nothing follows it at once. */
bool escape_goes_on(struct span sequence);
/* Whether it is one that any byte may be in, until it says that it is over. */
bool escape_is_text(struct span sequence);

/* The key that terminals send it for, whatever terminfo says of them; K_UNKNOWN for any other. */
uint32_t escape_key(struct span sequence);

#endif
