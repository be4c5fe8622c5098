/* Stamps: whether a file is still what it was when it was read, told without reading it.
 *
 * Sizes and times can stay the same while the bytes change, when that happens within one tick of
 * the clock that files are stamped with. So a stamp is only trusted when the file was last touched
 * well before it was read. The time of the last change of any kind is part of it: that one nobody
 * can set back. */
#ifndef STORE_SCAN_STAMP_H
#define STORE_SCAN_STAMP_H

#include "base/file/file.h"

/* So much older than the moment of reading a file must be. */
#define STAMP_MARGIN_NS INT64_C(2000000000)

struct stamp {
    int64_t size, mtime_ns, ctime_ns;
    uint64_t ino;
    int64_t read_ns; /* by the clock, right before it was read; 0: it was not */
};

/* The clock that files are stamped with. */
int64_t stamp_now_ns(void);

struct stamp stamp_of(const struct file_id *id, int64_t read_ns);

/* Of what is open, about to be read. All zero, and never trusted, when it cannot be looked at. */
struct stamp stamp_of_open(int fd);

/* Whether what was read then can be trusted at all. */
bool stamp_is_settled(const struct stamp *read);
/* Whether a file looked the same both times. */
bool stamp_is_same(const struct stamp *a, const struct stamp *b);
/* Whether a file that looks like that now holds what was read. */
bool stamp_holds(const struct stamp *read, const struct stamp *now);

#endif
