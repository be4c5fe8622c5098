/* Watching: which trees there are, and losing and finding their roots. */
#include "base/io_error.h"
#include "base/mem.h"
#include "store/source/filesystem.h"
#include "store/source/home.h"
#include "store/watch/watch_private.h"

#include <stdlib.h>
#include <unistd.h>

/* The directory above a root tells of its loss: a removed directory that is still open says nothing
 * about itself. Those further up tell when they move, and the last one that is there when there is
 * more of the way. */
bool watch_above(struct watch *watch, uint32_t number)
{
    const struct watched_tree *tree = &watch->trees[number];
    struct str next = {0};
    struct err ignored;
    bool there = false;
    int here = -1, fd;

    if (watch->fd < 0)
        return false;
    watch_unmeet(watch, number, (struct span){0});
    for (const char *end = tree->path; *end; end += *end == '/') {
        end += strcspn(end, "/");
        str_clear(&next);
        str_add(&next, tree->path, end == tree->path ? 1 : (size_t)(end - tree->path));
        there = file_open_root(str_c(&next), &fd, &ignored);
        if (!there && here >= 0) { /* it may come between the look and the watch */
            watch_dir_above(watch, number, here, ABOVE_NOTHING);
            there = file_open_root(str_c(&next), &fd, &ignored);
        } else if (here >= 0) {
            watch_dir_above(watch, number, here, *end ? ABOVE_FAR : ABOVE_ROOT);
        }
        if (here >= 0)
            close(here);
        here = there ? fd : -1;
        if (!there)
            break;
    }
    if (here >= 0)
        close(here);
    watch_let_go(watch, number, (struct span){0});
    str_free(&next);
    return there;
}

static struct watched_tree *add_tree(struct watch *watch, enum tree_kind kind,
                                     struct source *source, const char *path)
{
    watch->trees = mem_resize(watch->trees, watch->tree_count + 1, sizeof *watch->trees);
    struct watched_tree *tree = &watch->trees[watch->tree_count++];

    *tree =
        (struct watched_tree){.kind = kind, .source = source, .path = mem_strdup(path), .root = -1};
    return tree;
}

static void add_rule(struct watched_tree *tree, const char *pattern)
{
    if (pattern && tree->rule_count < TREE_RULES_MAX)
        tree->rules[tree->rule_count++] = (struct place_rule){pattern, false};
}

static void open_root(struct watched_tree *tree)
{
    struct err ignored;

    if (tree->kind == TREE_MAIL)
        tree->root = tree->source->root;
    else if (tree->kind == TREE_COMING)
        return; /* it is looked for */
    else if (!file_open_root(tree->path, &tree->root, &ignored)) {
        io_error_note_errno(tree->path);
        tree->root = -1;
    }
}

static void add_mail(struct watch *watch, struct source *source)
{
    struct watched_tree *tree = add_tree(watch, TREE_MAIL, source, source->path);

    for (size_t i = 0; i < source->format->rule_count && i < TREE_RULES_MAX; i++)
        tree->rules[tree->rule_count++] = source->format->rules[i];
    tree->reader = (struct reader){.source = source,
                                   .want = watch->options.want,
                                   .want_shared = watch->options.want_shared,
                                   .log = watch->store->log};
}

void watch_add_trees(struct watch *watch)
{
    struct store *store = watch->store;
    struct str state = {0};
    struct err err;

    for (size_t i = 0; i < store->source_count; i++)
        add_mail(watch, &store->sources[i]);
    for (size_t i = 0; i < store->source_count; i++) {
        struct source *source = &store->sources[i];
        if (source->roster_path)
            add_rule(add_tree(watch, TREE_KNOWN, source, source->roster_path),
                     source->format->roster_pattern);
        if (source->base_path)
            add_rule(add_tree(watch, TREE_KNOWN, source, source->base_path),
                     source->format->roster_pattern);
        if (source->format->task_pattern)
            add_rule(add_tree(watch, TREE_KNOWN, source, source->path),
                     source->format->task_pattern);
    }
    for (size_t i = 0; watch->options.keep_gone && i < store->coming.count; i++)
        add_tree(watch, TREE_COMING, NULL, store->coming.items[i].at);
    if (home_state(&state, false, &err)) {
        struct watched_tree *tree = add_tree(watch, TREE_STATE, NULL, str_c(&state));
        add_rule(tree, "state.db*");
    }
    str_free(&state);
    struct state *marks = store_state(store, !store->readonly, &err);
    if (!marks)
        io_error_note_err(&err);
    watch_tally(marks, watch->tally); /* before the marks: what changes between is seen again */
    for (uint32_t i = 0; i < watch->tree_count; i++) { /* they stay where they are now */
        struct watched_tree *tree = &watch->trees[i];
        open_root(tree);
        tree->lost = tree->root < 0; /* it may come */
        if (tree->lost)
            watch->poll_due_us = when_steady();
        tree->reader.batch = &tree->update.batch;
        const char *silent = filesystem_is_silent(tree->root);
        if (silent && tree->kind != TREE_STATE)
            watch_poll_instead(watch, tree, silent);
        if (tree->kind == TREE_MAIL) {
            if (!overlay_open(&tree->overlay, tree->source, marks, (struct span){0}, &err))
                io_error_note_err(&err);
            tree->overlay_print = overlay_print(&tree->overlay);
        }
        watch_above(watch, i);
    }
}

void watch_free_tree(struct watched_tree *tree)
{
    if (tree->kind != TREE_MAIL && tree->root >= 0)
        close(tree->root);
    overlay_free(&tree->overlay);
    reader_free(&tree->reader);
    update_free(&tree->update);
    free(tree->path);
    free(tree->files);
    map_free(&tree->file_names);
    arena_free(&tree->file_arena);
}

bool watch_reopen(struct watch *watch, struct watched_tree *tree)
{
    struct err ignored;
    int fd;

    if (!file_open_root(tree->path, &fd, &ignored))
        return false;
    if (tree->root >= 0)
        close(tree->root);
    tree->root = fd;
    if (tree->kind == TREE_MAIL)
        tree->source->root = fd;
    tree->lost = false;
    watch_above(watch, (uint32_t)(tree - watch->trees));
    return true;
}
