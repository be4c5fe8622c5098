/* Writing a segment: collects a list of postings for each word. */
#include "store/search/segment_write.h"

#include "base/file/file.h"
#include "base/mem.h"
#include "base/text/words.h"
#include "mail/query/query.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Appends a number. Needs room for NUMBER_BYTES. */
static void put_number(struct term *term, uint32_t value)
{
    unsigned char *to = term->postings + term->len;

    for (; value >= 0x80; value >>= 7)
        *to++ = (unsigned char)(value | 0x80);
    *to++ = (unsigned char)value;
    term->len = (uint32_t)(to - term->postings);
}

static void make_room(struct segment_writer *writer, struct term *term)
{
    if (term->cap - term->len >= 3 * NUMBER_BYTES)
        return;
    uint32_t cap = term->cap ? term->cap * 2 : 4 * NUMBER_BYTES;
    term->postings = mem_resize(term->postings, cap, 1);
    writer->bytes += cap - term->cap;
    term->cap = cap;
}

static bool is_term(const struct term *term, struct span word)
{
    if (term->text_len != word.len)
        return false;
    size_t near = word.len < TERM_START ? word.len : TERM_START;
    return memcmp(term->start, word.at, near) == 0 &&
           (near == word.len || memcmp(term->text, word.at, word.len) == 0);
}

static void double_slots(struct segment_writer *writer)
{
    size_t count = writer->slot_count * 2;
    struct slot *slots = mem_zero(count, sizeof *slots);

    for (size_t i = 0; i < writer->slot_count; i++) {
        size_t at = writer->slots[i].hash & (count - 1);
        while (writer->slots[i].hash && slots[at].hash)
            at = (at + 1) & (count - 1);
        if (writer->slots[i].hash)
            slots[at] = writer->slots[i];
    }
    free(writer->slots);
    writer->slots = slots;
    writer->slot_count = count;
}

static uint32_t add_term(struct segment_writer *writer, struct span word)
{
    struct term term = {
        .doc = NO_DOC, .text_len = (uint32_t)word.len, .text = arena_copy(&writer->arena, word).at};

    memcpy(term.start, word.at, word.len < TERM_START ? word.len : TERM_START);
    *mem_push(writer->terms, writer->term_count, writer->term_cap) = term;
    writer->bytes += sizeof term + 2 * sizeof(struct slot) + word.len;
    return (uint32_t)writer->term_count - 1;
}

/* Returns the slot of a word, or the free slot where it belongs. */
static struct slot *find_slot(const struct segment_writer *writer, uint32_t hash, struct span word)
{
    size_t mask = writer->slot_count - 1, at = hash & mask;

    while (writer->slots[at].hash && !(writer->slots[at].hash == hash &&
                                       is_term(&writer->terms[writer->slots[at].term], word)))
        at = (at + 1) & mask;
    return &writer->slots[at];
}

static uint32_t term_number(struct segment_writer *writer, uint32_t hash, struct span word)
{
    struct slot *slot = find_slot(writer, hash, word);

    if (slot->hash)
        return slot->term;
    uint32_t number = add_term(writer, word);
    *slot = (struct slot){hash, number};
    if (writer->term_count * 2 > writer->slot_count)
        double_slots(writer);
    return number;
}

static void meet_words(struct segment_writer *writer, const struct message *message)
{
    uint32_t place = 0;
    struct words words;
    struct word word;

    writer->met_count = 0;
    str_clear(&writer->met_texts);
    for (unsigned part = 0; part < QUERY_PART_COUNT; part++, place++) {
        words_begin(&words, query_part(message, part));
        while (words_next(&words, &word)) {
            struct met met = {.hash = map_hash(word.text, writer->seed),
                              .at = (uint32_t)writer->met_texts.len,
                              .len = (uint32_t)word.text.len,
                              .place = place,
                              .part = (uint8_t)part};
            __builtin_prefetch(&writer->slots[met.hash & (writer->slot_count - 1)]);
            str_add_span(&writer->met_texts, word.text);
            *mem_push(writer->met, writer->met_count, writer->met_cap) = met;
            place++;
        }
    }
}

static void number_words(struct segment_writer *writer)
{
    for (size_t i = 0; i < writer->met_count; i++) {
        const struct slot *slot = &writer->slots[writer->met[i].hash & (writer->slot_count - 1)];
        if (slot->hash)
            __builtin_prefetch(&writer->terms[slot->term]);
    }
    for (size_t i = 0; i < writer->met_count; i++) {
        struct met *met = &writer->met[i];
        struct span text = {writer->met_texts.at + met->at, met->len};
        met->term = term_number(writer, met->hash, text);
        const struct term *term = &writer->terms[met->term];
        if (term->postings)
            __builtin_prefetch(term->postings + term->len, 1);
    }
}

static void add_place(struct segment_writer *writer, const struct met *met)
{
    uint32_t doc = (uint32_t)writer->doc_count;
    struct term *term = &writer->terms[met->term];

    make_room(writer, term); /* for the two numbers here, and the end of the doc */
    if (!term->parts) {      /* first time in this doc */
        put_number(term, doc - term->doc);
        term->doc = doc;
        term->place = UINT32_MAX;
        *mem_push(writer->touched, writer->touched_count, writer->touched_cap) = met->term;
    }
    put_number(term, met->place - term->place + POSTING_PLACE - 1);
    term->place = met->place;
    term->parts |= (uint8_t)(1u << met->part);
}

/* Adds all words of the next doc. Returns their number. */
static uint32_t segment_add_words(struct segment_writer *writer, const struct message *message)
{
    meet_words(writer, message);
    number_words(writer);
    for (size_t i = 0; i < writer->met_count; i++)
        add_place(writer, &writer->met[i]);
    for (size_t i = 0; i < writer->touched_count; i++) {
        struct term *term = &writer->terms[writer->touched[i]];
        put_number(term, term->parts);
        term->parts = 0;
    }
    writer->touched_count = 0;
    return (uint32_t)writer->met_count;
}

/* Collecting files and docs, and writing them sorted into one file. */

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
    *mem_push(writer->files, writer->file_count, writer->file_cap) =
        (struct segment_file){.size = stamp->size,
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

    writer->keys =
        mem_grow(writer->keys, &writer->key_cap, writer->doc_count + 1, sizeof *writer->keys);
    writer->keys[writer->doc_count] = (struct segment_key){
        .hash = segment_key_of(message->place->team, message->place->box, message->id),
        .doc = (uint32_t)writer->doc_count};
    *mem_push(writer->docs, writer->doc_count, writer->doc_cap) = doc;
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

/* The file. */

/* Output, written block by block, so that sums cover the same blocks as those of readers. */
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

/* A doc with its sort key. */
struct dated {
    int64_t created_us;
    struct span id;
    uint32_t doc;
};

/* Sorts the newest first: the reverse of message_cmp_time(). */
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
    CLEANUP(mem_free) struct dated *dated = mem_alloc((writer->doc_count + 1) * sizeof *dated);

    for (size_t i = 0; i < writer->doc_count; i++) {
        const struct segment_doc *doc = &writer->docs[i];
        dated[i] = (struct dated){
            doc->created_us, {str_c(&writer->names) + doc->id_at, doc->id_len}, (uint32_t)i};
    }
    qsort(dated, writer->doc_count, sizeof *dated, cmp_newest);
    for (size_t i = 0; i < writer->doc_count; i++)
        put_bytes(out, &dated[i].doc, sizeof dated[i].doc);
}

static void put_terms(struct output *out, const struct segment_writer *writer,
                      struct segment_header *header)
{
    CLEANUP(mem_free)
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
}

static void put_section(struct output *out, struct segment_header *header,
                        enum segment_section section, const void *bytes, size_t len)
{
    begin_section(out, &header->sections[section]);
    put_bytes(out, bytes, len);
    put_block(out);
}

/* Writes everything but the header first: a file without a header is no segment. */
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
