/* The search index of one source: its directory, and which segments are there. */
#include "store/search/index.h"

#include "base/file/retry.h"
#include "base/mem.h"
#include "store/source/home.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

uint64_t index_source(const struct source *source)
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

uint64_t index_segment_number(const char *name)
{
    char *end;
    uint64_t number = strtoull(name, &end, 16);

    return end == name + 16 && strcmp(end, ".segment") == 0 ? number : 0;
}

/* --- opening --- */

static int cmp_numbers(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

/* The numbers of all segments in the directory, in order; the caller frees them. */
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
        numbers = mem_grow(numbers, &cap, *count + 1, sizeof *numbers);
        numbers[(*count)++] = number;
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

    snprintf(name, sizeof name, "%016llx.segment", (unsigned long long)number);
    if (segment_open(&segment, dir, name, index_source(index->source), &err)) {
        segment.number = number;
        index->segments =
            mem_grow(index->segments, &index->cap, index->count + 1, sizeof *index->segments);
        index->segments[index->count++] = segment;
    } else if (err.scope != ERR_ABSENT) { /* which took another's place just now */
        index->damaged++;
        snprintf(index->problem, sizeof index->problem, "%s: %.180s", name, err.text);
    }
}

void index_open(struct search_index *index, const struct source *source)
{
    struct err ignored;
    size_t count;
    int dir;

    *index = (struct search_index){.source = source};
    if (!index_add_path(&index->path, source, false, &ignored))
        return;
    dir = retry_open(AT_FDCWD, str_c(&index->path), O_RDONLY | O_DIRECTORY | O_CLOEXEC, 0);
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
    uint64_t *numbers = list_numbers(str_c(&index->path), &count);
    bool same = count == index->number_count &&
                (!count || memcmp(numbers, index->numbers, count * sizeof *numbers) == 0);

    free(numbers);
    return same;
}

void index_distrust(struct search_index *index, size_t segment, bool drop, const struct err *why)
{
    struct str path = {0};

    if (drop) {
        str_addf(&path, "%s/%016llx.segment", str_c(&index->path),
                 (unsigned long long)index->segments[segment].number);
        unlink(str_c(&path));
        str_free(&path);
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

void index_attach(const struct search_index *index, struct census *census)
{
    for (size_t i = 0; i < census->count; i++)
        census->files[i].by = CENSUS_NONE;
    for (size_t i = 0; i < index->count; i++) {
        const struct segment *segment = &index->segments[i];
        for (uint32_t k = 0; k < segment->header.files; k++) {
            uint32_t known = census_find(census, segment_file_name(segment, k));
            struct stamp then = segment_file_stamp(segment, k);
            if (known == CENSUS_NONE || census->files[known].gone ||
                !stamp_holds(&then, &census->files[known].now))
                continue;
            census->files[known].by = (uint32_t)i;
            census->files[known].number = k;
        }
    }
}

/* --- deleting --- */

bool index_drop(const struct source *source, struct err *err)
{
    struct str path = {0};
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
    str_free(&path);
    return ok;
}
