/* The ledger: reading it, checking that it is unchanged, and looking up decisions. */
#include "base/file/file.h"
#include "base/json/json_print.h"
#include "base/mem.h"
#include "base/text/utf8.h"
#include "store/decide/ledger.h"

#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

/* Events grouped by decision, and the index of what can be looked up. */

/* Adds one part of the key of an answer's place. A length before each part keeps the parts apart,
 * whatever bytes they hold. */
static void add_part(struct str *key, struct span part)
{
    str_addf(key, "%zu:", part.len);
    str_add_span(key, part);
}

enum key_kind {
    KEY_MESSAGE = 'm',
    KEY_TEXT = 't', /* the sum of the text */
    KEY_ASKED = 'q',
};

/* Makes a key. A key of a request has only its team: one agent may use the id of another. */
static void add_key(struct str *key, enum key_kind kind, const struct ledger_sought *where,
                    struct span value)
{
    str_clear(key);
    str_putc(key, (char)kind);
    add_part(key, value);
    add_part(key, where->format);
    add_part(key, where->root);
    add_part(key, where->team);
    if (kind != KEY_ASKED)
        add_part(key, where->agent);
}

static void index_under(struct ledger *ledger, uint32_t decision, enum key_kind kind,
                        struct span value)
{
    const struct ledger_entry *whole = &ledger->decisions[decision].whole;
    struct ledger_sought where = {
        .format = whole->format, .root = whole->root, .team = whole->team, .agent = whole->agent};
    CLEANUP(str_free) struct str key = {0};
    bool fresh = false;

    if (!value.len)
        return;
    add_key(&key, kind, &where, value);
    uint32_t *first = map_put_copy(&ledger->by_key, &ledger->arena, str_span(&key), &fresh);
    if (!fresh && ledger->links[*first].decision == decision)
        return;
    *mem_push(ledger->links, ledger->link_count, ledger->link_cap) =
        (struct ledger_link){decision, fresh ? UINT32_MAX : *first};
    *first = (uint32_t)ledger->link_count - 1;
}

static struct span asked_id(const struct ledger_entry *entry)
{
    return entry->request.id.len ? entry->request.id : entry->request.message;
}

static struct span *span_at(struct ledger_entry *entry, size_t at)
{
    return (struct span *)(void *)((char *)entry + at);
}

static void merge(struct ledger_entry *whole, struct ledger_entry *entry)
{
#define AT(field) offsetof(struct ledger_entry, field)
    static const size_t first_counts[] = {
        AT(verb),
        AT(kind),
        AT(by),
        AT(format),
        AT(root),
        AT(team),
        AT(agent),
        AT(request.message),
        AT(request.id),
        AT(request.file),
        AT(request.sha256),
        AT(request.asked),
        AT(terms.mode),
        AT(terms.feedback),
        AT(terms.rules),
    };
    static const size_t last_counts[] = {AT(answer.message), AT(answer.file), AT(answer.sha256),
                                         AT(answer.text)};
#undef AT

    for (size_t i = 0; i < sizeof first_counts / sizeof *first_counts; i++)
        if (!span_at(whole, first_counts[i])->at)
            *span_at(whole, first_counts[i]) = *span_at(entry, first_counts[i]);
    for (size_t i = 0; i < sizeof last_counts / sizeof *last_counts; i++)
        if (span_at(entry, last_counts[i])->at)
            *span_at(whole, last_counts[i]) = *span_at(entry, last_counts[i]);
    if (!whole->request.len) {
        whole->request.at = entry->request.at;
        whole->request.len = entry->request.len;
    }
}

/* Returns the state after the event. A decision that was sent is never unsent again, and one that
 * had an effect was sent. */
static enum decision_state advance_decision(enum decision_state state, enum ledger_event event)
{
    bool unsent = state < DECISION_DELIVERED;

    if (state == DECISION_EFFECT)
        return state;
    switch (event) {
    case LEDGER_EFFECT:
        return DECISION_EFFECT;
    case LEDGER_LOST:
        return DECISION_LOST;
    case LEDGER_VERIFIED:
        return DECISION_VERIFIED;
    case LEDGER_DELIVERED:
        return state == DECISION_VERIFIED ? state : DECISION_DELIVERED;
    case LEDGER_REFUSED:
        return unsent ? DECISION_REFUSED : state;
    case LEDGER_FAILED:
        return unsent ? DECISION_FAILED : state;
    case LEDGER_INTENT:
        return unsent ? DECISION_UNKNOWN : state;
    case LEDGER_OTHER:
        break;
    }
    return state;
}

static uint32_t decision_of(struct ledger *ledger, const struct ledger_entry *entry)
{
    bool fresh = true;
    uint32_t *number = NULL;

    if (entry->decision.len)
        number = map_put(&ledger->by_decision, entry->decision, &fresh);
    if (!fresh)
        return *number;
    uint32_t added = (uint32_t)ledger->decision_count;
    *mem_push(ledger->decisions, ledger->decision_count, ledger->decision_cap) =
        (struct decision_record){.whole.decision = entry->decision};
    if (number)
        *number = added;
    return added;
}

/* Indexes an entry under the values that its decision did not have before. */
static void index_entry(struct ledger *ledger, uint32_t decision, const struct ledger_entry *entry,
                        const struct ledger_entry *said)
{
    char sum[LEDGER_SUM + 1];

    if (!span_eq(entry->answer.message, said->answer.message))
        index_under(ledger, decision, KEY_MESSAGE, entry->answer.message);
    if (!span_eq(asked_id(entry), asked_id(said)))
        index_under(ledger, decision, KEY_ASKED, asked_id(entry));
    if (entry->answer.text.at && !span_eq(entry->answer.text, said->answer.text)) {
        ledger_sum(entry->answer.text, sum);
        index_under(ledger, decision, KEY_TEXT, span_of(sum));
    }
}

/* Adds an entry to its decision and to the index. */
static void ledger_take_entry(struct ledger *ledger, const struct ledger_entry *entry)
{
    struct ledger_entry *kept = arena_alloc(&ledger->arena, sizeof *kept);
    uint32_t number = decision_of(ledger, entry);
    struct decision_record *record = &ledger->decisions[number];
    const struct ledger_entry said = record->whole;

    *kept = *entry;
    *mem_push(ledger->entries, ledger->count, ledger->cap) = kept;
    merge(&record->whole, kept);
    record->state = advance_decision(record->state, kept->event);
    if (record->last)
        record->last->next = kept;
    else
        record->first = kept;
    record->last = kept;
    if ((kept->event == LEDGER_DELIVERED || kept->event == LEDGER_VERIFIED) && !record->sent)
        record->sent = kept;
    if (kept->event == LEDGER_EFFECT && !record->effect)
        record->effect = kept;
    if (kept->event == LEDGER_REFUSED || kept->event == LEDGER_FAILED || kept->event == LEDGER_LOST)
        record->ended = kept;
    index_entry(ledger, number, kept, &said);
}

/* Returns a text as the ledger would store it. */
static struct span as_kept(struct span text, struct arena *arena)
{
    CLEANUP(str_free) struct str quoted = {0};

    if (!text.at || utf8_valid(text))
        return text;
    json_put_text(&quoted, text, &json_style_line);
    struct json string = {JSON_STRING, arena_copy(arena, str_span(&quoted))};
    return json_text(arena, string);
}

static struct ledger_sought sought_as_kept(const struct ledger_sought *sought, struct arena *arena)
{
    return (struct ledger_sought){.format = as_kept(sought->format, arena),
                                  .root = as_kept(sought->root, arena),
                                  .team = as_kept(sought->team, arena),
                                  .agent = as_kept(sought->agent, arena),
                                  .message = as_kept(sought->message, arena),
                                  .request_id = as_kept(sought->request_id, arena),
                                  .sha256 = as_kept(sought->sha256, arena),
                                  .text = as_kept(sought->text, arena)};
}

/* Returns the first of the decisions under a key that passes, or NULL. */
static const struct decision_record *find_decision(
    const struct ledger *ledger, enum key_kind kind, const struct ledger_sought *sought,
    struct span value, bool (*passes)(const struct ledger_entry *, const struct ledger_sought *))
{
    CLEANUP(str_free) struct str key = {0};

    if (!value.len)
        return NULL;
    add_key(&key, kind, sought, value);
    const uint32_t *first = map_get(&ledger->by_key, str_span(&key));
    for (uint32_t at = first ? *first : UINT32_MAX; at != UINT32_MAX; at = ledger->links[at].next) {
        const struct decision_record *record = &ledger->decisions[ledger->links[at].decision];
        if (passes(&record->whole, sought))
            return record;
    }
    return NULL;
}

static bool is_any(const struct ledger_entry *whole, const struct ledger_sought *sought)
{
    (void)whole;
    (void)sought;
    return true;
}

static bool has_text(const struct ledger_entry *whole, const struct ledger_sought *sought)
{
    bool same_message = !whole->answer.message.len || !sought->message.len ||
                        span_eq(whole->answer.message, sought->message);

    return same_message && span_eq(whole->answer.text, sought->text);
}

bool ledger_has_answer(const struct ledger *ledger, const struct ledger_sought *sought)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct ledger_sought kept = sought_as_kept(sought, &arena);
    char sum[LEDGER_SUM + 1];

    if (!kept.text.at)
        return find_decision(ledger, KEY_MESSAGE, &kept, kept.message, is_any);
    ledger_sum(kept.text, sum);
    return find_decision(ledger, KEY_TEXT, &kept, span_of(sum), has_text);
}

static bool is_other(const struct ledger_entry *whole, const struct ledger_sought *sought)
{
    return whole->request.sha256.len && !span_eq(whole->request.sha256, sought->sha256);
}

const struct decision_record *ledger_other_request(const struct ledger *ledger,
                                                   const struct ledger_sought *sought)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct ledger_sought kept = sought_as_kept(sought, &arena);

    return find_decision(ledger, KEY_ASKED, &kept,
                         kept.request_id.len ? kept.request_id : kept.message, is_other);
}

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

/* One pass over lines. A line that is no entry is only judged when the next line has said if it was
 * torn. */
struct reading {
    struct ledger *ledger;
    struct ledger_head head;
    size_t bad_line; /* 0: none */
    enum ledger_line bad;
};

__attribute__((format(printf, 4, 5))) static void find_entry(struct ledger *ledger, size_t line,
                                                             bool damage, const char *format, ...)
{
    struct err sentence;
    va_list args;

    va_start(args, format);
    vsnprintf(sentence.text, sizeof sentence.text, format, args);
    va_end(args);
    *mem_push(ledger->findings, ledger->finding_count, ledger->finding_cap) =
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
        find_entry(reading->ledger, reading->bad_line, false,
                   "line %zu was not finished: a crash while it was written", reading->bad_line);
    else if (reading->bad == LINE_CHANGED)
        find_entry(reading->ledger, reading->bad_line, true,
                   "line %zu was changed: its bytes and its sum differ", reading->bad_line);
    else
        find_entry(reading->ledger, reading->bad_line, true,
                   "line %zu is no entry: it was changed, or put in", reading->bad_line);
    reading->bad_line = 0;
}

/* Checks that an entry is where it was written. */
static void judge_place(struct reading *reading, const struct ledger_entry *entry, const char *sum)
{
    struct ledger *ledger = reading->ledger;
    bool follows = span_is(entry->prev, ledger->head) || (entry->version > 1 && !entry->prev.at);
    int64_t missing = entry->number ? entry->number - ledger->number - 1 : 0;
    bool after_damage = reading->bad_line && !(follows && entry->torn);

    if (follows && entry->torn && !reading->bad_line && entry->line > 1)
        find_entry(ledger, ledger->lines - 1, false,
                   "line %zu had no end: a crash while it was written", ledger->lines - 1);
    judge_bad(reading, follows && entry->torn);
    if (entry->version > 1 && !ledger->newer) {
        ledger->newer = true;
        find_entry(
            ledger, entry->line, false,
            "line %zu is of version %lld, which is newer than this program: it is shown as far as "
            "it is understood",
            entry->line, (long long)entry->version);
    }
    if (missing > 0)
        find_entry(ledger, entry->line, true, "%lld %s missing before line %zu", (long long)missing,
                   entries_are(missing), entry->line);
    else if (!follows && entry->line == 1)
        find_entry(ledger, 1, true, "line 1 is not the first one: what stood before it is missing");
    else if ((!follows && !after_damage) || missing < 0)
        find_entry(ledger, entry->line, true,
                   "line %zu does not follow line %zu: one of them was changed, moved or put in",
                   entry->line, entry->line - 1);
    else if (entry->number && entry->number == reading->head.number &&
             memcmp(sum, reading->head.sum, LEDGER_SUM) != 0)
        find_entry(ledger, entry->line, true,
                   "line %zu is not the one that was written: ledger.head has another sum",
                   entry->line);
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

/* Judges a last line without a newline: its writer ended while writing it, unless the head knows
 * that the line was finished. */
static void take_unended(struct reading *reading, struct span line)
{
    struct ledger *ledger = reading->ledger;
    size_t entries = ledger->count;

    ledger->unsettled = true;
    take_line(reading, line);
    bool was_finished = reading->head.number >= ledger->number;
    if (was_finished)
        find_entry(ledger, ledger->lines, true,
                   "line %zu was cut or changed: ledger.head knows that it was finished",
                   ledger->lines);
    else if (ledger->count > entries)
        find_entry(ledger, ledger->lines, false,
                   "line %zu has no end: a crash while it was written", ledger->lines);
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
        find_entry(reading->ledger, 0, true, "the last %lld %s missing, as ledger.head says",
                   (long long)missing, entries_are(missing));
    }
}

/* Stats the ledger under the lock: nothing before that size ever changes. `settled`: nobody was
 * writing then. */
static bool check_line(int fd, struct stat *st, bool *settled)
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
        find_entry(ledger, 0, false, "others can write to it (mode %03o)",
                   (unsigned)(st->st_mode & 0777));
    ledger->unsettled = false;
}

/* Reads what was added. False with errno on failure. */
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

    if (!check_line(fd, &st, &settled))
        return err_set(err, ERR_SOURCE, "%s: it cannot be looked at: %s", path, strerror(errno));
    if (!S_ISREG(st.st_mode))
        return err_set(err, ERR_SOURCE,
                       "%s: something that is no file stands in the place of the ledger", path);
    bool anew = !ledger->size || ledger->unsettled || ledger->dev != st.st_dev ||
                ledger->ino != st.st_ino || st.st_size < ledger->size;
    if (!anew && st.st_size > ledger->size) {
        ok = read_rest(ledger, fd, st.st_size, settled, head);
        anew = ok && ledger->damage > damage; /* perhaps another file in the same place */
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
    CLEANUP(str_free) struct str path = {0};
    struct ledger_head head;
    /* read the head first: it is never ahead of the lines */
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
                find_entry(ledger, 0, true, "the ledger is gone: it had %lld %s",
                           (long long)head.number, head.number == 1 ? "entry" : "entries");
        } else {
            ok = err_set(err, ERR_SOURCE, "%s: %s%s", str_c(&path),
                         errno == ELOOP ? "the ledger is a link, and links are not followed"
                                        : "the ledger cannot be opened: ",
                         errno == ELOOP ? "" : strerror(errno));
        }
    }
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
