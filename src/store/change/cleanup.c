/* Cleaning up: choose by the layout's rule, then remove or archive. */
#include "store/change/cleanup.h"

#include "base/file/file.h"
#include "mail/message/model.h"
#include "store/scan/load.h"

#include <errno.h>
#include <unistd.h>

struct sweep {
    const struct changing *how;
    const struct cleaning *cleaning;
    int64_t now_us;
    struct model model;
};

static void take(void *context, struct batch *batch)
{
    model_add(context, batch);
}

/* False when it is not there any more, or with an error when that cannot be told. */
static bool look_at(const struct sweep *sweep, const struct message *message, struct file_id *id,
                    struct err *err)
{
    const char *path = message->place->dir.at;
    int dir = source_dir(sweep->how->source, path);

    enum file_result result =
        dir < 0 ? source_dir_failed(errno, err) : file_look(dir, message->file.at, id, err);
    if (result == FILE_FAILED)
        err_at(err, path);
    else
        *err = (struct err){0};
    if (dir >= 0)
        close(dir);
    return result == FILE_OK;
}

/* Whether the layout's rule, or the age that was asked for instead, lets it go; false with an error
 * when that cannot be told. */
static bool is_swept(const struct sweep *sweep, const struct message *message, struct err *err)
{
    const struct source *source = sweep->how->source;
    int64_t older_us = sweep->cleaning->older_us;
    bool own_age = older_us == WHEN_NONE;
    struct file_id id = {0};

    bool by_age = source->format->cleaning == CLEAN_ARCHIVE; /* whatever is in it */

    if (format_decided_by(source->format, message))
        return false;
    if ((message->damaged && (!by_age || message->unread_bytes)) || message->place->local)
        return false;
    switch (source->format->cleaning) {
    case CLEAN_NOTHING:
        return false;
    case CLEAN_READ:
        return message->status == STATUS_READ && source->format->cleans(message->file) &&
               !(message->flags & MESSAGE_ODD_TYPE) && message->created_us != WHEN_NONE &&
               sweep->now_us - message->created_us > (own_age ? source->lasts_us : older_us);
    case CLEAN_ARCHIVE:
        if (!message->place->archived || !look_at(sweep, message, &id, err))
            return false;
        return own_age ? sweep->now_us - id.mtime_ns / 1000 >= source->format->archive_lasts_us
                       : sweep->now_us - id.mtime_ns / 1000 > older_us;
    case CLEAN_DONE:
        return !message->place->archived &&
               (message->status == STATUS_COMPLETED || message_expired(message, sweep->now_us)) &&
               (own_age || sweep->now_us - message->created_us > older_us);
    }
    return false;
}

static bool remove_file(const struct sweep *sweep, const struct message *message, struct err *err)
{
    struct file_id id;
    int dir = source_open_dir(sweep->how->source, message->place->dir.at, err);
    bool ok = false;

    if (dir < 0)
        return false;
    if (file_lock_names(dir, err)) {
        enum file_result result = file_look(dir, message->file.at, &id, err);
        if (result == FILE_OK)
            result = file_remove(dir, message->file.at, &id, err);
        ok = result == FILE_GONE || (result == FILE_OK && file_sync_dir(dir, err));
        if (!ok && result == FILE_OK)
            err->scope = ERR_UNCONFIRMED;
        if (result == FILE_CHANGED)
            err_set(err, ERR_MESSAGE, "%s: someone changed it just now; it stays",
                    message->file.at);
    }
    close(dir);
    return ok;
}

static bool sweep_one(const struct sweep *sweep, struct message *message, struct err *err)
{
    struct changed outcome;

    if (sweep->how->source->format->cleaning != CLEAN_DONE)
        return remove_file(sweep, message, err);
    change_messages(sweep->how, &message, 1, STATUS_ARCHIVED, &outcome);
    *err = outcome.err;
    return outcome.ok;
}

/* The first failure is told; what may have been done in spite of one is never called undone. */
static void count_failure(struct cleaned *result, const struct err *err)
{
    bool unconfirmed =
        err->scope == ERR_UNCONFIRMED || (result->failed && result->err.scope == ERR_UNCONFIRMED);

    if (!result->failed++)
        result->err = *err;
    if (unconfirmed)
        result->err.scope = ERR_UNCONFIRMED;
}

static void sweep_message(const struct sweep *sweep, struct message *message,
                          struct cleaned *result)
{
    bool nothing = sweep->how->source->format->cleaning == CLEAN_NOTHING;
    struct err err = {0};

    if (message->unread_bytes && !nothing) { /* nobody can say whether it is to go */
        err_set(&err, ERR_MESSAGE, "it stays, because it cannot be read: %s", message->damaged);
        message_err_at(&err, message);
        count_failure(result, &err);
    } else if (!is_swept(sweep, message, &err)) {
        if (err.scope != ERR_NONE)
            count_failure(result, &err);
    } else if (sweep->cleaning->dry_run || sweep_one(sweep, message, &err)) {
        result->count++;
    } else {
        count_failure(result, &err);
    }
}

bool cleanup_source(const struct changing *how, const struct cleaning *cleaning,
                    struct cleaned *result, struct err *err)
{
    struct sweep sweep = {.how = how, .cleaning = cleaning, .now_us = when_now()};
    struct load all = {.inbox = true, .archive = true};
    bool ok = load_source(how->source, &all, take, &sweep.model, how->log, err);

    *result = (struct cleaned){0};
    /* What is archived must be seen where it lies, though it lies in the archive too: whoever put
     * it there may have been killed before the file of the inbox went. */
    if (how->source->format->cleaning != CLEAN_DONE)
        model_settle(&sweep.model);
    for (size_t i = 0; ok && i < sweep.model.count; i++)
        sweep_message(&sweep, sweep.model.messages[i], result);
    if (result->count && result->failed && !cleaning->dry_run)
        result->err.scope = ERR_UNCONFIRMED;
    model_free(&sweep.model);
    return ok;
}
