/* Writing a segment of the search index: docs are gathered in memory, then written as one file. */
#ifndef STORE_SEARCH_SEGMENT_WRITE_H
#define STORE_SEARCH_SEGMENT_WRITE_H

#include "base/err.h"
#include "base/map.h"
#include "mail/message/message.h"
#include "store/scan/stamp.h"
#include "store/search/segment_format.h"

struct segment_writer;

/* `source` is what segments of the same source have in their header. */
struct segment_writer *segment_writer_new(uint64_t source);
void segment_writer_free(struct segment_writer *writer);

/* Adds a file; docs that are added afterwards lie in it. */
void segment_writer_file(struct segment_writer *writer, struct span name,
                         const struct stamp *stamp);
/* Adds a message, whole. */
void segment_writer_doc(struct segment_writer *writer, const struct message *message);

/* What was added so far: files, and about how many bytes of memory they need. */
size_t segment_writer_files(const struct segment_writer *writer);
size_t segment_writer_bytes(const struct segment_writer *writer);

/* Writes everything to an open, empty file. Once; nothing can be added afterwards. */
bool segment_writer_put(struct segment_writer *writer, int fd, int64_t now_us, struct err *err);

/* What finds the copies of one message. */
uint64_t segment_key_of(struct span team, struct span box, struct span id);

#endif
