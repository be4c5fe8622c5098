/* Searching: reading the files that the index does not know. */
#include "base/mem.h"
#include "base/when.h"
#include "store/scan/reader.h"
#include "store/search/search_private.h"
#include "store/search/segment_write.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

enum { BATCH_MESSAGES = 256 };

struct reading {
    struct seeking *seeking;
    struct searched *searched;
    struct batch batch;
    struct reader reader;
    struct plan_hit *hits; /* one an item */
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
        words = search_plan_look(plan, message, r->hits);
    else
        search_plan_glance(plan, message, r->hits);
    seeking->corpus.messages++;
    seeking->corpus.words += words;
    for (size_t i = 0; i < plan->count; i++)
        plan->items[i].with += r->hits[i].times > 0;
    searched->fresh = mem_grow(searched->fresh, &searched->fresh_cap, searched->fresh_count + 1,
                               sizeof *searched->fresh);
    struct fresh_doc *doc = &searched->fresh[searched->fresh_count++];
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

/* A file that left the inbox since it was listed should turn up in the archive. */
static void follow(struct reading *r, const struct census_file *file)
{
    const struct source *source = r->searched->source;
    struct str dir = {0}, name = {0};

    if (file->place->archived ||
        (source->format->archiving != ARCHIVE_COPY && source->format->archiving != ARCHIVE_MOVE))
        return;
    format_dir(&dir, source->format, true, file->place->team, file->place->box);
    str_add_span(&name, file->name); /* the census may move */
    census_look(&r->searched->census, str_span(&dir), str_span(&name));
    str_free(&dir);
    str_free(&name);
}

void seeking_note_unreadable(struct seeking *seeking, const struct searched *searched,
                             struct span path, struct span reason)
{
    struct search_result *result = seeking->result;
    struct str whole = {0};

    str_add_path(&whole, span_of(searched->source->path), path);
    span_list_add(&result->unreadable, arena_copy(&result->arena, str_span(&whole)));
    span_list_add(&result->unreadable, arena_copy(&result->arena, reason));
    str_free(&whole);
}

/* The directory of a file, or -errno. */
static int open_dir(const struct reading *r, const struct place *place)
{
    int dir = source_dir(r->searched->source, place->dir.at);

    return dir >= 0 ? dir : -errno;
}

static void read_file(struct reading *r, size_t number, int dir, bool last_look)
{
    struct census_file *file = &r->searched->census.files[number];
    size_t first = r->batch.count;
    struct err err;

    if (file->copy) {
        if (overlay_copy(&r->searched->overlay, file->copy, WANT_DATA | WANT_BODY, &r->batch, &err))
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
        follow(r, file);
        break;
    case FILE_CHANGED:
        r->again = mem_grow(r->again, &r->again_cap, r->again_count + 1, sizeof *r->again);
        r->again[r->again_count++] = number;
        break;
    default: /* in what is damaged nothing can be found */
        if (!r->reader.has_bytes || dir < 0)
            seeking_note_unreadable(r->seeking, r->searched, file->path, span_of(err.text));
        break;
    }
}

/* All files that may be half written are waited for together. */
static void read_again(struct reading *r)
{
    int64_t give_up_us = when_steady() + FILE_PATIENCE_US;

    for (size_t round = 0; r->again_count && !seeking_is_stopped(r->seeking); round++) {
        size_t count = r->again_count, *files = r->again;
        when_sleep(file_pause_us(round));
        bool last_look = when_steady() > give_up_us;
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
    /* Following one that has moved may add others. */
    for (size_t i = 0; i < searched->census.count && !seeking_is_stopped(seeking); i++) {
        const struct census_file *file = &searched->census.files[i];
        seeking->result->files += !file->gone;
        if (file->gone || file->by != CENSUS_NONE)
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
