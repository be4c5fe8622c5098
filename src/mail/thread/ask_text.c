/* Asks in words: from the fields of the protocol where there is one. */
#include "mail/thread/ask_text.h"

#include "mail/message/kind.h"
#include "mail/protocol/protocol.h"

/* How a subject starts that a program made for a request of that kind. */
static const char *const titles[KIND_COUNT] = {
    [KIND_PERMISSION] = "Permission",  [KIND_HOST] = "Host",
    [KIND_PLAN] = "Plan for approval", [KIND_SHUTDOWN] = "Shutdown requested",
    [KIND_ESCALATION] = "Escalation",  [KIND_HANDOFF] = "Handoff",
};

struct span ask_subject(const struct message *message)
{
    const char *title = titles[message->kind];
    struct span text = span_first_line(span_trim(message->subject));

    if (!title || !span_starts(text, span_of(title)))
        return text;
    struct span rest = {text.at + strlen(title), text.len - strlen(title)};
    if (rest.len && rest.at[0] != ':')
        return text;
    return rest.len ? span_trim((struct span){rest.at + 1, rest.len - 1}) : rest;
}

/* Agents and people write subjects of the other kinds themselves. */
static bool is_made_by_program(enum kind kind)
{
    return kind == KIND_PERMISSION || kind == KIND_HOST || kind == KIND_PLAN ||
           kind == KIND_SHUTDOWN;
}

static void add_refusal(struct str *out, struct span reason)
{
    str_puts(out, reason.len ? "will not stop: " : "will not stop");
    str_add_span(out, reason);
}

void ask_add_text(struct str *out, const struct message *message)
{
    const struct message_data *data = message->data;
    struct arena arena = {0};
    struct protocol p = {0};
    size_t before = out->len;

    if (data && data->protocol.len)
        protocol_parse(&p, data->protocol, &arena);
    if (p.kind == PROTOCOL_PERMISSION_REQUEST || p.kind == PROTOCOL_SANDBOX_PERMISSION_REQUEST)
        protocol_add_use(out, &p);
    else if (p.kind == PROTOCOL_PLAN_APPROVAL_REQUEST)
        str_add_span(out, span_trim(p.plan));
    else if (p.kind == PROTOCOL_SHUTDOWN_REQUEST)
        str_add_span(out, span_trim(p.reason));
    else if (p.kind == PROTOCOL_SHUTDOWN_REJECTED)
        add_refusal(out, span_trim(p.reason));
    if (out->len == before && is_made_by_program(message->kind))
        str_add_span(out, ask_subject(message)); /* as above, where there is only a head */
    if (out->len == before)
        str_add_span(out, message->subject);
    if (out->len == before && data)
        str_add_span(out, span_trim(data->body));
    arena_free(&arena);
}

void ask_add_title(struct str *out, const struct message *message)
{
    struct str whole = {0};

    ask_add_text(&whole, message);
    struct span text = span_trim(str_span(&whole));
    struct span line = span_first_line(text);
    bool more = line.len < text.len;
    while (message->kind == KIND_PLAN && line.len && line.at[0] == '#') {
        line.at++;
        line.len--;
    }
    str_add_span(out, span_trim(line));
    str_puts(out, more && message->kind != KIND_PLAN ? " ..." : "");
    str_free(&whole);
}
