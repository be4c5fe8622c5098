/* Restoring without a record: the copy in the archive says what a message was. */
#include "store/change/undo.h"

#include "store/change/edit_file.h"
#include "store/scan/local_marks.h"

enum { NUMBER_MAX = 99 };

/* Returns the plain name of a message that got a number in the archive because its name was taken
 * there. Names are made of ids in these layouts. */
static struct span plain_name(const struct message *message, struct arena *arena)
{
    CLEANUP(str_free) struct str plain = {0};
    CLEANUP(str_free) struct str numbered = {0};
    struct span name = message->file;

    str_add_span(&plain, message->id);
    str_puts(&plain, ".json");
    for (int number = 2; number < NUMBER_MAX; number++) {
        str_clear(&numbered);
        file_numbered_name(&numbered, str_c(&plain), number);
        if (span_eq(str_span(&numbered), name))
            name = arena_copy(arena, str_span(&plain));
    }
    return name;
}

/* Returns the place in the inbox that the message had, and will have. */
static const struct place *inbox_place(const struct changing *how, const struct place *archive,
                                       struct arena *arena)
{
    struct place *place = arena_alloc(arena, sizeof *place);
    CLEANUP(str_free) struct str dir = {0};

    *place = *archive;
    place->archived = place->local = false;
    if (!archive->local) { /* a copy in our state has its directory */
        format_dir(&dir, how->source->format, false, archive->team, archive->box);
        place->dir = arena_copy(arena, str_span(&dir));
    }
    return place;
}

/* Refuses the mail of somebody else: its owner may have archived it, and would do the work
 * twice. */
static bool is_ours(const struct message *message, struct err *err)
{
    struct span to = message_recipient(message);

    return message->mine ||
           err_set(err, ERR_REFUSED,
                   "%.*s is mail for \"%.*s\", who may have put it away themselves; to bring it "
                   "back in their name use --as %.*s",
                   (int)message->id.len, message->id.at, (int)to.len, to.at, (int)to.len, to.at);
}

/* Fills in the record from a file in the archive: where it goes and its bytes there. */
static bool find_file(const struct changing *how, const struct message *message,
                      struct change_record *record, struct arena *arena, struct err *err)
{
    const struct format *format = how->source->format;
    bool copied = format->archiving == ARCHIVE_COPY;
    CLEANUP(edit_file_close)
    struct target t = {.source = how->source, .dir = -1, .name = message->file.at};
    bool ok = false;

    str_add_span(&t.path, message->place->dir);
    if (is_ours(message, err) && edit_file_open(&t, err)) {
        enum file_result result = file_read(t.dir, t.name, FILE_SIZE_MAX, &t.bytes, &t.id, err);
        if (result == FILE_GONE)
            edit_file_say_gone(&t, err);
        else if (result == FILE_OK)
            ok = !copied || format->reopen(str_span(&t.bytes), &t.edited, err);
        if (!ok && result != FILE_GONE)
            err_at(err, t.name);
    }
    record->deed = copied ? CHANGE_KIND_COPIED : CHANGE_KIND_MOVED;
    record->after = arena_copy(arena, str_span(&t.bytes));
    record->before = copied ? arena_copy(arena, str_span(&t.edited)) : record->after;
    record->archived_as = record->message.file;
    record->message.file = copied ? plain_name(&record->message, arena) : record->message.file;
    record->mode = t.id.mode & 07777;
    return ok;
}

/* Fills in the record from the copy in our state. */
static bool find_copy(const struct changing *how, const struct message *message,
                      struct change_record *record, struct arena *arena, struct err *err)
{
    const struct format *format = how->source->format;
    CLEANUP(copies_free) struct copies copies = {0};
    CLEANUP(str_free) struct str bytes = {0};
    bool found = false;
    bool ok = changing_has_state(how, err) &&
              state_copies(how->state, format->name, how->source->path, &copies, err);

    for (size_t i = 0; ok && !found && i < copies.count; i++) {
        const struct copy *copy = &copies.items[i];
        bool own = span_is(copy->viewer, how->source->identity);
        found = span_eq(copy->team, message->place->team) &&
                span_eq(copy->box, message->place->box) && span_eq(copy->id, message->id) &&
                (own || format->archiving != ARCHIVE_LOCAL);
        if (!found)
            continue;
        ok = state_copy_bytes(how->state, copy->number, &bytes, err);
        found = ok && local_marks_is_copy_of(how->source, copy, str_span(&bytes), message);
        if (ok && !found)
            continue;
        ok = ok && (own || is_ours(message, err));
        record->viewer = arena_copy(arena, copy->viewer);
        record->message.file = arena_copy(arena, copy->name);
    }
    if (ok && !found)
        ok = err_set(err, ERR_ABSENT, "the copy that was kept is gone");
    record->deed = format->archiving == ARCHIVE_LOCAL ? CHANGE_KIND_HIDDEN : CHANGE_KIND_TAKEN;
    record->before = arena_copy(arena, str_span(&bytes));
    record->mode = format->file_mode;
    if (record->deed == CHANGE_KIND_TAKEN)
        record->remains = "the line about it in the log of the agents stays";
    return ok;
}

/* Notes the current mark. Restoring removes a mark that is archived, and keeps any other. */
static bool note_mark(const struct changing *how, struct change_record *record, struct err *err)
{
    CLEANUP(marks_free) struct marks marks = {0};
    bool ok = !how->state || state_marks(how->state, how->source->format->name, how->source->path,
                                         record->viewer, &marks, err);
    const struct mark *mark = local_marks_mark(&marks, &record->message);

    record->mark_before = record->mark_after = (struct mark){.changed_us = TIME_NONE};
    if (mark)
        record->mark_after = *mark;
    if (mark && mark->status != STATUS_ARCHIVED)
        record->mark_before = *mark;
    return ok;
}

/* True if the archive is in our state, and that cannot be read. */
static bool is_archive_unknown(const struct changing *how, struct err *err)
{
    enum archiving archiving = how->source->format->archiving;

    return (archiving == ARCHIVE_LOCAL || archiving == ARCHIVE_DELETE) &&
           !changing_has_state(how, err);
}

bool restore_find(const struct changing *how, const struct message *message,
                  struct change_records *records, struct err *err)
{
    /* If the file exists as well as its copy, archiving or restoring it was interrupted. */
    bool left =
        how->source->format->archiving == ARCHIVE_DELETE && message->flags & MESSAGE_IN_BOTH;

    if (!message->place->archived && !left && is_archive_unknown(how, err))
        return false;
    if (!message->place->archived && !left)
        return err_set(err, ERR_REFUSED, "%.*s is not in the archive", (int)message->id.len,
                       message->id.at);
    if (message->unread_bytes) {
        err_set(err, ERR_MESSAGE, "it cannot be read: %s", message->damaged);
        return message_err_at(err, message);
    }
    struct change_record *record = change_records_add(records, message);
    record->status = STATUS_ARCHIVED;
    record->viewer = span_of(how->source->identity);
    bool ok = (message->place->local || left ? find_copy : find_file)(how, message, record,
                                                                      &records->arena, err) &&
              note_mark(how, record, err);
    record->message.place = inbox_place(how, record->message.place, &records->arena);
    records->count -= !ok;
    return ok;
}
