/* Discovery: upward from the working directory, and in the home directory. */
#include "store/source/discover.h"

#include "base/io_error.h"
#include "base/mem.h"

#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

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

bool discover_is_there(const struct format *format, const char *path)
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

bool discover_knows(const struct format *format, const char *path)
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

static bool style_upward(const struct format *format, struct str *path)
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
static bool style_at_home(const struct format *format, struct str *path)
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
        if (style_upward(format, &path))
            ok = report_source(format, str_c(&path), found, context);
    }
    for (size_t i = 0; format->homes && format->homes[i]; i++)
        str_addf(looked, "%s%s", looked->len ? ", " : "", format->homes[i]);
    if (ok && style_at_home(format, &path))
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

    if (format->upward && !style_upward(format, &path) && getcwd(here, sizeof here)) {
        set_place(&path, format, here);
        report_missing(format, str_c(&path), missing, context);
    }
    bool there = style_at_home(format, &path), decided = false;
    for (size_t i = 0; !there && !decided && format->homes && format->homes[i]; i++) {
        char *place = path_expand(format->homes[i]);
        decided = place && format->homes[i][0] == '$';
        if (place)
            report_missing(format, place, missing, context);
        free(place);
    }
}
