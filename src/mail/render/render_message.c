/* Rendering for people and agents: Markdown, text, prompt blocks. */
#include "base/json/json.h"
#include "base/json/json_print.h"
#include "base/text/sanitize.h"
#include "base/text/utf8.h"
#include "mail/render/render.h"

/* The members of an object, for reading: agents' programs ask for decisions with text in JSON, and
 * nobody can read a plan between \n and \". */

enum { INDENT = 2 };

static void put_field_lines(struct str *out, struct span text, size_t indent, unsigned clean)
{
    while (text.len) {
        struct span line = span_take_line(&text);
        if (line.len)
            str_pad(out, ' ', indent);
        sanitize_add(out, line, clean);
        str_putc(out, '\n');
    }
}

/* Indents the lines of a text deeper than keys, so that none of them can be taken for a key. */
static void put_text(struct str *out, struct span text, size_t indent, unsigned clean)
{
    if (text.len && memchr(text.at, '\n', text.len)) {
        str_puts(out, ":\n");
        put_field_lines(out, text, indent + INDENT, clean);
        return;
    }
    str_puts(out, text.len ? ": " : ":");
    sanitize_add(out, text, clean);
    str_putc(out, '\n');
}

static void put_key(struct str *out, struct json key, size_t indent, unsigned clean)
{
    CLEANUP(arena_free) struct arena arena = {0};

    str_pad(out, ' ', indent);
    sanitize_add(out, json_text(&arena, key), clean);
}

/* Writes a text decoded, and anything else as it was written. */
static void put_member(struct str *out, struct json key, struct json value, size_t indent,
                       unsigned clean)
{
    CLEANUP(arena_free) struct arena arena = {0};
    bool text = value.kind == JSON_STRING;

    put_key(out, key, indent, clean);
    put_text(out, text ? json_text(&arena, value) : value.raw, indent, clean);
}

static bool open_object(struct json_walk *walk, struct json value)
{
    return value.kind == JSON_OBJECT && value.raw.len > 2 &&
           json_open(walk, value.raw, JSON_STRICT, NULL);
}

void render_fields(struct str *out, struct span object, const struct render_options *style)
{
    unsigned clean = style->clean | SANITIZE_LINE;
    struct json_walk walk, inner;
    struct json key, value, inner_key, inner_value;

    if (!open_object(&walk, (struct json){JSON_OBJECT, object}))
        return;
    while (json_next(&walk, &key, &value)) {
        if (!open_object(&inner, value)) {
            put_member(out, key, value, 0, clean);
            continue;
        }
        put_key(out, key, 0, clean);
        str_puts(out, ":\n");
        while (json_next(&inner, &inner_key, &inner_value))
            put_member(out, inner_key, inner_value, INDENT, clean);
    }
}

/* Messages as agents know them from their own programs. */

/* Sanitizes before escaping: nothing that was escaped can become a tag again. */
static void put_escaped(struct str *out, struct span text, unsigned how)
{
    CLEANUP(str_free) struct str clean = {0};

    sanitize_add(&clean, text, how);
    for (size_t i = 0; i < clean.len; i++) {
        switch (clean.at[i]) {
        case '&': /* escaped too, so that the escapes can be reversed */
            str_puts(out, "&amp;");
            break;
        case '<':
            str_puts(out, "&lt;");
            break;
        case '>':
            str_puts(out, "&gt;");
            break;
        case '"':
            str_puts(out, "&quot;");
            break;
        default:
            str_putc(out, clean.at[i]);
        }
    }
}

static void put_attribute(struct str *out, const char *name, struct span text,
                          const struct render_options *style)
{
    if (!text.len)
        return;
    str_addf(out, " %s=\"", name);
    put_escaped(out, text, style->clean | SANITIZE_LINE);
    str_putc(out, '"');
}

void render_xml(struct str *out, const struct message *message, const struct render_options *style)
{
    const struct message_data *data = message->data;
    bool own_subject = !message->place->by_subject; /* elsewhere the subject is the summary */

    str_puts(out, "<teammate-message");
    put_attribute(out, "teammate_id", message->from, style);
    put_attribute(out, "color", data->color, style);
    put_attribute(out, "summary", own_subject ? message->subject : data->summary, style);
    str_puts(out, ">\n");
    put_escaped(out, data->body, style->clean | SANITIZE_LINES);
    str_puts(out, "\n</teammate-message>\n");
}

void render_event(struct str *out, const struct message *message,
                  const struct render_options *style)
{
    bool urgent = message->priority == PRIORITY_URGENT;

    str_puts(out, span_is(message->type, "broadcast") ? "Team Broadcast\n" : "Team Message\n");
    str_puts(out, urgent ? "[URGENT] From " : "From ");
    sanitize_add(out, message->from, style->clean | SANITIZE_LINE);
    str_puts(out, ": ");
    sanitize_add(out, message->data->body, style->clean | SANITIZE_LINES);
    str_putc(out, '\n');
}

enum { PROMPT_MESSAGES = 5, PROMPT_CHARACTERS = 500 };

static void put_clean(struct str *out, struct span text, unsigned mode,
                      const struct render_options *style)
{
    if (style->escaped)
        *style->escaped += sanitize_add_exact(out, text, mode);
    else
        sanitize_add(out, text, style->clean | mode);
}

static void put_line(struct str *out, struct span text, const struct render_options *style)
{
    put_clean(out, text, SANITIZE_LINE, style);
}

static void put_lines(struct str *out, struct span text, const struct render_options *style)
{
    put_clean(out, text, SANITIZE_LINES, style);
}

static void put_upper(struct str *out, const char *word)
{
    for (; *word; word++)
        str_putc(out, (char)(*word >= 'a' && *word <= 'z' ? *word - 32 : *word));
}

/* Writes a value inside a context as Python prints it. */
static void put_python_value(struct str *out, struct json value, const struct render_options *style)
{
    CLEANUP(str_free) struct str text = {0};

    python_str(&text, value);
    put_lines(out, str_span(&text), style);
}

/* Opens a walk over an object or array of others; returns false if it is empty or not of that
 * kind. */
static bool open_json(struct json_walk *walk, struct span raw, enum json_kind kind)
{
    return raw.len > 2 && json_open(walk, raw, JSON_PYTHON, NULL) && walk->kind == kind;
}

static void put_context(struct str *out, struct span context, const struct render_options *style)
{
    struct json_walk walk;
    struct json key, value;
    CLEANUP(arena_free) struct arena arena = {0};
    bool first = true;

    if (!open_json(&walk, context, JSON_OBJECT))
        return;
    while (json_next(&walk, &key, &value)) {
        str_puts(out, first ? "\n\n### Context\n\n- **" : "\n- **");
        first = false;
        put_line(out, json_text(&arena, key), style);
        str_puts(out, ":**");
        if (value.kind != JSON_ARRAY) {
            str_putc(out, ' ');
            put_python_value(out, value, style);
            continue;
        }
        struct json_walk items;
        struct json none, item;
        json_open(&items, value.raw, JSON_PYTHON, NULL);
        while (json_next(&items, &none, &item)) {
            str_puts(out, "\n  - ");
            put_python_value(out, item, style);
        }
    }
}

static void put_attachments(struct str *out, struct span attachments,
                            const struct render_options *style)
{
    struct json_walk walk;
    struct json none, item;
    bool first = true;

    if (!open_json(&walk, attachments, JSON_ARRAY))
        return;
    while (json_next(&walk, &none, &item)) {
        str_puts(out, first ? "\n\n### Attachments\n\n- `" : "\n- `");
        first = false;
        put_python_value(out, item, style);
        str_putc(out, '`');
    }
}

static void put_payload(struct str *out, struct span payload, const struct render_options *style)
{
    struct json_walk walk;
    struct json whole, key, value;
    CLEANUP(str_free) struct str text = {0};

    if (!payload.len || !json_scan(payload, JSON_PYTHON, &whole, NULL) || whole.kind == JSON_NULL)
        return;
    if ((whole.kind == JSON_OBJECT || whole.kind == JSON_ARRAY) &&
        (!open_json(&walk, payload, whole.kind) || !json_next(&walk, &key, &value)))
        return;
    str_puts(out, "\n\n### Payload\n\n```json\n");
    json_put_value(&text, whole, &json_style_dumps, 0);
    put_lines(out, str_span(&text), style);
    str_puts(out, "\n```");
}

void render_markdown(struct str *out, const struct message *message,
                     const struct render_options *style)
{
    static const char *const marks[] = {[PRIORITY_NONE] = "",
                                        [PRIORITY_LOW] = "",
                                        [PRIORITY_NORMAL] = "",
                                        [PRIORITY_HIGH] = "[HIGH]",
                                        [PRIORITY_URGENT] = "[URGENT]"};
    const struct message_data *data = message->data;

    str_addf(out, "## %s ", marks[message->priority]);
    put_line(out, python_strip_end(message->subject), style);
    while (out->at[out->len - 1] == ' ')
        out->at[--out->len] = '\0';
    str_puts(out, "\n\n**From:** ");
    put_line(out, message->from, style);
    str_puts(out, "\n**Type:** ");
    put_line(out, message->type, style);
    str_puts(out, "\n**Priority:** ");
    put_upper(out, priority_name(message->priority));
    str_puts(out, "\n**Sent:** ");
    if (data->sent.at)
        str_add_span(out, data->sent);
    else if (message->flags & MESSAGE_STAND_IN_TIME)
        str_puts(out, message->flags & MESSAGE_AHEAD ? "in the future" : "unknown");
    else if (message->created_us != TIME_NONE)
        time_add_format(out, message->created_us, "%Y-%m-%d %H:%M");
    if (message->thread.len) {
        str_puts(out, "\n**Thread:** ");
        put_line(out, message->thread, style);
    }
    if (data->swarm.len) {
        str_puts(out, "\n**Swarm:** ");
        put_line(out, data->swarm, style);
    }
    str_puts(out, "\n\n---\n\n");
    put_lines(out, data->body, style);
    if (!data->body_is_payload)
        put_context(out, data->context, style);
    put_attachments(out, data->attachments, style);
    if (!data->body_is_payload)
        put_payload(out, data->payload, style);
}

static void put_field(struct str *out, const char *name, struct span text,
                      const struct render_options *style)
{
    if (!text.len)
        return;
    str_addf(out, "%-9s ", name);
    put_line(out, text, style);
    str_putc(out, '\n');
}

static void put_moment(struct str *out, int64_t time_us, const struct render_options *style)
{
    time_add_format(out, time_us, "%Y-%m-%d %H:%M:%S");
    str_puts(out, " (");
    time_add_distance(out, time_us, style->now_us);
    str_puts(out, ")\n");
}

static void put_time(struct str *out, const char *name, int64_t time_us,
                     const struct render_options *style)
{
    if (time_us == TIME_NONE)
        return;
    str_addf(out, "%-9s ", name);
    put_moment(out, time_us, style);
}

/* Writes the time of sending. A time that only replaces a missing one must not be taken for it. */
static void put_sent(struct str *out, const struct message *message,
                     const struct render_options *style)
{
    if (!(message->flags & MESSAGE_STAND_IN_TIME)) {
        put_time(out, "Sent", message->created_us, style);
        return;
    }
    str_addf(out, "%-9s %s", "Sent",
             message->flags & MESSAGE_AHEAD ? "dated in the future" : "unknown");
    if (message->created_us != TIME_NONE) {
        str_puts(out, ", sorted as of ");
        put_moment(out, message->created_us, style);
    } else {
        str_putc(out, '\n');
    }
}

/* Writes a JSON array of strings on one line. */
static void put_words(struct str *out, const char *name, struct span array,
                      const struct render_options *style)
{
    struct json_walk walk;
    struct json none, item;
    bool first = true;

    if (!open_json(&walk, array, JSON_ARRAY))
        return;
    while (json_next(&walk, &none, &item)) {
        if (first)
            str_addf(out, "%-9s ", name);
        else
            str_puts(out, ", ");
        first = false;
        CLEANUP(str_free) struct str word = {0};
        python_str(&word, item);
        put_line(out, str_span(&word), style);
    }
    if (!first)
        str_putc(out, '\n');
}

void render_text(struct str *out, const struct message *message, const struct render_options *style)
{
    const struct message_data *data = message->data;

    put_field(out, "Id", message->id, style);
    put_field(out, "From", message->from, style);
    put_field(out, "To", message->to, style);
    put_field(out, "Team", message->place->team, style);
    put_field(out, "Subject", message->subject, style);
    put_field(out, "Type", message->type, style);
    str_addf(out, "%-9s %s\n", "Priority", priority_name(message->priority));
    str_addf(out, "%-9s %s\n", "Status", status_name(message->status));
    put_field(out, "Handoff", style->handoff, style);
    put_sent(out, message, style);
    put_time(out, "Read", data->read_us, style);
    put_time(out, "Completed", data->completed_us, style);
    put_time(out, "Expires", message->expires_us, style);
    put_field(out, "Thread", message->thread, style);
    put_field(out, "Answers", message->reply_to, style);
    put_field(out, "Swarm", data->swarm, style);
    put_words(out, "Tags", data->tags, style);
    if (message->damaged)
        put_field(out, "DAMAGED", span_of(message->damaged), style);
    for (unsigned bit = 0; message_flag_text(bit); bit++)
        if (message->flags >> bit & 1)
            put_field(out, "NOTE", span_of(message_flag_text(bit)), style);
    str_putc(out, '\n');
    size_t head = out->len;
    if (data->body_is_payload && data->protocol.len)
        render_fields(out, data->protocol, style);
    if (out->len == head)
        put_lines(out, data->body, style);
    if (!data->body_is_payload)
        put_context(out, data->context, style);
    put_attachments(out, data->attachments, style);
    if (!data->body_is_payload)
        put_payload(out, data->payload, style);
    if (out->len && out->at[out->len - 1] != '\n')
        str_putc(out, '\n');
}

void render_prompt(struct str *out, struct message *const *messages, size_t count,
                   enum priority least, const struct render_options *style)
{
    str_puts(out, "## Pending Messages in Your Mailbox\n\n");
    str_addf(out, "You have %zu %smessage(s) to review:\n\n", count,
             least >= PRIORITY_HIGH ? "high-priority " : "");
    for (size_t i = 0; i < count && i < PROMPT_MESSAGES; i++) {
        const struct message *message = messages[i];
        str_puts(out, "### ");
        put_line(out, message->subject, style);
        str_puts(out, "\nFrom: ");
        put_line(out, message->from, style);
        str_puts(out, " | Priority: ");
        put_upper(out, priority_name(message->priority));
        str_putc(out, '\n');
        put_lines(out, utf8_start(message->data->body, PROMPT_CHARACTERS), style);
        str_puts(out, "...\n\n");
    }
    out->at[--out->len] = '\0'; /* the block ends in one newline, as with the document's join */
}
