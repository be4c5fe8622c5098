/* The events of the kernel, and the work that is due by the clock. */
#include "store/watch/watch.h"

#include "base/file/file.h"
#include "base/file/landlock.h"
#include "base/io_error.h"
#include "base/mem.h"
#include "store/scan/file_list.h"
#include "store/send/inbox_lock.h"
#include "store/source/agent_directory.h"
#include "store/source/network_fs.h"
#include "store/source/our_paths.h"
#include "store/watch/watch_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

/* Polling, and sources that vanish and return.
 *
 * A source is gone if its root, or the directory in it that holds all teams or boxes, does not
 * exist or cannot be read. Removing a tree removes the messages in it first, so with keep_gone
 * nothing that vanishes is reported before it is known whether the source still exists. Stores that
 * do not watch check for themselves: source_is_there() before a decision, source_follow() before
 * each job. */

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
    watch->post(watch->context,
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

static void watch_hold_dir(struct watch *watch, uint32_t number, struct span dir, struct span name)
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

static void watch_free_vanished(struct watch *watch)
{
    for (size_t i = 0; i < watch->vanished_count; i++) {
        free(watch->vanished[i].dir);
        free(watch->vanished[i].name);
    }
    free(watch->vanished);
    watch->vanished = NULL;
    watch->vanished_count = watch->vanished_cap = 0;
}

/* Scans the directories that have vanished, if it is time. */
static void watch_work_vanished(struct watch *watch)
{
    struct watch before = *watch;

    if (watch->vanish_due_us == TIME_NONE || watch->vanish_due_us > time_steady())
        return;
    watch->vanish_due_us = TIME_NONE;
    watch->vanished = NULL;
    watch->vanished_count = watch->vanished_cap = 0;
    for (size_t i = 0; i < before.vanished_count; i++)
        watch_scan_folder(watch, before.vanished[i].tree, span_of(before.vanished[i].dir),
                          span_of(before.vanished[i].name));
    watch_free_vanished(&before);
}

/* Reports that the root was replaced by a directory that the sandbox does not allow us to read. */
static void watch_report_shut(struct watch *watch, struct watched_tree *tree)
{
    report_source(watch, tree, "was made anew, and the screens are confined to what was there",
                  true);
}

/* Reports that a place where mailboxes are looked for now exists. */
static void watch_report_come(struct watch *watch, struct watched_tree *tree)
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
        watch_scan_folder(polling->watch, polling->number, found->dir, found->name);
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
                watch_scan_folder(polling->watch, polling->number, file->dir, file->name);
        }
    }
    free(before.files);
    map_free(&before.file_names);
    arena_free(&before.file_arena);
}

static void watch_check_root(struct watch *watch, uint32_t tree);

/* A directory above the root reports its loss, because a removed directory that is still open
 * reports nothing about itself. Directories further up report their own moves, and the last
 * existing one reports when the next component of the path appears. */
static bool watch_above(struct watch *watch, uint32_t number)
{
    const struct watched_tree *tree = &watch->trees[number];
    CLEANUP(str_free) struct str next = {0};
    bool there = false;
    int here = -1, fd;

    if (watch->fd < 0)
        return false;
    watch_unmeet(watch, number, (struct span){0});
    for (const char *end = tree->path; *end; end += *end == '/') {
        end += strcspn(end, "/");
        str_clear(&next);
        str_add(&next, tree->path, end == tree->path ? 1 : (size_t)(end - tree->path));
        there = file_open_root(str_c(&next), &fd, NULL);
        if (!there && here >= 0) { /* it may appear between the check and the watch */
            watch_dir_above(watch, number, here, ABOVE_NOTHING);
            there = file_open_root(str_c(&next), &fd, NULL);
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
    watch_release(watch, number, (struct span){0});
    return there;
}

/* Opens the root again; returns false if it does not exist. */
static bool watch_reopen(struct watch *watch, struct watched_tree *tree)
{
    int fd;

    if (!file_open_root(tree->path, &fd, NULL))
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

/* A lock exists, or may exist. Makes a check for abandoned locks due. */
static void watch_lock(struct watch *watch, const struct watched_tree *tree)
{
    if (tree->kind == TREE_MAIL && tree->source->format->storage == STORAGE_ARRAY &&
        watch->locks_due_us == TIME_NONE && !watch->store->readonly)
        watch->locks_due_us = time_steady() + LOCK_LEFT_US;
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
        watch_scan(watch, number); /* finds what changed before the first poll */
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
        watch_report_shut(watch, tree);
    return !tree->lost;
}

/* Looks for a lost root. If it exists, everything in it counts as new. */
static void scan_found_root(struct watch *watch, uint32_t number)
{
    struct watched_tree *tree = &watch->trees[number];

    while (!watch_reopen(watch, tree))
        if (!watch_above(watch, number))
            return;
    if (tree->kind == TREE_COMING) {
        watch_report_come(watch, tree);
        return;
    }
    if (!is_in_reach(watch, tree))
        return;
    watch_scan(watch, number);
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
            scan_found_root(watch, i);
        else if (tree->polled)
            poll_tree(watch, i);
        again |= tree->polled || (tree->lost && (watch->fd < 0 || tree->kind == TREE_MAIL));
    }
    if (again)
        watch->poll_due_us = time_steady() + POLL_US;
}

/* Our local state: counters say what was changed, and only that is read again. */

enum { TALLY_UNKNOWN = -1 };

/* Reads the change counters of the local state: zeros if there is no state, and TALLY_UNKNOWN,
 * which counts as changed, if they cannot be read. */
static void watch_tally(struct state *state, int64_t tally[TALLY_COUNT])
{
    memset(tally, 0, TALLY_COUNT * sizeof *tally);
    if (state && !state_tally(state, tally, NULL))
        for (int i = 0; i < TALLY_COUNT; i++)
            tally[i] = TALLY_UNKNOWN;
}

/* Reads the local marks again after a change by any process. Returns false if some could not be
 * read. */
static bool check_marks(struct watch *watch, struct state *state, bool changed)
{
    struct err ignored;
    bool all = true;

    for (uint32_t i = 0; i < watch->tree_count; i++) {
        struct watched_tree *tree = &watch->trees[i];
        struct local_marks now;
        if (tree->kind != TREE_MAIL || (!changed && tree->local_marks_print))
            continue;
        if (!local_marks_open(&now, tree->source, state, (struct span){0}, &ignored)) {
            all = false; /* retry later and keep the known marks */
            continue;
        }
        local_marks_free(&tree->overlay);
        tree->overlay = now;
        uint64_t print = local_marks_print(&now);
        bool differs = print != tree->local_marks_print;
        tree->local_marks_print = print;
        if (differs)
            watch_scan(watch, i);
    }
    return all;
}

/* Handles a change of the files of the state. */
static void watch_check_state(struct watch *watch)
{
    struct err ignored;
    struct state *state = store_state(watch->store, false, &ignored);
    int64_t tally[TALLY_COUNT];
    bool changed[TALLY_COUNT];

    watch_tally(state, tally);
    for (int i = 0; i < TALLY_COUNT; i++)
        changed[i] = tally[i] != watch->tally[i] || tally[i] == TALLY_UNKNOWN;
    memcpy(watch->tally, tally, sizeof tally);
    if (!check_marks(watch, state, changed[TALLY_MAIL]))
        watch->tally[TALLY_MAIL] = TALLY_UNKNOWN;
    if (changed[TALLY_OUTBOX])
        watch->known_due_us = time_steady();
    if (changed[TALLY_KEPT])
        watch->post(watch->context, &(struct news){.kind = NEWS_KEPT});
}

/* The trees, and losing and finding their roots. */

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
    if (tree->kind == TREE_MAIL)
        tree->root = tree->source->root;
    else if (tree->kind == TREE_COMING)
        return; /* watch_poll() looks for it */
    else if (!file_open_root(tree->path, &tree->root, NULL)) {
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

/* Adds all trees. */
static void watch_add_trees(struct watch *watch)
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
    watch_tally(marks, watch->tally); /* before the marks, to notice changes in between */
    for (uint32_t i = 0; i < watch->tree_count; i++) { /* they do not move from here on */
        struct watched_tree *tree = &watch->trees[i];
        open_root(tree);
        tree->lost = tree->root < 0; /* it may appear later */
        if (tree->lost)
            watch->poll_due_us = time_steady();
        tree->reader.batch = &tree->update.batch;
        const char *silent = filesystem_is_silent(tree->root);
        if (silent && tree->kind != TREE_STATE)
            watch_poll_instead(watch, tree, silent);
        if (tree->kind == TREE_MAIL) {
            if (!local_marks_open(&tree->overlay, tree->source, marks, (struct span){0}, &err))
                io_error_note_err(&err);
            tree->local_marks_print = local_marks_print(&tree->overlay);
        }
        watch_above(watch, i);
    }
}

static void watch_free_tree(struct watched_tree *tree)
{
    if (tree->kind != TREE_MAIL && tree->root >= 0)
        close(tree->root);
    local_marks_free(&tree->overlay);
    reader_free(&tree->reader);
    update_free(&tree->update);
    free(tree->path);
    free(tree->files);
    map_free(&tree->file_names);
    arena_free(&tree->file_arena);
}

/* Changes in quick succession to data about agents or to our marks are handled together. */
#define KNOWN_DELAY_US INT64_C(50000)
#define STATE_DELAY_US INT64_C(100000)
/* The kernel reports when the state is written, not when it can be read, which is later on a slow
 * disk. So it is read a few times more. */
static const int64_t state_again_us[] = {400000, 1500000, 5000000};
enum { STATE_AGAIN = sizeof state_again_us / sizeof *state_again_us };

/* A file is being written in place. Most writers finish within this time, and closing it is
 * reported at once. */
#define MODIFY_DELAY_US INT64_C(30000)

/* Removes the locks of killed processes, which keep agents out. */
static void clear_locks(struct watch *watch)
{
    for (size_t i = 0; i < watch->tree_count; i++) {
        const struct watched_tree *tree = &watch->trees[i];
        if (tree->kind == TREE_MAIL && !tree->lost && lock_clear_left(tree->source))
            watch_lock(watch, tree);
    }
}

/* Handles a change of a name in a directory of a tree. */
static void take_change(struct watch *watch, uint32_t number, const char *dir, struct span name,
                        uint32_t mask)
{
    struct watched_tree *tree = &watch->trees[number];
    struct span where = span_of(dir);
    struct place_names names;
    int64_t now_us = time_steady();

    if (tree->kind == TREE_STATE) {
        if (!span_starts(name, span_of("state.db")))
            return;
        time_min(&watch->state_due_us, now_us + STATE_DELAY_US);
        watch->state_looks = 0;
        return;
    }
    if (mask & ~(uint32_t)IN_MODIFY && place_leads(tree->rules, tree->rule_count, where, name)) {
        if (mask & (IN_DELETE | IN_MOVED_FROM) && watch_hold_vanished(watch, number))
            watch_hold_dir(watch, number, where, name);
        else
            watch_scan_folder(watch, number, where, name);
    }
    if (mask & (IN_CREATE | IN_MOVED_TO) && lock_is_name(name))
        watch_lock(watch, tree);
    if (!place_find(tree->rules, tree->rule_count, where, name, &names))
        return;
    if (tree->kind == TREE_KNOWN)
        time_min(&watch->known_due_us, now_us + KNOWN_DELAY_US);
    else
        watch_dirty(watch, number, where, name,
                    mask & IN_MODIFY ? now_us + MODIFY_DELAY_US : now_us);
}

static void lose_tree(struct watch *watch, uint32_t number)
{
    struct watched_tree *tree = &watch->trees[number];

    tree->lost = true;
    watch_scan(watch, number); /* finds nothing and reports that */
    if (tree->kind == TREE_KNOWN)
        time_min(&watch->known_due_us, time_steady());
    time_min(&watch->poll_due_us, time_steady()); /* a new root may already exist */
}

/* Returns false if the root cannot be listed any more, which counts as lost. */
static bool can_be_listed(const struct watched_tree *tree)
{
    int fd = tree->kind == TREE_MAIL
                 ? retry_open(tree->root, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0)
                 : -1;

    if (fd >= 0)
        close(fd);
    return fd >= 0 || tree->kind != TREE_MAIL;
}

/* Checks whether the root's path still leads to it, and marks the tree as lost if not. Makes a lost
 * tree due for a search. */
static void watch_check_root(struct watch *watch, uint32_t number)
{
    const struct watched_tree *tree = &watch->trees[number];
    struct stat opened, named;

    if (tree->lost)
        time_min(&watch->poll_due_us, time_steady());
    else if (fstat(tree->root, &opened) != 0 || stat(tree->path, &named) != 0 ||
             opened.st_dev != named.st_dev || opened.st_ino != named.st_ino || !can_be_listed(tree))
        lose_tree(watch, number);
}

/* Returns true if an event in a directory above the root may concern it. A directory's own moves
 * have no name. */
static bool is_on_the_way(const struct watched_tree *tree, struct span name)
{
    for (const char *at = tree->path; *at; at += *at == '/') {
        size_t len = strcspn(at, "/");
        if (!name.len || span_eq(name, (struct span){at, len}))
            return true;
        at += len;
    }
    return false;
}

static void take_event(struct watch *watch, const struct inotify_event *event)
{
    struct span name = event->len ? span_of(event->name) : (struct span){"", 0};

    if (event->mask & IN_Q_OVERFLOW) {
        watch->overflow = true;
        return;
    }
    /* handling an event may add and remove entries */
    for (uint32_t number = 0; number < watch->tree_count; number++) {
        for (size_t i = watch_find(watch, event->wd);
             i < watch->dir_count && watch->dirs[i].wd == event->wd; i++) {
            const struct watched_dir *entry = &watch->dirs[i];
            if (entry->tree != number)
                continue;
            if (event->mask & IN_IGNORED) {
                bool above = !entry->dir;
                free(watch->dirs[i].dir);
                memmove(&watch->dirs[i], &watch->dirs[i + 1],
                        (--watch->dir_count - i) * sizeof *watch->dirs);
                if (above)
                    watch_check_root(watch, number);
            } else if (!entry->dir) {
                if (is_on_the_way(&watch->trees[number], name))
                    watch_check_root(watch, number);
            } else if (event->mask & (IN_MOVE_SELF | IN_ATTRIB) && !name.len && !entry->dir[0]) {
                watch_check_root(watch, number);
            } else if (name.len) {
                CLEANUP(mem_free) char *dir = mem_strdup(entry->dir);
                take_change(watch, number, dir, name, event->mask);
            }
            break;
        }
    }
}

/* Reads all pending events, because the kernel's queue is short. */
static void drain_inotify(struct watch *watch)
{
    static const size_t room = 65536;
    CLEANUP(mem_free) char *buffer = mem_alloc(room);
    ssize_t got;

    while (watch->fd >= 0 && (got = read(watch->fd, buffer, room)) > 0) {
        for (char *at = buffer; at < buffer + got;) {
            const struct inotify_event *event = (const struct inotify_event *)(void *)at;
            at += sizeof *event + event->len;
            if (!watch->overflow) /* else everything is scanned anyway */
                take_event(watch, event);
        }
    }
}

static void check_everything(struct watch *watch)
{
    log_add(watch->store->log, "watch: the queue ran over; everything is looked at again");
    for (uint32_t i = 0; i < watch->tree_count; i++) {
        watch_check_root(watch, i);
        watch_scan(watch, i);
    }
    time_min(&watch->known_due_us, time_steady());
    time_min(&watch->state_due_us, time_steady());
}

void watch_report(struct watch *watch, struct watched_tree *tree)
{
    struct update *update = &tree->update;
    bool looking = update->looking;

    if (!update->count && !update->sweep)
        return;
    update->source = tree->source->index;
    batch_finish(&update->batch);
    watch->post(watch->context, &(struct news){.kind = NEWS_UPDATE, .update = *update});
    *update = (struct update){.looking = looking};
    reader_new_batch(&tree->reader);
}

/* Reports the data about agents other than messages. */
static void report_known(struct watch *watch)
{
    struct news news = {.kind = NEWS_KNOWN};
    struct err err;

    if (!watch->options.config)
        return;
    news.world = mem_zero(1, sizeof *news.world);
    if (!store_agents(watch->store, watch->options.config, news.world, &err)) {
        log_add(watch->store->log, "watch: %s", err.text);
        news_free(&news); /* the receiver keeps the data it has */
        return;
    }
    watch->post(watch->context, &news);
}

static bool is_due(int64_t *due_us)
{
    if (*due_us == TIME_NONE || *due_us > time_steady())
        return false;
    *due_us = TIME_NONE;
    return true;
}

void watch_work(struct watch *watch)
{
    drain_inotify(watch);
    if (watch->overflow) {
        watch->overflow = false;
        check_everything(watch);
    }
    watch_read_dirty(watch);
    watch_work_vanished(watch);
    if (is_due(&watch->state_due_us)) {
        watch_check_state(watch);
        if (watch->state_looks < STATE_AGAIN)
            watch->state_due_us = time_steady() + state_again_us[watch->state_looks++];
    }
    if (is_due(&watch->poll_due_us))
        watch_poll(watch);
    if (is_due(&watch->locks_due_us))
        clear_locks(watch);
    if (is_due(&watch->known_due_us))
        report_known(watch);
}

int watch_fd(const struct watch *watch)
{
    return watch->fd;
}

int watch_timeout_ms(const struct watch *watch)
{
    int64_t due_us = TIME_NONE;
    const int64_t dues[] = {watch->known_due_us, watch->state_due_us, watch->poll_due_us,
                            watch->vanish_due_us, watch->locks_due_us};

    for (size_t i = 0; i < sizeof dues / sizeof *dues; i++)
        if (dues[i] != TIME_NONE)
            time_min(&due_us, dues[i]);
    for (size_t i = 0; watch->dirty_live && i < watch->dirty_count; i++)
        if (watch->dirty[i].name)
            time_min(&due_us, watch->dirty[i].due_us);
    return due_us == TIME_NONE ? -1 : time_poll_ms(due_us - time_steady());
}

static const char *why_untold(int failed)
{
    return failed == EMFILE ? "there are no more inotify instances; raise "
                              "fs.inotify.max_user_instances"
                            : strerror(failed);
}

struct watch *watch_start(struct store *store, const struct watch_options *options,
                          void (*post)(void *context, const struct news *news), void *context)
{
    struct watch *watch = mem_zero(1, sizeof *watch);

    watch->store = store;
    watch->options = *options;
    watch->post = post;
    watch->context = context;
    watch->known_due_us = watch->state_due_us = watch->poll_due_us = watch->vanish_due_us =
        TIME_NONE;
    watch->locks_due_us = store->readonly ? TIME_NONE : time_steady();
    watch->fd = options->poll ? -1 : inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    int failed = errno;
    watch_add_trees(watch);
    CLEANUP(mem_free)
    struct watched_read **readings = mem_zero(watch->tree_count + 1, sizeof(struct watched_read *));
    for (uint32_t i = 0; i < watch->tree_count; i++) {
        struct watched_tree *tree = &watch->trees[i];
        if (options->poll)
            watch_poll_instead(watch, tree, "asked for");
        else if (watch->fd < 0)
            watch_poll_instead(watch, tree, why_untold(failed));
        readings[i] = watch_scan_first(watch, i);
    }
    report_known(watch);
    post(context, &(struct news){.kind = NEWS_READY});
    for (uint32_t i = 0; i < watch->tree_count; i++)
        watch_scan_twice(readings[i]);
    return watch;
}

void news_free(struct news *news)
{
    free(news->text);
    if (news->world)
        agent_directory_free(news->world);
    free(news->world);
    update_free(&news->update);
    *news = (struct news){0};
}

void watch_stop(struct watch *watch)
{
    if (!watch)
        return;
    for (size_t i = 0; i < watch->dir_count; i++)
        free(watch->dirs[i].dir);
    free(watch->dirs);
    for (size_t i = 0; i < watch->tree_count; i++)
        watch_free_tree(&watch->trees[i]);
    free(watch->trees);
    watch_free_dirty(watch);
    watch_free_vanished(watch);
    if (watch->fd >= 0)
        close(watch->fd);
    free(watch);
}
