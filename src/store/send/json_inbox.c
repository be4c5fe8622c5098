/* Arrays: prepare, lock, check, rename, unlock, sync. */
#include "store/send/json_inbox.h"

#include "base/file/file.h"
#include "base/time.h"
#include "store/send/inbox_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* OPTIMISTIC_ROUNDS: how often the array is prepared without the lock before it is changed under
 * it. */
enum { OPTIMISTIC_ROUNDS = 3, ROUNDS = 12, SUFFIX_MAX = 99 };

/* How long to wait for a file that never settles. */
#define TORN_US INT64_C(6000000)

struct edit_job {
    const struct json_inbox *array;
    struct span entry, uuid;     /* to add, or absent */
    const struct span_list *ids; /* to mark, or NULL */
    struct str bytes, edited;
    struct file_id id;
    struct appended result;
    bool lock_lost; /* it was no longer ours after the rename, or that is unknown */
    int lock_errno; /* why it is unknown, or 0 */
    bool torn;      /* under the lock the array, or what a hook checks, was half written */
};

static bool apply_edit(struct edit_job *job, struct err *err)
{
    const struct format *format = job->array->source->format;
    struct change change = {.status = STATUS_READ, .now_us = time_now(), .ids = job->ids};
    struct span bytes = str_span(&job->bytes);

    str_clear(&job->edited);
    job->result = (struct appended){0};
    if (job->ids)
        return format->edit(bytes, &change, &job->edited, err);
    return format->append(bytes, job->entry, job->uuid, &job->edited, &job->result, err);
}

static bool say_gone(const struct json_inbox *array, struct err *err)
{
    return err_set(err, ERR_BOX, "%s/%s: the inbox is gone; nothing was changed", array->path,
                   array->name);
}

static bool read_now(struct edit_job *job, struct err *err)
{
    const struct json_inbox *array = job->array;
    enum file_result result =
        file_read(array->dir, array->name, FILE_SIZE_MAX, &job->bytes, &job->id, err);

    if (result == FILE_GONE)
        return say_gone(array, err);
    return result == FILE_OK || err_at(err, array->path);
}

/* True if the file is half written or empty: a write may still be going on. */
static bool looks_torn(const struct edit_job *job, bool applied)
{
    return !applied || job->result.found == BOX_DAMAGED || !job->bytes.len;
}

/* Reads and edits. A file that looks torn is waited for until nobody has touched it for two
 * seconds. */
static bool prepare_edit(struct edit_job *job, struct err *err)
{
    int64_t patience_us = job->array->wait_ms ? job->array->wait_ms * 1000 : TORN_US;
    int64_t end_us = time_steady() + patience_us;

    for (size_t style = 0;; style++) {
        if (!read_now(job, err))
            return false;
        bool ok = apply_edit(job, err);
        if (!looks_torn(job, ok) || file_is_settled(job->id.mtime_ns / 1000))
            return ok || err_at(err, job->array->name);
        if (time_steady() > end_us)
            return err_set(err, ERR_BOX,
                           "%s/%s: it is half written and somebody keeps touching it; try again",
                           job->array->path, job->array->name);
        time_sleep(file_pause_us(style));
    }
}

/* Stages a copy of a damaged array: its bytes are never discarded, but kept next to it under a name
 * that nobody reads. It is staged before the lock is taken, and named under the lock. */
static bool stage_damaged(const struct edit_job *job, struct staged_file *kept, struct err *err)
{
    const struct json_inbox *array = job->array;
    CLEANUP(str_free) struct str name = {0};

    str_addf(&name, "%s.damaged-%lld", array->name, (long long)(time_now() / 1000000));
    return file_stage(kept, array->dir, str_c(&name), str_span(&job->bytes), job->id.mode & 07777,
                      err);
}

/* Names the copy of a damaged array. If another copy of the same second has the name, appends a
 * number: that copy holds what was there before this one. */
static bool keep_damaged(const struct edit_job *job, struct staged_file *kept, struct err *err)
{
    enum file_result result = file_publish_new(kept, err);

    for (int number = 2; result == FILE_EXISTS && number < SUFFIX_MAX; number++) {
        char *dash = strrchr(kept->name, '-');
        if (number > 2)
            *dash = '\0';
        size_t len = strlen(kept->name);
        snprintf(kept->name + len, sizeof kept->name - len, "-%d", number);
        result = file_publish_new(kept, err);
    }
    if (result == FILE_EXISTS)
        err_set(err, ERR_BOX,
                "%s/%s: it is damaged, and its bytes cannot be kept beside it: %s and all names "
                "before it are taken",
                job->array->path, job->array->name, kept->name);
    if (result == FILE_OK)
        log_add(job->array->log, "damaged: %s/%s is kept as %s", job->array->path, job->array->name,
                kept->name);
    return result == FILE_OK;
}

static enum file_result swap_inbox(struct edit_job *job, struct staged_file *staged,
                                   const struct lock *lock, struct err *err)
{
    enum send_answer answer = send_hooks_confirm(job->array->hooks, str_span(&job->bytes), err);
    if (answer != SEND_YES) {
        file_discard(staged);
        job->torn = answer == SEND_AGAIN;
        return job->torn ? FILE_CHANGED : FILE_FAILED;
    }
    if (!lock_still_ours(lock)) {
        file_discard(staged);
        return FILE_CHANGED;
    }
    enum file_result result = file_publish_locked(staged, &job->id, err);
    if (result == FILE_FAILED)
        err_at(err, job->array->path);
    errno = 0;
    job->lock_lost = result == FILE_OK && !lock_still_ours(lock);
    job->lock_errno = job->lock_lost && errno != ENOENT ? errno : 0;
    if (job->lock_lost)
        log_add(job->array->log, "%s/%s: the lock was taken from us", job->array->path,
                job->array->name);
    return job->lock_lost && job->ids ? FILE_CHANGED : result; /* setting flags twice is harmless */
}

static bool sync_names(const struct json_inbox *array, struct err *err)
{
    if (file_sync_dir(array->dir, err))
        return true;
    err_at(err, "it was written, but may not be on disk");
    err_at(err, array->path);
    err->scope = ERR_UNCONFIRMED;
    return false;
}

static void report_waiting(const void *context)
{
    const struct json_inbox *array = context;
    const struct source *source = array->source;
    CLEANUP(str_free) struct str sentence = {0};

    str_addf(&sentence, "waiting for %s/%s: another program has locked it", array->path,
             array->name);
    if (source->tell)
        source->tell(source->report_context, str_c(&sentence));
}

static bool take_lock(struct lock *lock, const struct json_inbox *array, struct err *err)
{
    struct lock_options options = {
        .wait_ms = array->wait_ms, .waiting = report_waiting, .context = array};

    return lock_take(lock, array->dir, array->name, &options, err) || err_beneath(err, array->path);
}

/* Holds the old file open, so that the kernel frees it only after the lock is released: freeing a
 * large file takes time, for which others would have to wait. */
static int hold_old(const struct json_inbox *array)
{
    return retry_open(array->dir, array->name, O_PATH | O_NOFOLLOW | O_CLOEXEC, 0);
}

static void close_old(int old)
{
    if (old >= 0)
        close(old);
}

static enum file_result swap_locked(struct edit_job *job, struct staged_file *staged,
                                    struct staged_file *kept, struct err *err)
{
    const struct json_inbox *array = job->array;
    enum file_result result = FILE_FAILED;
    struct file_id now;
    struct lock lock;
    int old = hold_old(array);

    if (!take_lock(&lock, array, err)) {
        file_discard(staged);
        close_old(old);
        return FILE_FAILED;
    }
    if (!kept)
        result = swap_inbox(job, staged, &lock, err);
    else if (file_stat(array->dir, array->name, &now, err) == FILE_OK &&
             file_is_same(&now, &job->id))
        result = keep_damaged(job, kept, err) ? swap_inbox(job, staged, &lock, err) : FILE_FAILED;
    else
        result = FILE_CHANGED; /* the other writer has finished */
    lock_release(&lock);
    close_old(old);
    return result;
}

static bool is_unchanged(const struct edit_job *job)
{
    return span_eq(str_span(&job->bytes), str_span(&job->edited));
}

/* Changes the array under the lock, when others change it too often: reads and edits while they
 * must wait, and syncs after the release. */
static enum file_result change_locked(struct edit_job *job, struct err *err)
{
    const struct json_inbox *array = job->array;
    struct staged_file staged;
    struct lock lock;
    enum file_result result = FILE_FAILED;

    if (!take_lock(&lock, array, err))
        return FILE_FAILED;
    int old = hold_old(array);
    bool ok = read_now(job, err);
    job->torn = ok && looks_torn(job, apply_edit(job, err));
    if (job->torn)
        result = FILE_CHANGED; /* read it again without the lock */
    else if (ok && is_unchanged(job))
        result = FILE_OK;
    else if (ok && file_stage_quickly(&staged, array->dir, array->name, str_span(&job->edited),
                                      job->id.mode & 07777, err))
        result = swap_inbox(job, &staged, &lock, err);
    lock_release(&lock);
    close_old(old);
    if (result == FILE_OK && !file_sync(array->dir, array->name, err)) {
        err->scope = ERR_UNCONFIRMED;
        return FILE_FAILED;
    }
    return result;
}

/* Changes the array with everything prepared before the lock is taken. */
static enum file_result change_prepared(struct edit_job *job, struct err *err)
{
    const struct json_inbox *array = job->array;
    struct staged_file staged, kept;

    if (!prepare_edit(job, err))
        return FILE_FAILED;
    send_hooks_inspect(array->hooks, str_span(&job->bytes));
    if (is_unchanged(job))
        return change_locked(job, err); /* others may be about to write what is to be changed */
    bool damaged = job->result.found == BOX_DAMAGED;
    if (damaged && !stage_damaged(job, &kept, err))
        return FILE_FAILED;
    enum file_result result = FILE_FAILED;
    if (file_stage(&staged, array->dir, array->name, str_span(&job->edited), job->id.mode & 07777,
                   err)) {
        result = swap_locked(job, &staged, damaged ? &kept : NULL, err);
        file_discard(&staged);
    } else {
        err_at(err, array->path);
    }
    if (damaged)
        file_discard(&kept);
    return result;
}

static bool change_inbox(struct edit_job *job, struct err *err)
{
    const struct json_inbox *array = job->array;
    enum file_result result = FILE_CHANGED;

    for (int round = 0; result == FILE_CHANGED && round < ROUNDS; round++)
        result = round < OPTIMISTIC_ROUNDS || job->torn ? change_prepared(job, err)
                                                        : change_locked(job, err);
    if (result == FILE_GONE)
        say_gone(array, err);
    else if (result == FILE_CHANGED)
        err_set(err, ERR_BOX, "%s/%s: others keep changing it; try again", array->path,
                array->name);
    bool ok = result == FILE_OK && sync_names(array, err);
    log_add(array->log, "%s/%s: %s, longest lock so far %lld us", array->path, array->name,
            ok ? "swapped" : err->text, (long long)lock_longest_hold_us());
    str_free(&job->bytes);
    return ok;
}

bool json_inbox_append(const struct json_inbox *array, struct span entry, struct span uuid,
                       struct appended *result, struct err *err)
{
    struct edit_job job = {.array = array, .entry = entry, .uuid = uuid};
    bool ok = (file_create(array->dir, array->name, span_of("[]"), array->source->format->file_mode,
                           err) ||
               err_at(err, array->path)) &&
              change_inbox(&job, err);

    *result = job.result;
    result->lock_lost = job.lock_lost;
    str_free(&job.edited);
    return ok;
}

bool json_inbox_mark_read(const struct json_inbox *array, const struct span_list *ids,
                          struct str *left, struct err *err)
{
    struct edit_job job = {.array = array, .ids = ids};
    bool ok = change_inbox(&job, err);

    str_free(left);
    *left = job.edited;
    return ok;
}

enum file_result json_inbox_clear(const struct json_inbox *array, const struct file_id *read,
                                  struct err *err)
{
    struct edit_job job = {.array = array, .id = *read};
    struct staged_file staged;

    if (!file_stage(&staged, array->dir, array->name, span_of("[]"), read->mode & 07777, err)) {
        err_at(err, array->path);
        return FILE_FAILED;
    }
    enum file_result result = swap_locked(&job, &staged, NULL, err);
    file_discard(&staged);
    if (result == FILE_OK && job.lock_lost) {
        err_set(err, ERR_UNCONFIRMED,
                "%s/%s: it was cleared, but another program %s and may have overwritten that%s%s; "
                "look at it, and clear it again",
                array->path, array->name,
                job.lock_errno ? "may have taken its lock meanwhile" : "took its lock meanwhile",
                job.lock_errno ? ": the lock cannot be read: " : "",
                job.lock_errno ? strerror(job.lock_errno) : "");
        return FILE_FAILED;
    }
    return result == FILE_OK && !sync_names(array, err) ? FILE_FAILED : result;
}
