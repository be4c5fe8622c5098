/* Our own directories, outside of all mailboxes. */
#include "store/source/home.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

/* `variable` names another place. */
static bool make_path(struct str *path, const char *variable, struct err *err)
{
    int reason = 0; /* of the first one: those beneath only lack it */

    for (char *slash = path->at + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        if (mkdir(path->at, 0700) < 0 && errno != EEXIST && !reason)
            reason = errno; /* perhaps it is there nevertheless: that shows at the last one */
        *slash = '/';
    }
    if (mkdir(path->at, 0700) == 0 || errno == EEXIST)
        return true;
    reason = errno == ENOENT && reason ? reason : errno;
    return err_set(err, ERR_SOURCE,
                   "%s: this directory cannot be made: %s; see what is in its way, or set %s",
                   path->at, strerror(reason), variable);
}

/* Replaces `path` by $VARIABLE/swarmutt, or swarmutt in its usual place at home. */
static bool find_place(struct str *path, const char *variable, const char *usual)
{
    const char *given = getenv(variable), *home = getenv("HOME");

    str_clear(path);
    if (given && given[0] == '/') /* the standard says to ignore relative ones */
        str_addf(path, "%s/swarmutt", given);
    else if (home && home[0] == '/')
        str_addf(path, "%s/%s/swarmutt", home, usual);
    return path->len > 0;
}

bool home_state(struct str *path, bool make, struct err *err)
{
    if (!find_place(path, "XDG_STATE_HOME", ".local/state"))
        return err_set(err, ERR_SOURCE,
                       "there is no place for local state: set HOME or XDG_STATE_HOME");
    return !make || make_path(path, "XDG_STATE_HOME", err);
}

bool home_cache(struct str *path, const char *name, bool make, struct err *err)
{
    if (!find_place(path, "XDG_CACHE_HOME", ".cache"))
        return err_set(err, ERR_SOURCE,
                       "there is no place for a cache: set HOME or XDG_CACHE_HOME");
    str_addf(path, "/%s", name);
    return !make || make_path(path, "XDG_CACHE_HOME", err);
}

bool home_config(struct str *path)
{
    return find_place(path, "XDG_CONFIG_HOME", ".config");
}
