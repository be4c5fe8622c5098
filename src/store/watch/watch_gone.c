/* Watching: sources that are gone, and come back.
 *
 * A source is gone when its root, or the directory in it that holds all teams or boxes, is not
 * there or cannot be read. Who removes a tree removes the messages in it first, so with keep_gone
 * nothing that vanishes is told before it is known whether the source is still there. */
#include "base/mem.h"
#include "store/watch/watch_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* No more vanishes for that long, or it has gone on for this long. */
#define VANISH_QUIET_US INT64_C(100000)
#define VANISH_MOST_US INT64_C(2000000)

/* "teams" of "teams/{team}/inboxes/{box}.json"; "." where the root holds the boxes. */
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

/* 0, or why it cannot be read. */
static int problem_of(const struct watched_tree *tree)
{
    struct str holder = {0};

    if (tree->lost || tree->root < 0)
        return ENOENT;
    add_holder(&holder, tree);
    int fd = file_open_beneath(tree->root, str_c(&holder), O_RDONLY | O_DIRECTORY);
    int problem = fd < 0 ? errno : 0;
    if (fd >= 0)
        close(fd);
    str_free(&holder);
    return problem;
}

static void tell(struct watch *watch, const struct watched_tree *tree, const char *what, bool gone)
{
    struct str text = {0};

    str_addf(&text, "%s %s", tree->path, what);
    log_add(watch->store->log, "watch: %s", str_c(&text));
    store_post(watch->store,
               &(struct news){.kind = NEWS_SOURCE,
                              .source = tree->source ? tree->source->index : UINT32_MAX,
                              .text = mem_strdup(str_c(&text)),
                              .gone = gone,
                              .reopen = tree->shut || !tree->source});
    str_free(&text);
}

bool watch_is_gone(struct watch *watch, uint32_t number)
{
    struct watched_tree *tree = &watch->trees[number];
    struct str what = {0};

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
        tell(watch, tree, str_c(&what), gone);
        str_free(&what);
    }
    return gone && watch->options.keep_gone;
}

bool watch_hold_vanished(struct watch *watch, uint32_t number)
{
    int64_t now_us = when_steady();

    if (!watch->options.keep_gone || watch->trees[number].kind != TREE_MAIL)
        return false;
    if (watch->vanish_due_us == WHEN_NONE)
        watch->vanish_first_us = now_us;
    int64_t most_us = watch->vanish_first_us + VANISH_MOST_US;
    watch->vanish_due_us = now_us + VANISH_QUIET_US < most_us ? now_us + VANISH_QUIET_US : most_us;
    return true;
}

void watch_hold_dir(struct watch *watch, uint32_t number, struct span dir, struct span name)
{
    struct str text = {0};

    watch->vanished = mem_grow(watch->vanished, &watch->vanished_cap, watch->vanished_count + 1,
                               sizeof *watch->vanished);
    struct vanished_dir *vanished = &watch->vanished[watch->vanished_count++];
    str_add_span(&text, dir);
    *vanished = (struct vanished_dir){.tree = number, .dir = mem_strdup(str_c(&text))};
    str_clear(&text);
    str_add_span(&text, name);
    vanished->name = mem_strdup(str_c(&text));
    str_free(&text);
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

    if (watch->vanish_due_us == WHEN_NONE || watch->vanish_due_us > when_steady())
        return;
    watch->vanish_due_us = WHEN_NONE;
    watch->vanished = NULL;
    watch->vanished_count = watch->vanished_cap = 0;
    for (size_t i = 0; i < before.vanished_count; i++)
        watch_look_at(watch, before.vanished[i].tree, span_of(before.vanished[i].dir),
                      span_of(before.vanished[i].name));
    watch_free_vanished(&before);
}

void watch_tell_shut(struct watch *watch, struct watched_tree *tree)
{
    tell(watch, tree, "was made anew, and the screens are confined to what was there", true);
}

void watch_tell_come(struct watch *watch, struct watched_tree *tree)
{
    if (tree->seen)
        return;
    tree->seen = true;
    tell(watch, tree, "has come", false);
}
