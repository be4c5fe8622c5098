/* The Roo mailbox: one Markdown file a recipient, written by language models. */
#ifndef STORE_LAYOUTS_ROO_H
#define STORE_LAYOUTS_ROO_H

#include "store/format/format.h"

extern const struct format roo_format;

/* What the files of this layout share; see struct format. */
bool roo_box_name(struct str *out, struct span agent, unsigned variant, struct err *err);
bool roo_parse(const struct mail_file *file, unsigned want, struct batch *batch, struct err *err);
bool roo_parse_roster(struct span bytes, struct members *members, struct arena *arena,
                      struct err *err);

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
