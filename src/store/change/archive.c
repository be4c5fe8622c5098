/* Archiving: a copy first, then the inbox file goes; nothing of anybody's is lost on the way. */
#include "base/when.h"
#include "store/change/target.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

enum { SUFFIX_MAX = 99, COPY_TRIES = 6, COPY_PAUSE_US = 50000 };

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
    struct str bytes = {0}, theirs = {0}, ours = {0};
    struct batch batch = {0};
    struct err ignored;

    *found = (struct found_copy){0};
    for (int tries = 0; !batch.count;
         tries++) { /* it may be half written: its owner archives too */
        if (tries == COPY_TRIES ||
            file_read(archive, name, FILE_SIZE_MAX, &bytes, &found->id, &ignored) != FILE_OK)
            goto out;
        if (!format_parse_bytes(format, span_of(t->name), str_span(&bytes), WANT_HEAD, &batch,
                                &ignored))
            when_sleep(COPY_PAUSE_US);
    }
    found->same = format_blank_state(format, str_span(&bytes), &theirs, &ignored) &&
                  format_blank_state(format, str_span(&t->bytes), &ours, &ignored) &&
                  span_eq(str_span(&ours), str_span(&theirs));
    found->archived = batch.items[0].status == STATUS_ARCHIVED;
out:
    batch_free(&batch);
    str_free(&bytes);
    str_free(&theirs);
    str_free(&ours);
}

/* The copy that this change wrote to the archive. */
struct archive_copy {
    struct str name; /* empty: none yet, or one was there already */
    struct file_id id;
};

/* Remembers a copy that was just published, so that it can be renewed. */
static void remember_copy(struct archive_copy *copy, int archive, const struct staged_file *staged)
{
    struct err ignored;

    str_clear(&copy->name);
    if (file_look(archive, staged->name, &copy->id, &ignored) == FILE_OK &&
        copy->id.ino == staged->ino && copy->id.dev == staged->dev)
        str_puts(&copy->name, staged->name);
}

/* The inbox file changed after our copy was written: the copy follows. FILE_CHANGED or FILE_GONE
 * when it is no longer ours, because somebody else has archived the message too. */
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
static enum file_result new_copy(struct target *t, int archive, struct archive_copy *copy,
                                 struct err *err)
{
    struct str name = {0};
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
    str_free(&name);
    return result;
}

static bool write_copy(struct target *t, int archive, struct archive_copy *copy, struct err *err)
{
    enum file_result result = FILE_GONE;

    if (copy->name.len)
        result = renew_copy(t, archive, copy, err);
    for (int round = 0; round < TARGET_ROUNDS && (result == FILE_GONE || result == FILE_CHANGED);
         round++)
        result = new_copy(t, archive, copy, err);
    if (result == FILE_GONE || result == FILE_CHANGED)
        err_set(err, ERR_MESSAGE, "%s: others keep changing it in the archive; try again", t->name);
    return result == FILE_OK && (file_sync_dir(archive, err) || target_say_unsure(t, err));
}

/* Copies, then removes; again from what is there when somebody changed it in between. */
static bool copy_and_remove(struct target *t, const struct message *message, int archive,
                            struct err *err)
{
    struct archive_copy copy = {0};
    bool ok = false;

    for (int round = 0; round < TARGET_ROUNDS; round++) {
        if (!target_read(t, message, STATUS_ARCHIVED, err) ||
            !target_edit(t, STATUS_ARCHIVED, err) || !write_copy(t, archive, &copy, err)) {
            if (round) /* a copy was written before */
                target_say_unsure(t, err);
            break;
        }
        enum file_result result = file_remove(t->dir, t->name, &t->id, err);
        ok = result == FILE_OK && file_sync_dir(t->dir, err);
        if (result == FILE_FAILED)
            err_at(err, "it is in the archive, and may still be in the inbox, until it is archived "
                        "again");
        if (!ok && (result == FILE_OK || result == FILE_FAILED))
            target_say_unsure(t, err);
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

bool target_archive(struct target *t, const struct message *message, struct err *err)
{
    struct str path = {0};
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
    str_free(&path);
    return ok;
}
