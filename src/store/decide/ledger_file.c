/* The ledger's files: lines, paths, the lock, and the head. */
#include "store/decide/ledger_file.h"

#include "base/file/file.h"
#include "base/json/json_print.h"
#include "base/time.h"
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
void ledger_head_write(const struct ledger_head *head, const char *path)
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
