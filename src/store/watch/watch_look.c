/* Watching: looking through a tree, each directory watched before it is looked at. */
#include "base/io_error.h"
#include "base/mem.h"
#include "store/scan/cache_write.h"
#include "store/scan/foremost.h"
#include "store/watch/watch_private.h"

#include <stdlib.h>

struct looking {
    struct watch *watch;
    uint32_t number;
    struct crew_file *files; /* that were met, to be read when all of them were */
    size_t count, cap;
    const struct place *place; /* of the last one */
    struct cache_listed *dirs;
    size_t dir_count, dir_cap;
    struct arena arena; /* of names and places */
    struct cache *cache;
    struct cache_writer *writer;
};

static void pass_dir(struct walker *walker, int fd, struct span dir)
{
    struct looking *looking = walker->context;

    watch_dir(looking->watch, looking->number, fd, dir.at);
}

/* An entry that leads nowhere is shown as it is in a list of messages. */
static void note_problem(struct looking *looking, const struct found *found)
{
    struct watched_tree *tree = &looking->watch->trees[looking->number];
    struct place place = source_place(tree->source, found->rule, &found->names, found->dir);
    size_t first = tree->update.batch.count;

    watch_note(tree, found->dir, found->name);
    for (size_t i = 0; i < looking->dir_count; i++)
        if (span_eq(looking->dirs[i].dir, found->dir)) /* it has to be met again */
            looking->dirs[i].stamp = (struct stamp){0};
    struct message *message =
        reader_add_damaged(&tree->reader, &place, found->name, found->problem);
    message->unread_bytes = message->whole_folder = true;
    update_add(&tree->update, message->place, message->file, UPDATE_HOLDS, first);
}

static void add_met(struct looking *looking, const struct crew_file *file)
{
    looking->files =
        mem_grow(looking->files, &looking->cap, looking->count + 1, sizeof *looking->files);
    looking->files[looking->count++] = *file;
}

static void meet_file(struct walker *walker, const struct found *found)
{
    struct looking *looking = walker->context;
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
    struct crew_file file = {.place = looking->place,
                             .name = arena_copy(&looking->arena, found->name),
                             .listed = found->regular};
    if (known != CACHE_NONE)
        file.cached = cache_find(looking->cache, known, found->name);
    add_met(looking, &file);
}

static void note_listed(struct walker *walker, const struct found *dir)
{
    struct looking *looking = walker->context;

    if (!looking->writer)
        return;
    looking->dirs =
        mem_grow(looking->dirs, &looking->dir_cap, looking->dir_count + 1, sizeof *looking->dirs);
    looking->dirs[looking->dir_count++] =
        (struct cache_listed){arena_copy(&looking->arena, dir->dir), stamp_of_open(dir->fd)};
}

/* A directory that nobody has added to or taken from since its files were read is not listed, and
 * its files are not looked at before they are shown. It is watched by now. */
static bool recall_dir(struct walker *walker, const struct found *dir, struct span_list *beneath)
{
    struct looking *looking = walker->context;
    const struct watched_tree *tree = &looking->watch->trees[looking->number];
    uint32_t known = looking->cache ? cache_dir(looking->cache, dir->dir) : CACHE_NONE;
    struct stamp now = stamp_of_open(dir->fd);
    size_t count;

    if (known == CACHE_NONE || tree->polled || tree->source->format->keeping != KEEP_FILES ||
        !cache_dir_holds(looking->cache, known, &now))
        return false;
    struct place place = source_place(tree->source, dir->rule, &dir->names, dir->dir);
    looking->place = place_keep(&place, looking->place, &looking->arena);
    const struct cache_file *files = cache_files(looking->cache, known, &count);
    for (size_t i = 0; i < count; i++) {
        struct crew_file file = {.place = looking->place,
                                 .name = cache_name(looking->cache, &files[i]),
                                 .cached = &files[i],
                                 .trusted = true};
        add_met(looking, &file);
    }
    cache_dirs_beneath(looking->cache, dir->dir, beneath);
    return true;
}

/* Some that were met have been read. */
static void take_read(void *context, struct update *update, size_t first)
{
    struct looking *looking = context;
    struct watch *watch = looking->watch;
    struct watched_tree *tree = &watch->trees[looking->number];

    for (size_t i = 0; i < update->count; i++) {
        const struct crew_file *file = &looking->files[first + i];
        if (update->files[i].what != UPDATE_GONE)
            watch_note(tree, file->place->dir, file->name);
        if (update->files[i].what == UPDATE_KEPT)
            watch_dirty(watch, looking->number, file->place->dir, file->name,
                        when_steady() + file_pause_us(0));
    }
    update->looking = true;
    update->coming = looking->count;
    store_post(watch->store, &(struct news){.kind = NEWS_UPDATE, .update = *update});
}

static void read_met(struct looking *looking)
{
    const struct watched_tree *tree = &looking->watch->trees[looking->number];
    struct crew crew = {.source = tree->source,
                        .overlay = &tree->overlay,
                        .want = tree->reader.want,
                        .want_shared = tree->reader.want_shared,
                        .cache = looking->cache,
                        .writer = looking->writer,
                        .log = tree->reader.log,
                        .done = take_read,
                        .context = looking};

    if (looking->count)
        crew_read(&crew, looking->files, looking->count);
}

/* What was taken without a look is looked at, and read again if it has changed. */
static void check_met(struct looking *looking)
{
    const struct watched_tree *tree = &looking->watch->trees[looking->number];
    size_t *changed = mem_alloc((looking->count + 1) * sizeof *changed);
    size_t count = crew_check(tree->source, looking->files, looking->count, changed);

    for (size_t i = 0; i < count; i++) {
        const struct crew_file *file = &looking->files[changed[i]];
        watch_dirty(looking->watch, looking->number, file->place->dir, file->name, when_steady());
    }
    if (looking->count)
        log_add(looking->watch->store->log, "source %s: %zu files looked at twice, %zu had changed",
                tree->source->path, looking->count, count);
    free(changed);
}

static void looking_free(struct looking *looking)
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

/* Copies that are kept here are told as the files they came from. */
static void meet_copies(struct watched_tree *tree)
{
    struct batch *batch = &tree->update.batch;
    size_t first = batch->count;
    struct err ignored;

    if (!overlay_copies(&tree->overlay, (struct span){0}, (struct span){0}, (struct span){0},
                        tree->reader.want | tree->reader.want_shared, batch, &ignored)) {
        batch->count = first;
        tree->update.without_copies = true;
        tree->overlay_print = 0; /* another time: what is known is better than nothing */
    }
    if (batch->count == first)
        return;
    qsort(batch->items + first, batch->count - first, sizeof *batch->items, by_place);
    size_t end = batch->count;
    for (size_t i = first; i < end; i = batch->count) {
        batch->count = i + 1; /* as far as one file's messages go */
        while (batch->count < end && by_place(&batch->items[i], &batch->items[batch->count]) == 0)
            batch->count++;
        update_add(&tree->update, batch->items[i].place, batch->items[i].file, UPDATE_HOLDS, i);
    }
    batch->count = end;
}

static void end_look(struct watch *watch, uint32_t number, struct span dir)
{
    struct watched_tree *tree = &watch->trees[number];

    watch_let_go(watch, number, dir);
    if (tree->kind != TREE_MAIL)
        return;
    tree->update.sweep = true;
    tree->update.sweep_dir = arena_copy(&tree->update.batch.arena, dir);
    watch_tell(watch, tree);
    tree->update.looking = false;
}

static void start_look(struct watch *watch, uint32_t number, struct span dir)
{
    struct watched_tree *tree = &watch->trees[number];

    watch_unmeet(watch, number, dir);
    if (tree->kind != TREE_MAIL)
        return;
    watch_tell(watch, tree); /* what came before has nothing to do with the look */
    tree->update.looking = true;
}

static struct walker walker_of(struct looking *looking)
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

static void look(struct looking *looking)
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

void watch_look(struct watch *watch, uint32_t number)
{
    struct looking looking = {.watch = watch, .number = number};

    if (watch_is_gone(watch, number))
        return;
    start_look(watch, number, (struct span){"", 0});
    look(&looking);
    looking_free(&looking);
}

/* What a person saw first the last time is told first. The look itself meets it again. */
static void tell_foremost(struct watch *watch, uint32_t number)
{
    struct watched_tree *tree = &watch->trees[number];
    struct looking first = {.watch = watch, .number = number};
    struct walker walker = {.rules = tree->rules,
                            .rule_count = tree->rule_count,
                            .found = meet_file,
                            .context = &first};
    struct span_list parts = {0};
    char *bytes = NULL;

    if (tree->source->format->keeping == KEEP_FILES && tree->root >= 0)
        foremost_read(tree->source, &parts, &bytes);
    for (size_t i = 0; i < parts.count; i += 2)
        walk_entry(&walker, tree->root, parts.items[i], parts.items[i + 1]);
    read_met(&first);
    span_list_free(&parts);
    looking_free(&first);
    free(bytes);
}

struct looking *watch_look_first(struct watch *watch, uint32_t number)
{
    struct watched_tree *tree = &watch->trees[number];
    struct looking *looking = mem_zero(1, sizeof *looking);

    *looking = (struct looking){.watch = watch, .number = number};
    watch_is_gone(watch, number); /* there is nothing to keep yet */
    start_look(watch, number, (struct span){"", 0});
    if (tree->kind == TREE_MAIL &&
        !reader_wants(tree->source, tree->reader.want, tree->reader.want_shared)) {
        tell_foremost(watch, number);
        looking->cache = cache_open(tree->source, watch->store->log);
        if (!watch->store->readonly)
            looking->writer = cache_write_begin(tree->source, looking->cache);
    }
    look(looking);
    return looking;
}

void watch_look_twice(struct looking *looking)
{
    check_met(looking);
    cache_write_end(looking->writer, looking->files, looking->dirs, looking->dir_count,
                    looking->watch->store->log);
    looking_free(looking);
    free(looking);
}

void watch_look_at(struct watch *watch, uint32_t number, struct span dir, struct span name)
{
    struct watched_tree *tree = &watch->trees[number];
    struct looking looking = {.watch = watch, .number = number};
    struct walker walker = walker_of(&looking);
    struct str path = {0};
    bool was_gone = tree->gone;

    if (watch_is_gone(watch, number))
        return;
    if (was_gone && !tree->gone) {
        watch_look(watch, number);
        return;
    }
    str_add_path(&path, dir, name);
    start_look(watch, number, str_span(&path));
    if (tree->kind == TREE_MAIL) { /* it may have stood for something that led nowhere */
        struct place here =
            source_place(tree->source, &tree->rules[0], &(struct place_names){0}, dir);
        update_add(&tree->update, reader_place(&tree->reader, &here),
                   arena_copy(&tree->update.batch.arena, name), UPDATE_GONE,
                   tree->update.batch.count);
    }
    walk_entry(&walker, tree->root, dir, name);
    read_met(&looking);
    end_look(watch, number, str_span(&path));
    looking_free(&looking);
    if (tree->kind == TREE_KNOWN)
        watch->known_due_us = when_steady();
    str_free(&path);
}
