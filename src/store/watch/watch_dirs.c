/* Watching: the directories that the kernel tells about. */
#include "base/mem.h"
#include "store/watch/watch_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>

/* Linked files are only created, renamed ones only moved, and files written in place are modified
 * and closed. */
#define CHANGES                                                                                    \
    (IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM |            \
     IN_DELETE | IN_MOVE_SELF)
/* Of the directories that a root lies in only this matters, so that little wakes anybody up. */
static const uint32_t above_masks[] = {
    [ABOVE_FAR] = IN_MOVE_SELF | IN_DELETE_SELF,
    [ABOVE_ROOT] = IN_MOVE_SELF | IN_DELETE_SELF | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO,
    [ABOVE_NOTHING] = IN_MOVE_SELF | IN_DELETE_SELF | IN_CREATE | IN_MOVED_TO,
};

size_t watch_find(const struct watch *watch, int wd)
{
    size_t low = 0, high = watch->dir_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (watch->dirs[middle].wd < wd)
            low = middle + 1;
        else
            high = middle;
    }
    return low < watch->dir_count && watch->dirs[low].wd == wd ? low : watch->dir_count;
}

static void add_entry(struct watch *watch, int wd, uint32_t tree, const char *dir)
{
    size_t at = watch_find(watch, wd);

    for (; at < watch->dir_count && watch->dirs[at].wd == wd; at++) {
        struct watched_dir *entry = &watch->dirs[at];
        if (entry->tree != tree || !dir != !entry->dir)
            continue;
        entry->met = true;
        if (dir && strcmp(entry->dir, dir) != 0) { /* it was moved */
            free(entry->dir);
            entry->dir = mem_strdup(dir);
        }
        return;
    }
    while (at > 0 && watch->dirs[at - 1].wd > wd)
        at--;
    watch->dirs = mem_grow(watch->dirs, &watch->dir_cap, watch->dir_count + 1, sizeof *watch->dirs);
    memmove(&watch->dirs[at + 1], &watch->dirs[at], (watch->dir_count - at) * sizeof *watch->dirs);
    watch->dirs[at] = (struct watched_dir){
        .wd = wd, .tree = tree, .dir = dir ? mem_strdup(dir) : NULL, .met = true};
    watch->dir_count++;
}

void watch_poll_instead(struct watch *watch, struct watched_tree *tree, const char *why)
{
    if (tree->polled)
        return;
    tree->polled = why;
    if (watch->poll_due_us == WHEN_NONE)
        watch->poll_due_us = when_steady() + POLL_US;
    if (tree->kind != TREE_MAIL || watch->options.poll) /* who asked for it knows */
        return;
    struct str text = {0};
    str_addf(&text, "%s is looked at every second: %s", tree->path, why);
    struct news news = {
        .kind = NEWS_HEALTH, .source = tree->source->index, .text = mem_strdup(str_c(&text))};
    log_add(watch->store->log, "watch: %s", str_c(&text));
    store_post(watch->store, &news);
    str_free(&text);
}

static int add_watch(struct watch *watch, int fd, uint32_t mask)
{
    char path[32];

    snprintf(path, sizeof path, "/proc/self/fd/%d",
             fd); /* the directory that was opened, no other */
    return inotify_add_watch(watch->fd, path, mask | IN_ONLYDIR | IN_MASK_ADD);
}

void watch_dir(struct watch *watch, uint32_t number, int fd, const char *dir)
{
    struct watched_tree *tree = &watch->trees[number];

    if (tree->polled) /* as all are without inotify */
        return;
    int wd = add_watch(watch, fd, CHANGES);
    if (wd >= 0)
        add_entry(watch, wd, number, dir);
    else if (errno == ENOSPC)
        watch_poll_instead(watch, tree,
                           "there are no more inotify watches; raise fs.inotify.max_user_watches");
    else if (errno != ENOTDIR)
        watch_poll_instead(watch, tree, strerror(errno));
}

void watch_dir_above(struct watch *watch, uint32_t number, int fd, enum above above)
{
    int wd = add_watch(watch, fd, above_masks[above]);

    if (wd >= 0)
        add_entry(watch, wd, number, NULL);
}

static bool is_meant(const struct watched_dir *entry, uint32_t tree, struct span dir)
{
    if (entry->tree != tree || !entry->dir || !dir.at)
        return entry->tree == tree && !entry->dir && !dir.at;
    return !dir.len || (strncmp(entry->dir, dir.at, dir.len) == 0 &&
                        (entry->dir[dir.len] == '\0' || entry->dir[dir.len] == '/'));
}

void watch_unmeet(struct watch *watch, uint32_t tree, struct span dir)
{
    for (size_t i = 0; i < watch->dir_count; i++)
        if (is_meant(&watch->dirs[i], tree, dir))
            watch->dirs[i].met = false;
}

void watch_let_go(struct watch *watch, uint32_t tree, struct span dir)
{
    size_t kept = 0;

    for (size_t i = 0; i < watch->dir_count; i++) {
        struct watched_dir *entry = &watch->dirs[i];
        if (entry->met || !is_meant(entry, tree, dir)) {
            watch->dirs[kept++] = *entry;
            continue;
        }
        bool shared = (kept > 0 && watch->dirs[kept - 1].wd == entry->wd) ||
                      (i + 1 < watch->dir_count && watch->dirs[i + 1].wd == entry->wd);
        if (!shared)
            inotify_rm_watch(watch->fd, entry->wd);
        free(entry->dir);
    }
    watch->dir_count = kept;
}
