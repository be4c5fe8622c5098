/* Rendering for programs: one JSON object a message, a talk or a request. */
#include "base/json_print.h"
#include "mail/ask_text.h"
#include "mail/render_talk.h"

static void put_key(struct str *out, const char *key)
{
    str_addf(out, ",\"%s\":", key);
}

void render_json_text(struct str *out, const char *key, struct span text)
{
    put_key(out, key);
    if (text.at)
        json_put_text(out, text, &json_style_line);
    else
        str_puts(out, "null");
}

void render_json_time(struct str *out, const char *key, int64_t when_us)
{
    struct str text = {0};

    if (when_us != WHEN_NONE)
        when_add_utc(&text, when_us);
    render_json_text(out, key, when_us != WHEN_NONE ? str_span(&text) : (struct span){0});
    str_free(&text);
}

static void put_raw(struct str *out, const char *key, struct span raw)
{
    struct json value;
    struct err err;

    put_key(out, key);
    if (raw.at && json_scan(raw, JSON_PYTHON, &value, &err))
        json_put_value(out, value, &json_style_line, 0);
    else
        str_puts(out, "null");
}

static void put_flags(struct str *out, unsigned flags)
{
    const char *comma = "";

    if (!flags)
        return;
    put_key(out, "flags");
    str_putc(out, '[');
    for (unsigned bit = 0; message_flag_text(bit); bit++) {
        if (flags >> bit & 1) {
            str_puts(out, comma);
            json_put_text(out, span_of(message_flag_text(bit)), &json_style_line);
            comma = ",";
        }
    }
    str_putc(out, ']');
}

static void open_json(struct str *out, const struct message *message, const char *format,
                      struct span source, struct span path)
{
    static const struct message_data nothing = {.read_us = WHEN_NONE, .completed_us = WHEN_NONE};
    const struct message_data *data = message->data ? message->data : &nothing;

    str_puts(out, "{\"v\":1");
    render_json_text(out, "id", message->id);
    render_json_text(out, "source", source);
    render_json_text(out, "format", span_of(format));
    render_json_text(out, "box", message->place->box.at ? message->place->box : message->to);
    render_json_text(out, "from", message->from);
    render_json_text(out, "to", message->to);
    render_json_text(out, "subject", message->subject);
    render_json_text(out, "body", data->body);
    render_json_text(out, "type", message->type);
    render_json_text(out, "priority",
                     span_of(message->priority ? priority_name(message->priority) : NULL));
    render_json_text(out, "status",
                     span_of(message->status < STATUS_NONE ? status_name(message->status) : NULL));
    render_json_time(out, "created_at", message->created_us);
    render_json_time(out, "read_at", data->read_us);
    render_json_time(out, "completed_at", data->completed_us);
    render_json_time(out, "expires_at", message->expires_us);
    render_json_text(out, "thread", message->thread);
    render_json_text(out, "reply_to", message->reply_to);
    put_key(out, "requires_response");
    str_puts(out, !message->type.at ? "null" : message->requires_response ? "true" : "false");
    put_raw(out, "context", data->context);
    put_raw(out, "attachments", data->attachments);
    put_raw(out, "tags", data->tags);
    put_raw(out, "payload", data->payload);
    put_raw(out, "protocol", data->protocol);
    render_json_text(out, "path", path);
    render_json_text(out, "damaged",
                     message->damaged ? span_of(message->damaged) : (struct span){0});
    if (message->place->team.at)
        render_json_text(out, "team", message->place->team);
}

void render_json(struct str *out, const struct message *message, const char *format,
                 struct span source, struct span path)
{
    open_json(out, message, format, source, path);
    put_flags(out, message->flags);
    str_puts(out, "}\n");
}

void render_json_seconds(struct str *out, const char *key, int64_t since_us, int64_t now_us)
{
    put_key(out, key);
    if (since_us == WHEN_NONE)
        str_puts(out, "null");
    else
        str_addf(out, "%lld", (long long)(since_us < now_us ? (now_us - since_us) / 1000000 : 0));
}

static void put_item(struct str *out, size_t index, struct span text)
{
    str_puts(out, index ? "," : "");
    json_put_text(out, text, &json_style_line);
}

static void put_items(struct str *out, const char *key, const struct span_list *items)
{
    put_key(out, key);
    str_putc(out, '[');
    for (size_t i = 0; i < items->count; i++)
        put_item(out, i, items->items[i]);
    str_putc(out, ']');
}

void render_ask_json(struct str *out, const struct message *message, const struct ask_facts *facts,
                     const char *format, struct span source, struct span path, int64_t now_us)
{
    struct str asked = {0};

    ask_add_text(&asked, message);
    open_json(out, message, format, source, path);
    render_json_text(out, "kind", span_of(kind_name(message->kind)));
    render_json_text(out, "agent", message->from);
    render_json_text(out, "asked", str_span(&asked));
    render_json_seconds(out, "waiting_s", message->created_us, now_us);
    put_items(out, "flags", facts->flags);
    render_json_text(out, "refusal", facts->refusal);
    render_json_text(out, "sha256", facts->sha256);
    if (facts->alarm)
        str_puts(out, ",\"alarm\":true");
    str_puts(out, "}\n");
    str_free(&asked);
}

void render_talk_json(struct str *out, const struct talks *talks, const struct talk *talk,
                      int64_t now_us)
{
    struct span_list names = {0};
    bool damaged = talk->form == TALK_DAMAGED;

    str_puts(out, "{\"v\":1");
    render_json_text(out, "thread", talk->id);
    render_json_text(out, "subject", talk_subject(talks, talk));
    render_json_text(out, "kind", span_of(damaged ? "damaged" : kind_name(talk->kind)));
    render_json_text(out, "priority",
                     span_of(talk->priority ? priority_name(talk->priority) : NULL));
    put_key(out, "unread");
    str_addf(out, "%u", talk->unread);
    put_key(out, "count");
    str_addf(out, "%u", talk->count);
    talk_participants(talks, talk, &names);
    put_items(out, "participants", &names);
    render_json_time(out, "last_at", talk->last_us);
    render_json_text(out, "waiting_on", talk->waits_on);
    render_json_seconds(out, "waiting_s", talk->waits_us, now_us);
    put_key(out, "messages");
    str_putc(out, '[');
    for (size_t i = 0; i < talk->count; i++)
        put_item(out, i, talk_message(talks, talk, i)->id);
    str_puts(out, "]}\n");
    span_list_free(&names);
}
