/* What the tests of the cache of heads share: a mailbox with many messages, what is done to its
 * files, and whether a scan with the cache finds what one from nothing does. */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "world.h"

#include <sys/stat.h>

enum { SCENE_FILES = 160 };

/* The world has the mailbox; this is where its messages lie, and what new ones are made from. */
extern struct scene {
    char dir[512]; /* of the inbox, from the temporary directory */
    char archive[512];
    struct span name, id;
    struct str bytes;
    char kept[600];
    unsigned next;
    unsigned chance;
} scene;

/* False for layouts that do not keep one file a message. */
bool scene_open(size_t index);
void scene_put(const char *dir, unsigned number);
unsigned scene_any(unsigned below);

/* Heads only: that is what the cache has. The caller frees. */
struct model scene_scan(bool cached);
void scene_assert_same(struct model *view, struct model *fresh, const char *when);
/* What the cache gives is what there is. */
void scene_assert_true(const char *when);

/* Until the clock is so far from all that was touched that it can be told from what comes. */
void scene_let_settle(void);
/* A cache of all that is there, which is used. */
void scene_make_cache(void);
bool scene_find_cache(char *path, size_t size);
/* How many files the log says that need not be read, the last time. */
unsigned scene_known_files(void);

/* In scene_changes.c. */
void scene_any_file(char *path, size_t size);
struct stat scene_look(const char *path);
/* As many bytes, in the same file; hide: with the times that it had. */
void scene_change_in_place(const char *path, bool hide);
/* Whatever can happen to a mailbox, by chance. */
void scene_do_something(void);

#endif
