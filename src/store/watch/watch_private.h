/* Shared by the files of the watch: trees, watched directories, and files to be read. */
#ifndef STORE_WATCH_WATCH_PRIVATE_H
#define STORE_WATCH_WATCH_PRIVATE_H

#include "mail/message/message.h"
#include "store/scan/local_marks.h"
#include "store/scan/reader_pool.h"
#include "store/scan/walk.h"
#include "store/state/snooze_history.h"
#include "store/store_private.h"
#include "store/watch/watch.h"

enum { TREE_RULES_MAX = 16 };

#define POLL_US INT64_C(1000000)

enum tree_kind {
    TREE_MAIL,
    TREE_KNOWN,  /* rosters and tasks: data about agents other than messages */
    TREE_STATE,  /* our local state, which other processes may change too */
    TREE_COMING, /* a place where mailboxes are looked for, without any at the start */
};

/* A directory and the path patterns that are followed below it. */
struct watched_tree {
    enum tree_kind kind;
    struct source *source; /* NULL for our local state */
    int root;              /* descriptor; for TREE_MAIL it is the source's own */
    char *path;
    struct place_rule rules[TREE_RULES_MAX];
    size_t rule_count;
    bool lost;                 /* the root does not exist; waits until it does */
    bool shut;                 /* its new directory cannot be accessed; that was reported */
    bool seen;                 /* the directory that holds the boxes existed once */
    bool gone;                 /* it does not exist or cannot be read; that was reported */
    const char *polled;        /* why the tree is scanned every second, or NULL */
    bool looked_at;            /* `files` can be compared with the next scan */
    struct polled_file *files; /* files found by the last scan of a polled tree */
    size_t file_count, file_cap;
    struct map file_names;
    struct arena file_arena;

    /* for TREE_MAIL only */
    struct local_marks overlay;
    uint64_t local_marks_print;
    struct reader reader;
    struct update update; /* not reported yet */
};

struct watched_dir {
    int wd;
    uint32_t tree;
    char *dir; /* path below the root; NULL: a parent directory of the root */
    bool met;  /* found by the current scan */
};

/* A file that changed, or may have changed. */
struct dirty {
    uint32_t tree;
    const char *dir, *name; /* NULL when done */
    int64_t due_us;         /* steady clock */
    int64_t give_up_us;
    uint8_t tries;
    bool vanished; /* gone; reported when it is known that the source still exists */
};

/* A directory that was removed, reported at the same time. */
struct vanished_dir {
    uint32_t tree;
    char *dir, *name;
};

struct watch {
    struct store *store;
    struct watch_options options;
    void (*post)(void *context, const struct news *news);
    void *context;
    int fd; /* inotify, or -1 */
    struct watched_tree *trees;
    size_t tree_count;
    struct watched_dir *dirs; /* sorted by wd; one entry per tree with the directory */
    size_t dir_count, dir_cap;
    struct dirty *dirty;
    size_t dirty_count, dirty_cap, dirty_live;
    struct map dirty_keys; /* 1 + index; 0: done */
    struct str dirty_key;  /* buffer for the last key */
    struct arena dirty_arena;
    int64_t known_due_us, state_due_us, poll_due_us, locks_due_us; /* TIME_NONE: not due */
    size_t state_looks;         /* scans of the state since the last event for it */
    int64_t tally[TALLY_COUNT]; /* change counters of the state at the last scan */
    bool overflow;
    /* With keep_gone: vanished messages and directories are reported when no more vanish. */
    struct vanished_dir *vanished;
    size_t vanished_count, vanished_cap;
    int64_t vanish_first_us, vanish_due_us; /* TIME_NONE: nothing has vanished */
};

/* Vanished sources. Reports whether the tree's source is gone, and posts it when that has changed.
 * Returns false without keep_gone. */
bool watch_is_gone(struct watch *watch, uint32_t tree);
/* Delays the report of something that vanished. Returns false if it must be reported at once. */
bool watch_hold_vanished(struct watch *watch, uint32_t tree);
/* Scans the directories that have vanished, if it is time. */

/* The relation of a directory to the root below it. */
enum above {
    ABOVE_FAR,     /* the directory contains a parent of the root */
    ABOVE_ROOT,    /* the directory contains the root */
    ABOVE_NOTHING, /* the directory lacks the next component of the path */
};
void watch_dir_above(struct watch *watch, uint32_t tree, int fd, enum above above);
/* Start and end a scan of a directory and everything below it: directories that the scan did not
 * find are unwatched at its end. An absent `dir` means the parent directories of the root. */
void watch_unmeet(struct watch *watch, uint32_t tree, struct span dir);
void watch_release(struct watch *watch, uint32_t tree, struct span dir);
/* Returns the index of the first entry of a wd, or dir_count if there is none. */
size_t watch_find(const struct watch *watch, int wd);
/* Polls a tree for which the kernel does not report changes. */
void watch_poll_instead(struct watch *watch, struct watched_tree *tree, const char *why);

/* Scanning: everything below the root, or one entry of a directory. */
void watch_scan(struct watch *watch, uint32_t tree);
/* The first scan takes files from the cache without checking each. After everything was reported,
 * watch_scan_twice() checks them and frees the scan. */
struct watched_read;
struct watched_read *watch_scan_first(struct watch *watch, uint32_t tree);
void watch_scan_twice(struct watched_read *looking);
void watch_scan_folder(struct watch *watch, uint32_t tree, struct span dir, struct span name);
/* Posts the gathered update. */
void watch_report(struct watch *watch, struct watched_tree *tree);

/* Changed files. */
void watch_dirty(struct watch *watch, uint32_t tree, struct span dir, struct span name,
                 int64_t due_us);
/* Reads a limited number of files that are due; the others stay due. */
void watch_read_dirty(struct watch *watch);
void watch_free_dirty(struct watch *watch);

/* Polling. */
void watch_poll(struct watch *watch);
/* Remembers a file of a polled tree, so that it is missed when it vanishes. */
void watch_note(struct watched_tree *tree, struct span dir, struct span name);

#endif
