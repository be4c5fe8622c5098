/* Lines that were typed before: kept here, so that the next program has them, too. */
#include "base/mem.h"
#include "ui/ui_private.h"

#include <stdlib.h>

static const char name[] = "history";

const struct history *ui_history(const struct ui *ui)
{
    return &ui->history;
}

/* Reads what is kept; with a line, adds that to it, in place of what it was before. */
struct history_task {
    struct ui_task task;
    struct history history;
    enum history_kind kind;
    struct str line, before;
};

static void work(struct ui_task *task, struct store *store)
{
    struct history_task *keeping = (struct history_task *)task;
    struct str text = {0};
    struct err ignored; /* lines that cannot be kept are no reason to disturb anybody */

    if (store_kept(store, span_of(name), &text, &ignored))
        history_add_lines(&keeping->history, str_span(&text));
    if (keeping->line.len) {
        history_renew(&keeping->history, keeping->kind, str_span(&keeping->before),
                      str_span(&keeping->line));
        str_clear(&text);
        history_text(&keeping->history, &text);
        store_keep(store, span_of(name), str_span(&text), &ignored);
    }
    str_free(&text);
}

/* Other programs may have kept lines of theirs meanwhile. */
static void done(struct ui_task *task, struct ui *ui)
{
    struct history_task *keeping = (struct history_task *)task;

    if (!keeping->line.len) {
        history_free(&ui->history);
        ui->history = keeping->history;
        keeping->history = (struct history){0};
    }
}

static void task_free(struct ui_task *task)
{
    struct history_task *keeping = (struct history_task *)task;

    history_free(&keeping->history);
    str_free(&keeping->line);
    str_free(&keeping->before);
    free(keeping);
}

static void begin(struct ui *ui, enum history_kind kind, struct span before, struct span line)
{
    struct history_task *keeping = mem_zero(1, sizeof *keeping);

    keeping->task = (struct ui_task){.work = work, .done = done, .free = task_free};
    keeping->kind = kind;
    str_add_span(&keeping->line, line);
    str_add_span(&keeping->before, before);
    ui_begin(ui, UI_DESK, &keeping->task);
}

void remember_load(struct ui *ui)
{
    begin(ui, HISTORY_COMMAND, (struct span){0}, (struct span){0});
}

void ui_remember(struct ui *ui, enum history_kind kind, struct span before, struct span line)
{
    history_renew(&ui->history, kind, before, line);
    if (line.len && !ui->options->readonly)
        begin(ui, kind, before, line);
}
