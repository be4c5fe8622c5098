/* Watching by looking every second: at trees that nobody tells about, and for roots that are gone.
 */
#include "base/file/confine.h"
#include "base/mem.h"
#include "store/scan/stamp.h"
#include "store/watch/watch_private.h"

#include <stdlib.h>

struct polled_file {
    struct span dir, name;
    struct file_id id;
    bool met, racy;
};

struct polling {
    struct watch *watch;
    uint32_t number;
    int64_t now_ns;
    bool first; /* nothing to compare with yet */
    bool changed;
};

static struct polled_file *file_of(struct watched_tree *tree, struct span dir, struct span name,
                                   bool *fresh)
{
    struct str key = {0};

    str_add_span(&key, dir);
    str_putc(&key, '/');
    str_add_span(&key, name);
    uint32_t *index = map_put_copy(&tree->file_names, &tree->file_arena, str_span(&key), fresh);
    if (*fresh) {
        *index = (uint32_t)tree->file_count;
        tree->files =
            mem_grow(tree->files, &tree->file_cap, tree->file_count + 1, sizeof *tree->files);
        tree->files[tree->file_count++] = (struct polled_file){
            .dir = arena_copy(&tree->file_arena, dir), .name = arena_copy(&tree->file_arena, name)};
    }
    str_free(&key);
    return &tree->files[*index];
}

void watch_note(struct watched_tree *tree, struct span dir, struct span name)
{
    bool fresh;

    if (tree->polled)
        file_of(tree, dir, name, &fresh);
}

static bool is_same(const struct file_id *a, const struct file_id *b)
{
    return file_is_same(a, b) && a->ctime_ns == b->ctime_ns && a->mode == b->mode;
}

static void meet_file(struct walker *walker, const struct found *found)
{
    struct polling *polling = walker->context;
    struct watched_tree *tree = &polling->watch->trees[polling->number];
    struct file_id id = {0};
    struct err ignored;
    bool fresh;

    file_look(found->fd, found->name.at, &id, &ignored);
    struct polled_file *file = file_of(tree, found->dir, found->name, &fresh);
    bool changed = fresh || file->racy || !is_same(&file->id, &id);
    file->met = true;
    file->id = id;
    /* it may change again without its times telling */
    file->racy = polling->now_ns - id.ctime_ns < STAMP_MARGIN_NS;
    if (!changed || polling->first)
        return;
    polling->changed = true;
    if (tree->kind == TREE_MAIL && found->problem)
        watch_look_at(polling->watch, polling->number, found->dir, found->name);
    else if (tree->kind == TREE_MAIL)
        watch_dirty(polling->watch, polling->number, found->dir, found->name, when_steady());
}

/* What was there at the last look and is not now. */
static void miss_files(struct polling *polling)
{
    struct watched_tree *tree = &polling->watch->trees[polling->number];
    struct watched_tree before = *tree;
    size_t missed = 0;

    for (size_t i = 0; i < tree->file_count; i++)
        missed += !tree->files[i].met;
    if (!missed)
        return;
    polling->changed = true;
    tree->files = NULL;
    tree->file_count = tree->file_cap = 0;
    tree->file_names = (struct map){0};
    tree->file_arena = (struct arena){0};
    for (size_t i = 0; i < before.file_count; i++) {
        const struct polled_file *file = &before.files[i];
        struct place_names names;
        bool fresh;
        if (file->met) {
            struct polled_file *kept = file_of(tree, file->dir, file->name, &fresh);
            kept->id = file->id;
            kept->racy = file->racy;
        } else if (tree->kind == TREE_MAIL) {
            if (place_find(tree->rules, tree->rule_count, file->dir, file->name, &names))
                watch_dirty(polling->watch, polling->number, file->dir, file->name, when_steady());
            else
                watch_look_at(polling->watch, polling->number, file->dir, file->name);
        }
    }
    free(before.files);
    map_free(&before.file_names);
    arena_free(&before.file_arena);
}

static void poll_tree(struct watch *watch, uint32_t number)
{
    struct watched_tree *tree = &watch->trees[number];
    struct polling polling = {
        .watch = watch, .number = number, .now_ns = when_now() * 1000, .first = !tree->looked_at};
    struct walker walker = {.rules = tree->rules,
                            .rule_count = tree->rule_count,
                            .found = meet_file,
                            .context = &polling};
    struct err ignored;

    if (watch_is_gone(watch, number))
        return;
    for (size_t i = 0; i < tree->file_count; i++)
        tree->files[i].met = false;
    if (tree->root >= 0)
        walk_tree(&walker, tree->root, &ignored);
    if (!tree->looked_at) {
        tree->looked_at = true;
        watch_look(watch, number); /* what changed before there was something to compare with */
        return;
    }
    miss_files(&polling);
    watch_lock(watch, tree);
    if (polling.changed && tree->kind == TREE_KNOWN)
        watch->known_due_us = when_steady();
    if (polling.changed && tree->kind == TREE_STATE)
        watch->state_due_us = when_steady();
}

/* Whether what lies beneath the root that was found may be read. If not it is lost, as before. */
static bool is_in_reach(struct watch *watch, struct watched_tree *tree)
{
    const struct confine *confine = watch->options.confine;
    bool told = tree->shut;

    tree->lost = tree->shut = confine && !confine_reaches(confine, tree->root);
    if (tree->shut && !told && tree->kind == TREE_MAIL)
        watch_tell_shut(watch, tree);
    return !tree->lost;
}

/* A root that is found: everything in it is new. */
static void look_for(struct watch *watch, uint32_t number)
{
    struct watched_tree *tree = &watch->trees[number];

    while (!watch_reopen(watch, tree))
        if (!watch_above(watch, number))
            return;
    if (tree->kind == TREE_COMING) {
        watch_tell_come(watch, tree);
        return;
    }
    if (!is_in_reach(watch, tree))
        return;
    watch_look(watch, number);
    if (tree->kind == TREE_KNOWN)
        watch->known_due_us = when_steady();
    if (tree->kind == TREE_STATE)
        watch->state_due_us = when_steady();
}

void watch_poll(struct watch *watch)
{
    bool again = false;

    for (uint32_t i = 0; i < watch->tree_count; i++) {
        struct watched_tree *tree = &watch->trees[i];
        if (tree->polled && !tree->lost)
            watch_check_root(watch, i);
        if (tree->lost)
            look_for(watch, i);
        else if (tree->polled)
            poll_tree(watch, i);
        again |= tree->polled || (tree->lost && (watch->fd < 0 || tree->kind == TREE_MAIL));
    }
    if (again)
        watch->poll_due_us = when_steady() + POLL_US;
}
