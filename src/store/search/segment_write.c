/* Writing a segment: files and docs as they come, and all of it sorted into one file. */
#include "store/search/segment_write.h"

#include "base/file/file.h"
#include "base/mem.h"
#include "store/search/segment_write_private.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

struct segment_writer *segment_writer_new(uint64_t source)
{
    struct segment_writer *writer = mem_zero(1, sizeof *writer);

    writer->source = source;
    writer->seed = map_seed();
    writer->slot_count = SLOTS_FIRST;
    writer->slots = mem_zero(writer->slot_count, sizeof *writer->slots);
    return writer;
}

void segment_writer_free(struct segment_writer *writer)
{
    for (size_t i = 0; i < writer->term_count; i++)
        free(writer->terms[i].postings);
    free(writer->terms);
    free(writer->slots);
    free(writer->touched);
    free(writer->met);
    str_free(&writer->met_texts);
    free(writer->files);
    free(writer->docs);
    free(writer->keys);
    arena_free(&writer->arena);
    str_free(&writer->names);
    free(writer);
}

uint64_t segment_key_of(struct span team, struct span box, struct span id)
{
    uint64_t hash = map_hash(team, SEGMENT_SEED);

    hash = hash << 32 | map_hash(box, hash ^ SEGMENT_SEED);
    return hash * UINT64_C(0x9e3779b97f4a7c15) +
           ((uint64_t)map_hash(id, hash) << 32 | map_hash(id, ~hash));
}

static uint32_t add_name(struct segment_writer *writer, struct span name)
{
    size_t at = writer->names.len;

    str_add_span(&writer->names, name);
    return (uint32_t)at;
}

void segment_writer_file(struct segment_writer *writer, struct span name, const struct stamp *stamp)
{
    writer->files =
        mem_grow(writer->files, &writer->file_cap, writer->file_count + 1, sizeof *writer->files);
    writer->files[writer->file_count++] = (struct segment_file){.size = stamp->size,
                                                                .mtime_ns = stamp->mtime_ns,
                                                                .ctime_ns = stamp->ctime_ns,
                                                                .ino = stamp->ino,
                                                                .read_ns = stamp->read_ns,
                                                                .name_at = add_name(writer, name),
                                                                .name_len = (uint32_t)name.len};
    writer->bytes += sizeof *writer->files + name.len;
}

void segment_writer_doc(struct segment_writer *writer, const struct message *message)
{
    struct segment_doc doc = {.created_us = message->created_us,
                              .file = (uint32_t)writer->file_count - 1,
                              .raw_at = message->raw_at,
                              .raw_len = message->raw_len,
                              .id_at = add_name(writer, message->id),
                              .id_len = (uint32_t)message->id.len,
                              .words = segment_add_words(writer, message)};

    writer->docs =
        mem_grow(writer->docs, &writer->doc_cap, writer->doc_count + 1, sizeof *writer->docs);
    writer->keys =
        mem_grow(writer->keys, &writer->key_cap, writer->doc_count + 1, sizeof *writer->keys);
    writer->keys[writer->doc_count] = (struct segment_key){
        .hash = segment_key_of(message->place->team, message->place->box, message->id),
        .doc = (uint32_t)writer->doc_count};
    writer->docs[writer->doc_count++] = doc;
    writer->files[writer->file_count - 1].docs++;
    writer->bytes += sizeof doc + sizeof *writer->keys + message->id.len;
}

size_t segment_writer_files(const struct segment_writer *writer)
{
    return writer->file_count;
}

size_t segment_writer_bytes(const struct segment_writer *writer)
{
    return writer->bytes;
}

/* --- the file --- */

/* Bytes on their way, block by block, so that sums are taken as readers take them. */
struct output {
    int fd;
    struct str block;
    uint64_t at;
    struct segment_span *section;
    bool failed;
};

static void put_block(struct output *out)
{
    struct segment_span *section = out->section;

    if (!out->block.len)
        return;
    section->sum = section->sum * 31 + map_hash(str_span(&out->block), section->sum);
    section->len += out->block.len;
    out->at += out->block.len;
    out->failed = out->failed || !file_write_all(out->fd, str_span(&out->block));
    str_clear(&out->block);
}

static void begin_section(struct output *out, struct segment_span *section)
{
    out->section = section;
    *section = (struct segment_span){.at = out->at, .sum = SEGMENT_SEED};
}

static void put_bytes(struct output *out, const void *bytes, size_t len)
{
    const char *from = bytes;

    while (len) {
        size_t room = SEGMENT_BLOCK - out->block.len, part = len < room ? len : room;
        str_add(&out->block, from, part);
        from += part;
        len -= part;
        if (out->block.len == SEGMENT_BLOCK)
            put_block(out);
    }
}

static struct span text_of(const struct term *term)
{
    return (struct span){term->text, term->text_len};
}

static struct span postings_of(const struct term *term)
{
    return (struct span){(const char *)term->postings, term->len};
}

static int cmp_terms(const void *a, const void *b)
{
    const struct term *left = *(const struct term *const *)a,
                      *right = *(const struct term *const *)b;
    int order = memcmp(left->start, right->start, TERM_START);

    return order ? order : span_cmp(text_of(left), text_of(right));
}

static int cmp_keys(const void *a, const void *b)
{
    const struct segment_key *left = a, *right = b;

    if (left->hash != right->hash)
        return left->hash < right->hash ? -1 : 1;
    return (left->doc > right->doc) - (left->doc < right->doc);
}

/* A doc with what decides where it stands. */
struct dated {
    int64_t created_us;
    struct span id;
    uint32_t doc;
};

/* The newest first, as message_cmp_time() has it the other way around. */
static int cmp_newest(const void *a, const void *b)
{
    const struct dated *left = a, *right = b;

    if (left->created_us != right->created_us)
        return left->created_us < right->created_us ? 1 : -1;
    int order = span_cmp(right->id, left->id);
    return order ? order : (left->doc < right->doc) - (left->doc > right->doc);
}

static void put_newest(struct output *out, const struct segment_writer *writer)
{
    struct dated *dated = mem_alloc((writer->doc_count + 1) * sizeof *dated);

    for (size_t i = 0; i < writer->doc_count; i++) {
        const struct segment_doc *doc = &writer->docs[i];
        dated[i] = (struct dated){
            doc->created_us, {str_c(&writer->names) + doc->id_at, doc->id_len}, (uint32_t)i};
    }
    qsort(dated, writer->doc_count, sizeof *dated, cmp_newest);
    for (size_t i = 0; i < writer->doc_count; i++)
        put_bytes(out, &dated[i].doc, sizeof dated[i].doc);
    free(dated);
}

static void put_terms(struct output *out, const struct segment_writer *writer,
                      struct segment_header *header)
{
    const struct term **sorted = mem_alloc((writer->term_count + 1) * sizeof *sorted);
    struct segment_term term = {0};

    for (size_t i = 0; i < writer->term_count; i++)
        sorted[i] = &writer->terms[i];
    qsort(sorted, writer->term_count, sizeof *sorted, cmp_terms);
    begin_section(out, &header->sections[SECTION_TERMS]);
    for (size_t i = 0; i < writer->term_count; i++) {
        term.at += term.len;
        term.text_at += term.text_len;
        term.len = sorted[i]->len;
        term.text_len = sorted[i]->text_len;
        term.sum = map_hash(postings_of(sorted[i]), SEGMENT_SEED);
        put_bytes(out, &term, sizeof term);
    }
    put_block(out);
    begin_section(out, &header->sections[SECTION_TEXTS]);
    for (size_t i = 0; i < writer->term_count; i++)
        put_bytes(out, sorted[i]->text, sorted[i]->text_len);
    put_block(out);
    begin_section(out, &header->sections[SECTION_POSTINGS]);
    for (size_t i = 0; i < writer->term_count; i++)
        put_bytes(out, sorted[i]->postings, sorted[i]->len);
    put_block(out);
    free(sorted);
}

static void put_section(struct output *out, struct segment_header *header,
                        enum segment_section section, const void *bytes, size_t len)
{
    begin_section(out, &header->sections[section]);
    put_bytes(out, bytes, len);
    put_block(out);
}

/* Everything but the header goes first: a file without one is no segment. */
bool segment_writer_put(struct segment_writer *writer, int fd, int64_t now_us, struct err *err)
{
    struct segment_header header = {.magic = SEGMENT_MAGIC,
                                    .version = SEGMENT_VERSION,
                                    .endian = SEGMENT_ENDIAN,
                                    .source = writer->source,
                                    .made_us = now_us,
                                    .files = (uint32_t)writer->file_count,
                                    .docs = (uint32_t)writer->doc_count,
                                    .terms = (uint32_t)writer->term_count};
    struct output out = {.fd = fd, .at = sizeof header};

    if (writer->doc_count)
        qsort(writer->keys, writer->doc_count, sizeof *writer->keys, cmp_keys);
    out.failed = lseek(fd, sizeof header, SEEK_SET) < 0;
    put_section(&out, &header, SECTION_FILES, writer->files,
                writer->file_count * sizeof *writer->files);
    put_section(&out, &header, SECTION_DOCS, writer->docs,
                writer->doc_count * sizeof *writer->docs);
    begin_section(&out, &header.sections[SECTION_NEWEST]);
    put_newest(&out, writer);
    put_block(&out);
    put_section(&out, &header, SECTION_KEYS, writer->keys,
                writer->doc_count * sizeof *writer->keys);
    put_section(&out, &header, SECTION_NAMES, writer->names.at, writer->names.len);
    put_terms(&out, writer, &header);
    header.sum = map_hash(
        (struct span){(const char *)&header, offsetof(struct segment_header, sum)}, SEGMENT_SEED);
    bool ok = !out.failed && lseek(fd, 0, SEEK_SET) == 0 &&
              file_write_all(fd, (struct span){(const char *)&header, sizeof header});
    str_free(&out.block);
    return ok ||
           err_set(err, ERR_SOURCE, "the search index cannot be written: %s", strerror(errno));
}
