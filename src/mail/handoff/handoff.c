/* Handoffs: the context object and the body text. */
#include "mail/handoff/handoff.h"

#include "base/json/json.h"
#include "base/json/json_print.h"
#include "base/mem.h"

#include <stdlib.h>

void handoff_free(struct handoff *handoff)
{
    span_list_free(&handoff->files_modified);
    span_list_free(&handoff->files_created);
    span_list_free(&handoff->next_steps);
    span_list_free(&handoff->blockers);
    span_list_free(&handoff->dependencies);
    span_list_free(&handoff->related_escalations);
}

#define AT(member) offsetof(struct handoff, member)

const struct handoff_part handoff_parts[HANDOFF_PARTS] = {
    {"files_modified", "Files Modified", HANDOFF_FILES, AT(files_modified)},
    {"files_created", "Files Created", HANDOFF_FILES, AT(files_created)},
    {"state_file", "State File", HANDOFF_TEXT, AT(state_file)},
    {"job_id", "Job", HANDOFF_TEXT, AT(job_id)},
    {"dependencies", "Dependencies", HANDOFF_ITEMS, AT(dependencies)},
    {"related_escalations", "Related Escalations", HANDOFF_ITEMS, AT(related_escalations)},
    {"next_steps", "Next Steps", HANDOFF_ITEMS, AT(next_steps)},
    {"blockers", "Blockers", HANDOFF_ITEMS, AT(blockers)},
};

/* The last two parts have a block of their own in the text. */
enum { FOLDED = HANDOFF_PARTS - 2 };

static void add_items(cJSON *array, const struct span_list *list)
{
    CLEANUP(str_free) struct str raw = {0};

    for (size_t i = 0; i < list->count; i++) {
        str_clear(&raw);
        json_put_text(&raw, list->items[i], &json_style_python);
        cJSON_AddItemToArray(array, cJSON_CreateRaw(str_c(&raw)));
    }
}

cJSON *span_list_json(const struct span_list *list)
{
    cJSON *array = cJSON_CreateArray();

    add_items(array, list);
    return array;
}

cJSON *handoff_attachments(const struct handoff *handoff)
{
    cJSON *array = span_list_json(&handoff->files_modified);

    add_items(array, &handoff->files_created);
    return array;
}

static struct span or_empty(struct span text)
{
    return text.at ? text : span_of("");
}

cJSON *handoff_context(const struct handoff *handoff)
{
    cJSON *context = cJSON_CreateObject();

    json_add_text(context, "work_completed", or_empty(handoff->work_completed));
    cJSON_AddItemToObject(context, "files_modified", span_list_json(&handoff->files_modified));
    cJSON_AddItemToObject(context, "files_created", span_list_json(&handoff->files_created));
    json_add_text(context, "current_state", or_empty(handoff->current_state));
    json_add_text(context, "state_file", handoff->state_file);
    cJSON_AddItemToObject(context, "next_steps", span_list_json(&handoff->next_steps));
    cJSON_AddItemToObject(context, "blockers", span_list_json(&handoff->blockers));
    cJSON_AddItemToObject(context, "dependencies", span_list_json(&handoff->dependencies));
    cJSON_AddItemToObject(context, "related_escalations",
                          span_list_json(&handoff->related_escalations));
    json_add_text(context, "job_id", handoff->job_id);
    json_add_text(context, "notes", or_empty(handoff->notes));
    return context;
}

static void add_block(struct str *out, const char *title, const struct span_list *list)
{
    if (!list->count)
        return;
    str_addf(out, "\n\n**%s:**", title);
    for (size_t i = 0; i < list->count; i++) {
        str_puts(out, "\n- ");
        str_add_span(out, list->items[i]);
    }
}

const char handoff_start[] = "Work handoff from ", handoff_title[] = "Handoff: ";

struct span handoff_text(struct span body)
{
    struct span text = span_trim(body), line = span_first_line(text);

    while (line.len && (line.at[0] == '*' || line.at[0] == '#' || line.at[0] == ' ')) {
        line.at++;
        line.len--;
    }
    if (span_starts(line, span_of(handoff_title))) {
        const char *end = text.at + text.len, *rest = line.at + line.len;
        text = span_trim((struct span){rest, (size_t)(end - rest)});
    }
    return span_starts(text, span_of(handoff_start)) ? text : (struct span){0};
}

void handoff_add_notes(struct str *out, const struct handoff *handoff)
{
    struct span more = handoff->additional_notes;

    str_add_span(out, handoff->notes);
    if (!more.len || span_eq(more, handoff->notes))
        return;
    str_puts(out, handoff->notes.len ? "\n\n" : "");
    str_add_span(out, more);
}

void handoff_body(struct str *out, const struct handoff *handoff, struct span from, struct span to,
                  bool alone)
{
    str_puts(out, handoff_start);
    str_add_span(out, from);
    str_puts(out, " to ");
    str_add_span(out, to);
    str_puts(out, ".\n\n**Work Completed:** ");
    str_add_span(out, handoff->work_completed);
    str_puts(out, "\n\n**Current State:** ");
    str_add_span(out, handoff->current_state);
    add_block(out, "Next Steps", &handoff->next_steps);
    add_block(out, "Blockers", &handoff->blockers);
    if (alone ? handoff->notes.len || handoff->additional_notes.len
              : handoff->additional_notes.len) {
        str_puts(out, "\n\n**Notes:**\n");
        if (alone)
            handoff_add_notes(out, handoff);
        else
            str_add_span(out, handoff->additional_notes);
    }
}

struct handoff handoff_fold(const struct handoff *handoff, struct arena *arena)
{
    struct handoff folded = *handoff;
    CLEANUP(str_free) struct str notes = {0};

    str_add_span(&notes, handoff->notes);
    for (size_t i = 0; i < FOLDED; i++) {
        const struct handoff_part *part = &handoff_parts[i];
        void *member = (char *)&folded + part->at;
        const struct span *text = member;
        if (part->kind != HANDOFF_TEXT) {
            add_block(&notes, part->title, member);
            *(struct span_list *)member = (struct span_list){0};
        } else {
            if (text->len)
                str_addf(&notes, "\n\n**%s:** %.*s", part->title, (int)text->len, text->at);
            *(struct span *)member = (struct span){0};
        }
    }
    folded.notes = arena_copy(arena, span_trim(str_span(&notes)));
    return folded;
}

bool handoff_is_context(struct span context)
{
    static const char *const telling[] = {"work_completed", "current_state", "next_steps"};
    struct json_walk walk;
    struct json key, value;
    unsigned seen = 0;

    if (!context.len || !json_open(&walk, context, JSON_PYTHON, NULL) || walk.kind != JSON_OBJECT)
        return false;
    while (json_next(&walk, &key, &value))
        for (unsigned i = 0; i < sizeof telling / sizeof *telling; i++)
            if (json_is(key, telling[i]))
                seen |= 1u << i;
    return seen == (1u << sizeof telling / sizeof *telling) - 1;
}

/* The words that agents use about handed over work. */

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
