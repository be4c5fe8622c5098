/* $EDITOR: a text in the person's own editor, full screen. */
#ifndef UI_PROCESS_EDITOR_H
#define UI_PROCESS_EDITOR_H

#include "base/err.h"
#include "base/str.h"

struct spawner;
struct terminal;

/* Runs the command on a private file in our own directory that holds the text, and replaces the
 * text by what it holds afterwards. Returns when the editor has ended; the terminal, unless it is
 * NULL, is the editor's until then. The spawner, unless it is NULL, starts it. False, with the text
 * as it was, when the editor could not be started or says that it failed, or when the file is not
 * there any more. */
bool editor_run(struct terminal *terminal, const struct spawner *spawner, const char *command,
                struct str *text, struct err *err);

/* The arguments for running a command on a file: its words or, when it needs a shell, a shell that
 * gets the file as an argument. NULL ends them; the caller frees them with spawn_free_words(). */
char **editor_arguments(const char *command, const char *file);
/* Replaces `start` by what the path of each such file starts with; the rest is a name. */
bool editor_files(struct str *start, bool make, struct err *err);

#endif
