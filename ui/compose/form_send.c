/* Forms: from the form to the delivery. First the review is shown, then the draft is saved with a
 * note that it is being sent, then it is sent. The draft is removed only after it was delivered. */
#include "base/mem.h"
#include "ui/change_status.h"
#include "ui/compose/form.h"
#include "ui/compose/outgoing.h"
#include "ui/decide/undo_window.h"
#include "ui/process/hooks.h"
#include "ui/snapshot/agent_names.h"
#include "ui/ui_state.h"
#include "ui/widget/pager.h"

#include <stdlib.h>

static void form_send(struct ui *ui, struct outgoing *out);

/* --- the review: exactly what would be sent --- */

/* A part of the page: our own sentences in one style, or raw bytes. */
struct part {
    int style;
    bool raw;
    struct str text;
};

struct review {
    struct screen screen;
    struct outgoing *out; /* NULL while it is being sent */
    uint64_t form_id;
    struct part *parts;
    size_t count, cap;
    struct pager pager;
};

static struct review *review_of(struct screen *screen)
{
    return (struct review *)screen;
}

/* --- its text --- */

static struct str *add_part(struct review *review, int style, bool raw)
{
    struct part *part = mem_push(review->parts, review->count, review->cap);

    *part = (struct part){.style = style, .raw = raw};
    return &part->text;
}

static void add_warnings(struct review *review, const struct outgoing *out)
{
    for (size_t i = 0; i < out->caveats.count; i++) {
        struct str *text = add_part(review, STYLE_WARNING, false);
        str_puts(text, "! ");
        str_add_span(text, out->caveats.items[i]);
    }
}

static void add_preview(struct review *review, const struct preview *preview)
{
    const struct source *source = ui_source(review->screen.ui, preview->source);
    struct str *text = add_part(review, STYLE_PLAIN, false);

    str_addf(text, "To      %s\nFrom    %s\nSource  %s, %s\nFile    %s\nId      %s",
             str_c(&preview->to), str_c(&preview->from), source->format->title, source->path,
             str_c(&preview->path), str_c(&preview->id));
    if (preview->warning.len) {
        text = add_part(review, STYLE_WARNING, false);
        str_addf(text, "! %s", str_c(&preview->warning));
    }
    if (preview->makes_box)
        str_puts(add_part(review, STYLE_WARNING, false),
                 "! there is no such mailbox yet: it is made");
    if (preview->queued)
        str_puts(add_part(review, STYLE_WARNING, false),
                 "! the place is taken: it waits here and goes out as soon as it can");
    str_addf(add_part(review, STYLE_DIM, false),
             "%s, %zu bytes:", preview->is_entry ? "its entry in that file" : "that file",
             preview->bytes.len);
    str_add_span(add_part(review, STYLE_PLAIN, true), str_span(&preview->bytes));
    str_putc(add_part(review, STYLE_PLAIN, false), '\n');
}

static void add_letters(struct review *review, const struct outgoing *out)
{
    if (out->count > 1)
        str_addf(add_part(review, STYLE_WARNING, false),
                 "! %zu messages, one for each recipient: none of them sees the others",
                 out->count);
    for (size_t i = 0; i < out->count; i++)
        add_preview(review, &out->to[i].preview);
}

static void add_broadcast(struct review *review, const struct broadcast *plan)
{
    bool for_all = plan->reached.count > 0;
    size_t count = for_all ? plan->reached.count : plan->count;
    struct str *text = add_part(review, STYLE_STRONG, false);

    str_addf(text, "To %zu agent%s, %s: ", count, count == 1 ? "" : "s",
             for_all ? "one message that all of them see" : "a message each");
    for (size_t i = 0; i < count; i++) {
        struct span name = for_all ? plan->reached.items[i] : plan->letters[i].draft.to;
        str_puts(text, i ? ", " : "");
        str_add_span(text, name);
    }
    for (size_t i = 0; i < plan->left_out_count; i++) {
        const struct left_out *one = &plan->left_out[i];
        str_addf(add_part(review, STYLE_DIM, false), "Left out  %.*s: %s", (int)one->name.len,
                 one->name.at, one->why);
    }
    str_putc(add_part(review, STYLE_PLAIN, false), '\n');
    for (size_t i = 0; plan->previews && i < plan->count; i++)
        add_preview(review, &plan->previews[i]);
}

/* --- the screen --- */

static void make_review_page(void *context, struct document *doc,
                             const struct page_options *options)
{
    const struct review *review = context;

    for (size_t i = 0; i < review->count; i++) {
        const struct part *part = &review->parts[i];
        size_t first = doc->piece_count;
        if (part->raw)
            page_raw(doc, str_span(&part->text), options);
        else
            page_text(doc, str_span(&part->text), options);
        for (size_t k = first; k < doc->piece_count; k++)
            if (doc->pieces[k].style == STYLE_PLAIN)
                doc->pieces[k].style = (uint8_t)part->style;
    }
}

static void review_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct review *review = review_of(screen);
    struct render_options style = ui_render_options(screen->ui);
    struct page_options options = {.now_us = style.now_us, .clean = style.clean};
    struct area rest = *area;

    if (rest.rows > 4) {
        struct area line = area_take_top(&rest, 1);
        grid_puts(grid, &line, 0, 1, STYLE_GROUP,
                  "REVIEW: nothing is sent yet; exactly this would be");
    }
    pager_draw(&review->pager, grid, &rest, &options, make_review_page, review);
}

static bool review_act(struct screen *screen, enum action action, struct span argument)
{
    struct review *review = review_of(screen);
    struct outgoing *out = review->out;

    (void)argument;
    if (action != ACTION_SEND)
        return pager_act(&review->pager, action) || action == ACTION_SCROLL;
    review->out = NULL;
    if (out)
        form_send(screen->ui, out);
    else
        ui_info(screen->ui, STYLE_WARNING, "it is being sent already");
    return true;
}

static bool review_search(struct screen *screen, struct span text, bool forward, bool live)
{
    return pager_search(&review_of(screen)->pager, text, forward, live);
}

static void review_status(struct screen *screen, struct str *out)
{
    const struct review *review = review_of(screen);

    str_puts(out, review->out ? "REVIEW  nothing is sent yet" : "REVIEW  sending ...");
    str_addf(out, "  %u%%", pager_percent(&review->pager));
}

static void review_free(struct screen *screen)
{
    struct review *review = review_of(screen);

    for (size_t i = 0; i < review->count; i++)
        str_free(&review->parts[i].text);
    free(review->parts);
    pager_free(&review->pager);
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

/* Opens the review over the form; takes ownership of `out`. */
static void review_open(struct ui *ui, struct outgoing *out)
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

/* Closes the review of a form, if there is one. */
static void review_close(struct ui *ui, uint64_t form_id)
{
    for (size_t i = ui->over_count; i-- > 0;)
        if (ui->over[i]->ops == &review_ops && review_of(ui->over[i])->form_id == form_id)
            ui_pop(ui, ui->over[i]);
}

/* --- the preview --- */

static uint32_t home_of(const struct form_screen *form, struct span name)
{
    const struct agents *agents = &ui_picture(form->screen.ui)->sight.agents;
    uint32_t home = STORE_ANY;

    for (size_t i = 0; i < agents->count; i++) {
        if (!agent_names_is_called(form->screen.ui, &agents->items[i], name))
            continue;
        if (home != STORE_ANY && home != agents->items[i].source)
            return STORE_ANY;
        home = agents->items[i].source;
    }
    return home;
}

static void add_addressee(struct outgoing *out, const struct form_screen *form, struct span name)
{
    struct addressee *to = mem_push(out->to, out->count, out->cap);

    *to = (struct addressee){.name = name};
    to->how.source = out->source != STORE_ANY ? out->source : home_of(form, name);
    to->how.create = out->fields.create;
    if (!memchr(name.at, '@', name.len))
        to->team = out->fields.team;
    /* the author of the answered message is a valid recipient, even without a mailbox */
    if (out->fields.form == FORM_REPLY && out->has_about && span_eq(name, out->about.from)) {
        to->how.create = true;
        to->how.source = out->about.place->source;
        to->how.answers_box = out->about.place->box;
    }
}

static struct outgoing *outgoing_of(struct form_screen *form)
{
    struct outgoing *out = mem_zero(1, sizeof *out);
    const struct message *about = form_about(form);
    const struct source *source = form_source(form);

    out->spec = form->spec;
    form_gather(form, &out->fields, &out->arena);
    if (about) {
        message_keep(&out->about, about, &out->arena);
        out->has_about = true;
    }
    out->now_us = time_now();
    out->form_id = form->screen.id;
    out->changes = form->changes;
    out->keeper = draft_saver_hold(form->keeper);
    out->source = source ? source->index : STORE_ANY;
    /* the store finds the recipients of broadcasts and of lead commands */
    if (out->fields.form != FORM_BROADCAST && !out->spec->is_order)
        for (struct span rest = out->fields.to, name; form_next_name(&rest, &name);)
            add_addressee(out, form, name);
    return out;
}

/* Reports why the store refused. Its sentences name options of the command line; the form has a
 * field for one of them. */
static void say_refused(struct form_screen *form, const struct err *err)
{
    static const char option[] = "--create", field[] = "Create";
    const char *at = strstr(err->text, option);

    if (at)
        form_refuse(form, "%.*s%s%s", (int)(at - err->text), err->text, field,
                    at + sizeof option - 1);
    else
        form_refuse(form, "%s", err->text);
}

static void open_review(struct ui *ui, struct outgoing *out)
{
    struct form_screen *form = form_of(ui_screen(ui, out->form_id));

    form->checking = false;
    if (out->err.scope) {
        say_refused(form, &out->err);
        outgoing_free(out);
    } else if (ui_top(ui) != &form->screen) {
        outgoing_free(out); /* the person is on another screen by now */
    } else {
        ui_info(ui, STYLE_PLAIN, "%s", "");
        review_open(ui, out);
    }
}

void form_review(struct form_screen *form)
{
    struct ui *ui = form->screen.ui;
    CLEANUP(str_free) struct str missing = {0};

    if (form->sending || form->checking) {
        ui_info(ui, STYLE_WARNING, form->sending ? "it is being sent" : "one moment ...");
    } else if (form_add_missing(form, &missing)) {
        ui_info(ui, STYLE_WARNING, "still missing: %s", str_c(&missing));
        form_go(form, form_first_to_write(form), false);
    } else {
        form->checking = true;
        ui_info(ui, STYLE_DIM, "looking at what would be sent ...");
        outgoing_preview(ui, outgoing_of(form), open_review);
    }
}

/* --- sending --- */

static void archive_answered(struct ui *ui, const struct outgoing *out)
{
    CLEANUP(span_list_free) struct span_list keys = {0};
    CLEANUP(str_free) struct str key = {0};

    if (!out->fields.archive || !out->has_about)
        return;
    picture_add_key(&key, &out->about);
    span_list_add(&keys, str_span(&key));
    change_begin(ui, &keys, STATUS_ARCHIVED, 0);
}

/* Excludes the agents that a failed broadcast has reached from the next attempt. */
static void exclude_reached(struct outgoing *out)
{
    for (size_t i = 0; out->plan.count > 1 && i < out->plan.count; i++) {
        const struct outgoing_message *letter = &out->plan.letters[i];
        if (letter->delivered || letter->queued)
            span_list_add(&out->fields.exclude, arena_copy(&out->arena, letter->draft.to));
    }
}

/* Leaves only the recipients that were not reached in the draft, so that sending it again reaches
 * nobody twice. */
static void set_rest(struct outgoing *out)
{
    CLEANUP(str_free) struct str names = {0};

    if (out->left.count && out->left.count < out->count) {
        for (size_t i = 0; i < out->left.count; i++) {
            str_puts(&names, i ? ", " : "");
            str_add_span(&names, out->left.items[i]);
        }
        out->fields.to = arena_copy(&out->arena, str_span(&names));
    }
    if (!out->unsure)
        out->fields.sending_us = TIME_NONE;
    exclude_reached(out);
}

static void add_failed(struct str *text, const struct outgoing *out)
{
    if (out->fields.form == FORM_BROADCAST)
        str_addf(text, "to %s: %s; the draft is kept for whom it has not reached",
                 str_c(&out->said), out->err.text);
    else if (out->unsure)
        str_addf(text, "unconfirmed: %s; the draft is kept, look at `sent` before sending it again",
                 out->err.text);
    else if (out->said.len)
        str_addf(text, "sent to %s; not to the others: %s; the draft is kept for them",
                 str_c(&out->said), out->err.text);
    else
        str_addf(text, "not sent: %s; the draft is kept", out->err.text);
}

static void take_failed(struct ui *ui, struct outgoing *out, struct form_screen *form)
{
    CLEANUP(str_free) struct str text = {0};

    review_close(ui, out->form_id);
    set_rest(out);
    add_failed(&text, out);
    if (form) {
        form->sending = false;
        form->fields.sending_us = out->fields.sending_us;
        form_set_text(form, offsetof(struct draft_fields, to), out->fields.to);
        form_set_items(form, offsetof(struct draft_fields, exclude), &out->fields.exclude);
        form_changed(form);
        form_save(form, DRAFT_KEEP);
        form_refuse(form, "%s", str_c(&text));
    } else {
        draft_begin(ui, out->keeper, DRAFT_SAVE_LAST, &out->fields);
        ui_failf(ui, "%s", str_c(&text));
    }
}

static void report_hooks(struct ui *ui, const struct outgoing *out)
{
    const struct broadcast *plan = &out->plan;

    for (size_t i = 0; i < out->count; i++)
        if (out->to[i].letter.delivered)
            hooks_sent(ui, out->to[i].preview.source, &out->to[i].letter,
                       str_span(&out->to[i].preview.path), false);
    for (size_t i = 0; plan->previews && i < plan->count; i++)
        if (plan->letters[i].delivered)
            hooks_sent(ui, plan->source, &plan->letters[i], str_span(&plan->previews[i].path),
                       false);
}

static void done_send(struct ui *ui, struct outgoing *out)
{
    struct screen *screen = ui_screen(ui, out->form_id);
    struct form_screen *form = screen ? form_of(screen) : NULL;

    report_hooks(ui, out);
    if (out->err.scope) {
        take_failed(ui, out, form);
    } else {
        review_close(ui, out->form_id);
        if (form) {
            form->dropped = true;
            ui_pop(ui, screen);
        }
        draft_begin(ui, out->keeper, DRAFT_REMOVE, NULL);
        archive_answered(ui, out);
        ui_info(ui, STYLE_PLAIN, "sent to %s", str_c(&out->said));
    }
    outgoing_free(out);
}

/* Sends what was reviewed; takes ownership of `out`. */
static void form_send(struct ui *ui, struct outgoing *out)
{
    struct screen *screen = ui_screen(ui, out->form_id);
    struct form_screen *form = screen ? form_of(screen) : NULL;

    if (!form || form->sending || form->changes != out->changes) {
        ui_info(ui, STYLE_WARNING, "it has changed since: look at it again");
        review_close(ui, out->form_id);
        outgoing_free(out);
        return;
    }
    form->sending = true;
    form->out = out;
    form->fields.sending_us = out->fields.sending_us = time_now();
    ui_info(ui, STYLE_DIM, "sending ...");
    form_save(form, DRAFT_SEND);
}

void form_go_on_sending(struct form_screen *form, bool saved)
{
    struct ui *ui = form->screen.ui;
    struct outgoing *out = form->out;

    form->out = NULL;
    if (!saved) { /* form_draft.c has reported why */
        form->sending = false;
        form->fields.sending_us = TIME_NONE;
        review_close(ui, out->form_id);
        outgoing_free(out);
        return;
    }
    memcpy(out->id, form->id, sizeof out->id);
    undo_window_send_all(ui); /* decisions first: an answer may archive a request */
    outgoing_send(ui, out, done_send);
}
