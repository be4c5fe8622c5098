/* Internals of the terminal. */
#ifndef UI_TERM_TERMINAL_RESTORE_H
#define UI_TERM_TERMINAL_RESTORE_H

#include "ui/term/terminal.h"

/* Time after Esc within which further bytes belong to the same sequence. */
enum { TERMINAL_ESC_MS = 25 };

extern const char terminal_paste_on[], terminal_paste_off[];

/* Writes without any buffer; safe in a signal handler. */
void terminal_write(const char *bytes, size_t len);

/* Saves the modes of the terminal; to be called before anything changes them. */
void terminal_keep_modes(void);
/* Prepares the sequences that restore the terminal, and arms the restoring on signals. */
void terminal_prepare_restoring(bool paste);
/* Switches the restoring on signals on, or off while the terminal is released. */
void terminal_arm_restoring(bool on);

#endif
