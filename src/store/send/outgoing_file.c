/* Outgoing files: packing, writing into shared files, and checking afterwards. */
#include "store/send/outgoing_file.h"

#include "base/json/json.h"
#include "base/uuid.h"
#include "store/send/json_inbox.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

void outgoing_file_free(struct parcel *parcel)
{
    struct str *texts[] = {&parcel->team,  &parcel->box,  &parcel->path, &parcel->name,
                           &parcel->bytes, &parcel->uuid, &parcel->id};

    if (parcel->is_staged)
        file_discard(&parcel->staged);
    if (parcel->dir >= 0)
        close(parcel->dir);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        str_free(texts[i]);
    parcel->dir = -1;
}

static void set_place(struct parcel *parcel, const struct source *source, struct span team,
                      struct span box)
{
    parcel->source = source;
    str_set(&parcel->team, team);
    str_set(&parcel->box, box);
    str_clear(&parcel->path);
    format_dir(&parcel->path, source->format, false, str_span(&parcel->team),
               str_span(&parcel->box));
}

bool outgoing_file_pack(struct parcel *parcel, const struct source *source,
                        const struct address *to, const struct draft *draft, struct err *err)
{
    const struct format *format = source->format;
    struct draft filled = *draft;

    set_place(parcel, source, to->team, to->box);
    str_clear(&parcel->id);
    if (filled.created_us == TIME_NONE)
        filled.created_us = time_now();
    if (draft->id.at)
        str_add_span(&parcel->id, draft->id);
    else if (format->new_id)
        format->new_id(&parcel->id, &filled);
    filled.id = str_span(&parcel->id);
    filled.to = to->agent;
    filled.team = to->team;
    filled.zone = source->zone;
    str_clear(&parcel->name);
    str_clear(&parcel->bytes);
    str_clear(&parcel->uuid);
    uuid_add(&parcel->uuid);
    if (!format_compose(format, &filled, &parcel->name, &parcel->bytes, &parcel->id, err))
        return false;
    if (format->storage != STORAGE_FILES) { /* the box is found by listing, not by its spelling */
        str_clear(&parcel->name);
        place_file(&parcel->name, format->rules[format->rule_count - 1].pattern,
                   str_span(&parcel->box));
    }
    return true;
}

void outgoing_file_restore(struct parcel *parcel, const struct source *source,
                           const struct outbox_entry *entry)
{
    set_place(parcel, source, entry->team, entry->box);
    str_add_span(&parcel->name, entry->name);
    str_add_span(&parcel->bytes, entry->bytes);
    str_add_span(&parcel->uuid, entry->uuid);
    str_add_span(&parcel->id, entry->id);
    parcel->before = entry->before;
    parcel->number = entry->number;
}

bool outgoing_file_open(struct parcel *parcel, struct err *err)
{
    if (parcel->dir < 0)
        parcel->dir = source_make_dir(parcel->source, str_c(&parcel->path), err);
    return parcel->dir >= 0;
}

/* True if the bytes start with a complete array, whatever follows it. */
static bool is_array(struct span bytes)
{
    struct json_walk walk;
    struct json none, value;

    if (!json_open(&walk, bytes, JSON_STRICT, NULL) || walk.kind != JSON_ARRAY)
        return false;
    while (json_next(&walk, &none, &value))
        continue;
    return walk.finished;
}

/* True if the file holds no message, or in STORAGE_ARRAY no array. Otherwise `other` gets the id of
 * the only message (not in STORAGE_ARRAY). */
static bool is_torn(const struct parcel *parcel, struct span bytes, struct str *other)
{
    const struct format *format = parcel->source->format;
    CLEANUP(batch_free) struct batch batch = {0};
    struct err ignored;

    if (format->storage == STORAGE_ARRAY)
        return !is_array(bytes);
    bool parsed =
        format_parse_bytes(format, str_span(&parcel->name), bytes, WANT_HEAD, &batch, &ignored);

    if (parsed && batch.count && other)
        str_add_span(other, batch.items[0].id);
    return !parsed;
}

/* Judges a file that does not hold the message. An array that stays without a byte was emptied. */
static enum outgoing_file_seen judge_without(struct parcel *parcel, struct span bytes,
                                             const struct file_id *id, struct str *other)
{
    const struct format *format = parcel->source->format;
    bool array = format->storage == STORAGE_ARRAY;
    bool settled = array && file_is_settled(id->mtime_ns / 1000);

    if (is_torn(parcel, bytes, other)) {
        if (!settled)
            return OUTGOING_FILE_UNSURE; /* another program is writing */
        return span_trim(bytes).len ? OUTGOING_FILE_GONE : OUTGOING_FILE_MISSING;
    }
    return array && format->overwritten(bytes, &parcel->before, parcel->newer)
               ? OUTGOING_FILE_SUSPECT
               : OUTGOING_FILE_MISSING;
}

enum outgoing_file_seen outgoing_file_look(struct parcel *parcel, struct str *other)
{
    const struct format *format = parcel->source->format;
    enum outgoing_file_seen seen = OUTGOING_FILE_UNSURE;
    CLEANUP(str_free) struct str bytes = {0};
    struct file_id id;
    int dir = parcel->dir >= 0 ? parcel->dir : source_dir(parcel->source, str_c(&parcel->path));

    if (dir < 0)
        return errno == ENOENT ? OUTGOING_FILE_GONE
                               : OUTGOING_FILE_UNSURE; /* ENOENT: the whole team is gone */
    switch (file_read(dir, str_c(&parcel->name), FILE_SIZE_MAX, &bytes, &id, NULL)) {
    case FILE_OK:
        seen = format->holds(str_span(&bytes), str_span(&parcel->bytes))
                   ? OUTGOING_FILE_THERE
                   : judge_without(parcel, str_span(&bytes), &id, other);
        break;
    case FILE_GONE:
        seen = OUTGOING_FILE_GONE;
        break;
    case FILE_EXISTS:
    case FILE_CHANGED:
    case FILE_FAILED:
        break;
    }
    if (dir != parcel->dir)
        close(dir);
    return seen;
}

bool outgoing_file_name_is_taken(int dir, const char *name)
{
    return dir >= 0 && faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool outgoing_file_slot_is_taken(const struct parcel *parcel)
{
    int dir = source_dir(parcel->source, str_c(&parcel->path));
    bool taken = outgoing_file_name_is_taken(dir, str_c(&parcel->name));

    if (dir >= 0)
        close(dir);
    return taken;
}

static enum file_result write_slot(struct parcel *parcel, struct err *err)
{
    struct staged_file staged;

    if (outgoing_file_name_is_taken(parcel->dir, str_c(&parcel->name)))
        return FILE_EXISTS;
    if (!file_stage(&staged, parcel->dir, str_c(&parcel->name), str_span(&parcel->bytes),
                    parcel->source->format->file_mode, err)) {
        err_at(err, str_c(&parcel->path));
        return FILE_FAILED;
    }
    if (send_hooks_confirm(parcel->hooks, (struct span){0}, err) != SEND_YES) {
        file_discard(&staged);
        return FILE_FAILED;
    }
    enum file_result result = file_publish_new(&staged, err);
    if (result == FILE_EXISTS)
        file_discard(&staged);
    else if (result == FILE_OK && !file_sync_dir(parcel->dir, err)) {
        err->scope = ERR_UNCONFIRMED;
        result = FILE_FAILED;
    }
    return result;
}

enum file_result outgoing_file_write(struct parcel *parcel, struct log *log, struct err *err)
{
    struct json_inbox array = {.source = parcel->source,
                               .dir = parcel->dir,
                               .path = str_c(&parcel->path),
                               .name = str_c(&parcel->name),
                               .wait_ms = parcel->wait_ms,
                               .log = log,
                               .hooks = parcel->hooks};

    if (parcel->source->format->storage == STORAGE_SLOT)
        return write_slot(parcel, err);
    struct appended result;
    bool ok =
        json_inbox_append(&array, str_span(&parcel->bytes), str_span(&parcel->uuid), &result, err);
    parcel->before = result.before;
    parcel->lock_lost = result.lock_lost;
    if (result.has_uuid)
        str_set(&parcel->id, str_span(&parcel->uuid));
    return ok ? FILE_OK : FILE_FAILED;
}
