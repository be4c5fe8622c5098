/* Emptying an inbox that nobody runs any more: every entry is kept here first, and what arrives
 * meanwhile stays. */
#include "base/file/file.h"
#include "store/change/cleanup.h"
#include "store/scan/overlay.h"
#include "store/send/array.h"
#include "store/source/address.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

enum { ROUNDS = 8 };

/* The inbox that is to be emptied. */
struct clearing {
    const struct changing *how;
    const struct address *box;
    struct str path, name, bytes;
    struct file_id id;
    int dir;
    size_t kept; /* copies that were made so far */
};

/* A team is orphaned when it has no roster file any more, readable or not. */
static bool is_orphaned(const struct source *source, struct span team, struct err *err)
{
    const char *pattern = source->format->roster_pattern;
    struct place_names names = {.team = team};
    struct str path = {0};

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
    str_free(&path);
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
    struct state_key key = overlay_key(how->source, message);
    struct span part = message_raw(message, str_span(&clearing->bytes));

    return state_keep_copy(how->state, &key, span_of(how->source->identity), message->file, part,
                           (struct span){0}, when_now(), NULL, err);
}

/* Reads the inbox and keeps a copy of everything in it, or only counts. */
static bool keep_all(struct clearing *clearing, bool count_only, size_t *count, struct err *err)
{
    const struct source *source = clearing->how->source;
    struct place place = {.source = source->index,
                          .root = source->path,
                          .team = clearing->box->team,
                          .box = clearing->box->box,
                          .dir = str_span(&clearing->path)};
    struct batch batch = {0};
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
    batch_free(&batch);
    return ok;
}

/* What has a copy counts as archived here, whether its inbox was emptied or not. */
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

/* Again from what is there when somebody wrote in between. */
static bool clear(struct clearing *clearing, struct cleaned *result, struct err *err)
{
    struct array array = {.source = clearing->how->source,
                          .dir = clearing->dir,
                          .path = str_c(&clearing->path),
                          .name = str_c(&clearing->name),
                          .log = clearing->how->log};
    enum file_result done = FILE_CHANGED;

    for (int round = 0; done == FILE_CHANGED && round < ROUNDS; round++) {
        if (!keep_all(clearing, false, &result->count, err))
            return say_half_done(clearing, err);
        done = array_clear(&array, &clearing->id, err);
    }
    if (done == FILE_CHANGED || done == FILE_GONE)
        err_set(err, ERR_BOX, "%s/%s: others keep changing it; nothing was cleared", array.path,
                array.name);
    return done == FILE_OK || say_half_done(clearing, err);
}

bool cleanup_clear(const struct changing *how, struct span address, bool dry_run,
                   struct cleaned *result, struct err *err)
{
    struct arena arena = {0};
    struct address box;
    struct clearing clearing = {.how = how, .box = &box, .dir = -1};
    bool ok = address_read(how->source, address, &box, &arena, err);

    *result = (struct cleaned){0};
    if (ok && how->source->format->keeping != KEEP_ARRAY)
        ok = err_set(err, ERR_REFUSED, "the layout %s has no inbox that could be cleared",
                     how->source->format->title);
    else if (ok && !box.has_box)
        ok =
            err_set(err, ERR_ABSENT, "there is no inbox of \"%.*s\"", (int)address.len, address.at);
    ok = ok && changing_has_state(how, err) && is_orphaned(how->source, box.team, err) &&
         open_box(&clearing, err);
    if (ok)
        ok = dry_run ? keep_all(&clearing, true, &result->count, err)
                     : clear(&clearing, result, err);
    if (clearing.dir >= 0)
        close(clearing.dir);
    str_free(&clearing.path);
    str_free(&clearing.name);
    str_free(&clearing.bytes);
    arena_free(&arena);
    return ok;
}
