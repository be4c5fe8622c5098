/* Stamps: the rule that git calls racy. */
#include "store/scan/stamp.h"

#include <time.h>

int64_t stamp_now_ns(void)
{
    struct timespec now;

    clock_gettime(CLOCK_REALTIME, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

struct stamp stamp_of(const struct file_id *id, int64_t read_ns)
{
    return (struct stamp){.size = id->size,
                          .mtime_ns = id->mtime_ns,
                          .ctime_ns = id->ctime_ns,
                          .ino = id->ino,
                          .read_ns = read_ns};
}

struct stamp stamp_of_open(int fd)
{
    int64_t now_ns = stamp_now_ns();
    struct file_id id;
    struct err ignored;

    return file_look_open(fd, &id, &ignored) ? stamp_of(&id, now_ns) : (struct stamp){0};
}

bool stamp_is_settled(const struct stamp *read)
{
    int64_t touched_ns = read->mtime_ns > read->ctime_ns ? read->mtime_ns : read->ctime_ns;

    return read->read_ns && touched_ns <= read->read_ns - STAMP_MARGIN_NS;
}

bool stamp_is_same(const struct stamp *a, const struct stamp *b)
{
    return a->size == b->size && a->mtime_ns == b->mtime_ns && a->ctime_ns == b->ctime_ns &&
           a->ino == b->ino;
}

bool stamp_holds(const struct stamp *read, const struct stamp *now)
{
    return stamp_is_settled(read) && stamp_is_same(read, now);
}
