/* Scanning a tree, with each directory watched before it is scanned; and reading changed files. */
#include "base/io_error.h"
#include "base/mem.h"
#include "store/scan/first_screen.h"
#include "store/scan/head_cache.h"
#include "store/watch/watch_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <unistd.h>

/* The directories for which the kernel reports changes. */

/* Covers files that are linked (only created), renamed (only moved), and written in place (modified
 * and closed). */
#define CHANGES                                                                                    \
    (IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_ATTRIB | IN_MOVED_TO | IN_MOVED_FROM |            \
     IN_DELETE | IN_MOVE_SELF)
/* The events of parent directories of a root, as few as possible to avoid wakeups. */
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
    if (watch->poll_due_us == TIME_NONE)
        watch->poll_due_us = time_steady() + POLL_US;
    if (tree->kind != TREE_MAIL || watch->options.poll) /* a user who asked for polling knows */
        return;
    CLEANUP(str_free) struct str text = {0};
    str_addf(&text, "%s is looked at every second: %s", tree->path, why);
    struct news news = {
        .kind = NEWS_HEALTH, .source = tree->source->index, .text = mem_strdup(str_c(&text))};
    log_add(watch->store->log, "watch: %s", str_c(&text));
    watch->post(watch->context, &news);
}

static int add_watch(struct watch *watch, int fd, uint32_t mask)
{
    char path[32];

    snprintf(path, sizeof path, "/proc/self/fd/%d",
             fd); /* watches exactly the directory that was opened */
    return inotify_add_watch(watch->fd, path, mask | IN_ONLYDIR | IN_MASK_ADD);
}

/* Watches a directory, or polls the tree if that fails. */
static void watch_dir(struct watch *watch, uint32_t number, int fd, const char *dir)
{
    struct watched_tree *tree = &watch->trees[number];

    if (tree->polled) /* all trees are polled if there is no inotify */
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

void watch_release(struct watch *watch, uint32_t tree, struct span dir)
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

/* Changed files are read again. One that does not parse is read several times, with growing pauses,
 * until nobody has touched it for two seconds; only then it counts as damaged. Until then the
 * messages that were read from it before stay. */

/* Number of files that are read before the kernel's queue is checked again. */
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
        dirty->give_up_us = time_steady() + FILE_PATIENCE_US;
        dirty->vanished = false;
        return;
    }
    if (!known)
        known = map_put_copy(&watch->dirty_keys, &watch->dirty_arena, key, &fresh);
    *mem_push(watch->dirty, watch->dirty_count, watch->dirty_cap) =
        (struct dirty){.tree = tree,
                       .dir = arena_copy(&watch->dirty_arena, dir).at,
                       .name = arena_copy(&watch->dirty_arena, name).at,
                       .due_us = due_us,
                       .give_up_us = time_steady() + FILE_PATIENCE_US};
    *known = (uint32_t)watch->dirty_count;
    watch->dirty_live++;
}

static void forget_dirty(struct watch *watch, struct dirty *dirty)
{
    const struct span parts[] = {span_of(dirty->dir), span_of(dirty->name)};

    *map_get(&watch->dirty_keys, map_key(&watch->dirty_key, dirty->tree, parts, 2)) = 0;
    dirty->name = NULL;
    watch->dirty_live--;
}

/* Frees the list when it is empty, or rebuilds it when most entries are done. */
static void tidy_dirty(struct watch *watch)
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

/* Reads a file into the update of its tree. Adds nothing if it is gone and not `report_gone`. A
 * directory of -1 could not be opened, so its files are gone. FILE_CHANGED: it must be read
 * again. */
static enum file_result read_file(struct watched_tree *tree, const struct place *place, int dir,
                                  struct span name, bool last_look, bool report_gone)
{
    struct update *update = &tree->update;
    size_t first = update->batch.count;
    struct err err;
    enum file_result result =
        dir < 0 ? FILE_GONE : reader_read(&tree->reader, place, dir, name, false, last_look, &err);
    if (result == FILE_GONE && !report_gone)
        return result;
    enum update_what what = result == FILE_GONE      ? UPDATE_GONE
                            : result == FILE_CHANGED ? UPDATE_KEPT
                                                     : UPDATE_HOLDS;

    if (result == FILE_FAILED)
        reader_add_damaged(&tree->reader, place, name, err.text)->unread_bytes =
            !tree->reader.has_bytes;
    if (result != FILE_GONE)
        watch_note(tree, place->dir, name);
    local_marks_apply(&tree->overlay, &update->batch, first);
    update_add(update, reader_place(&tree->reader, place), arena_copy(&update->batch.arena, name),
               what, first);
    return result;
}

/* The directory of the last file: successive files are often in the same one. */
struct opened {
    const char *dir; /* NULL: none yet */
    uint32_t tree;
    int fd; /* -1: could not be opened */
};

static void close_opened(struct opened *opened)
{
    if (opened->dir && opened->fd >= 0)
        close(opened->fd);
    opened->dir = NULL;
}

/* Scans the first directory in the path that cannot be opened, so that it is reported itself, once,
 * instead of each file in it. The kernel does not report failing disks. */
static void check_unreadable(struct watch *watch, uint32_t number, const char *dir)
{
    const struct source *source = watch->trees[number].source;
    CLEANUP(str_free) struct str path = {0};
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
        CLEANUP(str_free) struct str above = {0};
        str_add(&above, dir, parent);
        struct span name = {path.at + parent + (parent > 0), path.len - parent - (parent > 0)};
        watch_scan_folder(watch, number, (struct span){str_c(&above), parent}, name);
    }
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
        check_unreadable(watch, dirty->tree, dirty->dir);
}

static void read_one(struct watch *watch, size_t index, struct opened *opened)
{
    struct dirty dirty = watch->dirty[index]; /* a copy: a scan may add others */
    struct watched_tree *tree = &watch->trees[dirty.tree];
    struct span dir = span_of(dirty.dir), name = span_of(dirty.name);
    struct place_names names;
    const struct place_rule *rule = place_find(tree->rules, tree->rule_count, dir, name, &names);
    struct place place = source_place(tree->source, rule, &names, dir);
    bool last_look = time_steady() > dirty.give_up_us;

    open_for(opened, watch, &dirty);
    bool report_gone = !watch->options.keep_gone || (dirty.vanished && !tree->gone);
    enum file_result result = read_file(tree, &place, opened->fd, name, last_look, report_gone);
    if (result == FILE_CHANGED) {
        watch->dirty[index].due_us = time_steady() + file_pause_us(dirty.tries);
        watch->dirty[index].tries += dirty.tries < UINT8_MAX;
    } else if (result == FILE_GONE && !report_gone && !dirty.vanished) {
        watch_hold_vanished(watch, dirty.tree);
        watch->dirty[index].vanished = true;
        watch->dirty[index].due_us = watch->vanish_due_us;
    } else {
        forget_dirty(watch, &watch->dirty[index]);
    }
}

void watch_read_dirty(struct watch *watch)
{
    int64_t now_us = time_steady();
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
            watch_report(watch, &watch->trees[k]);
    tidy_dirty(watch);
}

struct watched_read {
    struct watch *watch;
    uint32_t number;
    struct reader_pool_file *files; /* found files, read after all were found */
    size_t count, cap;
    const struct place *place; /* place of the last file */
    struct cache_listed *dirs;
    size_t dir_count, dir_cap;
    struct arena arena; /* for names and places */
    struct cache *cache;
    struct cache_writer *writer;
};

static void pass_dir(struct walker *walker, int fd, struct span dir)
{
    struct watched_read *looking = walker->context;

    watch_dir(looking->watch, looking->number, fd, dir.at);
}

/* Adds an entry that leads nowhere to the list of messages. */
static void note_problem(struct watched_read *looking, const struct found *found)
{
    struct watched_tree *tree = &looking->watch->trees[looking->number];
    struct place place = source_place(tree->source, found->rule, &found->names, found->dir);
    size_t first = tree->update.batch.count;

    watch_note(tree, found->dir, found->name);
    for (size_t i = 0; i < looking->dir_count; i++)
        if (span_eq(looking->dirs[i].dir, found->dir)) /* must be listed again */
            looking->dirs[i].stamp = (struct stamp){0};
    struct message *message =
        reader_add_damaged(&tree->reader, &place, found->name, found->problem);
    message->unread_bytes = message->whole_folder = true;
    update_add(&tree->update, message->place, message->file, UPDATE_HOLDS, first);
}

static void add_met(struct watched_read *looking, const struct reader_pool_file *file)
{
    *mem_push(looking->files, looking->count, looking->cap) = *file;
}

static void meet_file(struct walker *walker, const struct found *found)
{
    struct watched_read *looking = walker->context;
    struct watched_tree *tree = &looking->watch->trees[looking->number];

    if (tree->kind != TREE_MAIL)
        return;
    if (found->problem) {
        note_problem(looking, found);
        return;
    }
    struct place place = source_place(tree->source, found->rule, &found->names, found->dir);
    uint32_t known = looking->cache ? cache_dir(looking->cache, found->dir) : CACHE_NONE;
    looking->place = place_keep(&place, looking->place, &looking->arena);
    struct reader_pool_file file = {.place = looking->place,
                                    .name = arena_copy(&looking->arena, found->name),
                                    .listed = found->regular};
    if (known != CACHE_NONE)
        file.cached = cache_find(looking->cache, known, found->name);
    add_met(looking, &file);
}

static void note_listed(struct walker *walker, const struct found *dir)
{
    struct watched_read *looking = walker->context;

    if (!looking->writer)
        return;
    *mem_push(looking->dirs, looking->dir_count, looking->dir_cap) =
        (struct cache_listed){arena_copy(&looking->arena, dir->dir), file_stamp_of_open(dir->fd)};
}

/* Takes the files of a directory from the cache if no file was added or removed since they were
 * read. Then the directory is not listed, and its files are reported before they are checked. It is
 * already watched. */
static bool recall_dir(struct walker *walker, const struct found *dir, struct span_list *beneath)
{
    struct watched_read *looking = walker->context;
    const struct watched_tree *tree = &looking->watch->trees[looking->number];
    uint32_t known = looking->cache ? cache_dir(looking->cache, dir->dir) : CACHE_NONE;
    struct stamp now = file_stamp_of_open(dir->fd);
    size_t count;

    if (known == CACHE_NONE || tree->polled || tree->source->format->storage != STORAGE_FILES ||
        !cache_dir_holds(looking->cache, known, &now))
        return false;
    struct place place = source_place(tree->source, dir->rule, &dir->names, dir->dir);
    looking->place = place_keep(&place, looking->place, &looking->arena);
    const struct cache_file *files = cache_files(looking->cache, known, &count);
    for (size_t i = 0; i < count; i++) {
        struct reader_pool_file file = {.place = looking->place,
                                        .name = cache_name(looking->cache, &files[i]),
                                        .cached = &files[i],
                                        .trusted = true};
        add_met(looking, &file);
    }
    cache_dirs_beneath(looking->cache, dir->dir, beneath);
    return true;
}

/* Posts the files that were read. */
static void take_read(void *context, struct update *update, size_t first)
{
    struct watched_read *looking = context;
    struct watch *watch = looking->watch;
    struct watched_tree *tree = &watch->trees[looking->number];

    for (size_t i = 0; i < update->count; i++) {
        const struct reader_pool_file *file = &looking->files[first + i];
        if (update->files[i].what != UPDATE_GONE)
            watch_note(tree, file->place->dir, file->name);
        if (update->files[i].what == UPDATE_KEPT)
            watch_dirty(watch, looking->number, file->place->dir, file->name,
                        time_steady() + file_pause_us(0));
    }
    update->looking = true;
    update->coming = looking->count;
    watch->post(watch->context, &(struct news){.kind = NEWS_UPDATE, .update = *update});
}

static void read_met(struct watched_read *looking)
{
    const struct watched_tree *tree = &looking->watch->trees[looking->number];
    struct reader_pool crew = {.source = tree->source,
                               .overlay = &tree->overlay,
                               .want = tree->reader.want,
                               .want_shared = tree->reader.want_shared,
                               .cache = looking->cache,
                               .writer = looking->writer,
                               .log = tree->reader.log,
                               .done = take_read,
                               .context = looking};

    if (looking->count)
        reader_pool_read(&crew, looking->files, looking->count);
}

/* Checks the files that were taken from the cache unchecked, and reads those that have changed. */
static void check_met(struct watched_read *looking)
{
    const struct watched_tree *tree = &looking->watch->trees[looking->number];
    CLEANUP(mem_free) size_t *changed = mem_alloc((looking->count + 1) * sizeof *changed);
    size_t count = reader_pool_check(tree->source, looking->files, looking->count, changed);

    for (size_t i = 0; i < count; i++) {
        const struct reader_pool_file *file = &looking->files[changed[i]];
        watch_dirty(looking->watch, looking->number, file->place->dir, file->name, time_steady());
    }
    if (looking->count)
        log_add(looking->watch->store->log, "source %s: %zu files looked at twice, %zu had changed",
                tree->source->path, looking->count, count);
}

static void looking_free(struct watched_read *looking)
{
    free(looking->files);
    free(looking->dirs);
    arena_free(&looking->arena);
    cache_free(looking->cache);
}

static int by_place(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    int order = span_cmp(x->place->dir, y->place->dir);

    return order ? order : span_cmp(x->file, y->file);
}

/* Adds our kept copies of archived messages under the files that they came from. */
static void meet_copies(struct watched_tree *tree)
{
    struct batch *batch = &tree->update.batch;
    size_t first = batch->count;
    struct err ignored;

    if (!local_marks_copies(&tree->overlay, (struct span){0}, (struct span){0}, (struct span){0},
                            tree->reader.want | tree->reader.want_shared, batch, &ignored)) {
        batch->count = first;
        tree->update.without_copies = true;
        tree->local_marks_print = 0; /* retry later and keep the known copies */
    }
    if (batch->count == first)
        return;
    qsort(batch->items + first, batch->count - first, sizeof *batch->items, by_place);
    size_t end = batch->count;
    for (size_t i = first; i < end; i = batch->count) {
        batch->count = i + 1; /* spans the messages of one file */
        while (batch->count < end && by_place(&batch->items[i], &batch->items[batch->count]) == 0)
            batch->count++;
        update_add(&tree->update, batch->items[i].place, batch->items[i].file, UPDATE_HOLDS, i);
    }
    batch->count = end;
}

static void end_look(struct watch *watch, uint32_t number, struct span dir)
{
    struct watched_tree *tree = &watch->trees[number];

    watch_release(watch, number, dir);
    if (tree->kind != TREE_MAIL)
        return;
    tree->update.sweep = true;
    tree->update.sweep_dir = arena_copy(&tree->update.batch.arena, dir);
    watch_report(watch, tree);
    tree->update.looking = false;
}

static void start_look(struct watch *watch, uint32_t number, struct span dir)
{
    struct watched_tree *tree = &watch->trees[number];

    watch_unmeet(watch, number, dir);
    if (tree->kind != TREE_MAIL)
        return;
    watch_report(watch, tree); /* post earlier changes, which do not belong to the scan */
    tree->update.looking = true;
}

static struct walker walker_of(struct watched_read *looking)
{
    const struct watched_tree *tree = &looking->watch->trees[looking->number];

    return (struct walker){.rules = tree->rules,
                           .rule_count = tree->rule_count,
                           .pass = pass_dir,
                           .enter = note_listed,
                           .recall = recall_dir,
                           .found = meet_file,
                           .context = looking};
}

static void scan_tree(struct watched_read *looking)
{
    struct watch *watch = looking->watch;
    struct watched_tree *tree = &watch->trees[looking->number];
    struct walker walker = walker_of(looking);
    struct err err;

    if (!tree->lost && tree->root >= 0 && !walk_tree(&walker, tree->root, &err))
        io_error_note(IO_ERROR_OTHER, tree->path, err.text);
    read_met(looking);
    if (tree->kind == TREE_MAIL)
        meet_copies(tree);
    end_look(watch, looking->number, (struct span){"", 0});
}

void watch_scan(struct watch *watch, uint32_t number)
{
    CLEANUP(looking_free) struct watched_read looking = {.watch = watch, .number = number};

    if (watch_is_gone(watch, number))
        return;
    start_look(watch, number, (struct span){"", 0});
    scan_tree(&looking);
}

/* Reports the files of the last session's first screen first; the full scan reports them again. */
static void report_first_screen(struct watch *watch, uint32_t number)
{
    struct watched_tree *tree = &watch->trees[number];
    CLEANUP(looking_free) struct watched_read first = {.watch = watch, .number = number};
    struct walker walker = {.rules = tree->rules,
                            .rule_count = tree->rule_count,
                            .found = meet_file,
                            .context = &first};
    CLEANUP(span_list_free) struct span_list parts = {0};
    CLEANUP(mem_free) char *bytes = NULL;

    if (tree->source->format->storage == STORAGE_FILES && tree->root >= 0)
        first_screen_read(tree->source, &parts, &bytes);
    for (size_t i = 0; i < parts.count; i += 2)
        walk_entry(&walker, tree->root, parts.items[i], parts.items[i + 1]);
    read_met(&first);
}

struct watched_read *watch_scan_first(struct watch *watch, uint32_t number)
{
    struct watched_tree *tree = &watch->trees[number];
    struct watched_read *looking = mem_zero(1, sizeof *looking);

    *looking = (struct watched_read){.watch = watch, .number = number};
    watch_is_gone(watch, number); /* only initialises the state: nothing was reported yet */
    start_look(watch, number, (struct span){"", 0});
    if (tree->kind == TREE_MAIL &&
        !reader_wants(tree->source, tree->reader.want, tree->reader.want_shared)) {
        report_first_screen(watch, number);
        looking->cache = cache_open(tree->source, watch->store->log);
        if (!watch->store->readonly)
            looking->writer = cache_write_begin(tree->source, looking->cache);
    }
    scan_tree(looking);
    return looking;
}

void watch_scan_twice(struct watched_read *looking)
{
    check_met(looking);
    cache_write_end(looking->writer, looking->files, looking->dirs, looking->dir_count,
                    looking->watch->store->log);
    looking_free(looking);
    free(looking);
}

void watch_scan_folder(struct watch *watch, uint32_t number, struct span dir, struct span name)
{
    struct watched_tree *tree = &watch->trees[number];
    CLEANUP(looking_free) struct watched_read looking = {.watch = watch, .number = number};
    struct walker walker = walker_of(&looking);
    CLEANUP(str_free) struct str path = {0};
    bool was_gone = tree->gone;

    if (watch_is_gone(watch, number))
        return;
    if (was_gone && !tree->gone) {
        watch_scan(watch, number);
        return;
    }
    str_add_path(&path, dir, name);
    start_look(watch, number, str_span(&path));
    if (tree->kind == TREE_MAIL) { /* it may have represented a path that led nowhere */
        struct place here =
            source_place(tree->source, &tree->rules[0], &(struct place_names){0}, dir);
        update_add(&tree->update, reader_place(&tree->reader, &here),
                   arena_copy(&tree->update.batch.arena, name), UPDATE_GONE,
                   tree->update.batch.count);
    }
    walk_entry(&walker, tree->root, dir, name);
    read_met(&looking);
    end_look(watch, number, str_span(&path));
    if (tree->kind == TREE_KNOWN)
        watch->known_due_us = time_steady();
}
