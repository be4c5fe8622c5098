/* Completing a command line: the candidates for its last word. */
#ifndef CMD_COMPLETE_COMPLETE_H
#define CMD_COMPLETE_COMPLETE_H

#include "cmd/app.h"
#include "ui/widget/completion.h"

/* The names that the shell's own completion should add, because it does that better. */
enum complete_line_names { NAMES_NONE, NAMES_FILES, NAMES_DIRECTORIES, NAMES_PROGRAMS };

struct completing {
    struct completion offers; /* candidates for the word from `from` on */
    size_t from;              /* how many bytes of the word are kept */
    enum complete_line_names names;
};

#endif
