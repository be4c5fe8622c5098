/* Building the search index: reads files that no segment knows into a new segment, which absorbs
 * smaller segments.
 *
 * Absorbing means reading their files again, not merging: entries of files that are gone or changed
 * disappear without further code, and there is only one way in which a segment is made. A segment
 * is absorbed if the messages to be written are at least a quarter of its own, so that each message
 * is read again only a few times while a mailbox grows, and there are few segments. */
#include "store/search/search_index.h"

#include "base/file/file.h"
#include "base/io_error.h"
#include "base/mem.h"
#include "base/time.h"
#include "store/scan/local_marks.h"
#include "store/scan/reader_pool.h"
#include "store/search/segment.h"
#include "store/source/our_paths.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

/* The index of one source: its directory and its segments. */

/* Returns the hash that all segments of a source have in their header. */
static uint64_t index_source(const struct source *source)
{
    uint64_t hash = map_hash(span_of(source->format->name), SEGMENT_SEED);

    return hash << 32 | map_hash(span_of(source->path), hash);
}

bool index_add_path(struct str *path, const struct source *source, bool make, struct err *err)
{
    char name[40];

    snprintf(name, sizeof name, "search/%016llx", (unsigned long long)index_source(source));
    return home_cache(path, name, make, err);
}

static void segment_name(char name[40], uint64_t number)
{
    snprintf(name, 40, "%016llx.segment", (unsigned long long)number);
}

/* Returns the number in a segment's file name; 0: not a segment. */
static uint64_t index_segment_number(const char *name)
{
    char *end;
    uint64_t number = strtoull(name, &end, 16);

    return end == name + 16 && strcmp(end, ".segment") == 0 ? number : 0;
}

/* Opening. */

static int cmp_numbers(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

/* Returns the numbers of all segments in the directory, in order; the caller frees them. */
static uint64_t *list_numbers(const char *path, size_t *count)
{
    DIR *dir = retry_opendir(path);
    uint64_t *numbers = NULL;
    size_t cap = 0;
    struct dirent *entry;

    *count = 0;
    while (dir && (entry = retry_readdir(dir))) {
        uint64_t number = index_segment_number(entry->d_name);
        if (!number)
            continue;
        *mem_push(numbers, *count, cap) = number;
    }
    if (dir)
        closedir(dir);
    if (*count)
        qsort(numbers, *count, sizeof *numbers, cmp_numbers);
    return numbers;
}

static void open_segment(struct search_index *index, int dir, uint64_t number)
{
    struct segment segment;
    struct err err;
    char name[40];

    segment_name(name, number);
    if (segment_open(&segment, dir, name, index_source(index->source), &err)) {
        segment.number = number;
        *mem_push(index->segments, index->count, index->cap) = segment;
    } else if (err.scope != ERR_ABSENT) { /* another segment has just replaced it */
        index->damaged++;
        snprintf(index->problem, sizeof index->problem, "%s: %.180s", name, err.text);
    }
}

void index_open(struct search_index *index, const struct source *source)
{
    size_t count;

    *index = (struct search_index){.source = source};
    if (!index_add_path(&index->path, source, false, NULL))
        return;
    int dir = retry_open(AT_FDCWD, str_c(&index->path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
    if (dir < 0)
        return;
    uint64_t *numbers = list_numbers(str_c(&index->path), &count);
    for (size_t i = 0; i < count; i++)
        open_segment(index, dir, numbers[i]);
    index->numbers = numbers;
    index->number_count = count;
    close(dir);
}

void index_close(struct search_index *index)
{
    for (size_t i = 0; i < index->count; i++)
        segment_close(&index->segments[i]);
    free(index->segments);
    free(index->numbers);
    str_free(&index->path);
    *index = (struct search_index){0};
}

bool index_is_current(const struct search_index *index)
{
    size_t count;
    CLEANUP(mem_free) uint64_t *numbers = list_numbers(str_c(&index->path), &count);

    return count == index->number_count &&
           (!count || memcmp(numbers, index->numbers, count * sizeof *numbers) == 0);
}

void index_distrust(struct search_index *index, size_t segment, bool drop, const struct err *why)
{
    CLEANUP(str_free) struct str path = {0};
    char name[40];

    if (drop) {
        segment_name(name, index->segments[segment].number);
        str_addf(&path, "%s/%s", str_c(&index->path), name);
        unlink(str_c(&path));
    }
    segment_close(&index->segments[segment]);
    memmove(&index->segments[segment], &index->segments[segment + 1],
            (index->count - segment - 1) * sizeof *index->segments);
    index->count--;
    index->damaged++;
    snprintf(index->problem, sizeof index->problem, "%.250s", why->text);
}

void index_check(struct search_index *index)
{
    struct err err;

    for (size_t i = index->count; i-- > 0;)
        if (!segment_check(&index->segments[i], &err))
            index_distrust(index, i, false, &err);
}

void index_attach(const struct search_index *index, struct file_census *census)
{
    for (size_t i = 0; i < census->count; i++)
        census->files[i].by = FILE_CENSUS_NONE;
    for (size_t i = 0; i < index->count; i++) {
        const struct segment *segment = &index->segments[i];
        for (uint32_t k = 0; k < segment->header.files; k++) {
            uint32_t known = file_census_find(census, segment_file_name(segment, k));
            struct stamp then = segment_file_stamp(segment, k);
            if (known == FILE_CENSUS_NONE || census->files[known].gone ||
                !file_stamp_holds(&then, &census->files[known].now))
                continue;
            census->files[known].by = (uint32_t)i;
            census->files[known].number = k;
        }
    }
}

/* Deleting. */

bool index_drop(const struct source *source, struct err *err)
{
    CLEANUP(str_free) struct str path = {0};
    DIR *dir = NULL;
    struct dirent *entry;
    bool ok = index_add_path(&path, source, false, err);

    if (ok)
        dir = retry_opendir(str_c(&path));
    while (dir && ok && (entry = retry_readdir(dir))) {
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (unlinkat(dirfd(dir), entry->d_name, 0) < 0 && errno != ENOENT)
            ok = err_set(err, ERR_SOURCE, "%s/%s: it cannot be deleted: %s", str_c(&path),
                         entry->d_name, strerror(errno));
    }
    if (dir)
        closedir(dir);
    if (dir && ok && rmdir(str_c(&path)) < 0 && errno != ENOENT && errno != ENOTEMPTY)
        ok =
            err_set(err, ERR_SOURCE, "%s: it cannot be deleted: %s", str_c(&path), strerror(errno));
    return ok;
}

enum {
    SEGMENT_BYTES_MAX = 96 << 20, /* of memory; then another segment is begun */
    BATCH_MESSAGES = 512,
    PROGRESS_FILES = 256,
    TAKEN_IN_BELOW = 4,
    MESSAGE_BYTES = 4096, /* average per message in a file with many */
};

struct building {
    const struct source *source;
    struct index_build *build;
    struct state *state;
    int dir; /* of the index */
    struct search_index index;
    struct file_census census;
    bool *taken_in; /* by segment: absorb it */
    struct local_marks overlay;
    struct batch batch;
    struct reader reader;
    struct segment_writer *writer;
    uint64_t next_number;
    size_t total, done;
};

static bool is_stopped(const struct building *b)
{
    return b->build->stop && atomic_load(b->build->stop);
}

/* The lock. */

/* Returns -1 with errno on failure; EWOULDBLOCK if another process has it. */
static int take_lock(int dir)
{
    int fd = retry_open(dir, "lock", O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600);

    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) == 0)
        return fd;
    int saved = errno;
    if (fd >= 0)
        close(fd);
    errno = saved;
    return -1;
}

bool index_is_busy(const struct source *source)
{
    CLEANUP(str_free) struct str path = {0};
    bool busy = false;
    int fd = -1;

    if (index_add_path(&path, source, false, NULL)) {
        str_puts(&path, "/lock");
        fd = retry_open(AT_FDCWD, str_c(&path), O_RDONLY | O_CLOEXEC | O_NOFOLLOW, 0);
    }
    if (fd >= 0) {
        busy = flock(fd, LOCK_SH | LOCK_NB) < 0 && errno == EWOULDBLOCK;
        close(fd);
    }
    return busy;
}

/* Segments. */

static bool put_segment(struct building *b, struct err *err)
{
    char temp[40], name[40];
    bool ok = true;

    if (segment_writer_files(b->writer)) {
        snprintf(temp, sizeof temp, "new.%ld", (long)getpid());
        segment_name(name, b->next_number);
        int fd =
            retry_open(b->dir, temp, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW, 0600);
        ok = fd >= 0 || err_set(err, ERR_SOURCE, "%s: the search index cannot be written: %s",
                                str_c(&b->index.path), strerror(errno));
        ok = ok && segment_writer_put(b->writer, fd, time_now(), err);
        if (fd >= 0 && retry_close(fd) < 0)
            ok = ok && err_set(err, ERR_SOURCE, "the search index cannot be written: %s",
                               strerror(errno));
        if (ok && renameat(b->dir, temp, b->dir, name) < 0)
            ok =
                err_set(err, ERR_SOURCE, "the search index cannot be written: %s", strerror(errno));
        if (!ok)
            unlinkat(b->dir, temp, 0);
        b->next_number += ok;
    }
    segment_writer_free(b->writer);
    b->writer = segment_writer_new(index_source(b->source));
    return ok;
}

/* Deletes what earlier builds have left: unfinished files, and damaged segments. */
static void clear_dir(struct building *b)
{
    DIR *dir = retry_opendir(str_c(&b->index.path));
    struct dirent *entry;

    while (dir && (entry = retry_readdir(dir))) {
        uint64_t number = index_segment_number(entry->d_name);
        bool known = false;
        if (number >= b->next_number)
            b->next_number = number + 1;
        for (size_t i = 0; number && i < b->index.count; i++)
            known |= b->index.segments[i].number == number;
        if (strncmp(entry->d_name, "new.", 4) == 0 || (number && !known))
            unlinkat(b->dir, entry->d_name, 0);
    }
    if (dir)
        closedir(dir);
}

/* Choosing what to read. */

static bool is_young(const struct file_census_file *file)
{
    struct stamp now = file->now;

    now.read_ns = file_stamp_now_ns();
    return !file->copy && !file_stamp_is_settled(&now);
}

static bool is_wanted(const struct building *b, const struct file_census_file *file)
{
    return !file->gone && !is_young(file) &&
           (file->by == FILE_CENSUS_NONE || b->taken_in[file->by]);
}

static int cmp_sizes(const void *a, const void *b)
{
    const struct segment *left = *(const struct segment *const *)a,
                         *right = *(const struct segment *const *)b;

    return (left->header.docs > right->header.docs) - (left->header.docs < right->header.docs);
}

/* Chooses the segments to absorb: the smaller ones first, as long as the messages to write are not
 * few compared to them; and any that mostly has files that are gone or have changed. */
static void choose_segments(struct building *b, size_t docs)
{
    size_t count = b->index.count;
    CLEANUP(mem_free) const struct segment **sorted = mem_alloc((count + 1) * sizeof *sorted);
    CLEANUP(mem_free) size_t *live = mem_zero(count + 1, sizeof *live);

    for (size_t i = 0; i < b->census.count; i++)
        if (b->census.files[i].by != FILE_CENSUS_NONE)
            live[b->census.files[i].by]++;
    for (size_t i = 0; i < count; i++)
        sorted[i] = &b->index.segments[i];
    qsort(sorted, count, sizeof *sorted, cmp_sizes);
    for (size_t i = 0; i < count; i++) {
        size_t which = (size_t)(sorted[i] - b->index.segments);
        b->taken_in[which] = b->build->anew || live[which] * 2 < sorted[i]->header.files ||
                             (docs && docs * TAKEN_IN_BELOW >= sorted[i]->header.docs);
        if (b->taken_in[which])
            docs += sorted[i]->header.docs;
    }
}

size_t index_work(const struct file_census_file *file)
{
    return 1 + (size_t)file->now.size / MESSAGE_BYTES;
}

/* Returns the work of reading files that no segment knows: those that were changed just now, or the
 * settled ones. */
static size_t count_unknown(const struct file_census *census, bool young)
{
    size_t count = 0;

    for (size_t i = 0; i < census->count; i++)
        if (!census->files[i].gone && census->files[i].by == FILE_CENSUS_NONE &&
            is_young(&census->files[i]) == young)
            count += index_work(&census->files[i]);
    return count;
}

static bool is_worth_it(const struct index_build *build, const struct file_census *census)
{
    size_t unknown = count_unknown(census, false);

    return build->anew || (unknown >= build->least && (!build->most || unknown <= build->most));
}

/* Like is_worth_it(), but before anything is created. */
static bool check_first(const struct source *source, struct state *state, struct index_build *build,
                        bool *worth, struct err *err)
{
    CLEANUP(index_close) struct search_index index = {0};
    CLEANUP(file_census_free) struct file_census census = {0};

    *worth = true;
    if (build->anew || !build->least)
        return true;
    index_open(&index, source);
    if (!file_census_take(&census, source, state, err))
        return false;
    index_attach(&index, &census);
    *worth = is_worth_it(build, &census);
    build->young = count_unknown(&census, true);
    return true;
}

/* Reading. */

static void add_docs(struct building *b, const struct file_census_file *file,
                     const struct stamp *stamp, size_t first)
{
    segment_writer_file(b->writer, file->path, stamp);
    for (size_t i = first; i < b->batch.count; i++)
        segment_writer_doc(b->writer, &b->batch.items[i]);
    b->build->files++;
    b->build->docs += b->batch.count - first;
}

/* Reads a file into the new segment. Leaves out a file that cannot be read now: a search reads it
 * then. */
static void read_file(struct building *b, const struct file_census_file *file, int dir)
{
    size_t first = b->batch.count;
    struct stamp stamp = file->now;
    struct err err = {0};

    stamp.read_ns = file_stamp_now_ns();
    if (file->copy) {
        if (local_marks_copy(&b->overlay, file->copy, WANT_DATA | WANT_BODY, &b->batch, &err))
            add_docs(b, file, &stamp, first);
        else
            io_error_note_err(&err);
    } else if (dir >= 0) {
        enum file_result result =
            reader_read(&b->reader, file->place, dir, file->name, true, false, &err);
        stamp = file_stamp_of(&b->reader.id, stamp.read_ns);
        if (result == FILE_OK && file_stamp_is_settled(&stamp))
            add_docs(b, file, &stamp, first);
        if (result == FILE_FAILED && !b->reader.has_bytes)
            io_error_note(IO_ERROR_MAIL, file->path.at, err.text);
    }
    if (b->batch.count >= BATCH_MESSAGES) {
        batch_free(&b->batch);
        reader_new_batch(&b->reader);
    }
}

static bool read_all(struct building *b, struct err *err)
{
    const struct place *place = NULL;
    bool ok = true;
    int dir = -1;

    for (size_t i = 0; ok && i < b->census.count && !is_stopped(b); i++) {
        const struct file_census_file *file = &b->census.files[i];
        if (!is_wanted(b, file))
            continue;
        if (file->place != place && !file->copy) {
            if (dir >= 0)
                close(dir);
            dir = source_dir(b->source, file->place->dir.at);
            place = file->place;
            if (dir < 0)
                io_error_note_errno(place->dir.at);
        }
        read_file(b, file, dir);
        if (++b->done % PROGRESS_FILES == 0 && b->build->progress)
            b->build->progress(b->build->context, b->done, b->total);
        if (segment_writer_bytes(b->writer) > SEGMENT_BYTES_MAX)
            ok = put_segment(b, err);
    }
    if (dir >= 0)
        close(dir);
    return put_segment(b, err) && ok;
}

static void remove_taken_in(struct building *b)
{
    char name[40];

    for (size_t i = 0; i < b->index.count; i++) {
        segment_name(name, b->index.segments[i].number);
        if (b->taken_in[i])
            unlinkat(b->dir, name, 0);
    }
}

/* Takes one census of the files, and builds what is needed. */
static bool build_once(struct building *b, struct err *err)
{
    index_close(&b->index);
    index_open(&b->index, b->source);
    clear_dir(b);
    if (!file_census_take(&b->census, b->source, b->state, err))
        return false;
    index_attach(&b->index, &b->census);
    b->build->young = count_unknown(&b->census, true);
    if (!is_worth_it(b->build, &b->census))
        return true;
    free(b->taken_in);
    b->taken_in = mem_zero(b->index.count + 1, sizeof *b->taken_in);
    choose_segments(b, count_unknown(&b->census, false));
    b->total = b->done = 0;
    for (size_t i = 0; i < b->census.count; i++)
        b->total += is_wanted(b, &b->census.files[i]);
    if (!b->total)
        return true;
    if (!read_all(b, err))
        return false;
    if (!is_stopped(b))
        remove_taken_in(b);
    if (b->build->progress)
        b->build->progress(b->build->context, b->done, b->total);
    return true;
}

/* Waits until the youngest file is old enough; false when there is none to wait for. */
static bool wait_for_young(const struct building *b)
{
    int64_t now_ns = file_stamp_now_ns(), last_ns = 0;

    for (size_t i = 0; i < b->census.count; i++) {
        const struct stamp *stamp = &b->census.files[i].now;
        int64_t touched_ns = stamp->mtime_ns > stamp->ctime_ns ? stamp->mtime_ns : stamp->ctime_ns;
        if (is_young(&b->census.files[i]) && !b->census.files[i].gone && touched_ns <= now_ns &&
            touched_ns > last_ns)
            last_ns = touched_ns;
    }
    if (!last_ns)
        return false;
    time_sleep((last_ns + FILE_STAMP_MARGIN_NS - now_ns) / 1000 + 20000);
    return true;
}

static bool build_segment(struct building *b, struct err *err)
{
    if (!local_marks_open(&b->overlay, b->source, b->state, (struct span){0}, err))
        return false;
    b->next_number = 1;
    b->writer = segment_writer_new(index_source(b->source));
    b->reader =
        (struct reader){.source = b->source, .batch = &b->batch, .want = WANT_DATA | WANT_BODY};
    bool ok = build_once(b, err);
    if (ok && b->build->patient && !is_stopped(b) && wait_for_young(b)) {
        b->build->anew = false;
        b->build->least = 0;
        ok = build_once(b, err);
    }
    segment_writer_free(b->writer);
    reader_free(&b->reader);
    batch_free(&b->batch);
    local_marks_free(&b->overlay);
    file_census_free(&b->census);
    index_close(&b->index);
    free(b->taken_in);
    return ok;
}

bool index_update(const struct source *source, struct state *state, struct index_build *build_,
                  struct err *err)
{
    struct building b = {.source = source, .build = build_, .state = state, .dir = -1};
    CLEANUP(str_free) struct str path = {0};
    int lock = -1;
    bool worth = false;

    build_->files = build_->docs = build_->young = 0;
    build_->busy = false;
    bool ok = check_first(source, state, build_, &worth, err);
    if (!ok || !worth)
        return ok;
    ok = index_add_path(&path, source, true, err);
    if (ok) {
        b.dir = retry_open(AT_FDCWD, str_c(&path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
        if (b.dir >= 0)
            lock = take_lock(b.dir);
        build_->busy = b.dir >= 0 && lock < 0 && errno == EWOULDBLOCK;
        ok = lock >= 0 || build_->busy ||
             err_set(err, ERR_SOURCE, "%s: the search index cannot be written: %s", str_c(&path),
                     strerror(errno));
    }
    if (lock >= 0)
        ok = build_segment(&b, err);
    if (lock >= 0)
        close(lock);
    if (b.dir >= 0)
        close(b.dir);
    return ok;
}
