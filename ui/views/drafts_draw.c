/* Drafts and outbox: drawing them. */
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

/* One word for where a message of the outbox stands, and what happens next. */
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

/* What a row says, in its columns. */
struct row_text {
    int64_t when_us;
    struct str word, subject, tail;
    struct span to;
    int look;
};

static void tell_draft(const struct drafts_view *view, const struct list_row *row,
                       struct row_text *text)
{
    const struct saved_draft *draft = drafts_draft(view, row);

    text->when_us = draft->updated_us;
    str_add_span(&text->word, draft->form);
    text->to = draft->to;
    str_add_span(&text->subject, draft->subject);
    text->look = LOOK_UNREAD;
    if (outgoing_has_draft(view->screen.ui, draft->id)) {
        str_puts(&text->tail, "  being sent");
    } else if (draft->pid) {
        str_addf(&text->tail, "  open in process %lld", (long long)draft->pid);
        text->look = LOOK_READ;
    }
}

static void tell_outbox(const struct drafts_view *view, const struct list_row *row,
                        struct row_text *text)
{
    const struct outbox_entry *entry = drafts_entry(view, row);

    text->when_us = entry->created_us;
    str_puts(&text->word, drafts_state(entry->state));
    text->to = entry->to;
    str_add_span(&text->subject, entry->subject);
    if (entry->problem.len) {
        str_puts(&text->tail, "  ");
        str_add_span(&text->tail, entry->problem);
    }
    text->look = outbox_is_stuck(entry->state)   ? LOOK_ERROR
                 : entry->state == OUTBOX_QUEUED ? LOOK_WARNING
                                                 : LOOK_READ;
}

static void tell_sent(const struct drafts_view *view, const struct list_row *row,
                      struct row_text *text)
{
    const struct fate *fate = drafts_fate(view, row);
    const struct fates *fates = &view->fates;
    size_t count = 1;

    while (row->item + count < fates->count && fates->items[row->item + count].thing == fate->thing)
        count++;
    text->when_us = fate->sent_us;
    text->to = fate->to;
    str_add_span(&text->subject, fate->subject);
    if (count > 1) {
        text->to = span_of("several");
        str_puts(&text->word, "sent");
        str_puts(&text->tail, "  ");
        render_fate_state(&text->tail, fates, row->item);
    } else {
        str_puts(&text->word, fate_name(fate->state));
    }
    bool wrong = fate->state == FATE_FAILED || fate->state == FATE_VANISHED ||
                 fate->state == FATE_UNCONFIRMED;
    text->look = wrong ? LOOK_ERROR : fate->state == FATE_DELIVERED ? LOOK_UNREAD : LOOK_READ;
}

static void describe_row(const struct drafts_view *view, const struct list_row *row,
                         struct row_text *text)
{
    static void (*const tells[])(const struct drafts_view *view, const struct list_row *row,
                                 struct row_text *text) = {
        [ROW_DRAFT] = tell_draft, [ROW_OUTBOX] = tell_outbox, [ROW_SENT] = tell_sent};

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
    struct row_text text = {0};

    if (row->kind == ROW_HEADING)
        return;
    describe_row(view, row, &text);
    str_add_span(out, str_span(&text.word));
    str_putc(out, '\n');
    str_add_span(out, text.to);
    str_putc(out, '\n');
    str_add_span(out, str_span(&text.subject));
    str_add_span(out, str_span(&text.tail));
    free_text(&text);
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

    grid_rule(view->grid, line, 0, LOOK_GROUP);
    grid_putf(view->grid, line, 0, 2, LOOK_GROUP, " %s (%zu)%s ", titles[row->item],
              view->counts[row->item], view->counts[row->item] ? "" : nothing[row->item]);
}

/* One agent is called as in other lists; of several the first are enough. */
static struct span addressee(const struct row_text *text, int columns)
{
    if (!text->to.len)
        return span_of("(nobody)");
    return memchr(text->to.at, ',', text->to.len) ? text->to
                                                  : columns_name(text->to, (size_t)columns);
}

/* The subject, and behind it as much of the rest as leaves half of the room to it. */
static void draw_end(const struct drafts_view *view, const struct area *line, int x,
                     const struct row_text *text)
{
    struct grid *grid = view->grid;
    int room = line->columns - x;
    int tail = (int)text->tail.len < room / 2 ? (int)text->tail.len : room / 2;
    struct span subject = text->subject.len ? str_span(&text->subject) : span_of("(no subject)");

    int used = grid_put(grid, line, 0, x, room - tail, text->subject.len ? text->look : LOOK_DIM,
                        span_first_line(subject));
    grid_put(grid, line, 0, x + used, room - used, text->look, str_span(&text->tail));
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    struct drafts_view *view = context;
    struct grid *grid = view->grid;
    struct row_text text = {0};
    struct str age = {0};
    int x = MARK;

    if (row->kind == ROW_HEADING) {
        draw_heading(view, row, line);
        return;
    }
    describe_row(view, row, &text);
    grid_puts(grid, line, 0, 0, text.look, row == list_here(&view->list) ? ">" : " ");
    if (line->columns >= NO_AGE) {
        if (text.when_us != WHEN_NONE)
            when_add_age(&age, ui_now(view->screen.ui) - text.when_us);
        grid_putf(grid, line, 0, x, text.look, "%4s", str_c(&age));
        x += AGE;
    }
    if (line->columns >= NO_WORD || row->kind != ROW_DRAFT) {
        int used = grid_put(grid, line, 0, x, WORD + 1, text.look, str_span(&text.word));
        x += (used > WORD ? used : WORD) + 1; /* "unconfirmed" is rare: only its row moves */
    }
    grid_put(grid, line, 0, x, view->who_width, text.look, addressee(&text, line->columns));
    x += view->who_width + 1;
    draw_end(view, line, x, &text);
    str_free(&age);
    free_text(&text);
}

/* --- the page below --- */

static void make_page(void *context, struct document *document,
                      const struct document_options *options)
{
    const struct drafts_view *view = context;

    document_text(document, str_span(&view->text), options);
}

static void draw_pane(struct drafts_view *view, struct area *area)
{
    struct render_style style = ui_style(view->screen.ui);
    struct document_options options = {.now_us = style.now_us, .clean = style.clean};
    struct area pane = area_take_bottom(area, area->rows / 2);
    struct area rule = area_take_top(&pane, 1);

    grid_rule(view->grid, &rule, 0, LOOK_BORDER);
    page_draw(&view->page, view->grid, &pane, &options, make_page, view);
}

static void draw_nothing(struct drafts_view *view, const struct area *area)
{
    struct ui *ui = view->screen.ui;
    const char *const lines[] = {"Nothing is being written and nothing waits to be sent.",
                                 "m writes a message, H hands work over, B writes to a team:",
                                 "what you write is kept here until it has been delivered."};

    if (ui->desk.problem.len) {
        grid_put(view->grid, area, 0, 1, area->columns - 2, LOOK_ERROR,
                 str_span(&ui->desk.problem));
        return;
    }
    if (!ui->desk.known) {
        grid_puts(view->grid, area, 0, 1, LOOK_DIM, "looking ...");
        return;
    }
    for (int i = 0; i < (int)(sizeof lines / sizeof *lines); i++)
        grid_puts(view->grid, area, i + 1, 2, LOOK_DIM, lines[i]);
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

/* Drafts and outbox: the text about what is selected. */

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
    struct draft_fields fields = draft_fields_new(FORM_COMPOSE);
    struct arena arena = {0};
    struct err err;

    str_addf(out, "%.*s, drafts/%.*s, begun ", (int)draft->form.len, draft->form.at,
             (int)draft->id.len, draft->id.at);
    when_add_format(out, draft->created_us, "%Y-%m-%d %H:%M");
    when_add_format(out, draft->updated_us, ", saved %H:%M:%S\n");
    if (!draft_fields_read(&fields, draft->fields, &arena, &err)) {
        str_addf(out, "it cannot be read: %s\n", err.text);
    } else if (form_spec_of(fields.form)) {
        if (fields.sending_us != WHEN_NONE)
            str_puts(out, "Sending it was begun, and its end was not seen: look at what was sent "
                          "before you send it again.\n");
        str_putc(out, '\n');
        for (const struct entry_spec *one = form_spec_of(fields.form)->entries; one->label; one++)
            add_entry(out, one, &fields);
    }
    draft_fields_free(&fields);
    arena_free(&arena);
}

/* --- reading it --- */

struct look_task {
    struct ui_task task;
    uint64_t number;
    int64_t entry; /* of the outbox; 0: a draft */
    struct str id;
    struct saved_drafts drafts;
    struct outbox outbox;
};

static void look_task_work(struct ui_task *task, struct store *store)
{
    struct look_task *look = (struct look_task *)task;

    look->task.ok = look->entry
                        ? store_outbox_look(store, look->entry, &look->outbox, &look->task.err)
                        : store_draft(store, str_span(&look->id), &look->drafts, &look->task.err);
}

static void look_task_done(struct ui_task *task, struct ui *ui)
{
    struct look_task *look = (struct look_task *)task;
    struct drafts_view *view = drafts_of(ui_screen(ui, task->screen));

    if (look->number != view->looks)
        return;
    if (!look->entry)
        str_clear(&view->text);
    if (!look->task.ok) {
        str_puts(&view->text, look->task.err.text);
    } else if (look->entry) {
        str_puts(&view->text, "\n");
        str_add_span(&view->text, look->outbox.items[0].bytes);
    } else {
        add_draft(&view->text, &look->drafts.items[0]);
    }
    page_stale(&view->page);
}

static void look_free(struct ui_task *task)
{
    struct look_task *look = (struct look_task *)task;

    str_free(&look->id);
    saved_drafts_free(&look->drafts);
    outbox_free(&look->outbox);
    free(look);
}

static void begin_look(struct drafts_view *view, int64_t entry, struct span id)
{
    struct look_task *look = mem_zero(1, sizeof *look);

    look->task = (struct ui_task){.work = look_task_work,
                                  .done = look_task_done,
                                  .free = look_free,
                                  .screen = view->screen.id};
    look->number = view->looks;
    look->entry = entry;
    str_add_span(&look->id, id);
    ui_begin(view->screen.ui, UI_DESK, &look->task);
}

/* --- what is known at once --- */

static void tell_entry(struct str *out, const struct outbox_entry *entry)
{
    str_addf(out, "%s: ", drafts_state(entry->state));
    str_add_span(out, entry->subject);
    str_puts(out, entry->subject.len ? ", to " : "to ");
    str_add_span(out, entry->to);
    if (entry->team.len)
        str_addf(out, "@%.*s", (int)entry->team.len, entry->team.at);
    when_add_format(out, entry->created_us, ", since %Y-%m-%d %H:%M:%S");
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
    struct render_style style = ui_style(view->screen.ui);

    str_clear(&view->text);
    render_fate(&view->text, &view->fates, drafts_fate(view, row)->thing, &style);
    page_stale(&view->page);
}

void drafts_look(struct drafts_view *view)
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
        describe_sent(view, row); /* it changes without another version */
    if (same)
        return;
    view->looks++;
    if (!same_row)
        page_reset(&view->page);
    if (!row)
        return;
    if (row->kind == ROW_OUTBOX) {
        str_clear(&view->text);
        tell_entry(&view->text, drafts_entry(view, row));
        begin_look(view, drafts_entry(view, row)->number, (struct span){0});
    } else if (row->kind == ROW_DRAFT) {
        if (!same_row)
            str_clear(&view->text);
        begin_look(view, 0, drafts_draft(view, row)->id);
    }
}
