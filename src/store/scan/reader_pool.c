/* The pool: each thread repeatedly claims the next few files of the list until none is left. */
#include "store/scan/reader_pool.h"

#include "base/mem.h"
#include "base/thread.h"
#include "mail/message/kind.h"
#include "mail/security/approval_check.h"
#include "mail/thread/request.h"
#include "store/scan/head_cache.h"
#include "store/source/address.h"

#include <errno.h>
#include <pthread.h>
#include <stdatomic.h>
#include <unistd.h>

/* A reader: reading, parsing, and completing every message. */

void reader_free(struct reader *reader)
{
    str_free(&reader->bytes);
}

unsigned reader_wants(const struct source *source, unsigned want, unsigned want_shared)
{
    return want | (source->format->storage == STORAGE_FILES ? 0 : want_shared);
}

void reader_new_batch(struct reader *reader)
{
    reader->place = NULL;
}

const struct place *reader_place(struct reader *reader, const struct place *place)
{
    reader->place = place_keep(place, reader->place, &reader->batch->arena);
    return reader->place;
}

struct message *reader_add_damaged(struct reader *reader, const struct place *place,
                                   struct span name, const char *reason)
{
    const struct place *kept = reader_place(reader, place);
    struct message *message = batch_add(reader->batch);
    size_t end = span_ends(name, ".json") ? 5 : span_ends(name, ".md") ? 3 : 0;

    message->place = kept;
    message->priority = PRIORITY_NONE;
    message->status = STATUS_NONE;
    message->file = arena_copy(&reader->batch->arena, name);
    message->id = (struct span){message->file.at, name.len - end};
    message->damaged = arena_strdup(&reader->batch->arena, reason);
    address_settle(reader->source, message);
    log_add(reader->log, "damaged: %s/%s: %s", place->dir.at, name.at, reason);
    return message;
}

/* True if a plan may never be approved. The head does not contain that: the message is read
 * whole. */
static bool is_plan_refused(const struct format *format, const struct message *head,
                            struct span raw)
{
    CLEANUP(batch_free) struct batch batch = {0};
    CLEANUP(str_free) struct str file = {0}, why = {0};
    struct message whole = *head;
    struct err ignored;

    format_add_file(format, raw, &file);
    if (format_parse_bytes(format, head->file, str_span(&file), WANT_DATA | WANT_BODY, &batch,
                           &ignored) &&
        batch.count == 1) {
        whole.data = batch.items[0].data;
        return approval_refuses(&why, &whole, raw);
    }
    return true;
}

void reader_finish(const struct source *source, struct batch *batch, size_t first,
                   struct span bytes)
{
    for (size_t i = first; i < batch->count; i++) {
        struct message *message = &batch->items[i];
        struct span raw = message_raw(message, bytes);
        bool fresh = !message->print; /* otherwise its head was cached, with the result of this
                                       * check */
        message->print = map_hash(raw, source->seed);
        address_settle(source, message);
        if (fresh && message->kind == KIND_PLAN && message_asks(message))
            message->refused = is_plan_refused(source->format, message, raw);
    }
}

enum file_result reader_read(struct reader *reader, const struct place *place, int dir,
                             struct span name, bool listed, bool last_look, struct err *err)
{
    const struct format *format = reader->source->format;
    size_t first = reader->batch->count;
    enum file_result result = (listed ? file_read_listed : file_read)(
        dir, name.at, FILE_SIZE_MAX, &reader->bytes, &reader->id, err);

    reader->has_bytes = result == FILE_OK;
    if (result != FILE_OK)
        return result;
    struct mail_file file = {.place = reader_place(reader, place),
                             .name = name,
                             .bytes = str_span(&reader->bytes),
                             .mtime_us = reader->id.mtime_ns / 1000,
                             .lasts_us = reader->source->lasts_us,
                             .known = reader->known};
    unsigned want = reader_wants(reader->source, reader->want, reader->want_shared);
    if (!format->parse(&file, want, reader->batch, err)) {
        if (!last_look && !file_is_settled(file.mtime_us))
            return FILE_CHANGED;
        if (!format->parse(&file, want | WANT_SALVAGE, reader->batch, err))
            return FILE_FAILED;
    }
    reader_finish(reader->source, reader->batch, first, file.bytes);
    return FILE_OK;
}

enum {
    HANDS_MAX = 16,
    WORKERS_PER_PROCESSOR = 4, /* with a cold disk cache most of them wait */
    FILES_PER_HAND = 128,      /* fewer are read before a thread has started */
    CHUNK_MIN = 32,
    CHUNK_MAX = 1024,
};

struct reader_pool_work {
    const struct reader_pool *crew;
    const struct reader_pool_file *files;
    size_t count, handful;
    atomic_size_t next;
    pthread_mutex_t telling;
    atomic_size_t known; /* files answered from the cache */
    size_t *changed;     /* when checking */
    size_t changed_count;
    pthread_t caller;
};

/* Claims the next few files of the list; false if none is left. */
static bool next_handful(struct reader_pool_work *work, size_t *first, size_t *end)
{
    *first = atomic_fetch_add(&work->next, work->handful);
    *end = *first + work->handful < work->count ? *first + work->handful : work->count;
    return *first < work->count;
}

/* A chunk of the list, with the state of the thread that reads it. */
struct reader_pool_chunk {
    const struct reader_pool *crew;
    struct reader *reader;
    struct update update;
    struct cache_part part;
    int64_t begun_ns;
    const struct place *place;
    int dir;     /* the directory of that place, or -1 */
    int problem; /* the errno if it is -1 */
    size_t known;
};

/* Adds the cached messages, if the file is still the one that was read. */
static bool recall_chunk(struct reader_pool_chunk *h, const struct reader_pool_file *file)
{
    struct file_id id;

    if (!file->cached)
        return false;
    if (!file->trusted) {
        if (file_stat(h->dir, file->name.at, &id, NULL) != FILE_OK)
            return false;
        struct stamp now = file_stamp_of(&id, 0);
        if (!file_stamp_holds(&file->cached->stamp, &now))
            return false;
    }
    if (!cache_take(h->crew->cache, file->cached, h->crew->source,
                    reader_place(h->reader, file->place), &h->update.batch))
        return false;
    if (h->crew->writer)
        cache_note_old(&h->part, file->cached);
    h->known++;
    return true;
}

/* Reads a file. Only a missing directory makes its files FILE_GONE. */
static enum file_result read_from(struct reader_pool_chunk *h, const struct reader_pool_file *file,
                                  struct err *err)
{
    if (h->dir >= 0)
        return reader_read(h->reader, file->place, h->dir, file->name, file->listed, false, err);
    h->reader->has_bytes = false;
    return source_dir_failed(h->problem, err);
}

static enum update_what read_now(struct reader_pool_chunk *h, const struct reader_pool_file *file)
{
    size_t first = h->update.batch.count;
    CLEANUP(entry_cache_free) struct entry_cache known = {0};
    struct err err;

    if (file->cached && h->crew->source->format->storage != STORAGE_FILES)
        cache_known(h->crew->cache, file->cached, h->crew->source, &known);
    h->reader->known = &known;
    enum file_result result = read_from(h, file, &err);
    h->reader->known = NULL;

    if (result == FILE_FAILED)
        reader_add_damaged(h->reader, file->place, file->name, err.text)->unread_bytes =
            !h->reader->has_bytes;
    if (h->crew->writer && (result == FILE_OK || result == FILE_FAILED)) {
        struct cache_read read = {.stamp = file_stamp_of(&h->reader->id, h->begun_ns),
                                  .batch = &h->update.batch,
                                  .first = first,
                                  .known = known.taken};
        if (h->reader->has_bytes)
            read.bytes = str_span(&h->reader->bytes);
        cache_note_read(h->crew->writer, &h->part, &read);
    } else if (h->crew->writer) {
        cache_note_nothing(&h->part);
    }
    return result == FILE_GONE ? UPDATE_GONE : result == FILE_CHANGED ? UPDATE_KEPT : UPDATE_HOLDS;
}

static void read_file(struct reader_pool_chunk *h, const struct reader_pool_file *file)
{
    size_t first = h->update.batch.count;

    if (file->place != h->place) {
        if (h->dir >= 0)
            close(h->dir);
        h->place = file->place;
        h->dir = source_dir(h->crew->source, h->place->dir.at);
        h->problem = h->dir < 0 ? errno : 0;
    }
    enum update_what what = recall_chunk(h, file) ? UPDATE_HOLDS : read_now(h, file);
    if (h->crew->overlay)
        local_marks_apply(h->crew->overlay, &h->update.batch, first);
    update_add(&h->update, reader_place(h->reader, file->place),
               arena_copy(&h->update.batch.arena, file->name), what, first);
}

static void read_handful(struct reader *reader, struct reader_pool_work *work, size_t first,
                         size_t end)
{
    const struct reader_pool *crew = work->crew;
    struct reader_pool_chunk h = {.crew = crew,
                                  .reader = reader,
                                  .update.source = crew->source->index,
                                  .part.first = first,
                                  .begun_ns = file_stamp_now_ns(),
                                  .dir = -1};

    reader->batch = &h.update.batch;
    reader_new_batch(reader);
    if (crew->source->format->storage == STORAGE_FILES)
        batch_reserve(&h.update.batch, end - first);
    for (size_t i = first; i < end; i++)
        read_file(&h, &work->files[i]);
    if (h.dir >= 0)
        close(h.dir);
    if (crew->writer)
        cache_add_part(crew->writer, &h.part);
    atomic_fetch_add(&work->known, h.known);
    batch_finish(&h.update.batch);
    pthread_mutex_lock(&work->telling);
    crew->done(crew->context, &h.update, first);
    pthread_mutex_unlock(&work->telling);
    reader->batch = NULL;
}

static void *read_some(void *context)
{
    struct reader_pool_work *work = context;
    CLEANUP(reader_free)
    struct reader reader = {.source = work->crew->source,
                            .want = work->crew->want,
                            .want_shared = work->crew->want_shared,
                            .log = work->crew->log};
    size_t first, end;

    while (next_handful(work, &first, &end))
        read_handful(&reader, work, first, end);
    return NULL;
}

static size_t workers_for(size_t count)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    size_t workers = WORKERS_PER_PROCESSOR * (size_t)(processors > 0 ? processors : 1);

    workers = workers < HANDS_MAX ? workers : HANDS_MAX;
    return count / FILES_PER_HAND < workers ? count / FILES_PER_HAND : workers;
}

/* Runs do_some() on several threads. The calling thread is one of them, unless the work runs in the
 * background: then it only works if no thread can be started. */
static void work_together(struct reader_pool_work *work, void *(*do_some)(void *work),
                          bool in_background)
{
    pthread_t others[HANDS_MAX];
    size_t workers = workers_for(work->count), started = 0;
    size_t wanted = in_background || !workers ? workers : workers - 1;

    /* small chunks, so that no thread has much work left at the end */
    work->handful = work->count / (8 * (workers ? workers : 1));
    if (work->handful < CHUNK_MIN)
        work->handful = CHUNK_MIN;
    if (work->handful > CHUNK_MAX)
        work->handful = CHUNK_MAX;
    pthread_mutex_init(&work->telling, NULL);
    while (started < wanted && parallel_start(&others[started], do_some, work) == 0)
        started++;
    if (!in_background || !started)
        do_some(work);
    for (size_t i = 0; i < started; i++)
        pthread_join(others[i], NULL);
    pthread_mutex_destroy(&work->telling);
}

void reader_pool_read(const struct reader_pool *crew, const struct reader_pool_file *files,
                      size_t count)
{
    struct reader_pool_work work = {.crew = crew, .files = files, .count = count};

    work_together(&work, read_some, false);
    if (crew->cache)
        log_add(crew->log, "cache: %zu of %zu files need not be read", atomic_load(&work.known),
                count);
}

/* --- checking --- */

static bool is_changed(const struct reader_pool_file *file, int dir)
{
    struct file_id id;

    if (dir < 0 || file_stat(dir, file->name.at, &id, NULL) != FILE_OK)
        return true;
    struct stamp now = file_stamp_of(&id, 0);
    return !file_stamp_holds(&file->cached->stamp, &now);
}

static void *check_some(void *context)
{
    struct reader_pool_work *work = context;
    const struct place *place = NULL;
    size_t first, end;
    int dir = -1;

    while (next_handful(work, &first, &end)) {
        for (size_t i = first; i < end; i++) {
            const struct reader_pool_file *file = &work->files[i];
            if (!file->trusted)
                continue;
            if (file->place != place) {
                if (dir >= 0)
                    close(dir);
                place = file->place;
                dir = source_dir(work->crew->source, place->dir.at);
            }
            if (!is_changed(file, dir))
                continue;
            pthread_mutex_lock(&work->telling);
            work->changed[work->changed_count++] = i;
            pthread_mutex_unlock(&work->telling);
        }
    }
    if (dir >= 0)
        close(dir);
    return NULL;
}

static void *check_in_background(void *context)
{
    struct reader_pool_work *work = context;

    if (!pthread_equal(pthread_self(), work->caller))
        background_enter();
    return check_some(work);
}

size_t reader_pool_check(const struct source *source, const struct reader_pool_file *files,
                         size_t count, size_t *changed)
{
    struct reader_pool crew = {.source = source};
    struct reader_pool_work work = {.crew = &crew,
                                    .files = files,
                                    .count = count,
                                    .changed = changed,
                                    .caller = pthread_self()};

    work_together(&work, check_in_background, true);
    return work.changed_count;
}
