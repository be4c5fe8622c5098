/* progress.md, the log that Roo agents keep: one more line, and every other byte as it was. */
#ifndef STORE_LAYOUTS_PROGRESS_H
#define STORE_LAYOUTS_PROGRESS_H

#include "base/str.h"

/* Appends the log with the entry, one line without its bullet, at the end of the section of that
 * name. An empty log becomes a new one; a missing section is added at the end. */
void progress_add(struct str *out, struct span log, const char *section, struct span entry);

/* Appends the text as a part of one line, cut to that many characters: line breaks become blanks,
 * what controls a terminal or cannot be read becomes U+FFFD. */
void progress_add_text(struct str *out, struct span text, size_t most);

#endif
