/* Drafts and outbox: what was written and is not sent, what was sent and is not there, and what
 * became of the rest. */
#include "base/mem.h"
#include "ui/compose/form.h"
#include "ui/mail/thread.h"
#include "ui/ui_private.h"
#include "ui/views/drafts_private.h"
#include "ui/widget/pager.h"

#include <stdlib.h>

/* Everything that rows point to may be gone. What was sent is asked for when somebody looks. */
static void renew(struct screen *screen)
{
    struct drafts_view *view = drafts_of(screen);

    view->stale = true;
    fates_free(&view->fates);
    view->fates = (struct fates){0};
    if (screen->ui->views[screen->ui->view] == screen)
        drafts_ask_for_sent(view);
}

static void status(struct screen *screen, struct str *out)
{
    struct drafts_view *view = drafts_of(screen);

    drafts_settle(view);
    str_addf(out, "DRAFTS %zu  outbox %zu  sent %zu", view->counts[ROW_DRAFT],
             view->counts[ROW_OUTBOX], view->counts[ROW_SENT]);
    if (view->in_page)
        str_puts(out, "  in the text (^W)");
}

static void open_here(struct drafts_view *view)
{
    struct ui *ui = view->screen.ui;
    const struct list_row *row = list_here(&view->list);

    if (!row)
        return;
    if (row->kind == ROW_DRAFT)
        form_open_draft(ui, drafts_draft(view, row)->id);
    else if (row->kind == ROW_SENT && drafts_fate(view, row)->message)
        ui_push(ui, thread_new(ui, drafts_fate(view, row)->message));
    else
        ui_push(ui,
                pager_new(ui, row->kind == ROW_SENT ? "sent" : "outbox", str_span(&view->text)));
}

static bool act_on_page(struct drafts_view *view, enum action action)
{
    switch (action) {
    case ACTION_PREVIEW:
        view->bare = !view->bare;
        return true;
    case ACTION_OTHER_PANE:
        view->in_page = view->has_page && !view->in_page;
        if (!view->has_page)
            ui_say(view->screen.ui, LOOK_DIM,
                   view->bare ? "there is no other pane; p shows it" : "there is no other pane");
        return true;
    default:
        return view->in_page && page_act(&view->page, action);
    }
}

static bool act(struct screen *screen, enum action action, struct span argument)
{
    struct drafts_view *view = drafts_of(screen);

    (void)argument;
    drafts_settle(view);
    if (act_on_page(view, action))
        return true;
    if (list_act(&view->list, action)) {
        drafts_look(view);
        return true;
    }
    const struct list_row *row = list_here(&view->list);
    switch (action) {
    case ACTION_OPEN:
        open_here(view);
        return true;
    case ACTION_DISCARD:
        drafts_discard(view, row);
        return true;
    case ACTION_RETRY:
        drafts_retry(view, row);
        return true;
    default:
        return false;
    }
}

/* Messages that were sent can be acted on; the others are named so that a sequence of keys is for
 * what it was begun on. */
static bool targets(struct screen *screen, struct span_list *keys, struct arena *arena)
{
    struct drafts_view *view = drafts_of(screen);
    struct str key = {0};

    drafts_settle(view);
    const struct list_row *row = list_here(&view->list);
    if (!row)
        return false;
    if (row->kind == ROW_SENT && drafts_fate(view, row)->message)
        picture_add_key(&key, drafts_fate(view, row)->message);
    else
        str_add_span(&key, row->key);
    span_list_add(keys, arena_copy(arena, str_span(&key)));
    str_free(&key);
    return false;
}

static bool search(struct screen *screen, struct span text, bool forward, bool live)
{
    struct drafts_view *view = drafts_of(screen);

    drafts_settle(view);
    bool is = list_search(&view->list, text, forward, live, drafts_add_words, view);
    drafts_look(view);
    return is;
}

static bool choose(struct screen *screen, struct span key, bool open)
{
    struct drafts_view *view = drafts_of(screen);

    drafts_settle(view);
    if (!list_go(&view->list, key))
        return false;
    drafts_look(view);
    if (open)
        open_here(view);
    return true;
}

static bool click(struct screen *screen, int y, int x, bool twice)
{
    (void)x;
    return list_click(&drafts_of(screen)->list, screen, y, twice);
}

static void view_free(struct screen *screen)
{
    struct drafts_view *view = drafts_of(screen);

    list_free(&view->list);
    fates_free(&view->fates);
    fate_notes_free(&view->notes);
    page_free(&view->page);
    str_free(&view->text);
    str_free(&view->shown);
    free(view);
}

static const struct screen_ops ops = {.title = "Drafts",
                                      .where = IN_DRAFTS,
                                      .draw = drafts_draw,
                                      .act = act,
                                      .renew = renew,
                                      .status = status,
                                      .targets = targets,
                                      .search = search,
                                      .choose = choose,
                                      .click = click,
                                      .free = view_free};

static struct screen *drafts_new(struct ui *ui)
{
    struct drafts_view *view = mem_zero(1, sizeof *view);

    view->screen = (struct screen){.ops = &ops, .ui = ui};
    view->stale = true;
    return &view->screen;
}

static size_t count(const struct ui *ui)
{
    return ui->desk.drafts.count;
}

const struct view view_drafts = {.title = "Drafts", .open = drafts_new, .count = count};
