/* The words that agents use about handed over work. */
#include "mail/handoff/handoff_words.h"

#include "base/json/json.h"
#include "mail/handoff/handoff.h"

static const struct {
    const char *word;
    enum handoff_words_said said;
    bool alone; /* only an end or punctuation may follow: much else starts like that */
} words[] = {
    {"accepted", WORK_ACCEPTED, false},
    {"declined", WORK_DECLINED, false},
    {"completed", WORK_COMPLETED, true},
    {"failed", WORK_FAILED, true},
};

enum { WORDS = sizeof words / sizeof *words };

static const char notes_start[] = "This is the work of ";
static const char marks[] = "*_# \t\r\n"; /* Markdown and blanks, but not quotation marks */

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' ||
           c == '\'' || (c & 0x80);
}

static struct span skip_marks(struct span text)
{
    while (text.len && strchr(marks, text.at[0]) && text.at[0]) {
        text.at++;
        text.len--;
    }
    return text;
}

/* Returns the text without a first line that only repeats the subject. */
static struct span skip_title(struct span text)
{
    struct span start = skip_marks(text);

    if (!span_starts_nocase(start, "re:"))
        return start;
    size_t title = span_first_line(start).len;
    return skip_marks((struct span){start.at + title, start.len - title});
}

static enum handoff_words_said said_in(struct span text)
{
    text = skip_title(text);
    for (size_t i = 0; i < WORDS; i++) {
        if (!span_starts_nocase(text, words[i].word))
            continue;
        struct span rest = {text.at + strlen(words[i].word), text.len - strlen(words[i].word)};
        while (rest.len && (rest.at[0] == '*' || rest.at[0] == '_')) {
            rest.at++;
            rest.len--;
        }
        bool ends = !rest.len || (rest.at[0] && strchr(".:,!\r\n", rest.at[0]));
        if (ends || (!words[i].alone && !is_letter(rest.at[0]) && rest.at[0] != '?'))
            return words[i].said;
    }
    return WORK_UNSAID;
}

bool handoff_words_may_report(struct span start)
{
    struct span text = skip_marks(start);

    if (!text.len || text.at[0] == '\\' || span_starts(text, span_of(handoff_start)) ||
        (text.len > 3 && span_starts_nocase(text, "re:")))
        return text.len > 0;
    for (size_t i = 0; i < WORDS; i++)
        if (span_starts_nocase(text, words[i].word))
            return true;
    return false;
}

/* Returns a new copy of message->work, or an empty one, for changing. */
static struct work *work_of(struct message *message, struct arena *arena)
{
    struct work *work = arena_alloc(arena, sizeof *work);

    *work = message->work ? *message->work
                          : (struct work){.read_us = TIME_NONE, .completed_us = TIME_NONE};
    message->work = work;
    return work;
}

/* Returns the name before " to RECIPIENT.", or before the last " to " if the line names another
 * recipient. */
static struct span giver_in(struct span line, struct span recipient)
{
    static const char between[] = " to ";
    size_t gap = strlen(between);

    if (line.len && line.at[line.len - 1] == '.')
        line.len--;
    if (recipient.len && line.len > recipient.len + gap &&
        memcmp(line.at + line.len - recipient.len, recipient.at, recipient.len) == 0 &&
        memcmp(line.at + line.len - recipient.len - gap, between, gap) == 0)
        return span_trim((struct span){line.at, line.len - recipient.len - gap});
    for (size_t at = line.len >= gap ? line.len - gap : 0; at > 0; at--)
        if (memcmp(line.at + at, between, gap) == 0)
            return span_trim((struct span){line.at, at});
    return (struct span){0};
}

static struct span after(struct span text, const char *start)
{
    return (struct span){text.at + strlen(start), text.len - strlen(start)};
}

void handoff_words_read_text(struct message *message, struct span text, struct arena *arena)
{
    enum handoff_words_said said = said_in(text);

    text = handoff_text(text);
    if (said)
        message->said = (uint8_t)said;
    if (!text.at)
        return;
    struct span giver = giver_in(span_trim_end(span_first_line(after(text, handoff_start))),
                                 message_recipient(message));
    work_of(message, arena)->giver =
        giver.len && !span_eq(giver, message->from) ? arena_copy(arena, giver) : (struct span){0};
}

void handoff_words_read_payload(struct message *message, struct span payload)
{
    struct json_walk walk;
    struct json key, value;
    bool about = false;
    enum handoff_words_said said = WORK_UNSAID;

    if (!payload.len || !memmem(payload.at, payload.len, "x_protocol", 10) ||
        !json_open(&walk, payload, JSON_PYTHON, NULL) || walk.kind != JSON_OBJECT)
        return;
    while (json_next(&walk, &key, &value)) {
        if (json_is(key, "x_protocol"))
            about = json_is(value, "handoff");
        else if (json_is(key, "approved"))
            said = value.kind == JSON_TRUE    ? WORK_ACCEPTED
                   : value.kind == JSON_FALSE ? WORK_DECLINED
                                              : said;
        for (size_t i = 0; json_is(key, "status") && i < WORDS; i++)
            if (json_is(value, words[i].word))
                said = words[i].said;
    }
    if (about && said)
        message->said = (uint8_t)said;
}

void handoff_words_read_context(struct message *message, struct span context, struct arena *arena)
{
    struct json_walk walk;
    struct json key, value;
    struct span job = {0}, notes = {0};

    if (!handoff_is_context(context) || !json_open(&walk, context, JSON_PYTHON, NULL))
        return;
    while (json_next(&walk, &key, &value)) {
        if (json_is(key, "job_id"))
            job = json_text(arena, value);
        else if (json_is(key, "notes"))
            notes = span_first_line(json_text(arena, value));
    }
    struct work *work = work_of(message, arena);
    if (span_trim(job).len)
        work->job = arena_copy(arena, span_trim(job));
    if (!work->giver.at && span_starts(notes, span_of(notes_start)) && span_ends(notes, ".")) {
        struct span giver = after(notes, notes_start);
        giver.len--;
        if (giver.len && !span_eq(giver, message->from))
            work->giver = arena_copy(arena, giver);
    }
}

void handoff_words_read_times(struct message *message, int64_t read_us, int64_t completed_us,
                              struct arena *arena)
{
    struct work *work = work_of(message, arena);

    work->read_us = read_us;
    work->completed_us = completed_us;
}

enum handoff_words_said handoff_words_said(const struct message *message)
{
    if (message->said)
        return message->said;
    return span_is(message->type, "completed") ? WORK_COMPLETED
           : span_is(message->type, "failure") ? WORK_FAILED
                                               : WORK_UNSAID;
}
