/* Our own directories, outside of all mailboxes. */
#include "store/home.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

static bool make_path(struct str *path, struct err *err)
{
    for (char *slash = path->at + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = '\0';
        mkdir(path->at, 0700); /* what is missing shows at the last one */
        *slash = '/';
    }
    if (mkdir(path->at, 0700) == 0 || errno == EEXIST)
        return true;
    return err_set(err, ERR_SOURCE, "%s: this directory cannot be made: %s", path->at,
                   strerror(errno));
}

bool home_state(struct str *path, bool make, struct err *err)
{
    const char *state = getenv("XDG_STATE_HOME"), *home = getenv("HOME");

    str_clear(path);
    if (state && state[0] == '/') /* the standard says to ignore relative ones */
        str_addf(path, "%s/swarmutt", state);
    else if (home && home[0] == '/')
        str_addf(path, "%s/.local/state/swarmutt", home);
    else
        return err_set(err, ERR_SOURCE,
                       "there is no place for local state: set HOME or XDG_STATE_HOME");
    return !make || make_path(path, err);
}
