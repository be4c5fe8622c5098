/* The library: a message as callers see it, and as text. */
#include "base/mem.h"
#include "base/text/clean.h"
#include "lib/handle.h"
#include "mail/message/kind.h"

#include <langinfo.h>

_Static_assert((int)SWARMUTT_LOW == PRIORITY_LOW && (int)SWARMUTT_URGENT == PRIORITY_URGENT,
               "priorities are the same");

static const int statuses[] = {
    [STATUS_UNREAD] = SWARMUTT_UNREAD,         [STATUS_READ] = SWARMUTT_READ,
    [STATUS_PROCESSING] = SWARMUTT_PROCESSING, [STATUS_FAILED] = SWARMUTT_FAILED,
    [STATUS_COMPLETED] = SWARMUTT_COMPLETED,   [STATUS_ARCHIVED] = SWARMUTT_ARCHIVED,
    [STATUS_NONE] = SWARMUTT_NO_STATUS,
};

static struct swarmutt_text copy_str(struct arena *arena, struct str *text)
{
    struct swarmutt_text kept = lib_text(arena, str_span(text));

    str_free(text);
    return kept;
}

static void show_data(struct swarmutt_message *shown, const struct message_data *data,
                      struct arena *arena)
{
    shown->read_us = data ? data->read_us : WHEN_NONE;
    shown->completed_us = data ? data->completed_us : WHEN_NONE;
    if (!data)
        return;
    shown->body = lib_text(arena, data->body);
    shown->context = lib_text(arena, data->context);
    shown->payload = lib_text(arena, data->payload);
    shown->protocol = lib_text(arena, data->protocol);
    shown->attachments = lib_text(arena, data->attachments);
    shown->tags = lib_text(arena, data->tags);
}

static void show_remarks(struct swarmutt_message *shown, unsigned flags, struct arena *arena)
{
    const char **remarks = flags ? arena_alloc(arena, 16 * sizeof *remarks) : NULL;

    for (unsigned bit = 0; bit < 16 && flags && message_flag_text(bit); bit++)
        if (flags >> bit & 1)
            remarks[shown->remark_count++] = message_flag_text(bit);
    shown->remarks = remarks;
}

void lib_show(struct lib_message *message, struct swarmutt *mail, struct message *head,
              struct message *inbox, struct arena *arena)
{
    struct swarmutt_message *shown = &message->shown;
    const struct place *place = head->place;
    struct str name = {0}, path = {0};

    *message = (struct lib_message){.mail = mail, .head = head, .inbox = inbox};
    message_add_name(&name, head, true);
    message_add_path(&path, head, true);
    shown->id = lib_text(arena, head->id);
    shown->name = copy_str(arena, &name);
    shown->path = copy_str(arena, &path);
    shown->source = place->source;
    shown->team = lib_text(arena, place->team);
    shown->box = lib_text(arena, place->box.at ? place->box : head->to);
    shown->from = lib_text(arena, head->from);
    shown->to = lib_text(arena, head->to);
    shown->subject = lib_text(arena, head->subject);
    shown->type = lib_text(arena, head->type);
    shown->thread = lib_text(arena, head->thread);
    shown->reply_to = lib_text(arena, head->reply_to);
    shown->kind = kind_name(head->kind);
    shown->priority = head->priority;
    shown->status = statuses[head->status];
    shown->created_us = head->created_us;
    shown->expires_us = head->expires_us;
    shown->requires_response = head->requires_response;
    shown->archived = place->archived;
    shown->to_us = head->mine;
    shown->by_us = head->by_us;
    shown->damaged = head->damaged ? arena_strdup(arena, head->damaged) : NULL;
    show_remarks(shown, head->flags, arena);
    show_data(shown, head->data, arena);
}

const struct lib_message *lib_message(const struct swarmutt *mail,
                                      const struct swarmutt_message *shown,
                                      struct swarmutt_error *error)
{
    const struct lib_message *message = (const struct lib_message *)shown;

    if (!mail || !shown)
        lib_misused(error, "a handle and a message are needed");
    else if (message->mail != mail)
        lib_misused(error, "the message came from another handle");
    else
        return message;
    return NULL;
}

char *swarmutt_raw(struct swarmutt *mail, const struct swarmutt_message *message, size_t *length,
                   struct swarmutt_error *error)
{
    struct str bytes = {0};
    struct err err;

    lib_begin(error);
    const struct lib_message *here = lib_message(mail, message, error);
    if (!here)
        return NULL;
    if (!store_raw(mail->store, here->head, &bytes, &err)) {
        lib_fail(error, &err);
        str_free(&bytes);
        return NULL;
    }
    if (length)
        *length = bytes.len;
    str_puts(&bytes, ""); /* there even when it is empty */
    return bytes.at ? bytes.at : mem_strdup("");
}

char *swarmutt_json(struct swarmutt *mail, const struct swarmutt_message *message,
                    struct swarmutt_error *error)
{
    struct str line = {0};

    lib_begin(error);
    const struct lib_message *here = lib_message(mail, message, error);
    if (!here)
        return NULL;
    store_add_json(mail->store, &line, here->head);
    return line.at;
}

char *swarmutt_clean(const char *text, size_t length, bool lines)
{
    unsigned mode = lines ? CLEAN_LINES : CLEAN_LINE;
    struct str cleaned = {0};

    if (!text)
        return NULL;
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        mode |= CLEAN_ASCII;
    clean_add(&cleaned, (struct span){text, length}, mode);
    return cleaned.at ? cleaned.at : mem_strdup("");
}
