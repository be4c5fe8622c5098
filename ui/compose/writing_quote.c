/* Writing: quotes. */
#include "mail/protocol/protocol.h"
#include "ui/compose/writing.h"

static void add_quoted(struct str *out, struct span text)
{
    while (text.len) {
        const char *end = memchr(text.at, '\n', text.len);
        size_t len = end ? (size_t)(end - text.at) : text.len;
        str_puts(out, len ? "> " : ">");
        str_add(out, text.at, len);
        str_putc(out, '\n');
        text.at += end ? len + 1 : len;
        text.len -= end ? len + 1 : len;
    }
}

static void add_head(struct str *out, const char *label, struct span text)
{
    if (text.len)
        str_addf(out, "%s: %.*s\n", label, (int)text.len, text.at);
}

/* What a message says: that of a protocol in words, since its bytes are for programs. */
static void add_text(struct str *out, const struct message_data *data)
{
    struct arena arena = {0};
    struct protocol p = {0};

    if (data->protocol.len && protocol_parse(&p, data->protocol, &arena) &&
        p.kind != PROTOCOL_UNKNOWN)
        protocol_add_words(out, &p);
    else
        str_add_span(out, data->body);
    arena_free(&arena);
}

void writing_quote(struct str *out, const struct message *message, bool with_head)
{
    struct str head = {0};

    str_add_span(&head, message->from);
    if (message->created_us != WHEN_NONE)
        when_add_format(&head, message->created_us, " wrote on %Y-%m-%d at %H:%M:%S");
    else
        str_puts(&head, " wrote");
    str_addf(out, "%s:\n", str_c(&head));
    str_clear(&head);
    if (with_head) {
        add_head(&head, "From", message->from);
        add_head(&head, "To", message_recipient(message));
        add_head(&head, "Subject", message->subject);
        add_head(&head, "Type", message->type);
        str_addf(&head, "Priority: %s\n", priority_name(message->priority));
        add_head(&head, "Id", message->id);
        str_putc(&head, '\n');
    }
    if (message->data && with_head)
        str_add_span(&head, message->data->body);
    else if (message->data)
        add_text(&head, message->data);
    add_quoted(out, str_span(&head));
    str_free(&head);
}
