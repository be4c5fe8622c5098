/* The system's database of terminals; a separate file because its header defines everyday words as
 * macros. */
#ifndef SCREENS_TERMINFO_H
#define SCREENS_TERMINFO_H

struct terminfo;

/* Returns NULL if the database does not have the terminal. */
struct terminfo *terminfo_open(const char *term);
void terminfo_close(struct terminfo *info);

/* Returns a string by its short name (smcup, kcuu1), padding included; NULL if the terminal has
 * none. Borrowed until terminfo_close(). */
const char *terminfo_string(struct terminfo *info, const char *name);

#endif
