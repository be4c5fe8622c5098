/* Completing a command line: what its last word may become. */
#ifndef CMD_COMPLETE_COMPLETE_H
#define CMD_COMPLETE_COMPLETE_H

#include "cmd/app.h"
#include "ui/widget/completion.h"

/* The shell's own completion does these better. */
enum complete_line_names { NAMES_NONE, NAMES_FILES, NAMES_DIRECTORIES, NAMES_PROGRAMS };

struct completing {
    struct completion offers; /* what the word may become, from `from` on */
    size_t from;              /* how much of the word stays as it is */
    enum complete_line_names names;
};

#endif
