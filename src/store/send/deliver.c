/* Delivery: packs all messages, notes them in the outbox, writes, syncs and checks them. */
#include "store/send/deliver.h"

#include "base/json/json.h"
#include "base/mem.h"
#include "base/time.h"
#include "base/uuid.h"
#include "store/send/json_inbox.h"
#include "store/send/outbox.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Calling send hooks. */

/* True if the hooks have a confirm(). */
static bool has_confirm(const struct send_hooks *hooks)
{
    return hooks && hooks->confirm;
}

void send_hooks_inspect(const struct send_hooks *hooks, struct span box)
{
    if (hooks && hooks->inspect)
        hooks->inspect(hooks->context, box);
}

enum send_answer send_hooks_confirm(const struct send_hooks *hooks, struct span box,
                                    struct err *err)
{
    return has_confirm(hooks) ? hooks->confirm(hooks->context, box, err) : SEND_YES;
}

/* Outgoing files: packing, writing into shared files, and checking afterwards. */

void outgoing_file_free(struct outgoing_file *outgoing)
{
    struct str *texts[] = {&outgoing->team,  &outgoing->box,  &outgoing->path, &outgoing->name,
                           &outgoing->bytes, &outgoing->uuid, &outgoing->id};

    if (outgoing->is_staged)
        file_discard(&outgoing->staged);
    if (outgoing->dir >= 0)
        close(outgoing->dir);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        str_free(texts[i]);
    outgoing->dir = -1;
}

static void set_place(struct outgoing_file *outgoing, const struct source *source, struct span team,
                      struct span box)
{
    outgoing->source = source;
    str_set(&outgoing->team, team);
    str_set(&outgoing->box, box);
    str_clear(&outgoing->path);
    format_dir(&outgoing->path, source->format, false, str_span(&outgoing->team),
               str_span(&outgoing->box));
}

/* Gives the draft bytes, a name and an id; fills in its time and id where they are absent. */
static bool outgoing_file_pack(struct outgoing_file *outgoing, const struct source *source,
                               const struct address *to, const struct draft *draft, struct err *err)
{
    const struct format *format = source->format;
    struct draft filled = *draft;

    set_place(outgoing, source, to->team, to->box);
    str_clear(&outgoing->id);
    if (filled.created_us == TIME_NONE)
        filled.created_us = time_now();
    if (draft->id.at)
        str_add_span(&outgoing->id, draft->id);
    else if (format->new_id)
        format->new_id(&outgoing->id, &filled);
    filled.id = str_span(&outgoing->id);
    filled.to = to->agent;
    filled.team = to->team;
    filled.zone = source->zone;
    str_clear(&outgoing->name);
    str_clear(&outgoing->bytes);
    str_clear(&outgoing->uuid);
    uuid_add(&outgoing->uuid);
    if (!format_compose(format, &filled, &outgoing->name, &outgoing->bytes, &outgoing->id, err))
        return false;
    if (format->storage != STORAGE_FILES) { /* the box is found by listing, not by its spelling */
        str_clear(&outgoing->name);
        place_file(&outgoing->name, format->rules[format->rule_count - 1].pattern,
                   str_span(&outgoing->box));
    }
    return true;
}

void outgoing_file_restore(struct outgoing_file *outgoing, const struct source *source,
                           const struct outbox_entry *entry)
{
    set_place(outgoing, source, entry->team, entry->box);
    str_add_span(&outgoing->name, entry->name);
    str_add_span(&outgoing->bytes, entry->bytes);
    str_add_span(&outgoing->uuid, entry->uuid);
    str_add_span(&outgoing->id, entry->id);
    outgoing->before = entry->before;
    outgoing->number = entry->number;
}

bool outgoing_file_open(struct outgoing_file *outgoing, struct err *err)
{
    if (outgoing->dir < 0)
        outgoing->dir = source_make_dir(outgoing->source, str_c(&outgoing->path), err);
    return outgoing->dir >= 0;
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
static bool is_torn(const struct outgoing_file *outgoing, struct span bytes, struct str *other)
{
    const struct format *format = outgoing->source->format;
    CLEANUP(batch_free) struct batch batch = {0};
    struct err ignored;

    if (format->storage == STORAGE_ARRAY)
        return !is_array(bytes);
    bool parsed =
        format_parse_bytes(format, str_span(&outgoing->name), bytes, WANT_HEAD, &batch, &ignored);

    if (parsed && batch.count && other)
        str_add_span(other, batch.items[0].id);
    return !parsed;
}

/* Judges a file that does not hold the message. An array that stays without a byte was emptied. */
static enum outgoing_file_seen judge_without(struct outgoing_file *outgoing, struct span bytes,
                                             const struct file_id *id, struct str *other)
{
    const struct format *format = outgoing->source->format;
    bool array = format->storage == STORAGE_ARRAY;
    bool settled = array && file_is_settled(id->mtime_ns / 1000);

    if (is_torn(outgoing, bytes, other)) {
        if (!settled)
            return OUTGOING_FILE_UNSURE; /* another program is writing */
        return span_trim(bytes).len ? OUTGOING_FILE_GONE : OUTGOING_FILE_MISSING;
    }
    return array && format->overwritten(bytes, &outgoing->before, outgoing->newer)
               ? OUTGOING_FILE_SUSPECT
               : OUTGOING_FILE_MISSING;
}

enum outgoing_file_seen outgoing_file_check(struct outgoing_file *outgoing, struct str *other)
{
    const struct format *format = outgoing->source->format;
    enum outgoing_file_seen seen = OUTGOING_FILE_UNSURE;
    CLEANUP(str_free) struct str bytes = {0};
    struct file_id id;
    int dir =
        outgoing->dir >= 0 ? outgoing->dir : source_dir(outgoing->source, str_c(&outgoing->path));

    if (dir < 0)
        return errno == ENOENT ? OUTGOING_FILE_GONE
                               : OUTGOING_FILE_UNSURE; /* ENOENT: the whole team is gone */
    switch (file_read(dir, str_c(&outgoing->name), FILE_SIZE_MAX, &bytes, &id, NULL)) {
    case FILE_OK:
        seen = format->holds(str_span(&bytes), str_span(&outgoing->bytes))
                   ? OUTGOING_FILE_THERE
                   : judge_without(outgoing, str_span(&bytes), &id, other);
        break;
    case FILE_GONE:
        seen = OUTGOING_FILE_GONE;
        break;
    case FILE_EXISTS:
    case FILE_CHANGED:
    case FILE_FAILED:
        break;
    }
    if (dir != outgoing->dir)
        close(dir);
    return seen;
}

bool outgoing_file_name_is_taken(int dir, const char *name)
{
    return dir >= 0 && faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0;
}

bool outgoing_file_slot_is_taken(const struct outgoing_file *outgoing)
{
    int dir = source_dir(outgoing->source, str_c(&outgoing->path));
    bool taken = outgoing_file_name_is_taken(dir, str_c(&outgoing->name));

    if (dir >= 0)
        close(dir);
    return taken;
}

static enum file_result write_slot(struct outgoing_file *outgoing, struct err *err)
{
    struct staged_file staged;

    if (outgoing_file_name_is_taken(outgoing->dir, str_c(&outgoing->name)))
        return FILE_EXISTS;
    if (!file_stage(&staged, outgoing->dir, str_c(&outgoing->name), str_span(&outgoing->bytes),
                    outgoing->source->format->file_mode, err)) {
        err_at(err, str_c(&outgoing->path));
        return FILE_FAILED;
    }
    if (send_hooks_confirm(outgoing->hooks, (struct span){0}, err) != SEND_YES) {
        file_discard(&staged);
        return FILE_FAILED;
    }
    enum file_result result = file_publish_new(&staged, err);
    if (result == FILE_EXISTS)
        file_discard(&staged);
    else if (result == FILE_OK && !file_sync_dir(outgoing->dir, err)) {
        err->scope = ERR_UNCONFIRMED;
        result = FILE_FAILED;
    }
    return result;
}

enum file_result outgoing_file_write(struct outgoing_file *outgoing, struct log *log,
                                     struct err *err)
{
    struct json_inbox array = {.source = outgoing->source,
                               .dir = outgoing->dir,
                               .path = str_c(&outgoing->path),
                               .name = str_c(&outgoing->name),
                               .wait_ms = outgoing->wait_ms,
                               .log = log,
                               .hooks = outgoing->hooks};

    if (outgoing->source->format->storage == STORAGE_SLOT)
        return write_slot(outgoing, err);
    struct appended result;
    bool ok = json_inbox_append(&array, str_span(&outgoing->bytes), str_span(&outgoing->uuid),
                                &result, err);
    outgoing->before = result.before;
    outgoing->lock_lost = result.lock_lost;
    if (result.has_uuid)
        str_set(&outgoing->id, str_span(&outgoing->uuid));
    return ok ? FILE_OK : FILE_FAILED;
}

/* ROUND: directories that are held open at once; far below any limit on open files. */
enum { ROUND = 128, ID_TRIES = 8, NUMBER_MAX = 999, SAME_TRIES = 1000 };

void outgoing_message_free(struct outgoing_message *letter)
{
    draft_free(&letter->draft);
    str_free(&letter->id);
    str_free(&letter->uuid);
    str_free(&letter->warning);
}

void outgoing_message_warn(struct outgoing_message *letter, const char *sentence)
{
    if (!sentence)
        return;
    str_puts(&letter->warning, letter->warning.len ? "; " : "");
    str_puts(&letter->warning, sentence);
}

void outgoing_message_warn_of_layout(struct outgoing_message *letter, const struct format *format)
{
    outgoing_message_warn(letter, format->caveat);
    if (format->warn)
        outgoing_message_warn(letter, format->warn(&letter->draft));
}

static bool pack_messages(const struct delivery *how, struct outgoing_message *letter,
                          struct outgoing_file *outgoing, struct err *err)
{
    if (!outgoing_file_pack(outgoing, how->source, &letter->to, &letter->draft, err))
        return false;
    str_set(&letter->id, str_span(&outgoing->id));
    if (letter->uuid.len)
        str_set(&outgoing->uuid, str_span(&letter->uuid));
    return true;
}

static bool stage_files(struct outgoing_file *outgoing, struct err *err)
{
    if (!outgoing_file_open(outgoing, err))
        return false;
    if (!file_stage(&outgoing->staged, outgoing->dir, str_c(&outgoing->name),
                    str_span(&outgoing->bytes), outgoing->source->format->file_mode, err))
        return err_at(err, str_c(&outgoing->path));
    outgoing->is_staged = true;
    return true;
}

/* Tries the next name after one was taken: the name with a number or, in layouts whose names come
 * from ids, a name made from a new id. */
static bool rename_staged(const struct delivery *how, struct outgoing_message *letter,
                          struct outgoing_file *outgoing, const char *plain, int tries,
                          struct err *err)
{
    file_discard(&outgoing->staged);
    outgoing->is_staged = false;
    if (!how->source->format->numbered) {
        if (tries == ID_TRIES || letter->draft.id.at)
            return err_set(err, ERR_REFUSED, "%s/%s: a message with this id is there already",
                           str_c(&outgoing->path), str_c(&outgoing->name));
        return pack_messages(how, letter, outgoing, err) && stage_files(outgoing, err);
    }
    if (tries == NUMBER_MAX)
        return err_set(err, ERR_MESSAGE, "%s/%s: this name and %d more are taken",
                       str_c(&outgoing->path), str_c(&outgoing->name), NUMBER_MAX);
    str_clear(&outgoing->name);
    file_numbered_name(&outgoing->name, plain, tries + 1);
    return stage_files(outgoing, err);
}

static bool publish_files(const struct delivery *how, struct outgoing_message *letter,
                          struct outgoing_file *outgoing, struct err *err)
{
    CLEANUP(str_free) struct str plain = {0};
    bool ok = true;

    str_add_span(&plain, str_span(&outgoing->name));
    for (int tries = 1; ok && !letter->delivered; tries++) {
        switch (file_publish_new(&outgoing->staged, err)) {
        case FILE_OK:
            outgoing->is_staged = false;
            letter->delivered = true;
            break;
        case FILE_EXISTS:
            ok = rename_staged(how, letter, outgoing, str_c(&plain), tries, err);
            break;
        case FILE_GONE:
        case FILE_CHANGED:
        case FILE_FAILED:
            ok = err_at(err, str_c(&outgoing->path));
            break;
        }
    }
    return ok;
}

/* True if the file in `dir` is this message, whatever state its agent has marked in it since. */
static bool is_in(const struct outgoing_file *outgoing, int dir)
{
    const struct format *format = outgoing->source->format;
    CLEANUP(str_free) struct str bytes = {0};
    CLEANUP(str_free) struct str now = {0};
    CLEANUP(str_free) struct str written = {0};
    struct file_id id;

    return dir >= 0 &&
           file_read(dir, str_c(&outgoing->name), FILE_SIZE_MAX, &bytes, &id, NULL) == FILE_OK &&
           (span_eq(str_span(&bytes), str_span(&outgoing->bytes)) ||
            (format_blank_state(format, str_span(&bytes), &now, NULL) &&
             format_blank_state(format, str_span(&outgoing->bytes), &written, NULL) &&
             span_eq(str_span(&now), str_span(&written))));
}

/* True if the message is in the archive: a quick agent may have archived it already. */
static bool is_in_archive(const struct outgoing_file *outgoing)
{
    const struct format *format = outgoing->source->format;
    CLEANUP(str_free) struct str path = {0};

    if (format->archiving != ARCHIVE_COPY && format->archiving != ARCHIVE_MOVE)
        return false;
    format_dir(&path, format, true, str_span(&outgoing->team), str_span(&outgoing->box));
    int dir = source_dir(outgoing->source, str_c(&path));
    bool there = is_in(outgoing, dir);
    if (dir >= 0)
        close(dir);
    return there;
}

/* Checks that the message is in the box or its archive. Retries a few times: an agent that archives
 * by removing first makes the message vanish for a moment, and one that writes in place makes it
 * short for a moment. */
static bool read_back(const struct outgoing_file *outgoing, struct err *err)
{
    enum { LOOKS = 5 };
    bool there = is_in(outgoing, outgoing->dir) || is_in_archive(outgoing);

    for (size_t style = 0; !there && style < LOOKS; style++) {
        time_sleep(file_pause_us(style));
        there = is_in(outgoing, outgoing->dir) || is_in_archive(outgoing);
    }
    return there || err_set(err, ERR_UNCONFIRMED,
                            "%s/%s: it was delivered, but what is there now is not what was "
                            "written; look at it with show",
                            str_c(&outgoing->path), str_c(&outgoing->name));
}

/* One file per message: all files are written and synced before the first one gets its name. */
static bool write_files(const struct delivery *how, struct outgoing_message *letters,
                        struct outgoing_file *outgoing_files, size_t count, struct err *err)
{
    size_t published = 0;
    bool ok = true;

    for (size_t i = 0; ok && i < count; i++)
        ok = stage_files(&outgoing_files[i], err);
    for (; ok && published < count; published += ok)
        ok = send_hooks_confirm(how->hooks, (struct span){0}, err) == SEND_YES &&
             publish_files(how, &letters[published], &outgoing_files[published], err);
    for (size_t i = 0; i < published; i++) {
        bool synced = file_sync_dir(outgoing_files[i].dir, err) ||
                      err_at(err, str_c(&outgoing_files[i].name)) ||
                      err_at(err, str_c(&outgoing_files[i].path));
        if (synced && (how->verify == VERIFY_BOTH || (how->verify == VERIFY_FIRST && how->hooks)))
            letters[i].seen = synced = read_back(&outgoing_files[i], err);
        letters[i].unsure = !synced;
        ok = ok && synced;
    }
    return ok;
}

/* Two equal texts in one millisecond would be one message: the second one gets the next
 * millisecond. */
bool deliver_pack(const struct delivery *how, struct outgoing_message *letter,
                  struct outgoing_file *outgoing, struct err *err)
{
    bool array = how->source->format->storage == STORAGE_ARRAY;

    if (!pack_messages(how, letter, outgoing, err))
        return false;
    for (int tries = 0;
         array && tries < SAME_TRIES && outgoing_file_check(outgoing, NULL) == OUTGOING_FILE_THERE;
         tries++) {
        if (letter->draft.created_us == TIME_NONE)
            letter->draft.created_us = time_now();
        letter->draft.created_us += 1000;
        if (!pack_messages(how, letter, outgoing, err))
            return false;
    }
    return true;
}

/* Files that many messages share are changed one after the other. */
static bool write_shared(const struct delivery *how, struct outgoing_message *letters,
                         struct outgoing_file *outgoing_files, size_t count, struct err *err)
{
    bool ok = true;

    for (size_t i = 0; ok && i < count; i++) {
        ok = outgoing_file_open(&outgoing_files[i], err);
        if (!ok)
            break;
        bool behind = how->source->format->storage == STORAGE_SLOT &&
                      outbox_has_queue(how, &outgoing_files[i]);
        enum file_result result =
            behind ? FILE_EXISTS : outgoing_file_write(&outgoing_files[i], how->log, err);
        if (result == FILE_EXISTS && has_confirm(how->hooks)) {
            err_set(err, ERR_REFUSED,
                    "%s/%s: another message is there that nobody has taken yet; an answer would "
                    "have to wait, and the request may change meanwhile: decide when it is free",
                    str_c(&outgoing_files[i].path), str_c(&outgoing_files[i].name));
            result = FILE_FAILED;
        }
        letters[i].queued = result == FILE_EXISTS;
        letters[i].unsure = result == FILE_FAILED && err->scope == ERR_UNCONFIRMED;
        letters[i].delivered = result == FILE_OK || letters[i].unsure;
        if (result == FILE_OK)
            outbox_note_written(how, &outgoing_files[i]);
        ok = result == FILE_OK || result == FILE_EXISTS;
        str_clear(&letters[i].id);
        str_add_span(&letters[i].id, str_span(&outgoing_files[i].id));
    }
    return ok;
}

static bool is_packed(const struct delivery *how, struct outgoing_file *outgoing_files,
                      size_t count, struct err *err)
{
    const struct send_hooks *hooks = how->hooks;

    for (size_t i = 0; hooks && i < count; i++) {
        outgoing_files[i].hooks = hooks;
        if (hooks->packed && !hooks->packed(hooks->context, &outgoing_files[i], err))
            return false;
    }
    return true;
}

static void report_written(const struct delivery *how, const struct outgoing_message *letters,
                           const struct outgoing_file *outgoing_files, size_t count)
{
    const struct send_hooks *hooks = how->hooks;

    for (size_t i = 0; hooks && hooks->written && i < count; i++)
        if (letters[i].delivered)
            hooks->written(hooks->context, &outgoing_files[i]);
}

/* True if a power cut may lose what the outbox knows of a message. The message itself is on disk
 * before it counts as sent, and without the note nobody sends it again. False for layouts with a
 * slot, where a queued message is only in the outbox, and with hooks, because the ledger relies on
 * the note. */
static bool may_relax(const struct delivery *how)
{
    return how->source->format->storage != STORAGE_SLOT && !how->hooks;
}

/* Notes the messages in the outbox. With several messages the note is synced: after a power cut
 * some may have arrived, only the note says which have not, and sending all again would deliver the
 * others twice. What the outbox learns afterwards can be seen in the mailboxes. */
static bool note_outbox(const struct delivery *how, struct outgoing_message *letters,
                        struct outgoing_file *outgoing_files, size_t count, struct err *err)
{
    bool relaxed = may_relax(how);

    state_relax(how->state, relaxed && count == 1);
    bool ok = outbox_note(how, letters, outgoing_files, count, err);
    if (count > 1)
        state_relax(how->state, relaxed);
    return ok;
}

static bool deliver_round(const struct delivery *how, struct outgoing_message *letters,
                          size_t count, struct err *err)
{
    CLEANUP(mem_free)
    struct outgoing_file *outgoing_files = mem_zero(count, sizeof *outgoing_files);
    bool files = how->source->format->storage == STORAGE_FILES;
    bool ok = true;

    err->scope = ERR_NONE;
    for (size_t i = 0; i < count; i++)
        outgoing_files[i].dir = -1;
    for (size_t i = 0; ok && i < count; i++)
        ok = deliver_pack(how, &letters[i], &outgoing_files[i], err);
    ok = ok && is_packed(how, outgoing_files, count, err) &&
         note_outbox(how, letters, outgoing_files, count, err);
    if (ok) {
        ok = (files ? write_files : write_shared)(how, letters, outgoing_files, count, err);
        report_written(how, letters, outgoing_files, count);
        ok = outbox_finish(how, letters, outgoing_files, count, ok, err);
    }
    for (size_t i = 0; i < count; i++) {
        if (letters[i].delivered)
            log_add(how->log, "sent %s to %.*s in %s/%s", str_c(&letters[i].id),
                    (int)letters[i].draft.to.len, letters[i].draft.to.at, how->source->path,
                    str_c(&outgoing_files[i].path));
        outgoing_file_free(&outgoing_files[i]);
    }
    return ok;
}

/* When only some recipients have the message, names those who do not: the others cannot be
 * undone. */
static void say_partial(const struct outgoing_message *letters, size_t count, struct err *err)
{
    CLEANUP(str_free) struct str missed = {0};
    size_t delivered = 0;
    char reason[sizeof err->text];

    for (size_t i = 0; i < count; i++) {
        bool arrived = letters[i].delivered || letters[i].queued;
        delivered += arrived;
        if (!arrived)
            str_addf(&missed, "%s%.*s", missed.len ? ", " : "", (int)letters[i].draft.to.len,
                     letters[i].draft.to.at);
    }
    memcpy(reason, err->text, sizeof reason);
    if (delivered && missed.len)
        err_set(err, ERR_UNCONFIRMED, "delivered to %zu of %zu, not to %.400s: %.400s", delivered,
                count, str_c(&missed), reason);
    else if (delivered)
        err->scope = ERR_UNCONFIRMED;
}

bool deliver(const struct delivery *how, struct outgoing_message *letters, size_t count,
             struct err *err)
{
    bool ok = true;

    for (size_t done = 0; ok && done < count; done += ROUND) {
        size_t round = count - done < ROUND ? count - done : ROUND;
        ok = deliver_round(how, letters + done, round, err);
    }
    state_relax(how->state, false);
    if (!ok)
        say_partial(letters, count, err);
    return ok;
}
