/* Watching: looking through a tree, each directory watched before it is looked at. */
#include "base/mem.h"
#include "store/watch_private.h"

#include <errno.h>
#include <stdlib.h>

/* An update is told when it has this many messages. */
enum { UPDATE_MESSAGES = 2048 };

struct looking {
    struct watch *watch;
    uint32_t number;
};

void watch_tell(struct watch *watch, struct tree *tree)
{
    struct update *update = &tree->update;
    bool looking = update->looking;

    if (!update->count && !update->sweep)
        return;
    update->source = tree->source->index;
    batch_finish(&update->batch);
    store_post(watch->store, &(struct news){.kind = NEWS_UPDATE, .update = *update});
    *update = (struct update){.looking = looking};
    reader_new_batch(&tree->reader);
}

static void pass_dir(struct walker *walker, int fd, struct span dir)
{
    struct looking *looking = walker->context;

    watch_dir(looking->watch, looking->number, fd, dir.at);
}

/* An entry that leads nowhere is shown as it is in a list of messages. */
static void note_problem(struct tree *tree, const struct found *found)
{
    struct place place = source_place(tree->source, found->rule, &found->names, found->dir);
    size_t first = tree->update.batch.count;

    watch_note(tree, found->dir, found->name);
    if (!place.box.at && place_tells_box(found->rule->pattern))
        place.box = found->name;
    struct message *message =
        reader_add_damaged(&tree->reader, &place, found->name, found->problem);
    message->unread_bytes = message->whole_folder = true;
    update_add(&tree->update, message->place, message->file, UPDATE_HOLDS, first);
}

static void meet_file(struct walker *walker, const struct found *found)
{
    struct looking *looking = walker->context;
    struct tree *tree = &looking->watch->trees[looking->number];

    if (tree->kind != TREE_MAIL)
        return;
    if (found->problem) {
        note_problem(tree, found);
        return;
    }
    struct place place = source_place(tree->source, found->rule, &found->names, found->dir);
    if (watch_read(looking->watch, tree, &place, found->fd, found->name, found->regular, false) ==
        FILE_CHANGED)
        watch_dirty(looking->watch, looking->number, found->dir, found->name,
                    when_steady() + file_pause_us(0));
    if (tree->update.batch.count >= UPDATE_MESSAGES)
        watch_tell(looking->watch, tree);
}

static int by_place(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    int order = span_cmp(x->place->dir, y->place->dir);

    return order ? order : span_cmp(x->file, y->file);
}

/* Copies that are kept here are told as the files they came from. */
static void meet_copies(struct tree *tree)
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
    struct tree *tree = &watch->trees[number];

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
    struct tree *tree = &watch->trees[number];

    watch_unmeet(watch, number, dir);
    if (tree->kind != TREE_MAIL)
        return;
    watch_tell(watch, tree); /* what came before has nothing to do with the look */
    tree->update.looking = true;
}

static struct walker walker_of(struct looking *looking)
{
    const struct tree *tree = &looking->watch->trees[looking->number];

    return (struct walker){.rules = tree->rules,
                           .rule_count = tree->rule_count,
                           .pass = pass_dir,
                           .found = meet_file,
                           .context = looking};
}

void watch_look(struct watch *watch, uint32_t number)
{
    struct tree *tree = &watch->trees[number];
    struct looking looking = {watch, number};
    struct walker walker = walker_of(&looking);
    struct err ignored;

    start_look(watch, number, (struct span){"", 0});
    if (!tree->lost && tree->root >= 0)
        walk_tree(&walker, tree->root, &ignored);
    if (tree->kind == TREE_MAIL)
        meet_copies(tree);
    end_look(watch, number, (struct span){"", 0});
}

void watch_look_at(struct watch *watch, uint32_t number, struct span dir, struct span name)
{
    struct tree *tree = &watch->trees[number];
    struct looking looking = {watch, number};
    struct walker walker = walker_of(&looking);
    struct str path = {0};

    str_add_span(&path, dir);
    str_puts(&path, dir.len ? "/" : "");
    str_add_span(&path, name);
    start_look(watch, number, str_span(&path));
    if (tree->kind == TREE_MAIL) { /* it may have stood for something that led nowhere */
        struct place here = {.source = tree->source->index, .root = tree->source->path, .dir = dir};
        update_add(&tree->update, reader_place(&tree->reader, &here),
                   arena_copy(&tree->update.batch.arena, name), UPDATE_GONE,
                   tree->update.batch.count);
    }
    walk_entry(&walker, tree->root, dir, name);
    end_look(watch, number, str_span(&path));
    if (tree->kind == TREE_KNOWN)
        watch->known_due_us = when_steady();
    str_free(&path);
}
