/* Completing a command line: what its last word may become. */
#ifndef CMD_COMPLETE_COMPLETING_H
#define CMD_COMPLETE_COMPLETING_H

#include "cmd/app.h"
#include "ui/widget/complete.h"

/* The shell's own completion does these better. */
enum completing_names { NAMES_NONE, NAMES_FILES, NAMES_DIRECTORIES, NAMES_PROGRAMS };

struct completing {
    struct completion offers; /* what the word may become, from `from` on */
    size_t from;              /* how much of the word stays as it is */
    enum completing_names names;
};

/* `words` are those behind the program's name, the last one being typed. Options among them that
 * tell where mailboxes are, and as whom, are obeyed; nothing is written and nothing is said. The
 * caller frees it. */
void completing_look(struct completing *completing, struct app *app, const struct span_list *words);
void completing_free(struct completing *completing);

#endif
