/* The calls of a process on files and directories, in their order. power.py computes from them what
 * a power cut may leave. */
#ifndef TESTS_FAULTS_JOURNAL_H
#define TESTS_FAULTS_JOURNAL_H

#include <stdbool.h>
#include <sys/types.h>

/* Opens $FAULT_JOURNAL and appends to it; without the variable nothing is noted. All functions here
 * keep errno, and are called after the call that they note. */
void journal_start(void);

/* True if the path exists: called before an open and passed to the note after it. */
bool journal_finds(int dir, const char *path);
void journal_open(int fd, int dir, const char *path, int flags, bool found);

/* An offset of -1 means that the write ended at the current position of the descriptor. */
void journal_write(int fd, const void *bytes, ssize_t count, off_t offset);
void journal_size(int fd, off_t size);
void journal_sync(int fd);

void journal_mkdir(int dir, const char *path);
void journal_unlink(int dir, const char *path);
void journal_link(int dir, const char *path, int to, const char *path_to);
void journal_rename(int dir, const char *path, int to, const char *path_to, unsigned flags);

#endif
