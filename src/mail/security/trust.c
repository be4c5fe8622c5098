/* Trust: what is asked of every message, and of those that no program acts on. */
#include "mail/security/trust.h"

#include "base/text/clean.h"
#include "base/text/utf8.h"
#include "mail/security/trust_private.h"
#include "mail/thread/ask.h"

/* Lines may end as on Windows. */
static bool refuses_lines(struct str *why, struct span text)
{
    bool refused = false;

    while (!refused && text.len) {
        struct span line = span_first_line(text);
        size_t taken = line.len < text.len ? line.len + 1 : line.len;
        if (taken > line.len && span_ends(line, "\r"))
            line.len--;
        refused = trust_refuses_text(why, line, "the message", false);
        text.at += taken;
        text.len -= taken;
    }
    return refused;
}

/* By custom a field says what is asked for; its word has to be a known one. */
static bool refuses_custom(struct str *why, const struct message *message)
{
    bool known = message->kind == KIND_PLAN || message->kind == KIND_PERMISSION ||
                 message->kind == KIND_HOST || message->kind == KIND_SHUTDOWN;

    return message->data->protocol.at && !known &&
           trust_say(why, "requests of that kind are not known here");
}

/* Nothing but a title: an empty plan must not take the place of one that says something. */
static bool is_empty_plan(const struct message *message)
{
    const struct message_data *data = message->data;

    return message->kind == KIND_PLAN && !span_trim(data->body).len && data->context.len <= 2;
}

/* A message of a layout in which no program enforces what is decided. */
static bool refuses_message(struct str *why, const struct message *message, struct span raw)
{
    struct span text = utf8_without_mark(raw);
    struct json value;
    struct err err;

    if (message->flags & MESSAGE_DANGEROUS)
        return trust_say(why, "the agents' own reader would run a part of it as a program");
    if (message->flags & MESSAGE_EQUAL_KEYS)
        return trust_say(why, "a field stands twice in it");
    if (!message_asks(message))
        return trust_say(why, "it asks for nothing that could be approved");
    if (is_empty_plan(message))
        return trust_say(why, "the plan is empty");
    if (refuses_custom(why, message) || trust_refuses_text(why, message->id, "its id", true))
        return true;
    if (!span_starts(span_trim(text), span_of("{")))
        return refuses_lines(why, text);
    if (!json_scan(raw, JSON_PYTHON, &value, &err))
        return trust_say(why, "its JSON cannot be read");
    return trust_refuses_value(why, value, "the message", false) ||
           trust_refuses_strings(why, value, "the message");
}

bool trust_refuses(struct str *why, const struct message *message, struct span raw)
{
    struct arena arena = {0};
    bool refused;

    if (message->damaged) {
        str_puts(why, "it is damaged: ");
        clean_add(why, span_of(message->damaged), CLEAN_LINE | CLEAN_ASCII);
        return true;
    }
    if (!message->data || !raw.len)
        return trust_say(why, "it was not read whole");
    if (!utf8_valid(raw))
        return trust_say(why, "it holds bytes that are not UTF-8");
    if (message->data->body_is_payload && message->data->protocol.at)
        refused = trust_refuses_entry(why, message, raw, &arena);
    else
        refused = refuses_message(why, message, raw);
    arena_free(&arena);
    return refused;
}

bool trust_refuses_input(struct str *why, struct json input)
{
    static const char what[] = "the changed input";

    return trust_refuses_value(why, input, what, false) || trust_refuses_strings(why, input, what);
}
