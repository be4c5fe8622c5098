/* A segment, inside: reading its bytes. */
#ifndef STORE_SEARCH_SEGMENT_PRIVATE_H
#define STORE_SEARCH_SEGMENT_PRIVATE_H

#include "store/search/segment.h"

/* Exactly so many bytes from that place. */
bool segment_read(const struct segment *segment, uint64_t at, void *out, size_t len,
                  struct err *err);

/* Says that it is damaged. Always false. */
bool segment_damaged(struct err *err, const char *what);

#endif
