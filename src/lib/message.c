/* The library: messages as callers see them, and changing their state. */
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "lib/handle.h"
#include "mail/message/kind.h"

#include <langinfo.h>
#include <stdlib.h>

/* A message as callers see it, and as text. */

_Static_assert((int)SWARMUTT_LOW == PRIORITY_LOW && (int)SWARMUTT_URGENT == PRIORITY_URGENT,
               "priorities are the same");

static const int shown_statuses[] = {
    [STATUS_UNREAD] = SWARMUTT_UNREAD,         [STATUS_READ] = SWARMUTT_READ,
    [STATUS_PROCESSING] = SWARMUTT_PROCESSING, [STATUS_FAILED] = SWARMUTT_FAILED,
    [STATUS_COMPLETED] = SWARMUTT_COMPLETED,   [STATUS_ARCHIVED] = SWARMUTT_ARCHIVED,
    [STATUS_NONE] = SWARMUTT_NO_STATUS,
};

static void show_data(struct swarmutt_message *shown, const struct message_data *data,
                      struct arena *arena)
{
    shown->read_us = data ? data->read_us : TIME_NONE;
    shown->completed_us = data ? data->completed_us : TIME_NONE;
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
    CLEANUP(str_free) struct str name = {0}, path = {0};

    *message = (struct lib_message){.mail = mail, .head = head, .inbox = inbox};
    message_add_name(&name, head, true);
    message_add_path(&path, head, true);
    shown->id = lib_text(arena, head->id);
    shown->name = lib_text(arena, str_span(&name));
    shown->path = lib_text(arena, str_span(&path));
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
    shown->status = shown_statuses[head->status];
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
    str_puts(&bytes, ""); /* terminated even if it is empty */
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
    unsigned mode = lines ? SANITIZE_LINES : SANITIZE_LINE;
    struct str cleaned = {0};

    if (!text)
        return NULL;
    if (strcmp(nl_langinfo(CODESET), "UTF-8") != 0)
        mode |= SANITIZE_ASCII;
    sanitize_add(&cleaned, (struct span){text, length}, mode);
    return cleaned.at ? cleaned.at : mem_strdup("");
}

/* Returns the messages that a caller passed; NULL with the error. The caller frees the array. */
static struct message **take_messages(const struct swarmutt *mail,
                                      const struct swarmutt_message *const *messages, size_t count,
                                      bool in_inbox, struct swarmutt_error *error)
{
    lib_begin(error);
    if (!mail || (count && !messages)) {
        lib_misused(error, "a handle and messages are needed");
        return NULL;
    }
    struct message **heads = mem_zero(count, sizeof *heads);
    for (size_t i = 0; i < count; i++) {
        const struct lib_message *here = lib_message(mail, messages[i], error);
        if (!here) {
            free(heads);
            return NULL;
        }
        /* A message in both places counts as archived, except for archiving it again. */
        heads[i] = in_inbox && here->inbox ? here->inbox : here->head;
    }
    return heads;
}

/* Reports the outcome of each change to the caller. */
static bool report_changes(const struct changed *outcomes, size_t count,
                           struct swarmutt_change *changes, struct swarmutt_error *error)
{
    bool all = true;

    for (size_t i = count; i--;) { /* backwards: `error` keeps the first failure */
        const struct changed *outcome = &outcomes[i];
        if (!outcome->ok)
            all = lib_fail(error, &outcome->err);
        if (!changes)
            continue;
        memset(&changes[i], 0, sizeof changes[i]);
        changes[i].done = outcome->ok;
        changes[i].local = outcome->local;
        changes[i].remains = outcome->remains;
        if (!outcome->ok)
            lib_fail(&changes[i].error, &outcome->err);
    }
    return all;
}

static bool status_of(int status, enum status *meant)
{
    static const enum status statuses[] = {[SWARMUTT_READ] = STATUS_READ,
                                           [SWARMUTT_PROCESSING] = STATUS_PROCESSING,
                                           [SWARMUTT_FAILED] = STATUS_FAILED,
                                           [SWARMUTT_COMPLETED] = STATUS_COMPLETED};

    if (status < SWARMUTT_READ || status > SWARMUTT_COMPLETED)
        return false;
    *meant = statuses[status];
    return true;
}

bool swarmutt_mark(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                   size_t count, int status, struct swarmutt_change *changes,
                   struct swarmutt_error *error)
{
    CLEANUP(mem_free)
    struct message **heads = take_messages(mail, messages, count, false, error);
    enum status meant;

    if (!heads)
        return false;
    if (!status_of(status, &meant))
        return lib_misused(error, "messages are marked as read, processing, completed or failed");
    CLEANUP(mem_free) struct changed *outcomes = mem_zero(count, sizeof *outcomes);
    store_change(mail->store, heads, count, meant, (struct span){0}, outcomes);
    return report_changes(outcomes, count, changes, error);
}

/* Refuses a note if the source of one of the messages would not keep it. */
static bool can_keep_note(const struct swarmutt *mail, struct message *const *heads, size_t count,
                          struct swarmutt_error *error)
{
    struct err err;

    for (size_t i = 0; i < count; i++)
        if (!change_keeps_note(store_source(mail->store, heads[i]->place->source), &err))
            return lib_fail(error, &err);
    return true;
}

bool swarmutt_archive(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                      size_t count, const char *note, struct swarmutt_change *changes,
                      struct swarmutt_error *error)
{
    CLEANUP(mem_free)
    struct message **heads = take_messages(mail, messages, count, true, error);

    if (!heads || !lib_check_text(note, "note", error) ||
        (note && !can_keep_note(mail, heads, count, error)))
        return false;
    CLEANUP(mem_free) struct changed *outcomes = mem_zero(count, sizeof *outcomes);
    store_change(mail->store, heads, count, STATUS_ARCHIVED, span_of(note), outcomes);
    return report_changes(outcomes, count, changes, error);
}

bool swarmutt_restore(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                      size_t count, struct swarmutt_change *changes, struct swarmutt_error *error)
{
    CLEANUP(mem_free)
    struct message **heads = take_messages(mail, messages, count, false, error);

    if (!heads)
        return false;
    CLEANUP(mem_free) struct changed *outcomes = mem_zero(count, sizeof *outcomes);
    store_restore(mail->store, heads, count, outcomes);
    return report_changes(outcomes, count, changes, error);
}

bool swarmutt_seen(struct swarmutt *mail, const struct swarmutt_message *const *messages,
                   size_t count, struct swarmutt_error *error)
{
    CLEANUP(mem_free)
    struct message **heads = take_messages(mail, messages, count, false, error);
    struct err err = {0};

    return heads && (store_mark_seen(mail->store, heads, count, &err) || lib_fail(error, &err));
}
