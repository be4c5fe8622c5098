/* Our own directories, outside of all mailboxes. */
#ifndef STORE_SOURCE_OUR_PATHS_H
#define STORE_SOURCE_OUR_PATHS_H

#include "base/err.h"
#include "base/str.h"
#include "store/source/source.h"

/* Replaces `path` with $XDG_STATE_HOME/swarmutt, or ~/.local/state/swarmutt. With `make` the
 * directory is created. */
bool home_state(struct str *path, bool make, struct err *err);

/* Like home_state(), but for files that can be rebuilt at any time: `name` below
 * $XDG_CACHE_HOME/swarmutt or ~/.cache/swarmutt. */
bool home_cache(struct str *path, const char *name, bool make, struct err *err);

/* Replaces `path` with $XDG_CONFIG_HOME/swarmutt, or ~/.config/swarmutt; false if there is no such
 * place. Nothing is ever written there. */
bool home_config(struct str *path);

/* Cache files: data that can be rebuilt from a source, one file of a kind for each source below the
 * cache directory. A file with any problem is treated as missing. */

/* Replaces `path` with the path of the cache file; false if there is no such place. */
bool cache_file_path(struct str *path, const char *kind, const struct source *source, bool make);

/* Returns the whole file, to be freed by the caller; NULL if there is none, or it belongs to
 * another user. Never mapped, so that truncating the file cannot kill us. */
char *cache_file_read(const char *path, size_t *size);

/* Writes a temporary file and renames it when it is complete. Nothing is synced: the reader detects
 * what a crash has left. False with errno. */
bool cache_file_write(const char *path, struct span bytes);

#endif
