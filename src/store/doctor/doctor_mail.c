/* The doctor, messages: those that somebody cannot read or never sees. */
#include "store/doctor/doctor_private.h"

static void find_message(struct exam *exam, bool problem, const struct message *message,
                         struct str *text, struct str *advice)
{
    struct str path = {0};

    message_add_name(&path, message, false);
    doctor_find(exam, problem, str_span(&path), text, advice);
    str_free(&path);
}

void look_unreadable(struct exam *exam)
{
    struct str text = {0}, advice = {0};

    if (exam->failure.scope != ERR_NONE) {
        str_puts(&text, exam->failure.text);
        str_puts(&advice, "see who owns it, and what it is: ls -ld ");
        doctor_add_word(&advice, span_of(exam->source->path));
        doctor_find(exam, true, span_of("."), &text, &advice);
    }
    for (size_t i = 0; i < exam->model.count; i++) {
        const struct message *message = exam->model.messages[i];
        struct str path = {0};
        if (!message->damaged || !message->unread_bytes)
            continue;
        message_add_path(&path, message, true);
        str_puts(&text, message->damaged);
        if (message->whole_folder)
            str_puts(&text, "; nothing in it is seen");
        str_puts(&advice, "see who owns it, and what it is: ls -ld ");
        doctor_add_word(&advice, str_span(&path));
        find_message(exam, true, message, &text, &advice);
        str_free(&path);
    }
}

/* What can be done about it is what change.c allows. */
static void advise_damaged(struct str *advice, const struct exam *exam,
                           const struct message *message)
{
    enum archiving archiving = exam->source->format->archiving;

    str_puts(advice, "see its bytes: swarmutt show --raw ");
    doctor_add_id(advice, exam, message);
    if (message->place->archived)
        return;
    if (archiving == ARCHIVE_MOVE || archiving == ARCHIVE_DELETE) {
        str_puts(advice, "; put it away: swarmutt archive ");
        doctor_add_id(advice, exam, message);
    } else {
        str_puts(advice, "; ask who wrote it to send it again");
    }
}

void look_damaged(struct exam *exam)
{
    for (size_t i = 0; i < exam->model.count; i++) {
        const struct message *message = exam->model.messages[i];
        struct str text = {0}, advice = {0};
        if (message->flags & MESSAGE_DANGEROUS) {
            str_puts(&text, "its head is a program, which the usual reader of this layout would "
                            "run");
        } else if (message->damaged && !message->unread_bytes) {
            str_puts(&text, message->damaged);
        } else {
            continue;
        }
        advise_damaged(&advice, exam, message);
        find_message(exam, !message->place->archived, message, &text, &advice);
    }
}

/* The first ids of a group. */
static void add_ids(struct str *out, const struct exam *exam, struct message *const *group,
                    size_t count)
{
    enum { SHOWN = 3 };

    for (size_t i = 0; i < count && i < SHOWN; i++) {
        str_puts(out, i ? " " : "");
        doctor_add_id(out, exam, group[i]);
    }
    if (count > SHOWN)
        str_puts(out, " ...");
}

static int by_recipient(const struct message *a, const struct message *b)
{
    int order = span_cmp(a->place->team, b->place->team);

    return order ? order : span_cmp(a->to, b->to);
}

static bool is_zoned(const struct exam *exam, const struct message *message)
{
    (void)exam;
    return message->flags & MESSAGE_ZONED_TIME && !message->damaged && !message->place->archived;
}

static void tell_blind(struct exam *exam, struct message *const *group, size_t count)
{
    struct str text = {0}, advice = {0};

    str_addf(&text, "\"%.*s\" SEES NO MAIL AT ALL: ", (int)group[0]->to.len, group[0]->to.at);
    doctor_add_count(&text, count, "message carries", "messages carry");
    str_puts(&text, " a time zone, and its whole mailbox check fails on that");
    str_puts(&advice, "put them away, and have them sent again without a zone: swarmutt archive ");
    add_ids(&advice, exam, group, count);
    find_message(exam, true, group[0], &text, &advice);
}

void look_blind(struct exam *exam)
{
    exam_group(exam, is_zoned, by_recipient, tell_blind);
}

static bool is_expired(const struct exam *exam, const struct message *message)
{
    return !message->damaged && !message->place->archived && message->status == STATUS_UNREAD &&
           message_expired(message, exam->doctor->now_us);
}

static void tell_expired(struct exam *exam, struct message *const *group, size_t count)
{
    struct str text = {0}, advice = {0};

    doctor_add_count(&text, count, "unread message", "unread messages");
    str_addf(&text, " for \"%.*s\" %s past %s time", (int)group[0]->to.len, group[0]->to.at,
             count == 1 ? "is" : "are", count == 1 ? "its" : "their");
    str_puts(&advice, "send again what still matters, and put the rest away: swarmutt archive ");
    add_ids(&advice, exam, group, count);
    find_message(exam, false, group[0], &text, &advice);
}

void look_expired(struct exam *exam)
{
    exam_group(exam, is_expired, by_recipient, tell_expired);
}

void look_stray(struct exam *exam)
{
    for (size_t i = 0; i < exam->model.count; i++) {
        const struct message *message = exam->model.messages[i];
        struct str text = {0}, advice = {0};
        if (!(message->flags & MESSAGE_STRAY) || message->damaged || message->place->archived)
            continue;
        str_addf(&text, "it is for \"%.*s\" and lies in the box of \"%.*s\", who never sees it",
                 (int)message->to.len, message->to.at, (int)message->place->box.len,
                 message->place->box.at);
        str_puts(&advice, "see whom it is meant for: swarmutt show ");
        doctor_add_id(&advice, exam, message);
        str_puts(&advice, "; then send it again with swarmutt send --to NAME");
        find_message(exam, message->status == STATUS_UNREAD, message, &text, &advice);
    }
}
