/* Shared by the tests of signals: children that may be killed. */
#ifndef TESTS_UNIT_BASE_FILE_SIGNAL_CLEANUP_SUPPORT_H
#define TESTS_UNIT_BASE_FILE_SIGNAL_CLEANUP_SUPPORT_H

/* The signals that must leave no temporary files and locks. Ends with 0. */
extern const int ending_signals[];

/* Runs `body` in a child in which every signal has its default action before
 * signal_cleanup_install(). Returns the child's id. A child that returns from `body` exits with
 * 0. */
int start_child(void (*body)(void));
/* Returns the signal that ended the child, or 0 if it exited. */
int end_of_child(int child);
int run_child(void (*body)(void));

#endif
