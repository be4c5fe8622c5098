/* Rendering asks: the queue of decisions, one line each. */
#include "base/text/clean.h"
#include "mail/render/columns.h"
#include "mail/render/render_talk.h"
#include "mail/thread/ask_text.h"

static void put_ask(struct str *out, const struct render_asks *list, size_t number,
                    const size_t *widths, const struct render_style *style)
{
    const struct message *message = list->messages[number];
    struct str line = {0}, tail = {0}, age = {0}, title = {0};
    const struct span names[] = {columns_name(message->from, list->columns),
                                 columns_name(message_recipient(message), list->columns)};

    message_add_age(&age, message, style->now_us);
    str_addf(&line, "%4s ", str_c(&age));
    for (size_t i = 0; i < 1u + list->show_to; i++) {
        clean_fit(&line, names[i], style->clean, widths[i]);
        str_putc(&line, ' ');
    }
    str_addf(&line, "%-*s ", COLUMNS_KIND, kind_word(message->kind));
    ask_add_title(&title, message);
    clean_add(&line, str_span(&title), style->clean);
    if (list->notes && list->notes[number].len) {
        str_puts(&tail, "  [");
        clean_add(&tail, list->notes[number], style->clean);
        str_putc(&tail, ']');
    }
    columns_add_tail(&tail, message, style->clean);
    columns_put_line(out, str_span(&line), str_span(&tail), style->clean, list->columns);
    str_free(&line);
    str_free(&tail);
    str_free(&age);
    str_free(&title);
}

void render_asks(struct str *out, const struct render_asks *list, const struct render_style *style)
{
    size_t widths[2] = {0};
    size_t most = columns_for_name(list->columns);
    struct str scratch = {0};

    for (size_t i = 0; i < list->count; i++) {
        const struct message *message = list->messages[i];
        columns_widen(&widths[0], most, columns_name(message->from, list->columns), &scratch,
                      style->clean);
        columns_widen(&widths[1], most, columns_name(message_recipient(message), list->columns),
                      &scratch, style->clean);
    }
    for (size_t i = 0; i < list->count; i++)
        put_ask(out, list, i, widths, style);
    str_free(&scratch);
}
