/* Undoing changes: what may be undone, in which order, and our own marks. */
#include "store/change/undo.h"

#include "base/map.h"
#include "base/mem.h"
#include "store/change/change.h"
#include "store/change/edit_file.h"
#include "store/scan/load.h"
#include "store/scan/local_marks.h"

#include <stdlib.h>

/* Restoring without a record: the copy in the archive says what a message was. */

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

/* Adds an empty record of that message. Valid until the next one is added. */
static struct change_record *change_records_add(struct change_records *records,
                                                const struct message *message)
{
    struct change_record *record = mem_push(records->items, records->count, records->cap);
    *record = (struct change_record){0};
    message_keep(&record->message, message, &records->arena);
    return record;
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

/* Recording: the marks before and after, and the bytes before and after. */

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
    const struct mark *mark = local_marks_mark(marks, message);

    return mark ? *mark : (struct mark){.changed_us = TIME_NONE};
}

struct recording undo_recorder_begin(const struct changing *how, size_t count)
{
    struct recording recording = {.how = how};

    if (how->records) {
        recording.items = mem_zero(count, sizeof *recording.items);
        read_marks(how, &recording.marks);
    }
    return recording;
}

struct changing undo_recorder_of(const struct recording *recording, size_t index)
{
    struct changing one = *recording->how;

    one.record = recording->items ? &recording->items[index] : NULL;
    return one;
}

void undo_recorder_end(struct recording *recording, struct message *const *messages, size_t count,
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

void undo_recorder_kind(const struct changing *how, enum change_kind deed)
{
    if (!how->record)
        return;
    how->record->deed = deed;
    if (deed == CHANGE_KIND_MARKED)
        how->record->remains = "in its shared inbox it stays marked as read";
}

void undo_recorder_file(const struct changing *how, enum change_kind deed, const struct target *t)
{
    struct change_record *record = how->record;
    struct arena *arena = how->records ? &how->records->arena : NULL;

    if (!record)
        return;
    record->deed = deed;
    record->before = arena_copy(arena, str_span(&t->bytes));
    record->after = record->before;
    if (deed == CHANGE_KIND_EDITED || deed == CHANGE_KIND_COPIED)
        record->after = arena_copy(arena, str_span(&t->edited));
    record->archived_as = arena_copy(arena, str_span(&t->archived_as));
    record->mode = t->id.mode & 07777;
    record->by_others = t->by_others;
    if (deed == CHANGE_KIND_TAKEN && !record->by_others)
        record->remains = "the line about it in the log of the agents stays";
}

void change_records_free(struct change_records *records)
{
    arena_free(&records->arena);
    free(records->items);
    *records = (struct change_records){0};
}

/* Undo of archive: write the restored file to disk before removing the archived copy. */

static bool say_changed(const struct target *t, struct err *err)
{
    return err_set(err, ERR_REFUSED, "%s/%s: someone has changed it since; it stays as it is",
                   str_c(&t->path), t->name);
}

static bool say_away(const struct target *t, struct err *err)
{
    return err_set(err, ERR_REFUSED, "%s/%s: someone has moved or removed it since",
                   str_c(&t->path), t->name);
}

/* Reports that the name is taken. A running agent may have written its old copy again. */
static bool say_taken(const struct target *t, const struct message *message, struct err *err)
{
    bool again = t->bytes.len && edit_file_holds(t, message);

    return err_set(err, ERR_REFUSED, "%s/%s: %s", str_c(&t->path), t->name,
                   again ? "someone has written it there again, not as it was"
                         : "another message lies in its place");
}

/* Fills in the target with the message's file in its inbox, or in the archive. */
static void locate_file(struct target *t, const struct changing *how,
                        const struct change_record *record, bool archived)
{
    const struct message *message = &record->message;

    *t = (struct target){.source = how->source, .dir = -1, .name = message->file.at};
    if (archived)
        t->name = record->archived_as.at;
    if (archived || message->place->archived)
        format_dir(&t->path, how->source->format, archived, message->place->team,
                   message->place->box);
    else
        str_add_span(&t->path, message->place->dir);
}

/* Restores the state of a file in its place. */
static bool edit_back(const struct changing *how, const struct change_record *record,
                      struct err *err)
{
    struct staged_file staged;
    CLEANUP(edit_file_close) struct target t = {.dir = -1};
    bool ok = false;

    locate_file(&t, how, record, false);
    if (!edit_file_open(&t, err) || !file_lock_names(t.dir, err))
        return false;
    enum file_result result = file_read(t.dir, t.name, FILE_SIZE_MAX, &t.bytes, &t.id, err);
    if (result == FILE_OK && span_eq(str_span(&t.bytes), record->before)) {
        ok = true; /* an earlier try has done this */
    } else if (result == FILE_OK && !span_eq(str_span(&t.bytes), record->after)) {
        say_changed(&t, err);
    } else if (result == FILE_OK &&
               file_stage(&staged, t.dir, t.name, record->before, t.id.mode & 07777, err)) {
        result = file_publish_over(&staged, &t.id, err);
        ok = result == FILE_OK && (file_sync_dir(t.dir, err) || edit_file_say_unsure(&t, err));
        if (result == FILE_CHANGED)
            say_changed(&t, err);
    }
    if (result == FILE_GONE)
        say_away(&t, err);
    return ok;
}

/* Reads the file in the inbox, if there is one. Sets `same` if its bytes are the ones to restore:
 * an earlier try has written it, and may have failed after that. */
static enum file_result stat_there(struct target *t, const struct change_record *record, bool *same,
                                   struct err *err)
{
    enum file_result result = file_stat(t->dir, t->name, &t->id, err);

    if (result == FILE_OK)
        result = file_read(t->dir, t->name, FILE_SIZE_MAX, &t->bytes, &t->id, err);
    *same = result == FILE_OK && span_eq(str_span(&t->bytes), record->before);
    if (result == FILE_FAILED) {
        err_at(err, t->name);
        err_at(err, str_c(&t->path));
    }
    return result;
}

/* Writes the file into the inbox again, and syncs it. */
static bool put_file(struct target *t, const struct change_record *record, struct err *err)
{
    struct staged_file staged;
    bool same;
    enum file_result there = stat_there(t, record, &same, err);

    if (there == FILE_FAILED)
        return false;
    if (there == FILE_GONE) {
        if (!file_stage(&staged, t->dir, t->name, record->before, record->mode, err))
            return err_at(err, str_c(&t->path));
        enum file_result result = file_publish_new(&staged, err);
        file_discard(&staged);
        if (result == FILE_EXISTS)
            return say_taken(t, &record->message, err);
        if (result != FILE_OK)
            return err_at(err, str_c(&t->path));
    } else if (!same) {
        return say_taken(t, &record->message, err);
    } else if (!file_sync(t->dir, t->name, err)) {
        return err_at(err, str_c(&t->path));
    }
    return file_sync_dir(t->dir, err) || edit_file_say_unsure(t, err);
}

/* True if the file in the archive is as we left it. */
static bool is_as_left(struct target *archive, const struct change_record *record, struct err *err)
{
    if (!edit_file_open(archive, err) || !file_lock_names(archive->dir, err))
        return false;
    switch (
        file_read(archive->dir, archive->name, FILE_SIZE_MAX, &archive->bytes, &archive->id, err)) {
    case FILE_OK:
        return span_eq(str_span(&archive->bytes), record->after) || say_changed(archive, err);
    case FILE_GONE:
        return say_away(archive, err);
    case FILE_EXISTS:
    case FILE_CHANGED:
    case FILE_FAILED:
        break;
    }
    return err_at(err, str_c(&archive->path));
}

/* Removes the copy in the archive, after the inbox has the file again. */
static bool drop_copy(struct target *archive, struct err *err)
{
    enum file_result result = file_remove(archive->dir, archive->name, &archive->id, err);

    if (result == FILE_GONE || (result == FILE_OK && file_sync_dir(archive->dir, err)))
        return true;
    if (result == FILE_CHANGED)
        err_set(err, ERR_MESSAGE, "someone changed it just now, and it stays there too");
    err_at(err, archive->name);
    err_at(err, str_c(&archive->path));
    err_at(err, "it is in the inbox again, but its copy in the archive is not gone");
    err->scope = ERR_UNCONFIRMED;
    return false;
}

static bool bring_copy(const struct changing *how, const struct change_record *record,
                       struct err *err)
{
    CLEANUP(edit_file_close) struct target inbox = {.dir = -1};
    CLEANUP(edit_file_close) struct target archive = {.dir = -1};
    bool own = record->archived_as.len > 0; /* otherwise a copy was there before, which stays */

    locate_file(&inbox, how, record, false);
    locate_file(&archive, how, record, true);
    return edit_file_open(&inbox, err) && file_lock_names(inbox.dir, err) &&
           (!own || is_as_left(&archive, record, err)) && put_file(&inbox, record, err) &&
           (!own || drop_copy(&archive, err));
}

static bool bring_file(const struct changing *how, const struct change_record *record,
                       struct err *err)
{
    CLEANUP(edit_file_close) struct target inbox = {.dir = -1};
    CLEANUP(edit_file_close) struct target archive = {.dir = -1};

    locate_file(&inbox, how, record, false);
    locate_file(&archive, how, record, true);
    if (!edit_file_open(&inbox, err) || !file_lock_names(inbox.dir, err) ||
        !is_as_left(&archive, record, err))
        return false;
    switch (file_move(archive.dir, archive.name, inbox.dir, inbox.name, err)) {
    case FILE_OK:
        return (file_sync_dir(inbox.dir, err) && file_sync_dir(archive.dir, err)) ||
               edit_file_say_unsure(&inbox, err);
    case FILE_EXISTS:
        return say_taken(&inbox, &record->message, err);
    case FILE_GONE:
        return say_away(&archive, err);
    case FILE_CHANGED:
    case FILE_FAILED:
        break;
    }
    return false;
}

/* Removes the copies of all messages of the slot from our state, after the slot holds them
 * again. */
static bool forget_copies(const struct changing *how, const struct change_record *record,
                          struct err *err)
{
    static const struct mark none = {.changed_us = TIME_NONE};
    const struct message *message = &record->message;
    struct mail_file file = {
        .place = message->place, .name = message->file, .bytes = record->before};
    CLEANUP(batch_free) struct batch batch = {0};
    struct err ignored;

    how->source->format->parse(&file, WANT_HEAD, &batch, &ignored);
    CLEANUP(mem_free) struct state_undo *undo = mem_zero(batch.count + 1, sizeof *undo);
    size_t count = 0;
    for (size_t i = 0; i < batch.count; i++) {
        const struct message *each = &batch.items[i];
        struct span part = message_raw(each, record->before);
        bool meant = span_eq(each->id, message->id);
        undo[count++] = (struct state_undo){.key = local_marks_key(how->source, each),
                                            .viewer = record->viewer,
                                            .mark = meant ? &record->mark_before : &none,
                                            .copies = true,
                                            .bytes = part};
    }
    if (!count)
        undo[count++] = (struct state_undo){.key = local_marks_key(how->source, message),
                                            .viewer = record->viewer,
                                            .mark = &record->mark_before,
                                            .copies = true,
                                            .bytes = record->before};
    if (state_undo_marks(how->state, undo, count, err))
        return true;
    err_at(err, "it is in its place again, but its copy here is not gone");
    err->scope = ERR_UNCONFIRMED;
    return false;
}

static bool fill_slot(const struct changing *how, const struct change_record *record,
                      struct err *err)
{
    CLEANUP(edit_file_close) struct target t = {.dir = -1};

    if (!changing_has_state(how, err))
        return false;
    locate_file(&t, how, record, false);
    return edit_file_open(&t, err) && file_lock_names(t.dir, err) && put_file(&t, record, err) &&
           forget_copies(how, record, err);
}

/* Undoes a change of the message's own file. Refused, with the reason, when the file is not as we
 * left it or another message has taken its place. */
static bool bring_back(const struct changing *how, const struct change_record *record,
                       struct err *err)
{
    switch (record->deed) {
    case CHANGE_KIND_EDITED:
        return edit_back(how, record, err);
    case CHANGE_KIND_COPIED:
        return bring_copy(how, record, err);
    case CHANGE_KIND_MOVED:
        return bring_file(how, record, err);
    case CHANGE_KIND_TAKEN:
        return fill_slot(how, record, err);
    case CHANGE_KIND_NOTED:
    case CHANGE_KIND_MARKED:
    case CHANGE_KIND_HIDDEN:
        break; /* no file was changed */
    }
    return true;
}

struct hidden {
    const struct source *source;
    const struct message *message;
};

static bool is_copy_of_hidden(const void *context, struct span bytes)
{
    const struct hidden *hidden = context;
    const struct message *message = hidden->message;
    const struct copy copy = {.team = message->place->team,
                              .box = message->place->box,
                              .id = message->id,
                              .name = message->file};

    return local_marks_is_copy_of(hidden->source, &copy, bytes, message);
}

/* Restores the mark. Needs no transaction if it is unchanged. */
static bool mark_back(const struct changing *how, const struct change_record *record,
                      struct err *err)
{
    const struct mark *before = &record->mark_before, *after = &record->mark_after;
    const struct hidden hidden = {how->source, &record->message};
    struct state_undo undo = {.key = local_marks_key(how->source, &record->message),
                              .viewer = record->viewer,
                              .mark = before,
                              .copies = record->deed == CHANGE_KIND_HIDDEN,
                              .is_meant = is_copy_of_hidden,
                              .context = &hidden};

    if (!undo.copies && before->has_status == after->has_status &&
        before->status == after->status && before->changed_us == after->changed_us)
        return true;
    return changing_has_state(how, err) && state_undo_marks(how->state, &undo, 1, err);
}

/* The messages of one file as they are now; reused for records of the same file. */
struct present {
    struct batch batch;
    struct map ids;
    const struct message *of; /* a message of that file */
};

static void present_free(struct present *present)
{
    map_free(&present->ids);
    batch_free(&present->batch);
    *present = (struct present){0};
}

/* True if a hidden message is still in its mailbox. Only then it is shown again: otherwise the copy
 * may be all that is left of it. */
static bool is_present(const struct changing *how, struct present *present,
                       const struct message *message, struct err *err)
{
    bool fresh;

    if (!present->of || !span_eq(present->of->file, message->file) ||
        !span_eq(present->of->place->dir, message->place->dir)) {
        present_free(present);
        if (!load_again(how->source, message, WANT_HEAD, NULL, &present->batch, err) &&
            err->scope != ERR_ABSENT)
            return false;
        present->of = message;
        for (size_t i = 0; i < present->batch.count; i++)
            map_put(&present->ids, present->batch.items[i].id, &fresh);
    }
    return map_get(&present->ids, message->id) ||
           err_set(err, ERR_REFUSED,
                   "%.*s is not in its mailbox any more; the copy that is kept here stays in the "
                   "archive",
                   (int)message->id.len, message->id.at);
}

static bool take_back(const struct changing *how, const struct change_record *record,
                      struct present *present, struct err *err)
{
    if (record->by_others)
        return err_set(err, ERR_REFUSED,
                       "%.*s was put away by someone else at the same moment; it stays there",
                       (int)record->message.id.len, record->message.id.at);
    /* an own mark says more than the flag, and can be reset; nothing else can */
    if (record->deed == CHANGE_KIND_MARKED && !record->mark_before.has_status)
        return err_set(err, ERR_REFUSED,
                       "%.*s: in a shared inbox what is marked as read stays so; agents may have "
                       "seen it",
                       (int)record->message.id.len, record->message.id.at);
    if (record->deed == CHANGE_KIND_HIDDEN && !is_present(how, present, &record->message, err))
        return false;
    if (!bring_back(how, record, err))
        return false;
    return record->deed == CHANGE_KIND_TAKEN ||
           mark_back(how, record, err); /* the mark was restored with the copy */
}

/* The current marks of one viewer; reused for records of the same viewer. */
struct marks_now {
    struct marks marks;
    struct span viewer;
};

/* True if the mark is still as the change left it. A later mark, set by another swarmutt, is the
 * person's last word. */
static bool is_last_mark(const struct changing *how, const struct change_record *record,
                         struct marks_now *now, struct err *err)
{
    const struct message *message = &record->message;
    const struct mark *after = &record->mark_after;

    if (!how->state)
        return true;
    if (!now->viewer.at || !span_eq(now->viewer, record->viewer)) {
        if (!state_marks(how->state, how->source->format->name, how->source->path, record->viewer,
                         &now->marks, err))
            return false;
        now->viewer = record->viewer;
    }
    const struct mark *mark = local_marks_mark(&now->marks, message);
    bool has_status = mark && mark->has_status;
    if (has_status == after->has_status &&
        (!has_status || (mark->status == after->status && mark->changed_us == after->changed_us)))
        return true;
    return err_set(err, ERR_REFUSED, "%.*s was %s%s here since; it stays so", (int)message->id.len,
                   message->id.at, has_status ? "marked as " : "taken back",
                   has_status ? status_name(mark->status) : "");
}

void restore_records(const struct changing *how, const struct change_record *const *which,
                     size_t count, struct changed *outcomes)
{
    CLEANUP(present_free) struct present present = {0};
    struct marks_now now = {0};

    for (size_t i = 0; i < count; i++) {
        outcomes[i] = (struct changed){0};
        outcomes[i].ok = is_last_mark(how, which[i], &now, &outcomes[i].err);
    }
    marks_free(&now.marks);
    for (size_t i = 0; i < count; i++) {
        const struct change_record *record = which[i];
        if (outcomes[i].ok)
            outcomes[i].ok = take_back(how, record, &present, &outcomes[i].err);
        outcomes[i].local = record->deed == CHANGE_KIND_NOTED ||
                            record->deed == CHANGE_KIND_MARKED ||
                            record->deed == CHANGE_KIND_HIDDEN;
        outcomes[i].remains = outcomes[i].ok ? record->remains : NULL;
        if (outcomes[i].ok)
            log_add(how->log, "%.*s is no longer %s", (int)record->message.id.len,
                    record->message.id.at, status_name(record->status));
    }
}
