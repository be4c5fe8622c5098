/* $EDITOR: editing a text in the person's own editor, full screen. */
#ifndef UI_PROCESS_EDITOR_H
#define UI_PROCESS_EDITOR_H

#include "base/err.h"
#include "base/str.h"

struct spawner;
struct terminal;

/* Runs the command on a private file in our own directory with the text, and replaces the text by
 * the result. Returns when the editor has ended; until then it has the terminal, unless that is
 * NULL. The spawner, unless it is NULL, starts it. Returns false and keeps the text if the editor
 * could not be started, reports failure, or removed the file. */
bool editor_run(struct terminal *terminal, const struct spawner *spawner, const char *command,
                struct str *text, struct err *err);

/* Returns the arguments that run a command on a file: its words or, if it needs a shell, a shell
 * that gets the file as an argument. NULL ends them; the caller frees them with
 * spawn_free_words(). */
char **editor_arguments(const char *command, const char *file);
/* Sets `start` to the common start of the paths of these files; the rest of each path is a name. */
bool editor_files(struct str *start, bool make, struct err *err);

#endif
