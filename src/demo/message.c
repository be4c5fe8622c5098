/* A message of any layout. */
#include "demo/message.h"

#include "demo/random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct message *message_new(enum act act, const char *from, const char *to)
{
    struct message *message = demo_alloc(sizeof *message);

    message->act = message->about = act;
    message->time_us = clock_now();
    message_set(message, PART_FROM, from);
    message_set(message, PART_TO, to);
    return message;
}

void message_free(struct message *message)
{
    for (size_t i = 0; message && i < PARTS; i++)
        free(message->part[i]);
    free(message);
}

void message_set(struct message *message, enum part part, const char *text)
{
    char *copy = demo_copy(text);

    free(message->part[part]);
    message->part[part] = copy;
}

void message_setf(struct message *message, enum part part, const char *format, ...)
{
    char *made = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&made, format, args) < 0)
        abort();
    va_end(args);
    free(message->part[part]);
    message->part[part] = made;
}

const char *message_get(const struct message *message, enum part part)
{
    return message->part[part] ? message->part[part] : "";
}

void message_add_lines(const struct message *message, enum part part, cJSON *object,
                       const char *key)
{
    cJSON *list = cJSON_AddArrayToObject(object, key);
    const char *lines = message_get(message, part);

    while (*lines) {
        size_t len = strcspn(lines, "\n");
        CLEANUP(demo_free) char *line = text_format("%.*s", (int)len, lines);
        cJSON_AddItemToArray(list, cJSON_CreateString(line));
        lines += len + (lines[len] != '\0');
    }
}

void message_add_context(const struct message *message, cJSON *object)
{
    cJSON_AddStringToObject(object, "work_completed", message_get(message, PART_DONE));
    message_add_lines(message, PART_FILES, object, "files_modified");
    cJSON_AddArrayToObject(object, "files_created");
    cJSON_AddStringToObject(object, "current_state", message_get(message, PART_STATE));
    cJSON_AddNullToObject(object, "state_file");
    message_add_lines(message, PART_NEXT, object, "next_steps");
    message_add_lines(message, PART_BLOCKERS, object, "blockers");
    cJSON_AddArrayToObject(object, "dependencies");
    cJSON_AddArrayToObject(object, "related_escalations");
    cJSON_AddNullToObject(object, "job_id");
    cJSON_AddStringToObject(object, "notes", "");
}

bool message_is(const struct message *message, enum part part, const char *text)
{
    return strcmp(message_get(message, part), text) == 0;
}

static void add_list(struct text *out, const char *title, const char *lines)
{
    if (!*lines)
        return;
    text_addf(out, "\n\n**%s:**", title);
    while (*lines) {
        size_t len = strcspn(lines, "\n");
        text_puts(out, "\n- ");
        text_add(out, lines, len);
        lines += len + (lines[len] != '\0');
    }
}

void message_add_handoff(struct text *out, const struct message *message)
{
    text_addf(out, "Work handoff from %s to %s.\n\n**Work Completed:** %s\n\n**Current State:** %s",
              message_get(message, PART_FROM), message_get(message, PART_TO),
              message_get(message, PART_DONE), message_get(message, PART_STATE));
    add_list(out, "Next Steps", message_get(message, PART_NEXT));
    add_list(out, "Blockers", message_get(message, PART_BLOCKERS));
}

static bool starts(const char *text, const char *word)
{
    return strncasecmp(text, word, strlen(word)) == 0;
}

/* Skips titles, marks and "Re:" lines. */
static const char *first_words(const char *text)
{
    text += strspn(text, "*# \t\r\n");
    if (starts(text, "re:"))
        text += strcspn(text, "\n");
    return text + strspn(text, "*# \t\r\n");
}

void message_understand(struct message *message)
{
    static const struct {
        const char *word;
        bool yes;
    } verdicts[] = {{"approved", true},  {"granted", true}, {"allowed", true},  {"accepted", true},
                    {"rejected", false}, {"denied", false}, {"declined", false}};
    const char *title = first_words(message_get(message, PART_SUBJECT));
    const char *body = first_words(message_get(message, PART_BODY));
    size_t len = strlen(body);

    if (message->act != ACT_SAY)
        return;
    if (starts(title, "handoff: ") || starts(body, "work handoff from "))
        message->act = ACT_HANDOFF;
    else if (starts(title, "shutdown requested") || starts(body, "shutdown requested"))
        message->act = ACT_STOP;
    else if (len && body[len - 1] == '?')
        message->act = ACT_ASK;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        if (!starts(body, verdicts[i].word))
            continue;
        const char *rest = body + strlen(verdicts[i].word);
        message->act = ACT_ANSWER;
        message->yes = verdicts[i].yes;
        message_set(message, PART_REASON, rest + strspn(rest, ".: \n"));
    }
    message->about = message->act;
}

void message_add_title(struct text *out, const struct message *message)
{
    const char *text = message_get(message, PART_BODY);

    text += strspn(text, "*#> \t\r\n");
    text_add(out, text, strcspn(text, "\r\n"));
}

void message_say(struct message *message, const char *body)
{
    enum { SUBJECT_MAX = 64 };
    const char *start = body;

    message_set(message, PART_BODY, body);
    while (*start == '>' || *start == '\n') /* a quote says nothing new */
        start += *start == '>' ? strcspn(start, "\n") : 1;
    body = start;
    size_t len = strcspn(body, "\n"), end = 0;
    for (size_t i = 1; i < len && !end; i++)
        if (strchr(".;?", body[i]) && (i + 1 == len || body[i + 1] == ' '))
            end = i + (body[i] == '?');
    if (!end || end > SUBJECT_MAX)
        end = len;
    while (end > SUBJECT_MAX) /* at the end of a word */
        do
            end--;
        while (end && body[end] != ' ');
    message_setf(message, PART_SUBJECT, "%.*s", (int)end, body);
}

bool message_repeats(const struct message *message)
{
    const char *subject = message_get(message, PART_SUBJECT);

    return strncmp(message_get(message, PART_BODY), subject, strlen(subject)) == 0;
}
