/* Shared by the tests of the cache of heads: a mailbox with many messages, changes to its files,
 * and the comparison of scans with and without the cache. */
#ifndef TESTS_SCENE_H
#define TESTS_SCENE_H

#include "world.h"

#include <sys/stat.h>

enum { SCENE_FILES = 160 };

/* The directory of the messages of the world's mailbox, and the samples for new ones. */
extern struct scene {
    char dir[512]; /* the inbox, relative to the temporary directory */
    char archive[512];
    struct span name, id;
    struct str bytes;
    char kept[600];
    unsigned next;
    unsigned chance;
} scene;

/* Returns false for layouts that do not keep one file per message. */
bool scene_open(size_t index);
void scene_put(const char *dir, unsigned number);
unsigned scene_any(unsigned below);

/* Scans the heads, which is all that the cache has. The caller frees. */
struct model scene_scan(bool cached);
void scene_assert_same(struct model *view, struct model *fresh, const char *when);
/* Asserts that the cache gives the current messages. */
void scene_assert_true(const char *when);

/* Waits until new changes have other times than all old ones. */
void scene_let_settle(void);
/* Makes a cache of all messages, and checks that it is used. */
void scene_make_cache(void);
bool scene_find_cache(char *path, size_t size);
/* Returns the number of files that the last scan did not read, from the log. */
unsigned scene_known_files(void);

/* In scene_changes.c. */
void scene_any_file(char *path, size_t size);
struct stat scene_look(const char *path);
/* Writes as many other bytes to the same file; hide: and sets its old times again. */
void scene_change_in_place(const char *path, bool hide);
/* Makes a random change to the mailbox. */
void scene_do_something(void);

#endif
