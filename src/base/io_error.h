/* Storage errors: what could not be read, and is therefore missing from results. Code that leaves
 * something out notes the reason here, so that a command that finds nothing, or less than there is,
 * can report it instead of claiming that there is nothing. One list for the process; any thread may
 * use it. */
#ifndef BASE_IO_ERROR_H
#define BASE_IO_ERROR_H

#include "base/err.h"
#include "base/str.h"

enum { IO_ERRORS_KEPT = 5 }; /* per kind, with paths; further ones are only counted */

enum io_error_kind {
    IO_ERROR_OTHER, /* not reported elsewhere */
    IO_ERROR_MAIL,  /* lists show it as a damaged message; only lookups need to report it */
    IO_ERROR_KINDS,
};

/* Notes that a path could not be read, with the reason. Each path counts once. */
void io_error_note(enum io_error_kind kind, const char *path, const char *reason);
/* Like io_error_note(), but takes the reason from errno, which it preserves. Ignores a path that
 * does not exist, is a link, or is a file instead of a directory (ENOENT, ELOOP, ENOTDIR). */
void io_error_note_errno(const char *path);
/* Notes an error that is not reported further; its sentence must name the path. Ignores ERR_NONE
 * and ERR_ABSENT. */
void io_error_note_err(const struct err *err);

/* Marks the errors with this reason as reported: the caller reported them in more detail. */
void io_error_reported(const char *reason);

size_t io_error_count(enum io_error_kind kind);
/* Replaces `path`, which may become empty, and `reason` by those of the next error not yet
 * reported, and marks it as reported. Returns false if there is none. */
bool io_error_take(enum io_error_kind kind, struct str *path, struct str *reason);
/* Drops all errors but the first `keep` of IO_ERROR_OTHER and marks those as not reported: used
 * between several commands in one process. */
void io_error_clear(size_t keep);

#endif
