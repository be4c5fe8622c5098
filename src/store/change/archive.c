/* Archiving: a copy, a move, a slot that is emptied, or a mark of our own. */
#include "store/change/archive.h"

#include "base/mem.h"
#include "base/time.h"
#include "store/change/edit_file.h"
#include "store/change/undo.h"
#include "store/send/deliver.h"
#include "store/source/recipient.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* ARCHIVE_COPY: writes the copy first, then removes the inbox file, so that nothing is lost. */

enum { SUFFIX_MAX = 99, COPY_TRIES = 6, COPY_PAUSE_US = 50000 };

/* A file in the archive that may be this message: archived before, and written to the inbox again
 * by an agent that was still running. */
struct found_copy {
    bool same;     /* only the state differs */
    bool archived; /* its state is archived */
    struct file_id id;
};

static void compare_copy(struct target *t, int archive, const char *name, struct found_copy *found)
{
    const struct format *format = t->source->format;
    CLEANUP(str_free) struct str bytes = {0};
    CLEANUP(str_free) struct str theirs = {0};
    CLEANUP(str_free) struct str ours = {0};
    CLEANUP(batch_free) struct batch batch = {0};
    struct err ignored;

    *found = (struct found_copy){0};
    for (int tries = 0; !batch.count; tries++) { /* may be half written: its owner archives too */
        if (tries == COPY_TRIES ||
            file_read(archive, name, FILE_SIZE_MAX, &bytes, &found->id, NULL) != FILE_OK)
            return;
        if (!format_parse_bytes(format, span_of(t->name), str_span(&bytes), WANT_HEAD, &batch,
                                &ignored))
            time_sleep(COPY_PAUSE_US);
    }
    found->same = format_blank_state(format, str_span(&bytes), &theirs, NULL) &&
                  format_blank_state(format, str_span(&t->bytes), &ours, NULL) &&
                  span_eq(str_span(&ours), str_span(&theirs));
    found->archived = batch.items[0].status == STATUS_ARCHIVED;
}

/* The copy that this change wrote to the archive. */
struct archive_copy {
    struct str name; /* empty: none yet, or one was there already */
    struct file_id id;
};

/* Remembers a copy that was just published, so that it can be replaced. */
static void remember_copy(struct archive_copy *copy, int archive, const struct staged_file *staged)
{
    str_clear(&copy->name);
    if (file_stat(archive, staged->name, &copy->id, NULL) == FILE_OK &&
        copy->id.ino == staged->ino && copy->id.dev == staged->dev)
        str_puts(&copy->name, staged->name);
}

/* Replaces our copy after the inbox file has changed. Returns FILE_CHANGED or FILE_GONE if the copy
 * is no longer ours, because somebody else has archived the message too. */
static enum file_result renew_copy(struct target *t, int archive, struct archive_copy *copy,
                                   struct err *err)
{
    struct staged_file staged;

    if (!file_stage(&staged, archive, str_c(&copy->name), str_span(&t->edited), t->id.mode & 07777,
                    err))
        return FILE_FAILED;
    enum file_result result = file_publish_over(&staged, &copy->id, err);
    if (result == FILE_OK)
        remember_copy(copy, archive, &staged);
    return result;
}

/* Uses the copy that is in the archive already: makes sure that its state is archived and that it
 * is on disk. */
static enum file_result adopt_copy(struct target *t, int archive, const char *name,
                                   const struct found_copy *found, struct err *err)
{
    struct staged_file staged;

    if (found->archived) /* its writer may not have synced it */
        return file_sync(archive, name, err) ? FILE_OK : FILE_FAILED;
    if (!file_stage(&staged, archive, name, str_span(&t->edited), found->id.mode & 07777, err))
        return FILE_FAILED;
    return file_publish_over(&staged, &found->id, err);
}

/* Writes a new copy under its own name or, if another message has that, with a number. */
static enum file_result new_copy(struct target *t, int archive, struct archive_copy *copy,
                                 struct err *err)
{
    CLEANUP(str_free) struct str name = {0};
    enum file_result result = FILE_FAILED;

    for (int number = 1; number < SUFFIX_MAX; number++) {
        struct staged_file staged;
        str_clear(&name);
        file_numbered_name(&name, t->name, number);
        if (!file_stage(&staged, archive, str_c(&name), str_span(&t->edited), t->id.mode & 07777,
                        err))
            break;
        result = file_publish_new(&staged, err);
        if (result == FILE_OK)
            remember_copy(copy, archive, &staged);
        if (result != FILE_EXISTS)
            break;
        file_discard(&staged);
        struct found_copy found;
        compare_copy(t, archive, str_c(&name), &found);
        if (found.same) {
            result = adopt_copy(t, archive, str_c(&name), &found, err);
            break;
        }
        err_set(err, ERR_MESSAGE, "%s: the archive is full of messages with this name", t->name);
    }
    return result;
}

static bool write_copy(struct target *t, int archive, struct archive_copy *copy, struct err *err)
{
    enum file_result result = FILE_GONE;

    if (copy->name.len)
        result = renew_copy(t, archive, copy, err);
    for (int round = 0; round < EDIT_FILE_ROUNDS && (result == FILE_GONE || result == FILE_CHANGED);
         round++)
        result = new_copy(t, archive, copy, err);
    if (result == FILE_GONE || result == FILE_CHANGED)
        err_set(err, ERR_MESSAGE, "%s: others keep changing it in the archive; try again", t->name);
    return result == FILE_OK && (file_sync_dir(archive, err) || edit_file_say_unsure(t, err));
}

/* Copies, then removes; starts again from the current file when somebody changed it in between. */
static bool copy_and_remove(struct target *t, const struct message *message, int archive,
                            struct err *err)
{
    struct archive_copy copy = {0};
    bool ok = false;

    for (int round = 0; round < EDIT_FILE_ROUNDS; round++) {
        if (!edit_file_read(t, message, STATUS_ARCHIVED, err) ||
            !edit_file_edit(t, STATUS_ARCHIVED, err) || !write_copy(t, archive, &copy, err)) {
            if (round) /* a copy was written before */
                edit_file_say_unsure(t, err);
            break;
        }
        enum file_result result = file_remove(t->dir, t->name, &t->id, err);
        ok = result == FILE_OK && file_sync_dir(t->dir, err);
        if (result == FILE_FAILED)
            err_at(err, "it is in the archive, and may still be in the inbox, until it is archived "
                        "again");
        if (!ok && (result == FILE_OK || result == FILE_FAILED))
            edit_file_say_unsure(t, err);
        if (result == FILE_GONE) /* someone archived it too: it is where it should be */
            ok = t->by_others = true;
        if (result != FILE_CHANGED)
            break;
        err_set(err, ERR_MESSAGE, "%s/%s: others keep changing it; try again", str_c(&t->path),
                t->name);
    }
    str_add_span(&t->archived_as, str_span(&copy.name));
    str_free(&copy.name);
    return ok;
}

bool edit_file_archive(struct target *t, const struct message *message, struct err *err)
{
    CLEANUP(str_free) struct str path = {0};
    bool ok = false;

    format_dir(&path, t->source->format, true, message->place->team, message->place->box);
    if (faccessat(t->dir, ".", W_OK | X_OK, AT_EACCESS) < 0) { /* before anything is copied */
        err_set(err, ERR_BOX, "%s: nothing can be removed from it: %s", str_c(&t->path),
                strerror(errno));
    } else {
        int archive = source_make_dir(t->source, str_c(&path), err);
        ok = archive >= 0 && copy_and_remove(t, message, archive, err);
        if (archive >= 0)
            close(archive);
    }
    return ok;
}

enum { CLAIM_SUFFIX_MAX = 999 };

/* Keeps a copy of the message, as its file has it now, and marks it as archived in our state. */
static bool keep_copy(const struct changing *how, const struct message *message, struct span bytes,
                      struct err *err)
{
    struct state_key key = local_marks_key(how->source, message);

    return changing_has_state(how, err) &&
           state_keep_copy(how->state, &key, span_of(how->source->identity), message->file, bytes,
                           how->note, time_now(), NULL, err);
}

/* Returns the bytes of the message in its file as it is now; absent when it is not there. */
static struct span part_of(const struct batch *batch, const struct message *message,
                           struct span bytes)
{
    const struct message *now = batch_find(batch, 0, message);

    return now ? message_raw(now, bytes) : (struct span){0};
}

void put_away_together(const struct changing *how, struct message *const *messages, size_t count,
                       bool *done, struct err *err)
{
    const struct message *first = messages[0];
    CLEANUP(edit_file_close)
    struct target t = {.source = how->source, .dir = -1, .name = first->file.at};
    CLEANUP(batch_free) struct batch batch = {0};

    str_add_span(&t.path, first->place->dir);
    enum file_result result = FILE_FAILED;
    if (changing_has_state(how, err) && edit_file_open(&t, err))
        result = file_read(t.dir, t.name, FILE_SIZE_MAX, &t.bytes, &t.id, err);
    if (result == FILE_GONE)
        edit_file_say_gone(&t, err);
    struct mail_file file = edit_file_file(&t, first);
    if (result == FILE_OK &&
        how->source->format->parse(&file, WANT_HEAD | WANT_SALVAGE, &batch, err)) {
        for (size_t i = 0; i < count; i++) {
            struct span part = part_of(&batch, messages[i], file.bytes);
            done[i] =
                part.at ? keep_copy(how, messages[i], part, err) : edit_file_say_gone(&t, err);
        }
    }
}

/* Moves the file under its own name or, if another file has that, with a number. */
static bool move_file(struct target *t, int archive, struct err *err)
{
    CLEANUP(str_free) struct str name = {0};
    enum file_result result = FILE_EXISTS;

    for (int number = 1; result == FILE_EXISTS && number < CLAIM_SUFFIX_MAX; number++) {
        str_clear(&name);
        file_numbered_name(&name, t->name, number);
        result = file_move(t->dir, t->name, archive, str_c(&name), err);
    }
    if (result == FILE_OK)
        str_add_span(&t->archived_as, str_span(&name));
    if (result == FILE_GONE)
        return edit_file_say_gone(t, err);
    if (result == FILE_EXISTS)
        return err_set(err, ERR_MESSAGE, "%s: the archive is full of messages with this name",
                       t->name);
    return result == FILE_OK && ((file_sync_dir(archive, err) && file_sync_dir(t->dir, err)) ||
                                 edit_file_say_unsure(t, err));
}

static bool move_to_archive(struct target *t, const struct changing *how,
                            const struct message *message, struct err *err)
{
    CLEANUP(str_free) struct str path = {0};
    bool ok = false;

    format_dir(&path, t->source->format, true, message->place->team, message->place->box);
    int archive = edit_file_open(t, err) ? source_make_dir(t->source, str_c(&path), err) : -1;
    if (archive >= 0) {
        ok = move_file(t, archive, err);
        if (ok && how->record) /* its bytes are unchanged: read them for the record only */
            file_read(archive, str_c(&t->archived_as), FILE_SIZE_MAX, &t->bytes, &t->id, NULL);
        close(archive);
    }
    return ok;
}

/* Opens the directory of the layout's log, and sets `name` to the log's name in it. Returns -1 with
 * an error on failure. */
static int open_log_dir(const struct source *source, const char **name, struct err *err)
{
    CLEANUP(str_free) struct str path = {0};

    str_puts(&path, source->format->log_file);
    char *slash = strrchr(path.at, '/');
    *slash = '\0';
    *name = strrchr(source->format->log_file, '/') + 1;
    return source_make_dir(source, path.at, err);
}

/* Adds a line to the layout's log, and keeps every other byte. */
static bool log_in_layout(const struct changing *how, const struct message *message,
                          int64_t written_us, bool failed, struct err *err)
{
    const struct format *format = how->source->format;
    const char *name;
    CLEANUP(str_free) struct str bytes = {0};
    CLEANUP(str_free) struct str edited = {0};
    int dir = open_log_dir(how->source, &name, err);
    enum file_result result = FILE_CHANGED;

    if (dir < 0)
        return false;
    bool ok = file_lock_names(dir, err);
    for (int round = 0; ok && result == FILE_CHANGED && round < EDIT_FILE_ROUNDS; round++) {
        struct staged_file staged;
        struct file_id id = {.mode = format->file_mode};
        enum file_result read = file_read(dir, name, FILE_SIZE_MAX, &bytes, &id, err);
        struct span log = read == FILE_OK ? str_span(&bytes) : (struct span){0};
        str_clear(&edited);
        ok =
            (read == FILE_OK || read == FILE_GONE) &&
            format->log_line(log, message, written_us, how->note, failed, time_now(), &edited, err);
        if (ok && span_eq(log, str_span(&edited))) { /* it has the line already */
            result = FILE_OK;
            break;
        }
        ok = ok && file_stage(&staged, dir, name, str_span(&edited), id.mode & 07777, err);
        if (!ok)
            break;
        result =
            read == FILE_OK ? file_publish_over(&staged, &id, err) : file_publish_new(&staged, err);
        if (result == FILE_EXISTS) {
            file_discard(&staged);
            result = FILE_CHANGED;
        } else if (result == FILE_GONE) {
            result = FILE_CHANGED;
        }
    }
    if (ok && result == FILE_CHANGED)
        err_set(err, ERR_BOX, "others keep changing it; try again");
    ok = ok && result == FILE_OK;
    if (ok && !file_sync_dir(dir, err)) {
        err->scope = ERR_UNCONFIRMED; /* the line is in the file */
        ok = false;
    }
    close(dir);
    return ok || err_at(err, format->log_file);
}

/* The messages of a slot, with their bytes and their earlier marks. */
struct slot {
    struct batch batch;
    struct marks marks;
    struct state_undo *undo;
    size_t count, kept;
    int64_t written_us;
};

static void add_part(struct slot *slot, const struct changing *how, const struct message *message,
                     struct span part)
{
    static const struct mark none = {.changed_us = TIME_NONE};
    const struct mark *mark = local_marks_mark(&slot->marks, message);

    slot->undo[slot->count++] = (struct state_undo){.key = local_marks_key(how->source, message),
                                                    .viewer = span_of(how->source->identity),
                                                    .mark = mark ? mark : &none,
                                                    .bytes = part};
}

/* Reads the messages of the slot. A file that cannot be parsed counts as one message. */
static bool read_slot(struct slot *slot, const struct target *t, const struct changing *how,
                      const struct message *message, struct err *err)
{
    struct mail_file file = edit_file_file(t, message);
    struct err ignored;

    if (!state_marks(how->state, how->source->format->name, how->source->path,
                     span_of(how->source->identity), &slot->marks, err))
        return false;
    bool parsed = t->source->format->parse(&file, WANT_DATA, &slot->batch, &ignored);
    slot->written_us = file.mtime_us;
    slot->undo = mem_zero(slot->batch.count + 1, sizeof *slot->undo);
    for (size_t i = 0; parsed && i < slot->batch.count; i++)
        add_part(slot, how, &slot->batch.items[i],
                 message_raw(&slot->batch.items[i], str_span(&t->bytes)));
    if (!parsed)
        add_part(slot, how, message, str_span(&t->bytes));
    return true;
}

static void free_slot(struct slot *slot)
{
    batch_free(&slot->batch);
    marks_free(&slot->marks);
    free(slot->undo);
}

static bool keep_slot(struct slot *slot, const struct changing *how, const struct message *message,
                      struct err *err)
{
    bool ok = true;

    for (size_t i = 0; ok && i < slot->count; i++) {
        const struct message *each = slot->batch.count ? &slot->batch.items[i] : message;
        struct state_undo *undo = &slot->undo[i];
        bool had;
        ok = state_has_copy(how->state, &undo->key, undo->viewer, undo->bytes, &had, err);
        undo->copies = !had;
        ok = ok && keep_copy(how, each, undo->bytes, err);
        slot->kept += ok;
    }
    return ok;
}

static bool log_slot(const struct slot *slot, const struct changing *how,
                     const struct message *message, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; ok && i < slot->count; i++) {
        const struct message *each = slot->batch.count ? &slot->batch.items[i] : message;
        if (slot->batch.count)
            format_log_step(how->source->format, how->log, LOG_ARCHIVING, each->id);
        ok = log_in_layout(how, each, slot->written_us, false, err);
    }
    return ok;
}

static bool say_not_logged(const struct target *t, struct err *err)
{
    char why[sizeof err->text];

    snprintf(why, sizeof why, "%s", err->text);
    return err_set(err, err->scope,
                   "%.600s; %s/%s stays where it is: archive it again once the log can be written",
                   why, str_c(&t->path), t->name);
}

/* Copies and logs every message of the file, which is removed as a whole. On failure the file
 * stays, and the copies and marks are undone. */
static bool record_slot(const struct target *t, const struct changing *how,
                        const struct message *message, struct err *err)
{
    CLEANUP(free_slot) struct slot slot = {0};
    struct err undone;
    bool ok = read_slot(&slot, t, how, message, err) && keep_slot(&slot, how, message, err) &&
              (log_slot(&slot, how, message, err) || say_not_logged(t, err));

    if (!ok && slot.kept && !state_undo_marks(how->state, slot.undo, slot.kept, &undone))
        log_add(how->log, "the copy of %s stays: %s", t->name, undone.text);
    return ok;
}

/* Empties a slot: keeps copies, then writes the log, then removes the file if it is still the one
 * that was read. */
static bool empty_slot(struct target *t, const struct changing *how, const struct message *message,
                       struct err *err)
{
    if (!edit_file_open(t, err) || !file_lock_names(t->dir, err))
        return false;
    enum file_result result = file_read(t->dir, t->name, FILE_SIZE_MAX, &t->bytes, &t->id, err);
    if (result == FILE_GONE || (result == FILE_OK && !edit_file_holds(t, message)))
        return edit_file_say_gone(t, err);
    if (result != FILE_OK || !changing_has_state(how, err))
        return false;
    if (!record_slot(t, how, message, err))
        return false;
    switch (file_remove_slot(t->dir, t->name, &t->id, err)) {
    case FILE_OK:
        return file_sync_dir(t->dir, err) || edit_file_say_unsure(t, err);
    case FILE_GONE:
        return t->by_others = true; /* its reader was quicker: it is where it should be */
    case FILE_CHANGED:
        log_add(how->log, "%s holds a new message, which stays", t->name);
        return t->by_others = true; /* the message that was meant is gone */
    case FILE_EXISTS:
    case FILE_FAILED:
        break;
    }
    return edit_file_say_unsure(t, err);
}

bool put_away(const struct changing *how, const struct message *message, struct err *err)
{
    static const enum change_kind deeds[] = {
        [ARCHIVE_MOVE] = CHANGE_KIND_MOVED, [ARCHIVE_DELETE] = CHANGE_KIND_TAKEN};
    CLEANUP(edit_file_close)
    struct target t = {.source = how->source, .dir = -1, .name = message->file.at};
    bool ok = false;

    str_add_span(&t.path, message->place->dir);
    switch (how->source->format->archiving) {
    case ARCHIVE_MOVE:
        ok = move_to_archive(&t, how, message, err);
        break;
    case ARCHIVE_DELETE:
        ok = empty_slot(&t, how, message, err);
        break;
    case ARCHIVE_LOCAL: /* see put_away_together() */
    case ARCHIVE_COPY:
        break;
    }
    if (ok)
        undo_recorder_file(how, deeds[how->source->format->archiving], &t);
    return ok;
}

/* Answers the sender, as the layout replies, that the message failed. */
static bool answer_failure(const struct changing *how, const struct message *message,
                           struct err *err)
{
    CLEANUP(arena_free) struct arena arena = {0};
    CLEANUP(str_free) struct str body = {0};
    CLEANUP(outgoing_message_free) struct outgoing_message letter = {.draft = draft_new()};
    struct delivery delivery = {.source = how->source, .state = how->state, .log = how->log};

    how->source->format->reply(message, &letter.draft, &arena);
    if (how->source->format->fields & FIELD_TYPE)
        letter.draft.type = span_of("failure");
    letter.draft.from = span_of(how->source->identity);
    str_puts(&body, "Failed: ");
    str_add_span(&body, how->note.len ? how->note : message->subject);
    letter.draft.body = str_span(&body);
    return recipient_find_sender(how->source, letter.draft.to, message->place->box, &letter.to,
                                 &arena, err) &&
           deliver(&delivery, &letter, 1, err);
}

bool put_failed(const struct changing *how, const struct message *message, struct err *err)
{
    struct state_key key = local_marks_key(how->source, message);

    if (!changing_has_state(how, err))
        return false;
    if (!how->source->format->log_file && !message->from.len)
        return err_set(err, ERR_REFUSED,
                       "%s: it does not say who sent it, so nobody can be told; archive it instead",
                       message->file.at);
    bool answers = !how->source->format->log_file;
    if (answers ? !answer_failure(how, message, err) : !log_in_layout(how, message, 0, true, err))
        return false;
    if (answers ? put_away(how, message, err)
                : state_set_status(how->state, &key, 1, span_of(how->source->identity),
                                   STATUS_FAILED, time_now(), err)) {
        if (how->record)
            how->record->remains =
                answers ? "its sender was told that it failed, and that stays"
                        : "the line about its failure in the log of the agents stays";
        return true;
    }
    err_at(err, answers ? "its sender was told that it failed, but it was not archived"
                        : "its failure was logged, but is not noted here");
    err->scope = ERR_UNCONFIRMED;
    return false;
}
