/* A source: recognising, opening and finding mailbox trees; who is named there. */
#include "store/source.h"

#include "base/file.h"
#include "base/mem.h"
#include "store/walk.h"

#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MARKERS_MAX = 8 };

static bool is_dir(const char *path)
{
    struct stat st;

    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static void note_found(struct walker *walker, const struct found *found)
{
    if (!found->problem)
        *(bool *)walker->context = true;
}

/* The directory holds what tells the layout, or is called as its root always is. */
static bool is_root_of(const struct format *format, const char *path)
{
    struct place_rule markers[MARKERS_MAX];
    bool found = false;
    struct walker walker = {.rules = markers, .found = note_found, .context = &found};
    struct err ignored;
    int fd;

    for (; format->markers[walker.rule_count]; walker.rule_count++)
        markers[walker.rule_count] = (struct place_rule){format->markers[walker.rule_count], false};
    if (!file_open_root(path, &fd, &ignored))
        return false;
    walk_tree(&walker, fd, &ignored);
    close(fd);
    if (found)
        return true;
    const char *name = strrchr(path, '/');
    const char *root = strrchr(format->home, '/');
    return strcmp(name ? name + 1 : path, root ? root + 1 : format->home) == 0;
}

/* The layout's root at the path itself or, for a project directory, at its usual place below. */
static bool find_root(const struct format *format, struct str *path)
{
    size_t len = path->len;

    if (is_root_of(format, str_c(path)))
        return true;
    for (const char *tail = format->home; tail; tail = strchr(tail, '/')) {
        tail += *tail == '/';
        str_addf(path, "/%s", tail);
        if (is_dir(str_c(path)) && is_root_of(format, str_c(path)))
            return true;
        path->len = len;
        path->at[len] = '\0';
    }
    return false;
}

static const struct format *recognise(struct str *path, struct err *err)
{
    struct str known = {0};

    for (size_t i = 0; formats[i]; i++)
        if (find_root(formats[i], path))
            return formats[i];
    for (size_t i = 0; formats[i]; i++)
        str_addf(&known, "%s%s:PATH", i ? ", " : "", formats[i]->name);
    err_set(err, ERR_SOURCE, "%s: no mailbox layout is recognised here; name it with %s",
            str_c(path), str_c(&known));
    str_free(&known);
    return NULL;
}

/* Splits FORMAT: off; a path that exists as it stands is never split. */
static const struct format *named_format(const char **spec, struct err *err)
{
    const char *colon = strchr(*spec, ':');

    if (!colon || is_dir(*spec) || memchr(*spec, '/', (size_t)(colon - *spec)))
        return NULL;
    struct span name = {*spec, (size_t)(colon - *spec)};
    const struct format *format = format_find(name);
    if (!format)
        err_set(err, ERR_USAGE,
                "\"%.*s\" is no mailbox layout that this version knows; the command formats lists "
                "them",
                (int)name.len, name.at);
    *spec = colon + 1;
    return format;
}

static bool open_path(struct source *source, const char *spec, struct err *err)
{
    char resolved[PATH_MAX];
    struct str path = {0};
    bool ok = false;

    err->scope = ERR_NONE;
    source->format = named_format(&spec, err);
    if (!source->format && err->scope != ERR_NONE)
        return false;
    if (!realpath(spec, resolved))
        return file_open_root(spec, &source->root, err); /* fails, with the reason */
    str_puts(&path, resolved);
    if (!source->format)
        source->format = recognise(&path, err);
    else
        find_root(source->format, &path); /* or, for new mailboxes, the path as it is */
    if (source->format && file_open_root(str_c(&path), &source->root, err)) {
        source->path = mem_strdup(str_c(&path));
        ok = true;
    }
    str_free(&path);
    return ok;
}

bool source_open(struct source *source, const char *spec, const char *identity, const char *swarms,
                 struct err *err)
{
    struct str roster = {0};
    char resolved[PATH_MAX];

    *source = (struct source){.root = -1};
    if (!open_path(source, spec, err))
        return false;
    source->identity = mem_strdup(identity ? identity : source->format->identity);
    if (source->format->roster_pattern) {
        if (swarms)
            str_puts(&roster, swarms);
        else
            str_addf(&roster, "%s/%s", source->path, source->format->roster_home);
        source->roster_path =
            mem_strdup(realpath(str_c(&roster), resolved) ? resolved : str_c(&roster));
    }
    str_free(&roster);
    return true;
}

void source_close(struct source *source)
{
    if (source->root >= 0)
        close(source->root);
    free(source->path);
    free(source->identity);
    free(source->roster_path);
}

bool source_discover(const struct format *format, struct str *path)
{
    char here[PATH_MAX];

    if (!getcwd(here, sizeof here))
        return false;
    for (;;) {
        str_clear(path);
        str_addf(path, "%s/%s", strcmp(here, "/") == 0 ? "" : here, format->home);
        if (is_dir(str_c(path)))
            return true;
        char *slash = strrchr(here, '/');
        if (!slash || !slash[1])
            return false;
        slash[slash == here] = '\0';
    }
}

int source_dir(const struct source *source, const char *dir)
{
    return file_open_beneath(source->root, dir[0] ? dir : ".", O_RDONLY | O_DIRECTORY);
}

void agent_names_free(struct agent_names *names)
{
    arena_free(&names->arena);
    free(names->items);
    *names = (struct agent_names){0};
}

static int by_name(const void *a, const void *b)
{
    const struct agent_name *x = a, *y = b;
    int order = span_cmp(x->team, y->team);

    return order ? order : span_cmp(x->name, y->name);
}

static void add_name(struct agent_names *names, const struct place_names *found, bool on_roster)
{
    names->items = mem_grow(names->items, &names->cap, names->count + 1, sizeof *names->items);
    names->items[names->count++] =
        (struct agent_name){.team = arena_copy(&names->arena, found->team),
                            .name = arena_copy(&names->arena, found->box),
                            .on_roster = on_roster};
}

static void add_roster_entry(struct walker *walker, const struct found *found)
{
    if (!found->problem && found->names.box.at[0] != '_')
        add_name(walker->context, &found->names, true);
}

/* Inbox and archive are one box. */
static void add_box(struct walker *walker, const struct found *dir)
{
    struct agent_names *names = walker->context;
    const struct agent_name *last = names->count ? &names->items[names->count - 1] : NULL;

    if (!dir->names.box.at ||
        (last && span_eq(last->name, dir->names.box) && span_eq(last->team, dir->names.team)))
        return;
    add_name(names, &dir->names, false);
}

static void ignore_file(struct walker *walker, const struct found *file)
{
    (void)walker;
    (void)file;
}

static void sort_names(struct agent_names *names)
{
    if (names->count)
        qsort(names->items, names->count, sizeof *names->items, by_name);
}

bool source_rosters(const struct source *source, struct agent_names *names, struct err *err)
{
    struct place_rule rule = {source->format->roster_pattern, false};
    struct walker walker = {
        .rules = &rule, .rule_count = 1, .found = add_roster_entry, .context = names};
    int fd;

    if (!source->roster_path || !is_dir(source->roster_path))
        return true;
    if (!file_open_root(source->roster_path, &fd, err))
        return false;
    bool ok = walk_tree(&walker, fd, err);
    close(fd);
    sort_names(names);
    return ok;
}

bool source_boxes(const struct source *source, struct agent_names *names, struct err *err)
{
    struct walker walker = {.rules = source->format->rules,
                            .rule_count = source->format->rule_count,
                            .enter = add_box,
                            .found = ignore_file,
                            .context = names};
    bool ok = walk_tree(&walker, source->root, err);

    sort_names(names);
    return ok;
}
