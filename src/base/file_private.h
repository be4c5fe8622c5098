/* Files, inside: what writing and changing names share. */
#ifndef BASE_FILE_PRIVATE_H
#define BASE_FILE_PRIVATE_H

#include "base/file.h"

/* Fills in a temporary name beside `name` that no peer looks at and nobody else has. */
void file_private_name(struct staged_file *staged, const char *name);

#endif
