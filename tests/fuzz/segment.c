/* Segments of the search index: written words are found again; the sum detects damage, and where
 * the sums were made to fit, damage must do no harm.
 *
 * Parts of the input: a word, texts of messages; the last part says what to damage. The first byte
 * says if the sums are made to fit. */
#include "store/search/segment.h"

#include "base/text/words.h"
#include "fuzz.h"
#include "mail/query/query.h"
#include "tests/unit/mend_support.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SOURCE = 77, DOCS = 4 };

static const char name[] = "segment";

static struct message message_of(struct span id, struct message_data *data)
{
    static const struct place place = {.root = "/x", .box = {"box", 3}, .dir = {"d", 1}};

    return (struct message){.id = id, .place = &place, .data = data, .created_us = 1};
}

/* Returns the file of a segment with a message for each text. The caller frees. */
static struct str write_segment(const struct span *texts)
{
    static const char *const ids[DOCS] = {"0", "1", "2", "2"};
    struct segment_writer *writer = segment_writer_new(SOURCE);
    char path[4200];
    struct str bytes = {0};
    struct err err;

    for (size_t i = 0; i < DOCS; i++) {
        struct message_data data = {.body = texts[i]};
        struct message message = message_of(span_of(ids[i]), &data);
        message.subject = texts[(i + 1) % DOCS];
        message.from = span_of("Al\xc3\xa9 x");
        if (i % 2 == 0)
            segment_writer_file(writer, span_of("d/f"), &(struct stamp){.size = 1, .read_ns = 1});
        segment_writer_doc(writer, &message);
    }
    snprintf(path, sizeof path, "%s/%s", fuzz_dir(), name);
    int fd = open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    require(segment_writer_put(writer, fd, 5, &err), "%s", err.text);
    off_t size = lseek(fd, 0, SEEK_END);
    bytes.len = (size_t)pread(fd, str_room(&bytes, (size_t)size), (size_t)size, 0);
    require(bytes.len == (size_t)size, "it cannot be read");
    close(fd);
    segment_writer_free(writer);
    return bytes;
}

static bool open_segment(struct segment *segment, struct err *err)
{
    int dir = open(fuzz_dir(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    bool ok = segment_open(segment, dir, name, SOURCE, err);

    close(dir);
    return ok;
}

static void note_doc(void *context, uint32_t doc)
{
    *(uint32_t *)context |= 1U << (doc & 31);
}

/* Requires that every word of every text is found at its position. */
static void check_found(const struct segment *segment, const struct span *texts)
{
    struct words words;
    struct word word;
    struct err err;
    uint32_t keyed = 0;

    for (size_t i = 0; i < DOCS; i++) {
        words_begin(&words, texts[i]);
        for (int count = 0; count < 8 && words_next(&words, &word); count++) {
            struct phrase phrase = {.words = &word.text, .count = 1};
            struct segment_hits hits;
            require(segment_find(segment, &phrase, &hits, &err), "%s", err.text);
            require(hits.times[i] && (hits.parts[i] & 1 << QUERY_PART_BODY), "%.*s in doc %zu",
                    (int)word.text.len, word.text.at, i);
            segment_hits_free(&hits);
        }
    }
    require(segment_check(segment, &err), "%s", err.text);
    require(segment_find_key(segment,
                             segment_key_of((struct span){0}, span_of("box"), span_of("2")),
                             note_doc, &keyed, &err),
            "%s", err.text);
    require(keyed == (1U << 2 | 1U << 3), "%x", keyed);
}

/* Requires that every query of any segment has an answer, or reports damage. */
static void walk(const struct segment *segment, struct span sought)
{
    struct arena arena = {0};
    struct segment_hits hits = {0};
    struct phrase phrase = {0};
    struct err err = {0};
    uint32_t keyed = 0;
    size_t bytes = 0;

    for (uint32_t i = 0; i < segment->header.files; i++) {
        struct span text = segment_file_name(segment, i);
        bytes += text.len ? (unsigned char)text.at[text.len - 1] : 0;
        bytes += (size_t)segment_file_stamp(segment, i).size & 1;
    }
    for (uint32_t i = 0; i < segment->header.docs; i++) {
        struct span id = segment_doc_id(segment, i);
        bytes += id.len ? (unsigned char)id.at[id.len - 1] : 0;
        require(segment->docs[i].file < segment->header.files, "doc %u", i);
    }
    phrase_read(&phrase, sought, bytes & 1, &arena);
    if (phrase.count && !segment_find(segment, &phrase, &hits, &err))
        require(err.text[0], "damaged without a reason");
    segment_hits_free(&hits);
    if (!segment_check(segment, &err))
        require(err.text[0], "damaged without a reason");
    segment_find_key(segment, segment->header.source + bytes, note_doc, &keyed, &err);
    arena_free(&arena);
}

/* --- damage --- */

void fuzz_segment(struct span input)
{
    bool mended = fuzz_byte(&input) & 1;
    struct span sought = fuzz_part(&input), texts[DOCS];
    struct segment segment;
    struct err err = {0};

    for (size_t i = 0; i < DOCS; i++)
        texts[i] = fuzz_part(&input);
    struct str bytes = write_segment(texts);
    require(open_segment(&segment, &err), "%s", err.text);
    check_found(&segment, texts);
    segment_close(&segment);

    bool spoilt = fuzz_spoil(bytes.at, bytes.len, input);
    if (mended)
        mend_segment(&bytes, SOURCE);
    fuzz_write(name, str_span(&bytes));
    if (open_segment(&segment, &err)) {
        require(!spoilt || mended || !segment_check(&segment, &err), "damage is not told");
        walk(&segment, sought);
        segment_close(&segment);
    } else {
        require(spoilt && err.text[0], "damaged without a reason");
    }
    str_free(&bytes);
}
