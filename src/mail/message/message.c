/* A message: the words for its states, its names, and the orders it is sorted in. */
#include "mail/message/message.h"

#include "base/map.h"
#include "base/text/utf8.h"

static const char *const priority_names[] = {
    [PRIORITY_LOW] = "low",
    [PRIORITY_NORMAL] = "normal",
    [PRIORITY_HIGH] = "high",
    [PRIORITY_URGENT] = "urgent",
};

static const char *const status_names[] = {
    [STATUS_UNREAD] = "unread",         [STATUS_READ] = "read",
    [STATUS_PROCESSING] = "processing", [STATUS_FAILED] = "failed",
    [STATUS_COMPLETED] = "completed",   [STATUS_ARCHIVED] = "archived",
};

static const char *const flag_texts[] = {
    ("the same id lies in the inbox and in the archive: an agent that was running wrote it again; "
     "archive it again"),
    "a time carries a zone, which makes the agent's mailbox check fail",
    "the file starts with a byte order mark, which the agent's loader does not accept",
    "the file is not UTF-8, which the agent's loader may not accept",
    "a field stands twice; the last one counts",
    "it lies in another agent's box",
    "a field has the wrong type: agents may pass the message over, or remove it",
    "its head is more than a list of simple fields: what could not be read is shown as it is",
    "DANGEROUS: its head is a program that the usual reader would run; nothing of it is run here",
    "it has no time that can be read; its order comes from its name, its place or its file",
    "several messages lie in a file that is meant for one: they are handled together",
    "dated in the future: its order comes from when its file was written",
    "a field has a value that its layout does not know: the nearest one counts",
};

static const char *const flag_words[] = {
    "in inbox and archive",
    "time with a zone",
    "byte order mark",
    "not UTF-8",
    "a field twice",
    "in another box",
    "wrong type",
    "odd head",
    "DANGEROUS head",
    "no time",
    "shared file",
    "from the future",
    "odd value",
};

static bool find_word(const char *const *words, size_t count, struct span word, unsigned *index)
{
    for (unsigned i = 0; i < count; i++) {
        if (words[i] && span_is(word, words[i])) {
            *index = i;
            return true;
        }
    }
    return false;
}

const char *priority_name(enum priority priority)
{
    return priority ? priority_names[priority] : "-";
}

const char *priority_word(unsigned number)
{
    enum priority priority = PRIORITY_LOW + number;

    return priority <= PRIORITY_URGENT ? priority_name(priority) : NULL;
}

bool priority_is_told(enum priority priority)
{
    return priority != PRIORITY_NORMAL && priority != PRIORITY_NONE;
}

bool priority_parse(struct span word, enum priority *priority)
{
    unsigned index;

    if (!find_word(priority_names, sizeof priority_names / sizeof *priority_names, word, &index))
        return false;
    *priority = index;
    return true;
}

const char *status_name(enum status status)
{
    return status < STATUS_NONE ? status_names[status] : "-";
}

const char *mark_word(unsigned number)
{
    static const enum status marks[] = {STATUS_READ, STATUS_PROCESSING, STATUS_COMPLETED,
                                        STATUS_FAILED};

    return number < sizeof marks / sizeof *marks ? status_name(marks[number]) : NULL;
}

bool status_parse(struct span word, enum status *status)
{
    unsigned index;

    if (!find_word(status_names, sizeof status_names / sizeof *status_names, word, &index))
        return false;
    *status = index;
    return true;
}

bool status_may_become(enum status from, enum status to)
{
    if (from == STATUS_FAILED && (to == STATUS_READ || to == STATUS_PROCESSING))
        return true;
    return to > from;
}

enum status message_marked(const struct message *message)
{
    return message->read_here ? STATUS_UNREAD : message->status;
}

bool message_left_unread(const struct message *message)
{
    return message_marked(message) == STATUS_UNREAD && !message->read_unsaid;
}

bool message_is_unread(const struct message *message)
{
    return message->status == STATUS_UNREAD && (!message->read_unsaid || message_for_us(message));
}

const char *message_flag_text(unsigned bit)
{
    return bit < sizeof flag_texts / sizeof *flag_texts ? flag_texts[bit] : NULL;
}

void message_set_time(struct message *message, int64_t claimed_us, int64_t written_us)
{
    enum { SLACK_US = 5 * 60 * 1000000 }; /* clocks of machines that share a disk differ */

    message->created_us = claimed_us;
    if (claimed_us == WHEN_NONE || !written_us || claimed_us - SLACK_US <= written_us)
        return;
    message->created_us = written_us;
    message->flags |= MESSAGE_AHEAD;
}

void message_set_content(struct message *message, int64_t claimed_us, uint64_t text_hash)
{
    const struct span parts[] = {
        message->from, {(const char *)&claimed_us, sizeof claimed_us}, message->subject};

    /* The local state stores it with marks: it must be the same in every run. */
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        text_hash = map_hash_wide(parts[i], text_hash + i);
    message->content = map_narrow(text_hash);
}

const char *message_flag_word(unsigned bit)
{
    return bit < sizeof flag_words / sizeof *flag_words ? flag_words[bit] : NULL;
}

bool message_expired(const struct message *message, int64_t now_us)
{
    return message->expires_us != WHEN_NONE && message->expires_us <= now_us;
}

bool message_for_us(const struct message *message)
{
    return message->mine && (!message->by_us || span_eq(message->from, message->to));
}

bool message_hides_ours(const struct message *message)
{
    return message->unread_bytes && (message->mine || !message->place->box.at);
}

void message_add_age(struct str *out, const struct message *message, int64_t now_us)
{
    if (message->created_us == WHEN_NONE)
        return;
    str_puts(out, message->flags & MESSAGE_STAND_IN_TIME ? "~" : "");
    when_add_age(out, now_us - message->created_us);
}

struct span message_spoken_id(struct span id, bool short_replies)
{
    enum { SHORT_ID = 8 };

    if (short_replies && id.len > SHORT_ID)
        id.len = SHORT_ID;
    return id;
}

struct span message_recipient(const struct message *message)
{
    return message->to.len ? message->to : message->place->box;
}

void message_add_spelled(struct str *out, struct span name)
{
    while (name.len) {
        int32_t code = utf8_next(&name);
        bool plain = (code >= 'A' && code <= 'Z') || (code >= 'a' && code <= 'z') ||
                     (code >= '0' && code <= '9') || code == '-' || code == '_';
        if (plain)
            str_putc(out, (char)code);
        else
            str_puts(out, code > 0xffff ? "--" : "-"); /* one for each unit of UTF-16 */
    }
}

bool message_name_fits(struct span name, struct span box)
{
    struct str spelled = {0};

    message_add_spelled(&spelled, name);
    bool fits = span_eq(name, box) || span_eq(str_span(&spelled), box);
    str_free(&spelled);
    return fits;
}

void message_add_path(struct str *out, const struct message *message, bool absolute)
{
    const struct place *place = message->place;

    if (absolute)
        str_addf(out, "%s/", place->root);
    str_add_span(out, place->dir);
    if (place->dir.len)
        str_putc(out, '/');
    str_add_span(out, message->file);
}

bool message_err_at(struct err *err, const struct message *message)
{
    struct str path = {0};

    message_add_path(&path, message, false);
    err_at(err, str_c(&path));
    str_free(&path);
    return false;
}

static void add_number(struct str *out, const struct message *message)
{
    if (!message->raw_len)
        return;
    str_putc(out, '#');
    str_add_span(out, message->id);
}

void message_add_part(struct str *out, const struct message *message)
{
    str_add_span(out, message->file);
    add_number(out, message);
}

void message_add_name(struct str *out, const struct message *message, bool absolute)
{
    message_add_path(out, message, absolute);
    add_number(out, message);
}

void message_add_copy(struct str *out, const struct message *message)
{
    if (!message->place->local)
        return;
    str_putc(out, '#');
    str_add_span(out, message->id);
    str_addf(out, "~%08x", message->content);
}

int message_cmp_time(const struct message *a, const struct message *b)
{
    if (a->created_us != b->created_us)
        return a->created_us < b->created_us ? -1 : 1;
    return span_cmp(a->id, b->id);
}

int message_cmp_place(const struct message *a, const struct message *b)
{
    const struct place *x = a->place, *y = b->place;

    if (x->source != y->source)
        return x->source < y->source ? -1 : 1;
    int order = span_cmp(x->dir, y->dir);
    order = order ? order : span_cmp(a->file, b->file);
    if (!order && a->raw_at != b->raw_at)
        return a->raw_at < b->raw_at ? -1 : 1;
    return order ? order : span_cmp(a->id, b->id);
}

int message_cmp_newest(const struct message *a, const struct message *b)
{
    int order = message_cmp_time(b, a);

    return order ? order : message_cmp_place(a, b);
}

int message_cmp_urgency(const struct message *a, const struct message *b)
{
    if (a->priority != b->priority)
        return a->priority > b->priority ? -1 : 1;
    return message_cmp_time(a, b);
}
