/* Walking a mailbox tree: which files a layout's rules find, without opening any of them. */
#ifndef STORE_SCAN_WALK_H
#define STORE_SCAN_WALK_H

#include "base/err.h"
#include "base/str.h"
#include "store/format/path_pattern.h"

/* A file or directory that a pattern leads to. All spans are terminated and last for the call. */
struct found {
    const struct place_rule *rule;
    struct place_names names;
    struct span dir; /* beneath the root; empty for the root itself */
    int fd;          /* of that directory */
    struct span name;
    bool regular;        /* the directory says that it is a regular file */
    const char *problem; /* why it cannot be entered, or NULL */
    bool unlisted;       /* it is a directory, and reading it has failed */
};

struct walker {
    const struct place_rule *rules;
    size_t rule_count;
    /* Called for each directory on the way, before anything in it is looked at; may be NULL. */
    void (*pass)(struct walker *walker, int fd, struct span dir);
    /* Called for each directory that may hold the last component, before its entries; may be NULL.
     */
    void (*enter)(struct walker *walker, const struct found *dir);
    /* Called for each directory that may hold the last component, instead of listing it: true when
     * its names are known and were taken in; then only the directories beneath that are named are
     * looked at. May be NULL. */
    bool (*recall)(struct walker *walker, const struct found *dir, struct span_list *beneath);
    void (*found)(struct walker *walker, const struct found *file);
    /* Called for each other entry of such a directory, with one of the rules that lead there; may
     * be NULL. */
    void (*other)(struct walker *walker, const struct found *entry);
    /* Only the names of boxes are wanted: a directory in which no rule finds one is not listed. */
    bool boxes_only;
    bool enough; /* set by what is called: nothing more is visited */
    void *context;
};

/* Visits everything beneath the root that matches a rule. Links are not followed: they, and
 * directories that cannot be read, are reported with a problem. False when the root itself fails.
 */
bool walk_tree(struct walker *walker, int root, struct err *err);
/* The same for one name in a directory beneath the root; nothing when it is not there or no rule
 * leads to it. */
void walk_entry(struct walker *walker, int root, struct span dir, struct span name);

#endif
