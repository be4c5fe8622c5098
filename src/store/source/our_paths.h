/* Our own directories, outside of all mailboxes. */
#ifndef STORE_SOURCE_OUR_PATHS_H
#define STORE_SOURCE_OUR_PATHS_H

#include "base/err.h"
#include "base/str.h"
#include "store/source/source.h"

/* Replaces `path` by $XDG_STATE_HOME/swarmutt, or ~/.local/state/swarmutt. With `make` the
 * directory is there afterwards. */
bool home_state(struct str *path, bool make, struct err *err);

/* The same for what can be made anew at any time: $XDG_CACHE_HOME/swarmutt, or ~/.cache/swarmutt,
 * and `name` beneath it. */
bool home_cache(struct str *path, const char *name, bool make, struct err *err);

/* Replaces `path` by $XDG_CONFIG_HOME/swarmutt, or ~/.config/swarmutt; false where there is no such
 * place. Nothing is ever written there. */
bool home_config(struct str *path);

/* Disposable files: what can be made anew from a source, one file of a kind for each source beneath
 * the cache directory. Whatever is wrong with one, it is not there. */

/* Replaces `path` by where it lies; false where there is no such place. */
bool cache_file_path(struct str *path, const char *kind, const struct source *source, bool make);

/* All of it, to be freed; NULL when there is none, or it is somebody else's. Never mapped, so that
 * nobody can end us by cutting it. */
char *cache_file_read(const char *path, size_t *size);

/* It gets its name when it is complete. Nothing is synced: who reads it finds out what a crash has
 * left. False with errno. */
bool cache_file_write(const char *path, struct span bytes);

#endif
