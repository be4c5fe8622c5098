/* Words of a shell's command line: taken apart, and put back in a way that means only themselves.
 *
 * Nothing is expanded: what a dollar, a backquote or a star would become is not asked. */
#ifndef CMD_COMPLETE_SHELL_WORDS_H
#define CMD_COMPLETE_SHELL_WORDS_H

#include "base/mem.h"
#include "base/str.h"

/* The word at the end of a line, which is still being typed. */
struct shell_end {
    char quote;  /* what is still open: '\'' or '"', or 0 */
    size_t keep; /* how much of the word, without its quotes, the shell leaves as it is */
};

/* Adds the words without their quotes; the last one may be empty. The shell breaks words at
 * `breaks`, too, but only what stands behind the last break is replaced: see keep. Texts live in
 * the arena. */
void shell_split(struct span line, const char *breaks, struct span_list *words,
                 struct shell_end *end, struct arena *arena);

/* One word without its quotes. */
struct span shell_unquote(struct span word, struct arena *arena);

/* Appends text so that a shell takes it for itself, inside of what is open. */
void shell_quote(struct str *out, struct span text, char quote);

#endif
