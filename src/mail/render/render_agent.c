/* Rendering as agents know their messages from their own programs. */
#include "base/text/clean.h"
#include "mail/render/render.h"

/* Cleaned first: what is escaped cannot become a tag again. */
static void put_escaped(struct str *out, struct span text, unsigned how)
{
    struct str clean = {0};

    clean_add(&clean, text, how);
    for (size_t i = 0; i < clean.len; i++) {
        switch (clean.at[i]) {
        case '&': /* first, so that the escapes can be reversed */
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
    str_free(&clean);
}

static void put_attribute(struct str *out, const char *name, struct span text,
                          const struct render_style *style)
{
    if (!text.len)
        return;
    str_addf(out, " %s=\"", name);
    put_escaped(out, text, style->clean | CLEAN_LINE);
    str_putc(out, '"');
}

void render_xml(struct str *out, const struct message *message, const struct render_style *style)
{
    const struct message_data *data = message->data;
    bool own_subject = !message->place->by_subject; /* elsewhere the subject is the summary */

    str_puts(out, "<teammate-message");
    put_attribute(out, "teammate_id", message->from, style);
    put_attribute(out, "color", data->color, style);
    put_attribute(out, "summary", own_subject ? message->subject : data->summary, style);
    str_puts(out, ">\n");
    put_escaped(out, data->body, style->clean | CLEAN_LINES);
    str_puts(out, "\n</teammate-message>\n");
}

void render_event(struct str *out, const struct message *message, const struct render_style *style)
{
    bool urgent = message->priority == PRIORITY_URGENT;

    str_puts(out, span_is(message->type, "broadcast") ? "Team Broadcast\n" : "Team Message\n");
    str_puts(out, urgent ? "[URGENT] From " : "From ");
    clean_add(out, message->from, style->clean | CLEAN_LINE);
    str_puts(out, ": ");
    clean_add(out, message->data->body, style->clean | CLEAN_LINES);
    str_putc(out, '\n');
}
