/* Tests segments with forged sums: places outside the segment are reported and not read. Also tests
 * words with equal hashes, which the writer must compare whole. */
#include "tests/unit/mend_support.h"
#include "tests/unit/support.h"

#include "base/mem.h"
#include "base/text/words.h"
#include "store/search/segment.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SOURCE = 77 };

static struct tmp tmp;
static struct segment segment = {.fd = -1};
static struct str bytes;
static struct err err;

static void start(void)
{
    tmp_make(&tmp);
}

static void finish(void)
{
    str_free(&bytes);
    tmp_remove(&tmp);
}

TestSuite(segment_forged, .init = start, .fini = finish);

static void add_doc(struct segment_writer *writer, const char *id, const char *text)
{
    static const struct place place = {.root = "/x", .box = {"box", 3}, .dir = {"d", 1}};
    struct message_data data = {.body = span_of(text)};
    struct message message = {.id = span_of(id), .place = &place, .data = &data};

    segment_writer_doc(writer, &message);
}

static void put(struct segment_writer *writer)
{
    int fd = openat(tmp.fd, "segment", O_RDWR | O_CREAT | O_TRUNC, 0600);

    cr_assert(segment_writer_put(writer, fd, 5, &err), "%s", err.text);
    close(fd);
    segment_writer_free(writer);
    str_free(&bytes);
    bytes = tmp_read(&tmp, "segment");
}

/* Writes two documents in one file: "alpha beta", and "alpha". */
static void write_segment(void)
{
    struct segment_writer *writer = segment_writer_new(SOURCE);

    segment_writer_file(writer, span_of("d/file"), &(struct stamp){.size = 1, .read_ns = 1});
    add_doc(writer, "one", "alpha beta");
    add_doc(writer, "two", "alpha");
    put(writer);
}

static bool open_segment(void)
{
    return segment_open(&segment, tmp.fd, "segment", SOURCE, &err);
}

static struct segment_header *header(void)
{
    return (struct segment_header *)(void *)bytes.at;
}

/* Returns the record with that number and size in a section. */
static void *in_section(enum segment_section which, size_t size, size_t number)
{
    return bytes.at + header()->sections[which].at + size * number;
}

#define FIRST(which, type) ((type *)in_section(which, sizeof(type), 0))

static void forge(void)
{
    mend_segment(&bytes, SOURCE);
    tmp_write(&tmp, "segment", str_span(&bytes));
}

static bool find(const char *text, struct segment_hits *hits)
{
    struct arena arena = {0};
    struct phrase phrase;

    phrase_read(&phrase, span_of(text), false, &arena);
    bool ok = segment_find(&segment, &phrase, hits, &err);
    arena_free(&arena);
    return ok;
}

/* --- found when the segment is opened --- */

static void files_that_are_not_there(void)
{
    header()->files++;
}

static void docs_that_are_not_there(void)
{
    header()->docs++;
}

static void a_section_behind_the_end(void)
{
    header()->sections[SECTION_TERMS].at = bytes.len + 1;
}

static void a_section_longer_than_the_file(void)
{
    header()->sections[SECTION_TEXTS].len = bytes.len;
}

static void a_name_behind_the_end(void)
{
    FIRST(SECTION_FILES, struct segment_file)->name_at = UINT32_MAX;
}

static void a_doc_of_no_file(void)
{
    FIRST(SECTION_DOCS, struct segment_doc)->file = 1;
}

static void a_newest_that_is_none(void)
{
    *FIRST(SECTION_NEWEST, uint32_t) = 2;
}

static void an_id_longer_than_all_names(void)
{
    FIRST(SECTION_DOCS, struct segment_doc)->id_len = UINT32_MAX;
}

Test(segment_forged, numbers_that_lead_nowhere_make_it_damaged)
{
    static const struct {
        void (*spoil)(void);
        const char *reason;
    } cases[] = {{files_that_are_not_there, "do not fit together"},
                 {docs_that_are_not_there, "do not fit together"},
                 {a_section_behind_the_end, "ends too early"},
                 {a_section_longer_than_the_file, "ends too early"},
                 {a_name_behind_the_end, "do not fit together"},
                 {a_doc_of_no_file, "do not fit together"},
                 {a_newest_that_is_none, "do not fit together"},
                 {an_id_longer_than_all_names, "do not fit together"}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        write_segment();
        cases[i].spoil();
        forge();
        cr_assert_not(open_segment(), "case %zu", i);
        cr_assert_not_null(strstr(err.text, cases[i].reason), "case %zu: %s", i, err.text);
    }
}

/* --- found when it is used --- */

/* Returns a copy, since the record may be unaligned. */
static struct segment_term first_term(void)
{
    struct segment_term term;

    memcpy(&term, in_section(SECTION_TERMS, sizeof term, 0), sizeof term);
    return term;
}

static void put_first_term(struct segment_term term)
{
    memcpy(in_section(SECTION_TERMS, sizeof term, 0), &term, sizeof term);
}

static unsigned char *posting(size_t number)
{
    return in_section(SECTION_POSTINGS, 1, number);
}

static void a_word_that_is_too_long(void)
{
    struct segment_term term = first_term();

    term.text_len = WORD_BYTES + 1;
    put_first_term(term);
}

static void a_word_behind_the_end(void)
{
    struct segment_term term = first_term();

    term.text_at = (uint32_t)header()->sections[SECTION_TEXTS].len;
    put_first_term(term);
}

static void postings_behind_the_end(void)
{
    struct segment_term term = first_term();

    term.at = header()->sections[SECTION_POSTINGS].len + 1;
    put_first_term(term);
}

static void postings_that_are_too_long(void)
{
    struct segment_term term = first_term();

    term.len = (uint32_t)header()->sections[SECTION_POSTINGS].len + 1;
    put_first_term(term);
}

static void a_posting_of_no_doc(void)
{
    posting(0)[0] = 3;
}

static void a_number_that_never_ends(void)
{
    memset(posting(0), 0xff, first_term().len);
}

Test(segment_forged, words_that_lead_nowhere_are_told_when_they_are_sought)
{
    static void (*const spoils[])(void) = {a_word_that_is_too_long, a_word_behind_the_end,
                                           postings_behind_the_end, postings_that_are_too_long,
                                           a_posting_of_no_doc,     a_number_that_never_ends};

    for (size_t i = 0; i < sizeof spoils / sizeof *spoils; i++) {
        static const char *const phrases[] = {"alpha", "alpha beta"};
        write_segment();
        spoils[i]();
        forge();
        cr_assert(open_segment(), "case %zu: %s", i, err.text);
        for (size_t k = 0; k < 2; k++) {
            struct segment_hits hits;
            err = (struct err){0};
            cr_assert_not(find(phrases[k], &hits), "case %zu", i);
            cr_assert_not_null(strstr(err.text, "its words lead nowhere"), "%s", err.text);
            segment_hits_free(&hits);
        }
        segment_close(&segment);
    }
}

Test(segment_forged, a_number_that_is_cut_off_stands_for_nothing)
{
    struct segment_hits hits;

    write_segment();
    posting(0)[first_term().len - 1] |= 0x80;
    forge();
    cr_assert(open_segment(), "%s", err.text);
    cr_assert(find("alpha", &hits), "%s", err.text);
    cr_assert(hits.parts[0] && !hits.parts[1], "the doc before it is still found");
    segment_hits_free(&hits);
    segment_close(&segment);
}

static void note_doc(void *context, uint32_t doc)
{
    *(uint32_t *)context |= 1U << doc;
}

Test(segment_forged, a_key_of_no_doc_is_told)
{
    uint32_t found = 0;

    write_segment();
    uint64_t key = FIRST(SECTION_KEYS, struct segment_key)->hash;
    FIRST(SECTION_KEYS, struct segment_key)->doc = 2;
    forge();
    cr_assert(open_segment(), "%s", err.text);
    cr_assert_not(segment_find_key(&segment, key, note_doc, &found, &err));
    cr_assert_not_null(strstr(err.text, "its keys lead nowhere"), "%s", err.text);
    cr_assert_eq(found, 0);
    segment_close(&segment);
}

Test(segment_forged, what_is_cut_short_or_unreadable_while_it_is_open_is_told)
{
    char path[400];

    write_segment();
    cr_assert(open_segment(), "%s", err.text);
    snprintf(path, sizeof path, "%s/segment", tmp.path);
    cr_assert_eq(truncate(path, 10), 0);
    cr_assert_not(segment_check(&segment, &err));
    cr_assert_not_null(strstr(err.text, "it ends too early"), "%s", err.text);
    cr_assert_geq(dup2(tmp.fd, segment.fd), 0);
    cr_assert_not(segment_check(&segment, &err));
    cr_assert_not_null(strstr(err.text, "Is a directory"), "%s", err.text);
    segment_close(&segment);
}

/* --- written segments --- */

Test(segment_forged, a_file_without_messages_is_known_and_nothing_is_found_in_it)
{
    struct segment_writer *writer = segment_writer_new(SOURCE);
    struct segment_hits hits;

    segment_writer_file(writer, span_of("d/empty"), &(struct stamp){.size = 1, .read_ns = 1});
    put(writer);
    cr_assert(open_segment(), "%s", err.text);
    cr_assert(segment.header.files == 1 && segment.header.docs == 0);
    assert_span(segment_file_name(&segment, 0), "d/empty");
    cr_assert(find("alpha", &hits), "%s", err.text);
    segment_hits_free(&hits);
    segment_close(&segment);
}

/* Finds two words with one hash: `start`, a number, and `behind` after every second one. */
static void find_equal(uint64_t seed, const char *start, const char *behind, char words[2][64])
{
    enum { SLOTS = 1 << 20 };
    uint32_t *numbers = mem_zero(SLOTS, sizeof *numbers);
    bool found = false;

    for (uint32_t i = 1; !found; i++) {
        snprintf(words[0], 64, "%s%u%s", start, i, i % 2 ? behind : "");
        uint32_t hash = map_hash(span_of(words[0]), seed);
        for (uint32_t at = hash % SLOTS; !found; at = (at + 1) % SLOTS) {
            if (!numbers[at]) {
                numbers[at] = i;
                break;
            }
            snprintf(words[1], 64, "%s%u%s", start, numbers[at], numbers[at] % 2 ? behind : "");
            found = map_hash(span_of(words[1]), seed) == hash &&
                    (strlen(words[0]) == strlen(words[1])) == !*behind;
        }
    }
    free(numbers);
}

Test(segment_forged, words_of_one_hash_are_told_apart)
{
    static const struct {
        const char *start, *behind;
    } cases[] = {{"w", ""}, {"w", "x"}, {"sixteenletterslong", ""}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct segment_writer *writer = segment_writer_new(SOURCE);
        char words[2][64];
        find_equal(writer->seed, cases[i].start, cases[i].behind, words);
        segment_writer_file(writer, span_of("d/f"), &(struct stamp){.size = 1, .read_ns = 1});
        add_doc(writer, "one", words[0]);
        add_doc(writer, "two", words[1]);
        add_doc(writer, "three", words[0]);
        put(writer);
        cr_assert(open_segment(), "%s", err.text);
        for (uint32_t k = 0; k < 2; k++) {
            struct segment_hits hits;
            cr_assert(find(words[k], &hits), "%s", err.text);
            cr_assert(hits.times[0] == !k && hits.times[1] == k && hits.times[2] == !k, "%s and %s",
                      words[0], words[1]);
            segment_hits_free(&hits);
        }
        segment_close(&segment);
    }
}
