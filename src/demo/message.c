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

/* Returns the lines of a text as an array. */
static cJSON *make_list(const char *lines)
{
    cJSON *list = cJSON_CreateArray();

    while (*lines) {
        size_t len = strcspn(lines, "\n");
        CLEANUP(demo_free) char *line = text_format("%.*s", (int)len, lines);
        cJSON_AddItemToArray(list, cJSON_CreateString(line));
        lines += len + (lines[len] != '\0');
    }
    return list;
}

/* The words of shapes: parts, and times in the form of a program. */
static const char *const part_words[PARTS] = {[PART_FROM] = "from",
                                              [PART_TO] = "to",
                                              [PART_SUBJECT] = "subject",
                                              [PART_BODY] = "body",
                                              [PART_ID] = "id",
                                              [PART_REQUEST] = "request",
                                              [PART_REPLY_TO] = "reply_to",
                                              [PART_THREAD] = "thread",
                                              [PART_COMMAND] = "command",
                                              [PART_HOST] = "host",
                                              [PART_REASON] = "reason",
                                              [PART_DONE] = "done",
                                              [PART_STATE] = "state",
                                              [PART_NEXT] = "next",
                                              [PART_BLOCKERS] = "blockers",
                                              [PART_FILES] = "files",
                                              [PART_FILE] = "file",
                                              [PART_TYPE] = "type",
                                              [PART_WORDS] = "words",
                                              [PART_PRIORITY] = "priority",
                                              [PART_TOOL] = "tool",
                                              [PART_COLOR] = "color"};
static const struct {
    const char *word;
    void (*add)(struct text *out, int64_t time_us);
} time_words[] = {
    {"node", clock_add_node}, {"shell", clock_add_shell}, {"python", clock_add_python}};

/* Returns the part that a word names, and what follows the word; PARTS if it names none. */
static enum part find_part(const char *word, const char **rest)
{
    size_t len = strspn(word, "abcdefghijklmnopqrstuvwxyz_");
    size_t part = 0;

    *rest = word + len;
    while (part < PARTS &&
           (strlen(part_words[part]) != len || strncmp(part_words[part], word, len) != 0))
        part++;
    return (enum part)part;
}

static cJSON *make_part(const struct message *message, const char *word)
{
    const char *rest;
    enum part part = find_part(word, &rest);
    const char *text = part < PARTS ? message_get(message, part) : "";

    if (strcmp(rest, "?") == 0)
        return part < PARTS && message->part[part] ? cJSON_CreateString(text) : NULL;
    if (strcmp(rest, "|") == 0)
        return *text ? cJSON_CreateString(text) : cJSON_CreateNull();
    if (strcmp(rest, "[]") == 0)
        return make_list(text);
    CLEANUP(demo_free) char *whole = text_format("%s%s", text, rest);
    return cJSON_CreateString(whole);
}

/* Returns the value that a word of a shape stands for; NULL: the member is left out. */
static cJSON *make_value(const struct message *message, const char *word)
{
    static const char context[] =
        "{'work_completed':'$done','files_modified':'$files[]','files_created':[],"
        "'current_state':'$state','state_file':null,'next_steps':'$next[]',"
        "'blockers':'$blockers[]','dependencies':[],'related_escalations':[],'job_id':null,"
        "'notes':''}";
    CLEANUP(text_free) struct text time = {0};

    for (size_t i = 0; i < sizeof time_words / sizeof *time_words; i++)
        if (strcmp(word, time_words[i].word) == 0) {
            time_words[i].add(&time, message->time_us);
            return cJSON_CreateString(text_c(&time));
        }
    if (strcmp(word, "ms") == 0)
        return cJSON_CreateNumber((double)(message->time_us / 1000));
    if (strcmp(word, "dealt") == 0)
        return cJSON_CreateBool(message->dealt);
    if (strcmp(word, "asks") == 0)
        return message->act >= ACT_ASK && message->act <= ACT_STOP ? cJSON_CreateTrue() : NULL;
    if (strcmp(word, "context") == 0 || strcmp(word, "content") == 0)
        return message->act == ACT_HANDOFF    ? message_json(message, context)
               : strcmp(word, "content") == 0 ? make_part(message, "body")
                                              : cJSON_CreateObject();
    return make_part(message, word);
}

static void fill_shape(const struct message *message, cJSON *tree)
{
    cJSON *next;

    for (cJSON *item = tree->child; item; item = next) {
        next = item->next;
        fill_shape(message, item);
        if (!cJSON_IsString(item) || item->valuestring[0] != '$')
            continue;
        cJSON *value = make_value(message, item->valuestring + 1);
        if (value)
            cJSON_ReplaceItemInObjectCaseSensitive(tree, item->string, value);
        else
            cJSON_Delete(cJSON_DetachItemViaPointer(tree, item));
    }
}

cJSON *message_json(const struct message *message, const char *shape)
{
    cJSON *tree = json_format("%s", shape);

    fill_shape(message, tree);
    return tree;
}

void message_read(struct message *message, const char *shape, const cJSON *tree)
{
    CLEANUP(json_free) cJSON *keys = json_format("%s", shape);

    for (const cJSON *key = keys->child; key; key = key->next) {
        const char *rest, *word = cJSON_IsString(key) ? key->valuestring : "";
        enum part part = *word == '$' ? find_part(word + 1, &rest) : PARTS;
        if (part < PARTS)
            message_set(message, part, json_text(tree, key->string));
    }
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

/* True if the subject only repeats the start of the body. */
static bool repeats_subject(const struct message *message)
{
    const char *subject = message_get(message, PART_SUBJECT);

    return strncmp(message_get(message, PART_BODY), subject, strlen(subject)) == 0;
}

void message_add_words(struct text *out, const struct message *message, const char *mark)
{
    const char *body = message_get(message, PART_BODY);

    if (message->act == ACT_HANDOFF) {
        text_addf(out,
                  "Work handoff from %s to %s.\n\n**Work Completed:** %s\n\n"
                  "**Current State:** %s",
                  message_get(message, PART_FROM), message_get(message, PART_TO),
                  message_get(message, PART_DONE), message_get(message, PART_STATE));
        add_list(out, "Next Steps", message_get(message, PART_NEXT));
        add_list(out, "Blockers", message_get(message, PART_BLOCKERS));
        return;
    }
    if (mark && !message->part[PART_REPLY_TO] && !repeats_subject(message))
        text_addf(out, "%s%s%s\n\n", mark, message_get(message, PART_SUBJECT), mark);
    text_puts(out, body);
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
