/* A message on a page: fetches it, and shows it or its bytes. */
#include "ui/mail/message_view.h"

#include "base/mem.h"
#include "ui/term/grid.h"

#include <stdlib.h>

void message_view_free(struct message_page *opened)
{
    str_free(&opened->key);
    str_free(&opened->raw);
    str_free(&opened->problem);
    str_free(&opened->handoff);
    batch_free(&opened->batch);
    arena_free(&opened->arena);
    pager_free(&opened->pager);
    *opened = (struct message_page){0};
}

/* --- fetching --- */

struct fetch_task {
    struct ui_task task;
    uint64_t number;
    struct arena arena;
    struct message head;
    bool wants_raw;
    struct batch batch;
    struct message *message;
    struct str raw;
    struct message_page *opened; /* the screen's; only for fetch_done(), which is not called once
                                  * the screen is closed */
};

static void fetch_work(struct ui_task *task, struct store *store)
{
    struct fetch_task *fetch = (struct fetch_task *)task;

    if (fetch->wants_raw) {
        fetch->task.ok = store_raw(store, &fetch->head, &fetch->raw, &fetch->task.err);
        return;
    }
    fetch->message = store_fetch(store, &fetch->head, &fetch->batch, &fetch->task.err);
    fetch->task.ok = fetch->message != NULL;
}

static void take_message(struct message_page *opened, struct fetch_task *fetch)
{
    if (fetch->wants_raw) {
        str_free(&opened->raw);
        opened->raw = fetch->raw;
        fetch->raw = (struct str){0};
        opened->has_raw = true;
    } else {
        batch_free(&opened->batch);
        arena_free(&opened->arena);
        opened->batch = fetch->batch;
        opened->arena = fetch->arena;
        fetch->arena = (struct arena){0};
        opened->message = fetch->message;
        fetch->batch = (struct batch){0};
    }
    pager_stale(&opened->pager);
}

static void fetch_done(struct ui_task *task, struct ui *ui)
{
    struct fetch_task *fetch = (struct fetch_task *)task;
    struct message_page *opened = fetch->opened;

    (void)ui;
    if (opened->asked != fetch->number)
        return; /* another message is shown by now */
    opened->asked = 0;
    str_clear(&opened->problem);
    if (fetch->task.ok)
        take_message(opened, fetch);
    else
        str_puts(&opened->problem, fetch->task.err.text);
}

static void fetch_free(struct ui_task *task)
{
    struct fetch_task *fetch = (struct fetch_task *)task;

    batch_free(&fetch->batch);
    str_free(&fetch->raw);
    arena_free(&fetch->arena);
    free(fetch);
}

static void fetch(struct message_page *opened, struct screen *screen, const struct message *message,
                  bool raw)
{
    struct fetch_task *work = mem_zero(1, sizeof *work);

    *work = (struct fetch_task){
        .task = {.work = fetch_work, .done = fetch_done, .free = fetch_free, .screen = screen->id},
        .number = ++opened->fetches,
        .wants_raw = raw,
        .opened = opened};
    message_keep(&work->head, message, &work->arena);
    opened->asked = work->number;
    ui_begin(screen->ui, UI_READ, &work->task);
}

/* --- showing --- */

void message_view_show(struct message_page *opened, struct screen *screen,
                       const struct message *message)
{
    struct str key = {0};

    if (message)
        picture_add_key(&key, message);
    bool same = span_eq(str_span(&key), str_span(&opened->key));
    if (same && (!message || opened->print == message->print)) {
        str_free(&key);
        return;
    }
    str_free(&opened->key);
    opened->key = key;
    opened->asked = 0;
    if (!same) {
        batch_free(&opened->batch);
        arena_free(&opened->arena);
        opened->message = NULL;
        opened->show_raw = false;
        pager_reset(&opened->pager);
    }
    opened->has_raw = false;
    str_clear(&opened->problem);
    if (!message)
        return;
    opened->print = message->print;
    opened->damaged = message->damaged != NULL;
    fetch(opened, screen, message, opened->show_raw);
}

/* Updates the sentence about the handoff, which other messages may have changed since the last
 * drawing. */
static void report_handoff(struct message_page *opened, struct ui *ui)
{
    const struct picture *picture = ui_picture(ui);
    uint32_t number = picture_number(picture, str_span(&opened->key));
    const struct handoff_status *handoff_status =
        number == UINT32_MAX ? NULL : handoffs_of(&picture->sight.handoffs, number);
    struct str sentence = {0};

    if (handoff_status)
        handoff_status_add_sentence(&sentence, &picture->sight.handoffs, handoff_status,
                                    ui_now(ui));
    if (!span_eq(str_span(&sentence), str_span(&opened->handoff)))
        pager_stale(&opened->pager);
    str_free(&opened->handoff);
    opened->handoff = sentence;
}

static void make_page(void *context, struct document *document, const struct page_options *options)
{
    const struct message_page *opened = context;

    if (opened->show_raw && opened->has_raw)
        page_raw(document, str_span(&opened->raw), options);
    else if (!opened->show_raw && opened->message)
        page_message(document, opened->message, options);
}

/* Draws the whole reason and what the person can do: the raw bytes are available even if they
 * cannot be parsed. */
static void draw_problem(const struct message_page *opened, struct grid *grid,
                         const struct area *area)
{
    int rows = wrap_put(grid, area, 0, 1, area->rows, STYLE_ERROR, str_span(&opened->problem));

    if (opened->damaged && !opened->show_raw && rows + 1 < area->rows)
        grid_puts(grid, area, rows + 1, 1, STYLE_DIM, "v shows the bytes of its file");
}

void message_view_draw(struct message_page *opened, struct screen *screen, struct grid *grid,
                       const struct area *area)
{
    struct page_options options = {.now_us = ui_now(screen->ui), .all_fields = opened->all_fields};

    report_handoff(opened, screen->ui);
    options.handoff = str_span(&opened->handoff);
    if (opened->problem.len)
        draw_problem(opened, grid, area);
    else if (opened->asked && !(opened->show_raw ? opened->has_raw : opened->message != NULL))
        grid_puts(grid, area, 0, 1, STYLE_DIM, "reading ...");
    else
        pager_draw(&opened->pager, grid, area, &options, make_page, opened);
}

bool message_view_act(struct message_page *opened, struct screen *screen, enum action action)
{
    const struct message *message = picture_find(ui_picture(screen->ui), str_span(&opened->key));

    switch (action) {
    case ACTION_RAW:
        opened->show_raw = !opened->show_raw;
        pager_reset(&opened->pager);
        str_clear(&opened->problem);
        if (message && (opened->show_raw ? !opened->has_raw : !opened->message))
            fetch(opened, screen, message, opened->show_raw);
        return true;
    case ACTION_HEADERS:
        opened->all_fields = !opened->all_fields;
        pager_stale(&opened->pager);
        return true;
    default:
        return pager_act(&opened->pager, action);
    }
}

/* --- seen --- */

struct seen_task {
    struct ui_task task;
    struct arena arena;
    struct message message;
};

static void seen_work(struct ui_task *task, struct store *store)
{
    struct message *message = &((struct seen_task *)task)->message;
    struct err ignored; /* no message: a mark that was not saved does no harm */

    store_mark_seen(store, &message, 1, &ignored);
}

static void seen_free(struct ui_task *task)
{
    arena_free(&((struct seen_task *)task)->arena);
    free(task);
}

void message_view_mark_seen(struct ui *ui, const struct message *message)
{
    if (ui_is_readonly(ui) || message->seen || message->damaged || !message_for_us(message))
        return;
    struct seen_task *seen = mem_zero(1, sizeof *seen);
    seen->task = (struct ui_task){.work = seen_work, .free = seen_free};
    message_keep(&seen->message, message, &seen->arena);
    ui_begin(ui, UI_WRITE, &seen->task);
}
