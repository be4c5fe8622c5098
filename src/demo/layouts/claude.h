/* The protocol messages of Claude Code teams. */
#ifndef DEMO_LAYOUTS_CLAUDE_H
#define DEMO_LAYOUTS_CLAUDE_H

#include "demo/layouts/layout.h"

/* Appends the text of the entry that a letter becomes. True when it is a protocol message. */
bool claude_add_text(struct text *out, struct post *post, struct letter *letter);
/* The letter that an entry's text is. */
void claude_read_text(struct letter *letter, const char *text);

#endif
