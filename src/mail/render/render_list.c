/* Rendering lists: one line a message, in columns. */
#include "base/text/clean.h"
#include "mail/render/columns.h"
#include "mail/render/render.h"

/* How wide the columns of this list are. */
struct widths {
    size_t id, from, to, type;
    bool hide_type;
};

static void measure(struct widths *widths, const struct render_list *list, unsigned clean)
{
    struct str scratch = {0};
    size_t most = columns_for_name(list->columns);

    widths->hide_type = most < COLUMNS_NAME; /* on a narrow screen the subject is worth more */
    for (size_t i = 0; i < list->count; i++) {
        const struct message *message = list->messages[i];
        columns_widen(&widths->id, COLUMNS_NAME, message->id, &scratch, clean);
        columns_widen(&widths->from, most, message->from, &scratch, clean);
        columns_widen(&widths->to, most, message_recipient(message), &scratch, clean);
        columns_widen(&widths->type, COLUMNS_NAME, message->type, &scratch, clean);
    }
    str_free(&scratch);
}

/* Ids are for copying: one that is longer than its column is still shown whole. */
static void put_id(struct str *out, struct span id, size_t width, unsigned clean)
{
    size_t columns = clean_add(out, id, clean);

    if (columns < width)
        str_pad(out, ' ', width - columns);
}

static void put_line(struct str *out, const struct message *message, const struct widths *widths,
                     bool hide_to, const struct render_style *style)
{
    struct str age = {0};

    message_add_age(&age, message, style->now_us);
    put_id(out, message->id, widths->id, style->clean);
    str_addf(out, " %4s ", str_c(&age));
    clean_fit(out, message->from, style->clean, widths->from);
    str_putc(out, ' ');
    if (!hide_to) {
        clean_fit(out, message_recipient(message), style->clean, widths->to);
        str_putc(out, ' ');
    }
    str_addf(out, "%-6s %-10s ", message->damaged ? "-" : priority_name(message->priority),
             message->damaged ? "damaged" : status_name(message->status));
    if (!widths->hide_type) {
        clean_fit(out, message->type, style->clean, widths->type);
        str_putc(out, ' ');
    }
    if (message->flags)
        str_puts(out, "[!] ");
    if (message->damaged) {
        clean_add(out, message->file, style->clean);
        str_puts(out, ": ");
    }
    clean_add(out, message->damaged ? span_of(message->damaged) : message->subject, style->clean);
    str_free(&age);
}

void render_list(struct str *out, const struct render_list *list, const struct render_style *style)
{
    struct widths widths = {0};
    struct str line = {0};

    measure(&widths, list, style->clean);
    for (size_t i = 0; i < list->count; i++) {
        str_clear(&line);
        put_line(&line, list->messages[i], &widths, list->hide_to, style);
        columns_put_line(out, str_span(&line), (struct span){0}, style->clean, list->columns);
    }
    str_free(&line);
}
