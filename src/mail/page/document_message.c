/* Documents: a message, with its head and all that it carries. */
#include "mail/handoff/handoff.h"
#include "mail/message/kind.h"
#include "mail/page/document_sheet.h"

enum { LABELS = 11 };

/* A label in a line of several. */
static void put_label(struct writer *w, const char *label)
{
    if (w->used > w->start || w->cell_count)
        line_put(w, span_of("  "), LOOK_PLAIN);
    line_put(w, span_of(label), LOOK_LABEL);
    line_put(w, span_of(" "), LOOK_PLAIN);
}

/* In quotes where it could pass for a label and another name. */
static void put_name(struct writer *w, struct span name)
{
    bool quotes = !name.len || memchr(name.at, ' ', name.len) || memchr(name.at, '\t', name.len);

    line_put(w, span_of(quotes ? "\"" : ""), LOOK_DIM);
    line_put(w, name, LOOK_STRONG);
    line_put(w, span_of(quotes ? "\"" : ""), LOOK_DIM);
}

/* 10:02:11 (1m ago), with the date when it is not of today. */
static void add_time(struct writer *w, struct str *out, int64_t when_us)
{
    int64_t now_us = w->options->now_us, next_us = when_distance_lasts(when_us, now_us);
    struct str day = {0}, today = {0};

    when_add_format(&day, when_us, "%Y-%m-%d ");
    when_add_format(&today, now_us, "%Y-%m-%d ");
    if (!span_eq(str_span(&day), str_span(&today)))
        str_add_span(out, str_span(&day));
    when_add_format(out, when_us, "%H:%M:%S");
    str_puts(out, " (");
    when_add_distance(out, when_us, now_us);
    str_putc(out, ')');
    if (!w->doc->ages_us || next_us < w->doc->ages_us)
        w->doc->ages_us = next_us;
    str_free(&day);
    str_free(&today);
}

static void put_route(struct writer *w, const struct message *message)
{
    struct str when = {0};

    line_open(w, LINE_WORDS, span_of("  "));
    if (message->from.len) {
        put_label(w, "From");
        put_name(w, message->from);
    }
    put_label(w, "To");
    put_name(w, message_recipient(message));
    if (priority_is_told(message->priority)) {
        put_label(w, "Prio");
        line_put(w, span_of(priority_name(message->priority)),
                 message->priority >= PRIORITY_HIGH ? LOOK_WARNING : LOOK_PLAIN);
    }
    if (message->created_us != WHEN_NONE) {
        add_time(w, &when, message->created_us);
        line_put(w,
                 span_of(message->flags & MESSAGE_NO_TIME ? "  at no known time, sorted as of "
                         : message->flags & MESSAGE_AHEAD ? "  dated in the future, sorted as of "
                                                          : "  "),
                 LOOK_PLAIN);
        line_put(w, str_span(&when), LOOK_DIM);
    }
    line_close(w);
    str_free(&when);
}

static void put_state(struct writer *w, const struct message *message)
{
    struct str when = {0};

    line_open(w, LINE_WORDS, span_of("  "));
    put_label(w, "Kind");
    line_put(w, span_of(kind_word(message->kind)), LOOK_PLAIN);
    if (message->status != STATUS_NONE) {
        put_label(w, "Status");
        line_put(w, span_of(status_name(message->status)), LOOK_PLAIN);
    }
    if (message->read_here)
        line_put(w, span_of(" (here; unread in its mailbox)"), LOOK_DIM);
    if (message->requires_response)
        line_put(w, span_of("  wants an answer"), LOOK_PLAIN);
    if (message->expires_us != WHEN_NONE) {
        bool over = message_expired(message, w->options->now_us);
        add_time(w, &when, message->expires_us);
        put_label(w, over ? "EXPIRED" : "Expires");
        line_put(w, str_span(&when), over ? LOOK_WARNING : LOOK_PLAIN);
    }
    line_close(w);
    str_free(&when);
}

static void put_row(struct sheet *sheet, const char *label, struct span text)
{
    if (text.len)
        sheet_line(sheet, label, text, LINE_KEEP, LOOK_PLAIN);
}

static void put_time(struct sheet *sheet, const char *label, int64_t when_us)
{
    struct str when = {0};

    if (when_us != WHEN_NONE)
        add_time(sheet->w, &when, when_us);
    put_row(sheet, label, str_span(&when));
    str_free(&when);
}

static void put_all(struct sheet *sheet, const struct message *message)
{
    const struct message_data *data = message->data;
    struct str path = {0};

    message_add_name(&path, message, message->place->root != NULL);
    put_row(sheet, "Id", message->id);
    put_row(sheet, "Type", message->type);
    put_row(sheet, "Team", message->place->team);
    put_row(sheet, "Thread", message->thread);
    put_row(sheet, "Answers", message->reply_to);
    if (data) {
        put_row(sheet, "Swarm", data->swarm);
        put_row(sheet, "Summary", data->summary);
        put_row(sheet, "Colour", data->color);
        put_time(sheet, "Read", data->read_us);
        put_time(sheet, "Completed", data->completed_us);
    }
    put_row(sheet, "File", str_span(&path));
    str_free(&path);
}

/* What is wrong with it. */
static void put_remarks(struct sheet *sheet, const struct message *message)
{
    if (message->damaged) {
        sheet_text(sheet, "DAMAGED", span_of(message->damaged), LINE_WORDS, LOOK_ERROR);
        sheet_text(sheet, "",
                   span_of("What can be read of it is shown; look at its raw bytes too."),
                   LINE_WORDS, LOOK_ERROR);
    }
    for (unsigned bit = 0; message_flag_text(bit); bit++)
        if (message->flags >> bit & 1)
            sheet_text(sheet, "Note", span_of(message_flag_text(bit)), LINE_WORDS, LOOK_WARNING);
}

static bool holds_any(struct span json, enum json_kind kind)
{
    struct json_walk walk;
    struct json key, value;
    struct err ignored;

    return json.len > 2 && json_open(&walk, json, JSON_PYTHON, &ignored) && walk.kind == kind &&
           json_next(&walk, &key, &value);
}

static void put_tags(struct sheet *sheet, struct span tags)
{
    struct json_walk walk;
    struct json none, tag;
    struct err ignored;
    struct str words = {0};
    struct arena arena = {0};

    if (!holds_any(tags, JSON_ARRAY))
        return;
    json_open(&walk, tags, JSON_PYTHON, &ignored);
    while (json_next(&walk, &none, &tag)) {
        str_puts(&words, words.len ? ", " : "");
        str_add_span(&words, tag.kind == JSON_STRING ? json_text(&arena, tag) : tag.raw);
    }
    put_row(sheet, "Tags", str_span(&words));
    str_free(&words);
    arena_free(&arena);
}

static void put_head(struct writer *w, const struct message *message)
{
    struct sheet sheet = {w, LABELS};

    put_route(w, message);
    if (!w->brief || w->options->all_fields) {
        put_row(&sheet, "Subject", message->subject);
        put_state(w, message);
    }
    if (w->options->handoff.len)
        sheet_line(&sheet, "Handoff", w->options->handoff, LINE_WORDS, LOOK_PLAIN);
    if (message->data)
        put_tags(&sheet, message->data->tags);
    if (w->options->all_fields)
        put_all(&sheet, message);
    put_remarks(&sheet, message);
    if (!w->brief || w->options->all_fields)
        line_empty(w);
}

static void put_context(struct writer *w, struct span context)
{
    bool handoff = handoff_is_context(context);

    sheet_title(w, handoff ? "Handoff" : "Context");
    if (handoff)
        handoff_put(w, context);
    else
        json_put(w, context);
}

static void put_body(struct writer *w, const struct message_data *data)
{
    bool payload = data->body_is_payload && holds_any(data->payload, JSON_OBJECT);

    if (data->body_is_payload && data->protocol.len && protocol_put(w, data->protocol))
        return;
    if (payload && handoff_is_context(data->payload))
        handoff_put(w, data->payload);
    else if (payload)
        json_put(w, data->payload);
    else
        markdown_put(w, data->body);
}

void message_put(struct writer *w, const struct message *message)
{
    const struct message_data *data = message->data;

    put_head(w, message);
    if (!data)
        return;
    put_body(w, data);
    if (data->context.at != data->payload.at && holds_any(data->context, JSON_OBJECT))
        put_context(w, data->context);
    if (holds_any(data->attachments, JSON_ARRAY)) {
        sheet_title(w, "Attachments (named only; nothing opens them)");
        json_put(w, data->attachments);
    }
    if (!data->body_is_payload &&
        (holds_any(data->payload, JSON_OBJECT) || holds_any(data->payload, JSON_ARRAY))) {
        sheet_title(w, "Payload");
        json_put(w, data->payload);
    }
}

void document_message(struct document *doc, const struct message *message,
                      const struct document_options *options)
{
    struct writer w;

    writer_open(&w, doc, options);
    message_put(&w, message);
    writer_close(&w);
}
