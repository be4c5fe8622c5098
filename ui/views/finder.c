/* The search through all mail: the screen. */
#include "ui/views/finder.h"

#include "base/mem.h"
#include "ui/mail/thread.h"
#include "ui/snapshot/names.h"
#include "ui/ui_private.h"
#include "ui/views/finder_private.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

static struct finder *finder_of(struct screen *screen)
{
    return (struct finder *)screen;
}

void finder_fill(struct finder *finder)
{
    list_begin(&finder->list);
    for (size_t i = 0; i < finder->rows.count; i++) {
        const struct found_row *found = &finder->rows.items[i];
        list_add(&finder->list, &(struct list_row){.key = found->key, .item = (uint32_t)i});
        if (found->before.len || found->found.len)
            list_add(&finder->list, &(struct list_row){.item = (uint32_t)i});
    }
    list_end(&finder->list, false);
    if (finder->other)
        list_act(&finder->list, ACTION_FIRST);
    finder->other = false;
    ui_touch(finder->screen.ui);
}

/* --- the line --- */

/* A line is for the screen that it was opened on. */
struct typing {
    uint64_t screen;
    struct str before; /* for who thinks better of it */
    bool first;        /* nothing was sought before: giving it up leaves the screen */
};

static struct finder *typed_into(struct ui *ui, void *context)
{
    return (struct finder *)ui_screen(ui, ((struct typing *)context)->screen);
}

static void set_text(struct finder *finder, struct span text)
{
    str_set(&finder->text, text);
    finder->other = true;
    finder->known = false; /* rows stay until there are others */
    finder_seek(finder);
}

static void changed(struct ui *ui, void *context, struct span text)
{
    struct finder *finder = typed_into(ui, context);

    if (finder)
        set_text(finder, text);
}

static bool accept(struct ui *ui, void *context, struct span text)
{
    struct finder *finder = typed_into(ui, context);

    if (!finder)
        return true;
    if (!span_eq(text, str_span(&finder->text)))
        set_text(finder, text);
    if (finder->mistake.scope) {
        ui_say(ui, LOOK_ERROR, "%s", finder->mistake.text);
        return false;
    }
    if (finder->empty)
        ui_pop(ui, &finder->screen);
    return true;
}

static void cancel(struct ui *ui, void *context)
{
    struct typing *typing = context;
    struct finder *finder = typed_into(ui, typing);

    if (finder && typing->first)
        ui_pop(ui, &finder->screen);
    else if (finder)
        set_text(finder, str_span(&typing->before));
}

static void typing_free(void *context)
{
    struct typing *typing = context;

    str_free(&typing->before);
    free(typing);
}

static const struct prompt_spec line_spec = {.label = "search all mail: ",
                                             .hint = "words \"in a row\" start* from:NAME",
                                             .history = HISTORY_SEARCH,
                                             .changed = changed,
                                             .accept = accept,
                                             .cancel = cancel,
                                             .complete = names_complete_query,
                                             .free = typing_free};

static void open_line(struct finder *finder, bool first)
{
    struct typing *typing = mem_zero(1, sizeof *typing);

    typing->screen = finder->screen.id;
    typing->first = first;
    str_add_span(&typing->before, str_span(&finder->text));
    ui_prompt(finder->screen.ui, &line_spec, str_span(&finder->text), typing);
}

/* --- the screen --- */

static void status(struct screen *screen, struct str *out)
{
    const struct finder *finder = finder_of(screen);

    str_addf(out, "SEARCH %zu%s  %s first", finder->rows.count, finder->rows.more ? "+" : "",
             finder->ranked ? "best" : "newest");
    if (finder->task && !finder->empty)
        str_puts(out, "  searching");
    if (!finder->screen.ui->prompt && finder->text.len)
        str_addf(out, "  %s", str_c(&finder->text));
}

static void open_here(struct finder *finder)
{
    struct ui *ui = finder->screen.ui;
    const struct list_row *row = list_here(&finder->list);
    const struct message *message = row ? picture_find(ui_picture(ui), row->key) : NULL;

    if (message)
        ui_push(ui, thread_new(ui, message));
    else if (row)
        ui_say(ui, LOOK_WARNING,
               ui_picture(ui)->ready ? "that message is not there any more"
                                     : "mail is still being read; a moment");
}

static bool act(struct screen *screen, enum action action, struct span argument)
{
    struct finder *finder = finder_of(screen);

    if (list_act(&finder->list, action))
        return true;
    switch (action) {
    case ACTION_OPEN:
        open_here(finder);
        return true;
    case ACTION_SEARCH:
    case ACTION_SEARCH_ALL:
        if (argument.len)
            set_text(finder, argument);
        else
            open_line(finder, false);
        return true;
    case ACTION_RANK:
        finder->ranked = !finder->ranked;
        finder->other = true;
        finder_seek(finder);
        ui_say(screen->ui, LOOK_PLAIN, finder->ranked ? "the best first" : "the newest first");
        return true;
    default:
        return false;
    }
}

static bool targets(struct screen *screen, struct span_list *keys, struct arena *arena)
{
    const struct list_row *row = list_here(&finder_of(screen)->list);

    if (row)
        span_list_add(keys, arena_copy(arena, row->key));
    return false;
}

static void renew(struct screen *screen)
{
    finder_of(screen)->stale = true;
}

static void tick(struct screen *screen)
{
    finder_seek(finder_of(screen));
}

static bool choose(struct screen *screen, struct span key, bool open)
{
    struct finder *finder = finder_of(screen);

    if (!list_go(&finder->list, key))
        return false;
    if (open)
        open_here(finder);
    return true;
}

static bool click(struct screen *screen, int y, int x, bool twice)
{
    struct finder *finder = finder_of(screen);
    const struct list_row *row = list_at(&finder->list, ui_area(screen->ui)->y + y);

    (void)x;
    /* the line below a message belongs to it */
    return row && choose(screen, finder->rows.items[row->item].key, twice);
}

static void finder_free(struct screen *screen)
{
    struct finder *finder = finder_of(screen);

    finder_give_up(finder);
    list_free(&finder->list);
    found_rows_free(&finder->rows);
    str_free(&finder->text);
    free(finder);
}

static const struct screen_ops ops = {.title = "Search",
                                      .where = IN_SEARCH,
                                      .draw = finder_draw,
                                      .act = act,
                                      .renew = renew,
                                      .status = status,
                                      .targets = targets,
                                      .choose = choose,
                                      .click = click,
                                      .due_us = finder_due_us,
                                      .tick = tick,
                                      .free = finder_free};

void finder_open(struct ui *ui, struct span words)
{
    struct finder *finder = mem_zero(1, sizeof *finder);

    finder->screen = (struct screen){.ops = &ops, .ui = ui};
    finder->empty = true;
    if (!ui_push(ui, &finder->screen))
        return;
    if (words.len)
        set_text(finder, words);
    else
        open_line(finder, true);
}
