/* Watching: files that changed are read again, those that look half written a few times. */
#include "base/mem.h"
#include "store/watch/watch_private.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* As many are read before the kernel's queue is looked at again. */
enum { AT_ONCE = 256 };

void watch_free_dirty(struct watch *watch)
{
    free(watch->dirty);
    map_free(&watch->dirty_keys);
    arena_free(&watch->dirty_arena);
    str_free(&watch->dirty_key);
    watch->dirty = NULL;
    watch->dirty_count = watch->dirty_cap = watch->dirty_live = 0;
}

void watch_dirty(struct watch *watch, uint32_t tree, struct span dir, struct span name,
                 int64_t due_us)
{
    struct span key = map_key(&watch->dirty_key, tree, (const struct span[]){dir, name}, 2);
    uint32_t *known = map_get(&watch->dirty_keys, key);
    bool fresh;

    if (known && *known) {
        struct dirty *dirty = &watch->dirty[*known - 1];
        if (due_us < dirty->due_us)
            dirty->due_us = due_us;
        dirty->give_up_us = when_steady() + FILE_PATIENCE_US;
        dirty->vanished = false;
        return;
    }
    if (!known)
        known = map_put_copy(&watch->dirty_keys, &watch->dirty_arena, key, &fresh);
    watch->dirty =
        mem_grow(watch->dirty, &watch->dirty_cap, watch->dirty_count + 1, sizeof *watch->dirty);
    watch->dirty[watch->dirty_count++] =
        (struct dirty){.tree = tree,
                       .dir = arena_copy(&watch->dirty_arena, dir).at,
                       .name = arena_copy(&watch->dirty_arena, name).at,
                       .due_us = due_us,
                       .give_up_us = when_steady() + FILE_PATIENCE_US};
    *known = (uint32_t)watch->dirty_count;
    watch->dirty_live++;
}

static void forget(struct watch *watch, struct dirty *dirty)
{
    const struct span parts[] = {span_of(dirty->dir), span_of(dirty->name)};

    *map_get(&watch->dirty_keys, map_key(&watch->dirty_key, dirty->tree, parts, 2)) = 0;
    dirty->name = NULL;
    watch->dirty_live--;
}

/* Memory is given back when nothing is left, or by starting anew with what is. */
static void tidy(struct watch *watch)
{
    struct watch old = *watch;

    if (!watch->dirty_live) {
        if (watch->dirty_count)
            watch_free_dirty(watch);
        return;
    }
    if (watch->dirty_count < 4 * watch->dirty_live + 1024)
        return;
    watch->dirty = NULL;
    watch->dirty_count = watch->dirty_cap = watch->dirty_live = 0;
    watch->dirty_keys = (struct map){0};
    watch->dirty_arena = (struct arena){0};
    watch->dirty_key = (struct str){0};
    for (size_t i = 0; i < old.dirty_count; i++) {
        const struct dirty *dirty = &old.dirty[i];
        if (!dirty->name)
            continue;
        watch_dirty(watch, dirty->tree, span_of(dirty->dir), span_of(dirty->name), dirty->due_us);
        watch->dirty[watch->dirty_count - 1].tries = dirty->tries;
        watch->dirty[watch->dirty_count - 1].give_up_us = dirty->give_up_us;
        watch->dirty[watch->dirty_count - 1].vanished = dirty->vanished;
    }
    watch_free_dirty(&old);
}

/* Reads a file into the update of its tree, unless it is gone and that is to be told later; a
 * directory of -1 could not be opened, and its files are gone. FILE_CHANGED: it should be looked at
 * again. */
static enum file_result read_file(struct watched_tree *tree, const struct place *place, int dir,
                                  struct span name, bool last_look, bool tell_gone)
{
    struct update *update = &tree->update;
    size_t first = update->batch.count;
    struct err err;
    enum file_result result =
        dir < 0 ? FILE_GONE : reader_read(&tree->reader, place, dir, name, false, last_look, &err);
    if (result == FILE_GONE && !tell_gone)
        return result;
    enum update_what what = result == FILE_GONE      ? UPDATE_GONE
                            : result == FILE_CHANGED ? UPDATE_KEPT
                                                     : UPDATE_HOLDS;

    if (result == FILE_FAILED)
        reader_add_damaged(&tree->reader, place, name, err.text)->unread_bytes =
            !tree->reader.has_bytes;
    if (result != FILE_GONE)
        watch_note(tree, place->dir, name);
    overlay_apply(&tree->overlay, &update->batch, first);
    update_add(update, reader_place(&tree->reader, place), arena_copy(&update->batch.arena, name),
               what, first);
    return result;
}

/* The directory that files are read from just now: many come in one. */
struct opened {
    const char *dir; /* NULL: none yet */
    uint32_t tree;
    int fd; /* -1: it could not be opened */
};

static void close_opened(struct opened *opened)
{
    if (opened->dir && opened->fd >= 0)
        close(opened->fd);
    opened->dir = NULL;
}

/* Looks at the first directory on the way that cannot be opened, so that it is reported itself,
 * once, instead of each file in it: the kernel reports no failing disk. */
static void look_at_unreadable(struct watch *watch, uint32_t number, const char *dir)
{
    const struct source *source = watch->trees[number].source;
    struct str path = {0};
    size_t parent = 0;
    bool there = true;

    for (const char *end = dir; there && *end; end += *end == '/') {
        parent = path.len;
        end += strcspn(end, "/");
        str_clear(&path);
        str_add(&path, dir, (size_t)(end - dir));
        int fd = source_dir(source, str_c(&path));
        there = fd >= 0;
        if (there)
            close(fd);
    }
    if (!there) {
        struct str above = {0};
        str_add(&above, dir, parent);
        struct span name = {path.at + parent + (parent > 0), path.len - parent - (parent > 0)};
        watch_look_at(watch, number, (struct span){str_c(&above), parent}, name);
        str_free(&above);
    }
    str_free(&path);
}

static void open_for(struct opened *opened, struct watch *watch, const struct dirty *dirty)
{
    const struct watched_tree *tree = &watch->trees[dirty->tree];

    if (opened->dir && opened->tree == dirty->tree && strcmp(opened->dir, dirty->dir) == 0)
        return;
    close_opened(opened);
    *opened = (struct opened){.dir = dirty->dir, .tree = dirty->tree};
    opened->fd = tree->lost ? -1 : source_dir(tree->source, dirty->dir);
    if (opened->fd < 0 && !tree->lost && errno != ENOENT && errno != ENOTDIR && errno != ELOOP)
        look_at_unreadable(watch, dirty->tree, dirty->dir);
}

static void read_one(struct watch *watch, size_t index, struct opened *opened)
{
    struct dirty dirty = watch->dirty[index]; /* a look may add others */
    struct watched_tree *tree = &watch->trees[dirty.tree];
    struct span dir = span_of(dirty.dir), name = span_of(dirty.name);
    struct place_names names;
    const struct place_rule *rule = place_find(tree->rules, tree->rule_count, dir, name, &names);
    struct place place = source_place(tree->source, rule, &names, dir);
    bool last_look = when_steady() > dirty.give_up_us;

    open_for(opened, watch, &dirty);
    bool tell_gone = !watch->options.keep_gone || (dirty.vanished && !tree->gone);
    enum file_result result = read_file(tree, &place, opened->fd, name, last_look, tell_gone);
    if (result == FILE_CHANGED) {
        watch->dirty[index].due_us = when_steady() + file_pause_us(dirty.tries);
        watch->dirty[index].tries += dirty.tries < UINT8_MAX;
    } else if (result == FILE_GONE && !tell_gone && !dirty.vanished) {
        watch_hold_vanished(watch, dirty.tree);
        watch->dirty[index].vanished = true;
        watch->dirty[index].due_us = watch->vanish_due_us;
    } else {
        forget(watch, &watch->dirty[index]);
    }
}

void watch_read_dirty(struct watch *watch)
{
    int64_t now_us = when_steady();
    struct opened opened = {0};
    uint32_t looked = UINT32_MAX;
    size_t done = 0, i = 0;

    for (; watch->dirty_live && i < watch->dirty_count && done < AT_ONCE; i++) {
        struct dirty *dirty = &watch->dirty[i];
        if (!dirty->name || dirty->due_us > now_us)
            continue;
        if (dirty->vanished && watch->vanish_due_us > now_us) { /* more has vanished since */
            dirty->due_us = watch->vanish_due_us;
            continue;
        }
        if (dirty->vanished && (dirty->tree != looked || !done)) /* is its source there? */
            watch_is_gone(watch, looked = dirty->tree);
        read_one(watch, i, &opened);
        done++;
    }
    close_opened(&opened);
    for (size_t k = 0; done && k < watch->tree_count; k++)
        if (watch->trees[k].kind == TREE_MAIL)
            watch_tell(watch, &watch->trees[k]);
    tidy(watch);
}
