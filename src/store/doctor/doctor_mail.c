/* Messages that somebody cannot read or never sees, and messages that exist twice or are done. */
#include "base/io_error.h"
#include "store/doctor/doctor_private.h"
#include "store/store_private.h"

/* Messages that somebody cannot read or never sees. */

/* Like doctor_find(), but for a message, which is the object of a repair. */
static struct finding *find_message(struct exam *exam, bool problem, struct message *message,
                                    const struct str *text, const struct str *advice)
{
    CLEANUP(str_free) struct str path = {0};

    message_add_name(&path, message, false);
    struct finding *finding =
        doctor_find(exam, problem, str_span(&path), str_span(text), str_span(advice));
    finding->message = message;
    return finding;
}

static void add_owner_advice(struct str *advice, struct span path)
{
    str_puts(advice, "see who owns it, and what it is: ls -ld ");
    doctor_add_word(advice, path);
}

void check_unreadable(struct exam *exam)
{
    if (exam->failure.scope != ERR_NONE) {
        CLEANUP(str_free) struct str advice = {0};
        add_owner_advice(&advice, span_of(exam->source->path));
        doctor_find(exam, true, span_of("."), span_of(exam->failure.text), str_span(&advice));
    }
    for (size_t i = 0; i < exam->model.count; i++) {
        struct message *message = exam->model.messages[i];
        CLEANUP(str_free) struct str path = {0}, text = {0}, advice = {0};
        if (!message->damaged || !message->unread_bytes)
            continue;
        message_add_path(&path, message, true);
        str_puts(&text, message->damaged);
        if (message->whole_folder)
            str_puts(&text, "; nothing in it is seen");
        add_owner_advice(&advice, str_span(&path));
        find_message(exam, true, message, &text, &advice);
    }
}

/* Appends the advice; it names only changes that the store allows. */
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

void check_damaged(struct exam *exam)
{
    for (size_t i = 0; i < exam->model.count; i++) {
        struct message *message = exam->model.messages[i];
        CLEANUP(str_free) struct str text = {0}, advice = {0};
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

/* Appends the first ids of a group. */
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

static void report_blind(struct exam *exam, struct message *const *group, size_t count)
{
    CLEANUP(str_free) struct str text = {0}, advice = {0};

    str_addf(&text, "\"%.*s\" SEES NO MAIL AT ALL: ", (int)group[0]->to.len, group[0]->to.at);
    doctor_add_count(&text, count, "message carries", "messages carry");
    str_puts(&text, " a time zone, and its whole mailbox check fails on that");
    str_puts(&advice, "put them away, and have them sent again without a zone: swarmutt archive ");
    add_ids(&advice, exam, group, count);
    find_message(exam, true, group[0], &text, &advice);
}

void check_blind(struct exam *exam)
{
    exam_group(exam, is_zoned, by_recipient, report_blind);
}

static bool is_expired(const struct exam *exam, const struct message *message)
{
    return !message->damaged && !message->place->archived && message->status == STATUS_UNREAD &&
           message_expired(message, exam->doctor->now_us);
}

static void report_expired(struct exam *exam, struct message *const *group, size_t count)
{
    CLEANUP(str_free) struct str text = {0}, advice = {0};

    doctor_add_count(&text, count, "unread message", "unread messages");
    str_addf(&text, " for \"%.*s\" %s past %s time", (int)group[0]->to.len, group[0]->to.at,
             count == 1 ? "is" : "are", count == 1 ? "its" : "their");
    str_puts(&advice, "send again what still matters, and put the rest away: swarmutt archive ");
    add_ids(&advice, exam, group, count);
    find_message(exam, false, group[0], &text, &advice);
}

void check_expired(struct exam *exam)
{
    exam_group(exam, is_expired, by_recipient, report_expired);
}

void check_stray(struct exam *exam)
{
    for (size_t i = 0; i < exam->model.count; i++) {
        struct message *message = exam->model.messages[i];
        CLEANUP(str_free) struct str text = {0}, advice = {0};
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

static const struct message *archived_copy(const struct model *model, const struct message *message)
{
    if (message->place->archived)
        return message;
    for (size_t i = 0; i < model->double_count; i++) {
        const struct message *other = model->doubles[i];
        if (other->place->archived && span_eq(other->id, message->id) &&
            span_eq(other->place->box, message->place->box) &&
            span_eq(other->place->team, message->place->team))
            return other;
    }
    return NULL;
}

/* Reads both messages and stores whether they differ only in their state. Returns false if one
 * cannot be read. */
static bool compare_mail(const struct exam *exam, const struct message *a, const struct message *b,
                         bool *equal, struct err *err)
{
    const struct format *format = exam->source->format;
    struct str bytes[2] = {{0}}, blank[2] = {{0}};
    const struct message *copies[] = {a, b};
    bool same = format->archiving == ARCHIVE_COPY, read = true;

    for (int i = 0; same && read && i < 2; i++) {
        read = load_raw(exam->source, copies[i], NULL, &bytes[i], err);
        same = read && format_blank_state(format, str_span(&bytes[i]), &blank[i], err);
    }
    *equal = same && span_eq(str_span(&blank[0]), str_span(&blank[1]));
    for (int i = 0; i < 2; i++) {
        str_free(&bytes[i]);
        str_free(&blank[i]);
    }
    return read;
}

static void report_in_both(struct exam *exam, struct message *inbox, const struct message *archived)
{
    CLEANUP(str_free) struct str text = {0}, advice = {0};
    struct err err = {0};
    bool same;

    if (!compare_mail(exam, inbox, archived, &same, &err)) {
        io_error_note_err(&err);
        return;
    }
    if (same) {
        str_puts(&text, "it is in the archive as well: archiving it stopped before it left the "
                        "inbox, or a program that still ran wrote it there again");
        str_puts(&advice, "swarmutt doctor --fix archives it again");
    } else {
        str_addf(&text, "another message in the archive has the same id: %s", archived->file.at);
        str_puts(&advice, "compare the two; if this one is done with: swarmutt archive ");
        CLEANUP(str_free) struct str path = {0};
        message_add_name(&path, inbox, false);
        doctor_add_word(&advice, str_span(&path));
    }
    struct finding *finding = find_message(exam, same, inbox, &text, &advice);
    finding->fixable = same;
    finding->twin = archived;
}

void check_in_both(struct exam *exam)
{
    for (size_t i = 0; i < exam->model.count; i++) {
        struct message *message = exam->model.messages[i];
        if (!(message->flags & MESSAGE_IN_BOTH))
            continue;
        struct message *inbox = model_inbox_copy(&exam->model, message);
        const struct message *archived = archived_copy(&exam->model, message);
        if (inbox && archived && !archived->place->local) /* a locally archived copy is no file */
            report_in_both(exam, inbox, archived);
    }
}

static bool has_own_id(const struct exam *exam, const struct message *message)
{
    return !message->damaged && !message->place->local && exam_knows_id(exam, message->id) > 1;
}

static int by_id(const struct message *a, const struct message *b)
{
    return span_cmp(a->id, b->id);
}

/* Returns true for copies of one message for several agents, which are intended. */
static bool is_copy(const struct message *a, const struct message *b)
{
    return span_eq(a->from, b->from) && span_eq(a->subject, b->subject) &&
           a->created_us == b->created_us && !span_eq(a->place->box, b->place->box);
}

static void report_same_id(struct exam *exam, struct message *const *group, size_t count)
{
    CLEANUP(str_free) struct str text = {0}, advice = {0};
    const struct message *other = NULL;

    for (size_t i = 1; i < count && !other; i++)
        if (!is_copy(group[0], group[i]))
            other = group[i];
    if (!other)
        return;
    str_puts(&text, "another message has the same id: ");
    message_add_name(&text, other, false);
    if (count > 2)
        str_addf(&text, ", and %zu more", count - 2);
    str_puts(&advice, "name them by their paths: an answer may be taken for one to the other");
    find_message(exam, false, group[0], &text, &advice);
}

void check_same_id(struct exam *exam)
{
    if (exam->source->format->fields & FIELD_ID) /* other layouts derive the id from the content */
        exam_group(exam, has_own_id, by_id, report_same_id);
}

/* Maps ids to the first answer that is not by the author of the message. */
static void map_answers(const struct exam *exam, struct map *answers)
{
    CLEANUP(map_free) struct map authors = {0}; /* id -> 1 + index of the message */
    bool fresh;

    for (size_t i = 0; i < exam->model.count; i++)
        if (!exam->model.messages[i]->damaged)
            *map_put(&authors, exam->model.messages[i]->id, &fresh) = (uint32_t)i + 1;
    for (size_t i = 0; i < exam->model.count; i++) {
        const struct message *answer = exam->model.messages[i];
        const uint32_t *of =
            answer->damaged || !answer->reply_to.len ? NULL : map_get(&authors, answer->reply_to);
        if (!of || span_eq(exam->model.messages[*of - 1]->from, answer->from))
            continue;
        uint32_t *first = map_put(answers, answer->reply_to, &fresh);
        if (fresh)
            *first = (uint32_t)i;
    }
}

static void report_answered(struct exam *exam, struct message *message,
                            const struct message *answer)
{
    bool ours = message->mine && answer->by_us && exam_knows_id(exam, message->id) == 1;
    CLEANUP(str_free) struct str text = {0}, advice = {0};

    str_addf(&text, "%.*s answers it, and it still lies in the inbox: the archive step is missing",
             (int)answer->id.len, answer->id.at);
    if (ours) {
        str_puts(&advice, "swarmutt doctor --fix archives it");
    } else {
        str_addf(&advice, "it is for \"%.*s\" to archive; if they are gone: swarmutt archive ",
                 (int)message->place->box.len, message->place->box.at);
        doctor_add_id(&advice, exam, message);
    }
    find_message(exam, true, message, &text, &advice)->fixable = ours;
}

void check_answered(struct exam *exam)
{
    CLEANUP(map_free) struct map answers = {0};

    if (!exam->source->format->answered_archived)
        return;
    map_answers(exam, &answers);
    for (size_t i = 0; i < exam->model.count; i++) {
        struct message *message = exam->model.messages[i];
        const uint32_t *index =
            message->damaged || message->place->archived ? NULL : map_get(&answers, message->id);
        if (index && !span_eq(exam->model.messages[*index]->from, message->from))
            report_answered(exam, message, exam->model.messages[*index]);
    }
}

bool fix_archive(struct exam *exam, const struct finding *finding, struct err *err)
{
    struct changing how = store_changing(exam->store, exam->source->index);
    struct message *message = finding->message;
    struct changed outcome;
    bool same = true;

    if (finding->twin && !compare_mail(exam, message, finding->twin, &same, err))
        return false;
    if (!same)
        return err_set(err, ERR_MESSAGE, "somebody changed it meanwhile");
    change_messages(&how, &message, 1, STATUS_ARCHIVED, &outcome);
    if (!outcome.ok)
        *err = outcome.err;
    return outcome.ok;
}
