/* Cleanup if a signal, or a lack of memory, ends the process.
 *
 * A fixed table holds what would be in the way of others if it remained: lock directories and
 * temporary files. A signal handler reads it, so everything in here is async-signal-safe. */
#ifndef BASE_FILE_SIGNAL_CLEANUP_H
#define BASE_FILE_SIGNAL_CLEANUP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

enum { SIGNAL_CLEANUP_SLOTS = 192 };

/* One thing to remove. The descriptors are borrowed and must stay open until
 * signal_cleanup_forget(). */
struct signal_cleanup_undo {
    int dir;
    char name[256]; /* in dir */
    bool is_dir;
    /* For a directory: it is removed only while it is still the recorded one ... */
    dev_t dev;
    ino_t ino;
    int64_t mtime_ns;
    /* ... and before it the directory of this name inside it, if inner_dir (the directory itself,
     * opened) is not -1. */
    int inner_dir;
    const char *inner; /* must live as long as the program */
    /* The name in dir to which the directory is renamed before its inside is removed; "" for none.
     * So it never exists empty under its own name, where programs that remove an empty directory
     * could mistake it for another one. */
    char aside[256];
};

/* Records the identity of a directory. */
void signal_undo_identify(struct signal_cleanup_undo *undo, const struct stat *st);
/* Reports whether the name still refers to the recorded directory, unmodified. */
bool signal_undo_stands(const struct signal_cleanup_undo *undo);
/* Renames the directory aside, if it has a name for that and is still the recorded one, so that it
 * keeps nobody out any more. */
void signal_undo_hide(struct signal_cleanup_undo *undo);
/* Removes it now; renames it aside first, as signal_undo_hide() does. */
void signal_undo_run(const struct signal_cleanup_undo *undo);

/* Makes signals that end the process undo what is in the table first; the process still ends by
 * that signal. Signals that are ignored or already have a handler are left unchanged. */
void signal_cleanup_install(void);

/* Ends the process at once, from any thread, as a signal would: undoes everything, then writes the
 * sentence to standard error. Needs no memory. */
_Noreturn void signal_cleanup_exit(int code, const char *sentence);

/* Sets a function that is called once after everything is undone, to restore the terminal. It must
 * be async-signal-safe. NULL for none. */
void signal_cleanup_set_hook(void (*hook)(void));

/* Fills in the signals that a worker thread blocks: all except those that its own faults raise. If
 * those were blocked they would end the process without running the handler. */
void signal_cleanup_thread_mask(sigset_t *set);

/* Bracket a section in which disk and table may differ. A handler on another thread waits for its
 * end, for 200 ms at most, and the calling thread gets no signals. Once the process is ending
 * signal_cleanup_enter() does not return. Keep the section short; sections do not nest. */
void signal_cleanup_enter(sigset_t *before);
void signal_cleanup_leave(const sigset_t *before);

/* Copies it into the table, between signal_cleanup_enter() and signal_cleanup_leave(). Returns the
 * slot, or -1 if the table is full: it then remains after a crash. */
int signal_cleanup_add(const struct signal_cleanup_undo *undo);
/* Removes the entry from the table. A slot of -1 is ignored. */
void signal_cleanup_forget(int slot);

#endif
