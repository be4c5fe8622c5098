/* Searching: what is shown is read again, settled with its copies, and held against the query. */
#include "base/io_error.h"
#include "base/mem.h"
#include "mail/message/model.h"
#include "store/scan/load.h"
#include "store/scan/reader.h"
#include "store/search/search_private.h"
#include "store/search/segment_write.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* The file that a candidate lies in. */
static const struct census_file *file_of(const struct seeking *seeking,
                                         const struct candidate *candidate)
{
    const struct searched *searched = &seeking->searcher->sources[candidate->source];
    uint32_t segment = candidate->segment;
    uint32_t file =
        segment == CENSUS_NONE
            ? searched->fresh[candidate->doc].file
            : searched->files[segment][searched->index.segments[segment].docs[candidate->doc].file];

    return &searched->census.files[file];
}

/* The bytes of one entry of a file that holds many, as long as that is the file that was indexed.
 */
static bool read_entry(const struct searched *searched, const struct census_file *file,
                       const struct segment_doc *doc, const struct stamp *then, struct str *bytes)
{
    int dir = source_dir(searched->source, file->place->dir.at), fd = -1;
    struct file_id id;
    struct err ignored;
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
        ok = ok && file_look(dir, file->name.at, &id, &ignored) == FILE_OK;
        if (ok)
            now = stamp_of(&id, 0);
        ok = ok && stamp_holds(then, &now);
        close(fd);
    }
    if (dir >= 0)
        close(dir);
    return ok;
}

static struct message *parse_entry(const struct searched *searched, const struct census_file *file,
                                   struct span bytes, struct span id, struct batch *batch)
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

/* A message that shares its file, without reading all of that. NULL when it has to be. */
static struct message *load_entry(const struct seeking *seeking, const struct candidate *candidate,
                                  struct batch *batch)
{
    const struct searched *searched = &seeking->searcher->sources[candidate->source];
    const struct census_file *file = file_of(seeking, candidate);
    struct message *message = NULL;
    struct str bytes = {0};

    if (candidate->segment == CENSUS_NONE || searched->source->format->keeping != KEEP_ARRAY)
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
    str_free(&bytes);
    return message;
}

/* --- files that hold many --- */

void seeking_let_go(struct seeking *seeking)
{
    for (size_t i = 0; i < seeking->held_count; i++) {
        map_free(&seeking->held[i].ids);
        batch_free(&seeking->held[i].batch);
    }
    free(seeking->held);
}

static void hold(struct seeking *seeking, struct held_file *held, const struct candidate *candidate)
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
    overlay_apply(&searched->overlay, &held->batch, 0);
    for (size_t i = 0; i < held->batch.count; i++) {
        uint32_t *number = map_put(&held->ids, held->batch.items[i].id, &fresh);
        if (fresh)
            *number = (uint32_t)i;
    }
}

/* A message of a file that is read once for all that is sought in it. */
static struct message *load_held(struct seeking *seeking, const struct candidate *candidate)
{
    const struct census_file *file = file_of(seeking, candidate);
    struct held_file *held = NULL;

    for (size_t i = 0; !held && i < seeking->held_count; i++)
        if (seeking->held[i].source == candidate->source && seeking->held[i].place == file->place &&
            span_eq(seeking->held[i].name, file->name))
            held = &seeking->held[i];
    if (!held) {
        seeking->held = mem_grow(seeking->held, &seeking->held_cap, seeking->held_count + 1,
                                 sizeof *seeking->held);
        held = &seeking->held[seeking->held_count++];
        *held = (struct held_file){
            .source = candidate->source, .place = file->place, .name = file->name};
        hold(seeking, held, candidate);
    }
    const uint32_t *number = map_get(&held->ids, candidate->id);
    return number ? &held->batch.items[*number] : NULL;
}

/* --- one message --- */

/* The message as it is now, in the batch or among what is held; NULL when it is not there any more.
 */
static struct message *load(struct seeking *seeking, const struct candidate *candidate,
                            struct batch *batch)
{
    const struct searched *searched = &seeking->searcher->sources[candidate->source];
    const struct census_file *file = file_of(seeking, candidate);
    struct message head = {.file = file->name, .id = candidate->id};
    struct err err = {0};
    bool ok;

    if (file->copy) {
        ok = overlay_shows(&searched->overlay, file->copy) &&
             overlay_copy(&searched->overlay, file->copy, WANT_DATA | WANT_BODY, batch, &err);
    } else if (searched->source->format->keeping == KEEP_ARRAY) {
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
        overlay_apply(&searched->overlay, batch, 0);
    for (size_t i = 0; ok && i < batch->count; i++)
        if (span_eq(batch->items[i].id, candidate->id))
            return &batch->items[i];
    return NULL;
}

/* --- copies of one message --- */

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
    copies->items = mem_grow(copies->items, &copies->cap, copies->count + 1, sizeof *copies->items);
    copies->items[copies->count++] = (struct candidate){
        .id = id, .source = copies->candidate->source, .segment = segment, .doc = doc};
}

static void found_copy(void *context, uint32_t doc)
{
    struct copies_of *copies = context;
    const struct searched *searched =
        &copies->seeking->searcher->sources[copies->candidate->source];
    const struct segment *segment = &searched->index.segments[copies->segment];

    if (searched->files[copies->segment][segment->docs[doc].file] != CENSUS_NONE)
        add_copy(copies, copies->segment, doc, segment_doc_id(segment, doc));
}

static int cmp_fresh(const void *key, const void *doc)
{
    uint64_t wanted = *(const uint64_t *)key, here = ((const struct fresh_doc *)doc)->key;

    return wanted < here ? -1 : wanted > here;
}

/* Everything that has the same id in the same box, the candidate included. */
static void find_copies(struct copies_of *copies, uint64_t key)
{
    const struct searched *searched =
        &copies->seeking->searcher->sources[copies->candidate->source];
    struct err ignored;

    for (uint32_t i = 0; i < searched->index.count; i++) {
        copies->segment = i;
        segment_find_key(&searched->index.segments[i], key, found_copy, copies, &ignored);
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
        add_copy(copies, CENSUS_NONE, (uint32_t)(some - searched->fresh), some->id);
}

static void add_message(struct seeking *seeking, const struct message *message)
{
    struct search_result *result = seeking->result;
    struct str name = {0};
    bool fresh;

    if (!seeking->search->matches(seeking->search->context, message))
        return;
    message_add_name(&name, message, true);
    str_putc(&name, '\n'); /* copies of what lay in one place have one name */
    str_add_span(&name, message->id);
    message_add_copy(&name, message);
    map_put_copy(&seeking->shown, &seeking->arena, str_span(&name), &fresh);
    str_free(&name);
    if (!fresh)
        return;
    struct message *kept = arena_alloc(&result->arena, sizeof *kept);
    message_keep_whole(kept, message, &result->arena);
    result->messages =
        mem_grow(result->messages, &result->cap, result->count + 1, sizeof *result->messages);
    result->messages[result->count++] = kept;
}

/* Of several copies those that stay are shown. */
static void show_copies(struct seeking *seeking, const struct copies_of *copies)
{
    struct message **some = mem_alloc(copies->count * sizeof *some);
    struct batch *batches = mem_zero(copies->count, sizeof *batches); /* so that none moves */
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
    free(batches);
    free(some);
}

void seeking_show(struct seeking *seeking, const struct candidate *candidate)
{
    const struct place *place = file_of(seeking, candidate)->place;
    struct copies_of copies = {.seeking = seeking, .candidate = candidate};
    struct batch batch = {0};

    find_copies(&copies, segment_key_of(place->team, place->box, candidate->id));
    if (copies.count > 1) {
        show_copies(seeking, &copies);
    } else {
        const struct message *message = load(seeking, candidate, &batch);
        if (message)
            add_message(seeking, message);
    }
    batch_free(&batch);
    free(copies.items);
}
