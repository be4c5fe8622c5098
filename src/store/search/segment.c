/* A segment: opening it, and what is known of its files and docs. */
#include "store/search/segment.h"

#include "base/file/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "store/search/segment_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

bool segment_damaged(struct err *err, const char *what)
{
    return err_set(err, ERR_SOURCE, "a part of the search index is damaged: %s", what);
}

bool segment_read(const struct segment *segment, uint64_t at, void *out, size_t len,
                  struct err *err)
{
    return file_read_at(segment->fd, out, len, (int64_t)at) == len ||
           segment_damaged(err, errno ? strerror(errno) : "it ends too early");
}

void segment_close(struct segment *segment)
{
    close(segment->fd);
    free(segment->files);
    free(segment->docs);
    free(segment->newest);
    free(segment->names);
    *segment = (struct segment){.fd = -1};
}

static bool read_header(struct segment *segment, uint64_t source, struct err *err)
{
    struct segment_header *header = &segment->header;
    struct stat st;

    if (fstat(segment->fd, &st) < 0 || st.st_size < (off_t)sizeof *header)
        return segment_damaged(err, "it has no header");
    segment->bytes = (uint64_t)st.st_size;
    if (!segment_read(segment, 0, header, sizeof *header, err))
        return false;
    if (memcmp(header->magic, SEGMENT_MAGIC, sizeof header->magic) != 0)
        return segment_damaged(err, "it is no part of an index");
    if (header->endian != SEGMENT_ENDIAN || header->version != SEGMENT_VERSION)
        return err_set(err, ERR_SOURCE, "a part of the search index is of another version");
    struct span covered = {(const char *)header, offsetof(struct segment_header, sum)};
    if (header->sum != map_hash(covered, SEGMENT_SEED))
        return segment_damaged(err, "its header is not what was written");
    if (header->source != source)
        return segment_damaged(err, "it is of another mailbox");
    for (size_t i = 0; i < SECTION_COUNT; i++) {
        const struct segment_span *section = &header->sections[i];
        if (section->at > segment->bytes || section->len > segment->bytes - section->at)
            return segment_damaged(err, "it ends too early");
    }
    return true;
}

/* Checks a section and, where `kept` is not NULL, keeps its bytes there. */
static bool read_section(struct segment *segment, enum segment_section which, size_t expected,
                         void *kept_at, struct err *err)
{
    const struct segment_span *section = &segment->header.sections[which];
    void **kept = kept_at;
    uint64_t sum = SEGMENT_SEED;
    char *block = NULL;
    bool ok = true;

    if (expected != SIZE_MAX && section->len != expected)
        return segment_damaged(err, "its parts do not fit together");
    block = mem_alloc(kept ? section->len + 1 : SEGMENT_BLOCK);
    for (uint64_t at = 0; ok && at < section->len; at += SEGMENT_BLOCK) {
        uint64_t left = section->len - at;
        size_t len = left < SEGMENT_BLOCK ? (size_t)left : SEGMENT_BLOCK;
        char *to = kept ? block + at : block;
        ok = segment_read(segment, section->at + at, to, len, err);
        if (ok)
            sum = sum * 31 + map_hash((struct span){to, len}, sum);
    }
    if (ok && sum != section->sum)
        ok = segment_damaged(err, "it is not what was written");
    if (kept)
        *kept = block;
    else
        free(block);
    return ok;
}

/* Numbers lead to something that is there. Sums make it so unless somebody takes pains. */
static bool is_consistent(const struct segment *segment)
{
    const struct segment_header *header = &segment->header;
    uint64_t names = header->sections[SECTION_NAMES].len;
    bool fits = true;

    for (uint32_t i = 0; fits && i < header->files; i++)
        fits = (uint64_t)segment->files[i].name_at + segment->files[i].name_len <= names;
    for (uint32_t i = 0; fits && i < header->docs; i++)
        fits = segment->docs[i].file < header->files && segment->newest[i] < header->docs &&
               (uint64_t)segment->docs[i].id_at + segment->docs[i].id_len <= names;
    return fits;
}

static bool read_all(struct segment *segment, uint64_t source, struct err *err)
{
    const struct segment_header *header = &segment->header;

    return read_header(segment, source, err) &&
           read_section(segment, SECTION_FILES, header->files * sizeof *segment->files,
                        &segment->files, err) &&
           read_section(segment, SECTION_DOCS, header->docs * sizeof *segment->docs, &segment->docs,
                        err) &&
           read_section(segment, SECTION_NEWEST, header->docs * sizeof *segment->newest,
                        &segment->newest, err) &&
           read_section(segment, SECTION_NAMES, SIZE_MAX, &segment->names, err) &&
           read_section(segment, SECTION_KEYS, header->docs * sizeof(struct segment_key), NULL,
                        err) &&
           read_section(segment, SECTION_TERMS, header->terms * sizeof(struct segment_term), NULL,
                        err) &&
           read_section(segment, SECTION_TEXTS, SIZE_MAX, NULL, err) &&
           (is_consistent(segment) || segment_damaged(err, "its parts do not fit together"));
}

bool segment_open(struct segment *segment, int dir, const char *name, uint64_t source,
                  struct err *err)
{
    *segment = (struct segment){.fd = file_open_beneath(dir, name, O_RDONLY)};
    if (segment->fd < 0)
        return err_set(err, errno == ENOENT ? ERR_ABSENT : ERR_SOURCE,
                       "a part of the search index cannot be opened: %s", strerror(errno));
    if (read_all(segment, source, err))
        return true;
    segment_close(segment);
    return false;
}

struct span segment_file_name(const struct segment *segment, uint32_t file)
{
    return (struct span){segment->names + segment->files[file].name_at,
                         segment->files[file].name_len};
}

struct span segment_doc_id(const struct segment *segment, uint32_t doc)
{
    return (struct span){segment->names + segment->docs[doc].id_at, segment->docs[doc].id_len};
}

struct stamp segment_file_stamp(const struct segment *segment, uint32_t file)
{
    const struct segment_file *record = &segment->files[file];

    return (struct stamp){.size = record->size,
                          .mtime_ns = record->mtime_ns,
                          .ctime_ns = record->ctime_ns,
                          .ino = record->ino,
                          .read_ns = record->read_ns};
}
