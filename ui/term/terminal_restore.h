/* The terminal, inside. */
#ifndef UI_TERM_TERMINAL_RESTORE_H
#define UI_TERM_TERMINAL_RESTORE_H

#include "ui/term/terminal.h"

/* So long after Esc what comes belongs to it. */
enum { TERMINAL_ESC_MS = 25 };

extern const char terminal_paste_on[], terminal_paste_off[];

/* Past all buffers; safe in a signal handler. */
void terminal_write(const char *bytes, size_t len);

/* Remembers the modes the terminal has, before anything changes them. */
void terminal_keep_modes(void);
/* From now on a signal that ends the process gives the terminal back. */
void terminal_prepare_restoring(bool paste);
/* The same again, or no more: it is given back already. */
void terminal_arm_restoring(bool on);

#endif
