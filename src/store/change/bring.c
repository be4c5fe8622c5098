/* Bringing back: what comes back is on disk before its copy goes. */
#include "store/change/bring.h"

#include "base/mem.h"
#include "store/change/target.h"
#include "store/scan/overlay.h"

#include <stdlib.h>

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

/* A running agent may have written its old copy back. */
static bool say_taken(const struct target *t, const struct message *message, struct err *err)
{
    bool again = t->bytes.len && target_holds(t, message);

    return err_set(err, ERR_REFUSED, "%s/%s: %s", str_c(&t->path), t->name,
                   again ? "someone has written it there again, not as it was"
                         : "another message lies in its place");
}

/* The file of the message in its inbox, or in the archive, where it was or is. */
static void aim(struct target *t, const struct changing *how, const struct change_record *record,
                bool archived)
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

/* Its state goes back where it stands. */
static bool edit_back(const struct changing *how, const struct change_record *record,
                      struct err *err)
{
    struct staged_file staged;
    struct target t;
    bool ok = false;

    aim(&t, how, record, false);
    if (!target_open(&t, err) || !file_lock_names(t.dir, err))
        goto out;
    enum file_result result = file_read(t.dir, t.name, FILE_SIZE_MAX, &t.bytes, &t.id, err);
    if (result == FILE_OK && span_eq(str_span(&t.bytes), record->before)) {
        ok = true; /* an earlier try came so far */
    } else if (result == FILE_OK && !span_eq(str_span(&t.bytes), record->after)) {
        say_changed(&t, err);
    } else if (result == FILE_OK &&
               file_stage(&staged, t.dir, t.name, record->before, t.id.mode & 07777, err)) {
        result = file_publish_over(&staged, &t.id, err);
        ok = result == FILE_OK && (file_sync_dir(t.dir, err) || target_say_unsure(&t, err));
        if (result == FILE_CHANGED)
            say_changed(&t, err);
    }
    if (result == FILE_GONE)
        say_away(&t, err);
out:
    target_close(&t);
    return ok;
}

/* Reads what is in its place, if anything, and says whether it is the very same: an earlier try
 * came so far, and perhaps no farther. */
static enum file_result look_there(struct target *t, const struct change_record *record, bool *same,
                                   struct err *err)
{
    enum file_result result = file_look(t->dir, t->name, &t->id, err);

    if (result == FILE_OK)
        result = file_read(t->dir, t->name, FILE_SIZE_MAX, &t->bytes, &t->id, err);
    *same = result == FILE_OK && span_eq(str_span(&t->bytes), record->before);
    if (result == FILE_FAILED) {
        err_at(err, t->name);
        err_at(err, str_c(&t->path));
    }
    return result;
}

/* Gives the inbox its file again, on disk. */
static bool put_file(struct target *t, const struct change_record *record, struct err *err)
{
    struct staged_file staged;
    bool same;
    enum file_result there = look_there(t, record, &same, err);

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
    return file_sync_dir(t->dir, err) || target_say_unsure(t, err);
}

/* What is in the archive is what we left there. */
static bool is_as_left(struct target *archive, const struct change_record *record, struct err *err)
{
    if (!target_open(archive, err) || !file_lock_names(archive->dir, err))
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

/* The inbox has it again: its copy in the archive goes. */
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
    struct target inbox, archive;
    bool own = record->archived_as.len > 0; /* otherwise a copy was there before, which stays */

    aim(&inbox, how, record, false);
    aim(&archive, how, record, true);
    bool ok = target_open(&inbox, err) && file_lock_names(inbox.dir, err) &&
              (!own || is_as_left(&archive, record, err)) && put_file(&inbox, record, err) &&
              (!own || drop_copy(&archive, err));
    target_close(&archive);
    target_close(&inbox);
    return ok;
}

static bool bring_file(const struct changing *how, const struct change_record *record,
                       struct err *err)
{
    struct target inbox, archive;
    bool ok = false;

    aim(&inbox, how, record, false);
    aim(&archive, how, record, true);
    if (target_open(&inbox, err) && file_lock_names(inbox.dir, err) &&
        is_as_left(&archive, record, err)) {
        switch (file_move(archive.dir, archive.name, inbox.dir, inbox.name, err)) {
        case FILE_OK:
            ok = (file_sync_dir(inbox.dir, err) && file_sync_dir(archive.dir, err)) ||
                 target_say_unsure(&inbox, err);
            break;
        case FILE_EXISTS:
            say_taken(&inbox, &record->message, err);
            break;
        case FILE_GONE:
            say_away(&archive, err);
            break;
        case FILE_CHANGED:
        case FILE_FAILED:
            break;
        }
    }
    target_close(&archive);
    target_close(&inbox);
    return ok;
}

/* All that the slot held: their copies here go once it holds them again. */
static bool forget_copies(const struct changing *how, const struct change_record *record,
                          struct err *err)
{
    static const struct mark none = {.changed_us = WHEN_NONE};
    const struct message *message = &record->message;
    struct mail_file file = {
        .place = message->place, .name = message->file, .bytes = record->before};
    struct batch batch = {0};
    struct err ignored;

    how->source->format->parse(&file, WANT_HEAD, &batch, &ignored);
    struct state_undo *undo = mem_zero(batch.count + 1, sizeof *undo);
    size_t count = 0;
    for (size_t i = 0; i < batch.count; i++) {
        const struct message *each = &batch.items[i];
        struct span part = message_raw(each, record->before);
        bool meant = span_eq(each->id, message->id);
        undo[count++] = (struct state_undo){.key = overlay_key(how->source, each),
                                            .viewer = record->viewer,
                                            .mark = meant ? &record->mark_before : &none,
                                            .copies = true,
                                            .bytes = part};
    }
    if (!count)
        undo[count++] = (struct state_undo){.key = overlay_key(how->source, message),
                                            .viewer = record->viewer,
                                            .mark = &record->mark_before,
                                            .copies = true,
                                            .bytes = record->before};
    bool ok = state_take_back(how->state, undo, count, err);
    free(undo);
    batch_free(&batch);
    if (!ok) {
        err_at(err, "it is in its place again, but its copy here is not gone");
        err->scope = ERR_UNCONFIRMED;
    }
    return ok;
}

static bool fill_slot(const struct changing *how, const struct change_record *record,
                      struct err *err)
{
    struct target t;

    if (!changing_has_state(how, err))
        return false;
    aim(&t, how, record, false);
    bool ok = target_open(&t, err) && file_lock_names(t.dir, err) && put_file(&t, record, err) &&
              forget_copies(how, record, err);
    target_close(&t);
    return ok;
}

bool bring_back(const struct changing *how, const struct change_record *record, struct err *err)
{
    switch (record->deed) {
    case DEED_EDITED:
        return edit_back(how, record, err);
    case DEED_COPIED:
        return bring_copy(how, record, err);
    case DEED_MOVED:
        return bring_file(how, record, err);
    case DEED_TAKEN:
        return fill_slot(how, record, err);
    case DEED_NOTED:
    case DEED_MARKED:
    case DEED_HIDDEN:
        break; /* there is no such file */
    }
    return true;
}
