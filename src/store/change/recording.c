/* Recording: the marks before and after, and the bytes in between. */
#include "store/change/recording.h"

#include "base/mem.h"
#include "store/scan/overlay.h"

#include <stdlib.h>

static void read_marks(const struct changing *how, struct marks *marks)
{
    const struct source *source = how->source;
    struct err err;

    if (how->state && !state_marks(how->state, source->format->name, source->path,
                                   span_of(source->identity), marks, &err))
        log_add(how->log, "marks: %s", err.text);
}

static struct mark mark_of(const struct marks *marks, const struct message *message)
{
    const struct mark *mark = overlay_mark(marks, message);

    return mark ? *mark : (struct mark){.changed_us = WHEN_NONE};
}

struct recording recording_begin(const struct changing *how, size_t count)
{
    struct recording recording = {.how = how};

    if (how->records) {
        recording.items = mem_zero(count, sizeof *recording.items);
        read_marks(how, &recording.marks);
    }
    return recording;
}

struct changing recording_of(const struct recording *recording, size_t index)
{
    struct changing one = *recording->how;

    one.record = recording->items ? &recording->items[index] : NULL;
    return one;
}

void recording_end(struct recording *recording, struct message *const *messages, size_t count,
                   enum status status, const struct changed *outcomes)
{
    struct change_records *records = recording->how->records;
    struct marks now = {0};

    if (!recording->items)
        return;
    read_marks(recording->how, &now);
    for (size_t i = 0; i < count; i++) {
        if (!outcomes[i].ok)
            continue;
        struct change_record *record = change_records_add(records, messages[i]);
        struct message head = record->message;
        *record = recording->items[i];
        record->message = head;
        record->status = status;
        record->viewer = span_of(recording->how->source->identity);
        record->mark_before = mark_of(&recording->marks, messages[i]);
        record->mark_after = mark_of(&now, messages[i]);
    }
    marks_free(&now);
    marks_free(&recording->marks);
    free(recording->items);
    recording->items = NULL;
}

void recording_deed(const struct changing *how, enum deed deed)
{
    if (!how->record)
        return;
    how->record->deed = deed;
    if (deed == DEED_MARKED)
        how->record->remains = "in its shared inbox it stays marked as read";
}

void recording_file(const struct changing *how, enum deed deed, const struct target *t)
{
    struct change_record *record = how->record;
    struct arena *arena = how->records ? &how->records->arena : NULL;

    if (!record)
        return;
    record->deed = deed;
    record->before = arena_copy(arena, str_span(&t->bytes));
    record->after = record->before;
    if (deed == DEED_EDITED || deed == DEED_COPIED)
        record->after = arena_copy(arena, str_span(&t->edited));
    record->archived_as = arena_copy(arena, str_span(&t->archived_as));
    record->mode = t->id.mode & 07777;
    record->by_others = t->by_others;
    if (deed == DEED_TAKEN && !record->by_others)
        record->remains = "the line about it in the log of the agents stays";
}

void change_records_free(struct change_records *records)
{
    arena_free(&records->arena);
    free(records->items);
    *records = (struct change_records){0};
}

struct change_record *change_records_add(struct change_records *records,
                                         const struct message *message)
{
    records->items =
        mem_grow(records->items, &records->cap, records->count + 1, sizeof *records->items);
    struct change_record *record = &records->items[records->count++];
    *record = (struct change_record){0};
    message_keep(&record->message, message, &records->arena);
    return record;
}
