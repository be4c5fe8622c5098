/* History of typed lines, saved for other runs of the program. */
#include "ui/widget/history.h"

#include "base/mem.h"
#include "ui/ui_state.h"

#include <stdlib.h>

/* Keeping lines and walking through them. */

static const char *const kind_words[HISTORY_KINDS] = {
    [HISTORY_COMMAND] = "command", [HISTORY_SEARCH] = "search",     [HISTORY_FILTER] = "filter",
    [HISTORY_AGENT] = "agent",     [HISTORY_DURATION] = "duration", [HISTORY_REASON] = "reason",
};

/* Replaces a newline within a saved line. */
enum { INNER_NEWLINE = 0x1e };

void history_free(struct history *history)
{
    for (size_t kind = 0; kind < HISTORY_KINDS; kind++) {
        struct history_list *list = &history->lists[kind];
        for (size_t i = 0; i < list->count; i++)
            str_free(&list->lines[i]);
        free(list->lines);
    }
    *history = (struct history){0};
}

static void forget_oldest(struct history_list *list)
{
    str_free(&list->lines[0]);
    list->count--;
    memmove(list->lines, list->lines + 1, list->count * sizeof *list->lines);
}

void history_add(struct history *history, enum history_kind kind, struct span line)
{
    struct history_list *list = &history->lists[kind];

    if (!line.len || line.len > HISTORY_LINE_MOST ||
        (list->count && span_eq(str_span(&list->lines[list->count - 1]), line)))
        return;
    struct str copy = {0};
    str_add_span(&copy, line);
    if (list->count == HISTORY_LINES)
        forget_oldest(list);
    *mem_push(list->lines, list->count, list->cap) = copy;
}

void history_renew(struct history *history, enum history_kind kind, struct span before,
                   struct span line)
{
    struct history_list *list = &history->lists[kind];

    if (before.len && list->count && span_eq(str_span(&list->lines[list->count - 1]), before))
        str_free(&list->lines[--list->count]);
    history_add(history, kind, line);
}

static void swap_bytes(struct str *text, size_t from, char old, char other)
{
    for (size_t i = from; i < text->len; i++)
        if (text->at[i] == old)
            text->at[i] = other;
}

void history_text(const struct history *history, struct str *out)
{
    for (size_t kind = 0; kind < HISTORY_KINDS; kind++) {
        const struct history_list *list = &history->lists[kind];
        for (size_t i = 0; i < list->count; i++) {
            str_addf(out, "%s ", kind_words[kind]);
            size_t from = out->len;
            str_add_span(out, str_span(&list->lines[i]));
            swap_bytes(out, from, '\n', INNER_NEWLINE);
            str_putc(out, '\n');
        }
    }
}

static void add_kept(struct history *history, struct span line)
{
    for (size_t kind = 0; kind < HISTORY_KINDS; kind++) {
        struct span word = span_of(kind_words[kind]);
        if (!span_starts(line, word) || line.len == word.len || line.at[word.len] != ' ')
            continue;
        size_t skip = word.len + 1;
        CLEANUP(str_free) struct str text = {0};
        str_add(&text, line.at + skip, line.len - skip);
        swap_bytes(&text, 0, INNER_NEWLINE, '\n');
        history_add(history, kind, str_span(&text));
        return;
    }
}

void history_add_lines(struct history *history, struct span text)
{
    while (text.len)
        add_kept(history, span_take_line(&text));
}

void history_walk_free(struct history_walk *walk)
{
    str_free(&walk->typed);
    str_free(&walk->shown);
    *walk = (struct history_walk){0};
}

static void begin_walk(struct history_walk *walk, struct span now)
{
    if (walk->back && span_eq(str_span(&walk->shown), now))
        return;
    walk->back = 0;
    str_set(&walk->typed, now);
    str_set(&walk->shown, str_span(&walk->typed)); /* `now` may point into the shown text */
}

/* Moves to the line that far back; returns false if it does not start with the typed text or is the
 * shown one. */
static bool visit_line(const struct history_list *list, struct history_walk *walk, size_t back)
{
    struct span line = str_span(&list->lines[list->count - back]);

    if (!span_starts(line, str_span(&walk->typed)) || span_eq(line, str_span(&walk->shown)))
        return false;
    walk->back = back;
    str_set(&walk->shown, line);
    return true;
}

struct span history_older(const struct history *history, enum history_kind kind,
                          struct history_walk *walk, struct span now)
{
    const struct history_list *list = &history->lists[kind];

    begin_walk(walk, now);
    for (size_t back = walk->back + 1; back <= list->count; back++)
        if (visit_line(list, walk, back))
            return str_span(&walk->shown);
    return (struct span){0};
}

struct span history_newer(const struct history *history, enum history_kind kind,
                          struct history_walk *walk, struct span now)
{
    const struct history_list *list = &history->lists[kind];

    begin_walk(walk, now);
    if (!walk->back)
        return (struct span){0};
    for (size_t back = walk->back - 1; back > 0 && back <= list->count; back--)
        if (visit_line(list, walk, back))
            return str_span(&walk->shown);
    walk->back = 0;
    str_set(&walk->shown, str_span(&walk->typed));
    return str_span(&walk->shown);
}

static const char name[] = "history";

const struct history *ui_history(const struct ui *ui)
{
    return &ui->history;
}

/* Reads the saved lines; with a line, also adds it and saves them all, replacing its earlier form
 * `before`. */
struct history_task {
    struct ui_task task;
    struct history history;
    enum history_kind kind;
    struct str line, before;
};

static void history_task_work(struct ui_task *task, struct store *store)
{
    struct history_task *storage = (struct history_task *)task;
    CLEANUP(str_free) struct str text = {0};
    struct err ignored; /* history is not worth an error message */

    if (store_kept(store, span_of(name), &text, &ignored))
        history_add_lines(&storage->history, str_span(&text));
    if (storage->line.len) {
        history_renew(&storage->history, storage->kind, str_span(&storage->before),
                      str_span(&storage->line));
        str_clear(&text);
        history_text(&storage->history, &text);
        store_keep(store, span_of(name), str_span(&text), &ignored);
    }
}

/* Takes over the lines that were read, which may include those of other processes. */
static void history_task_done(struct ui_task *task, struct ui *ui)
{
    struct history_task *storage = (struct history_task *)task;

    if (!storage->line.len) {
        history_free(&ui->history);
        ui->history = storage->history;
        storage->history = (struct history){0};
    }
}

static void task_free(struct ui_task *task)
{
    struct history_task *storage = (struct history_task *)task;

    history_free(&storage->history);
    str_free(&storage->line);
    str_free(&storage->before);
    free(storage);
}

static void begin_remembering(struct ui *ui, enum history_kind kind, struct span before,
                              struct span line)
{
    struct history_task *storage = mem_zero(1, sizeof *storage);

    storage->task =
        (struct ui_task){.work = history_task_work, .done = history_task_done, .free = task_free};
    storage->kind = kind;
    str_add_span(&storage->line, line);
    str_add_span(&storage->before, before);
    ui_begin(ui, UI_DRAFTS, &storage->task);
}

void remember_load(struct ui *ui)
{
    begin_remembering(ui, HISTORY_COMMAND, (struct span){0}, (struct span){0});
}

void ui_remember(struct ui *ui, enum history_kind kind, struct span before, struct span line)
{
    history_renew(&ui->history, kind, before, line);
    if (line.len && !ui->options->readonly)
        begin_remembering(ui, kind, before, line);
}
