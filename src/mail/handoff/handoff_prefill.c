/* Prefilling a handoff form from earlier messages. */
#include "mail/handoff/handoff_prefill.h"

#include "base/json/json.h"
#include "mail/handoff/handoff.h"
#include "mail/message/kind.h"

/* --- lists --- */

static void add_item(struct span_list *list, struct span text, size_t most, struct arena *arena)
{
    text = span_trim(text);
    if (text.len && list->count < most && !span_list_has(list, text))
        span_list_add(list, arena_copy(arena, text));
}

static void add_file(struct handoff *handoff, struct span_list *list, struct span file,
                     struct arena *arena)
{
    file = span_trim(file);
    if (!span_list_has(&handoff->files_modified, file) &&
        !span_list_has(&handoff->files_created, file))
        add_item(list, file, PREFILL_FILES, arena);
}

/* --- earlier handoffs --- */

struct prefilling {
    struct handoff *handoff;
    struct arena *arena;
    bool told[HANDOFF_PARTS];     /* a newer message had items for it */
    size_t before[HANDOFF_PARTS]; /* number of items before the present message */
};

static void *part_member(const struct prefilling *in, const struct handoff_part *part)
{
    return (char *)in->handoff + part->at;
}

static void begin_message(struct prefilling *in)
{
    for (size_t i = 0; i < HANDOFF_PARTS; i++)
        if (handoff_parts[i].kind != HANDOFF_TEXT)
            in->before[i] = ((struct span_list *)part_member(in, &handoff_parts[i]))->count;
}

static void end_message(struct prefilling *in)
{
    for (size_t i = 0; i < HANDOFF_PARTS; i++)
        if (handoff_parts[i].kind == HANDOFF_ITEMS &&
            ((struct span_list *)part_member(in, &handoff_parts[i]))->count > in->before[i])
            in->told[i] = true;
}

static void take_text(struct prefilling *in, struct span *text, struct span value)
{
    value = span_trim(value);
    if (!text->len && value.len)
        *text = arena_copy(in->arena, value);
}

static void take_item(struct prefilling *in, size_t number, struct span text)
{
    const struct handoff_part *part = &handoff_parts[number];

    if (part->kind == HANDOFF_FILES)
        add_file(in->handoff, part_member(in, part), text, in->arena);
    else if (part->kind == HANDOFF_ITEMS && !in->told[number])
        add_item(part_member(in, part), text, PREFILL_ITEMS, in->arena);
}

static void take_array(struct prefilling *in, size_t number, struct json array)
{
    struct json_walk walk;
    struct json key, item;

    if (array.kind != JSON_ARRAY || !json_open(&walk, array.raw, JSON_PYTHON, NULL))
        return;
    while (json_next(&walk, &key, &item))
        take_item(in, number, json_text(in->arena, item));
}

/* The state of the work, in the words of the agent that had it before. */
static const struct {
    const char *key;
    size_t at;
} standing[] = {
    {"work_completed", offsetof(struct handoff, work_completed)},
    {"current_state", offsetof(struct handoff, current_state)},
    {"notes", offsetof(struct handoff, notes)},
};

static void take_standing(struct prefilling *in, struct json key, struct json value)
{
    for (size_t i = 0; i < sizeof standing / sizeof *standing; i++)
        if (json_is(key, standing[i].key))
            take_text(in, (void *)((char *)in->handoff + standing[i].at),
                      json_text(in->arena, value));
}

static void take_context(struct prefilling *in, struct span context)
{
    struct json_walk walk;
    struct json key, value;

    if (!context.len || !json_open(&walk, context, JSON_PYTHON, NULL) || walk.kind != JSON_OBJECT)
        return;
    while (json_next(&walk, &key, &value)) {
        take_standing(in, key, value);
        for (size_t i = 0; i < HANDOFF_PARTS; i++) {
            if (!json_is(key, handoff_parts[i].key))
                continue;
            if (handoff_parts[i].kind == HANDOFF_TEXT)
                take_text(in, part_member(in, &handoff_parts[i]), json_text(in->arena, value));
            else
                take_array(in, i, value);
        }
    }
}

/* Returns the part whose title is in a line "**Title:** ..."; *rest is the text after the title.
 * HANDOFF_PARTS if there is none. */
static size_t find_title(struct span line, struct span *rest)
{
    for (size_t i = 0; i < HANDOFF_PARTS; i++) {
        struct span title = span_of(handoff_parts[i].title);
        size_t len = title.len + strlen("**:**");
        if (line.len >= len && span_starts(line, span_of("**")) &&
            memcmp(line.at + 2, title.at, title.len) == 0 &&
            memcmp(line.at + 2 + title.len, ":**", 3) == 0) {
            *rest = (struct span){line.at + len, line.len - len};
            return i;
        }
    }
    return HANDOFF_PARTS;
}

/* Reads a handoff that is only a text. */
static void take_body(struct prefilling *in, struct span body)
{
    size_t part = HANDOFF_PARTS;

    body = handoff_text(body);
    while (body.len) {
        struct span line = span_take_line(&body), rest = {0};
        if (span_starts(line, span_of("**"))) {
            part = find_title(line, &rest);
            if (part < HANDOFF_PARTS && handoff_parts[part].kind == HANDOFF_TEXT)
                take_text(in, part_member(in, &handoff_parts[part]), rest);
        } else if (part < HANDOFF_PARTS && span_starts(line, span_of("- "))) {
            take_item(in, part, (struct span){line.at + 2, line.len - 2});
        }
    }
}

/* --- messages --- */

static void take_attachments(struct prefilling *in, struct span array)
{
    struct json_walk walk;
    struct json key, item;

    if (!array.len || !json_open(&walk, array, JSON_PYTHON, NULL) || walk.kind != JSON_ARRAY)
        return;
    while (json_next(&walk, &key, &item))
        add_file(in->handoff, &in->handoff->files_modified, json_text(in->arena, item), in->arena);
}

static void take_escalation(struct prefilling *in, const struct message *message)
{
    struct json_walk walk;
    struct json key, value;

    if (message->kind != KIND_ESCALATION || !message->data->payload.len ||
        !json_open(&walk, message->data->payload, JSON_PYTHON, NULL) || walk.kind != JSON_OBJECT)
        return;
    while (json_next(&walk, &key, &value))
        if (json_is(key, "escalation_id"))
            add_item(&in->handoff->related_escalations, json_text(in->arena, value), PREFILL_ITEMS,
                     in->arena);
}

/* Adds the problem that the agent's notice reports; nothing if it reports none. */
static void take_notice(struct prefilling *in, const struct notice *notice)
{
    bool failed = span_is(notice->task_status, "failed") || span_is(notice->reason, "failed");
    bool blocked = span_is(notice->task_status, "blocked");
    CLEANUP(str_free) struct str text = {0};

    if (!failed && !blocked)
        return;
    if (notice->task.len)
        str_addf(&text, "task %.*s %s", (int)notice->task.len, notice->task.at,
                 blocked ? "is blocked" : "failed");
    if (notice->failure.len && text.len)
        str_puts(&text, ": ");
    str_add_span(&text, notice->failure);
    if (!text.len)
        str_puts(&text, blocked ? "it says that it is blocked" : "it says that it failed");
    add_item(&in->handoff->blockers, str_span(&text), PREFILL_ITEMS, in->arena);
}

static void take_state(struct handoff *handoff, const struct prefill_input *input,
                       struct arena *arena)
{
    CLEANUP(str_free) struct str text = {0};

    if (handoff->current_state.len || !input->why.len)
        return;
    if (input->state.len) {
        str_add_span(&text, input->state);
        str_puts(&text, ": ");
    }
    str_add_span(&text, input->why);
    handoff->current_state = arena_copy(arena, str_span(&text));
}

void prefill_handoff(struct handoff *handoff, const struct prefill_input *input,
                     struct arena *arena)
{
    struct prefilling in = {.handoff = handoff, .arena = arena};
    bool heard = false;

    for (size_t i = input->count; i-- > 0;) {
        const struct message *message = input->messages[i];
        if (message->damaged)
            continue;
        if (!heard && span_list_has(&input->names, message->from)) {
            heard = true; /* its last message; earlier problems may be solved */
            if (message->notice)
                take_notice(&in, message->notice);
        }
        if (!message->data)
            continue;
        begin_message(&in);
        take_context(&in, message->data->context);
        take_body(&in, message->data->body);
        end_message(&in);
        take_attachments(&in, message->data->attachments);
        take_escalation(&in, message);
    }
    take_state(handoff, input, arena);
}

size_t prefill_last(const struct message *const *messages, size_t count,
                    const struct message **last, size_t most)
{
    size_t found = 0;

    for (size_t i = count; i-- > 0 && found < most;)
        if (!messages[i]->damaged && messages[i]->kind != KIND_IDLE)
            last[found++] = messages[i];
    for (size_t i = 0; i < found / 2; i++) {
        const struct message *other = last[i];
        last[i] = last[found - 1 - i];
        last[found - 1 - i] = other;
    }
    return found;
}

struct span prefill_subject(struct span subject)
{
    static const char *const marks[] = {"re:", "fwd:", "fw:", "handoff:", "[urgent]", "[high]"};
    enum { MARKS = sizeof marks / sizeof *marks };

    for (size_t i = 0; i < MARKS;) {
        size_t len = strlen(marks[i]);
        subject = span_trim(subject);
        if (subject.len > len && span_starts_nocase(subject, marks[i])) {
            subject.at += len;
            subject.len -= len;
            i = 0;
        } else {
            i++;
        }
    }
    return subject;
}
