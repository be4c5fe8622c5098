/* The ledger: reading it, and checking that it is as it was written. */
#include "store/decide/ledger_private.h"

#include "base/file/retry.h"
#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

void ledger_free(struct ledger *ledger)
{
    arena_free(&ledger->arena);
    free(ledger->entries);
    free(ledger->decisions);
    free(ledger->findings);
    free(ledger->links);
    map_free(&ledger->by_decision);
    map_free(&ledger->by_key);
    *ledger = (struct ledger){0};
}

/* One pass over lines. A line that is no entry is only judged when the next one has told whether it
 * was torn. */
struct reading {
    struct ledger *ledger;
    struct ledger_head head;
    size_t bad_line; /* 0: none */
    enum ledger_line bad;
};

static void find(struct ledger *ledger, size_t line, bool damage, const char *format, ...)
    __attribute__((format(printf, 4, 5)));

static void find(struct ledger *ledger, size_t line, bool damage, const char *format, ...)
{
    struct err sentence;
    va_list args;

    va_start(args, format);
    vsnprintf(sentence.text, sizeof sentence.text, format, args);
    va_end(args);
    ledger->findings = mem_grow(ledger->findings, &ledger->finding_cap, ledger->finding_count + 1,
                                sizeof *ledger->findings);
    ledger->findings[ledger->finding_count++] =
        (struct ledger_finding){line, damage, span_of(arena_strdup(&ledger->arena, sentence.text))};
    ledger->damage += damage;
    ledger->unsettled |= line == 0;
}

static const char *entries_are(int64_t count)
{
    return count == 1 ? "entry is" : "entries are";
}

static void judge_bad(struct reading *reading, bool torn)
{
    if (!reading->bad_line)
        return;
    if (torn)
        find(reading->ledger, reading->bad_line, false,
             "line %zu was not finished: a crash while it was written", reading->bad_line);
    else if (reading->bad == LINE_CHANGED)
        find(reading->ledger, reading->bad_line, true,
             "line %zu was changed: its bytes and its sum differ", reading->bad_line);
    else
        find(reading->ledger, reading->bad_line, true,
             "line %zu is no entry: it was changed, or put in", reading->bad_line);
    reading->bad_line = 0;
}

/* Whether an entry stands where it was written. */
static void judge_place(struct reading *reading, const struct ledger_entry *entry, const char *sum)
{
    struct ledger *ledger = reading->ledger;
    bool follows = span_is(entry->prev, ledger->head) || (entry->version > 1 && !entry->prev.at);
    int64_t missing = entry->number ? entry->number - ledger->number - 1 : 0;
    bool after_damage = reading->bad_line && !(follows && entry->torn);

    if (follows && entry->torn && !reading->bad_line && entry->line > 1)
        find(ledger, ledger->lines - 1, false, "line %zu had no end: a crash while it was written",
             ledger->lines - 1);
    judge_bad(reading, follows && entry->torn);
    if (entry->version > 1 && !ledger->newer) {
        ledger->newer = true;
        find(ledger, entry->line, false,
             "line %zu is of version %lld, which is newer than this program: it is shown as far as "
             "it is understood",
             entry->line, (long long)entry->version);
    }
    if (missing > 0)
        find(ledger, entry->line, true, "%lld %s missing before line %zu", (long long)missing,
             entries_are(missing), entry->line);
    else if (!follows && entry->line == 1)
        find(ledger, 1, true, "line 1 is not the first one: what stood before it is missing");
    else if ((!follows && !after_damage) || missing < 0)
        find(ledger, entry->line, true,
             "line %zu does not follow line %zu: one of them was changed, moved or put in",
             entry->line, entry->line - 1);
    else if (entry->number && entry->number == reading->head.number &&
             memcmp(sum, reading->head.sum, LEDGER_SUM) != 0)
        find(ledger, entry->line, true,
             "line %zu is not the one that was written: ledger.head has another sum", entry->line);
}

static void take_line(struct reading *reading, struct span line)
{
    struct ledger *ledger = reading->ledger;
    struct ledger_entry entry;
    char sum[LEDGER_SUM + 1];
    enum ledger_line kind = ledger_parse_line(&entry, line, sum, &ledger->arena);

    entry.line = ++ledger->lines;
    if (kind == LINE_ENTRY) {
        judge_place(reading, &entry, sum);
        ledger_take_entry(ledger, &entry);
    } else {
        judge_bad(reading, false);
        reading->bad_line = ledger->lines;
        reading->bad = kind;
    }
    ledger->number = kind == LINE_ENTRY && entry.number ? entry.number : ledger->number + 1;
    memcpy(ledger->head, sum, sizeof sum);
}

/* The last line has no newline: it was being written when something ended its writer, unless the
 * head knows that it was finished. */
static void take_unended(struct reading *reading, struct span line)
{
    struct ledger *ledger = reading->ledger;
    size_t entries = ledger->count;

    ledger->unsettled = true;
    take_line(reading, line);
    bool was_finished = reading->head.number >= ledger->number;
    if (was_finished)
        find(ledger, ledger->lines, true,
             "line %zu was cut or changed: ledger.head knows that it was finished", ledger->lines);
    else if (ledger->count > entries)
        find(ledger, ledger->lines, false, "line %zu has no end: a crash while it was written",
             ledger->lines);
    if (was_finished)
        reading->bad_line = 0;
    judge_bad(reading, true);
}

static void take_lines(struct reading *reading, struct span bytes, bool settled)
{
    while (bytes.len) {
        const char *newline = memchr(bytes.at, '\n', bytes.len);
        struct span line = {bytes.at, newline ? (size_t)(newline - bytes.at) : bytes.len};
        if (!newline) {
            if (settled)
                take_unended(reading, line);
            else
                reading->ledger->unsettled = true;
            break;
        }
        take_line(reading, line);
        bytes.at += line.len + 1;
        bytes.len -= line.len + 1;
    }
    judge_bad(reading, false);
    if (reading->head.number > reading->ledger->number) {
        int64_t missing = reading->head.number - reading->ledger->number;
        find(reading->ledger, 0, true, "the last %lld %s missing, as ledger.head says",
             (long long)missing, entries_are(missing));
    }
}

/* Nothing before the size that it had under the lock ever changes. `settled`: nobody was writing
 * then. */
static bool look(int fd, struct stat *st, bool *settled)
{
    *settled = ledger_lock(fd, false);
    bool ok = fstat(fd, st) == 0;
    if (*settled)
        flock(fd, LOCK_UN);
    return ok;
}

static void start_over(struct ledger *ledger, const struct stat *st)
{
    ledger_free(ledger);
    ledger->there = true;
    ledger->dev = st->st_dev;
    ledger->ino = st->st_ino;
    memcpy(ledger->head, ledger_no_sum, sizeof ledger->head);
    if (st->st_mode & 022)
        find(ledger, 0, false, "others can write to it (mode %03o)",
             (unsigned)(st->st_mode & 0777));
    ledger->unsettled = false;
}

/* Takes in what was added. False and errno on failure. */
static bool read_rest(struct ledger *ledger, int fd, off_t size, bool settled,
                      const struct ledger_head *head)
{
    struct reading reading = {.ledger = ledger, .head = *head};
    size_t len = (size_t)(size - ledger->size);
    char *bytes = arena_bytes(&ledger->arena, len + 1);

    if (!ledger_pread(fd, bytes, len, ledger->size))
        return false;
    ledger->size = size;
    take_lines(&reading, (struct span){bytes, len}, settled);
    return true;
}

static bool read_open(struct ledger *ledger, int fd, const char *path,
                      const struct ledger_head *head, struct err *err)
{
    size_t damage = ledger->damage;
    struct stat st;
    bool settled, ok = true;

    if (!look(fd, &st, &settled))
        return err_set(err, ERR_SOURCE, "%s: it cannot be looked at: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_SOURCE,
                       "%s: something that is no file stands in the place of the ledger", path);
    bool anew = !ledger->size || ledger->unsettled || ledger->dev != st.st_dev ||
                ledger->ino != st.st_ino || st.st_size < ledger->size;
    if (!anew && st.st_size > ledger->size) {
        ok = read_rest(ledger, fd, st.st_size, settled, head);
        anew = ok && ledger->damage > damage; /* perhaps it is another one in the same place */
    }
    if (anew) {
        start_over(ledger, &st);
        ok = read_rest(ledger, fd, st.st_size, settled, head);
    }
    if (ok)
        return true;
    return err_set(err, ERR_SOURCE, "%s: the ledger cannot be read: %s", path, strerror(errno));
}

bool ledger_read(struct ledger *ledger, struct err *err)
{
    struct str path = {0};
    struct ledger_head head;
    /* the head before the lines: it is never ahead of them */
    bool ok = ledger_path(&path, false, err) && ledger_head_read(&head, str_c(&path), err);

    if (ok) {
        int fd = retry_open(AT_FDCWD, str_c(&path),
                            O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);
        if (fd >= 0) {
            ok = read_open(ledger, fd, str_c(&path), &head, err);
            close(fd);
        } else if (errno == ENOENT || errno == ENOTDIR) {
            ledger_free(ledger);
            memcpy(ledger->head, ledger_no_sum, sizeof ledger->head);
            ledger->there = head.number > 0;
            if (ledger->there)
                find(ledger, 0, true, "the ledger is gone: it had %lld %s", (long long)head.number,
                     head.number == 1 ? "entry" : "entries");
        } else {
            ok = err_set(err, ERR_SOURCE, "%s: %s%s", str_c(&path),
                         errno == ELOOP ? "the ledger is a link, and links are not followed"
                                        : "the ledger cannot be opened: ",
                         errno == ELOOP ? "" : strerror(errno));
        }
    }
    str_free(&path);
    return ok;
}

bool ledger_has_sum(const struct ledger *ledger, struct span sum)
{
    if (span_is(sum, ledger->head))
        return true;
    for (size_t i = ledger->count; i--;)
        if (span_eq(ledger->entries[i]->prev, sum))
            return true;
    return false;
}
