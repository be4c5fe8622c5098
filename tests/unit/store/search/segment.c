/* Tests segments of the search index: what is written is found again, and damage is reported. */
#include "tests/unit/draw.h"
#include "tests/unit/support.h"

#include "mail/query/query.h"
#include "store/search/segment.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { DOCS = 700, VOCABULARY = 900, WORDS_MOST = 60, FLIPS = 400 };

/* A document as numbers of words: w0, w1 and so on; small numbers are more frequent. */
struct doc {
    uint32_t words[QUERY_PART_COUNT][WORDS_MOST];
    uint32_t counts[QUERY_PART_COUNT];
};

static struct doc docs[DOCS];
static struct tmp tmp;
static int dir = -1;

static void make_docs(void)
{
    for (size_t i = 0; i < DOCS; i++)
        for (size_t part = 0; part < QUERY_PART_COUNT; part++) {
            docs[i].counts[part] = part == QUERY_PART_BODY ? draw(WORDS_MOST) : draw(3);
            for (uint32_t k = 0; k < docs[i].counts[part]; k++)
                docs[i].words[part][k] = draw(2) ? draw(12) : draw(VOCABULARY);
        }
}

static struct span text_of(struct arena *arena, const struct doc *doc, size_t part)
{
    struct str text = {0};

    for (uint32_t i = 0; i < doc->counts[part]; i++)
        str_addf(&text, "%sW%u", i ? ", " : "", doc->words[part][i]);
    struct span kept = arena_copy(arena, str_span(&text));
    str_free(&text);
    return kept;
}

/* Writes two documents a file; two of three have the id of another one. */
static void write_segment(void)
{
    struct segment_writer *writer = segment_writer_new(77);
    struct place place = {.root = "/x", .box = span_of("box"), .dir = span_of("d")};
    struct err err;

    tmp_make(&tmp);
    dir = open(tmp.path, O_RDONLY | O_DIRECTORY);
    for (size_t i = 0; i < DOCS; i++) {
        struct arena arena = {0};
        struct str name = {0}, id = {0};
        struct message_data data = {.body = text_of(&arena, &docs[i], QUERY_PART_BODY)};
        str_addf(&name, "d/file-%zu", i / 2);
        str_addf(&id, "id-%zu", i / 3);
        struct message message = {.id = str_span(&id),
                                  .place = &place,
                                  .subject = text_of(&arena, &docs[i], QUERY_PART_SUBJECT),
                                  .from = text_of(&arena, &docs[i], QUERY_PART_FROM),
                                  .to = text_of(&arena, &docs[i], QUERY_PART_TO),
                                  .created_us = (int64_t)(i * 7919 % 1000),
                                  .data = &data};
        if (i % 2 == 0)
            segment_writer_file(writer, str_span(&name),
                                &(struct stamp){.size = (int64_t)i, .read_ns = 1});
        segment_writer_doc(writer, &message);
        str_free(&name);
        str_free(&id);
        arena_free(&arena);
    }
    int fd = openat(dir, "segment", O_RDWR | O_CREAT, 0600);
    cr_assert(segment_writer_put(writer, fd, 5, &err), "%s", err.text);
    close(fd);
    segment_writer_free(writer);
}

static void set_up(void)
{
    make_docs();
    write_segment();
}

static void tear_down(void)
{
    close(dir);
    tmp_remove(&tmp);
}

TestSuite(segment, .init = set_up, .fini = tear_down, .timeout = 300);

/* True if the sought word matches; if `open`, it may be a prefix. */
static bool takes(uint32_t sought, bool open, uint32_t word)
{
    char a[20], b[20];

    snprintf(a, sizeof a, "%u", sought);
    snprintf(b, sizeof b, "%u", word);
    return open ? strncmp(a, b, strlen(a)) == 0 : sought == word;
}

static uint32_t count_in(const struct doc *doc, const uint32_t *words, size_t count, bool open)
{
    uint32_t times = 0;

    for (size_t part = 0; part < QUERY_PART_COUNT; part++)
        for (uint32_t at = 0; at + count <= doc->counts[part]; at++) {
            bool all = true;
            for (size_t k = 0; all && k < count; k++)
                all = takes(words[k], open && k + 1 == count, doc->words[part][at + k]);
            times += all;
        }
    return times;
}

static uint8_t parts_with(const struct doc *doc, uint32_t word, bool open)
{
    uint8_t parts = 0;

    for (size_t part = 0; part < QUERY_PART_COUNT; part++)
        for (uint32_t at = 0; at < doc->counts[part]; at++)
            if (takes(word, open, doc->words[part][at]))
                parts |= (uint8_t)(1u << part);
    return parts;
}

static bool find(const struct segment *segment, const uint32_t *words, size_t count, bool open,
                 struct segment_hits *hits, struct err *err)
{
    struct arena arena = {0};
    struct phrase phrase;
    struct str text = {0};

    for (size_t i = 0; i < count; i++)
        str_addf(&text, "%sw%u", i ? " " : "", words[i]);
    phrase_read(&phrase, str_span(&text), open, &arena);
    bool ok = segment_find(segment, &phrase, hits, err);
    str_free(&text);
    arena_free(&arena);
    return ok;
}

Test(segment, words_rows_and_starts_are_found_where_they_stand)
{
    struct segment segment;
    struct err err;
    size_t found = 0;

    cr_assert(segment_open(&segment, dir, "segment", 77, &err), "%s", err.text);
    cr_assert_eq(segment.header.docs, DOCS);
    for (int round = 0; round < usual_rounds(400); round++) {
        uint32_t words[3] = {draw(12), draw(2) ? draw(12) : draw(VOCABULARY + 5), draw(12)};
        size_t count = 1 + draw(3);
        bool open = draw(3) == 0;
        struct segment_hits hits;
        if (count == 1 && draw(2))
            words[0] = draw(VOCABULARY + 5);
        cr_assert(find(&segment, words, count, open, &hits, &err), "%s", err.text);
        for (size_t i = 0; i < DOCS; i++) {
            uint8_t parts = 15;
            for (size_t k = 0; k < count; k++)
                parts &= parts_with(&docs[i], words[k], open && k + 1 == count);
            cr_assert_eq(hits.times[i], count_in(&docs[i], words, count, open));
            cr_assert_eq(hits.parts[i], parts);
            found += hits.times[i];
        }
        segment_hits_free(&hits);
    }
    cr_assert(found > 250);
    segment_close(&segment);
}

static void count_copy(void *context, uint32_t doc)
{
    size_t *copies = context;

    cr_assert_lt(doc, DOCS);
    ++*copies;
}

Test(segment, files_docs_keys_and_the_order_of_time_are_kept)
{
    struct segment segment;
    struct err err;

    cr_assert(segment_open(&segment, dir, "segment", 77, &err), "%s", err.text);
    cr_assert_eq(segment.header.files, DOCS / 2);
    assert_span(segment_file_name(&segment, 3), "d/file-3");
    cr_assert_eq(segment_file_stamp(&segment, 3).size, 6);
    assert_span(segment_doc_id(&segment, 8), "id-2");
    for (size_t i = 1; i < DOCS; i++)
        cr_assert_geq(segment.docs[segment.newest[i - 1]].created_us,
                      segment.docs[segment.newest[i]].created_us);
    for (size_t i = 0; i < DOCS / 3; i++) {
        size_t copies = 0;
        char id[20];
        snprintf(id, sizeof id, "id-%zu", i);
        uint64_t key = segment_key_of((struct span){0}, span_of("box"), span_of(id));
        cr_assert(segment_find_key(&segment, key, count_copy, &copies, &err), "%s", err.text);
        cr_assert_eq(copies, 3);
    }
    cr_assert(segment_check(&segment, &err), "%s", err.text);
    segment_close(&segment);
}

Test(segment, one_of_another_source_or_none_is_refused)
{
    struct segment segment;
    struct err err;

    cr_assert_not(segment_open(&segment, dir, "segment", 78, &err));
    cr_assert_not(segment_open(&segment, dir, "nothing", 77, &err));
    cr_assert_eq(err.scope, ERR_ABSENT);
}

/* A changed byte is reported when the segment is opened, when it is checked, or when it is used;
 * reported hits are never wrong. */
Test(segment, a_byte_that_is_another_one_is_told)
{
    int fd = openat(dir, "segment", O_RDWR);
    off_t size = lseek(fd, 0, SEEK_END);

    for (int round = 0; round < FLIPS; round++) {
        off_t at = round < 200 ? (off_t)(round * 2) : (off_t)draw((uint32_t)size);
        unsigned char byte, other;
        struct segment segment;
        struct err err;
        cr_assert_eq(pread(fd, &byte, 1, at), 1);
        other = (unsigned char)(byte ^ (1u << draw(8)));
        cr_assert_eq(pwrite(fd, &other, 1, at), 1);
        if (segment_open(&segment, dir, "segment", 77, &err)) {
            cr_assert_not(segment_check(&segment, &err), "at %lld", (long long)at);
            for (uint32_t word = 0; word < 12; word++) {
                struct segment_hits hits;
                if (find(&segment, &word, 1, false, &hits, &err))
                    for (size_t i = 0; i < DOCS; i++)
                        cr_assert_eq(hits.times[i], count_in(&docs[i], &word, 1, false));
                segment_hits_free(&hits);
            }
            segment_close(&segment);
        }
        cr_assert_eq(pwrite(fd, &byte, 1, at), 1);
    }
    for (off_t end = 0; end < size; end += size / 50 + 1) {
        struct segment segment;
        struct err err;
        char name[] = "short";
        int cut = openat(dir, name, O_RDWR | O_CREAT | O_TRUNC, 0600);
        char *bytes = malloc((size_t)size);
        cr_assert_eq(pread(fd, bytes, (size_t)size, 0), size);
        cr_assert_eq(write(cut, bytes, (size_t)end), end);
        free(bytes);
        close(cut);
        cr_assert_not(segment_open(&segment, dir, name, 77, &err), "%lld", (long long)end);
    }
    close(fd);
}
