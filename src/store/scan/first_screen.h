/* The first screen: the files whose messages the last session showed first. They are read before
 * all others, so that the list appears at once, however much mail there is. The cache file only
 * decides the order of reading: messages are always read from the mail files. */
#ifndef STORE_SCAN_FIRST_SCREEN_H
#define STORE_SCAN_FIRST_SCREEN_H

#include "base/str.h"
#include "store/source/source.h"

enum { FIRST_SCREEN_FILES_MAX = 1024 };

/* Appends directories relative to the root and names in them, in turn, terminated; borrowed from
 * `bytes`, which the caller frees with the list. */
void first_screen_read(const struct source *source, struct span_list *parts, char **bytes);

#endif
