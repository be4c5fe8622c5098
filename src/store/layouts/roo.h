/* The Roo mailbox, and progress.md, the log that Roo agents keep. */
#ifndef STORE_LAYOUTS_ROO_H
#define STORE_LAYOUTS_ROO_H

#include "base/str.h"
#include "store/format/format.h"

/* Appends the log with the entry, one line without its bullet, at the end of the section of that
 * name. All other bytes stay unchanged. An empty log becomes a new one; a missing section is added
 * at the end. */
void progress_add(struct str *out, struct span log, const char *section, struct span entry);

/* Appends the text as part of one line, cut to `most` characters. Line breaks become blanks;
 * control and invalid characters become U+FFFD. */
void progress_add_text(struct str *out, struct span text, size_t most);

/* The Roo mailbox: one Markdown file per recipient, written by language models. */

extern const struct format roo_format;

/* Shared by the files of this layout; see struct format. */
bool roo_parse(const struct mail_file *file, unsigned want, struct batch *batch, struct err *err);

static inline bool roo_is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Returns the subject of a text: its first line that has content, without marks of a heading or
 * bold text, and without a label such as "Request:". Empty if there is none. */
struct span roo_subject(struct span text);
/* Returns true if the subject is that of an answer. */
bool roo_is_answer(struct span subject);

#endif
