/* The disk of the tests: fsync() of these stands before that of the C library and lets a test look
 * at what is on its way, or be a disk that does not take it. */
#ifndef TESTS_UNIT_STORE_SEND_SYNC_SUPPORT_H
#define TESTS_UNIT_STORE_SEND_SYNC_SUPPORT_H

extern void (*at_fsync)(int fd);
extern int fsync_errno; /* 0: the real one is asked */

#endif
