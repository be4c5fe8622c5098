/* Cleaning up by the layout's rule, and emptying the inbox of an orphaned team: a copy of every
 * entry is kept first, and what arrives meanwhile stays. */
#include "store/change/cleanup.h"

#include "base/file/file.h"
#include "mail/message/model.h"
#include "store/scan/load.h"
#include "store/scan/local_marks.h"
#include "store/send/json_inbox.h"
#include "store/source/address.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

/* Cleaning up: chooses messages by the layout's rule, then removes or archives them. */

struct sweep {
    const struct changing *how;
    const struct cleaning *cleaning;
    int64_t now_us;
    struct model model;
};

static void take_batch(void *context, struct batch *batch)
{
    model_add(context, batch);
}

/* Stats the file of the message. False when it is gone, or with an error when that is unknown. */
static bool stat_message(const struct sweep *sweep, const struct message *message,
                         struct file_id *id, struct err *err)
{
    const char *path = message->place->dir.at;
    int dir = source_dir(sweep->how->source, path);

    enum file_result result =
        dir < 0 ? source_dir_failed(errno, err) : file_stat(dir, message->file.at, id, err);
    if (result == FILE_FAILED)
        err_at(err, path);
    else
        *err = (struct err){0};
    if (dir >= 0)
        close(dir);
    return result == FILE_OK;
}

/* True if the layout's rule, or the age that was asked for instead, covers the message; false with
 * an error when that is unknown. */
static bool is_swept(const struct sweep *sweep, const struct message *message, struct err *err)
{
    const struct source *source = sweep->how->source;
    int64_t older_us = sweep->cleaning->older_us;
    bool own_age = older_us == TIME_NONE;
    struct file_id id = {0};

    bool by_age = source->format->cleaning == CLEANING_ARCHIVE; /* whatever the files contain */

    if (format_decided_by(source->format, message))
        return false;
    if ((message->damaged && (!by_age || message->unread_bytes)) || message->place->local)
        return false;
    switch (source->format->cleaning) {
    case CLEANING_NOTHING:
        return false;
    case CLEANING_READ:
        return message->status == STATUS_READ && source->format->cleans(message->file) &&
               !(message->flags & MESSAGE_ODD_TYPE) && message->created_us != TIME_NONE &&
               sweep->now_us - message->created_us > (own_age ? source->lasts_us : older_us);
    case CLEANING_ARCHIVE:
        if (!message->place->archived || !stat_message(sweep, message, &id, err))
            return false;
        return own_age ? sweep->now_us - id.mtime_ns / 1000 >= source->format->archive_lasts_us
                       : sweep->now_us - id.mtime_ns / 1000 > older_us;
    case CLEANING_DONE:
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
        enum file_result result = file_stat(dir, message->file.at, &id, err);
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

    if (sweep->how->source->format->cleaning != CLEANING_DONE)
        return remove_file(sweep, message, err);
    change_messages(sweep->how, &message, 1, STATUS_ARCHIVED, &outcome);
    *err = outcome.err;
    return outcome.ok;
}

/* Reports the first failure. ERR_UNCONFIRMED of any failure wins, so that a change that may have
 * been made is never reported as not made. */
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
    bool nothing = sweep->how->source->format->cleaning == CLEANING_NOTHING;
    struct err err = {0};

    if (message->unread_bytes && !nothing) { /* unknown if the rule covers it */
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
    struct sweep sweep = {.how = how, .cleaning = cleaning, .now_us = time_now()};
    struct load all = {.inbox = true, .archive = true};
    bool ok = load_source(how->source, &all, take_batch, &sweep.model, how->log, err);

    *result = (struct cleaned){0};
    /* CLEANING_DONE must see a message in the inbox even when the archive has it too: the program
     * that archived it may have been killed before it removed the file in the inbox. */
    if (how->source->format->cleaning != CLEANING_DONE)
        model_settle(&sweep.model);
    for (size_t i = 0; ok && i < sweep.model.count; i++)
        sweep_message(&sweep, sweep.model.messages[i], result);
    if (result->count && result->failed && !cleaning->dry_run)
        result->err.scope = ERR_UNCONFIRMED;
    model_free(&sweep.model);
    return ok;
}

enum { ROUNDS = 8 };

/* An inbox that is to be emptied. */
struct clearing {
    const struct changing *how;
    const struct address *box;
    struct str path, name, bytes;
    struct file_id id;
    int dir;
    size_t kept; /* copies made so far */
};

static void clearing_free(struct clearing *clearing)
{
    if (clearing->dir >= 0)
        close(clearing->dir);
    str_free(&clearing->path);
    str_free(&clearing->name);
    str_free(&clearing->bytes);
}

/* True if the team has no roster file any more, readable or not. */
static bool is_orphaned(const struct source *source, struct span team, struct err *err)
{
    const char *pattern = source->format->roster_pattern;
    struct place_names names = {.team = team};
    CLEANUP(str_free) struct str path = {0};

    place_dir(&path, pattern, &names);
    str_puts(&path, strrchr(pattern, '/'));
    int fd = file_open_beneath(source->root, str_c(&path), O_PATH);
    bool orphaned = fd < 0 && errno == ENOENT, unknown = fd < 0 && !orphaned && errno != ELOOP;
    if (unknown)
        err_set(err, ERR_SOURCE, "%s: nobody can say whether the team has a roster: %s",
                str_c(&path), strerror(errno));
    else if (!orphaned)
        err_set(err, ERR_REFUSED,
                "the team \"%.*s\" still has a roster: its program may be running, and only the "
                "inboxes of orphaned teams are cleared",
                (int)team.len, team.at);
    if (fd >= 0)
        close(fd);
    return orphaned;
}

static bool open_box(struct clearing *clearing, struct err *err)
{
    const struct format *format = clearing->how->source->format;

    format_dir(&clearing->path, format, false, clearing->box->team, clearing->box->box);
    place_file(&clearing->name, format->rules[0].pattern, clearing->box->box);
    clearing->dir = source_open_dir(clearing->how->source, str_c(&clearing->path), err);
    return clearing->dir >= 0;
}

static bool keep_part(const struct clearing *clearing, const struct message *message,
                      struct err *err)
{
    const struct changing *how = clearing->how;
    struct state_key key = local_marks_key(how->source, message);
    struct span part = message_raw(message, str_span(&clearing->bytes));

    return state_keep_copy(how->state, &key, span_of(how->source->identity), message->file, part,
                           (struct span){0}, time_now(), NULL, err);
}

/* Reads the inbox and keeps a copy of every entry, or only counts them. */
static bool keep_all(struct clearing *clearing, bool count_only, size_t *count, struct err *err)
{
    const struct source *source = clearing->how->source;
    struct place place = {.source = source->index,
                          .root = source->path,
                          .team = clearing->box->team,
                          .box = clearing->box->box,
                          .dir = str_span(&clearing->path)};
    CLEANUP(batch_free) struct batch batch = {0};
    enum file_result read = file_read(clearing->dir, str_c(&clearing->name), FILE_SIZE_MAX,
                                      &clearing->bytes, &clearing->id, err);
    struct mail_file file = {.place = &place,
                             .name = str_span(&clearing->name),
                             .bytes = str_span(&clearing->bytes),
                             .mtime_us = clearing->id.mtime_ns / 1000};

    if (read == FILE_GONE)
        err_set(err, ERR_ABSENT, "%s: it is gone; its owner removed it just now",
                str_c(&clearing->name));
    bool ok = (read == FILE_OK || err_at(err, str_c(&clearing->path))) &&
              source->format->parse(&file, WANT_HEAD | WANT_SALVAGE, &batch, err);
    for (size_t i = 0; ok && !count_only && i < batch.count; i++) {
        ok = keep_part(clearing, &batch.items[i], err);
        clearing->kept += ok;
    }
    *count = batch.count;
    return ok;
}

/* Reports copies that were kept although the inbox was not emptied: these messages count as
 * archived here. */
static bool say_half_done(const struct clearing *clearing, struct err *err)
{
    char why[sizeof err->text];

    if (!clearing->kept || err->scope == ERR_UNCONFIRMED)
        return false;
    snprintf(why, sizeof why, "%s", err->text);
    return err_set(err, ERR_UNCONFIRMED,
                   "%.400s; the inbox was not emptied, but copies of %zu of its messages were kept "
                   "and count as archived here: clear it again",
                   why, clearing->kept);
}

/* Copies and clears; starts again from the current file when somebody wrote in between. */
static bool clear_entries(struct clearing *clearing, struct cleaned *result, struct err *err)
{
    struct json_inbox array = {.source = clearing->how->source,
                               .dir = clearing->dir,
                               .path = str_c(&clearing->path),
                               .name = str_c(&clearing->name),
                               .log = clearing->how->log};
    enum file_result done = FILE_CHANGED;

    for (int round = 0; done == FILE_CHANGED && round < ROUNDS; round++) {
        if (!keep_all(clearing, false, &result->count, err))
            return say_half_done(clearing, err);
        done = json_inbox_clear(&array, &clearing->id, err);
    }
    if (done == FILE_CHANGED || done == FILE_GONE)
        err_set(err, ERR_BOX, "%s/%s: others keep changing it; nothing was cleared", array.path,
                array.name);
    return done == FILE_OK || say_half_done(clearing, err);
}

bool cleanup_clear(const struct changing *how, struct span address, bool dry_run,
                   struct cleaned *result, struct err *err)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct address box;
    CLEANUP(clearing_free) struct clearing clearing = {.how = how, .box = &box, .dir = -1};

    *result = (struct cleaned){0};
    if (!address_read(how->source, address, &box, &arena, err))
        return false;
    if (how->source->format->storage != STORAGE_ARRAY)
        return err_set(err, ERR_REFUSED, "the layout %s has no inbox that could be cleared",
                       how->source->format->title);
    if (!box.has_box)
        return err_set(err, ERR_ABSENT, "there is no inbox of \"%.*s\"", (int)address.len,
                       address.at);
    if (!changing_has_state(how, err) || !is_orphaned(how->source, box.team, err) ||
        !open_box(&clearing, err))
        return false;
    return dry_run ? keep_all(&clearing, true, &result->count, err)
                   : clear_entries(&clearing, result, err);
}
