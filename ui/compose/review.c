/* The review: exactly what would be sent, before it is. */
#include "ui/compose/review.h"

#include "base/mem.h"
#include "ui/compose/form_private.h"
#include "ui/ui_private.h"
#include "ui/widget/page.h"

#include <stdlib.h>

/* A piece of it: sentences of ours in one look, or bytes as they are. */
struct part {
    int look;
    bool raw;
    struct str text;
};

struct review {
    struct screen screen;
    struct outgoing *out; /* NULL once it is on its way */
    uint64_t form_id;
    struct part *parts;
    size_t count, cap;
    struct page page;
};

static struct review *review_of(struct screen *screen)
{
    return (struct review *)screen;
}

/* --- what it says --- */

static struct str *add_part(struct review *review, int look, bool raw)
{
    review->parts = mem_grow(review->parts, &review->cap, review->count + 1, sizeof *review->parts);
    review->parts[review->count] = (struct part){.look = look, .raw = raw};
    return &review->parts[review->count++].text;
}

static void add_warnings(struct review *review, const struct outgoing *out)
{
    for (size_t i = 0; i < out->caveats.count; i++) {
        struct str *text = add_part(review, LOOK_WARNING, false);
        str_puts(text, "! ");
        str_add_span(text, out->caveats.items[i]);
    }
}

static void add_preview(struct review *review, const struct preview *preview)
{
    const struct source *source = ui_source(review->screen.ui, preview->source);
    struct str *text = add_part(review, LOOK_PLAIN, false);

    str_addf(text, "To      %s\nFrom    %s\nSource  %s, %s\nFile    %s\nId      %s",
             str_c(&preview->to), str_c(&preview->from), source->format->title, source->path,
             str_c(&preview->path), str_c(&preview->id));
    if (preview->warning.len) {
        text = add_part(review, LOOK_WARNING, false);
        str_addf(text, "! %s", str_c(&preview->warning));
    }
    if (preview->makes_box)
        str_puts(add_part(review, LOOK_WARNING, false),
                 "! there is no such mailbox yet: it is made");
    if (preview->queued)
        str_puts(add_part(review, LOOK_WARNING, false),
                 "! the place is taken: it waits here and goes out as soon as it can");
    str_addf(add_part(review, LOOK_DIM, false),
             "%s, %zu bytes:", preview->is_entry ? "its entry in that file" : "that file",
             preview->bytes.len);
    str_add_span(add_part(review, LOOK_PLAIN, true), str_span(&preview->bytes));
    str_putc(add_part(review, LOOK_PLAIN, false), '\n');
}

static void add_letters(struct review *review, const struct outgoing *out)
{
    if (out->count > 1)
        str_addf(add_part(review, LOOK_WARNING, false),
                 "! %zu messages, one for each recipient: none of them sees the others",
                 out->count);
    for (size_t i = 0; i < out->count; i++)
        add_preview(review, &out->previews[i]);
}

static void add_broadcast(struct review *review, const struct broadcast *plan)
{
    bool for_all = plan->reached.count > 0;
    size_t count = for_all ? plan->reached.count : plan->count;
    struct str *text = add_part(review, LOOK_STRONG, false);

    str_addf(text, "To %zu agent%s, %s: ", count, count == 1 ? "" : "s",
             for_all ? "one message that all of them see" : "a message each");
    for (size_t i = 0; i < count; i++) {
        struct span name = for_all ? plan->reached.items[i] : plan->letters[i].draft.to;
        str_puts(text, i ? ", " : "");
        str_add_span(text, name);
    }
    for (size_t i = 0; i < plan->left_out_count; i++) {
        const struct left_out *one = &plan->left_out[i];
        str_addf(add_part(review, LOOK_DIM, false), "Left out  %.*s: %s", (int)one->name.len,
                 one->name.at, one->why);
    }
    str_putc(add_part(review, LOOK_PLAIN, false), '\n');
    for (size_t i = 0; plan->previews && i < plan->count; i++)
        add_preview(review, &plan->previews[i]);
}

/* --- the screen --- */

static void make(void *context, struct document *doc, const struct document_options *options)
{
    const struct review *review = context;

    for (size_t i = 0; i < review->count; i++) {
        const struct part *part = &review->parts[i];
        size_t first = doc->piece_count;
        if (part->raw)
            document_raw(doc, str_span(&part->text), options);
        else
            document_text(doc, str_span(&part->text), options);
        for (size_t k = first; k < doc->piece_count; k++)
            if (doc->pieces[k].look == LOOK_PLAIN)
                doc->pieces[k].look = (uint8_t)part->look;
    }
}

static void review_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct review *review = review_of(screen);
    struct render_style style = ui_style(screen->ui);
    struct document_options options = {.now_us = style.now_us, .clean = style.clean};
    struct area rest = *area;

    if (rest.rows > 4) {
        struct area line = area_take_top(&rest, 1);
        grid_puts(grid, &line, 0, 1, LOOK_GROUP,
                  "REVIEW: nothing is sent yet; exactly this would be");
    }
    page_draw(&review->page, grid, &rest, &options, make, review);
}

static bool review_act(struct screen *screen, enum action action, struct span argument)
{
    struct review *review = review_of(screen);
    struct outgoing *out = review->out;

    (void)argument;
    if (action != ACTION_SEND)
        return page_act(&review->page, action) || action == ACTION_SCROLL;
    review->out = NULL;
    if (out)
        form_send(screen->ui, out);
    else
        ui_say(screen->ui, LOOK_WARNING, "it is being sent already");
    return true;
}

static bool review_search(struct screen *screen, struct span text, bool forward, bool live)
{
    return page_search(&review_of(screen)->page, text, forward, live);
}

static void review_status(struct screen *screen, struct str *out)
{
    const struct review *review = review_of(screen);

    str_puts(out, review->out ? "REVIEW  nothing is sent yet" : "REVIEW  sending ...");
    str_addf(out, "  %u%%", page_percent(&review->page));
}

static void review_free(struct screen *screen)
{
    struct review *review = review_of(screen);

    for (size_t i = 0; i < review->count; i++)
        str_free(&review->parts[i].text);
    free(review->parts);
    page_free(&review->page);
    outgoing_free(review->out);
    free(review);
}

static const struct screen_ops review_ops = {.title = "Review",
                                             .where = IN_REVIEW,
                                             .draw = review_draw,
                                             .act = review_act,
                                             .status = review_status,
                                             .search = review_search,
                                             .free = review_free};

void review_open(struct ui *ui, struct outgoing *out)
{
    struct review *review = mem_zero(1, sizeof *review);

    review->screen = (struct screen){.ops = &review_ops, .ui = ui};
    review->out = out;
    review->form_id = out->form_id;
    add_warnings(review, out);
    if (out->fields.form == FORM_BROADCAST)
        add_broadcast(review, &out->plan);
    else
        add_letters(review, out);
    ui_push(ui, &review->screen);
}

void review_close(struct ui *ui, uint64_t form_id)
{
    for (size_t i = ui->over_count; i-- > 0;)
        if (ui->over[i]->ops == &review_ops && review_of(ui->over[i])->form_id == form_id)
            ui_pop(ui, ui->over[i]);
}
