/* Storage errors that leave something out: what could not be read, and so was not found. Whoever
 * leaves something out notes why, and whoever then finds nothing, or less, can say so instead of
 * claiming that there is nothing. One list for the process; any thread may use it. */
#ifndef BASE_IO_ERROR_H
#define BASE_IO_ERROR_H

#include "base/err.h"
#include "base/str.h"

enum { IO_ERRORS_KEPT = 5 }; /* of a kind with their paths; the others are counted */

enum io_error_kind {
    IO_ERROR_OTHER, /* nobody else reports it */
    IO_ERROR_MAIL, /* a damaged message represents it, and lists report it: it matters to lookups */
    IO_ERROR_KINDS,
};

/* Notes that a path could not be read, with the reason. A path counts once. */
void io_error_note(enum io_error_kind kind, const char *path, const char *reason);
/* The same by errno, which stays as it is; something that is not there, or is a link or a file in
 * the place of a directory (ENOENT, ELOOP, ENOTDIR), is no error. */
void io_error_note_errno(const char *path);
/* The same by an error that is not reported further and whose sentence says where; ERR_ABSENT is no
 * such error. */
void io_error_note_err(const struct err *err);

/* It was reported already, by somebody who has more to say. */
void io_error_reported(const char *reason);

size_t io_error_count(enum io_error_kind kind);
/* Replaces path, which may be empty, and reason by those of the next one that was not reported yet,
 * which counts as reported then; false when there is none. */
bool io_error_take(enum io_error_kind kind, struct str *path, struct str *reason);
/* Begins again with the first so many of IO_ERROR_OTHER, for the next of several commands in one
 * process. */
void io_error_clear(size_t keep);

#endif
