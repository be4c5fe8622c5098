/* Changing the state of a message: read, edit, put in its place if nobody was quicker. */
#include "store/change.h"

#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <time.h>
#include <unistd.h>

enum { ROUNDS = 8, SUFFIX_MAX = 99, COPY_TRIES = 6 };

/* One message's file, opened for a change. */
struct target {
    const struct source *source;
    struct str path; /* of its directory, beneath the root */
    int dir;
    const char *name;
    struct str bytes, edited;
    struct file_id id;
};

static bool say_gone(const struct target *t, struct err *err)
{
    return err_set(err, ERR_MESSAGE,
                   "%s/%s: someone moved or removed it meanwhile; nothing was changed",
                   str_c(&t->path), t->name);
}

/* For what fails after files have changed. Always returns false. */
static bool say_unsure(const struct target *t, struct err *err)
{
    err_at(err, "the change was made, but may not be complete or not on disk");
    err_at(err, t->name);
    err_at(err, str_c(&t->path));
    err->scope = ERR_UNCONFIRMED;
    return false;
}

static void place_names_of(const struct message *message, struct place_names *names)
{
    *names = (struct place_names){.team = message->place->team, .box = message->place->box};
}

static bool open_dir(struct target *t, struct err *err)
{
    t->dir = source_dir(t->source, str_c(&t->path));
    if (t->dir < 0)
        return err_set(err, ERR_BOX, "%s: it cannot be opened: %s", str_c(&t->path),
                       strerror(errno));
    return true;
}

/* Reads the file as it is now and checks that the step is still legal. */
static bool read_target(struct target *t, const struct message *message, enum status status,
                        struct err *err)
{
    struct batch batch = {0};
    bool ok = false;
    enum file_result result = file_read(t->dir, t->name, FILE_SIZE_MAX, &t->bytes, &t->id, err);

    if (result == FILE_GONE)
        return say_gone(t, err);
    struct mail_file file = {
        .place = message->place, .name = message->file, .bytes = str_span(&t->bytes)};
    if (result != FILE_OK || !t->source->format->parse(&file, WANT_DATA, &batch, err)) {
        err_at(err, t->name);
        err->scope = ERR_REFUSED;
        goto out;
    }
    const struct message *now = &batch.items[0];
    if (now->damaged)
        err_set(err, ERR_REFUSED, "%s/%s: it is damaged and is left alone: %s", str_c(&t->path),
                t->name, now->damaged);
    else if (!span_eq(now->id, message->id))
        say_gone(t, err);
    else if (now->status == STATUS_ARCHIVED && status == STATUS_ARCHIVED)
        ok = true; /* says so, but still lies in the inbox: finish what someone began */
    else if (now->status == status)
        err_set(err, ERR_REFUSED, "%.*s is %s already", (int)now->id.len, now->id.at,
                status_name(status));
    else if (!status_may_become(now->status, status))
        err_set(err, ERR_REFUSED, "%.*s is %s and cannot become %s", (int)now->id.len, now->id.at,
                status_name(now->status), status_name(status));
    else
        ok = true;
out:
    batch_free(&batch);
    return ok;
}

static bool edit_target(struct target *t, enum status status, struct err *err)
{
    struct change change = {.status = status, .now_us = when_now()};

    str_clear(&t->edited);
    return t->source->format->edit(str_span(&t->bytes), &change, &t->edited, err) ||
           err_at(err, t->name);
}

static bool change_in_place(struct target *t, const struct message *message, enum status status,
                            struct err *err)
{
    for (int round = 0; round < ROUNDS; round++) {
        struct staged_file staged;
        if (!read_target(t, message, status, err) || !edit_target(t, status, err))
            return false;
        if (!file_stage(&staged, t->dir, t->name, str_span(&t->edited), t->id.mode & 07777, err))
            return err_at(err, str_c(&t->path));
        switch (file_publish_over(&staged, &t->id, err)) {
        case FILE_OK:
            return file_sync_dir(t->dir, err) || say_unsure(t, err);
        case FILE_GONE:
            return say_gone(t, err);
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

/* A file in the archive that may be this message: archived before, and written to the inbox again
 * by an agent that was still running. */
struct found_copy {
    bool same;     /* nothing but the state differs */
    bool archived; /* and it says that it is archived */
    struct file_id id;
};

static void compare_copy(struct target *t, int archive, const char *name, struct found_copy *found)
{
    const struct format *format = t->source->format;
    const struct timespec pause = {.tv_nsec = 50000000};
    struct str bytes = {0}, theirs = {0}, ours = {0};
    struct place nowhere = {0};
    struct batch batch = {0};
    struct err ignored;

    *found = (struct found_copy){0};
    for (int tries = 0; !batch.count;
         tries++) { /* it may be half written: its owner archives too */
        if (tries == COPY_TRIES ||
            file_read(archive, name, FILE_SIZE_MAX, &bytes, &found->id, &ignored) != FILE_OK)
            goto out;
        struct mail_file file = {&nowhere, span_of(t->name), str_span(&bytes), 0};
        if (!format->parse(&file, WANT_HEAD, &batch, &ignored))
            nanosleep(&pause, NULL);
    }
    found->same = format->blank_state(str_span(&bytes), &theirs, &ignored) &&
                  format->blank_state(str_span(&t->bytes), &ours, &ignored) &&
                  span_eq(str_span(&ours), str_span(&theirs));
    found->archived = batch.items[0].status == STATUS_ARCHIVED;
out:
    batch_free(&batch);
    str_free(&bytes);
    str_free(&theirs);
    str_free(&ours);
}

/* The copy that this change wrote to the archive. */
struct copy {
    struct str name; /* empty: none yet, or one was there already */
    struct file_id id;
};

/* Remembers a copy that was just published, so that it can be renewed. */
static void remember_copy(struct copy *copy, int archive, const struct staged_file *staged)
{
    struct err ignored;

    str_clear(&copy->name);
    if (file_look(archive, staged->name, &copy->id, &ignored) == FILE_OK &&
        copy->id.ino == staged->ino && copy->id.dev == staged->dev)
        str_puts(&copy->name, staged->name);
}

/* The inbox file changed after our copy was written: the copy follows. FILE_CHANGED or FILE_GONE
 * when it is no longer ours, because somebody else has archived the message too. */
static enum file_result renew_copy(struct target *t, int archive, struct copy *copy,
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

/* The message is in the archive already: sees to it that the copy says so and is on disk. */
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

/* Writes a new copy under its own name or, should another message have it, with a number. */
static enum file_result new_copy(struct target *t, int archive, struct copy *copy, struct err *err)
{
    struct str name = {0};
    struct span stem = span_of(t->name);
    enum file_result result = FILE_FAILED;

    if (span_ends(stem, ".json"))
        stem.len -= 5;
    str_puts(&name, t->name);
    for (int suffix = 2; suffix <= SUFFIX_MAX; suffix++) {
        struct staged_file staged;
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
        str_clear(&name);
        str_addf(&name, "%.*s-%d.json", (int)stem.len, stem.at, suffix);
    }
    str_free(&name);
    return result;
}

static bool write_copy(struct target *t, int archive, struct copy *copy, struct err *err)
{
    enum file_result result = FILE_GONE;

    if (copy->name.len)
        result = renew_copy(t, archive, copy, err);
    for (int round = 0; round < ROUNDS && (result == FILE_GONE || result == FILE_CHANGED); round++)
        result = new_copy(t, archive, copy, err);
    if (result == FILE_GONE || result == FILE_CHANGED)
        err_set(err, ERR_MESSAGE, "%s: others keep changing it in the archive; try again", t->name);
    return result == FILE_OK && (file_sync_dir(archive, err) || say_unsure(t, err));
}

/* Copies, then removes; again from what is there when somebody changed it in between. */
static bool copy_and_remove(struct target *t, const struct message *message, int archive,
                            struct err *err)
{
    struct copy copy = {0};
    bool ok = false;

    for (int round = 0; round < ROUNDS; round++) {
        if (!read_target(t, message, STATUS_ARCHIVED, err) ||
            !edit_target(t, STATUS_ARCHIVED, err) || !write_copy(t, archive, &copy, err)) {
            if (round) /* a copy was written before */
                say_unsure(t, err);
            break;
        }
        enum file_result result = file_remove(t->dir, t->name, &t->id, err);
        ok = result == FILE_OK && file_sync_dir(t->dir, err);
        if (!ok && (result == FILE_OK || result == FILE_FAILED))
            say_unsure(t, err);
        if (result == FILE_GONE) /* someone archived it too: it is where it should be */
            ok = true;
        if (result != FILE_CHANGED)
            break;
        err_set(err, ERR_MESSAGE, "%s/%s: others keep changing it; try again", str_c(&t->path),
                t->name);
    }
    str_free(&copy.name);
    return ok;
}

static bool move_to_archive(struct target *t, const struct message *message, struct err *err)
{
    struct place_names names;
    struct str path = {0};
    bool ok = false;

    place_names_of(message, &names);
    format_dir(&path, t->source->format, true, &names);
    if (faccessat(t->dir, ".", W_OK | X_OK, AT_EACCESS) < 0) { /* before anything is copied */
        err_set(err, ERR_BOX, "%s: nothing can be removed from it: %s", str_c(&t->path),
                strerror(errno));
    } else if (file_make_dirs(t->source->root, str_c(&path), t->source->format->dir_mode, err)) {
        int archive = source_dir(t->source, str_c(&path));
        if (archive < 0) {
            err_set(err, ERR_BOX, "%s: it cannot be opened: %s", str_c(&path), strerror(errno));
        } else {
            ok = copy_and_remove(t, message, archive, err);
            close(archive);
        }
    }
    str_free(&path);
    return ok;
}

bool change_status(const struct source *source, const struct message *message, enum status status,
                   struct log *log, struct err *err)
{
    struct target t = {.source = source, .dir = -1, .name = message->file.at};
    const struct capability *can = &source->format->verbs[verb_for_status(status)];
    struct place_names names;
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
        place_names_of(message, &names);
        format_dir(&t.path, source->format, false, &names);
    } else {
        str_add_span(&t.path, message->place->dir);
    }
    if (open_dir(&t, err) && file_lock_names(t.dir, err))
        ok = status == STATUS_ARCHIVED ? move_to_archive(&t, message, err)
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
