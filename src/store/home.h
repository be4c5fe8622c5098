/* Our own directories, outside of all mailboxes. */
#ifndef STORE_HOME_H
#define STORE_HOME_H

#include "base/err.h"
#include "base/str.h"

/* Replaces `path` by $XDG_STATE_HOME/swarmutt, or ~/.local/state/swarmutt, and makes it. */
bool home_state(struct str *path, struct err *err);

#endif
