/* Drafts and outbox: drawing. */
#include "base/mem.h"
#include "mail/render/columns.h"
#include "mail/render/render_sent.h"
#include "store/store_local.h"
#include "ui/compose/form.h"
#include "ui/compose/outgoing.h"
#include "ui/ui_state.h"
#include "ui/views/drafts_view.h"

#include <stdlib.h>

enum { NO_WORD = 60, NO_AGE = 48, MARK = 2, AGE = 5, WORD = 10, PANE_ROWS = 12 };

/* Return a word for the state of a message in the outbox, and a sentence that says what happens
 * next. */
static const char *drafts_state(enum outbox_state state)
{
    static const char *const words[] = {
        [OUTBOX_RECORDED] = "sending",
        [OUTBOX_WRITTEN] = "written",
        [OUTBOX_QUEUED] = "waits",
        [OUTBOX_LOST] = "vanished",
        [OUTBOX_FAILED] = "failed",
        [OUTBOX_TAKEN] = "taken",
        [OUTBOX_UNCONFIRMED] = "unconfirmed",
    };

    return words[state];
}

static const char *drafts_next(enum outbox_state state)
{
    static const char *const words[] = {
        [OUTBOX_RECORDED] = "It is being written; should its process have ended, this program "
                            "finishes it within a minute.",
        [OUTBOX_WRITTEN] = "It is there. It is looked for once more in a moment and counts as sent "
                           "then.",
        [OUTBOX_QUEUED] = "The message before it was not taken yet. It goes out by itself as soon "
                          "as that is gone; X gives it up.",
        [OUTBOX_LOST] = "It was there, and another program has overwritten it. It is not written "
                        "again by itself: gr does that, X lets it be.",
        [OUTBOX_TAKEN] = "Its recipient has taken it. It counts as sent in a moment.",
        [OUTBOX_UNCONFIRMED] = "Its reader may have it already: gr writes it again all the same, X "
                               "lets it be.",
        [OUTBOX_FAILED] = "It does not go out by itself: gr tries once more, X gives it up.",
    };

    return words[state];
}

/* --- rows --- */

/* The columns of one row. */
struct row_text {
    int64_t time_us;
    struct str word, subject, tail;
    struct span to;
    int style;
};

static void report_draft(const struct drafts_view *view, const struct list_row *row,
                         struct row_text *text)
{
    const struct saved_draft *draft = drafts_draft(view, row);

    text->time_us = draft->updated_us;
    str_add_span(&text->word, draft->form);
    text->to = draft->to;
    str_add_span(&text->subject, draft->subject);
    text->style = STYLE_UNREAD;
    if (outgoing_has_draft(view->screen.ui, draft->id)) {
        str_puts(&text->tail, "  being sent");
    } else if (draft->pid) {
        str_addf(&text->tail, "  open in process %lld", (long long)draft->pid);
        text->style = STYLE_READ;
    }
}

static void report_outbox(const struct drafts_view *view, const struct list_row *row,
                          struct row_text *text)
{
    const struct outbox_entry *entry = drafts_entry(view, row);

    text->time_us = entry->created_us;
    str_puts(&text->word, drafts_state(entry->state));
    text->to = entry->to;
    str_add_span(&text->subject, entry->subject);
    if (entry->problem.len) {
        str_puts(&text->tail, "  ");
        str_add_span(&text->tail, entry->problem);
    }
    text->style = outbox_is_stuck(entry->state)   ? STYLE_ERROR
                  : entry->state == OUTBOX_QUEUED ? STYLE_WARNING
                                                  : STYLE_READ;
}

static void report_sent(const struct drafts_view *view, const struct list_row *row,
                        struct row_text *text)
{
    const struct delivery_status *delivery = drafts_delivery(view, row);
    const struct delivery_statuses *statuses = &view->statuses;
    size_t count = 1;

    while (row->item + count < statuses->count &&
           statuses->items[row->item + count].thing == delivery->thing)
        count++;
    text->time_us = delivery->sent_us;
    text->to = delivery->to;
    str_add_span(&text->subject, delivery->subject);
    if (count > 1) {
        text->to = span_of("several");
        str_puts(&text->word, "sent");
        str_puts(&text->tail, "  ");
        render_delivery_state(&text->tail, statuses, row->item);
    } else {
        str_puts(&text->word, delivery_state_name(delivery->state));
    }
    bool wrong = delivery->state == DELIVERY_FAILED || delivery->state == DELIVERY_VANISHED ||
                 delivery->state == DELIVERY_UNCONFIRMED;
    text->style = wrong                                   ? STYLE_ERROR
                  : delivery->state == DELIVERY_DELIVERED ? STYLE_UNREAD
                                                          : STYLE_READ;
}

static void describe_row(const struct drafts_view *view, const struct list_row *row,
                         struct row_text *text)
{
    static void (*const tells[])(const struct drafts_view *view, const struct list_row *row,
                                 struct row_text *text) = {
        [ROW_DRAFT] = report_draft, [ROW_OUTBOX] = report_outbox, [ROW_SENT] = report_sent};

    tells[row->kind](view, row, text);
}

static void free_text(struct row_text *text)
{
    str_free(&text->word);
    str_free(&text->subject);
    str_free(&text->tail);
}

void drafts_add_words(void *context, const struct list_row *row, struct str *out)
{
    const struct drafts_view *view = context;
    CLEANUP(free_text) struct row_text text = {0};

    if (row->kind == ROW_HEADING)
        return;
    describe_row(view, row, &text);
    str_add_span(out, str_span(&text.word));
    str_putc(out, '\n');
    str_add_span(out, text.to);
    str_putc(out, '\n');
    str_add_span(out, str_span(&text.subject));
    str_add_span(out, str_span(&text.tail));
}

static void draw_heading(const struct drafts_view *view, const struct list_row *row,
                         const struct area *line)
{
    static const char *const titles[] = {[ROW_DRAFT] = "drafts",
                                         [ROW_OUTBOX] = "outbox",
                                         [ROW_SENT] = "sent, and what became of it"};
    static const char *const nothing[] = {[ROW_DRAFT] =
                                              ": what you write is kept here until it is delivered",
                                          [ROW_OUTBOX] = ": nothing waits to be sent",
                                          [ROW_SENT] = ""};

    grid_rule(view->grid, line, 0, STYLE_GROUP);
    grid_putf(view->grid, line, 0, 2, STYLE_GROUP, " %s (%zu)%s ", titles[row->item],
              view->counts[row->item], view->counts[row->item] ? "" : nothing[row->item]);
}

/* Returns the name as other lists show it, or the whole list if there are several recipients. */
static struct span addressee(const struct row_text *text, int columns)
{
    if (!text->to.len)
        return span_of("(nobody)");
    return memchr(text->to.at, ',', text->to.len) ? text->to
                                                  : columns_name(text->to, (size_t)columns);
}

/* Draws the subject, followed by as much of the tail as fits into half of the room. */
static void draw_end(const struct drafts_view *view, const struct area *line, int x,
                     const struct row_text *text)
{
    struct grid *grid = view->grid;
    int room = line->columns - x;
    int tail = (int)text->tail.len < room / 2 ? (int)text->tail.len : room / 2;
    struct span subject = text->subject.len ? str_span(&text->subject) : span_of("(no subject)");

    int used = grid_put(grid, line, 0, x, room - tail, text->subject.len ? text->style : STYLE_DIM,
                        span_first_line(subject));
    grid_put(grid, line, 0, x + used, room - used, text->style, str_span(&text->tail));
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    struct drafts_view *view = context;
    struct grid *grid = view->grid;
    CLEANUP(free_text) struct row_text text = {0};
    CLEANUP(str_free) struct str age = {0};
    int x = MARK;

    if (row->kind == ROW_HEADING) {
        draw_heading(view, row, line);
        return;
    }
    describe_row(view, row, &text);
    grid_puts(grid, line, 0, 0, text.style, row == list_here(&view->list) ? ">" : " ");
    if (line->columns >= NO_AGE) {
        if (text.time_us != TIME_NONE)
            time_add_age(&age, ui_now(view->screen.ui) - text.time_us);
        grid_putf(grid, line, 0, x, text.style, "%4s", str_c(&age));
        x += AGE;
    }
    if (line->columns >= NO_WORD || row->kind != ROW_DRAFT) {
        int used = grid_put(grid, line, 0, x, WORD + 1, text.style, str_span(&text.word));
        x += (used > WORD ? used : WORD) + 1; /* "unconfirmed" is rare: only its row shifts */
    }
    grid_put(grid, line, 0, x, view->who_width, text.style, addressee(&text, line->columns));
    x += view->who_width + 1;
    draw_end(view, line, x, &text);
}

/* --- the page below --- */

static void make_page(void *context, struct document *document, const struct page_options *options)
{
    const struct drafts_view *view = context;

    page_text(document, str_span(&view->text), options);
}

static void draw_pane(struct drafts_view *view, struct area *area)
{
    struct render_options rendering = ui_render_options(view->screen.ui);
    struct page_options options = {.now_us = rendering.now_us, .clean = rendering.clean};
    struct area pane = area_take_bottom(area, area->rows / 2);
    struct area rule = area_take_top(&pane, 1);

    grid_rule(view->grid, &rule, 0, STYLE_BORDER);
    pager_draw(&view->pager, view->grid, &pane, &options, make_page, view);
}

static void draw_nothing(struct drafts_view *view, const struct area *area)
{
    struct ui *ui = view->screen.ui;
    const char *const lines[] = {"Nothing is being written and nothing waits to be sent.",
                                 "m writes a message, H hands work over, B writes to a team:",
                                 "what you write is kept here until it has been delivered."};

    if (ui->desk.problem.len) {
        grid_put(view->grid, area, 0, 1, area->columns - 2, STYLE_ERROR,
                 str_span(&ui->desk.problem));
        return;
    }
    if (!ui->desk.known) {
        grid_puts(view->grid, area, 0, 1, STYLE_DIM, "looking ...");
        return;
    }
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++)
        grid_puts(view->grid, area, i + 1, 2, STYLE_DIM, lines[i]);
}

void drafts_draw(struct screen *screen, struct grid *grid, const struct area *area)
{
    struct drafts_view *view = drafts_of(screen);
    struct area rest = *area;

    drafts_settle(view);
    view->grid = grid;
    view->who_width = (int)columns_for_name((size_t)area->columns);
    view->has_page =
        list_here(&view->list) && rest.rows >= PANE_ROWS && !view->bare && !grid->plain;
    view->in_page &= view->has_page;
    if (!list_here(&view->list)) {
        draw_nothing(view, &rest);
        return;
    }
    if (view->has_page)
        draw_pane(view, &rest);
    list_draw(&view->list, grid, &rest, draw_row, view);
}

/* --- the text about the selected row --- */

/* --- a draft --- */

static void add_field(struct str *out, const char *label, struct span text)
{
    text = span_trim(text);
    if (!text.len)
        return;
    bool lines = memchr(text.at, '\n', text.len) != NULL;
    str_addf(out, "%-10s%s", label, lines ? "\n" : " ");
    str_add_span(out, text);
    str_putc(out, '\n');
}

static void add_entry(struct str *out, const struct entry_spec *spec,
                      const struct draft_fields *fields)
{
    const void *value = (const char *)fields + spec->at;
    const struct span_list *list = value;

    switch (spec->kind) {
    case ENTRY_LINE:
    case ENTRY_TEXT:
        add_field(out, spec->label, *(const struct span *)value);
        break;
    case ENTRY_ITEMS:
        for (size_t i = 0; i < list->count; i++)
            add_field(out, i ? "" : spec->label, list->items[i]);
        break;
    case ENTRY_PRIORITY:
        if (*(const enum priority *)value != PRIORITY_NORMAL)
            add_field(out, spec->label, span_of(priority_name(*(const enum priority *)value)));
        break;
    case ENTRY_SWITCH:
        if (*(const bool *)value)
            add_field(out, spec->label, span_of("yes"));
        break;
    case ENTRY_PLACE:
        add_field(out, spec->label, fields->root);
        break;
    }
}

static void add_draft(struct str *out, const struct saved_draft *draft)
{
    CLEANUP(draft_fields_free) struct draft_fields fields = draft_fields_new(FORM_COMPOSE);
    CLEANUP(arena_free) struct arena arena = {0};
    struct err err;

    str_addf(out, "%.*s, drafts/%.*s, begun ", (int)draft->form.len, draft->form.at,
             (int)draft->id.len, draft->id.at);
    time_add_format(out, draft->created_us, "%Y-%m-%d %H:%M");
    time_add_format(out, draft->updated_us, ", saved %H:%M:%S\n");
    if (!draft_fields_read(&fields, draft->fields, &arena, &err)) {
        str_addf(out, "it cannot be read: %s\n", err.text);
    } else if (form_spec_of(fields.form)) {
        if (fields.sending_us != TIME_NONE)
            str_puts(out, "Sending it was begun, and its end was not seen: look at what was sent "
                          "before you send it again.\n");
        str_putc(out, '\n');
        for (const struct entry_spec *one = form_spec_of(fields.form)->entries; one->label; one++)
            add_entry(out, one, &fields);
    }
}

/* --- reading it --- */

struct drafts_task {
    struct ui_task task;
    uint64_t number;
    int64_t entry; /* number in the outbox; 0: a draft */
    struct str id;
    struct saved_drafts drafts;
    struct outbox outbox;
};

static void drafts_task_work(struct ui_task *task, struct store *store)
{
    struct drafts_task *style = (struct drafts_task *)task;

    style->task.ok =
        style->entry ? store_outbox_check(store, style->entry, &style->outbox, &style->task.err)
                     : store_draft(store, str_span(&style->id), &style->drafts, &style->task.err);
}

static void drafts_task_done(struct ui_task *task, struct ui *ui)
{
    struct drafts_task *style = (struct drafts_task *)task;
    struct drafts_view *view = drafts_of(ui_screen(ui, task->screen));

    if (style->number != view->styles)
        return;
    if (!style->entry)
        str_clear(&view->text);
    if (!style->task.ok) {
        str_puts(&view->text, style->task.err.text);
    } else if (style->entry) {
        str_puts(&view->text, "\n");
        str_add_span(&view->text, style->outbox.items[0].bytes);
    } else {
        add_draft(&view->text, &style->drafts.items[0]);
    }
    pager_stale(&view->pager);
}

static void drafts_task_free(struct ui_task *task)
{
    struct drafts_task *style = (struct drafts_task *)task;

    str_free(&style->id);
    saved_drafts_free(&style->drafts);
    outbox_free(&style->outbox);
    free(style);
}

static void begin_look(struct drafts_view *view, int64_t entry, struct span id)
{
    struct drafts_task *style = mem_zero(1, sizeof *style);

    style->task = (struct ui_task){.work = drafts_task_work,
                                   .done = drafts_task_done,
                                   .free = drafts_task_free,
                                   .screen = view->screen.id};
    style->number = view->styles;
    style->entry = entry;
    str_add_span(&style->id, id);
    ui_begin(view->screen.ui, UI_DRAFTS, &style->task);
}

/* --- the text that needs no reading --- */

static void report_entry(struct str *out, const struct outbox_entry *entry)
{
    str_addf(out, "%s: ", drafts_state(entry->state));
    str_add_span(out, entry->subject);
    str_puts(out, entry->subject.len ? ", to " : "to ");
    str_add_span(out, entry->to);
    if (entry->team.len)
        str_addf(out, "@%.*s", (int)entry->team.len, entry->team.at);
    time_add_format(out, entry->created_us, ", since %Y-%m-%d %H:%M:%S");
    str_addf(out, "\nin %.*s, id %.*s", (int)entry->root.len, entry->root.at, (int)entry->id.len,
             entry->id.at);
    if (entry->attempts)
        str_addf(out, ", %d attempt%s", entry->attempts, entry->attempts == 1 ? "" : "s");
    str_putc(out, '\n');
    add_field(out, "Why", entry->problem);
    add_field(out, "Next", span_of(drafts_next(entry->state)));
}

static void add_version(struct str *key, const struct drafts_view *view, const struct list_row *row)
{
    str_add_span(key, row->key);
    if (row->kind == ROW_DRAFT)
        str_addf(key, " %lld", (long long)drafts_draft(view, row)->version);
    if (row->kind == ROW_OUTBOX)
        str_addf(key, " %d %d", (int)drafts_entry(view, row)->state,
                 drafts_entry(view, row)->attempts);
}

static void describe_sent(struct drafts_view *view, const struct list_row *row)
{
    struct render_options rendering = ui_render_options(view->screen.ui);

    str_clear(&view->text);
    render_delivery(&view->text, &view->statuses, drafts_delivery(view, row)->thing, &rendering);
    pager_stale(&view->pager);
}

void drafts_reload(struct drafts_view *view)
{
    const struct list_row *row = list_here(&view->list);
    struct str key = {0};

    if (row)
        add_version(&key, view, row);
    bool same = span_eq(str_span(&key), str_span(&view->shown));
    bool same_row = row && span_starts(str_span(&view->shown), row->key);
    str_free(&view->shown);
    view->shown = key;
    if (row && row->kind == ROW_SENT)
        describe_sent(view, row); /* its version does not change with its content */
    if (same)
        return;
    view->styles++;
    if (!same_row)
        pager_reset(&view->pager);
    if (!row)
        return;
    if (row->kind == ROW_OUTBOX) {
        str_clear(&view->text);
        report_entry(&view->text, drafts_entry(view, row));
        begin_look(view, drafts_entry(view, row)->number, (struct span){0});
    } else if (row->kind == ROW_DRAFT) {
        if (!same_row)
            str_clear(&view->text);
        begin_look(view, 0, drafts_draft(view, row)->id);
    }
}
