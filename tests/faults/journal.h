/* What a process did to files and directories, in the order it was done: for power.py, which makes
 * of it what a power cut may leave. */
#ifndef TESTS_FAULTS_JOURNAL_H
#define TESTS_FAULTS_JOURNAL_H

#include <stdbool.h>
#include <sys/types.h>

/* Opens $FAULT_JOURNAL, to which lines are added; without it nothing is noted. All of these keep
 * errno, and are called once the thing is done. */
void journal_start(void);

/* Whether a path leads to something: asked before an open, told after it. */
bool journal_finds(int dir, const char *path);
void journal_open(int fd, int dir, const char *path, int flags, bool found);

/* An offset of -1 is wherever the descriptor stands now, behind what was written. */
void journal_write(int fd, const void *bytes, ssize_t count, off_t offset);
void journal_size(int fd, off_t size);
void journal_sync(int fd);

void journal_mkdir(int dir, const char *path);
void journal_unlink(int dir, const char *path);
void journal_link(int dir, const char *path, int to, const char *path_to);
void journal_rename(int dir, const char *path, int to, const char *path_to, unsigned flags);

#endif
