/* Heads: folding one message small and opening it again. */
#include "mail/live/head_private.h"

enum { NOTICE_PARTS = sizeof(struct notice) / sizeof(struct span) };

static bool is_worked_on(const struct message *message)
{
    return message->status == STATUS_PROCESSING && message->data &&
           message->data->read_us != WHEN_NONE;
}

static unsigned bits_of(const struct message *message)
{
    return (is_worked_on(message) ? BIT_READ_AT : 0) | (message->subject.at ? BIT_SUBJECT : 0) |
           (message->thread.at ? BIT_THREAD : 0) | (message->reply_to.at ? BIT_REPLY_TO : 0) |
           (message->damaged ? BIT_DAMAGED : 0) | (message->notice ? BIT_NOTICE : 0) |
           (message->work ? BIT_WORK : 0) | (message->refused ? BIT_REFUSED : 0) |
           (message->requires_response ? BIT_REQUIRES_RESPONSE : 0) |
           (message->unread_bytes ? BIT_UNREAD_BYTES : 0) | (message->seen ? BIT_SEEN : 0) |
           (message->read_here ? BIT_READ_HERE : 0) | (message->mine ? BIT_MINE : 0) |
           (message->by_us ? BIT_BY_US : 0) | (message->whole_folder ? BIT_WHOLE_FOLDER : 0) |
           (span_starts(message->file, message->id) ? BIT_ID_IN_FILE : 0);
}

/* Texts one after the other, each with a NUL behind it. */
static char *put_text(char *to, struct span text)
{
    if (text.len)
        memcpy(to, text.at, text.len);
    to[text.len] = '\0';
    return to + text.len + 1;
}

/* A part of a notice: whether it is there, its length, itself. */
static char *put_part(char *to, struct span part)
{
    uint32_t len = part.at ? (uint32_t)part.len + 1 : 0;

    memcpy(to, &len, sizeof len);
    return len ? put_text(to + sizeof len, part) : to + sizeof len;
}

static size_t part_size(struct span part)
{
    return sizeof(uint32_t) + (part.at ? part.len + 1 : 0);
}

static size_t work_size(const struct work *work)
{
    return part_size(work->giver) + part_size(work->job) + sizeof work->read_us +
           sizeof work->completed_us;
}

static char *put_work(char *to, const struct work *work)
{
    to = put_part(to, work->giver);
    to = put_part(to, work->job);
    to = mempcpy(to, &work->read_us, sizeof work->read_us);
    return mempcpy(to, &work->completed_us, sizeof work->completed_us);
}

size_t head_text_size(const struct message *message)
{
    unsigned bits = bits_of(message);
    size_t size = message->file.len + 1;

    size += bits & BIT_ID_IN_FILE ? 0 : message->id.len + 1;
    size += bits & BIT_SUBJECT ? message->subject.len + 1 : 0;
    size += bits & BIT_THREAD ? message->thread.len + 1 : 0;
    size += bits & BIT_REPLY_TO ? message->reply_to.len + 1 : 0;
    size += bits & BIT_DAMAGED ? strlen(message->damaged) + 1 : 0;
    size += bits & BIT_READ_AT ? sizeof message->data->read_us : 0;
    for (size_t i = 0; bits & BIT_NOTICE && i < NOTICE_PARTS; i++)
        size += part_size(((const struct span *)message->notice)[i]);
    size += bits & BIT_WORK ? work_size(message->work) : 0;
    return size;
}

void head_put_text(char *to, const struct message *message)
{
    unsigned bits = bits_of(message);

    to = put_text(to, message->file);
    if (!(bits & BIT_ID_IN_FILE))
        to = put_text(to, message->id);
    if (bits & BIT_SUBJECT)
        to = put_text(to, message->subject);
    if (bits & BIT_THREAD)
        to = put_text(to, message->thread);
    if (bits & BIT_REPLY_TO)
        to = put_text(to, message->reply_to);
    if (bits & BIT_DAMAGED)
        to = put_text(to, span_of(message->damaged));
    if (bits & BIT_READ_AT)
        to = mempcpy(to, &message->data->read_us, sizeof message->data->read_us);
    for (size_t i = 0; bits & BIT_NOTICE && i < NOTICE_PARTS; i++)
        to = put_part(to, ((const struct span *)message->notice)[i]);
    if (bits & BIT_WORK)
        put_work(to, message->work);
}

struct head head_of(const struct message *message)
{
    return (struct head){.created_us = message->created_us,
                         .expires_us = message->expires_us,
                         .raw_at = message->raw_at,
                         .raw_len = message->raw_len,
                         .print = message->print,
                         .content = message->content,
                         .id_len = (uint32_t)message->id.len,
                         .subject_len = (uint32_t)message->subject.len,
                         .thread_len = (uint32_t)message->thread.len,
                         .reply_len = (uint32_t)message->reply_to.len,
                         .file_len = (uint16_t)message->file.len,
                         .flags = message->flags,
                         .bits = (uint16_t)bits_of(message),
                         .priority = message->priority,
                         .status = message->status,
                         .kind = message->kind,
                         .verdict = message->verdict,
                         .said = message->said,
                         .answered = message->answered & 3,
                         .read_unsaid = message->read_unsaid,
                         .wants_none = message->wants_none,
                         .used = true};
}

/* Passes over a text of that length and the NUL behind it. */
static bool pass_text(struct span *rest, size_t len)
{
    if (rest->len <= len || rest->at[len])
        return false;
    *rest = (struct span){rest->at + len + 1, rest->len - len - 1};
    return true;
}

static bool pass_bytes(struct span *rest, size_t len)
{
    if (rest->len < len)
        return false;
    *rest = (struct span){rest->at + len, rest->len - len};
    return true;
}

static bool pass_part(struct span *rest)
{
    uint32_t len;

    if (rest->len < sizeof len)
        return false;
    memcpy(&len, rest->at, sizeof len);
    return pass_bytes(rest, sizeof len) && (!len || pass_text(rest, len - 1));
}

bool head_text_fits(const struct head *head, struct span text)
{
    unsigned bits = head->bits;
    struct span rest = text;
    bool ok =
        pass_text(&rest, head->file_len) &&
        (bits & BIT_ID_IN_FILE ? head->id_len <= head->file_len : pass_text(&rest, head->id_len)) &&
        (!(bits & BIT_SUBJECT) || pass_text(&rest, head->subject_len)) &&
        (!(bits & BIT_THREAD) || pass_text(&rest, head->thread_len)) &&
        (!(bits & BIT_REPLY_TO) || pass_text(&rest, head->reply_len)) &&
        (!(bits & BIT_DAMAGED) || pass_text(&rest, strnlen(rest.at, rest.len))) &&
        (!(bits & BIT_READ_AT) || pass_bytes(&rest, sizeof(int64_t)));

    for (size_t i = 0; ok && bits & BIT_NOTICE && i < NOTICE_PARTS; i++)
        ok = pass_part(&rest);
    if (ok && bits & BIT_WORK)
        /* NOLINTNEXTLINE(misc-redundant-expression): two parts, one after the other */
        ok = pass_part(&rest) && pass_part(&rest) && pass_bytes(&rest, 2 * sizeof(int64_t));
    return ok && !rest.len;
}

static struct span take_text(const char **at, bool there, size_t len)
{
    struct span text = {there ? *at : NULL, there ? len : 0};

    *at += there ? len + 1 : 0;
    return text;
}

static struct span take_part(const char **at)
{
    uint32_t len;

    memcpy(&len, *at, sizeof len);
    *at += sizeof len;
    return take_text(at, len != 0, len ? len - 1 : 0);
}

static struct notice *take_notice(const char **at, struct arena *arena)
{
    struct notice *notice = arena_alloc(arena, sizeof *notice);

    for (size_t i = 0; i < NOTICE_PARTS; i++)
        ((struct span *)notice)[i] = take_part(at);
    return notice;
}

static struct work *take_work(const char *at, struct arena *arena)
{
    struct work *work = arena_alloc(arena, sizeof *work);

    work->giver = take_part(&at);
    work->job = take_part(&at);
    memcpy(&work->read_us, at, sizeof work->read_us);
    memcpy(&work->completed_us, at + sizeof work->read_us, sizeof work->completed_us);
    return work;
}

void head_open(const struct head *head, const struct span *names, const struct place *place,
               struct message *message, struct arena *arena)
{
    const char *at = head->text + head->file_len + 1;
    unsigned bits = head->bits;

    *message = (struct message){.id = head_id(head),
                                .file = head_file(head),
                                .from = head->from ? names[head->from] : (struct span){0},
                                .to = head->to ? names[head->to] : (struct span){0},
                                .type = head->type ? names[head->type] : (struct span){0},
                                .place = place,
                                .created_us = head->created_us,
                                .expires_us = head->expires_us,
                                .raw_at = head->raw_at,
                                .raw_len = head->raw_len,
                                .print = head->print,
                                .content = head->content,
                                .priority = head->priority,
                                .status = head->status,
                                .kind = head->kind,
                                .verdict = head->verdict,
                                .said = head->said,
                                .answered = head->answered,
                                .requires_response = bits & BIT_REQUIRES_RESPONSE,
                                .unread_bytes = bits & BIT_UNREAD_BYTES,
                                .seen = bits & BIT_SEEN,
                                .read_here = bits & BIT_READ_HERE,
                                .mine = bits & BIT_MINE,
                                .by_us = bits & BIT_BY_US,
                                .whole_folder = bits & BIT_WHOLE_FOLDER,
                                .refused = bits & BIT_REFUSED,
                                .read_unsaid = head->read_unsaid,
                                .wants_none = head->wants_none,
                                .flags = head->flags};
    at += bits & BIT_ID_IN_FILE ? 0 : head->id_len + 1;
    message->subject = take_text(&at, bits & BIT_SUBJECT, head->subject_len);
    message->thread = take_text(&at, bits & BIT_THREAD, head->thread_len);
    message->reply_to = take_text(&at, bits & BIT_REPLY_TO, head->reply_len);
    if (bits & BIT_DAMAGED) {
        message->damaged = at;
        at += strlen(at) + 1;
    }
    if (bits & BIT_READ_AT && arena) {
        message->data = arena_alloc(arena, sizeof *message->data);
        message->data->completed_us = WHEN_NONE;
        memcpy(&message->data->read_us, at, sizeof message->data->read_us);
    }
    at += bits & BIT_READ_AT ? sizeof message->data->read_us : 0;
    if (bits & BIT_NOTICE && arena)
        message->notice = take_notice(&at, arena);
    if (bits & BIT_WORK && arena)
        message->work = take_work(at, arena);
}
