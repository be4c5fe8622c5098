/* Completing a command line: the candidates for its last word. */
#ifndef CMD_COMPLETE_COMPLETE_H
#define CMD_COMPLETE_COMPLETE_H

#include "base/mem.h"
#include "base/str.h"
#include "cmd/app.h"
#include "ui/widget/completion.h"

/* Words of a shell's command line: splitting, and quoting text so that it means itself.
 *
 * Nothing is expanded: variables, command substitutions and patterns stay as they are. */

/* The word at the end of a line, which is still being typed. */
struct shell_end {
    char quote;  /* the open quote: '\'' or '"'; or 0 */
    size_t keep; /* how many bytes of the word, without its quotes, the shell does not replace */
};

/* Appends text so that a shell reads it literally inside the open quote (0: none). */
void shell_quote(struct str *out, struct span text, char quote);

/* The names that the shell's own completion should add, because it does that better. */
enum complete_line_names { NAMES_NONE, NAMES_FILES, NAMES_DIRECTORIES, NAMES_PROGRAMS };

struct completing {
    struct completion offers; /* candidates for the word from `from` on */
    size_t from;              /* how many bytes of the word are kept */
    enum complete_line_names names;
};

#endif
