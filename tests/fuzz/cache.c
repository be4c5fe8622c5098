/* The cache of heads: heads are read back as they were written; damage makes the cache unusable,
 * unless the sum was made to fit, and then it must do no harm.
 *
 * Parts of the input: id, subject, sender, recipient and thread of a message; the last part says
 * what to damage. The first byte says if the sum is made to fit. */
#include "fuzz.h"
#include "mail/live/head.h"
#include "store/layouts/agent_inbox.h"
#include "store/scan/head_cache.h"
#include "store/source/our_paths.h"
#include "tests/unit/mend_support.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

enum { SHARED = 64 }; /* a cache is not worth it for fewer messages */

static char path[] = "/nowhere", identity[] = "bob";
static const struct place place = {
    .root = path, .box = {"bob", 3}, .dir = {"bob", 3}, .archived = false};

static struct source make_source(void)
{
    return (struct source){
        .format = &inbox_format, .path = path, .identity = identity, .root = -1, .seed = 5};
}

/* Makes messages differ from the last byte of the subject on, so that heads have all lengths. */
static void add_messages(struct batch *batch, const struct message *message, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct message *copy = batch_add(batch);
        *copy = *message;
        copy->subject.len -= i < copy->subject.len ? i : copy->subject.len;
        copy->priority = (uint8_t)(i % (PRIORITY_URGENT + 1));
        copy->status = (uint8_t)(i % (STATUS_NONE + 1));
    }
}

static void write_cache(struct source *source, const struct batch *batch)
{
    const struct stamp old = {
        .size = 1, .mtime_ns = 1, .ctime_ns = 1, .ino = 1, .read_ns = INT64_MAX};
    const struct reader_pool_file files[] = {{.place = &place, .name = {"many", 4}},
                                             {.place = &place, .name = {"one", 3}}};
    const struct cache_listed dirs[] = {{{"bob", 3}, old}};
    struct cache_writer *writer = cache_write_begin(source, NULL);
    struct cache_part part = {0};

    struct cache_read read = {.stamp = old, .batch = batch};

    cache_note_read(writer, &part, &read);
    read.first = batch->count - 1;
    cache_note_read(writer, &part, &read);
    cache_add_part(writer, &part);
    cache_write_end(writer, files, dirs, 1, NULL);
}

static bool same(const struct message *a, const struct message *b)
{
    return span_eq(a->id, b->id) && span_eq(a->subject, b->subject) && span_eq(a->from, b->from) &&
           span_eq(a->to, b->to) && span_eq(a->thread, b->thread) && span_eq(a->file, b->file) &&
           a->priority == b->priority && a->status == b->status && a->created_us == b->created_us;
}

static void check_same(struct source *source, struct cache *cache, const struct batch *batch)
{
    struct batch read = {0};
    uint32_t dir = cache_dir(cache, span_of("bob"));

    require(dir != CACHE_NONE, "a directory is gone");
    const struct cache_file *one = cache_find(cache, dir, span_of("one"));
    const struct cache_file *many = cache_find(cache, dir, span_of("many"));
    require(one && many && !cache_find(cache, dir, span_of("none")), "a file is gone");
    require(cache_take(cache, many, source, &place, &read), "heads are gone");
    require(cache_take(cache, one, source, &place, &read), "a head is gone");
    require(read.count == batch->count + 1, "%zu of %zu", read.count, batch->count + 1);
    for (size_t i = 0; i < read.count; i++)
        require(same(&read.items[i], &batch->items[i < batch->count ? i : batch->count - 1]),
                "message %zu", i);
    batch_free(&read);
}

/* Reads every text that the cache returns, to its last byte. */
static size_t touch(struct span text)
{
    size_t sum = 0;

    for (size_t i = 0; i < text.len; i++)
        sum += (unsigned char)text.at[i];
    return sum;
}

/* Checks that all known entries are consistent, whatever follows the heads. */
static void take_known(const struct source *source, const struct cache *cache,
                       const struct cache_file *file, struct batch *batch)
{
    struct entry_cache known;

    cache_known(cache, file, source, &known);
    entry_cache_take(&known, span_of("{}"), &place, batch);
    for (size_t i = 0; i < known.count; i++) {
        struct span head = known.messages[i].head;
        head_read(&head, known.names, known.name_count, &place, batch);
    }
    entry_cache_free(&known);
}

static void walk(struct source *source, struct cache *cache)
{
    struct span_list beneath = {0};
    size_t sum = 0;

    for (uint32_t dir = 0; dir < cache->header->dirs; dir++) {
        struct batch batch = {0};
        size_t count;
        const struct cache_file *files = cache_files(cache, dir, &count);
        for (size_t i = 0; i < count; i++) {
            sum += touch(cache_name(cache, &files[i]));
            cache_find(cache, dir, cache_name(cache, &files[i]));
            cache_take(cache, &files[i], source, &place, &batch);
            take_known(source, cache, &files[i], &batch);
        }
        for (size_t i = 0; i < batch.count; i++) {
            const struct message *message = &batch.items[i];
            sum += touch(message->id) + touch(message->subject) + touch(message->from) +
                   touch(message->to) + touch(message->type) + touch(message->thread) +
                   touch(message->file) + touch(message->reply_to);
            require(message->status <= STATUS_NONE && message->priority <= PRIORITY_URGENT, "%zu",
                    sum);
        }
        batch_free(&batch);
    }
    cache_dirs_beneath(cache, (struct span){0}, &beneath);
    for (size_t i = 0; i < beneath.count; i++)
        touch(beneath.items[i]);
    span_list_free(&beneath);
}

/* --- damage --- */

static struct str read_cache(const char *name)
{
    struct str bytes = {0};
    int fd = open(name, O_RDONLY | O_CLOEXEC);

    require(fd >= 0, "%s was not written", name);
    off_t size = lseek(fd, 0, SEEK_END);
    bytes.len = (size_t)pread(fd, str_room(&bytes, (size_t)size), (size_t)size, 0);
    close(fd);
    return bytes;
}

static void check_spoilt(struct source *source, struct span input, bool mended)
{
    struct str name = {0};

    require(cache_file_path(&name, CACHE_KIND, source, false), "no path");
    struct str bytes = read_cache(str_c(&name));
    size_t header = sizeof(struct cache_header);
    bool spoilt = fuzz_spoil(bytes.at + header, bytes.len - header, input);
    if (mended) {
        fuzz_spoil(bytes.at, header, input);
        mend_cache(&bytes);
    }
    fuzz_write(str_c(&name) + strlen(fuzz_dir()) + 1, str_span(&bytes));
    struct cache *cache = cache_open(source, NULL);
    require(!cache || !spoilt || mended, "damage is not noticed");
    if (cache)
        walk(source, cache);
    cache_free(cache);
    str_free(&bytes);
    str_free(&name);
}

void fuzz_cache(struct span input)
{
    struct source source = make_source();
    bool mended = fuzz_byte(&input) & 1;
    struct message message = {
        .file = {"f", 1}, .place = &place, .created_us = 7, .expires_us = TIME_NONE};
    struct batch batch = {0};

    message.id = fuzz_part(&input);
    message.subject = fuzz_part(&input);
    message.from = fuzz_part(&input);
    message.to = fuzz_part(&input);
    message.thread = fuzz_part(&input);
    add_messages(&batch, &message, SHARED);
    write_cache(&source, &batch);
    struct cache *cache = cache_open(&source, NULL);
    require(cache, "it cannot be opened");
    check_same(&source, cache, &batch);
    cache_free(cache);
    check_spoilt(&source, input, mended);
    batch_free(&batch);
}
