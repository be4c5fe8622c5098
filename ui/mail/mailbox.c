/* Lists of conversations: the screen. */
#include "base/mem.h"
#include "ui/mail/mailbox_private.h"
#include "ui/term/wrap.h"

#include <stdlib.h>

static struct mailbox *mailbox_of(struct screen *screen)
{
    return (struct mailbox *)screen;
}

static void mailbox_renew(struct screen *screen)
{
    mailbox_fill(mailbox_of(screen));
    mailbox_go_to_awaited(mailbox_of(screen));
    mailbox_look(mailbox_of(screen));
}

static const char *why_empty(struct mailbox *box)
{
    const struct picture *picture = ui_picture(box->screen.ui);

    if (filter_is_looking(&box->filter))
        return "searching ...";
    if (!picture->ready)
        return "looking for mail ...";
    if (filter_is_on(&box->filter))
        return "nothing matches the filter; q clears it";
    if (box->kind == MAILBOX_ARCHIVE)
        return "nothing is archived as a whole";
    if (box->kind == MAILBOX_AGENT)
        return "no mail from or to this agent";
    if (box->agent.len)
        return "nothing from or to this agent; q shows everybody's mail again";
    if (box->snoozed)
        return "nothing is put aside; o shows the rest again";
    if (box->scope.mine)
        return "nothing from or to you; o shows everybody's mail";
    return picture->model.count ? "everything is archived or has expired; 5 shows the archive"
                                : "there is no mail yet; it will appear here by itself";
}

/* The sidebar is left of everything else; the page of an agent has its head above the list. */
static void lay_out(struct mailbox *box, struct grid *grid, const struct area *area)
{
    struct mailbox_panes *panes = &box->panes;
    struct ui *ui = box->screen.ui;

    *panes = (struct mailbox_panes){.whole = *area, .list = *area};
    if (area->columns >= SIDEBAR_FROM && !grid->plain) {
        panes->side =
            area_take_left(&panes->list, sidebar_width(&box->side, ui, area->columns, grid->clean));
        struct area wall = area_take_left(&panes->list, 1);
        sidebar_draw(&box->side, ui, grid, &panes->side, mailbox_agent(box));
        grid_wall(grid, &wall, 0, LOOK_BORDER);
    }
    mailbox_place_preview(box, grid, &panes->list);
    box->in_preview &= panes->preview.columns > 0;
    if (box->kind == MAILBOX_AGENT)
        agent_head_draw(&box->head, ui, grid, &panes->list, mailbox_agent(box));
}

static void mailbox_draw(struct screen *screen, struct grid *grid, const struct area *whole)
{
    struct mailbox *box = mailbox_of(screen);
    const struct area *area = &box->panes.list;
    struct render_style style = ui_style(screen->ui);

    lay_out(box, grid, whole);
    struct render_talks list = {.talks = &ui_picture(screen->ui)->sight.talks,
                                .order = &box->order,
                                .most = 200, /* nobody sees the others at the same time */
                                .columns = (size_t)area->columns};
    if (!box->list.count) {
        wrap_put(grid, area, area->rows > 1, 2, area->rows, LOOK_DIM, span_of(why_empty(box)));
        return;
    }
    box->who_width = talk_who_width(&list, &style);
    list_draw(&box->list, grid, area, mailbox_draw_row, box);
    mailbox_draw_preview(box, grid);
}

static void mailbox_status(struct screen *screen, struct str *out)
{
    static const char *const words[] = {
        [MAILBOX_INBOX] = "INBOX", [MAILBOX_ARCHIVE] = "ARCHIVE", [MAILBOX_AGENT] = "AGENT"};
    struct mailbox *box = mailbox_of(screen);

    str_addf(out, "%s %zu/%zu", words[box->kind], box->shown, box->all);
    if (box->agent.len)
        str_addf(out, "  agent:%s", str_c(&box->agent));
    str_addf(out, "  filter:%s%s", filter_is_on(&box->filter) ? str_c(&box->filter.text) : "none",
             filter_is_looking(&box->filter) ? " ..." : "");
    str_addf(out, "  tagged:%zu", key_set_count(&box->tagged));
    str_puts(out, box->snoozed ? "  snoozed" : box->scope.mine ? "  mine" : "  all");
    if (box->asleep && !box->snoozed)
        str_addf(out, "  snoozed:%zu", box->asleep);
    if (box->in_preview)
        str_puts(out, "  in the preview (^W)");
}

static void mailbox_free(struct screen *screen)
{
    struct mailbox *box = mailbox_of(screen);

    mailbox_drop_trees(box);
    free(box->trees);
    list_free(&box->list);
    attention_free(&box->order);
    attention_keys_free(&box->kept);
    str_free(&box->agent);
    str_free(&box->who);
    str_free(&box->with);
    sidebar_free(&box->side);
    key_set_free(&box->tagged);
    key_set_free(&box->unfolded);
    talk_line_free(&box->line);
    filter_free(&box->filter);
    filter_free(&box->tagging);
    message_page_free(&box->opened);
    str_free(&box->awaited.team);
    str_free(&box->awaited.box);
    str_free(&box->awaited.id);
    free(box);
}

static bool click_side(struct mailbox *box, int y)
{
    const struct agents *agents = &ui_picture(box->screen.ui)->sight.agents;
    uint32_t agent;

    if (!sidebar_at(&box->side, y, &agent) || (agent != AGENT_NONE && agent >= agents->count))
        return false;
    if (agent != AGENT_NONE || box->kind != MAILBOX_AGENT)
        mailbox_show_agent(&box->screen, agent == AGENT_NONE ? NULL : &agents->items[agent], NULL);
    return true;
}

static bool mailbox_choose(struct screen *screen, struct span key, bool open)
{
    if (!list_go(&mailbox_of(screen)->list, key))
        return false;
    if (open)
        ui_act(screen->ui, ACTION_OPEN, (struct span){0});
    return true;
}

static bool is_in(const struct area *area, int y, int x)
{
    return y >= area->y && y < area->y + area->rows && x >= area->x && x < area->x + area->columns;
}

static bool mailbox_click(struct screen *screen, int y, int x, bool twice)
{
    struct mailbox *box = mailbox_of(screen);
    const struct mailbox_panes *panes = &box->panes;

    if (x < panes->side.columns)
        return click_side(box, y);
    box->in_preview = is_in(&panes->preview, panes->whole.y + y, panes->whole.x + x);
    if (box->in_preview)
        return true;
    return list_click(&box->list, screen, y, twice);
}

static int64_t mailbox_due_us(struct screen *screen)
{
    return screen->stale ? WHEN_NONE : filter_due_us(&mailbox_of(screen)->filter, screen->ui);
}

static void mailbox_tick(struct screen *screen)
{
    mailbox_look(mailbox_of(screen));
}

static const struct screen_ops ops = {.draw = mailbox_draw,
                                      .act = mailbox_act,
                                      .renew = mailbox_renew,
                                      .status = mailbox_status,
                                      .targets = mailbox_targets,
                                      .untag = mailbox_untag,
                                      .await = mailbox_await,
                                      .agent = mailbox_selected_agent,
                                      .search = mailbox_search,
                                      .choose = mailbox_choose,
                                      .click = mailbox_click,
                                      .due_us = mailbox_due_us,
                                      .tick = mailbox_tick,
                                      .free = mailbox_free};

struct screen *mailbox_new(struct ui *ui, enum mailbox_kind kind)
{
    static const struct {
        const char *title;
        unsigned where;
    } kinds[] = {[MAILBOX_INBOX] = {"Inbox", IN_INBOX},
                 [MAILBOX_ARCHIVE] = {"Archive", IN_ARCHIVE},
                 [MAILBOX_AGENT] = {"Agent", IN_AGENT}};
    struct mailbox *box = mem_zero(1, sizeof *box);

    *box = (struct mailbox){
        .screen = {.ops = &ops, .ui = ui, .title = kinds[kind].title, .where = kinds[kind].where},
        .kind = kind};
    if (!ui_config(ui)->preview)
        box->preview = PREVIEW_NEVER;
    box->scope.mine = kind == MAILBOX_INBOX && ui_config(ui)->scope == CONFIG_SCOPE_MINE;
    return &box->screen;
}
