/* The agents: who is stuck, who waits, and why. */
#include "base/mem.h"
#include "ui/snapshot/names.h"
#include "ui/views.h"
#include "ui/views/agent_page.h"
#include "ui/views/agents_private.h"

#include <stdlib.h>

static struct agents_view *view_of(struct screen *screen)
{
    return (struct agents_view *)screen;
}

const struct agent *agents_view_at(const struct agents_view *view, const struct list_row *row)
{
    const struct agents *agents = &ui_picture(view->screen.ui)->sight.agents;

    return row && row->item < agents->count ? &agents->items[row->item] : NULL;
}

const struct agent *agents_view_here(const struct agents_view *view)
{
    return agents_view_at(view, list_here(&view->list));
}

void agents_view_fill(struct agents_view *view)
{
    const struct agents *agents = &ui_picture(view->screen.ui)->sight.agents;
    struct str key = {0};

    memset(view->in_state, 0, sizeof view->in_state);
    list_begin(&view->list);
    for (uint32_t i = 0; i < agents->count; i++) {
        const struct agent *agent = &agents->items[i];
        if (!who_matches(agent, str_span(&view->filter)))
            continue;
        view->in_state[agent->state]++;
        str_clear(&key);
        who_add_key(&key, agent);
        list_add(&view->list, &(struct list_row){.item = i, .key = str_span(&key)});
    }
    list_end(&view->list, !ui_picture(view->screen.ui)->ready);
    view->name_width = 0;
    str_free(&key);
}

static void renew(struct screen *screen)
{
    agents_view_fill(view_of(screen));
}

static void status(struct screen *screen, struct str *out)
{
    struct agents_view *view = view_of(screen);

    str_addf(out, "AGENTS %zu/%zu  filter:%s  sort:severity", view->list.count,
             ui_picture(screen->ui)->sight.agents.count,
             view->filter.len ? str_c(&view->filter) : "none");
}

/* --- moving --- */

static bool has_unread(void *context, const struct list_row *row)
{
    const struct agent *agent = agents_view_at(context, row);

    return agent && agent->unread > 0;
}

static bool waits_for_you(void *context, const struct list_row *row)
{
    const struct agent *agent = agents_view_at(context, row);

    return agent && agent->asks_you > 0;
}

static void seek(struct agents_view *view, bool forward, const char *nothing,
                 bool (*takes)(void *context, const struct list_row *row))
{
    if (!list_seek(&view->list, forward, takes, view))
        ui_say(view->screen.ui, LOOK_DIM, "%s", nothing);
}

static void open_here(struct agents_view *view)
{
    const struct agent *agent = agents_view_here(view);

    if (agent)
        agent_page_open(view->screen.ui, agent);
}

static bool act(struct screen *screen, enum action action, struct span argument)
{
    struct agents_view *view = view_of(screen);

    view->list.touched = true;
    if (list_act(&view->list, action))
        return true;
    switch (action) {
    case ACTION_OPEN:
        open_here(view);
        return true;
    case ACTION_NEXT_UNREAD:
        seek(view, true, "nobody else has unread mail", has_unread);
        return true;
    case ACTION_NEXT_DECISION:
    case ACTION_PREVIOUS_DECISION:
        seek(view, action == ACTION_NEXT_DECISION, "nobody else waits for you", waits_for_you);
        return true;
    case ACTION_PREVIEW:
        view->bare = !view->bare;
        return true;
    default:
        return agents_view_find_act(view, action, argument);
    }
}

/* --- the rest --- */

static bool selected(struct screen *screen, struct span *name, uint32_t *source,
                     struct arena *arena)
{
    struct agents_view *view = view_of(screen);
    const struct agent *agent = agents_view_here(view);
    struct str label = {0};

    if (!agent)
        return false;
    names_add(screen->ui, &label, agent, false);
    *name = arena_copy(arena, str_span(&label));
    *source = agent->source;
    str_free(&label);
    return true;
}

static bool choose(struct screen *screen, struct span key, bool open)
{
    struct agents_view *view = view_of(screen);

    if (!list_go(&view->list, key))
        return false;
    if (open)
        open_here(view);
    return true;
}

static bool click(struct screen *screen, int y, int x, bool twice)
{
    (void)x;
    return list_click(&view_of(screen)->list, screen, y, twice);
}

static void view_free(struct screen *screen)
{
    struct agents_view *view = view_of(screen);

    list_free(&view->list);
    str_free(&view->filter);
    free(view);
}

static const struct screen_ops ops = {.title = "Agents",
                                      .where = IN_AGENTS,
                                      .draw = agents_view_draw,
                                      .act = act,
                                      .renew = renew,
                                      .status = status,
                                      .agent = selected,
                                      .search = agents_view_search,
                                      .choose = choose,
                                      .click = click,
                                      .free = view_free};

static struct screen *view_new(struct ui *ui)
{
    struct agents_view *view = mem_zero(1, sizeof *view);

    view->screen = (struct screen){.ops = &ops, .ui = ui};
    return &view->screen;
}

const struct view view_agents = {.title = "Agents", .open = view_new};
