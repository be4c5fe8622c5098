/* The terminal, inside. */
#ifndef UI_TERM_TERMINAL_PRIVATE_H
#define UI_TERM_TERMINAL_PRIVATE_H

#include "ui/term/terminal.h"

/* So long after Esc what comes belongs to it. */
enum { TERMINAL_ESC_MS = 25 };

/* Tells curses of the keys that terminfo does not describe. */
void terminal_define_keys(void);

extern const char terminal_paste_on[], terminal_paste_off[];

/* Takes over the size that the terminal has now; false when it does not tell. */
bool terminal_take_size(void);

/* Past all buffers; safe in a signal handler. */
void terminal_write(const char *bytes, size_t len);

/* Remembers the modes the terminal has, before anything changes them. */
void terminal_keep_modes(void);
/* From now on a signal that ends the process gives the terminal back. */
void terminal_prepare_restoring(bool paste);
/* The same again, or no more: it is given back already. */
void terminal_arm_restoring(bool on);

/* From now on signals are told through terminal->wake. */
bool terminal_catch_signals(struct terminal *terminal, struct err *err);
/* The same for those that ask the process to end, which has time then to save what was typed; and
 * from now on they end it at once. */
void terminal_catch_asking(void);
void terminal_let_end(void);
bool terminal_asks_to_end(int number);

#endif
