/* Disposable files: what can be made anew from a source, one file of a kind for each source beneath
 * the cache directory. Whatever is wrong with one, it is not there. */
#ifndef STORE_SOURCE_DISPOSABLE_H
#define STORE_SOURCE_DISPOSABLE_H

#include "store/source/source.h"

/* Replaces `path` by where it lies; false where there is no such place. */
bool disposable_path(struct str *path, const char *kind, const struct source *source, bool make);

/* All of it, to be freed; NULL when there is none, or it is somebody else's. Never mapped, so that
 * nobody can end us by cutting it. */
char *disposable_read(const char *path, size_t *size);

/* It gets its name when it is complete. Nothing is synced: who reads it finds out what a crash has
 * left. False with errno. */
bool disposable_write(const char *path, struct span bytes);

#endif
