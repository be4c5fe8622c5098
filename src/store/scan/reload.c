/* Loading one message again: its file may hold many, may have moved, or may be a kept copy. */
#include "base/file/file.h"
#include "base/when.h"
#include "store/scan/load.h"
#include "store/scan/reader.h"

#include <errno.h>
#include <unistd.h>

static enum file_result read_at(const struct source *source, const struct place *place,
                                struct span name, struct str *bytes, struct file_id *id,
                                struct err *err)
{
    int dir = source_dir(source, place->dir.at);

    if (dir < 0)
        return source_dir_failed(errno, err);
    enum file_result result = file_read(dir, name.at, FILE_SIZE_MAX, bytes, id, err);
    close(dir);
    return result;
}

/* The place of the same box's archive, in the batch's memory. */
static const struct place *archive_place(const struct source *source, const struct place *place,
                                         struct batch *batch)
{
    struct place *archive = arena_alloc(&batch->arena, sizeof *archive);
    struct str path = {0};

    format_dir(&path, source->format, true, place->team, place->box);
    *archive = *place;
    archive->archived = true;
    archive->dir = arena_copy(&batch->arena, str_span(&path));
    str_free(&path);
    return archive;
}

/* The file as it is now, at its place or in the archive it went to since. */
static bool read_now(const struct source *source, const struct message *message,
                     const struct place **place, struct batch *batch, struct str *bytes,
                     struct file_id *id, struct err *err)
{
    enum file_result result = read_at(source, *place, message->file, bytes, id, err);

    if (result == FILE_GONE && !(*place)->archived &&
        (source->format->archiving == ARCHIVE_COPY || source->format->archiving == ARCHIVE_MOVE)) {
        *place = archive_place(source, *place, batch);
        result = read_at(source, *place, message->file, bytes, id, err);
    }
    if (result == FILE_GONE)
        err_set(err, ERR_ABSENT, "it is gone; someone moved or removed it just now");
    if (result == FILE_OK)
        return true;
    return message_err_at(err, message);
}

static bool load_copy(const struct source *source, const struct message *message, unsigned want,
                      struct state *state, struct batch *batch, struct err *err)
{
    struct overlay overlay;
    bool ok = overlay_open(&overlay, source, state, (struct span){0}, err) &&
              overlay_copies(&overlay, message->place->team, message->place->box, message->id, want,
                             batch, err);

    overlay_free(&overlay);
    return ok;
}

/* FILE_CHANGED: it makes no sense and is so young that it may be half written, unless that is not
 * to be waited for any longer. */
static enum file_result parse_file(const struct source *source, const struct message *message,
                                   const struct place *place, struct span bytes, int64_t mtime_us,
                                   unsigned want, bool last_look, struct batch *batch,
                                   struct err *err)
{
    struct mail_file file = {.place = place,
                             .name = message->file,
                             .bytes = bytes,
                             .mtime_us = mtime_us,
                             .lasts_us = source->lasts_us};
    size_t first = batch->count;
    bool ok = source->format->parse(&file, want, batch, err);

    if (!ok && !last_look && !file_is_settled(mtime_us))
        return FILE_CHANGED;
    if (!ok && source->format->keeping == KEEP_ARRAY)
        ok = source->format->parse(&file, want | WANT_SALVAGE, batch, err);
    if (ok) {
        reader_finish(source, batch, first, bytes);
        return FILE_OK;
    }
    err_at(err, message->file.at);
    err_at(err, place->dir.at);
    return FILE_FAILED;
}

/* Before the n-th look; false when there has been enough of it. */
static bool pause_before(size_t look, int64_t give_up_us)
{
    when_sleep(file_pause_us(look));
    return when_steady() <= give_up_us;
}

bool load_again(const struct source *source, const struct message *message, unsigned want,
                struct state *state, struct batch *batch, struct err *err)
{
    const struct place *place = message->place;
    int64_t give_up_us = when_steady() + FILE_PATIENCE_US;
    struct str bytes = {0};
    struct file_id id = {0};
    enum file_result result = FILE_CHANGED;

    if (place->local)
        return load_copy(source, message, want, state, batch, err);
    for (size_t look = 0; result == FILE_CHANGED; look++) {
        bool last_look = look && !pause_before(look - 1, give_up_us);
        result = FILE_FAILED;
        if (read_now(source, message, &place, batch, &bytes, &id, err))
            result = parse_file(source, message, place, str_span(&bytes), id.mtime_ns / 1000, want,
                                last_look, batch, err);
    }
    str_free(&bytes);
    return result == FILE_OK;
}

bool load_bytes(const struct source *source, const struct message *message, struct span bytes,
                unsigned want, struct batch *batch, struct err *err)
{
    return parse_file(source, message, message->place, bytes, when_now(), want, true, batch, err) ==
           FILE_OK;
}

static enum file_result look_at_file(const struct source *source, const struct message *message,
                                     bool last_look, struct str *bytes, struct batch *batch,
                                     struct file_id *id, struct err *err)
{
    const struct place *place = message->place;
    enum file_result result =
        place->local ? FILE_GONE : read_at(source, place, message->file, bytes, id, err);

    if (result == FILE_GONE)
        err_set(err, ERR_ABSENT, "it is not there any more");
    if (result != FILE_OK) {
        message_err_at(err, message);
        return result;
    }
    return parse_file(source, message, place, str_span(bytes), id->mtime_ns / 1000,
                      WANT_DATA | WANT_BODY, last_look, batch, err);
}

enum file_result load_file(const struct source *source, const struct message *message, bool wait,
                           struct str *bytes, struct batch *batch, struct file_id *id,
                           struct err *err)
{
    int64_t give_up_us = when_steady() + FILE_PATIENCE_US;
    enum file_result result = look_at_file(source, message, false, bytes, batch, id, err);

    for (size_t look = 0; wait && result == FILE_CHANGED; look++) {
        bool last_look = !pause_before(look, give_up_us);
        result = look_at_file(source, message, last_look, bytes, batch, id, err);
    }
    return result;
}

void load_take_marks(struct message *whole, const struct message *head, struct arena *arena)
{
    whole->flags |= head->flags & MESSAGE_IN_BOTH;
    whole->seen = head->seen;
    whole->read_here = head->read_here;
    if (!whole->thread.len)
        whole->thread = arena_copy(arena, head->thread);
    if (!head->damaged && whole->status < head->status)
        whole->status = head->status; /* what was marked here counts */
}

/* Where in its file the message stands now. */
static bool find_part(const struct source *source, const struct message *message, struct span bytes,
                      struct span *part)
{
    struct mail_file file = {.place = message->place, .name = message->file, .bytes = bytes};
    struct batch batch = {0};
    struct err ignored;
    bool found = false;

    if (source->format->parse(&file, WANT_HEAD | WANT_SALVAGE, &batch, &ignored)) {
        const struct message *now = batch_find(&batch, 0, message);
        found = now && now->raw_len;
        if (found)
            *part = message_raw(now, bytes);
    }
    batch_free(&batch);
    return found;
}

bool load_raw(const struct source *source, const struct message *message, struct state *state,
              struct str *bytes, struct err *err)
{
    const struct place *place = message->place;
    struct overlay overlay;
    struct batch batch = {0};
    struct file_id id;
    struct span part;
    bool ok;

    if (place->local) {
        ok = overlay_open(&overlay, source, state, (struct span){0}, err) &&
             overlay_raw(&overlay, message, bytes, err);
        overlay_free(&overlay);
        return ok;
    }
    ok = read_now(source, message, &place, &batch, bytes, &id, err);
    if (ok && message->raw_len && !find_part(source, message, str_span(bytes), &part)) {
        str_clear(bytes);
        ok = err_set(err, ERR_ABSENT, "it is gone: its file holds other messages now");
    } else if (ok && message->raw_len) {
        memmove(bytes->at, part.at, part.len);
        bytes->len = part.len;
        bytes->at[part.len] = '\0';
    }
    batch_free(&batch);
    return ok;
}
