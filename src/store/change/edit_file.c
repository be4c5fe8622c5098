/* Reading and editing the file that is to be changed. */
#include "store/change/edit_file.h"

#include <errno.h>
#include <unistd.h>

bool edit_file_say_gone(const struct target *t, struct err *err)
{
    return err_set(err, ERR_MESSAGE,
                   "%s/%s: someone moved or removed it meanwhile; nothing was changed",
                   str_c(&t->path), t->name);
}

bool edit_file_say_unsure(const struct target *t, struct err *err)
{
    err_at(err, "the change was made, but may not be complete or not on disk");
    err_at(err, t->name);
    err_at(err, str_c(&t->path));
    err->scope = ERR_UNCONFIRMED;
    return false;
}

bool edit_file_open(struct target *t, struct err *err)
{
    t->dir = source_open_dir(t->source, str_c(&t->path), err);
    return t->dir >= 0;
}

void edit_file_close(struct target *t)
{
    if (t->dir >= 0)
        close(t->dir);
    str_free(&t->path);
    str_free(&t->bytes);
    str_free(&t->edited);
    str_free(&t->archived_as);
}

struct mail_file edit_file_file(const struct target *t, const struct message *message)
{
    return (struct mail_file){.place = message->place,
                              .name = message->file,
                              .bytes = str_span(&t->bytes),
                              .mtime_us = t->id.mtime_ns / 1000};
}

bool edit_file_holds(const struct target *t, const struct message *message)
{
    struct mail_file file = edit_file_file(t, message);
    CLEANUP(batch_free) struct batch batch = {0};
    struct err ignored;
    bool parsed = t->source->format->parse(&file, WANT_HEAD, &batch, &ignored);
    bool found = !parsed && message->damaged;

    for (size_t i = 0; !found && i < batch.count; i++)
        found =
            span_eq(batch.items[i].id, message->id) && batch.items[i].content == message->content;
    return found;
}

bool edit_file_read(struct target *t, const struct message *message, enum status status,
                    struct err *err)
{
    CLEANUP(batch_free) struct batch batch = {0};
    enum file_result result = file_read(t->dir, t->name, FILE_SIZE_MAX, &t->bytes, &t->id, err);

    if (result == FILE_GONE)
        return edit_file_say_gone(t, err);
    struct mail_file file = {
        .place = message->place, .name = message->file, .bytes = str_span(&t->bytes)};
    if (result != FILE_OK) {
        err_at(err, t->name);
        return err_at(err, str_c(&t->path));
    }
    if (!t->source->format->parse(&file, WANT_DATA, &batch, err)) {
        err_at(err, t->name);
        err->scope = ERR_REFUSED;
        return false;
    }
    const struct message *now = &batch.items[0];
    if (now->damaged)
        return err_set(err, ERR_REFUSED, "%s/%s: it is damaged and is left alone: %s",
                       str_c(&t->path), t->name, now->damaged);
    if (!span_eq(now->id, message->id))
        return edit_file_say_gone(t, err);
    if (now->status == STATUS_ARCHIVED && status == STATUS_ARCHIVED)
        return true; /* archived, but still in the inbox: finish what someone began */
    if (now->status == status)
        return err_set(err, ERR_REFUSED, "%.*s is %s already", (int)now->id.len, now->id.at,
                       status_name(status));
    if (!status_may_become(now->status, status))
        return err_set(err, ERR_REFUSED, "%.*s is %s and cannot become %s", (int)now->id.len,
                       now->id.at, status_name(now->status), status_name(status));
    return true;
}

bool edit_file_edit(struct target *t, enum status status, struct err *err)
{
    struct change change = {
        .status = status, .completes = t->completes, .now_us = time_now(), .zone = t->source->zone};

    str_clear(&t->edited);
    return t->source->format->edit(str_span(&t->bytes), &change, &t->edited, err) ||
           err_at(err, t->name);
}
