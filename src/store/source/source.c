/* A source, and the directories that are read and written for it, for a sandbox.
 *
 * A directory that is removed and made again is a new one for the kernel. So the root is readable
 * as a whole; and if the root is in a directory that is the layout's own, as mailboxes in
 * workspace, that directory too: mail that comes back is found. Fewer directories are writable,
 * because a root may be a project, or hold the settings of an agent's program. */
#include "store/source/source.h"

#include "base/file/file.h"
#include "base/io_error.h"
#include "base/mem.h"
#include "base/timezone.h"
#include "store/scan/walk.h"
#include "store/source/roster.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Discovery: upward from the working directory, and in the home directory. */

bool path_is_dir(const char *path)
{
    struct stat st;

    if (stat(path, &st) == 0)
        return S_ISDIR(st.st_mode);
    io_error_note_errno(path);
    return false;
}

char *path_expand(const char *path)
{
    struct str out = {0};
    char variable[64];
    size_t len = strcspn(path, "/");

    if (path[0] == '$' && len >= sizeof variable)
        return NULL;
    if (path[0] == '$') {
        memcpy(variable, path + 1, len - 1);
        variable[len - 1] = '\0';
    }
    const char *start = path[0] == '$'                       ? getenv(variable)
                        : path[0] == '~' && (path[1] == '/') ? getenv("HOME")
                                                             : NULL;
    if (path[0] != '$' && (path[0] != '~' || path[1] != '/'))
        return mem_strdup(path);
    if (!start || start[0] != '/')
        return NULL;
    str_puts(&out, start);
    str_puts(&out, path + len);
    return out.at;
}

/* True if the directory has the part that identifies the layout, even if it is empty: the first
 * component of the first marker, if that is a name. */
static bool discover_is_there(const struct format *format, const char *path)
{
    CLEANUP(str_free) struct str inside = {0};
    struct span first = place_component(format->markers[0], 0);
    bool ok = path_is_dir(path);

    if (ok && !memchr(first.at, '*', first.len)) { /* "teams" of "teams/x", ".roo" */
        str_addf(&inside, "%s/%.*s", path, (int)first.len, first.at);
        ok = path_is_dir(str_c(&inside));
    }
    return ok;
}

/* True if discover_is_there() holds and the path is a default place, or has a name that no other
 * layout has. */
static bool discover_knows(const struct format *format, const char *path)
{
    char real[PATH_MAX];
    bool knows = place_component(format->markers[0], 0).at[0] == '.';

    for (size_t i = 0; !knows && format->homes && format->homes[i]; i++) {
        char *place = path_expand(format->homes[i]);
        knows = place && realpath(place, real) && strcmp(real, path) == 0;
        free(place);
    }
    return knows && discover_is_there(format, path);
}

static bool report_source(const struct format *format, const char *path,
                          bool (*found)(void *context, const char *spec), void *context)
{
    CLEANUP(str_free) struct str spec = {0};

    str_addf(&spec, "%s:%s", format->name, path);
    return found(context, str_c(&spec));
}

/* Replaces `path` with the layout's default place in the directory `here`. */
static void set_place(struct str *path, const struct format *format, const char *here)
{
    str_clear(path);
    str_addf(path, "%s%s%s", strcmp(here, "/") == 0 ? "" : here, format->home[0] ? "/" : "",
             format->home);
}

static bool find_upward(const struct format *format, struct str *path)
{
    char here[PATH_MAX];

    if (!getcwd(here, sizeof here))
        return false;
    for (;;) {
        set_place(path, format, here);
        if (discover_is_there(format, path->len ? str_c(path) : "/"))
            return true;
        char *slash = strrchr(here, '/');
        if (!slash || !slash[1])
            return false;
        slash[slash == here] = '\0';
    }
}

/* Finds the first place on the machine that applies: a variable that is set decides. */
static bool find_at_home(const struct format *format, struct str *path)
{
    for (size_t i = 0; format->homes && format->homes[i]; i++) {
        char *place = path_expand(format->homes[i]);
        bool decided = place && format->homes[i][0] == '$';
        bool there = place && discover_is_there(format, place);
        str_clear(path);
        if (there)
            str_puts(path, place);
        free(place);
        if (there || decided)
            return there;
    }
    return false;
}

bool discover(const struct format *format, bool (*found)(void *context, const char *spec),
              void *context, struct str *looked)
{
    CLEANUP(str_free) struct str path = {0};
    bool ok = true;

    if (format->upward) {
        struct span what =
            format->home[0] ? span_of(format->home) : place_component(format->markers[0], 0);
        str_addf(looked, "%s%.*s here and above", looked->len ? ", " : "", (int)what.len, what.at);
        if (find_upward(format, &path))
            ok = report_source(format, str_c(&path), found, context);
    }
    for (size_t i = 0; format->homes && format->homes[i]; i++)
        str_addf(looked, "%s%s", looked->len ? ", " : "", format->homes[i]);
    if (ok && find_at_home(format, &path))
        ok = report_source(format, str_c(&path), found, context);
    return ok;
}

/* Reports the directory that discover_is_there() would need. */
static void report_missing(const struct format *format, const char *path,
                           void (*missing)(void *context, const char *path), void *context)
{
    struct span first = place_component(format->markers[0], 0);
    CLEANUP(str_free) struct str wanted = {0};

    str_puts(&wanted, path);
    if (!memchr(first.at, '*', first.len))
        str_addf(&wanted, "/%.*s", (int)first.len, first.at);
    missing(context, str_c(&wanted));
}

void discover_missing(const struct format *format, void (*missing)(void *context, const char *path),
                      void *context)
{
    char here[PATH_MAX];
    CLEANUP(str_free) struct str path = {0};

    if (format->upward && !find_upward(format, &path) && getcwd(here, sizeof here)) {
        set_place(&path, format, here);
        report_missing(format, str_c(&path), missing, context);
    }
    bool there = find_at_home(format, &path), decided = false;
    for (size_t i = 0; !there && !decided && format->homes && format->homes[i]; i++) {
        char *place = path_expand(format->homes[i]);
        decided = place && format->homes[i][0] == '$';
        if (place)
            report_missing(format, place, missing, context);
        free(place);
    }
}

/* A source: recognising and opening mailbox trees. */

enum { MARKERS_MAX = 8 };

static void note_found(struct walker *walker, const struct found *found)
{
    const char *const *root = walker->context;
    CLEANUP(str_free) struct str path = {0};

    walker->enough = walker->enough || !found->problem;
    if (!found->unlisted)
        return;
    str_addf(&path, "%s/%s%s%s", *root, found->dir.at, found->dir.len ? "/" : "", found->name.at);
    io_error_note(IO_ERROR_OTHER, str_c(&path), found->problem);
}

static bool has_marker(const struct format *format, int root, const char *path)
{
    struct place_rule markers[MARKERS_MAX];
    struct walker walker = {.rules = markers, .found = note_found, .context = &path};
    struct err err;

    for (; format->markers[walker.rule_count]; walker.rule_count++)
        markers[walker.rule_count] = (struct place_rule){format->markers[walker.rule_count], false};
    if (!walk_tree(&walker, root, &err))
        io_error_note_err(&err);
    return walker.enough;
}

/* True if a path, always an absolute one, ends in the layout's default place. */
static bool ends_at_home(const struct format *format, const char *path)
{
    size_t len = strlen(path), home = strlen(format->home);

    return home && len > home && path[len - home - 1] == '/' &&
           strcmp(path + len - home, format->home) == 0;
}

bool source_is_at_home(const struct source *source)
{
    return ends_at_home(source->format, source->path);
}

/* False if it does not exist or cannot be opened; the latter is noted. */
static bool open_if_there(const char *path, int *fd)
{
    if (file_open_root(path, fd, NULL))
        return true;
    io_error_note_errno(path);
    return false;
}

static bool is_root_of(const struct format *format, const char *path)
{
    int fd;

    if ((format->home_tells && !ends_at_home(format, path)) || !open_if_there(path, &fd))
        return false;
    bool found = has_marker(format, fd, path) || roster_knows(format, fd);
    close(fd);
    return found;
}

/* True if the path has the name of a root: an empty tree is recognised by its name alone, if the
 * layout always uses the same. */
static bool is_named_as_root(const struct format *format, const char *path)
{
    const char *name = strrchr(path, '/');
    const char *root = strrchr(format->home, '/');

    if (format->home_tells)
        return ends_at_home(format, path);
    return root && strcmp(name, root) == 0;
}

/* For a layout that was named explicitly: accepts a name that several layouts may have, such as
 * "teams". */
static bool is_root_if_said(const struct format *format, const char *path)
{
    return format->home[0] ? strcmp(strrchr(path, '/') + 1, format->home) == 0
                           : discover_is_there(format, path);
}

/* Cuts `part` off the end of the path if what remains is a root; otherwise leaves the path
 * alone. */
static bool is_root_above(const struct format *format, struct str *path, struct span part,
                          bool (*is_root)(const struct format *, const char *))
{
    size_t len = path->len;

    if (len <= part.len + 1 || path->at[len - part.len - 1] != '/' ||
        !span_eq((struct span){path->at + len - part.len, part.len}, part))
        return false;
    path->len = len - part.len - 1;
    path->at[path->len] = '\0';
    if (is_root(format, path->at))
        return true;
    path->at[path->len] = '/';
    path->len = len;
    return false;
}

/* Cuts the path back to the root if it names a part by which the layout is recognised: "teams",
 * ".roo", ".roo/mailbox". */
static bool is_inside_root(const struct format *format, struct str *path,
                           bool (*is_root)(const struct format *, const char *))
{
    for (size_t i = 0; !format->home[0] && format->markers[i]; i++) {
        const char *marker = format->markers[i];
        for (size_t len = 1; marker[len - 1] && marker[len - 1] != '*'; len++)
            if ((marker[len] == '/' || !marker[len]) &&
                is_root_above(format, path, (struct span){marker, len}, is_root))
                return true;
    }
    return false;
}

/* Finds the layout's root at the path itself or, for a project directory, at its default place
 * below. */
static bool find_root(const struct format *format, struct str *path,
                      bool (*is_root)(const struct format *, const char *))
{
    size_t len = path->len;

    if (is_root(format, str_c(path)) || is_inside_root(format, path, is_root))
        return true;
    for (const char *tail = format->home; tail && *tail; tail = strchr(tail, '/')) {
        tail += *tail == '/';
        str_addf(path, "/%s", tail);
        if (path_is_dir(str_c(path)) && is_root(format, str_c(path)))
            return true;
        path->len = len;
        path->at[len] = '\0';
    }
    return false;
}

bool source_has_mail(const struct format *format, const char *path)
{
    int fd;

    if (!open_if_there(path, &fd))
        return false;
    bool found = has_marker(format, fd, path);
    close(fd);
    return found;
}

bool source_recognised(const struct format *format, const char *path)
{
    char resolved[PATH_MAX];
    CLEANUP(str_free) struct str found = {0};

    if (!realpath(path, resolved)) {
        io_error_note_errno(path);
        return false;
    }
    str_puts(&found, resolved);
    return find_root(format, &found, is_root_of);
}

static const struct format *recognise_format(struct str *path, struct err *err)
{
    CLEANUP(str_free) struct str known = {0};

    for (size_t i = 0; formats[i]; i++)
        if (find_root(formats[i], path, is_root_of))
            return formats[i];
    for (size_t i = 0; formats[i]; i++)
        if (find_root(formats[i], path, is_named_as_root))
            return formats[i];
    for (size_t i = 0; formats[i]; i++)
        if (find_root(formats[i], path, discover_knows))
            return formats[i];
    for (size_t i = 0; formats[i]; i++)
        str_addf(&known, "%s%s:PATH", i ? ", " : "", formats[i]->name);
    err_set(err, ERR_SOURCE, "%s: no mailbox layout is recognised here; name it with %s",
            str_c(path), str_c(&known));
    return NULL;
}

/* Splits FORMAT: off; a path that exists with that prefix is never split. */
static const struct format *named_format(const char **spec, struct err *err)
{
    const char *colon = strchr(*spec, ':');

    if (!colon || path_is_dir(*spec) || memchr(*spec, '/', (size_t)(colon - *spec)))
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
    CLEANUP(str_free) struct str path = {0};

    err->scope = ERR_NONE;
    source->format = named_format(&spec, err);
    if (!source->format && err->scope != ERR_NONE)
        return false;
    if (!realpath(spec, resolved))
        return err_set(err, ERR_SOURCE, "%s: cannot open this directory: %s", spec,
                       strerror(errno));
    str_puts(&path, resolved);
    if (!source->format)
        source->format = recognise_format(&path, err);
    else if (!find_root(source->format, &path, is_root_of) &&
             !find_root(source->format, &path, is_named_as_root)) {
        find_root(source->format, &path, is_root_if_said); /* if this fails too, new ones go to the
                                                            * path itself */
        source->problem = mem_strdup("nothing of this layout is here yet");
    }
    if (!source->format || !file_open_root(str_c(&path), &source->root, err))
        return false;
    source->path = mem_strdup(str_c(&path));
    return true;
}

static char *resolve_path(const struct str *path)
{
    char resolved[PATH_MAX];

    return mem_strdup(realpath(str_c(path), resolved) ? resolved : str_c(path));
}

static void find_roster(struct source *source, const char *swarms)
{
    CLEANUP(str_free) struct str path = {0};

    if (!source->format->roster_pattern)
        return;
    if (swarms && !source->format->parse_roster)
        str_puts(&path, swarms);
    else
        str_addf(&path, "%s/%s", source->path, source->format->roster_home);
    source->roster_path = resolve_path(&path);
}

/* Reads the settings. If they cannot be read, the layout's defaults are used, and `problem` says
 * so. */
static void read_settings(struct source *source)
{
    const struct format *format = source->format;
    struct settings settings = {.lasts_us = format->lasts_us};
    CLEANUP(str_free) struct str path = {0}, bytes = {0};
    CLEANUP(arena_free) struct arena arena = {0};
    struct err err;
    int above;

    source->lasts_us = format->lasts_us;
    if (!format->settings_file)
        return;
    str_addf(&path, "%s/%s", source->path, format->settings_file);
    char *slash = strrchr(path.at, '/');
    *slash = '\0';
    if (open_if_there(path.at, &above)) {
        struct file_id id;
        enum file_result result = file_read(above, slash + 1, FILE_SIZE_MAX, &bytes, &id, &err);
        *slash = '/';
        if (result == FILE_FAILED)
            io_error_note_errno(path.at);
        if (result == FILE_OK &&
            format->parse_settings(str_span(&bytes), &settings, &arena, &err)) {
            source->lasts_us = settings.lasts_us;
            if (settings.base_path.len)
                source->base_path = path_expand(settings.base_path.at);
        } else if (result != FILE_GONE) {
            err_at(&err, slash + 1);
            struct str problem = {0};
            str_addf(&problem, "the usual settings are used: %s", err.text);
            free(source->problem);
            source->problem = problem.at;
        }
        close(above);
    }
}

/* Splits NAME or, where there are teams, NAME@TEAM. */
void source_identify(struct source *source, const char *identity)
{
    free(source->identity);
    free(source->team);
    source->team = NULL;
    source->identity = mem_strdup(identity ? identity : source->format->identity);
    char *at = format_has_teams(source->format) ? strrchr(source->identity, '@') : NULL;
    if (!at || at == source->identity || !at[1])
        return;
    source->team = mem_strdup(at + 1);
    *at = '\0';
}

bool source_set_zone(struct source *source, const char *name, struct err *err)
{
    struct zone *zone = zone_open(name, err);

    if (!zone)
        return false;
    zone_free(source->zone);
    free(source->zone_name);
    source->zone = zone;
    source->zone_name = mem_strdup(name);
    return true;
}

bool source_has_name(const struct source *source)
{
    CLEANUP(str_free) struct str box = {0};

    return format_spell(source->format, span_of(source->identity), 0, &box);
}

static void settle_source(struct source *source, const char *identity, const char *swarms)
{
    source_identify(source, identity);
    find_roster(source, swarms);
    read_settings(source);
}

bool source_open(struct source *source, const char *spec, const char *identity, const char *swarms,
                 struct err *err)
{
    *source = (struct source){.root = -1, .seed = map_seed()};
    if (!open_path(source, spec, err))
        return false;
    settle_source(source, identity, swarms);
    return true;
}

bool source_open_absent(struct source *source, const char *spec, const char *identity,
                        const char *swarms)
{
    *source = (struct source){.root = -1, .seed = map_seed()};
    source->format = named_format(&spec, NULL);
    if (!source->format || access(spec, R_OK | X_OK) == 0) /* then opening failed for another
                                                            * reason */
        return false;
    source->path = mem_strdup(spec);
    settle_source(source, identity, swarms);
    return true;
}

static char *copy_text(const char *text)
{
    return text ? mem_strdup(text) : NULL;
}

bool source_copy(struct source *copy, const struct source *source, struct err *err)
{
    *copy = (struct source){.format = source->format,
                            .root = -1,
                            .lasts_us = source->lasts_us,
                            .index = source->index,
                            .seed = map_seed(),
                            .tell = source->tell};
    copy->path = copy_text(source->path);
    copy->identity = copy_text(source->identity);
    copy->team = copy_text(source->team);
    copy->swarm = copy_text(source->swarm);
    copy->roster_path = copy_text(source->roster_path);
    copy->base_path = copy_text(source->base_path);
    copy->problem = copy_text(source->problem);
    if (source->zone && !source_set_zone(copy, source->zone_name, err))
        return false;
    return file_open_root(copy->path, &copy->root, err) || access(copy->path, R_OK | X_OK) != 0;
}

void source_close(struct source *source)
{
    if (source->root >= 0)
        close(source->root);
    free(source->path);
    free(source->identity);
    free(source->team);
    free(source->swarm);
    free(source->roster_path);
    free(source->base_path);
    free(source->problem);
    free(source->zone_name);
    zone_free(source->zone);
}

struct place source_place(const struct source *source, const struct place_rule *rule,
                          const struct place_names *names, struct span dir)
{
    return (struct place){.source = source->index,
                          .root = source->path,
                          .archived = rule->archived,
                          .by_subject = source->format->by_subject,
                          .short_replies = source->format->short_replies,
                          .chained = source->format->chained,
                          .done_archived = source->format->done_archived,
                          .team = names->team,
                          .box = names->box,
                          .dir = dir,
                          .zone = source->zone};
}

bool source_is(const struct source *source, struct span format, struct span root)
{
    return span_is(format, source->format->name) && span_is(root, source->path);
}

static bool is_same_dir(const struct source *source)
{
    struct stat opened, named;

    if (fstat(source->root, &opened) < 0 || stat(source->path, &named) < 0)
        return false;
    errno = ENOENT; /* for the caller if another directory has its name */
    return opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

bool source_is_there(const struct source *source, struct err *err)
{
    int fd = source_dir(source, "");

    if (fd >= 0)
        close(fd);
    if (fd >= 0 && is_same_dir(source))
        return true;
    if (errno == ENOENT || errno == ENOTDIR)
        return err_set(err, ERR_REFUSED, "%s is gone", source->path);
    return err_set(err, ERR_SOURCE, "%s cannot be read: %s", source->path, strerror(errno));
}

void source_follow(struct source *source)
{
    int fd;

    if (is_same_dir(source) || !file_open_root(source->path, &fd, NULL))
        return;
    if (source->root >= 0)
        close(source->root);
    source->root = fd;
}

int source_dir(const struct source *source, const char *dir)
{
    if (source->root < 0) {
        errno = ENOENT;
        return -1;
    }
    return file_open_beneath(source->root, dir[0] ? dir : ".", O_RDONLY | O_DIRECTORY);
}

int source_open_dir(const struct source *source, const char *dir, struct err *err)
{
    int fd = source_dir(source, dir);

    if (fd < 0)
        err_set(err, ERR_BOX, "%s: it cannot be opened: %s", dir, strerror(errno));
    return fd;
}

enum file_result source_dir_failed(int problem, struct err *err)
{
    if (problem == ENOENT || problem == ENOTDIR || problem == ELOOP) /* or a link in its place */
        return FILE_GONE;
    err_set(err, ERR_BOX, "its directory cannot be opened: %s", strerror(problem));
    return FILE_FAILED;
}

int source_make_dir(const struct source *source, const char *dir, struct err *err)
{
    if (!file_make_dirs(source->root, dir, source->format->dir_mode, err))
        return -1;
    return source_open_dir(source, dir, err);
}

struct places {
    const struct source *source;
    void (*add)(void *context, const char *path, bool writes);
    void *context;
};

/* Adds the first directory of a pattern, "teams" of "teams/{team}/...", or else the root. */
static void add_written(const struct places *places, const char *pattern)
{
    struct span first = place_component(pattern, 0);
    CLEANUP(str_free) struct str path = {0};

    str_puts(&path, places->source->path);
    if (!memchr(first.at, '{', first.len)) {
        str_putc(&path, '/');
        str_add_span(&path, first);
    }
    bool there = path_is_dir(str_c(&path));
    places->add(places->context, there ? str_c(&path) : places->source->path, true);
}

/* Adds the directory above the mailboxes: for workspace/mailboxes, workspace. */
static void add_own(const struct places *places)
{
    const struct source *source = places->source;
    const char *below = strchr(source->format->home, '/');
    CLEANUP(str_free) struct str path = {0};

    if (!below || !source_is_at_home(source))
        return;
    str_add(&path, source->path, strlen(source->path) - strlen(below));
    places->add(places->context, str_c(&path), true);
}

/* Adds the directory of the settings: programs replace the file in it. */
static void add_settings(const struct places *places)
{
    const struct source *source = places->source;
    CLEANUP(str_free) struct str path = {0};

    if (!source->format->settings_file)
        return;
    str_addf(&path, "%s/%s", source->path, source->format->settings_file);
    *strrchr(path.at, '/') = '\0';
    places->add(places->context, path.at, false);
}

void source_places(const struct source *source,
                   void (*add)(void *context, const char *path, bool writes), void *context)
{
    struct places places = {source, add, context};

    add(context, source->path, false);
    add_own(&places);
    for (size_t i = 0; i < source->format->rule_count; i++)
        add_written(&places, source->format->rules[i].pattern);
    if (source->format->log_file)
        add_written(&places, source->format->log_file);
    add_settings(&places);
    if (source->roster_path && source->format->parse_roster) /* otherwise file names are enough */
        add(context, source->roster_path, false);
    if (source->base_path)
        add(context, source->base_path, false);
}
