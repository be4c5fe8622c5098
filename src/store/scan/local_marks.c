/* The overlay: marks by message, copies as an archive. */
#include "store/scan/local_marks.h"

#include "store/scan/reader_pool.h"
#include "store/source/address.h"

bool local_marks_open(struct local_marks *overlay, const struct source *source, struct state *state,
                      struct span viewer, struct err *err)
{
    struct span team; /* which is already part of the key of a message */

    if (format_has_teams(source->format))
        span_split_last(viewer, '@', &viewer, &team);
    *overlay = (struct local_marks){
        .source = source, .state = state, .viewer = viewer.at ? viewer : span_of(source->identity)};
    return !state || state_marks(state, source->format->name, source->path, overlay->viewer,
                                 &overlay->marks, err);
}

void local_marks_free(struct local_marks *overlay)
{
    marks_free(&overlay->marks);
}

struct state_key local_marks_key(const struct source *source, const struct message *message)
{
    return (struct state_key){.format = source->format->name,
                              .root = source->path,
                              .team = message->place->team,
                              .box = message->place->box,
                              .id = message->id,
                              .content = message->content};
}

const struct mark *local_marks_mark(const struct marks *marks, const struct message *message)
{
    const struct state_key key = {.id = message->id, .content = message->content};
    const struct place *place = message->place;
    CLEANUP(str_free) struct str id = {0};

    if (!marks->count)
        return NULL;
    const struct mark *mark = marks_find(marks, place->team, place->box, state_mark_id(&key, &id));
    return mark || !marks->bare ? mark : marks_find(marks, place->team, place->box, message->id);
}

void local_marks_apply(const struct local_marks *overlay, struct batch *batch, size_t first)
{
    size_t kept = first;

    for (size_t i = first; overlay->marks.count && i < batch->count; i++) {
        struct message *message = &batch->items[i];
        const struct place *place = message->place;
        const struct mark *mark = place->local || message->unread_bytes
                                      ? NULL
                                      : local_marks_mark(&overlay->marks, message);
        bool hidden =
            mark && mark->has_status && mark->status == STATUS_ARCHIVED && !place->archived;
        if (hidden && overlay->source->format->archiving == ARCHIVE_LOCAL)
            continue;
        if (hidden)
            mark = NULL; /* the file of that message was removed: this is another message of that
                          * name */
        if (mark) {
            message->seen = mark->seen;
            message->answered = (uint8_t)mark->answered;
            if (mark->has_status && !message->damaged && !place->archived)
                message->status = (uint8_t)mark->status;
            /* mail of others stays unread until they read it */
            if (mark->seen && message->status == STATUS_UNREAD &&
                address_is_owner(overlay->source, message, overlay->viewer)) {
                message->status = STATUS_READ;
                message->read_here = true;
            }
        }
        batch->items[kept++] = *message;
    }
    if (overlay->marks.count)
        batch->count = kept;
}

struct place *local_marks_copy_place(const struct source *source, const struct copy *copy,
                                     struct arena *arena)
{
    struct place *place = arena_alloc(arena, sizeof *place);
    const struct format *format = source->format;
    const struct place_rule kept = {format->rules[0].pattern, true};
    struct place_names names = {0};
    CLEANUP(str_free) struct str dir = {0};

    if (format_has_teams(format))
        names.team = copy->team.len ? arena_copy(arena, copy->team) : copy->team;
    if (place_has_box(format->rules[0].pattern))
        names.box = arena_copy(arena, copy->box);
    format_dir(&dir, format, false, names.team, names.box);
    *place = source_place(source, &kept, &names, arena_copy(arena, str_span(&dir)));
    place->local = true;
    return place;
}

/* Parses a copy as its layout would parse its file. */
static void parse_copy(const struct local_marks *overlay, const struct copy *copy,
                       struct span bytes, unsigned want, struct batch *batch)
{
    const struct source *source = overlay->source;
    CLEANUP(str_free) struct str file_bytes = {0};
    struct err err = {.text = "it is empty"};
    size_t first = batch->count;

    format_add_file(source->format, bytes, &file_bytes);
    struct mail_file file = {.place = local_marks_copy_place(source, copy, &batch->arena),
                             .name = copy->name,
                             .bytes = str_span(&file_bytes),
                             .mtime_us = copy->kept_us};
    if (!source->format->parse(&file, want, batch, &err) || batch->count == first) {
        struct message *message = batch_add(batch);
        message->place = file.place;
        message->file = arena_copy(&batch->arena, copy->name);
        message->damaged = arena_strdup(&batch->arena, err.text);
        message->priority = PRIORITY_NONE;
        message->data = arena_alloc(&batch->arena, sizeof *message->data);
        message->data->read_us = message->data->completed_us = TIME_NONE;
        message->data->body = arena_copy(&batch->arena, bytes);
    }
    reader_finish(source, batch, first, file.bytes);
    for (size_t i = first; i < batch->count; i++) {
        batch->items[i].status = STATUS_ARCHIVED;
        batch->items[i].raw_len = 0;
    }
    batch->items[first].id = arena_copy(&batch->arena, copy->id);
}

bool local_marks_is_copy_of(const struct source *source, const struct copy *copy, struct span bytes,
                            const struct message *message)
{
    const struct local_marks overlay = {.source = source};
    CLEANUP(batch_free) struct batch batch = {0};

    parse_copy(&overlay, copy, bytes, WANT_HEAD, &batch);
    return !message->content || batch.items[0].content == message->content;
}

bool local_marks_shows(const struct local_marks *overlay, const struct copy *copy)
{
    /* a hidden message still exists for all others; a removed one exists only here */
    return overlay->source->format->archiving != ARCHIVE_LOCAL ||
           span_eq(copy->viewer, overlay->viewer);
}

static bool is_wanted(const struct local_marks *overlay, const struct copy *copy, struct span team,
                      struct span box, struct span id)
{
    return local_marks_shows(overlay, copy) && (!team.at || span_eq(copy->team, team)) &&
           (!box.at || span_eq(copy->box, box)) && (!id.at || span_eq(copy->id, id));
}

bool local_marks_copy(const struct local_marks *overlay, const struct copy *copy, unsigned want,
                      struct batch *batch, struct err *err)
{
    CLEANUP(str_free) struct str bytes = {0};

    if (!state_copy_bytes(overlay->state, copy->number, &bytes, err))
        return false;
    parse_copy(overlay, copy, str_span(&bytes), want, batch);
    return true;
}

bool local_marks_copies(const struct local_marks *overlay, struct span team, struct span box,
                        struct span id, unsigned want, struct batch *batch, struct err *err)
{
    CLEANUP(copies_free) struct copies copies = {0};

    if (!overlay->state)
        return true;
    bool ok = state_copies(overlay->state, overlay->source->format->name, overlay->source->path,
                           &copies, err);
    for (size_t i = 0; ok && i < copies.count; i++) {
        const struct copy *copy = &copies.items[i];
        if (is_wanted(overlay, copy, team, box, id))
            ok = local_marks_copy(overlay, copy, want, batch, err);
    }
    return ok;
}

bool local_marks_raw(const struct local_marks *overlay, const struct message *message,
                     struct str *bytes, struct err *err)
{
    CLEANUP(copies_free) struct copies copies = {0};
    bool found = false;

    if (!overlay->state)
        return err_set(err, ERR_ABSENT,
                       "the copy that was kept is gone: the local state cannot be read");
    bool ok = state_copies(overlay->state, overlay->source->format->name, overlay->source->path,
                           &copies, err);
    for (size_t i = 0; ok && !found && i < copies.count; i++) {
        const struct copy *copy = &copies.items[i];
        if (!is_wanted(overlay, copy, message->place->team, message->place->box, message->id))
            continue;
        ok = state_copy_bytes(overlay->state, copy->number, bytes, err);
        found = ok && local_marks_is_copy_of(overlay->source, copy, str_span(bytes), message);
    }
    if (ok && !found)
        ok = err_set(err, ERR_ABSENT, "the copy that was kept is gone");
    return ok;
}

uint64_t local_marks_print(const struct local_marks *overlay)
{
    CLEANUP(copies_free) struct copies copies = {0};
    uint64_t print = 0;

    for (size_t i = 0; i < overlay->marks.map.count; i++) { /* a sum does not depend on the order */
        const struct map_entry *entry = &overlay->marks.map.entries[i];
        const struct mark *mark = &overlay->marks.items[entry->value];
        print += map_hash(entry->key, mark->seen + 2u * mark->has_status + 4u * mark->status +
                                          64u * mark->answered) *
                 UINT64_C(0x9e3779b97f4a7c15);
    }
    if (overlay->state && state_copies(overlay->state, overlay->source->format->name,
                                       overlay->source->path, &copies, NULL))
        for (size_t i = 0; i < copies.count; i++)
            print += (uint64_t)(copies.items[i].number + 1) * UINT64_C(0xd6e8feb86659fd93);
    return print;
}
