/* What the tests of signals share: children that may be killed. */
#ifndef TESTS_UNIT_BASE_FILE_SIGNAL_CLEANUP_SUPPORT_H
#define TESTS_UNIT_BASE_FILE_SIGNAL_CLEANUP_SUPPORT_H

/* The signals that must not leave anything behind, ended by 0. */
extern const int ending_signals[];

/* Runs it in a child in which every signal has its default action before signal_cleanup_install().
 * Returns the child's id. A child that comes back from the function ends with 0. */
int start_child(void (*body)(void));
/* The signal that ended the child, or 0 when it came back. */
int end_of_child(int child);
int run_child(void (*body)(void));

#endif
