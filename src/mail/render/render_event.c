/* Rendering events, one line each. */
#include "mail/render/render_event.h"

#include "base/text/sanitize.h"
#include "mail/message/kind.h"
#include "mail/render/columns.h"
#include "mail/thread/request.h"

static void add_start(struct str *line, const char *event, const struct render_options *style)
{
    time_add_format(line, style->now_us, "%H:%M:%S");
    str_addf(line, " %-7s ", event);
}

static void add_name(struct str *line, struct span name, bool person,
                     const struct render_watch *what, unsigned clean)
{
    sanitize_add(line, person ? span_of("you") : columns_name(name, what->columns), clean);
}

static void add_subject(struct str *line, const struct render_watch *what, unsigned clean)
{
    const struct message *message = what->message;
    CLEANUP(str_free) struct str text = {0};

    if (message->damaged)
        str_puts(&text, message->damaged);
    else if (what->asked.at)
        str_add_span(&text, what->asked);
    else if (message->requires_response)
        request_add_title(&text, message);
    else
        str_add_span(&text, message->subject);
    sanitize_add(line, str_span(&text), clean);
}

void render_watch(struct str *out, const struct render_watch *what,
                  const struct render_options *style)
{
    const struct message *message = what->message;
    struct span to = message_recipient(message);
    CLEANUP(str_free) struct str line = {0}, tail = {0};

    add_start(&line, what->event, style);
    add_name(&line, message->from, message->by_us, what, style->clean);
    str_puts(&line, " -> ");
    add_name(&line, to, message->mine && !span_is(to, "all"), what, style->clean);
    str_addf(&line, "  %s  ", message->damaged ? "damaged" : kind_word(message->kind));
    add_subject(&line, what, style->clean);
    if (what->state)
        str_addf(&tail, "  %s", status_name(message->status));
    str_puts(&tail, "  ");
    sanitize_add(&tail, message->id, style->clean);
    columns_put_line(out, str_span(&line), str_span(&tail), style->clean, what->columns);
}

void render_watch_stuck(struct str *out, struct span agent, struct span why, size_t columns,
                        const struct render_options *style)
{
    CLEANUP(str_free) struct str line = {0};

    add_start(&line, "stuck", style);
    sanitize_add(&line, agent, style->clean);
    str_puts(&line, "  STUCK?  ");
    sanitize_add(&line, why, style->clean);
    columns_put_line(out, str_span(&line), (struct span){0}, style->clean, columns);
}

void render_watch_json(struct str *out, const char *event, const struct str *object)
{
    static const char start[] = "{\"v\":1";

    str_addf(out, "%s,\"event\":\"%s\"", start, event);
    str_puts(out, str_c(object) + sizeof start - 1);
}
