/* Our own directories, outside of all mailboxes. */
#ifndef STORE_SOURCE_HOME_H
#define STORE_SOURCE_HOME_H

#include "base/err.h"
#include "base/str.h"

/* Replaces `path` by $XDG_STATE_HOME/swarmutt, or ~/.local/state/swarmutt. With `make` the
 * directory is there afterwards. */
bool home_state(struct str *path, bool make, struct err *err);

/* The same for what can be made anew at any time: $XDG_CACHE_HOME/swarmutt, or ~/.cache/swarmutt,
 * and `name` beneath it. */
bool home_cache(struct str *path, const char *name, bool make, struct err *err);

/* Replaces `path` by $XDG_CONFIG_HOME/swarmutt, or ~/.config/swarmutt; false where there is no such
 * place. Nothing is ever written there. */
bool home_config(struct str *path);

#endif
