/* Walking a mailbox tree: finds the files that a layout's rules match, without opening any of
 * them. */
#ifndef STORE_SCAN_WALK_H
#define STORE_SCAN_WALK_H

#include "base/err.h"
#include "base/str.h"
#include "store/format/path_pattern.h"

/* A file or directory that a pattern matches. All spans are terminated and valid during the
 * call. */
struct found {
    const struct place_rule *rule;
    struct place_names names;
    struct span dir; /* relative to the root; empty for the root itself */
    int fd;          /* of that directory */
    struct span name;
    bool regular;        /* the directory says that it is a regular file */
    const char *problem; /* why it cannot be read or entered, or NULL */
    bool unlisted;       /* it is a directory, and reading it has failed */
};

struct walker {
    const struct place_rule *rules;
    size_t rule_count;
    /* Called for each directory on the way, before its entries; may be NULL. */
    void (*pass)(struct walker *walker, int fd, struct span dir);
    /* Called for each directory that may hold the last component, before its entries; may be
     * NULL. */
    void (*enter)(struct walker *walker, const struct found *dir);
    /* Called for each directory that may hold the last component, instead of listing it. Returns
     * true if it knows the names there and has processed them; then only the directories that it
     * stores in `beneath` are visited. May be NULL. */
    bool (*recall)(struct walker *walker, const struct found *dir, struct span_list *beneath);
    void (*found)(struct walker *walker, const struct found *file);
    /* Called for each other entry of such a directory, with one of the rules that lead there; may
     * be NULL. */
    void (*other)(struct walker *walker, const struct found *entry);
    /* Find only the names of boxes: do not list a directory in which no rule finds one. */
    bool boxes_only;
    bool enough; /* set by a callback: visit nothing more */
    void *context;
};

/* Visits everything below the root that matches a rule. Links are not followed: they, and
 * directories that cannot be read, are reported with a problem. False if the root itself cannot be
 * read. */
bool walk_tree(struct walker *walker, int root, struct err *err);
/* Like walk_tree(), for one name in a directory below the root; does nothing if it does not exist
 * or no rule leads to it. */
void walk_entry(struct walker *walker, int root, struct span dir, struct span name);

#endif
