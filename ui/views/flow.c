/* The flow: who talks to whom, how much of late, and who waits for whom. */
#include "base/mem.h"
#include "ui/snapshot/names.h"
#include "ui/views.h"
#include "ui/views/agent_page.h"
#include "ui/views/flow_private.h"

#include <stdlib.h>

/* The period goes on by itself. */
#define STALE_US INT64_C(60000000)

static struct flow_view *view_of(struct screen *screen)
{
    return (struct flow_view *)screen;
}

static void renew(struct screen *screen)
{
    flow_view_drop(view_of(screen));
}

static void status(struct screen *screen, struct str *out)
{
    struct flow_view *view = view_of(screen);

    flow_view_build(view, view->narrow);
    str_addf(out, "FLOW  period:%s  %zu agent%s", view->day ? "day" : "hour",
             view->flow.agent_count, view->flow.agent_count == 1 ? "" : "s");
}

/* The agent of a row or, of two, their conversations. */
static void open_row(struct flow_view *view, const struct list_row *row)
{
    struct ui *ui = view->screen.ui;
    const struct agents *agents = &ui_picture(ui)->sight.agents;
    uint32_t from, to;

    flow_view_agents(view, row, &from, &to);
    if (from != AGENT_NONE && to != AGENT_NONE && from != to)
        agent_page_open_with(ui, &agents->items[from], &agents->items[to]);
    else if (from != AGENT_NONE || to != AGENT_NONE)
        agent_page_open(ui, &agents->items[from != AGENT_NONE ? from : to]);
    else
        ui_say(ui, LOOK_DIM, "that is you, or nobody who is known here; 1 shows all mail");
}

static void set_period(struct flow_view *view, struct span argument)
{
    if (argument.len && !span_is(argument, "day") && !span_is(argument, "hour")) {
        ui_say(view->screen.ui, LOOK_ERROR, "the period is hour or day");
        return;
    }
    view->day = argument.len ? span_is(argument, "day") : !view->day;
    flow_view_drop(view);
}

static bool act(struct screen *screen, enum action action, struct span argument)
{
    struct flow_view *view = view_of(screen);

    flow_view_build(view, view->narrow);
    view->list.touched = true;
    if (list_act(&view->list, action))
        return true;
    switch (action) {
    case ACTION_OPEN:
        if (list_here(&view->list))
            open_row(view, list_here(&view->list));
        return true;
    case ACTION_PERIOD:
        set_period(view, argument);
        return true;
    default:
        return false;
    }
}

static void add_words(void *context, const struct list_row *row, struct str *out)
{
    const struct flow_view *view = context;
    const struct flow_pair *pair = flow_view_pair(view, row);

    str_add_span(out, pair ? pair->from : view->flow.agents[row->item].name);
    str_putc(out, '\n');
    if (pair)
        str_add_span(out, pair->to);
}

static bool search(struct screen *screen, struct span text, bool forward, bool live)
{
    struct flow_view *view = view_of(screen);

    flow_view_build(view, view->narrow);
    return list_search(&view->list, text, forward, live, add_words, view);
}

/* Who lets another one wait; else who wrote. */
static bool selected(struct screen *screen, struct span *name, uint32_t *source,
                     struct arena *arena)
{
    struct flow_view *view = view_of(screen);
    const struct agents *agents = &ui_picture(screen->ui)->sight.agents;
    uint32_t from, to;
    struct str label = {0};

    flow_view_build(view, view->narrow);
    const struct list_row *row = list_here(&view->list);
    if (!row)
        return false;
    flow_view_agents(view, row, &from, &to);
    uint32_t meant = row->kind == FLOW_WAIT && to != AGENT_NONE ? to : from;
    if (meant == AGENT_NONE)
        return false;
    *source = agents->items[meant].source;
    names_add(screen->ui, &label, &agents->items[meant], false);
    *name = arena_copy(arena, str_span(&label));
    str_free(&label);
    return true;
}

static bool choose(struct screen *screen, struct span key, bool open)
{
    struct flow_view *view = view_of(screen);

    flow_view_build(view, view->narrow);
    if (!list_go(&view->list, key))
        return false;
    if (open)
        open_row(view, list_here(&view->list));
    return true;
}

static bool click(struct screen *screen, int y, int x, bool twice)
{
    struct flow_view *view = view_of(screen);

    (void)x;
    flow_view_build(view, view->narrow);
    return list_click(&view->list, screen, y, twice);
}

static int64_t due_us(struct screen *screen)
{
    const struct flow_view *view = view_of(screen);

    return view->built ? when_left(view->built_us + STALE_US) : WHEN_NONE;
}

static void tick(struct screen *screen)
{
    flow_view_drop(view_of(screen));
    ui_touch(screen->ui);
}

static void view_free(struct screen *screen)
{
    struct flow_view *view = view_of(screen);

    flow_view_drop(view);
    list_free(&view->list);
    free(view);
}

static const struct screen_ops ops = {.title = "Flow",
                                      .where = IN_FLOW,
                                      .draw = flow_view_draw,
                                      .act = act,
                                      .renew = renew,
                                      .status = status,
                                      .agent = selected,
                                      .search = search,
                                      .choose = choose,
                                      .click = click,
                                      .due_us = due_us,
                                      .tick = tick,
                                      .free = view_free};

static struct screen *view_new(struct ui *ui)
{
    struct flow_view *view = mem_zero(1, sizeof *view);

    view->screen = (struct screen){.ops = &ops, .ui = ui};
    return &view->screen;
}

const struct view view_flow = {.title = "Flow", .open = view_new};
