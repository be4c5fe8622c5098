/* Crashes: what is taken back when a signal, or a lack of memory, ends the process.
 *
 * A fixed table holds what would be in the way of others if it stayed behind: lock directories and
 * temporary files. A signal handler reads it, so everything in here is safe to call from one. */
#ifndef BASE_FILE_SIGNAL_CLEANUP_H
#define BASE_FILE_SIGNAL_CLEANUP_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/types.h>

enum { SIGNAL_CLEANUP_SLOTS = 192 };

/* One thing to take back. The descriptors are borrowed and must stay open until
 * signal_cleanup_forget(). */
struct signal_cleanup_undo {
    int dir;
    char name[256]; /* in dir */
    bool is_dir;
    /* Of a directory: it goes only while it is still the one that was seen ... */
    dev_t dev;
    ino_t ino;
    int64_t mtime_ns;
    /* ... and before it the directory of this name inside, when inner_dir (the directory itself,
     * opened) is not -1. */
    int inner_dir;
    const char *inner; /* lives as long as the program */
    /* Moved to this name in dir first, unless that is empty: it is never there without its inside,
     * when programs that remove an empty directory could take it for another one. */
    char aside[256];
};

/* Remembers who a directory is. */
void signal_undo_identify(struct signal_cleanup_undo *undo, const struct stat *st);
/* Whether the name still stands for the directory that was remembered, untouched. */
bool signal_undo_stands(const struct signal_cleanup_undo *undo);
/* Moves it aside if it is to be and is still there: nobody is kept out by it any more. */
void signal_undo_hide(struct signal_cleanup_undo *undo);
/* Takes it back now, which includes that. */
void signal_undo_run(const struct signal_cleanup_undo *undo);

/* Lets signals that end the process undo what is in the table first; the process still ends by that
 * signal. Signals that are ignored or have a handler already are left as they are. */
void signal_cleanup_install(void);

/* Ends the process at once, from any thread, as a signal would: everything is undone first. Then
 * the sentence is said on standard error. Needs no memory. */
_Noreturn void signal_cleanup_exit(int code, const char *sentence);

/* Called once by the handler when everything is undone, to put a terminal in order. Must be safe
 * in a signal handler. NULL for none. */
void signal_cleanup_set_hook(void (*hook)(void));

/* The signals that a working thread blocks: all but those that its own faults raise. Blocked, they
 * would end the process without running the handler. */
void signal_cleanup_thread_mask(sigset_t *set);

/* Between these two, disk and table may differ: a handler on another thread waits for the end, for
 * 200 ms at most, and the calling thread gets no signals. Once the process is dying
 * signal_cleanup_enter() does not return. Keep the time between them short; they do not nest. */
void signal_cleanup_enter(sigset_t *before);
void signal_cleanup_leave(const sigset_t *before);

/* Copies it into the table, between signal_cleanup_enter() and signal_cleanup_leave(). Returns the
 * slot, or -1 when the table is full: it then stays behind after a crash. */
int signal_cleanup_add(const struct signal_cleanup_undo *undo);
/* Nothing is left to undo. -1 is fine. */
void signal_cleanup_forget(int slot);

#endif
