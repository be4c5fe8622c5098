/* A segment: finding words, phrases and copies in it. */
#include "store/search/segment.h"

#include "base/file/file.h"
#include "base/map.h"
#include "base/mem.h"
#include "base/text/words.h"
#include "mail/query/query.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Opening a segment, and its files and docs. */

/* Reports that the segment is damaged. Always returns false. */
static bool segment_damaged(struct err *err, const char *what)
{
    return err_set(err, ERR_SOURCE, "a part of the search index is damaged: %s", what);
}

/* Reads exactly `len` bytes at that offset. */
static bool segment_read(const struct segment *segment, uint64_t at, void *out, size_t len,
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

/* Checks the sum of a section. If `kept_at` is not NULL, stores its bytes there, for
 * segment_close() to free. */
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

/* True if all numbers refer to something that exists. The sums make sure of that unless the file
 * was forged. */
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

enum { TERMS_AT_ONCE = 128 };

void segment_hits_free(struct segment_hits *hits)
{
    free(hits->times);
    free(hits->parts);
    *hits = (struct segment_hits){0};
}

/* The dictionary. */

static bool read_terms(const struct segment *segment, uint32_t first, uint32_t count,
                       struct segment_term *terms, struct err *err)
{
    const struct segment_span *section = &segment->header.sections[SECTION_TERMS];

    return segment_read(segment, section->at + (uint64_t)first * sizeof *terms, terms,
                        count * sizeof *terms, err);
}

/* Reads the text of a term into a buffer of WORD_BYTES. */
static bool read_text(const struct segment *segment, const struct segment_term *term, char *buffer,
                      struct span *text, struct err *err)
{
    const struct segment_span *section = &segment->header.sections[SECTION_TEXTS];

    if (term->text_len > WORD_BYTES || (uint64_t)term->text_at + term->text_len > section->len)
        return segment_damaged(err, "its words lead nowhere");
    *text = (struct span){buffer, term->text_len};
    return segment_read(segment, section->at + term->text_at, buffer, term->text_len, err);
}

/* Finds the number of the first term that is not before the word. */
static bool find_term(const struct segment *segment, struct span word, uint32_t *number,
                      struct err *err)
{
    uint32_t low = 0, high = segment->header.terms;
    char buffer[WORD_BYTES];

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        struct segment_term term;
        struct span text = {0};
        if (!read_terms(segment, middle, 1, &term, err) ||
            !read_text(segment, &term, buffer, &text, err))
            return false;
        if (span_cmp(text, word) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *number = low;
    return true;
}

/* Postings. */

struct walk {
    const unsigned char *at, *end;
};

/* Returns the next number; 0 for one without an end. */
static uint32_t take_number(struct walk *walk)
{
    uint32_t value = 0;

    for (unsigned shift = 0; walk->at < walk->end && shift < 35; shift += 7) {
        unsigned char byte = *walk->at++;
        value |= (uint32_t)(byte & 0x7f) << shift;
        if (byte < 0x80)
            return value;
    }
    return 0;
}

/* Places of words: doc << 32 | place, in order. */
struct posting_list {
    uint64_t *items;
    size_t count, cap;
};

/* The target of postings. */
struct gathering {
    const struct segment *segment;
    struct segment_hits *hits;  /* times are counted even where spots are collected */
    struct posting_list *spots; /* or NULL */
    struct str bytes;
};

static bool add_postings(struct gathering *gathering, struct err *err)
{
    const unsigned char *bytes = (const unsigned char *)str_c(&gathering->bytes);
    struct walk walk = {bytes, bytes + gathering->bytes.len};
    struct posting_list *spots = gathering->spots;
    uint32_t doc = UINT32_MAX, number;

    while (walk.at < walk.end) {
        uint32_t place = UINT32_MAX, times = 0;
        doc += take_number(&walk);
        if (doc >= gathering->segment->header.docs)
            return segment_damaged(err, "its words lead nowhere");
        while ((number = take_number(&walk)) >= POSTING_PLACE) {
            place += number - (POSTING_PLACE - 1);
            times++;
            if (!spots)
                continue;
            *mem_push(spots->items, spots->count, spots->cap) = (uint64_t)doc << 32 | place;
        }
        gathering->hits->parts[doc] |= (uint8_t)number;
        gathering->hits->times[doc] += times;
    }
    return true;
}

/* Reads the postings of a term. */
static bool read_postings(struct gathering *gathering, const struct segment_term *term,
                          struct err *err)
{
    const struct segment_span *section = &gathering->segment->header.sections[SECTION_POSTINGS];

    if (term->at > section->len || term->len > section->len - term->at)
        return segment_damaged(err, "its words lead nowhere");
    str_clear(&gathering->bytes);
    char *room = str_room(&gathering->bytes, term->len);
    if (!segment_read(gathering->segment, section->at + term->at, room, term->len, err))
        return false;
    gathering->bytes.len = term->len;
    room[term->len] = '\0';
    if (map_hash(str_span(&gathering->bytes), SEGMENT_SEED) != term->sum)
        return segment_damaged(err, "where words stand is not what was written");
    return true;
}

bool segment_check(const struct segment *segment, struct err *err)
{
    struct gathering gathering = {.segment = segment};
    struct segment_term terms[TERMS_AT_ONCE];
    uint32_t all = segment->header.terms;
    bool ok = true;

    for (uint32_t at = 0; ok && at < all; at += TERMS_AT_ONCE) {
        uint32_t count = all - at < TERMS_AT_ONCE ? all - at : TERMS_AT_ONCE;
        ok = read_terms(segment, at, count, terms, err);
        for (uint32_t i = 0; ok && i < count; i++)
            ok = read_postings(&gathering, &terms[i], err);
    }
    str_free(&gathering.bytes);
    return ok;
}

/* Adds the postings of a word or, with `open`, of all words that start with it. */
static bool gather_postings(struct gathering *gathering, struct span word, bool open,
                            struct err *err)
{
    const struct segment *segment = gathering->segment;
    struct segment_term terms[TERMS_AT_ONCE];
    char buffer[WORD_BYTES];
    uint32_t at;

    if (!find_term(segment, word, &at, err))
        return false;
    while (at < segment->header.terms) {
        uint32_t left = segment->header.terms - at, most = open ? TERMS_AT_ONCE : 1;
        uint32_t count = left < most ? left : most;
        if (!read_terms(segment, at, count, terms, err))
            return false;
        for (uint32_t i = 0; i < count; i++) {
            struct span text = {0};
            if (!read_text(segment, &terms[i], buffer, &text, err))
                return false;
            if (open ? !span_starts(text, word) : !span_eq(text, word))
                return true;
            if (!read_postings(gathering, &terms[i], err) || !add_postings(gathering, err))
                return false;
        }
        if (!open)
            return true;
        at += count;
    }
    return true;
}

/* Phrases. */

static int cmp_spots(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;

    return left < right ? -1 : left > right;
}

/* Keeps those of `next` that directly follow one of `before`. */
static void join_spots(const struct posting_list *before, struct posting_list *next)
{
    size_t kept = 0, at = 0;

    for (size_t i = 0; i < next->count; i++) {
        while (at < before->count && before->items[at] + 1 < next->items[i])
            at++;
        if (at < before->count && before->items[at] + 1 == next->items[i])
            next->items[kept++] = next->items[i];
    }
    next->count = kept;
}

/* Finds one word after the other, and joins each to those before it. */
static bool find_row(const struct segment *segment, const struct phrase *phrase,
                     struct segment_hits *hits, struct err *err)
{
    size_t docs = segment->header.docs;
    struct segment_hits one = {mem_zero(docs + 1, sizeof *one.times),
                               mem_zero(docs + 1, sizeof *one.parts)};
    struct posting_list before = {0};
    bool ok = true;

    memset(hits->parts, 0xff, docs);
    for (size_t i = 0; ok && i < phrase->count; i++) {
        bool open = phrase->open && i + 1 == phrase->count;
        struct posting_list next = {0};
        struct gathering gathering = {.segment = segment, .hits = &one, .spots = &next};
        memset(one.parts, 0, docs);
        ok = gather_postings(&gathering, phrase->words[i], open, err);
        str_free(&gathering.bytes);
        if (open && next.count)
            qsort(next.items, next.count, sizeof *next.items, cmp_spots);
        if (i)
            join_spots(&before, &next);
        for (size_t doc = 0; doc < docs; doc++)
            hits->parts[doc] &= one.parts[doc];
        free(before.items);
        before = next;
    }
    for (size_t i = 0; i < before.count; i++)
        hits->times[before.items[i] >> 32]++;
    free(before.items);
    segment_hits_free(&one);
    return ok;
}

bool segment_find(const struct segment *segment, const struct phrase *phrase,
                  struct segment_hits *hits, struct err *err)
{
    size_t docs = segment->header.docs;

    *hits = (struct segment_hits){mem_zero(docs + 1, sizeof *hits->times),
                                  mem_zero(docs + 1, sizeof *hits->parts)};
    if (phrase->count > 1)
        return find_row(segment, phrase, hits, err);
    struct gathering gathering = {.segment = segment, .hits = hits};
    bool ok = gather_postings(&gathering, phrase->words[0], phrase->open, err);
    str_free(&gathering.bytes);
    return ok;
}

/* Copies. */

static bool read_key(const struct segment *segment, uint32_t number, struct segment_key *key,
                     struct err *err)
{
    const struct segment_span *section = &segment->header.sections[SECTION_KEYS];

    if (!segment_read(segment, section->at + (uint64_t)number * sizeof *key, key, sizeof *key, err))
        return false;
    return key->doc < segment->header.docs || segment_damaged(err, "its keys lead nowhere");
}

bool segment_find_key(const struct segment *segment, uint64_t key,
                      void (*found)(void *context, uint32_t doc), void *context, struct err *err)
{
    uint32_t low = 0, high = segment->header.docs;
    struct segment_key record;

    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (!read_key(segment, middle, &record, err))
            return false;
        if (record.hash < key)
            low = middle + 1;
        else
            high = middle;
    }
    for (; low < segment->header.docs; low++) {
        if (!read_key(segment, low, &record, err))
            return false;
        if (record.hash != key)
            break;
        found(context, record.doc);
    }
    return true;
}

/* Writing a segment: collects a list of postings for each word. */

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
