/* The diagnostic log: what the program did, for finding out why. */
#ifndef BASE_LOG_H
#define BASE_LOG_H

#include "base/err.h"

struct log;

/* Opens or continues the file, readable by its owner only. The caller closes it. */
struct log *log_open(const char *path, struct err *err);
void log_close(struct log *log);

/* Adds one cleaned line with the time and the thread. A NULL log keeps nothing. Any thread. */
void log_add(struct log *log, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
