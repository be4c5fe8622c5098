/* Files in mail directories that are no mail, and abandoned locks. */
#include "base/file/file.h"
#include "base/mem.h"
#include "base/thread.h"
#include "store/doctor/doctor_private.h"
#include "store/scan/walk.h"
#include "store/send/inbox_lock.h"

#include <ctype.h>
#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

/* Listing the entries that are no mail, and recognising them by name. */

/* For CLEANUP() of a directory, which may have failed to open. */
static void close_dir(const int *dir)
{
    if (*dir >= 0)
        close(*dir);
}

/* Like doctor_find(), but for such an entry, which is the object of a repair. */
static struct finding *other_find(struct exam *exam, bool problem, const struct other *other,
                                  struct span text, const char *advice)
{
    CLEANUP(str_free) struct str path = {0};

    str_add_path(&path, other->dir, other->name);
    struct finding *finding = doctor_find(exam, problem, str_span(&path), text, span_of(advice));
    finding->dir = other->dir;
    finding->name = other->name;
    return finding;
}

/* Removes a suffix from a name. Returns false if the name does not end with it. */
static bool other_without_end(struct span name, const char *end, struct span *start)
{
    size_t len = strlen(end);

    if (name.len <= len || !span_ends(name, end))
        return false;
    *start = (struct span){name.at, name.len - len};
    return true;
}

/* Returns true if a file of that name would be mail. */
static bool other_is_mail_name(const struct format *format, struct span name)
{
    for (size_t i = 0; i < format->rule_count && !place_is_ignored(name); i++) {
        struct place_names ignored = {0};
        unsigned last = 0;
        while (!place_is_last(format->rules[i].pattern, last))
            last++;
        if (place_match(place_component(format->rules[i].pattern, last), name, &ignored))
            return true;
    }
    return false;
}

static void keep_found(struct exam *exam, struct span team, struct span dir, struct span name)
{
    *mem_push(exam->others, exam->other_count, exam->other_cap) =
        (struct other){.team = arena_copy(&exam->arena, team),
                       .dir = arena_copy(&exam->arena, dir),
                       .name = arena_copy(&exam->arena, name)};
}

/* Lists staged files of the layout's log, which is written like mail but is in another
 * directory. */
static void list_log_dir(struct exam *exam)
{
    struct span log = span_of(exam->source->format->log_file), dir, name, target;
    struct dirent *entry;
    pid_t pid;

    if (!log.at || !span_split_last(log, '/', &dir, &name))
        return;
    dir = arena_copy(&exam->arena, dir);
    int fd = source_dir(exam->source, dir.at);
    DIR *stream = fd >= 0 ? fdopendir(fd) : NULL;
    if (!stream && fd >= 0)
        close(fd);
    while (stream && (entry = retry_readdir(stream)))
        if (file_is_staged_name(span_of(entry->d_name), &pid, &target))
            keep_found(exam, (struct span){0}, dir, span_of(entry->d_name));
    if (stream)
        closedir(stream);
}

static void count_dir(struct walker *walker, const struct found *dir)
{
    struct exam *exam = walker->context;
    bool first = true; /* count a directory once, even if several rules match it */

    for (const struct place_rule *rule = walker->rules; first && rule < dir->rule; rule++) {
        CLEANUP(str_free) struct str there = {0};
        place_dir(&there, rule->pattern, &dir->names);
        first = !span_eq(str_span(&there), dir->dir);
    }
    exam->dir_count += first;
}

static void ignore_file(struct walker *walker, const struct found *file)
{
    (void)walker;
    (void)file;
}

static void keep_entry(struct walker *walker, const struct found *entry)
{
    keep_found(walker->context, entry->names.team, entry->dir, entry->name);
}

bool others_list(struct exam *exam, struct err *err)
{
    const struct source *source = exam->source;
    struct walker walker = {.rules = source->format->rules,
                            .rule_count = source->format->rule_count,
                            .enter = count_dir,
                            .found = ignore_file,
                            .other = keep_entry,
                            .context = exam};

    list_log_dir(exam);
    return walk_tree(&walker, source->root, err);
}

static const char fix_removes[] = "swarmutt doctor --fix removes it";

/* Locks that were left beside inboxes. */

#define SHUT_OUT ": agents' programs cannot write to this inbox while it is there"

/* The sentence about a lock, with its age between the two parts. */
static const char *const lock_texts[LOCK_STRANGE + 1][2] = {
    [LOCK_LEFT] = {"a lock that nobody has refreshed for ", ": whoever took it is gone"},
    [LOCK_LEFT_CLAIM] = {"a lock of a swarmutt process that was killed ", " ago" SHUT_OUT},
    [LOCK_LEFT_FILE] = {"a lock file that was left behind ", " ago" SHUT_OUT},
    [LOCK_FILLED] = {"a lock directory, ", " old, with something in it" SHUT_OUT},
    [LOCK_AHEAD] = {"a lock that is dated ", " in the future: nobody can tell whether it is held"},
};

/* Appends what is known about a lock; returns the advice. */
static const char *say_lock(struct str *text, const struct lock_seen *seen)
{
    const char *const *parts = lock_texts[seen->state];

    if (seen->state == LOCK_DEAD_FILE) {
        str_addf(text, "a lock file of process %d, which has ended" SHUT_OUT, (int)seen->pid);
    } else if (parts[0]) {
        str_puts(text, parts[0]);
        time_add_age(text, (seen->age_ms < 0 ? -seen->age_ms : seen->age_ms) * 1000);
        str_puts(text, parts[1]);
    } else {
        str_puts(text, "where the lock of an inbox belongs is something that is neither directory "
                       "nor file" SHUT_OUT);
    }
    if (lock_is_left(seen->state))
        return fix_removes;
    return seen->state == LOCK_AHEAD
               ? "compare the clocks, and remove it by hand when no agent uses the inbox"
               : "look at what it is, and remove it by hand when no agent uses the inbox";
}

/* Reports a lock that a killed process was making or removing. */
static void check_private(struct exam *exam, struct other *other)
{
    CLEANUP(close_dir) int dir = source_dir(exam->source, other->dir.at);

    other->taken = true;
    if (dir >= 0 && lock_is_left_private(dir, other->name.at))
        other_find(exam, false, other,
                   span_of("a swarmutt process that was killed was making or removing a lock"),
                   fix_removes)
            ->fixable = true;
}

void check_locks(struct exam *exam)
{
    const struct format *format = exam->source->format;

    for (size_t i = 0; format->storage == STORAGE_ARRAY && i < exam->other_count; i++) {
        struct other *other = &exam->others[i];
        CLEANUP(str_free) struct str text = {0};
        struct span inbox;
        if (lock_is_private(other->name)) {
            check_private(exam, other);
            continue;
        }
        if (!other_without_end(other->name, ".lock", &inbox) || !other_is_mail_name(format, inbox))
            continue;
        inbox = arena_copy(&exam->arena, inbox);
        other->taken = true;
        CLEANUP(close_dir) int dir = source_dir(exam->source, other->dir.at);
        struct lock_seen seen = dir >= 0 ? lock_inspect(dir, inbox.at) : (struct lock_seen){0};
        if (seen.state == LOCK_NONE || seen.state == LOCK_HELD)
            continue;
        const char *advice = say_lock(&text, &seen);
        struct finding *finding = other_find(exam, true, other, str_span(&text), advice);
        finding->fixable = lock_is_left(seen.state);
        finding->name = inbox;
    }
}

/* Removes a lock by taking and releasing it, which succeeds only if nobody holds it. */
bool fix_lock(struct exam *exam, const struct finding *finding, struct err *err)
{
    const struct lock_options shortly = {.wait_ms = 500};
    CLEANUP(close_dir) int dir = source_open_dir(exam->source, finding->dir.at, err);
    struct lock lock;

    if (dir < 0)
        return false;
    if (lock_is_private(finding->name))
        return lock_clear_private(dir, finding->name.at) ||
               err_set(err, ERR_BOX, "it is not left behind any more");
    bool ok = lock_is_left(lock_inspect(dir, finding->name.at).state) ||
              err_set(err, ERR_BOX, "it is not left behind any more");
    ok = ok && lock_take(&lock, dir, finding->name.at, &shortly, err);
    if (ok)
        lock_release(&lock);
    else /* it was removed, but the time ran out before it could be taken */
        ok = lock_inspect(dir, finding->name.at).state == LOCK_NONE;
    return ok;
}

/* Age after which a temporary file counts as abandoned. Ours exist only during a write; agents'
 * programs may be slower, or suspended. */
#define OURS_US INT64_C(60000000)
#define THEIRS_US INT64_C(300000000)

/* The content of a file whose name is not that of mail. */
struct content {
    bool read;       /* could be parsed as mail */
    size_t messages; /* number of messages in it */
    size_t nowhere;  /* number of those that are neither in a box nor in the outbox */
    struct str one;  /* describes the first of these, or else the first message */
};

static void note_message(struct content *content, const struct exam *exam,
                         const struct message *message)
{
    bool lost = !exam_knows_id(exam, message->id);
    bool first_lost = lost && !content->nowhere;

    content->messages++;
    content->nowhere += lost;
    if (content->one.len && !first_lost)
        return;
    str_clear(&content->one);
    str_addf(&content->one, "%.*s from \"%.*s\"", (int)message->id.len, message->id.at,
             (int)message->from.len, message->from.at);
    if (message->to.len)
        str_addf(&content->one, " to \"%.*s\"", (int)message->to.len, message->to.at);
}

/* Parses the file as the layout would under its intended name. */
static struct content read_content(const struct exam *exam, const struct other *other,
                                   struct span name, unsigned want)
{
    struct content content = {0};
    struct place place = {.team = other->team, .dir = other->dir, .box = span_of("")};
    CLEANUP(batch_free) struct batch batch = {0};
    CLEANUP(str_free) struct str bytes = {0};
    struct file_id id;
    struct err ignored;
    CLEANUP(close_dir) int dir = source_dir(exam->source, other->dir.at);

    if (dir >= 0 &&
        file_read(dir, other->name.at, FILE_SIZE_MAX, &bytes, &id, &ignored) == FILE_OK) {
        struct mail_file file = {.place = &place,
                                 .name = arena_copy(&batch.arena, name),
                                 .bytes = str_span(&bytes),
                                 .mtime_us = id.mtime_ns / 1000};
        content.read = exam->source->format->parse(&file, want, &batch, &ignored);
        for (size_t i = 0; content.read && i < batch.count; i++)
            if (!batch.items[i].damaged)
                note_message(&content, exam, &batch.items[i]);
    }
    return content;
}

static bool stat_other(const struct exam *exam, const struct other *other, struct file_id *id)
{
    CLEANUP(close_dir) int dir = source_dir(exam->source, other->dir.at);

    return dir >= 0 && file_stat(dir, other->name.at, id, NULL) == FILE_OK && S_ISREG(id->mode);
}

/* Reports a temporary file of ours. If a killed process was exchanging files, it may be the only
 * copy of a message; then it is never removed. */
static void report_temporary(struct exam *exam, const struct other *other, const struct file_id *id,
                             struct span target, pid_t pid)
{
    struct content content = read_content(exam, other, target, WANT_HEAD);
    CLEANUP(str_free) struct str text = {0}, advice = {0};

    str_addf(&text, "process %d of swarmutt left it behind ", (int)pid);
    time_add_age(&text, time_now() - id->mtime_ns / 1000);
    str_puts(&text, " ago");
    bool mail = other_is_mail_name(exam->source->format, target);
    if (!mail) {
        str_addf(&advice, "compare it with %.*s, and remove it by hand", (int)target.len,
                 target.at);
    } else if (content.nowhere) {
        str_addf(&text, "; it holds %s, which is nowhere else", str_c(&content.one));
        str_puts(&advice, "look at it, and send that message again if it should arrive; then "
                          "remove the file by hand");
    } else {
        str_puts(&advice, fix_removes);
    }
    struct finding *finding = other_find(exam, true, other, str_span(&text), str_c(&advice));
    finding->fixable = mail && !content.nowhere;
    finding->id = *id;
    str_free(&content.one);
}

void check_temporaries(struct exam *exam)
{
    for (size_t i = 0; i < exam->other_count; i++) {
        struct other *other = &exam->others[i];
        struct file_id id;
        struct span target;
        pid_t pid;
        if (!file_is_staged_name(other->name, &pid, &target))
            continue;
        other->taken = true;
        if (process_has_ended(pid) && stat_other(exam, other, &id) &&
            time_now() - id.mtime_ns / 1000 > OURS_US)
            report_temporary(exam, other, &id, target, pid);
    }
}

/* Removes a temporary file. The lock on the names excludes every other swarmutt, visible or not. */
bool fix_temporary(struct exam *exam, const struct finding *finding, struct err *err)
{
    CLEANUP(close_dir) int dir = source_open_dir(exam->source, finding->dir.at, err);
    enum file_result result = FILE_FAILED;
    struct span target;
    pid_t pid;

    if (dir < 0)
        return false;
    if (!file_is_staged_name(finding->name, &pid, &target) || !process_has_ended(pid))
        err_set(err, ERR_REFUSED, "a process of that number runs again");
    else if (file_lock_names(dir, err))
        result = file_remove(dir, finding->name.at, &finding->id, err);
    if (result == FILE_CHANGED)
        err_set(err, ERR_MESSAGE, "somebody wrote to it meanwhile");
    return (result == FILE_OK || result == FILE_GONE) && file_sync_dir(dir, err);
}

static void report_unfinished(struct exam *exam, const struct other *other,
                              const struct file_id *id, struct span name)
{
    struct content content = read_content(exam, other, name, WANT_HEAD);
    CLEANUP(str_free) struct str text = {0}, advice = {0};

    str_puts(&text, "an agent's program wrote it ");
    time_add_age(&text, time_now() - id->mtime_ns / 1000);
    str_puts(&text, " ago and never gave it its name; ");
    if (content.nowhere) {
        str_addf(&text, "it holds the message %s, which is nowhere else", str_c(&content.one));
        str_puts(&advice, "if that program is gone, in its directory: mv -n ");
        doctor_add_word(&advice, other->name);
        str_putc(&advice, ' ');
        doctor_add_word(&advice, name);
    } else {
        if (content.messages)
            str_addf(&text, "its message %s is there all the same", str_c(&content.one));
        else
            str_puts(&text, "it holds no whole message");
        str_puts(&advice, "if that program is gone, remove it by hand");
    }
    other_find(exam, content.nowhere, other, str_span(&text), str_c(&advice));
    str_free(&content.one);
}

/* Reports a temporary file whose intended name is not that of a message. */
static void report_abandoned(struct exam *exam, const struct other *other, const struct file_id *id)
{
    CLEANUP(str_free) struct str text = {0};

    str_puts(&text, "a temporary file that nobody has touched for ");
    time_add_age(&text, time_now() - id->mtime_ns / 1000);
    other_find(exam, false, other, str_span(&text),
               "look at it; if whoever wrote it is gone, remove it by hand");
}

void check_unfinished(struct exam *exam)
{
    for (size_t i = 0; i < exam->other_count; i++) {
        struct other *other = &exam->others[i];
        struct span name;
        struct file_id id;
        if (other->taken || !other_without_end(other->name, ".tmp", &name))
            continue;
        other->taken = true;
        if (!stat_other(exam, other, &id) || time_now() - id.mtime_ns / 1000 <= THEIRS_US)
            continue;
        if (other_is_mail_name(exam->source->format, name))
            report_unfinished(exam, other, &id, name);
        else
            report_abandoned(exam, other, &id);
    }
}

/* Returns true for NAME.damaged-EPOCH, which appending to a damaged inbox creates. */
static bool is_saved(const struct format *format, struct span name, struct span *inbox)
{
    struct span mark = {0};
    const char *at = memmem(name.at, name.len, ".damaged-", 9);

    if (!at)
        return false;
    *inbox = (struct span){name.at, (size_t)(at - name.at)};
    mark = (struct span){at + 9, name.len - inbox->len - 9};
    return mark.len && isdigit((unsigned char)mark.at[0]) && other_is_mail_name(format, *inbox);
}

void check_saved(struct exam *exam)
{
    for (size_t i = 0; i < exam->other_count; i++) {
        struct other *other = &exam->others[i];
        CLEANUP(str_free) struct str text = {0};
        struct span inbox;
        if (other->taken || !is_saved(exam->source->format, other->name, &inbox))
            continue;
        other->taken = true;
        struct content content = read_content(exam, other, inbox, WANT_HEAD | WANT_SALVAGE);
        str_addf(&text, "%.*s as it was when it was damaged; ", (int)inbox.len, inbox.at);
        size_t there = content.messages - content.nowhere;
        if (content.messages)
            str_addf(&text, "%zu message%s can be read in it, %zu of them %s in the inbox now",
                     content.messages, content.messages == 1 ? "" : "s", there,
                     there == 1 ? "is" : "are");
        else
            str_puts(&text, "no whole message can be read in it");
        other_find(exam, false, other, str_span(&text),
                   "compare the two, and remove this one by hand when nothing is missing");
        str_free(&content.one);
    }
}

/* Adds one remark per directory; entries are sorted by directory. */
void check_not_mail(struct exam *exam)
{
    enum { SHOWN = 3 };

    for (size_t i = 0, end; i < exam->other_count; i = end) {
        CLEANUP(str_free) struct str names = {0}, text = {0};
        size_t count = 0;
        for (end = i;
             end < exam->other_count && span_eq(exam->others[end].dir, exam->others[i].dir);
             end++) {
            const struct other *other = &exam->others[end];
            if (other->taken || place_is_ignored(other->name))
                continue;
            if (count++ < SHOWN)
                str_addf(&names, "%s%s", count > 1 ? ", " : "", other->name.at);
        }
        if (count) {
            doctor_add_count(&text, count, "entry here is", "entries here are");
            str_addf(&text, " no mail, and no agent reads %s: %s%s", count == 1 ? "it" : "them",
                     str_c(&names), count > SHOWN ? ", ..." : "");
            doctor_find(exam, false, exam->others[i].dir, str_span(&text),
                        span_of("if a message is among them, give it the name that the layout "
                                "needs (swarmutt-formats(5))"));
        }
    }
}
