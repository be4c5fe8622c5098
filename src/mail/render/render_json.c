/* Rendering for programs: JSON. */
#include "base/json/json_print.h"
#include "mail/protocol/protocol.h"
#include "mail/render/render_event.h"
#include "mail/render/render_list.h"
#include "mail/thread/request.h"

/* One JSON object for each message, conversation, request or agent. */

static void put_raw(struct str *out, const char *key, struct span raw)
{
    struct json value;

    json_key(out, key);
    if (raw.at && json_scan(raw, JSON_PYTHON, &value, NULL))
        json_put_value(out, value, &json_style_line, 0);
    else
        str_puts(out, "null");
}

static void put_flags(struct str *out, unsigned flags)
{
    if (!flags)
        return;
    json_key(out, "flags");
    str_putc(out, '[');
    for (unsigned bit = 0; message_flag_text(bit); bit++)
        if (flags >> bit & 1)
            json_item(out, span_of(message_flag_text(bit)));
    str_putc(out, ']');
}

static void open_json(struct str *out, const struct message *message, const char *format,
                      struct span source, struct span path)
{
    static const struct message_data nothing = {.read_us = TIME_NONE, .completed_us = TIME_NONE};
    const struct message_data *data = message->data ? message->data : &nothing;

    str_puts(out, "{\"v\":1");
    json_member(out, "id", message->id);
    json_member(out, "source", source);
    json_member(out, "format", span_of(format));
    json_member(out, "box", message->place->box.at ? message->place->box : message->to);
    json_member(out, "from", message->from);
    json_member(out, "to", message->to);
    json_member(out, "subject", message->subject);
    json_member(out, "body", data->body);
    json_member(out, "type", message->type);
    json_member(out, "priority",
                span_of(message->priority ? priority_name(message->priority) : NULL));
    json_member(out, "status",
                span_of(message->status < STATUS_NONE ? status_name(message->status) : NULL));
    json_member_time(out, "created_at", message->created_us);
    json_member_time(out, "read_at", data->read_us);
    json_member_time(out, "completed_at", data->completed_us);
    json_member_time(out, "expires_at", message->expires_us);
    json_member(out, "thread", message->thread);
    json_member(out, "reply_to", message->reply_to);
    if (message->type.at)
        json_member_flag(out, "requires_response", message->requires_response);
    else
        json_member_null(out, "requires_response");
    put_raw(out, "context", data->context);
    put_raw(out, "attachments", data->attachments);
    put_raw(out, "tags", data->tags);
    put_raw(out, "payload", data->payload);
    put_raw(out, "protocol", data->protocol);
    json_member(out, "path", path);
    json_member(out, "damaged", message->damaged ? span_of(message->damaged) : (struct span){0});
    if (message->place->team.at)
        json_member(out, "team", message->place->team);
}

void render_json(struct str *out, const struct message *message, const char *format,
                 struct span source, struct span path)
{
    open_json(out, message, format, source, path);
    put_flags(out, message->flags);
    str_puts(out, "}\n");
}

static void add_answer(struct str *out, const struct request_facts *facts)
{
    const struct message *answer = facts->answer;

    json_member_flag(out, "answered_elsewhere", true);
    json_key(out, "answer");
    str_putc(out, '{');
    json_member(out, "id", answer->id);
    json_member(out, "from", answer->from);
    json_member_time(out, "created_at", answer->created_us);
    json_member(out, "said",
                answer->verdict == VERDICT_YES  ? span_of("yes")
                : answer->verdict == VERDICT_NO ? span_of("no")
                                                : (struct span){0});
    json_member(out, "path", facts->answer_path);
    str_putc(out, '}');
}

void render_request_json(struct str *out, const struct message *message,
                         const struct request_facts *facts, const char *format, struct span source,
                         struct span path, int64_t now_us)
{
    CLEANUP(str_free) struct str asked = {0};

    request_add_text(&asked, message);
    open_json(out, message, format, source, path);
    json_member(out, "kind", span_of(kind_name(message->kind)));
    json_member(out, "agent", message->from);
    json_member(out, "asked", str_span(&asked));
    json_member_seconds(out, "waiting_s", message->created_us, now_us);
    json_member_list(out, "flags", facts->flags);
    json_member(out, "refusal", facts->refusal);
    json_member(out, "sha256", facts->sha256);
    if (facts->alarm)
        json_member_flag(out, "alarm", true);
    if (facts->answer)
        add_answer(out, facts);
    str_puts(out, "}\n");
}

void render_conversation_json(struct str *out, const struct conversations *conversations,
                              const struct conversation *conversation, int64_t now_us)
{
    CLEANUP(span_list_free) struct span_list names = {0};
    bool damaged = conversation->form == CONVERSATION_DAMAGED;

    str_puts(out, "{\"v\":1");
    json_member(out, "thread", conversation->id);
    json_member(out, "subject", conversation_subject(conversations, conversation));
    json_member(out, "kind", span_of(damaged ? "damaged" : kind_name(conversation->kind)));
    json_member(out, "priority",
                span_of(conversation->priority ? priority_name(conversation->priority) : NULL));
    json_member_number(out, "unread", conversation->unread);
    json_member_number(out, "count", conversation->count);
    conversation_participants(conversations, conversation, &names);
    json_member_list(out, "participants", &names);
    json_member_time(out, "last_at", conversation->last_us);
    json_member(out, "waiting_on", conversation->waits_on);
    json_member_seconds(out, "waiting_s", conversation->waits_us, now_us);
    json_key(out, "messages");
    str_putc(out, '[');
    for (size_t i = 0; i < conversation->count; i++)
        json_item(out, conversation_message(conversations, conversation, i)->id);
    str_puts(out, "]}\n");
}

static void put_circle(struct str *out, const struct agents *agents, const struct agent *agent)
{
    CLEANUP(span_list_free) struct span_list names = {0};

    if (agent->circle == AGENT_NONE) {
        json_member_null(out, "circle");
        return;
    }
    const struct agent_circle *circle = &agents->circles[agent->circle];
    for (size_t i = 0; i < circle->count; i++)
        span_list_add(&names, agents->items[circle->members[i]].name);
    json_member_list(out, "circle", &names);
}

void render_agent_json(struct str *out, const struct agents *agents, const struct agent *agent,
                       const struct model *model, const char *format, struct span source,
                       int64_t now_us)
{
    str_puts(out, "{\"v\":1");
    json_member(out, "agent", agent->name);
    json_member(out, "team", agent->team);
    json_member(out, "source", source);
    json_member(out, "format", span_of(format));
    json_member(out, "state", span_of(agent_state_name(agent->state)));
    json_member(out, "why", agent->why);
    json_member_time(out, "heard_at", agent->heard_us);
    json_member_count(out, "unread", agent->unread);
    json_member_time(out, "oldest_unread_at", agent->unread_us);
    json_member(out, "waiting_on", agent->waits_on);
    json_member_seconds(out, "waiting_s", agent->waits_us, now_us);
    json_member_flag(out, "on_roster", agent->on_roster);
    json_member_flag(out, "spoke", agent->spoke);
    json_member_list(out, "boxes", &agent->names);
    put_circle(out, agents, agent);
    json_member(out, "evidence",
                agent->evidence != AGENT_NONE ? model->messages[agent->evidence]->id
                                              : (struct span){0});
    str_puts(out, "}\n");
}
