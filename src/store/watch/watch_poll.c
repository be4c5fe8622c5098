/* Polling, and sources that vanish and return.
 *
 * A source is gone if its root, or the directory in it that holds all teams or boxes, does not
 * exist or cannot be read. Removing a tree removes the messages in it first, so with keep_gone
 * nothing that vanishes is reported before it is known whether the source still exists. */
#include "base/file/landlock.h"
#include "base/mem.h"
#include "store/scan/file_list.h"
#include "store/watch/watch_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Vanished files are reported after a quiet time of VANISH_QUIET_US, at the latest VANISH_MOST_US
 * after the first one. */
#define VANISH_QUIET_US INT64_C(100000)
#define VANISH_MOST_US INT64_C(2000000)

/* Appends the directory that holds the boxes: "teams" for "teams/{team}/inboxes/{box}.json"; "." if
 * it is the root. */
static void add_holder(struct str *out, const struct watched_tree *tree)
{
    const char *pattern = tree->rules[0].pattern;

    for (unsigned depth = 0; !place_is_last(pattern, depth); depth++) {
        struct span name = place_component(pattern, depth);
        if (memchr(name.at, '{', name.len) || memchr(name.at, '*', name.len))
            break;
        if (out->len)
            str_putc(out, '/');
        str_add_span(out, name);
    }
    if (!out->len)
        str_putc(out, '.');
}

/* Returns 0, or the errno that says why the directory cannot be read. */
static int problem_of(const struct watched_tree *tree)
{
    CLEANUP(str_free) struct str holder = {0};

    if (tree->lost || tree->root < 0)
        return ENOENT;
    add_holder(&holder, tree);
    int fd = file_open_beneath(tree->root, str_c(&holder), O_RDONLY | O_DIRECTORY);
    int problem = fd < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    return problem;
}

static void report_source(struct watch *watch, const struct watched_tree *tree, const char *what,
                          bool gone)
{
    CLEANUP(str_free) struct str text = {0};

    str_addf(&text, "%s %s", tree->path, what);
    log_add(watch->store->log, "watch: %s", str_c(&text));
    store_post(watch->store,
               &(struct news){.kind = NEWS_SOURCE,
                              .source = tree->source ? tree->source->index : UINT32_MAX,
                              .text = mem_strdup(str_c(&text)),
                              .gone = gone,
                              .reopen = tree->shut || !tree->source});
}

bool watch_is_gone(struct watch *watch, uint32_t number)
{
    struct watched_tree *tree = &watch->trees[number];
    CLEANUP(str_free) struct str what = {0};

    if (tree->kind != TREE_MAIL)
        return false;
    int problem = problem_of(tree);
    bool gone = problem && tree->seen;
    tree->seen |= !problem;
    if (gone != tree->gone) {
        tree->gone = gone;
        if (gone && (problem == ENOENT || problem == ENOTDIR))
            str_puts(&what, "is gone");
        else if (gone)
            str_addf(&what, "cannot be read any more: %s", strerror(problem));
        else
            str_puts(&what, "is back");
        report_source(watch, tree, str_c(&what), gone);
    }
    return gone && watch->options.keep_gone;
}

bool watch_hold_vanished(struct watch *watch, uint32_t number)
{
    int64_t now_us = time_steady();

    if (!watch->options.keep_gone || watch->trees[number].kind != TREE_MAIL)
        return false;
    if (watch->vanish_due_us == TIME_NONE)
        watch->vanish_first_us = now_us;
    int64_t most_us = watch->vanish_first_us + VANISH_MOST_US;
    watch->vanish_due_us = now_us + VANISH_QUIET_US < most_us ? now_us + VANISH_QUIET_US : most_us;
    return true;
}

void watch_hold_dir(struct watch *watch, uint32_t number, struct span dir, struct span name)
{
    CLEANUP(str_free) struct str text = {0};

    struct vanished_dir *vanished =
        mem_push(watch->vanished, watch->vanished_count, watch->vanished_cap);
    str_add_span(&text, dir);
    *vanished = (struct vanished_dir){.tree = number, .dir = mem_strdup(str_c(&text))};
    str_clear(&text);
    str_add_span(&text, name);
    vanished->name = mem_strdup(str_c(&text));
}

void watch_free_vanished(struct watch *watch)
{
    for (size_t i = 0; i < watch->vanished_count; i++) {
        free(watch->vanished[i].dir);
        free(watch->vanished[i].name);
    }
    free(watch->vanished);
    watch->vanished = NULL;
    watch->vanished_count = watch->vanished_cap = 0;
}

void watch_work_vanished(struct watch *watch)
{
    struct watch before = *watch;

    if (watch->vanish_due_us == TIME_NONE || watch->vanish_due_us > time_steady())
        return;
    watch->vanish_due_us = TIME_NONE;
    watch->vanished = NULL;
    watch->vanished_count = watch->vanished_cap = 0;
    for (size_t i = 0; i < before.vanished_count; i++)
        watch_look_at(watch, before.vanished[i].tree, span_of(before.vanished[i].dir),
                      span_of(before.vanished[i].name));
    watch_free_vanished(&before);
}

/* Reports that the root was replaced by a directory that the sandbox does not allow us to read. */
static void watch_tell_shut(struct watch *watch, struct watched_tree *tree)
{
    report_source(watch, tree, "was made anew, and the screens are confined to what was there",
                  true);
}

/* Reports that a place where mailboxes are looked for now exists. */
static void watch_tell_come(struct watch *watch, struct watched_tree *tree)
{
    if (tree->seen)
        return;
    tree->seen = true;
    report_source(watch, tree, "has come", false);
}

/* Polling: trees without events, and lost roots. */

struct polled_file {
    struct span dir, name;
    struct file_id id;
    bool met, racy;
};

struct polling {
    struct watch *watch;
    uint32_t number;
    int64_t now_ns;
    bool first; /* there is nothing to compare with yet */
    bool changed;
};

static struct polled_file *file_of(struct watched_tree *tree, struct span dir, struct span name,
                                   bool *fresh)
{
    CLEANUP(str_free) struct str key = {0};

    str_add_span(&key, dir);
    str_putc(&key, '/');
    str_add_span(&key, name);
    uint32_t *index = map_put_copy(&tree->file_names, &tree->file_arena, str_span(&key), fresh);
    if (*fresh) {
        *index = (uint32_t)tree->file_count;
        *mem_push(tree->files, tree->file_count, tree->file_cap) = (struct polled_file){
            .dir = arena_copy(&tree->file_arena, dir), .name = arena_copy(&tree->file_arena, name)};
    }
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
    bool fresh;

    file_stat(found->fd, found->name.at, &id, NULL);
    struct polled_file *file = file_of(tree, found->dir, found->name, &fresh);
    bool changed = fresh || file->racy || !is_same(&file->id, &id);
    file->met = true;
    file->id = id;
    /* it may change again with the same times */
    file->racy = polling->now_ns - id.ctime_ns < FILE_STAMP_MARGIN_NS;
    if (!changed || polling->first)
        return;
    polling->changed = true;
    if (tree->kind == TREE_MAIL && found->problem)
        watch_look_at(polling->watch, polling->number, found->dir, found->name);
    else if (tree->kind == TREE_MAIL)
        watch_dirty(polling->watch, polling->number, found->dir, found->name, time_steady());
}

/* Handles the files that the last scan found and this one did not. */
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
                watch_dirty(polling->watch, polling->number, file->dir, file->name, time_steady());
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
        .watch = watch, .number = number, .now_ns = time_now() * 1000, .first = !tree->looked_at};
    struct walker walker = {.rules = tree->rules,
                            .rule_count = tree->rule_count,
                            .found = meet_file,
                            .context = &polling};

    if (watch_is_gone(watch, number))
        return;
    for (size_t i = 0; i < tree->file_count; i++)
        tree->files[i].met = false;
    if (tree->root >= 0)
        walk_tree(&walker, tree->root, NULL);
    if (!tree->looked_at) {
        tree->looked_at = true;
        watch_look(watch, number); /* finds what changed before the first poll */
        return;
    }
    miss_files(&polling);
    watch_lock(watch, tree);
    if (polling.changed && tree->kind == TREE_KNOWN)
        watch->known_due_us = time_steady();
    if (polling.changed && tree->kind == TREE_STATE)
        watch->state_due_us = time_steady();
}

/* Returns true if the sandbox allows us to read the root that was found. If not, the tree stays
 * lost. */
static bool is_in_reach(struct watch *watch, struct watched_tree *tree)
{
    const struct confine *confine = watch->options.confine;
    bool told = tree->shut;

    tree->lost = tree->shut = confine && !landlock_reaches(confine, tree->root);
    if (tree->shut && !told && tree->kind == TREE_MAIL)
        watch_tell_shut(watch, tree);
    return !tree->lost;
}

/* Looks for a lost root. If it exists, everything in it counts as new. */
static void style_for(struct watch *watch, uint32_t number)
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
        watch->known_due_us = time_steady();
    if (tree->kind == TREE_STATE)
        watch->state_due_us = time_steady();
}

void watch_poll(struct watch *watch)
{
    bool again = false;

    for (uint32_t i = 0; i < watch->tree_count; i++) {
        struct watched_tree *tree = &watch->trees[i];
        if (tree->polled && !tree->lost)
            watch_check_root(watch, i);
        if (tree->lost)
            style_for(watch, i);
        else if (tree->polled)
            poll_tree(watch, i);
        again |= tree->polled || (tree->lost && (watch->fd < 0 || tree->kind == TREE_MAIL));
    }
    if (again)
        watch->poll_due_us = time_steady() + POLL_US;
}
