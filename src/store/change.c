/* Changing the state of a message: read, edit, put in its place if nobody was quicker. */
#include "store/change.h"

#include "store/target.h"

#include <unistd.h>

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

bool change_status(const struct source *source, const struct message *message, enum status status,
                   struct log *log, struct err *err)
{
    struct target t = {.source = source, .dir = -1, .name = message->file.at};
    const struct capability *can = &source->format->verbs[verb_for_status(status)];
    bool ok = false;

    if (can->ability == ABILITY_NONE)
        return err_set(err, ERR_REFUSED, "the layout %s has no way to mark a message as %s",
                       source->format->title, status_name(status));
    if (message->damaged)
        return err_set(err, ERR_REFUSED, "%s/%s: it is damaged and is left alone: %s",
                       message->place->dir.at, message->file.at, message->damaged);
    bool again = status == STATUS_ARCHIVED && message->flags & MESSAGE_IN_BOTH;
    if (message->place->archived && !again)
        return err_set(err, ERR_REFUSED, "%.*s is in the archive, where nothing is changed",
                       (int)message->id.len, message->id.at);
    if (message->place->archived) { /* archive it again: the file in the inbox is meant */
        struct place_names names = {.team = message->place->team, .box = message->place->box};
        format_dir(&t.path, source->format, false, &names);
    } else {
        str_add_span(&t.path, message->place->dir);
    }
    if (target_open(&t, err) && file_lock_names(t.dir, err))
        ok = status == STATUS_ARCHIVED ? target_archive(&t, message, err)
                                       : change_in_place(&t, message, status, err);
    if (t.dir >= 0)
        close(t.dir);
    if (ok)
        log_add(log, "%s is now %s", message->file.at, status_name(status));
    str_free(&t.path);
    str_free(&t.bytes);
    str_free(&t.edited);
    return ok;
}
