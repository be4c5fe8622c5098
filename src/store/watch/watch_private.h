/* Watching, inside: trees, the directories in them, and files that are to be looked at. */
#ifndef STORE_WATCH_WATCH_PRIVATE_H
#define STORE_WATCH_WATCH_PRIVATE_H

#include "mail/message/message.h"
#include "store/scan/local_marks.h"
#include "store/scan/reader.h"
#include "store/scan/walk.h"
#include "store/state/snooze_history.h"
#include "store/store_private.h"
#include "store/watch/watch.h"

enum { TREE_RULES_MAX = 16 };

#define POLL_US INT64_C(1000000)

enum tree_kind {
    TREE_MAIL,
    TREE_KNOWN,  /* rosters and tasks: what is known about agents */
    TREE_STATE,  /* our own marks, which other processes may make too */
    TREE_COMING, /* a place where mailboxes are looked for, and were not at the start */
};

/* Something that rules lead through, beneath a directory of its own. */
struct watched_tree {
    enum tree_kind kind;
    struct source *source; /* NULL for our own state */
    int root;              /* descriptor; of a source's mail it is the source's own */
    char *path;
    struct place_rule rules[TREE_RULES_MAX];
    size_t rule_count;
    bool lost;                 /* its root is not there; looked for until it is */
    bool shut;                 /* another is in its place, out of reach; that was told */
    bool seen;                 /* what holds its boxes was there */
    bool gone;                 /* it is not, or cannot be read; that was told */
    const char *polled;        /* why it is looked at every second, or NULL */
    bool looked_at;            /* there is something to compare the next look with */
    struct polled_file *files; /* what the last look at a polled tree found */
    size_t file_count, file_cap;
    struct map file_names;
    struct arena file_arena;

    /* mail only */
    struct overlay overlay;
    uint64_t local_marks_print;
    struct reader reader;
    struct update update; /* not told yet */
};

struct watched_dir {
    int wd;
    uint32_t tree;
    char *dir; /* beneath the root; NULL: a directory that the root lies in */
    bool met;  /* by the look that is going on */
};

/* A file that changed, or may have. */
struct dirty {
    uint32_t tree;
    const char *dir, *name; /* NULL once it is done */
    int64_t due_us;         /* of the clock that never jumps */
    int64_t give_up_us;
    uint8_t tries;
    bool vanished; /* it is not there, which is told when it is known that its source is */
};

/* A directory that was removed; the same. */
struct vanished_dir {
    uint32_t tree;
    char *dir, *name;
};

struct watch {
    struct store *store;
    struct watch_options options;
    int fd; /* inotify, or -1 */
    struct watched_tree *trees;
    size_t tree_count;
    struct watched_dir *dirs; /* by wd, and one for each tree that has it */
    size_t dir_count, dir_cap;
    struct dirty *dirty;
    size_t dirty_count, dirty_cap, dirty_live;
    struct map dirty_keys; /* 1 + index; 0 for done */
    struct str dirty_key;  /* the one that was looked for last */
    struct arena dirty_arena;
    int64_t known_due_us, state_due_us, poll_due_us, locks_due_us; /* TIME_NONE: not due */
    size_t state_looks; /* at the state, since it was told that something was written there */
    int64_t tally[TALLY_COUNT]; /* of the state, at the last look */
    bool overflow;
    /* With keep_gone: messages and directories that vanish are told of when no more of them do. */
    struct vanished_dir *vanished;
    size_t vanished_count, vanished_cap;
    int64_t vanish_first_us, vanish_due_us; /* TIME_NONE: nothing has vanished */
};

/* Finds out whether the root's path still leads to it; if not, it is lost. One that was lost may be
 * found. */
void watch_check_root(struct watch *watch, uint32_t tree);

/* Sources that are gone: watch_gone.c. Finds out whether the tree's source is, and tells when that
 * has changed. */
bool watch_is_gone(struct watch *watch, uint32_t tree);
/* Something has vanished: whether it is to be told later. */
bool watch_hold_vanished(struct watch *watch, uint32_t tree);
void watch_hold_dir(struct watch *watch, uint32_t tree, struct span dir, struct span name);
/* Looks at the directories that have vanished, when it is time to. */
void watch_work_vanished(struct watch *watch);
void watch_free_vanished(struct watch *watch);
/* Watches the directories that the root lies in; whether it was there in the end. */
bool watch_above(struct watch *watch, uint32_t tree);
/* Opens the root again after it was gone; false while it is not there. */
bool watch_reopen(struct watch *watch, struct watched_tree *tree);

/* The same for one that the root lies in. */
enum above {
    ABOVE_FAR,     /* something on the way to the root is in it */
    ABOVE_ROOT,    /* the root itself is */
    ABOVE_NOTHING, /* what should be on the way is not there yet */
};
void watch_dir_above(struct watch *watch, uint32_t tree, int fd, enum above above);
/* Starts or ends a look at a directory and all beneath: those not met until the end are let go. An
 * absent one stands for those that the root lies in. */
void watch_unmeet(struct watch *watch, uint32_t tree, struct span dir);
void watch_let_go(struct watch *watch, uint32_t tree, struct span dir);
/* The index of the first entry of a wd, dir_count when it has none. */
size_t watch_find(const struct watch *watch, int wd);
/* A tree that the kernel will not tell about. */
void watch_poll_instead(struct watch *watch, struct watched_tree *tree, const char *why);

/* Looking: watch_look.c. Everything beneath the root, or one entry of a directory. */
void watch_look(struct watch *watch, uint32_t tree);
/* The first look takes what the cache knows without looking at each file; when all was told, the
 * second makes sure of that, and ends it. */
struct looking;
struct looking *watch_look_first(struct watch *watch, uint32_t tree);
void watch_look_twice(struct looking *looking);
void watch_look_at(struct watch *watch, uint32_t tree, struct span dir, struct span name);
/* Tells what has been gathered. */
void watch_tell(struct watch *watch, struct watched_tree *tree);

/* Files that changed: watch_dirty.c */
void watch_dirty(struct watch *watch, uint32_t tree, struct span dir, struct span name,
                 int64_t due_us);
/* Reads some of those that are due; the rest stays so. */
void watch_read_dirty(struct watch *watch);
void watch_free_dirty(struct watch *watch);

/* A lock is there, or may be: whether it was left behind can be seen later. */
void watch_lock(struct watch *watch, const struct watched_tree *tree);

/* Looking every second: watch_poll.c */
void watch_poll(struct watch *watch);
/* What was read of a tree that is looked at is missed when it is gone, whenever it came. */
void watch_note(struct watched_tree *tree, struct span dir, struct span name);

#endif
