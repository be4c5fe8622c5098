/* The disk of the tests: this fsync() overrides that of the C library and lets a test check what is
 * being written, or act as a disk that fails. */
#ifndef TESTS_UNIT_STORE_SEND_SYNC_SUPPORT_H
#define TESTS_UNIT_STORE_SEND_SYNC_SUPPORT_H

extern void (*at_fsync)(int fd);
extern int fsync_errno; /* 0: calls the real one */

#endif
