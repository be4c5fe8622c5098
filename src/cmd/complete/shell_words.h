/* Words of a shell's command line: splitting, and quoting text so that it means itself.
 *
 * Nothing is expanded: variables, command substitutions and patterns stay as they are. */
#ifndef CMD_COMPLETE_SHELL_WORDS_H
#define CMD_COMPLETE_SHELL_WORDS_H

#include "base/mem.h"
#include "base/str.h"

/* The word at the end of a line, which is still being typed. */
struct shell_end {
    char quote;  /* the open quote: '\'' or '"'; or 0 */
    size_t keep; /* how many bytes of the word, without its quotes, the shell does not replace */
};

/* Adds the words without their quotes; the last one may be empty. The shell also breaks words at
 * `breaks`, but replaces only what follows the last break: see keep. Texts are in the arena. */
void shell_split(struct span line, const char *breaks, struct span_list *words,
                 struct shell_end *end, struct arena *arena);

/* Returns one word without its quotes. */
struct span shell_unquote(struct span word, struct arena *arena);

/* Appends text so that a shell reads it literally inside the open quote (0: none). */
void shell_quote(struct str *out, struct span text, char quote);

#endif
