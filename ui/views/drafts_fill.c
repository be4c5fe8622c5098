/* Drafts and outbox: the rows, and what they show. */
#include "base/mem.h"
#include "ui/ui_private.h"
#include "ui/views/drafts_private.h"

#include <stdlib.h>

/* --- rows --- */

static const struct outbox *outbox_of(const struct drafts_view *view)
{
    static const struct outbox none;
    const struct agents_world *world = ui_picture(view->screen.ui)->world;

    return world ? &world->outbox : &none;
}

const struct saved_draft *drafts_draft(const struct drafts_view *view, const struct list_row *row)
{
    return &view->screen.ui->desk.drafts.items[row->item];
}

const struct outbox_entry *drafts_entry(const struct drafts_view *view, const struct list_row *row)
{
    return &outbox_of(view)->items[row->item];
}

const struct fate *drafts_fate(const struct drafts_view *view, const struct list_row *row)
{
    return &view->fates.items[row->item];
}

static void add_row(struct drafts_view *view, enum drafts_row kind, size_t item, struct str *key)
{
    list_add(&view->list, &(struct list_row){
                              .key = str_span(key), .item = (uint32_t)item, .kind = (uint8_t)kind});
    str_clear(key);
}

static void add_heading(struct drafts_view *view, enum drafts_row group, size_t count)
{
    view->counts[group] = count;
    list_add(&view->list, &(struct list_row){.item = group, .kind = ROW_HEADING});
}

static void add_drafts(struct drafts_view *view, struct str *key)
{
    const struct saved_drafts *drafts = &view->screen.ui->desk.drafts;

    add_heading(view, ROW_DRAFT, drafts->count);
    for (size_t i = 0; i < drafts->count; i++) {
        str_puts(key, "draft ");
        str_add_span(key, drafts->items[i].id);
        add_row(view, ROW_DRAFT, i, key);
    }
}

static void add_outbox(struct drafts_view *view, struct str *key)
{
    const struct outbox *outbox = outbox_of(view);

    add_heading(view, ROW_OUTBOX, outbox->count);
    for (size_t i = 0; i < outbox->count; i++) {
        str_addf(key, "outbox %lld", (long long)outbox->items[i].number);
        add_row(view, ROW_OUTBOX, i, key);
    }
}

static void build_fates(struct drafts_view *view)
{
    struct ui *ui = view->screen.ui;
    size_t count = ui_source_count(ui);
    struct fate_source *sources = mem_zero(count + 1, sizeof *sources);

    for (size_t i = 0; i < count; i++)
        sources[i] = store_fate_source(ui->stores[UI_WATCH], i);
    fates_free(&view->fates);
    fates_build(&view->fates, &ui->picture->model, &view->notes, sources, ui_now(ui));
    free(sources);
}

static void add_sent(struct drafts_view *view, struct str *key)
{
    if (!view->notes_known || !view->screen.ui->picture->ready)
        return;
    build_fates(view);
    add_heading(view, ROW_SENT,
                view->fates.thing_count < SENT_MOST ? view->fates.thing_count : SENT_MOST);
    for (size_t i = 0; i < view->fates.count && view->fates.items[i].thing < SENT_MOST; i++) {
        const struct fate *fate = &view->fates.items[i];
        if (i && fate->thing == view->fates.items[i - 1].thing)
            continue;
        str_addf(key, "sent %u ", fate->source);
        str_add_span(key, fate->team);
        str_putc(key, '/');
        str_add_span(key, fate->box);
        str_putc(key, '/');
        str_add_span(key, fate->id);
        add_row(view, ROW_SENT, i, key);
    }
}

/* --- what was sent --- */

struct notes_task {
    struct ui_task task;
    struct fate_notes notes;
};

static void notes_work(struct ui_task *task, struct store *store)
{
    struct notes_task *notes = (struct notes_task *)task;
    struct err ignored; /* what lies in the mailboxes is shown without them */

    store_sent(store, &notes->notes, &ignored);
}

static void notes_done(struct ui_task *task, struct ui *ui)
{
    struct notes_task *notes = (struct notes_task *)task;
    struct drafts_view *view = drafts_of(ui_screen(ui, task->screen));

    view->notes_asked = false;
    view->notes_known = true;
    fates_free(&view->fates); /* they borrow from what was noted before */
    view->fates = (struct fates){0};
    fate_notes_free(&view->notes);
    view->notes = notes->notes;
    notes->notes = (struct fate_notes){0};
    view->stale = true;
}

static void notes_free(struct ui_task *task)
{
    fate_notes_free(&((struct notes_task *)task)->notes);
    free(task);
}

void drafts_ask_for_sent(struct drafts_view *view)
{
    struct notes_task *notes;

    if (view->notes_asked)
        return;
    notes = mem_zero(1, sizeof *notes);
    notes->task = (struct ui_task){
        .work = notes_work, .done = notes_done, .free = notes_free, .screen = view->screen.id};
    view->notes_asked = true;
    ui_begin(view->screen.ui, UI_READ, &notes->task);
}

/* --- the list --- */

void drafts_settle(struct drafts_view *view)
{
    struct str key = {0};

    if (!view->stale)
        return;
    view->stale = false;
    memset(view->counts, 0, sizeof view->counts);
    list_begin(&view->list);
    add_drafts(view, &key);
    add_outbox(view, &key);
    add_sent(view, &key);
    list_end(&view->list, !view->screen.ui->desk.known || !view->notes_known ||
                              !view->screen.ui->picture->ready);
    str_free(&key);
    drafts_look(view);
}
