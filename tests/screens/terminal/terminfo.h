/* What the system's database of terminals says of one; apart from the rest because its header
 * takes everyday words for macros. */
#ifndef SCREENS_TERMINFO_H
#define SCREENS_TERMINFO_H

struct terminfo;

/* NULL when the database does not know the terminal. */
struct terminfo *terminfo_open(const char *term);
void terminfo_close(struct terminfo *info);

/* A string by its short name (smcup, kcuu1), padding included; NULL when the terminal has no such.
 * Borrowed until terminfo_close(). */
const char *terminfo_string(struct terminfo *info, const char *name);

#endif
