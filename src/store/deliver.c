/* Delivery: prepare and sync every file, give all their names, sync the directories. */
#include "store/deliver.h"

#include "base/file.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Directories held open at once: far below any limit on open files. */
enum { ROUND = 128, ID_TRIES = 8 };

struct parcel {
    int dir;
    struct str path; /* of the directory, beneath the root */
    struct str name, bytes;
    struct staged_file staged;
    bool is_staged;
};

void letter_free(struct letter *letter)
{
    draft_free(&letter->draft);
    str_free(&letter->id);
    str_free(&letter->warning);
}

static bool stage(const struct source *source, struct letter *letter, struct parcel *parcel,
                  struct err *err)
{
    const struct format *format = source->format;
    struct draft *draft = &letter->draft;
    struct str box = {0};

    if (!draft->id.at) {
        str_clear(&letter->id);
        format->new_id(&letter->id, draft);
    } else if (!letter->id.len) {
        str_add_span(&letter->id, draft->id);
    }
    struct draft filled = *draft;
    filled.id = str_span(&letter->id);
    if (filled.created_us == WHEN_NONE)
        filled.created_us = when_now();

    bool ok = format->box_name(&box, draft->to, 0, err) &&
              format_compose(format, &filled, &parcel->name, &parcel->bytes, err);
    if (ok && parcel->dir < 0) {
        struct place_names names = {.team = draft->team, .box = str_span(&box)};
        format_dir(&parcel->path, format, false, &names);
        ok = file_make_dirs(source->root, str_c(&parcel->path), format->dir_mode, err);
        if (ok) {
            parcel->dir = source_dir(source, str_c(&parcel->path));
            ok = parcel->dir >= 0 || err_set(err, ERR_BOX, "%s: it cannot be opened: %s",
                                             str_c(&parcel->path), strerror(errno));
        }
    }
    if (ok && !file_stage(&parcel->staged, parcel->dir, str_c(&parcel->name),
                          str_span(&parcel->bytes), format->file_mode, err))
        ok = err_at(err, str_c(&parcel->path));
    parcel->is_staged = ok;
    str_free(&box);
    return ok;
}

/* A taken id is drawn again, unless the caller chose it. */
static bool publish(const struct source *source, struct letter *letter, struct parcel *parcel,
                    struct err *err)
{
    for (int tries = 0; tries < ID_TRIES; tries++) {
        enum file_result result = file_publish_new(&parcel->staged, err);
        if (result == FILE_OK) {
            parcel->is_staged = false;
            return true;
        }
        if (result != FILE_EXISTS)
            return err_at(err, str_c(&parcel->path));
        file_discard(&parcel->staged);
        parcel->is_staged = false;
        if (letter->draft.id.at)
            break;
        str_clear(&parcel->name);
        str_clear(&parcel->bytes);
        if (!stage(source, letter, parcel, err))
            return false;
    }
    return err_set(err, ERR_REFUSED, "%s/%s: a message with this id is there already",
                   str_c(&parcel->path), str_c(&parcel->name));
}

static bool read_back(const struct parcel *parcel, struct err *err)
{
    struct str bytes = {0};
    struct file_id id;
    bool same =
        file_read(parcel->dir, str_c(&parcel->name), FILE_SIZE_MAX, &bytes, &id, err) == FILE_OK &&
        span_eq(str_span(&bytes), str_span(&parcel->bytes));

    str_free(&bytes);
    return same || err_set(err, ERR_UNCONFIRMED,
                           "%s/%s: it was delivered, but what is there now is not what was "
                           "written; look at it with show",
                           str_c(&parcel->path), str_c(&parcel->name));
}

static void parcel_free(struct parcel *parcel)
{
    if (parcel->is_staged)
        file_discard(&parcel->staged);
    if (parcel->dir >= 0)
        close(parcel->dir);
    str_free(&parcel->path);
    str_free(&parcel->name);
    str_free(&parcel->bytes);
}

static bool deliver_round(const struct source *source, struct letter *letters, size_t count,
                          bool verify, struct log *log, struct err *err)
{
    struct parcel *parcels = mem_zero(count, sizeof *parcels);
    size_t published = 0;
    bool ok = true;

    for (size_t i = 0; i < count; i++)
        parcels[i].dir = -1;
    for (size_t i = 0; ok && i < count; i++)
        ok = stage(source, &letters[i], &parcels[i], err);
    for (; ok && published < count; published += ok)
        ok = publish(source, &letters[published], &parcels[published], err);
    for (size_t i = 0; i < published; i++) {
        bool synced = file_sync_dir(parcels[i].dir, err) || err_at(err, str_c(&parcels[i].name)) ||
                      err_at(err, str_c(&parcels[i].path));
        letters[i].delivered = true;
        ok = ok && synced;
        if (synced && verify)
            ok = read_back(&parcels[i], err) && ok;
        log_add(log, "sent %s to %.*s in %s/%s", str_c(&letters[i].id),
                (int)letters[i].draft.to.len, letters[i].draft.to.at, source->path,
                str_c(&parcels[i].path));
    }
    for (size_t i = 0; i < count; i++)
        parcel_free(&parcels[i]);
    free(parcels);
    return ok;
}

/* Some have it and some do not: names those who do not, because those who do cannot be undone. */
static void say_partial(const struct letter *letters, size_t count, struct err *err)
{
    struct str missed = {0};
    size_t delivered = 0;
    char reason[sizeof err->text];

    for (size_t i = 0; i < count; i++) {
        delivered += letters[i].delivered;
        if (!letters[i].delivered)
            str_addf(&missed, "%s%.*s", missed.len ? ", " : "", (int)letters[i].draft.to.len,
                     letters[i].draft.to.at);
    }
    memcpy(reason, err->text, sizeof reason);
    if (delivered && missed.len)
        err_set(err, ERR_UNCONFIRMED, "delivered to %zu of %zu, not to %.400s: %.400s", delivered,
                count, str_c(&missed), reason);
    else if (delivered)
        err->scope = ERR_UNCONFIRMED;
    str_free(&missed);
}

bool deliver(const struct source *source, struct letter *letters, size_t count, bool verify,
             struct log *log, struct err *err)
{
    bool ok = true;

    for (size_t done = 0; ok && done < count; done += ROUND) {
        size_t round = count - done < ROUND ? count - done : ROUND;
        ok = deliver_round(source, letters + done, round, verify, log, err);
    }
    if (!ok)
        say_partial(letters, count, err);
    return ok;
}
