/* Searching through the store: reading files, showing candidates, and the verbs of the index. */
#include "store/search/search_results.h"

#include "base/io_error.h"
#include "base/mem.h"
#include "base/time.h"
#include "mail/message/model.h"
#include "store/scan/load.h"
#include "store/scan/reader_pool.h"
#include "store/search/search_state.h"
#include "store/search/segment.h"
#include "store/store_private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Reading the files that the index does not know. */

enum { BATCH_MESSAGES = 256 };

struct reading {
    struct seeking *seeking;
    struct searched *searched;
    struct batch batch;
    struct reader reader;
    struct plan_hit *hits; /* one per item */
    size_t *again;         /* files that may be half written */
    size_t again_count, again_cap;
};

static void add_doc(struct reading *r, size_t file, const struct message *message)
{
    struct seeking *seeking = r->seeking;
    struct searched *searched = r->searched;
    const struct search_plan *plan = &seeking->plan;
    uint32_t words = 0;

    if (seeking->search->ranked)
        words = search_plan_prepare(plan, message, r->hits);
    else
        search_plan_glance(plan, message, r->hits);
    seeking->corpus.messages++;
    seeking->corpus.words += words;
    for (size_t i = 0; i < plan->count; i++)
        plan->items[i].with += r->hits[i].times > 0;
    struct fresh_doc *doc = mem_push(searched->fresh, searched->fresh_count, searched->fresh_cap);
    *doc = (struct fresh_doc){
        .created_us = message->created_us,
        .id = arena_copy(&searched->arena, message->id),
        .key = segment_key_of(message->place->team, message->place->box, message->id),
        .file = (uint32_t)file,
        .words = words,
        .may = search_plan_may_match(plan, r->hits)};
    if (doc->may && plan->count) {
        doc->hits = arena_alloc(&searched->arena, plan->count * sizeof *doc->hits);
        memcpy(doc->hits, r->hits, plan->count * sizeof *doc->hits);
    }
}

static void add_docs(struct reading *r, size_t file, size_t first)
{
    for (size_t i = first; i < r->batch.count; i++)
        add_doc(r, file, &r->batch.items[i]);
    if (r->batch.count >= BATCH_MESSAGES) {
        batch_free(&r->batch);
        reader_new_batch(&r->reader);
    }
}

/* Adds the archived file to the census when a file has left the inbox since it was listed. */
static void follow_copies(struct reading *r, const struct file_census_file *file)
{
    const struct source *source = r->searched->source;
    CLEANUP(str_free) struct str dir = {0};
    CLEANUP(str_free) struct str name = {0};

    if (file->place->archived ||
        (source->format->archiving != ARCHIVE_COPY && source->format->archiving != ARCHIVE_MOVE))
        return;
    format_dir(&dir, source->format, true, file->place->team, file->place->box);
    str_add_span(&name, file->name); /* the census may move it */
    file_census_stat(&r->searched->census, str_span(&dir), str_span(&name));
}

void seeking_note_unreadable(struct seeking *seeking, const struct searched *searched,
                             struct span path, struct span reason)
{
    struct search_result *result = seeking->result;
    CLEANUP(str_free) struct str whole = {0};

    str_add_path(&whole, span_of(searched->source->path), path);
    span_list_add(&result->unreadable, arena_copy(&result->arena, str_span(&whole)));
    span_list_add(&result->unreadable, arena_copy(&result->arena, reason));
}

/* Opens the directory of a file. Returns -errno on failure. */
static int open_dir(const struct reading *r, const struct place *place)
{
    int dir = source_dir(r->searched->source, place->dir.at);

    return dir >= 0 ? dir : -errno;
}

static void read_file(struct reading *r, size_t number, int dir, bool last_look)
{
    struct file_census_file *file = &r->searched->census.files[number];
    size_t first = r->batch.count;
    struct err err;

    if (file->copy) {
        if (local_marks_copy(&r->searched->overlay, file->copy, WANT_DATA | WANT_BODY, &r->batch,
                             &err))
            add_docs(r, number, first);
        return;
    }
    switch (dir < 0
                ? source_dir_failed(-dir, &err)
                : reader_read(&r->reader, file->place, dir, file->name, false, last_look, &err)) {
    case FILE_OK:
        add_docs(r, number, first);
        break;
    case FILE_GONE:
        file->gone = true;
        follow_copies(r, file);
        break;
    case FILE_CHANGED:
        *mem_push(r->again, r->again_count, r->again_cap) = number;
        break;
    default: /* a damaged file has nothing to find */
        if (!r->reader.has_bytes || dir < 0)
            seeking_note_unreadable(r->seeking, r->searched, file->path, span_of(err.text));
        break;
    }
}

/* Waits for all files together that may be half written. */
static void read_again(struct reading *r)
{
    int64_t give_up_us = time_steady() + FILE_PATIENCE_US;

    for (size_t round = 0; r->again_count && !seeking_is_stopped(r->seeking); round++) {
        size_t count = r->again_count, *files = r->again;
        time_sleep(file_pause_us(round));
        bool last_look = time_steady() > give_up_us;
        r->again = NULL;
        r->again_count = r->again_cap = 0;
        for (size_t i = 0; i < count; i++) {
            int dir = open_dir(r, r->searched->census.files[files[i]].place);
            read_file(r, files[i], dir, last_look);
            if (dir >= 0)
                close(dir);
        }
        free(files);
    }
}

void seeking_read(struct seeking *seeking, struct searched *searched)
{
    struct reading r = {.seeking = seeking, .searched = searched};
    const struct place *place = NULL;
    int dir = -1;

    r.reader = (struct reader){
        .source = searched->source, .batch = &r.batch, .want = WANT_DATA | WANT_BODY};
    r.hits = mem_alloc((seeking->plan.count + 1) * sizeof *r.hits);
    /* follow_copies() may add files to the census. */
    for (size_t i = 0; i < searched->census.count && !seeking_is_stopped(seeking); i++) {
        const struct file_census_file *file = &searched->census.files[i];
        seeking->result->files += !file->gone;
        if (file->gone || file->by != FILE_CENSUS_NONE)
            continue;
        if (!file->copy && file->place != place) {
            if (dir >= 0)
                close(dir);
            dir = open_dir(&r, file->place);
            place = file->place;
        }
        seeking->result->read++;
        seeking->result->work += index_work(file);
        read_file(&r, i, dir, false);
    }
    if (dir >= 0)
        close(dir);
    read_again(&r);
    batch_free(&r.batch);
    reader_free(&r.reader);
    free(r.hits);
    free(r.again);
}

/* Showing: reads candidates again, settles them with their copies, and matches them. */

/* Returns the file of a candidate. */
static const struct file_census_file *file_of(const struct seeking *seeking,
                                              const struct candidate *candidate)
{
    const struct searched *searched = &seeking->searcher->sources[candidate->source];
    uint32_t segment = candidate->segment;
    uint32_t file =
        segment == FILE_CENSUS_NONE
            ? searched->fresh[candidate->doc].file
            : searched->files[segment][searched->index.segments[segment].docs[candidate->doc].file];

    return &searched->census.files[file];
}

/* Reads the bytes of one entry of a file with many messages. False if the file is not the one that
 * was indexed. */
static bool read_entry(const struct searched *searched, const struct file_census_file *file,
                       const struct segment_doc *doc, const struct stamp *then, struct str *bytes)
{
    int dir = source_dir(searched->source, file->place->dir.at), fd = -1;
    struct file_id id;
    bool ok = false;

    if (dir >= 0)
        fd = file_open_beneath(dir, file->name.at, O_RDONLY);
    if (fd >= 0) {
        char *to = str_room(bytes, doc->raw_len + 2);
        to[0] = '[';
        ok = pread(fd, to + 1, doc->raw_len, doc->raw_at) == (ssize_t)doc->raw_len;
        to[doc->raw_len + 1] = ']';
        to[doc->raw_len + 2] = '\0';
        bytes->len = doc->raw_len + 2;
        struct stamp now = {0};
        ok = ok && file_stat(dir, file->name.at, &id, NULL) == FILE_OK;
        if (ok)
            now = file_stamp_of(&id, 0);
        ok = ok && file_stamp_holds(then, &now);
        close(fd);
    }
    if (dir >= 0)
        close(dir);
    return ok;
}

static struct message *parse_entry(const struct searched *searched,
                                   const struct file_census_file *file, struct span bytes,
                                   struct span id, struct batch *batch)
{
    const struct source *source = searched->source;
    struct place *place = arena_alloc(&batch->arena, sizeof *place);
    size_t first = batch->count;
    struct err ignored;

    *place = *file->place;
    struct mail_file entry = {.place = place,
                              .name = file->name,
                              .bytes = bytes,
                              .mtime_us = file->now.mtime_ns / 1000,
                              .lasts_us = source->lasts_us};
    if (!source->format->parse(&entry, WANT_DATA | WANT_BODY, batch, &ignored) ||
        batch->count != first + 1)
        return NULL;
    reader_finish(source, batch, first, bytes);
    batch->items[first].id = arena_copy(&batch->arena, id);
    return &batch->items[first];
}

/* Reads a message without reading all of the file that it shares with others. NULL if all must be
 * read. */
static struct message *load_entry(const struct seeking *seeking, const struct candidate *candidate,
                                  struct batch *batch)
{
    const struct searched *searched = &seeking->searcher->sources[candidate->source];
    const struct file_census_file *file = file_of(seeking, candidate);
    struct message *message = NULL;
    CLEANUP(str_free) struct str bytes = {0};

    if (candidate->segment == FILE_CENSUS_NONE ||
        searched->source->format->storage != STORAGE_ARRAY)
        return NULL;
    const struct segment *segment = &searched->index.segments[candidate->segment];
    const struct segment_doc *doc = &segment->docs[candidate->doc];
    struct stamp then = segment_file_stamp(segment, doc->file);
    if (doc->raw_len && read_entry(searched, file, doc, &then, &bytes)) {
        message = parse_entry(searched, file, str_span(&bytes), candidate->id, batch);
        if (message) {
            message->raw_at = doc->raw_at;
            message->raw_len = doc->raw_len;
        }
    }
    return message;
}

/* Files with many messages. */

void seeking_release(struct seeking *seeking)
{
    for (size_t i = 0; i < seeking->held_count; i++) {
        map_free(&seeking->held[i].ids);
        batch_free(&seeking->held[i].batch);
    }
    free(seeking->held);
}

static void hold_file(struct seeking *seeking, struct held_file *held,
                      const struct candidate *candidate)
{
    const struct searched *searched = &seeking->searcher->sources[candidate->source];
    struct message head = {.place = held->place, .file = held->name, .id = candidate->id};
    struct err err;
    bool fresh;

    if (!load_again(searched->source, &head, WANT_DATA | WANT_BODY, seeking->state, &held->batch,
                    &err)) {
        io_error_note_err(&err);
        held->batch.count = 0;
    }
    local_marks_apply(&searched->overlay, &held->batch, 0);
    for (size_t i = 0; i < held->batch.count; i++) {
        uint32_t *number = map_put(&held->ids, held->batch.items[i].id, &fresh);
        if (fresh)
            *number = (uint32_t)i;
    }
}

/* Returns a message of a file that is read once for all candidates in it. */
static struct message *load_held(struct seeking *seeking, const struct candidate *candidate)
{
    const struct file_census_file *file = file_of(seeking, candidate);
    struct held_file *held = NULL;

    for (size_t i = 0; !held && i < seeking->held_count; i++)
        if (seeking->held[i].source == candidate->source && seeking->held[i].place == file->place &&
            span_eq(seeking->held[i].name, file->name))
            held = &seeking->held[i];
    if (!held) {
        held = mem_push(seeking->held, seeking->held_count, seeking->held_cap);
        *held = (struct held_file){
            .source = candidate->source, .place = file->place, .name = file->name};
        hold_file(seeking, held, candidate);
    }
    const uint32_t *number = map_get(&held->ids, candidate->id);
    return number ? &held->batch.items[*number] : NULL;
}

/* One message. */

/* Returns the message as it is now, in the batch or in a held file; NULL when it is gone. */
static struct message *load(struct seeking *seeking, const struct candidate *candidate,
                            struct batch *batch)
{
    const struct searched *searched = &seeking->searcher->sources[candidate->source];
    const struct file_census_file *file = file_of(seeking, candidate);
    struct message head = {.file = file->name, .id = candidate->id};
    struct err err = {0};
    bool ok;

    if (file->copy) {
        ok = local_marks_shows(&searched->overlay, file->copy) &&
             local_marks_copy(&searched->overlay, file->copy, WANT_DATA | WANT_BODY, batch, &err);
    } else if (searched->source->format->storage == STORAGE_ARRAY) {
        ok = load_entry(seeking, candidate, batch) != NULL;
        if (!ok)
            return load_held(seeking, candidate);
    } else {
        struct place *place = arena_alloc(&batch->arena, sizeof *place);
        *place = *file->place;
        head.place = place;
        ok =
            load_again(searched->source, &head, WANT_DATA | WANT_BODY, seeking->state, batch, &err);
    }
    if (!ok)
        io_error_note_err(&err);
    if (ok)
        local_marks_apply(&searched->overlay, batch, 0);
    for (size_t i = 0; ok && i < batch->count; i++)
        if (span_eq(batch->items[i].id, candidate->id))
            return &batch->items[i];
    return NULL;
}

/* Copies of one message. */

struct copies_of {
    struct seeking *seeking;
    const struct candidate *candidate;
    uint32_t segment;
    struct candidate *items;
    size_t count, cap;
};

static void add_copy(struct copies_of *copies, uint32_t segment, uint32_t doc, struct span id)
{
    if (!span_eq(id, copies->candidate->id))
        return;
    *mem_push(copies->items, copies->count, copies->cap) = (struct candidate){
        .id = id, .source = copies->candidate->source, .segment = segment, .doc = doc};
}

static void found_copy(void *context, uint32_t doc)
{
    struct copies_of *copies = context;
    const struct searched *searched =
        &copies->seeking->searcher->sources[copies->candidate->source];
    const struct segment *segment = &searched->index.segments[copies->segment];

    if (searched->files[copies->segment][segment->docs[doc].file] != FILE_CENSUS_NONE)
        add_copy(copies, copies->segment, doc, segment_doc_id(segment, doc));
}

static int cmp_fresh(const void *key, const void *doc)
{
    uint64_t wanted = *(const uint64_t *)key, here = ((const struct fresh_doc *)doc)->key;

    return wanted < here ? -1 : wanted > here;
}

/* Finds everything with the same id in the same box, including the candidate. */
static void find_copies(struct copies_of *copies, uint64_t key)
{
    const struct searched *searched =
        &copies->seeking->searcher->sources[copies->candidate->source];

    for (uint32_t i = 0; i < searched->index.count; i++) {
        copies->segment = i;
        segment_find_key(&searched->index.segments[i], key, found_copy, copies, NULL);
    }
    const struct fresh_doc *some = searched->fresh_count
                                       ? bsearch(&key, searched->fresh, searched->fresh_count,
                                                 sizeof *searched->fresh, cmp_fresh)
                                       : NULL;
    if (!some)
        return;
    while (some > searched->fresh && some[-1].key == key)
        some--;
    for (; some < searched->fresh + searched->fresh_count && some->key == key; some++)
        add_copy(copies, FILE_CENSUS_NONE, (uint32_t)(some - searched->fresh), some->id);
}

static void add_message(struct seeking *seeking, const struct message *message)
{
    struct search_result *result = seeking->result;
    CLEANUP(str_free) struct str name = {0};
    bool fresh;

    if (!seeking->search->matches(seeking->search->context, message))
        return;
    message_add_name(&name, message, true);
    str_putc(&name, '\n'); /* copies from one place share a name */
    str_add_span(&name, message->id);
    message_add_copy(&name, message);
    map_put_copy(&seeking->shown, &seeking->arena, str_span(&name), &fresh);
    if (!fresh)
        return;
    struct message *kept = arena_alloc(&result->arena, sizeof *kept);
    message_keep_whole(kept, message, &result->arena);
    *mem_push(result->messages, result->count, result->cap) = kept;
}

/* Shows those of several copies that remain after settling. */
static void show_copies(struct seeking *seeking, const struct copies_of *copies)
{
    CLEANUP(mem_free) struct message **some = mem_alloc(copies->count * sizeof *some);
    /* one each, so that no message moves */
    CLEANUP(mem_free) struct batch *batches = mem_zero(copies->count, sizeof *batches);
    size_t count = 0;

    for (size_t i = 0; i < copies->count; i++) {
        struct message *message = load(seeking, &copies->items[i], &batches[i]);
        if (message && message->damaged)
            add_message(seeking, message);
        else if (message)
            some[count++] = message;
    }
    count = model_settle_copies(some, count);
    for (size_t i = 0; i < count; i++)
        add_message(seeking, some[i]);
    for (size_t i = 0; i < copies->count; i++)
        batch_free(&batches[i]);
}

void seeking_show(struct seeking *seeking, const struct candidate *candidate)
{
    const struct place *place = file_of(seeking, candidate)->place;
    struct copies_of copies = {.seeking = seeking, .candidate = candidate};
    CLEANUP(batch_free) struct batch batch = {0};

    find_copies(&copies, segment_key_of(place->team, place->box, candidate->id));
    if (copies.count > 1) {
        show_copies(seeking, &copies);
    } else {
        const struct message *message = load(seeking, candidate, &batch);
        if (message)
            add_message(seeking, message);
    }
    free(copies.items);
}

static struct searcher *searcher_of(struct store *store)
{
    if (!store->searcher)
        store->searcher = searcher_new(store->sources, store->source_count, !store->readonly);
    return store->searcher;
}

bool store_search(struct store *store, const struct search *search, struct search_result *result,
                  struct err *err)
{
    return searcher_find(searcher_of(store), store_state_to_read(store), search, result, err);
}

void store_search_report(struct store *store, uint32_t source, struct span dir, struct span name)
{
    if (name.at)
        searcher_report(searcher_of(store), source, dir, name);
    else
        searcher_forget(searcher_of(store));
}

bool store_index_update(struct store *store, uint32_t source, struct index_build *build,
                        struct err *err)
{
    return store_may_write(store, err) &&
           index_update(&store->sources[source], store_state_to_read(store), build, err);
}

bool store_index_drop(struct store *store, uint32_t source, struct err *err)
{
    return store_may_write(store, err) && index_drop(&store->sources[source], err);
}

void index_status_free(struct index_status *status)
{
    str_free(&status->path);
}

static void add_segments(struct index_status *status, const struct search_index *index)
{
    status->segments = index->count;
    status->damaged = index->damaged;
    snprintf(status->problem, sizeof status->problem, "%s", index->problem);
    for (size_t i = 0; i < index->count; i++) {
        int64_t made_us = index->segments[i].header.made_us;
        status->bytes += index->segments[i].bytes;
        if (status->newest_us == TIME_NONE || made_us > status->newest_us)
            status->newest_us = made_us;
    }
}

bool store_index_status(struct store *store, uint32_t number, struct index_status *status,
                        struct err *err)
{
    const struct source *source = &store->sources[number];
    CLEANUP(index_close) struct search_index index = {0};
    CLEANUP(file_census_free) struct file_census census = {0};

    *status = (struct index_status){.newest_us = TIME_NONE};
    index_open(&index, source);
    index_check(&index);
    str_add_span(&status->path, str_span(&index.path));
    add_segments(status, &index);
    status->busy = index_is_busy(source);
    bool ok = file_census_take(&census, source, store_state_to_read(store), err) ||
              err_at(err, source->path);
    if (ok)
        index_attach(&index, &census);
    for (size_t i = 0; ok && i < census.count; i++) {
        const struct file_census_file *file = &census.files[i];
        status->files += !file->gone;
        if (file->gone || file->by == FILE_CENSUS_NONE)
            continue;
        status->known++;
        status->docs += index.segments[file->by].files[file->number].docs;
    }
    return ok;
}
