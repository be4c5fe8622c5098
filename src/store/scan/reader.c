/* A reader: reading, parsing, and completing every message. */
#include "store/scan/reader.h"
#include "base/mem.h"

#include "mail/message/kind.h"
#include "mail/security/approval_check.h"
#include "mail/thread/request.h"
#include "store/source/address.h"

void reader_free(struct reader *reader)
{
    str_free(&reader->bytes);
}

unsigned reader_wants(const struct source *source, unsigned want, unsigned want_shared)
{
    return want | (source->format->storage == STORAGE_FILES ? 0 : want_shared);
}

void reader_new_batch(struct reader *reader)
{
    reader->place = NULL;
}

const struct place *reader_place(struct reader *reader, const struct place *place)
{
    reader->place = place_keep(place, reader->place, &reader->batch->arena);
    return reader->place;
}

struct message *reader_add_damaged(struct reader *reader, const struct place *place,
                                   struct span name, const char *reason)
{
    const struct place *kept = reader_place(reader, place);
    struct message *message = batch_add(reader->batch);
    size_t end = span_ends(name, ".json") ? 5 : span_ends(name, ".md") ? 3 : 0;

    message->place = kept;
    message->priority = PRIORITY_NONE;
    message->status = STATUS_NONE;
    message->file = arena_copy(&reader->batch->arena, name);
    message->id = (struct span){message->file.at, name.len - end};
    message->damaged = arena_strdup(&reader->batch->arena, reason);
    address_settle(reader->source, message);
    log_add(reader->log, "damaged: %s/%s: %s", place->dir.at, name.at, reason);
    return message;
}

/* True if a plan may never be approved. The head does not contain that: the message is read
 * whole. */
static bool is_plan_refused(const struct format *format, const struct message *head,
                            struct span raw)
{
    CLEANUP(batch_free) struct batch batch = {0};
    CLEANUP(str_free) struct str file = {0}, why = {0};
    struct message whole = *head;
    struct err ignored;

    format_add_file(format, raw, &file);
    if (format_parse_bytes(format, head->file, str_span(&file), WANT_DATA | WANT_BODY, &batch,
                           &ignored) &&
        batch.count == 1) {
        whole.data = batch.items[0].data;
        return approval_refuses(&why, &whole, raw);
    }
    return true;
}

void reader_finish(const struct source *source, struct batch *batch, size_t first,
                   struct span bytes)
{
    for (size_t i = first; i < batch->count; i++) {
        struct message *message = &batch->items[i];
        struct span raw = message_raw(message, bytes);
        bool fresh = !message->print; /* otherwise its head was cached, with the result of this
                                       * check */
        message->print = map_hash(raw, source->seed);
        address_settle(source, message);
        if (fresh && message->kind == KIND_PLAN && message_asks(message))
            message->refused = is_plan_refused(source->format, message, raw);
    }
}

enum file_result reader_read(struct reader *reader, const struct place *place, int dir,
                             struct span name, bool listed, bool last_look, struct err *err)
{
    const struct format *format = reader->source->format;
    size_t first = reader->batch->count;
    enum file_result result = (listed ? file_read_listed : file_read)(
        dir, name.at, FILE_SIZE_MAX, &reader->bytes, &reader->id, err);

    reader->has_bytes = result == FILE_OK;
    if (result != FILE_OK)
        return result;
    struct mail_file file = {.place = reader_place(reader, place),
                             .name = name,
                             .bytes = str_span(&reader->bytes),
                             .mtime_us = reader->id.mtime_ns / 1000,
                             .lasts_us = reader->source->lasts_us,
                             .known = reader->known};
    unsigned want = reader_wants(reader->source, reader->want, reader->want_shared);
    if (!format->parse(&file, want, reader->batch, err)) {
        if (!last_look && !file_is_settled(file.mtime_us))
            return FILE_CHANGED;
        if (!format->parse(&file, want | WANT_SALVAGE, reader->batch, err))
            return FILE_FAILED;
    }
    reader_finish(reader->source, reader->batch, first, file.bytes);
    return FILE_OK;
}
