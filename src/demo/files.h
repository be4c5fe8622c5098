/* Files, written the way agents write them. */
#ifndef DEMO_FILES_H
#define DEMO_FILES_H

#include "demo/text.h"

#include <stdbool.h>
#include <sys/types.h>

/* Makes a directory and its parents. */
bool files_make_dir(const char *path, mode_t mode);
/* Truncates and writes, as most programs do: a concurrent reader sees an incomplete file. */
bool files_write(const char *path, const char *bytes, size_t len, mode_t mode);
/* Like files_write(), but fails with errno EEXIST if the file exists. */
bool files_create(const char *path, const char *bytes, size_t len, mode_t mode);
/* Writes PATH.tmp and renames it. */
bool files_replace(const char *path, const char *bytes, size_t len);
bool files_read(const char *path, struct text *out);
/* Returns the names with that ending, sorted; the caller frees them with files_free_names(). */
char **files_names(const char *dir, const char *end, size_t *count);
void files_free_names(char **names, size_t count);
/* Sets the time of the last change. */
void files_age(const char *path, int64_t time_us);
/* Removes a directory with everything in it; does not follow links. */
bool files_remove_tree(const char *path);

#endif
