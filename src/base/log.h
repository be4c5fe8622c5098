/* The diagnostic log: a record of what the program did, for debugging. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/err.h"

struct log;

/* Opens the file for appending, or creates it, readable by its owner only. Returns NULL on failure.
 * The caller closes it. */
struct log *log_open(const char *path, struct err *err);
void log_close(struct log *log);

/* Appends one sanitized line with the time, process and thread. Does nothing if `log` is NULL.
 * Thread-safe. */
void log_add(struct log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
