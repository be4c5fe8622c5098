/* The foremost: the files whose messages a person saw first the last time. They are read before all
 * others, so that the list is there at once, however much mail there is. It says where to begin and
 * nothing else: what is shown is read from the files. */
#ifndef STORE_SCAN_FIRST_SCREEN_H
#define STORE_SCAN_FIRST_SCREEN_H

#include "base/log.h"
#include "base/str.h"
#include "store/source/source.h"

enum { FIRST_SCREEN_FILES_MAX = 1024 };

/* Directories beneath the root and names in them, in turn, terminated; borrowed from `bytes`, which
 * the caller frees with the list. */
void first_screen_read(const struct source *source, struct span_list *parts, char **bytes);

#endif
