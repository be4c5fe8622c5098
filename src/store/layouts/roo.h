/* progress.md, the log that Roo agents keep: one more line, and every other byte as it was. */
#ifndef STORE_LAYOUTS_ROO_H
#define STORE_LAYOUTS_ROO_H

#include "base/str.h"
#include "store/format/format.h"

/* Appends the log with the entry, one line without its bullet, at the end of the section of that
 * name. An empty log becomes a new one; a missing section is added at the end. */
void progress_add(struct str *out, struct span log, const char *section, struct span entry);

/* Appends the text as a part of one line, cut to that many characters: line breaks become blanks,
 * what controls a terminal or cannot be read becomes U+FFFD. */
void progress_add_text(struct str *out, struct span text, size_t most);

/* The Roo mailbox: one Markdown file a recipient, written by language models. */

extern const struct format roo_format;

/* What the files of this layout share; see struct format. */
bool roo_parse(const struct mail_file *file, unsigned want, struct batch *batch, struct err *err);

static inline bool roo_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What a text is about: its first line that says something, without the marks of a heading, of
 * bold text, and without a label such as "Request:". Empty when there is none. */
struct span roo_subject(struct span text);
/* Whether a subject says that it answers another one. */
bool roo_is_answer(struct span subject);

#endif
