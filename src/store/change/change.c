/* Changing messages through the store: states, undo, marks of what was seen, cleaning up. */
#include "store/change/change.h"

#include "base/map.h"
#include "base/mem.h"
#include "store/change/archive.h"
#include "store/change/undo.h"
#include "store/scan/load.h"
#include "store/scan/local_marks.h"
#include "store/send/json_inbox.h"
#include "store/source/address.h"
#include "store/store_private.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

static bool change_is_step(const struct message *message, enum status status, struct err *err);
static bool change_back_to_read(const struct changing *how, const struct message *message,
                                struct err *err);

struct changing store_changing(struct store *store, size_t index)
{
    struct changing how = {.source = &store->sources[index], .log = store->log};

    how.state = store_state(store, true, &how.state_problem);
    return how;
}

/* True if something may be written; else every message is refused. */
static bool can_write(const struct store *store, struct changed *outcomes, size_t count)
{
    struct err err;

    if (store_may_write(store, &err))
        return true;
    for (size_t i = 0; i < count; i++)
        outcomes[i] = (struct changed){.err = err};
    return false;
}

/* Changes all messages of one source together: a file that several share is written once. `wish`
 * has the way to change them. */
static void change_in(struct store *store, size_t index, const struct changing *wish,
                      struct message *const *messages, size_t count, enum status status,
                      struct changed *outcomes)
{
    struct changing how = store_changing(store, index);
    CLEANUP(mem_free) struct message **here = mem_zero(count, sizeof(struct message *));
    CLEANUP(mem_free) struct changed *outcomes_here = mem_zero(count, sizeof *outcomes_here);
    size_t here_count = 0;

    how.completes = wish->completes;
    how.note = wish->note;
    how.records = wish->records;
    for (size_t i = 0; i < count; i++)
        if (messages[i]->place->source == index)
            here[here_count++] = messages[i];
    change_messages(&how, here, here_count, status, outcomes_here);
    for (size_t i = count; i-- > 0;)
        if (messages[i]->place->source == index)
            outcomes[i] = outcomes_here[--here_count];
}

static void change_all(struct store *store, const struct changing *wish,
                       struct message *const *messages, size_t count, enum status status,
                       struct changed *outcomes)
{
    if (can_write(store, outcomes, count))
        for (size_t i = 0; i < store->source_count; i++)
            change_in(store, i, wish, messages, count, status, outcomes);
}

void store_change(struct store *store, struct message *const *messages, size_t count,
                  enum status status, struct span note, struct changed *outcomes)
{
    store_change_recorded(store, messages, count, status, note, outcomes, NULL);
}

void store_complete(struct store *store, struct message *const *messages, size_t count,
                    struct changed *outcomes)
{
    struct changing wish = {.completes = true};

    change_all(store, &wish, messages, count, STATUS_ARCHIVED, outcomes);
}

void store_change_recorded(struct store *store, struct message *const *messages, size_t count,
                           enum status status, struct span note, struct changed *outcomes,
                           struct change_records *records)
{
    struct changing wish = {.note = note, .records = records};

    change_all(store, &wish, messages, count, status, outcomes);
}

bool store_mark_seen(struct store *store, struct message *const *messages, size_t count,
                     struct err *err)
{
    CLEANUP(mem_free) struct state_key *keys = mem_zero(count, sizeof *keys);
    struct state *state = store_state_to_write(store, err);
    bool ok = state != NULL;

    for (size_t i = 0; ok && i < store->source_count; i++) {
        const struct source *source = &store->sources[i];
        size_t key_count = 0;
        for (size_t k = 0; k < count; k++) {
            const struct message *message = messages[k];
            if (message->place->source == i && !message->seen && !message->damaged &&
                !message->place->archived)
                keys[key_count++] = local_marks_key(source, message);
        }
        if (key_count)
            ok = state_mark_seen(state, keys, key_count, span_of(source->identity), err);
    }
    return ok;
}

/* Undoing changes, and restoring from the archive. */

/* Undoes the changes of one source, the last one first: a message that was changed twice is
 * restored step by step. */
static void undo_in(struct store *store, size_t index, const struct change_records *records,
                    struct changed *outcomes)
{
    struct changing how = store_changing(store, index);
    CLEANUP(mem_free)
    const struct change_record **which = mem_zero(records->count, sizeof(struct change_record *));
    CLEANUP(mem_free) struct changed *here = mem_zero(records->count, sizeof *here);
    size_t count = 0;

    for (size_t i = records->count; i-- > 0;)
        if (records->items[i].message.place->source == index)
            which[count++] = &records->items[i];
    restore_records(&how, which, count, here);
    for (size_t i = 0; i < records->count; i++)
        if (records->items[i].message.place->source == index)
            outcomes[i] = here[--count];
}

void store_undo_change(struct store *store, const struct change_records *records,
                       struct changed *outcomes)
{
    if (can_write(store, outcomes, records->count))
        for (size_t i = 0; i < store->source_count; i++)
            undo_in(store, i, records, outcomes);
}

void store_restore(struct store *store, struct message *const *messages, size_t count,
                   struct changed *outcomes)
{
    CLEANUP(change_records_free) struct change_records records = {0};

    store_restore_recorded(store, messages, count, outcomes, &records);
}

void store_restore_recorded(struct store *store, struct message *const *messages, size_t count,
                            struct changed *outcomes, struct change_records *records)
{
    if (!can_write(store, outcomes, count))
        return;
    for (size_t i = 0; i < count; i++) {
        struct changing how = store_changing(store, messages[i]->place->source);
        outcomes[i] = (struct changed){0};
        if (restore_find(&how, messages[i], records, &outcomes[i].err)) {
            const struct change_record *record = &records->items[records->count - 1];
            restore_records(&how, &record, 1, &outcomes[i]);
            records->count -= !outcomes[i].ok;
        }
    }
}

/* Cleaning up. */

bool store_cleanup(struct store *store, uint32_t source, const struct cleaning *cleaning,
                   struct span clear, struct cleaned *result, struct err *err)
{
    if (!cleaning->dry_run && !store_may_write(store, err))
        return false;
    struct changing how = store_changing(store, source);
    return clear.at ? cleanup_clear(&how, clear, cleaning->dry_run, result, err)
                    : cleanup_source(&how, cleaning, result, err);
}

/* Messages that share a file: all of them are changed in one go. */

static bool shares_file(const struct message *a, const struct message *b)
{
    return span_eq(a->place->dir, b->place->dir) && span_eq(a->file, b->file);
}

/* Corrects the outcome of an entry that somebody removed before we had the lock: it was not
 * marked. */
static void check_presence(const struct changing *how, struct message *const *messages,
                           size_t count, struct changed *outcomes, size_t first, struct span left)
{
    CLEANUP(batch_free) struct batch batch = {0};
    CLEANUP(map_free) struct map present = {0};
    struct err ignored;
    bool fresh;

    if (load_bytes(how->source, messages[first], left, WANT_HEAD, &batch, &ignored)) {
        for (size_t i = 0; i < batch.count; i++)
            map_put(&present, batch.items[i].id, &fresh);
        for (size_t i = first; i < count; i++)
            if (outcomes[i].ok && shares_file(messages[i], messages[first]) &&
                !map_get(&present, messages[i]->id))
                outcomes[i].ok = err_set(&outcomes[i].err, ERR_MESSAGE,
                                         "%.*s: someone removed it meanwhile; nothing was changed",
                                         (int)messages[i]->id.len, messages[i]->id.at);
    }
}

/* Marks the entries of one array as read: `first` and those after it in its file that are not
 * `taken` yet. Sets their outcomes, and marks them as taken. */
static void change_array(const struct changing *how, struct message *const *messages, size_t count,
                         struct changed *outcomes, size_t first, bool *taken)
{
    const struct message *leader = messages[first];
    const struct place *place = leader->place;
    CLEANUP(span_list_free) struct span_list ids = {0};
    CLEANUP(str_free) struct str left = {0};
    struct err err = {0};
    struct json_inbox array = {.source = how->source,
                               .dir = source_open_dir(how->source, place->dir.at, &err),
                               .path = place->dir.at,
                               .name = leader->file.at,
                               .log = how->log};

    for (size_t i = first; i < count; i++) {
        if (taken[i] || !shares_file(messages[i], leader))
            continue;
        taken[i] = true;
        outcomes[i].ok = change_is_step(messages[i], STATUS_READ, &outcomes[i].err);
        if (outcomes[i].ok)
            span_list_add(&ids, messages[i]->id);
    }
    bool ok = array.dir >= 0 && ids.count && json_inbox_mark_read(&array, &ids, &left, &err);
    if (ids.count && !ok) {
        for (size_t i = first; i < count; i++) {
            if (!outcomes[i].ok || !shares_file(messages[i], leader))
                continue;
            outcomes[i].ok = false;
            outcomes[i].err = err;
        }
    }
    if (ok)
        check_presence(how, messages, count, outcomes, first, str_span(&left));
    for (size_t i = first; i < count; i++)
        if (outcomes[i].ok && messages[i]->status > STATUS_READ && shares_file(messages[i], leader))
            outcomes[i].ok = change_back_to_read(how, messages[i], &outcomes[i].err);
    if (array.dir >= 0)
        close(array.dir);
}

/* Like change_array(), but hides messages in our state: the file is read once. */
static void change_hidden(const struct changing *how, struct message *const *messages, size_t count,
                          struct changed *outcomes, size_t first, bool *taken)
{
    CLEANUP(mem_free) struct message **together = mem_zero(count, sizeof(struct message *));
    CLEANUP(mem_free) bool *hidden = mem_zero(count, sizeof *hidden);
    struct err err = {0};
    size_t used = 0;

    for (size_t i = first; i < count; i++)
        if (!taken[i] && shares_file(messages[i], messages[first]))
            together[used++] = messages[i];
    put_away_together(how, together, used, hidden, &err);
    used = 0;
    for (size_t i = first; i < count; i++) {
        if (taken[i] || !shares_file(messages[i], messages[first]))
            continue;
        taken[i] = outcomes[i].local = true;
        outcomes[i].ok = hidden[used++];
        outcomes[i].err = err;
    }
}

/* Changing states: permission, the place to write, and what is only kept in our state. */

static bool change_in_place(struct target *t, const struct message *message, enum status status,
                            struct err *err)
{
    for (int round = 0; round < EDIT_FILE_ROUNDS; round++) {
        struct staged_file staged;
        if (!edit_file_read(t, message, status, err) || !edit_file_edit(t, status, err))
            return false;
        if (!file_stage(&staged, t->dir, t->name, str_span(&t->edited), t->id.mode & 07777, err))
            return err_at(err, str_c(&t->path));
        switch (file_publish_over(&staged, &t->id, err)) {
        case FILE_OK:
            return file_sync_dir(t->dir, err) || edit_file_say_unsure(t, err);
        case FILE_GONE:
            return edit_file_say_gone(t, err);
        case FILE_CHANGED:
            break; /* someone was quicker: start again from what they wrote */
        case FILE_EXISTS:
        case FILE_FAILED:
            return false;
        }
    }
    return err_set(err, ERR_MESSAGE, "%s/%s: others keep changing it; try again", str_c(&t->path),
                   t->name);
}

static bool change_file(const struct changing *how, const struct message *message,
                        enum status status, struct err *err)
{
    CLEANUP(edit_file_close)
    struct target t = {
        .source = how->source, .dir = -1, .name = message->file.at, .completes = how->completes};
    bool ok = false;

    if (message->place->archived) { /* archive it again: change the file in the inbox */
        format_dir(&t.path, how->source->format, false, message->place->team, message->place->box);
    } else {
        str_add_span(&t.path, message->place->dir);
    }
    if (edit_file_open(&t, err) && file_lock_names(t.dir, err))
        ok = status == STATUS_ARCHIVED ? edit_file_archive(&t, message, err)
                                       : change_in_place(&t, message, status, err);
    if (ok)
        undo_recorder_file(how, status == STATUS_ARCHIVED ? CHANGE_KIND_COPIED : CHANGE_KIND_EDITED,
                           &t);
    return ok;
}

bool changing_has_state(const struct changing *how, struct err *err)
{
    if (!how->state)
        *err = how->state_problem;
    return how->state != NULL;
}

static bool keep_here(const struct changing *how, const struct message *message, enum status status,
                      struct err *err)
{
    struct state_key key = local_marks_key(how->source, message);

    return changing_has_state(how, err) &&
           state_set_status(how->state, &key, 1, span_of(how->source->identity), status, time_now(),
                            err);
}

static bool is_for_all(const struct format *format, const struct message *message)
{
    return format_is_everybody(format, message->to);
}

/* For a message whose mark here is further than its file can say: starts again from read. */
static bool change_back_to_read(const struct changing *how, const struct message *message,
                                struct err *err)
{
    return keep_here(how, message, STATUS_READ, err);
}

/* Checks what forbids the change before anything is read. */
static bool may_change(const struct changing *how, const struct message *message,
                       enum status status, struct err *err)
{
    const struct source *source = how->source;
    bool putting_away = status == STATUS_ARCHIVED;
    bool moves =
        source->format->archiving == ARCHIVE_MOVE || source->format->archiving == ARCHIVE_DELETE;

    if (message->unread_bytes) {
        err_set(err, ERR_MESSAGE, "it cannot be read: %s", message->damaged);
        return message_err_at(err, message);
    }
    if (message->damaged && !(putting_away && moves)) {
        err_set(err, ERR_REFUSED, "it is damaged and is left alone: %s", message->damaged);
        return message_err_at(err, message);
    }
    if (message->place->archived && !(putting_away && message->flags & MESSAGE_IN_BOTH))
        return err_set(err, ERR_REFUSED, "%.*s is in the archive, where nothing is changed",
                       (int)message->id.len, message->id.at);
    if (!putting_away && !address_is_ours(source, message))
        return address_refuse(source, message, err);
    return true;
}

/* True if the message may go from its status to `status`; else false, with the reason. */
static bool change_is_step(const struct message *message, enum status status, struct err *err)
{
    enum status now = message_marked(message);

    if (now == status)
        return err_set(err, ERR_REFUSED, "%.*s is %s already", (int)message->id.len, message->id.at,
                       status_name(status));
    if (!status_may_become(now, status))
        return err_set(err, ERR_REFUSED, "%.*s is %s and cannot become %s", (int)message->id.len,
                       message->id.at, status_name(now), status_name(status));
    return true;
}

/* True if the layout has the state itself. */
static bool is_native(const struct format *format, const struct message *message,
                      enum status status)
{
    if (format->verbs[verb_for_status(status)].ability == ABILITY_NONE || !format->edit)
        return false;
    if (format_decided_by(format, message))
        return false;
    return !is_for_all(format, message); /* one flag for all would be nobody's */
}

static bool change_one(const struct changing *how, const struct message *message,
                       enum status status, struct changed *outcome)
{
    const struct format *format = how->source->format;
    struct err *err = &outcome->err;

    if (status == STATUS_ARCHIVED && format->archiving == ARCHIVE_COPY)
        return change_file(how, message, status, err);
    if (status == STATUS_ARCHIVED) {
        outcome->local = format->archiving == ARCHIVE_LOCAL;
        return put_away(how, message, err);
    }
    if (format->exact_to)
        return change_file(how, message, status, err);
    if (!change_is_step(message, status, err))
        return false;
    if (is_native(format, message, status) && status == STATUS_READ) {
        if (message->status <= STATUS_READ)
            return change_file(how, message, status, err);
        if (!change_file(how, message, status, err) && err->scope != ERR_REFUSED)
            return false; /* refused: it is marked as read already */
        return change_back_to_read(how, message, err);
    }
    if (status == STATUS_FAILED && format->verbs[VERB_FAILED].ability != ABILITY_NONE)
        return put_failed(how, message, err);
    if (status == STATUS_PROCESSING)
        format_log_step(format, how->log, LOG_PROCESSING, message->id);
    outcome->local = true;
    return keep_here(how, message, status, err);
}

void change_messages(const struct changing *how, struct message *const *messages, size_t count,
                     enum status status, struct changed *outcomes)
{
    bool array = how->source->format->storage == STORAGE_ARRAY && status == STATUS_READ;
    bool hides = status == STATUS_ARCHIVED && how->source->format->archiving == ARCHIVE_LOCAL;
    enum change_kind deed = array   ? CHANGE_KIND_MARKED
                            : hides ? CHANGE_KIND_HIDDEN
                                    : CHANGE_KIND_NOTED;
    CLEANUP(mem_free) bool *taken = mem_zero(count, sizeof *taken);
    struct recording recording = undo_recorder_begin(how, count);

    for (size_t i = 0; i < count; i++) {
        outcomes[i] = (struct changed){0};
        taken[i] = !may_change(how, messages[i], status, &outcomes[i].err);
    }
    for (size_t i = 0; i < count; i++) {
        struct changing one = undo_recorder_of(&recording, i);
        undo_recorder_kind(&one, deed);
        if (!taken[i] && array)
            change_array(how, messages, count, outcomes, i, taken);
        else if (!taken[i] && hides)
            change_hidden(how, messages, count, outcomes, i, taken);
        else if (!taken[i])
            outcomes[i].ok = change_one(&one, messages[i], status, &outcomes[i]);
        if (outcomes[i].ok)
            log_add(how->log, "%.*s is now %s", (int)messages[i]->id.len, messages[i]->id.at,
                    status_name(status));
    }
    undo_recorder_end(&recording, messages, count, status, outcomes);
}

bool change_keeps_note(const struct source *source, struct err *err)
{
    return source->format->fields & FIELD_NOTE ||
           err_set(err, ERR_REFUSED, "the layout %s keeps no note with an archived message",
                   source->format->title);
}
