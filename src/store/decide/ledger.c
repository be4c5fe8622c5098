/* The ledger: adding a line, and its words for people.
 *
 * The lock is held while the last line is read and the new one is written, not during the sync:
 * when a line is on disk, all lines before it are on disk too. */
#include "store/decide/ledger.h"

#include "base/file/file.h"
#include "base/json/json_print.h"
#include "base/time.h"
#include "base/uuid.h"
#include "store/source/our_paths.h"

#include <errno.h>
#include <fcntl.h>
#include <sha2.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* The ledger's files: lines, paths, the lock, and the head. */

/* One line: writing and parsing its members, and its sums.
 *
 * A line ends with the member "sum", the SHA-256 of everything before it, so that the last line is
 * protected too, which has no successor that knows its sum. */

const char ledger_no_sum[] = "0000000000000000000000000000000000000000000000000000000000000000";

static const char sum_start[] = ",\"sum\":\"", sum_end[] = "\"}";

enum { SUM_TAIL = sizeof sum_start - 1 + LEDGER_SUM + sizeof sum_end - 1 };

static const char *const event_words[] = {
    [LEDGER_INTENT] = "intent", [LEDGER_DELIVERED] = "delivered", [LEDGER_VERIFIED] = "verified",
    [LEDGER_EFFECT] = "effect", [LEDGER_REFUSED] = "refused",     [LEDGER_FAILED] = "failed",
    [LEDGER_LOST] = "lost",
};

const char *ledger_event_word(enum ledger_event event)
{
    return event < LEDGER_OTHER ? event_words[event] : "";
}

/* A member that is a text or a number, or an object of members. */
struct ledger_member {
    const char *key;
    size_t at; /* in struct ledger_entry */
    bool number;
    const struct ledger_member *inner;
};

#define TEXT(key, field)                                                                           \
    {                                                                                              \
        key, offsetof(struct ledger_entry, field), false, NULL                                     \
    }
#define NUMBER(key, field)                                                                         \
    {                                                                                              \
        key, offsetof(struct ledger_entry, field), true, NULL                                      \
    }

static const struct ledger_member request_members[] = {
    TEXT("message", request.message), TEXT("id", request.id),
    TEXT("file", request.file),       NUMBER("at", request.at),
    NUMBER("len", request.len),       TEXT("sha256", request.sha256),
    TEXT("asked", request.asked),     {0},
};

static const struct ledger_member answer_members[] = {
    TEXT("message", answer.message),
    TEXT("file", answer.file),
    TEXT("sha256", answer.sha256),
    TEXT("text", answer.text),
    {0},
};

static const struct ledger_member terms_members[] = {
    TEXT("mode", terms.mode),
    TEXT("feedback", terms.feedback),
    TEXT("rules", terms.rules),
    {0},
};

/* In the order of writing. */
static const struct ledger_member members[] = {
    TEXT("decision", decision),
    TEXT("verb", verb),
    TEXT("kind", kind),
    TEXT("by", by),
    NUMBER("uid", uid),
    NUMBER("pid", pid),
    TEXT("format", format),
    TEXT("source", root),
    TEXT("team", team),
    TEXT("agent", agent),
    {.key = "request", .inner = request_members},
    {.key = "answer", .inner = answer_members},
    {.key = "terms", .inner = terms_members},
    TEXT("note", note),
    TEXT("seen_in", seen_in),
    {0},
};

static struct span text_at(const struct ledger_entry *entry, const struct ledger_member *member)
{
    return *(const struct span *)(const void *)((const char *)entry + member->at);
}

static int64_t number_at(const struct ledger_entry *entry, const struct ledger_member *member)
{
    return *(const int64_t *)(const void *)((const char *)entry + member->at);
}

/* True if the member is to be written. `at` and `len` are written when there is a part of a file,
 * even if it starts at 0. */
static bool is_there(const struct ledger_entry *entry, const struct ledger_member *member)
{
    bool place = member->at == offsetof(struct ledger_entry, request.at) ||
                 member->at == offsetof(struct ledger_entry, request.len);

    if (member->inner) {
        const struct ledger_member *inner = member->inner;
        while (inner->key && !is_there(entry, inner))
            inner++;
        return inner->key != NULL;
    }
    if (member->number)
        return place ? entry->request.len > 0 : number_at(entry, member) >= 0;
    return text_at(entry, member).at != NULL;
}

static void put_members(struct str *out, const struct ledger_entry *entry,
                        const struct ledger_member *list, const char *comma)
{
    for (; list->key; list++) {
        if (!is_there(entry, list))
            continue;
        str_addf(out, "%s\"%s\":", comma, list->key);
        comma = ",";
        if (list->inner) {
            str_putc(out, '{');
            put_members(out, entry, list->inner, "");
            str_putc(out, '}');
        } else if (list->number) {
            str_addf(out, "%lld", (long long)number_at(entry, list));
        } else {
            json_put_text(out, text_at(entry, list), &json_style_line);
        }
    }
}

void ledger_add_members(struct str *out, const struct ledger_entry *entry)
{
    put_members(out, entry, members, ",");
}

/* Computes the sum of the line, and that of the part before its own sum. */
static void add_up(struct span line, size_t body, char line_sum[LEDGER_SUM + 1],
                   char body_sum[LEDGER_SUM + 1])
{
    SHA2_CTX whole, part;

    SHA256Init(&whole);
    SHA256Update(&whole, (const uint8_t *)line.at, body);
    part = whole;
    SHA256End(&part, body_sum);
    SHA256Update(&whole, (const uint8_t *)line.at + body, line.len - body);
    SHA256End(&whole, line_sum);
}

void ledger_sum(struct span text, char sum[LEDGER_SUM + 1])
{
    char ignored[LEDGER_SUM + 1];

    add_up(text, 0, sum, ignored);
}

void ledger_add_line(struct str *out, const struct ledger_entry *entry, char sum[LEDGER_SUM + 1])
{
    char own[LEDGER_SUM + 1];
    size_t start = out->len;

    str_addf(out, "{\"v\":1,\"n\":%lld,\"prev\":\"%.*s\",\"at\":\"", (long long)entry->number,
             (int)entry->prev.len, entry->prev.at);
    time_add_utc_ms(out, entry->at_us);
    str_addf(out, "\",\"event\":\"%s\"", ledger_event_word(entry->event));
    ledger_add_members(out, entry);
    if (entry->torn)
        str_puts(out, ",\"torn\":true");
    size_t body = out->len - start;
    add_up((struct span){out->at + start, body}, body, sum, own);
    str_addf(out, "%s%s%s", sum_start, own, sum_end);
    add_up((struct span){out->at + start, out->len - start}, body, sum, own);
}

/* Returns a whole number that a double can hold exactly, or 0. */
static int64_t read_number(struct json value)
{
    int64_t number = 0;

    if (value.kind != JSON_NUMBER || value.raw.len > 16)
        return 0;
    for (size_t i = 0; i < value.raw.len; i++) {
        if (value.raw.at[i] < '0' || value.raw.at[i] > '9')
            return 0;
        number = number * 10 + (value.raw.at[i] - '0');
    }
    return number <= LEDGER_NUMBER_MAX ? number : 0;
}

static enum ledger_event event_of(struct json value)
{
    enum ledger_event event = 0;

    while (event < LEDGER_OTHER && !json_is(value, event_words[event]))
        event++;
    return event;
}

/* Reads a member about the line itself. False if it is another member. */
static bool read_own(struct ledger_entry *entry, struct json key, struct json value,
                     struct arena *arena)
{
    enum time_zone zone;

    if (json_is(key, "v"))
        entry->version = read_number(value);
    else if (json_is(key, "n"))
        entry->number = read_number(value);
    else if (json_is(key, "prev"))
        entry->prev = json_text(arena, value);
    else if (json_is(key, "at") && value.kind == JSON_STRING)
        entry->at_us = time_parse(json_text(arena, value), &zone);
    else if (json_is(key, "event")) {
        entry->event = event_of(value);
        entry->word = json_text(arena, value);
    } else if (json_is(key, "torn"))
        entry->torn = value.kind == JSON_TRUE;
    else
        return false;
    return true;
}

static void read_member(struct ledger_entry *entry, const struct ledger_member *list,
                        struct json key, struct json value, struct arena *arena)
{
    struct json_walk walk;
    struct json inner_key, inner_value;

    while (list->key && !json_is(key, list->key))
        list++;
    if (!list->key)
        return;
    void *at = (char *)entry + list->at;
    if (list->inner) {
        if (json_open(&walk, value.raw, JSON_STRICT, NULL))
            while (json_next(&walk, &inner_key, &inner_value))
                read_member(entry, list->inner, inner_key, inner_value, arena);
    } else if (list->number) {
        *(int64_t *)at = read_number(value);
    } else {
        *(struct span *)at = json_text(arena, value);
    }
}

static bool read_object(struct ledger_entry *entry, struct span line, struct arena *arena)
{
    struct json_walk walk;
    struct json key, value;

    *entry = (struct ledger_entry){.event = LEDGER_OTHER, .at_us = TIME_NONE, .uid = -1, .pid = -1};
    if (!json_open(&walk, line, JSON_STRICT, NULL) || walk.kind != JSON_OBJECT)
        return false;
    while (json_next(&walk, &key, &value))
        if (!read_own(entry, key, value, arena))
            read_member(entry, members, key, value, arena);
    return json_close(&walk, NULL);
}

enum ledger_line ledger_parse_line(struct ledger_entry *entry, struct span line,
                                   char sum[LEDGER_SUM + 1], struct arena *arena)
{
    bool has_tail = line.len > SUM_TAIL && span_ends(line, sum_end) &&
                    memcmp(line.at + line.len - SUM_TAIL, sum_start, sizeof sum_start - 1) == 0;
    size_t body = has_tail ? line.len - SUM_TAIL : line.len;
    char own[LEDGER_SUM + 1];

    add_up(line, body, sum, own);
    if (!read_object(entry, line, arena))
        return LINE_BROKEN;
    if (has_tail)
        return memcmp(line.at + body + sizeof sum_start - 1, own, LEDGER_SUM) == 0 ? LINE_ENTRY
                                                                                   : LINE_CHANGED;
    return entry->version > 1 ? LINE_ENTRY : LINE_CHANGED; /* a later version may do without */
}

enum { HEAD_DIGITS = 16, HEAD_SIZE = HEAD_DIGITS + 1 + LEDGER_SUM + 1 };

bool ledger_path(struct str *path, bool make, struct err *err)
{
    if (!home_state(path, make, err))
        return false;
    str_puts(path, "/ledger");
    return true;
}

/* Others hold the lock for a few system calls only. A process that was stopped meanwhile must not
 * block everybody for ever, and readers hardly at all: they can do without the lock. */
bool ledger_lock(int fd, bool to_write)
{
    int tries = to_write ? 10000 : 100;

    for (int i = 0; i < tries; i++) {
        if (flock(fd, (to_write ? LOCK_EX : LOCK_SH) | LOCK_NB) == 0)
            return true;
        if (errno != EWOULDBLOCK && errno != EINTR)
            return false;
        time_sleep(1000);
    }
    errno = EWOULDBLOCK;
    return false;
}

bool ledger_pread(int fd, char *at, size_t len, int64_t from)
{
    if (file_read_at(fd, at, len, from) == len)
        return true;
    errno = errno ? errno : EIO; /* shorter than before: it only ever grows */
    return false;
}

/* Opens the head. Returns -1 with errno 0 when there is none, else with the error. */
static int open_head(const char *name)
{
    struct stat st;
    int fd =
        retry_open(AT_FDCWD, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0);

    if (fd < 0) {
        bool none = errno == ENOENT || errno == ENOTDIR || errno == ELOOP || errno == ENXIO;
        errno = none ? 0 : errno;
        return -1;
    }
    int problem = fstat(fd, &st) < 0 ? errno : 0;
    if (!problem && S_ISREG(st.st_mode))
        return fd;
    close(fd);
    errno = problem;
    return -1;
}

static void parse_head(struct ledger_head *head, const char *text, size_t len)
{
    char *end;

    *head = (struct ledger_head){0};
    if (len != HEAD_SIZE || text[HEAD_DIGITS] != ' ' || text[HEAD_SIZE - 1] != '\n')
        return;
    long long number = strtoll(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || end != text + HEAD_DIGITS || number > LEDGER_NUMBER_MAX)
        return;
    head->number = number;
    memcpy(head->sum, text + HEAD_DIGITS + 1, LEDGER_SUM);
}

bool ledger_head_read(struct ledger_head *head, const char *path, struct err *err)
{
    char text[HEAD_SIZE + 1] = "";
    CLEANUP(str_free) struct str name = {0};

    str_addf(&name, "%s.head", path);
    int fd = open_head(str_c(&name));
    int problem = fd < 0 ? errno : 0;
    size_t got = fd >= 0 ? file_read_at(fd, text, HEAD_SIZE, 0) : 0;
    if (fd >= 0 && got < HEAD_SIZE)
        problem = errno;
    if (fd >= 0)
        close(fd);
    parse_head(head, text, got);
    if (problem)
        err_set(err, ERR_SOURCE, "%s: it cannot be read: %s", str_c(&name), strerror(problem));
    return !problem;
}

static bool write_whole(const char *name, struct span text)
{
    int fd = retry_open(
        AT_FDCWD, name,
        O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);
    bool ok = fd >= 0 && file_write_all(fd, text);

    return fd >= 0 && retry_close(fd) == 0 && ok;
}

/* Renames the new head only when it is complete, so that a failed or short write leaves the old
 * one. The name of the temporary file is fixed: the lock excludes other processes. */
static void ledger_head_write(const struct ledger_head *head, const char *path)
{
    CLEANUP(str_free) struct str text = {0};
    CLEANUP(str_free) struct str name = {0};
    CLEANUP(str_free) struct str fresh = {0};
    struct ledger_head there;

    str_addf(&name, "%s.head", path);
    str_addf(&fresh, "%s.tmp", str_c(&name));
    str_addf(&text, "%0*lld %s\n", HEAD_DIGITS, (long long)head->number, head->sum);
    if (ledger_head_read(&there, path, NULL) && there.number < head->number &&
        (!write_whole(str_c(&fresh), str_span(&text)) || rename(str_c(&fresh), str_c(&name)) < 0))
        unlink(str_c(&fresh));
}

/* Words: what was done, and how far it came. */

/* A verb as what was done and as what was wanted; %k is the kind of the request. */
static const struct {
    const char *verb, *done, *wanted, *of;
} deeds[] = {
    {"approve", "approved", "approve", " the %k of "},
    {"reject", "rejected", "reject", " the %k of "},
    {"accept", "accepted", "accept", " the %k of "},
    {"decline", "declined", "decline", " the %k of "},
    {"grant", "granted", "grant", " a permission to "},
    {"deny", "denied", "deny", " a permission to "},
    {"allow-host", "allowed", "allow", " a host to "},
    {"deny-host", "denied", "deny", " a host to "},
    {"shutdown", "asked", "ask", " for a shutdown of "},
    {"mode", "set", "set", " the mode of "},
    {"assign", "assigned", "assign", " a task to "},
    {"rules", "sent", "send", " permission rules to "},
    {"escalate", "escalated", "escalate", " to "},
};
enum { DEEDS = sizeof deeds / sizeof *deeds };

static void add_agent(struct str *out, const struct ledger_entry *whole)
{
    if (!whole->agent.len) {
        str_puts(out, "nobody in particular");
        return;
    }
    str_add_span(out, whole->agent);
    if (whole->team.len) {
        str_putc(out, '@');
        str_add_span(out, whole->team);
    }
}

static bool is_sent(const struct decision_record *record)
{
    return record->state >= DECISION_DELIVERED;
}

void decision_add_action(struct str *out, const struct decision_record *record)
{
    const struct ledger_entry *whole = &record->whole;
    size_t i = 0;

    while (i < DEEDS && !span_is(whole->verb, deeds[i].verb))
        i++;
    if (!is_sent(record))
        str_puts(out, "wanted to ");
    if (i < DEEDS) {
        const char *kind = strstr(deeds[i].of, "%k");
        str_puts(out, is_sent(record) ? deeds[i].done : deeds[i].wanted);
        str_add(out, deeds[i].of, kind ? (size_t)(kind - deeds[i].of) : strlen(deeds[i].of));
        if (kind) {
            str_add_span(out, whole->kind.len ? whole->kind : span_of("request"));
            str_puts(out, kind + strlen("%k"));
        }
    } else { /* a verb of a later version */
        str_addf(out, "%s\"", is_sent(record) ? "did " : "do ");
        str_add_span(out, whole->verb);
        str_puts(out, "\" to ");
    }
    add_agent(out, whole);
}

static void add_note(struct str *out, const struct ledger_entry *entry, const char *usual)
{
    if (entry && entry->note.len)
        str_add_span(out, entry->note);
    else
        str_puts(out, usual);
}

static void add_effect(struct str *out, const struct decision_record *record)
{
    const struct ledger_entry *effect = record->effect;
    const struct ledger_entry *from = record->sent ? record->sent : record->first;
    bool timed = effect->at_us != TIME_NONE && from->at_us != TIME_NONE && from != effect;

    str_puts(out, "confirmed: ");
    if (effect->note.len) {
        str_add_span(out, effect->note);
    } else {
        str_add_span(out, record->whole.agent);
        str_puts(out, " went on");
    }
    if (!effect->seen_in.len && !timed)
        return;
    str_puts(out, " (");
    str_add_span(out, effect->seen_in);
    str_puts(out, effect->seen_in.len && timed ? ", " : "");
    if (timed && effect->at_us - from->at_us < 1000000) {
        str_puts(out, "at once");
    } else if (timed) {
        time_add_age(out, effect->at_us - from->at_us);
        str_puts(out, " later");
    }
    str_putc(out, ')');
}

void decision_add_state(struct str *out, const struct decision_record *record)
{
    switch (record->state) {
    case DECISION_UNKNOWN:
        str_puts(out, "interrupted: it is not known to be sent");
        break;
    case DECISION_REFUSED:
        str_puts(out, "not sent, refused: ");
        add_note(out, record->ended, "the request had changed or was answered");
        break;
    case DECISION_FAILED:
        str_puts(out, "not sent: ");
        add_note(out, record->ended, "it could not be written");
        break;
    case DECISION_DELIVERED:
        str_puts(out, "sent, unconfirmed; nobody has looked whether it stayed");
        break;
    case DECISION_VERIFIED:
        str_puts(out, "sent, unconfirmed");
        break;
    case DECISION_LOST:
        str_puts(out, "lost: ");
        add_note(out, record->ended, "it was written and has vanished");
        break;
    case DECISION_EFFECT:
        add_effect(out, record);
        break;
    }
}

const char *decision_state_word(enum decision_state state)
{
    static const char *const words[] = {
        [DECISION_UNKNOWN] = "interrupted", [DECISION_REFUSED] = "refused",
        [DECISION_FAILED] = "failed",       [DECISION_DELIVERED] = "sent",
        [DECISION_VERIFIED] = "verified",   [DECISION_LOST] = "lost",
        [DECISION_EFFECT] = "confirmed",
    };

    return words[state];
}

void ledger_new_decision(char name[LEDGER_DECISION + 1])
{
    CLEANUP(str_free) struct str text = {0};

    uuid_add(&text);
    memcpy(name, str_c(&text), LEDGER_DECISION + 1);
}

static bool fail_append(struct err *err, const char *path, const char *what)
{
    return err_set(err, ERR_SOURCE, "%s: %s: %s", path, what, strerror(errno));
}

/* Checks the ledger: a file that others can write to, or have put there, proves nothing. */
static bool is_ours(const struct stat *st, const char *path, struct err *err)
{
    if (!S_ISREG(st->st_mode))
        return err_set(err, ERR_SOURCE,
                       "%s: something that is no file stands in the place of the ledger; move it "
                       "away",
                       path);
    if (st->st_uid != geteuid())
        return err_set(err, ERR_SOURCE,
                       "%s: the ledger belongs to somebody else: see who it is, and move it away",
                       path);
    if (st->st_mode & 022)
        return err_set(err, ERR_SOURCE,
                       "%s: others can write to the ledger (mode %03o): see whether it is what you "
                       "wrote (swarmutt log verify), then close it to them (chmod go-w)",
                       path, (unsigned)(st->st_mode & 0777));
    return true;
}

static int open_ledger(const char *path, struct err *err)
{
    struct stat st;
    int fd = retry_open(
        AT_FDCWD, path,
        O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, 0600);

    if (fd < 0) {
        if (errno == ELOOP)
            err_set(err, ERR_SOURCE,
                    "%s: the ledger is a link, and links are not followed; move it away", path);
        else
            fail_append(err, path, "the ledger cannot be opened");
        return -1;
    }
    if (fstat(fd, &st) == 0 ? is_ours(&st, path, err)
                            : fail_append(err, path, "it cannot be looked at"))
        return fd;
    close(fd);
    return -1;
}

/* Locks the ledger. Returns -1 on failure, and closes `fd`. */
static int lock_ledger(int fd, const char *path, struct err *err)
{
    if (fd < 0 || ledger_lock(fd, true))
        return fd;
    if (errno == EWOULDBLOCK)
        err_set(err, ERR_SOURCE, "%s: another program is writing to the ledger; try again", path);
    else
        fail_append(err, path, "the ledger cannot be locked");
    close(fd);
    return -1;
}

/* Opens and locks the ledger; opens it again when it was moved away in between. Returns -1 on
 * failure. */
static int open_locked(const char *path, struct err *err)
{
    enum { TRIES = 100 };
    struct stat opened, there;

    for (int i = 0; i < TRIES; i++) {
        int fd = lock_ledger(open_ledger(path, err), path, err);
        if (fd < 0)
            return -1;
        if (fstat(fd, &opened) == 0 && lstat(path, &there) == 0 && opened.st_dev == there.st_dev &&
            opened.st_ino == there.st_ino)
            return fd;
        close(fd);
    }
    err_set(err, ERR_SOURCE, "%s: somebody moves the ledger away again and again; try again", path);
    return -1;
}

/* The end of the file, as much as was needed so far. */
struct tail {
    int fd;
    off_t size, from;
    struct str bytes;
};

static bool read_more(struct tail *tail)
{
    enum { FIRST = 16384 };
    off_t window = tail->bytes.len ? (off_t)tail->bytes.len * 2 : FIRST;

    tail->from = window < tail->size ? tail->size - window : 0;
    size_t len = (size_t)(tail->size - tail->from);
    str_clear(&tail->bytes);
    char *at = str_room(&tail->bytes, len);
    if (!ledger_pread(tail->fd, at, len, tail->from))
        return false;
    tail->bytes.len = len;
    at[len] = '\0';
    return true;
}

/* Finds the line that ends right before `end`, without its newline. */
static bool line_before(struct tail *tail, off_t end, struct span *line)
{
    for (;;) {
        if (tail->bytes.len && end >= tail->from) {
            size_t len = (size_t)(end - tail->from);
            const char *newline = memrchr(tail->bytes.at, '\n', len);
            if (newline || !tail->from) {
                const char *start = newline ? newline + 1 : tail->bytes.at;
                *line = (struct span){start, (size_t)(tail->bytes.at + len - start)};
                return true;
            }
        }
        if (!read_more(tail))
            return false;
    }
}

/* Finds the sum of the last line, whether it lacks its newline, and the number of the next line.
 * Lines that are no entries count too. */
static bool read_end(struct tail *tail, struct ledger_entry *next, char sum[LEDGER_SUM + 1])
{
    char ignored[LEDGER_SUM + 1] = "";
    struct span line = {0};
    off_t end = tail->size;
    int64_t lines = 0;
    bool found = false;

    memcpy(sum, ledger_no_sum, LEDGER_SUM + 1);
    next->number = 1;
    if (end && !line_before(tail, end, &line))
        return false;
    next->torn = line.len > 0;
    while (end > 0 && !found) {
        struct ledger_entry entry;
        CLEANUP(arena_free) struct arena arena = {0};
        end -= lines || !next->torn; /* its newline */
        if (!line_before(tail, end, &line))
            return false;
        found = ledger_parse_line(&entry, line, lines++ ? ignored : sum, &arena) == LINE_ENTRY &&
                entry.number > 0;
        next->number = (found ? entry.number : 1) + lines;
        end -= (off_t)line.len;
    }
    return true;
}

static bool sync_name(const char *path, struct err *err)
{
    CLEANUP(str_free) struct str dir = {0};
    int fd;

    str_add(&dir, path, (size_t)(strrchr(path, '/') - path));
    if (!file_open_root(str_c(&dir), &fd, err))
        return false;
    bool ok = file_sync_dir(fd, err) || err_at(err, str_c(&dir));
    close(fd);
    return ok;
}

/* Fills in the line's members about itself from the end of the file. `unended`: the line before
 * lacks its newline. */
static bool complete_entry(struct ledger_entry *entry, int fd, const struct ledger_head *head,
                           char prev[LEDGER_SUM + 1], bool *unended, const char *path,
                           struct err *err)
{
    struct tail tail = {.fd = fd};
    struct stat st;
    bool ok = fstat(fd, &st) == 0;

    tail.size = ok ? st.st_size : 0;
    ok = ok && read_end(&tail, entry, prev);
    str_free(&tail.bytes);
    if (!ok)
        return fail_append(err, path, "the end of the ledger cannot be read");
    *unended = entry->torn;
    /* If the head knows that line, it was finished, and cut later. */
    entry->torn = *unended && head->number < entry->number - 1;
    /* Missing lines leave a permanent gap in the numbers. */
    if (head->number >= entry->number)
        entry->number = head->number + 1;
    entry->prev = (struct span){prev, LEDGER_SUM};
    entry->uid = (int64_t)getuid();
    entry->pid = (int64_t)getpid();
    if (!entry->at_us)
        entry->at_us = time_now();
    /* If the file has a line in it, its name is on disk, whenever a process was killed. */
    return st.st_size > 0 || sync_name(path, err);
}

/* Writes the line after the last one. `head` becomes the new end of the ledger. */
static bool add_line(int fd, const char *path, const struct ledger_entry *entry,
                     struct ledger_head *head, struct err *err)
{
    struct ledger_entry whole = *entry;
    char prev[LEDGER_SUM + 1];
    CLEANUP(str_free) struct str line = {0};
    bool unended = false;

    if (!ledger_head_read(head, path, err) ||
        !complete_entry(&whole, fd, head, prev, &unended, path, err))
        return false;
    if (unended)
        str_putc(&line, '\n');
    ledger_add_line(&line, &whole, head->sum);
    str_putc(&line, '\n');
    head->number = whole.number;
    return file_write_all(fd, str_span(&line)) ||
           fail_append(err, path, "the ledger cannot be written");
}

static bool append_to(int fd, const char *path, const struct ledger_entry *entry, struct err *err)
{
    struct ledger_head head;
    bool ok = add_line(fd, path, entry, &head, err);

    flock(fd, LOCK_UN);
    if (ok && retry_fsync(fd) < 0)
        ok = fail_append(err, path, "the entry may be in the ledger, but perhaps not on disk");
    if (ok && ledger_lock(fd, true)) {
        ledger_head_write(&head, path);
        flock(fd, LOCK_UN);
    }
    return ok;
}

bool ledger_append(const struct ledger_entry *entry, struct err *err)
{
    CLEANUP(str_free) struct str path = {0};
    int fd = ledger_path(&path, true, err) ? open_locked(str_c(&path), err) : -1;
    bool ok = fd >= 0 && append_to(fd, str_c(&path), entry, err);

    if (fd >= 0)
        close(fd);
    return ok;
}
