/* Shared by the tests of the lock: a directory, one lock, and hooks into system calls. */
#ifndef TESTS_UNIT_STORE_SEND_INBOX_LOCK_SUPPORT_H
#define TESTS_UNIT_STORE_SEND_INBOX_LOCK_SUPPORT_H

#include "tests/unit/base/file/file_support.h"

#include "store/send/inbox_lock.h"

#define INBOX "worker.json"
#define LOCK INBOX ".lock"

extern struct lock lock;
extern struct err err;

/* Other programs may act between any two system calls; with these a test acts as one. */
extern void (*before_mkdir)(int call, const char *name);
extern void (*before_look)(int call); /* at fstatat() of the lock */
extern void (*before_flock)(void);
extern void (*after_unlink)(void); /* once */
extern int mkdir_calls;
/* True for the name of a directory that becomes a lock. */
bool is_new_lock(const char *name);

/* Makes a directory, or an existing entry, that many seconds old. */
void make_dir(const char *name, int age_s);
void age(const char *name, int age_s);
void write_pid(char *text, size_t size, const char *form, int pid);

/* Takes the lock; the test fails if it is not available. */
void take(int64_t wait_ms);
/* Releases it; the test fails if any file is left. */
void release(void);
/* Removes the lock of any owner, as a person may. */
void remove_by_hand(void);
/* Asserts that waiting fails with a sentence that contains these words. */
void expect_busy(int64_t wait_ms, const char *says);

#endif
