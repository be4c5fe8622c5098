/* A message apart from any layout. */
#include "demo/message.h"

#include "demo/random.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

struct letter *letter_new(enum act act, const char *from, const char *to)
{
    struct letter *letter = demo_alloc(sizeof *letter);

    letter->act = letter->about = act;
    letter->when_us = clock_now();
    letter_set(letter, PART_FROM, from);
    letter_set(letter, PART_TO, to);
    return letter;
}

void letter_free(struct letter *letter)
{
    for (size_t i = 0; letter && i < PARTS; i++)
        free(letter->part[i]);
    free(letter);
}

void letter_set(struct letter *letter, enum part part, const char *text)
{
    char *copy = demo_copy(text);

    free(letter->part[part]);
    letter->part[part] = copy;
}

void letter_setf(struct letter *letter, enum part part, const char *format, ...)
{
    char *made = NULL;
    va_list args;

    va_start(args, format);
    if (vasprintf(&made, format, args) < 0)
        abort();
    va_end(args);
    free(letter->part[part]);
    letter->part[part] = made;
}

const char *letter_get(const struct letter *letter, enum part part)
{
    return letter->part[part] ? letter->part[part] : "";
}

void letter_add_lines(const struct letter *letter, enum part part, cJSON *object, const char *key)
{
    cJSON *list = cJSON_AddArrayToObject(object, key);
    const char *lines = letter_get(letter, part);

    while (*lines) {
        size_t len = strcspn(lines, "\n");
        char *line = text_format("%.*s", (int)len, lines);
        cJSON_AddItemToArray(list, cJSON_CreateString(line));
        free(line);
        lines += len + (lines[len] != '\0');
    }
}

void letter_add_context(const struct letter *letter, cJSON *object)
{
    cJSON_AddStringToObject(object, "work_completed", letter_get(letter, PART_DONE));
    letter_add_lines(letter, PART_FILES, object, "files_modified");
    cJSON_AddArrayToObject(object, "files_created");
    cJSON_AddStringToObject(object, "current_state", letter_get(letter, PART_STATE));
    cJSON_AddNullToObject(object, "state_file");
    letter_add_lines(letter, PART_NEXT, object, "next_steps");
    letter_add_lines(letter, PART_BLOCKERS, object, "blockers");
    cJSON_AddArrayToObject(object, "dependencies");
    cJSON_AddArrayToObject(object, "related_escalations");
    cJSON_AddNullToObject(object, "job_id");
    cJSON_AddStringToObject(object, "notes", "");
}

bool letter_is(const struct letter *letter, enum part part, const char *text)
{
    return strcmp(letter_get(letter, part), text) == 0;
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

void letter_add_handoff(struct text *out, const struct letter *letter)
{
    text_addf(out, "Work handoff from %s to %s.\n\n**Work Completed:** %s\n\n**Current State:** %s",
              letter_get(letter, PART_FROM), letter_get(letter, PART_TO),
              letter_get(letter, PART_DONE), letter_get(letter, PART_STATE));
    add_list(out, "Next Steps", letter_get(letter, PART_NEXT));
    add_list(out, "Blockers", letter_get(letter, PART_BLOCKERS));
}

static bool starts(const char *text, const char *word)
{
    return strncasecmp(text, word, strlen(word)) == 0;
}

/* Behind titles, marks and "Re:" lines. */
static const char *first_words(const char *text)
{
    text += strspn(text, "*# \t\r\n");
    if (starts(text, "re:"))
        text += strcspn(text, "\n");
    return text + strspn(text, "*# \t\r\n");
}

void letter_understand(struct letter *letter)
{
    static const struct {
        const char *word;
        bool yes;
    } verdicts[] = {{"approved", true},  {"granted", true}, {"allowed", true},  {"accepted", true},
                    {"rejected", false}, {"denied", false}, {"declined", false}};
    const char *title = first_words(letter_get(letter, PART_SUBJECT));
    const char *body = first_words(letter_get(letter, PART_BODY));
    size_t len = strlen(body);

    if (letter->act != ACT_SAY)
        return;
    if (starts(title, "handoff: ") || starts(body, "work handoff from "))
        letter->act = ACT_HANDOFF;
    else if (starts(title, "shutdown requested") || starts(body, "shutdown requested"))
        letter->act = ACT_STOP;
    else if (len && body[len - 1] == '?')
        letter->act = ACT_ASK;
    for (size_t i = 0; i < sizeof verdicts / sizeof *verdicts; i++) {
        if (!starts(body, verdicts[i].word))
            continue;
        const char *rest = body + strlen(verdicts[i].word);
        letter->act = ACT_ANSWER;
        letter->yes = verdicts[i].yes;
        letter_set(letter, PART_REASON, rest + strspn(rest, ".: \n"));
    }
    letter->about = letter->act;
}

void letter_add_title(struct text *out, const struct letter *letter)
{
    const char *text = letter_get(letter, PART_BODY);

    text += strspn(text, "*#> \t\r\n");
    text_add(out, text, strcspn(text, "\r\n"));
}

void letter_say(struct letter *letter, const char *body)
{
    enum { SUBJECT_MAX = 64 };
    const char *start = body;

    letter_set(letter, PART_BODY, body);
    while (*start == '>' || *start == '\n') /* what is quoted says nothing new */
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
    letter_setf(letter, PART_SUBJECT, "%.*s", (int)end, body);
}

bool letter_repeats(const struct letter *letter)
{
    const char *subject = letter_get(letter, PART_SUBJECT);

    return strncmp(letter_get(letter, PART_BODY), subject, strlen(subject)) == 0;
}
