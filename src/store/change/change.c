/* Changing states: who may, where it is written, and what is only kept here. */
#include "store/change/change.h"

#include "base/mem.h"
#include "store/change/change_private.h"
#include "store/change/putaway.h"
#include "store/change/recording.h"
#include "store/scan/overlay.h"
#include "store/source/address_owner.h"

#include <stdlib.h>

static bool change_in_place(struct target *t, const struct message *message, enum status status,
                            struct err *err)
{
    for (int round = 0; round < TARGET_ROUNDS; round++) {
        struct staged_file staged;
        if (!target_read(t, message, status, err) || !target_edit(t, status, err))
            return false;
        if (!file_stage(&staged, t->dir, t->name, str_span(&t->edited), t->id.mode & 07777, err))
            return err_at(err, str_c(&t->path));
        switch (file_publish_over(&staged, &t->id, err)) {
        case FILE_OK:
            return file_sync_dir(t->dir, err) || target_say_unsure(t, err);
        case FILE_GONE:
            return target_say_gone(t, err);
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
    struct target t = {
        .source = how->source, .dir = -1, .name = message->file.at, .completes = how->completes};
    bool ok = false;

    if (message->place->archived) { /* archive it again: the file in the inbox is meant */
        format_dir(&t.path, how->source->format, false, message->place->team, message->place->box);
    } else {
        str_add_span(&t.path, message->place->dir);
    }
    if (target_open(&t, err) && file_lock_names(t.dir, err))
        ok = status == STATUS_ARCHIVED ? target_archive(&t, message, err)
                                       : change_in_place(&t, message, status, err);
    if (ok)
        recording_file(how, status == STATUS_ARCHIVED ? DEED_COPIED : DEED_EDITED, &t);
    target_close(&t);
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
    struct state_key key = overlay_key(how->source, message);

    return changing_has_state(how, err) &&
           state_set_status(how->state, &key, 1, span_of(how->source->identity), status, when_now(),
                            err);
}

static bool is_for_all(const struct format *format, const struct message *message)
{
    return format_is_everybody(format, message->to);
}

bool change_back_to_read(const struct changing *how, const struct message *message, struct err *err)
{
    return keep_here(how, message, STATUS_READ, err);
}

/* What stands against it before anything is looked at. */
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

bool change_is_step(const struct message *message, enum status status, struct err *err)
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

/* Whether the layout has the state itself. */
static bool is_native(const struct format *format, const struct message *message,
                      enum status status)
{
    if (format->verbs[verb_for_status(status)].ability == ABILITY_NONE || !format->edit)
        return false;
    if (format_decided_by(format, message))
        return false;
    return !is_for_all(format, message); /* one flag for all of them is nobody's */
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
            return false; /* refused, it says so already */
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
    bool array = how->source->format->keeping == KEEP_ARRAY && status == STATUS_READ;
    bool hides = status == STATUS_ARCHIVED && how->source->format->archiving == ARCHIVE_LOCAL;
    enum deed deed = array ? DEED_MARKED : hides ? DEED_HIDDEN : DEED_NOTED;
    bool *taken = mem_zero(count, sizeof *taken);
    struct recording recording = recording_begin(how, count);

    for (size_t i = 0; i < count; i++) {
        outcomes[i] = (struct changed){0};
        taken[i] = !may_change(how, messages[i], status, &outcomes[i].err);
    }
    for (size_t i = 0; i < count; i++) {
        struct changing one = recording_of(&recording, i);
        recording_deed(&one, deed);
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
    recording_end(&recording, messages, count, status, outcomes);
    free(taken);
}

bool change_keeps_note(const struct source *source, struct err *err)
{
    return source->format->fields & FIELD_NOTE ||
           err_set(err, ERR_REFUSED, "the layout %s keeps no note with an archived message",
                   source->format->title);
}
