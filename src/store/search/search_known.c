/* Searching: what is known of the sources, and how that is kept true. */
#include "base/mem.h"
#include "store/search/search_private.h"
#include "store/state/state_kept.h"

#include <stdio.h>
#include <stdlib.h>

struct searcher *searcher_new(const struct source *sources, size_t count, bool may_write)
{
    struct searcher *searcher = mem_zero(1, sizeof *searcher);

    searcher->sources = mem_zero(count + 1, sizeof *searcher->sources);
    searcher->count = count;
    searcher->may_write = may_write;
    searcher->marks = -1;
    for (size_t i = 0; i < count; i++)
        searcher->sources[i].source = &sources[i];
    return searcher;
}

void searched_detach(struct searched *searched)
{
    for (size_t i = 0; searched->files && i < searched->index.count; i++)
        free(searched->files[i]);
    free(searched->files);
    searched->files = NULL;
}

void searcher_free(struct searcher *searcher)
{
    if (!searcher)
        return;
    for (size_t i = 0; i < searcher->count; i++) {
        struct searched *searched = &searcher->sources[i];
        searched_detach(searched);
        index_close(&searched->index);
        census_free(&searched->census);
        overlay_free(&searched->overlay);
    }
    free(searcher->sources);
    free(searcher);
}

void searcher_forget(struct searcher *searcher)
{
    for (size_t i = 0; i < searcher->count; i++)
        searcher->sources[i].counted = false;
}

void searcher_tell(struct searcher *searcher, uint32_t source, struct span dir, struct span name)
{
    struct searched *searched = &searcher->sources[source];
    struct str path = {0};

    if (!searched->counted)
        return;
    str_add_path(&path, dir, name);
    uint32_t number = census_find(&searched->census, str_span(&path));
    struct census_file before = {0};
    if (number != CENSUS_NONE)
        before = searched->census.files[number];
    census_look(&searched->census, dir, name);
    struct census_file *file =
        number == CENSUS_NONE ? NULL : &searched->census.files[number]; /* it may have moved */
    if (file && file->by != CENSUS_NONE &&
        (before.gone != file->gone || !stamp_is_same(&before.now, &file->now))) {
        if (searched->files)
            searched->files[file->by][file->number] = CENSUS_NONE;
        file->by = CENSUS_NONE;
    }
    str_free(&path);
}

/* Which files of the segments count. */
void searched_attach(struct searched *searched)
{
    struct search_index *index = &searched->index;

    searched_detach(searched);
    index_attach(index, &searched->census);
    searched->files = mem_zero(index->count + 1, sizeof *searched->files);
    for (size_t i = 0; i < index->count; i++) {
        uint32_t count = index->segments[i].header.files;
        searched->files[i] = mem_alloc((count + 1) * sizeof **searched->files);
        memset(searched->files[i], 0xff, (count + 1) * sizeof **searched->files);
    }
    for (size_t i = 0; i < searched->census.count; i++) {
        const struct census_file *file = &searched->census.files[i];
        if (file->by != CENSUS_NONE)
            searched->files[file->by][file->number] = (uint32_t)i;
    }
}

/* Marks and copies, when they have changed. */
bool seeking_overlay(struct seeking *seeking, struct err *err)
{
    struct searcher *searcher = seeking->searcher;
    int64_t tally[TALLY_COUNT] = {0};

    if (seeking->state && !state_tally(seeking->state, tally, err))
        tally[TALLY_MAIL] = -2; /* whatever it was, it may be another */
    for (size_t i = 0; i < searcher->count; i++) {
        struct searched *searched = &searcher->sources[i];
        if (searched->overlaid && searched->overlay.state == seeking->state &&
            tally[TALLY_MAIL] == searcher->marks)
            continue;
        overlay_free(&searched->overlay);
        if (searched->counted && census_copies(&searched->census, seeking->state, err))
            searched_attach(searched);
        searched->overlaid = overlay_open(&searched->overlay, searched->source, seeking->state,
                                          (struct span){0}, err);
        if (!searched->overlaid)
            return false;
    }
    searcher->marks = tally[TALLY_MAIL];
    return true;
}

bool seeking_refresh(struct seeking *seeking, struct searched *searched, struct err *err)
{
    bool counting = !seeking->search->informed || !searched->counted;
    bool opening = !searched->opened || !index_is_current(&searched->index);

    if (opening) {
        searched_detach(searched);
        index_close(&searched->index);
        index_open(&searched->index, searched->source);
        searched->opened = true;
    }
    if (counting) {
        searched->counted = census_take(&searched->census, searched->source, seeking->state, err);
        if (!searched->counted)
            return err_at(err, searched->source->path);
    }
    if (counting || opening)
        searched_attach(searched);
    if (searched->index.damaged)
        snprintf(seeking->result->problem, sizeof seeking->result->problem, "%s",
                 searched->index.problem);
    return true;
}
