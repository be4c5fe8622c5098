/* Shared by the tests of files: a directory, the file read last, and hooks into system calls. */
#ifndef TESTS_UNIT_BASE_FILE_FILE_SUPPORT_H
#define TESTS_UNIT_BASE_FILE_FILE_SUPPORT_H

#include "tests/unit/support.h"

#include "base/file/file.h"

extern struct tmp tmp;
extern struct str content;  /* of the file read last */
extern struct file_id seen; /* its identity */

/* Other programs may act between any two system calls. The fstat() and renameat2() of these tests
 * override those of the C library, so that a test can act as such a program at an exact moment. */
extern void (*at_fstat)(int call);
extern void (*at_exchange)(int call);
extern int exchange_errno;

void write_text(const char *name, const char *text);
void make_link(const char *target, const char *name);
/* Reads into `content` and `seen`. */
enum file_result read_in(int dir, const char *name, size_t cap);
void expect_unreadable(int dir, const char *name, size_t cap, const char *reason);

#endif
