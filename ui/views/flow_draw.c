/* The flow: drawing. */
#include "store/source/address_owner.h"
#include "ui/term/wrap.h"
#include "ui/views/flow_private.h"

enum {
    NARROW = 60, /* columns of the screen under which there is no table */
    PANE = 3,
    PANED = 9, /* rows from which on there is a pane at the foot */
};

static void add_pair(struct str *out, const struct flow_pair *pair, const char *between)
{
    str_add_span(out, flow_name(pair->from));
    str_puts(out, between);
    str_add_span(out, flow_name(pair->to));
}

static void add_age(struct str *out, const struct flow_view *view, int64_t since_us)
{
    if (since_us == WHEN_NONE)
        str_putc(out, '-');
    else
        when_add_age(out, ui_now(view->screen.ui) - since_us);
}

static void draw_pair(const struct flow_view *view, const struct list_row *row,
                      const struct area *line)
{
    const struct flow_pair *pair = flow_view_pair(view, row);
    struct str text = {0};

    str_addf(&text, "%zu", pair->count);
    if (pair->unread)
        str_addf(&text, "/%zu", pair->unread);
    grid_putf(view->grid, line, 0, FLOW_MARKS, pair->unread ? LOOK_UNREAD : LOOK_PLAIN, "%7s",
              str_c(&text));
    str_clear(&text);
    add_pair(&text, pair, " -> ");
    grid_put(view->grid, line, 0, FLOW_MARKS + 8, line->columns - FLOW_MARKS - 8, LOOK_PLAIN,
             str_span(&text));
    str_free(&text);
}

static bool is_you(const struct flow_view *view, const struct flow_pair *pair, struct span name)
{
    struct place place = {.source = pair->source, .team = pair->team};

    return address_is_us(ui_source(view->screen.ui, pair->source), &place, name);
}

static void draw_wait(const struct flow_view *view, const struct list_row *row,
                      const struct area *line)
{
    const struct flow_pair *pair = flow_view_pair(view, row);
    struct flow_pair shown = *pair;
    bool for_you = is_you(view, pair, pair->to);
    int look = for_you ? LOOK_NEEDS : LOOK_SWARM;
    struct str text = {0};

    if (for_you)
        shown.to = span_of("you");
    else if (is_you(view, pair, pair->from))
        shown.from = span_of("you");

    add_age(&text, view, pair->oldest_us);
    grid_putf(view->grid, line, 0, FLOW_MARKS, look, "%4s", str_c(&text));
    str_clear(&text);
    add_pair(&text, &shown, span_is(shown.from, "you") ? " wait for " : " waits for ");
    if (pair->open > 1)
        str_addf(&text, " (%zu open)", pair->open);
    grid_put(view->grid, line, 0, FLOW_MARKS + 5, line->columns - FLOW_MARKS - 5, look,
             str_span(&text));
    str_free(&text);
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    const struct flow_view *view = context;

    switch ((enum flow_row)row->kind) {
    case FLOW_TEAM:
        flow_draw_team(view, flow_view_team(view, row), line);
        break;
    case FLOW_AGENT:
        flow_draw_agent(view, row, line);
        break;
    case FLOW_WAITING:
        grid_rule(view->grid, line, 0, LOOK_GROUP);
        grid_putf(view->grid, line, 0, 2, LOOK_GROUP, " waits (%u) ", row->item);
        break;
    case FLOW_PAIR:
        draw_pair(view, row, line);
        break;
    case FLOW_WAIT:
        draw_wait(view, row, line);
        break;
    }
    if (row == list_here(&view->list))
        grid_puts(view->grid, line, 0, 0, LOOK_PLAIN, ">");
}

/* --- what is around the list --- */

static void draw_summary(const struct flow_view *view, const struct area *line)
{
    const struct flow *flow = &view->flow;
    struct str text = {0};

    str_addf(&text, "%s%s: %zu message%s", view->narrow ? "" : "last ", view->day ? "day" : "hour",
             flow->count, flow->count == 1 ? "" : "s");
    if (flow->unread)
        str_addf(&text, ", %zu unread", flow->unread);
    if (flow->open)
        str_addf(&text, ", %zu wait", flow->open);
    if (flow->idle && !view->narrow)
        str_addf(&text, ", %zu idle notice%s", flow->idle, flow->idle == 1 ? "" : "s");
    grid_put(view->grid, line, 0, 1, line->columns - 1, LOOK_LABEL, str_span(&text));
    str_free(&text);
}

/* All that one has written, whole. */
static void add_sent(struct str *out, const struct flow_view *view, const struct list_row *row)
{
    const struct flow_agent *agent = &view->flow.agents[row->item];
    const struct flow_team *team = flow_view_team(view, row);
    const char *between = " -> ";

    str_add_span(out, flow_name(agent->name));
    for (size_t i = 0; i < team->pair_count; i++) {
        const struct flow_pair *pair = &view->flow.pairs[team->first_pair + i];
        if (!span_eq(pair->from, agent->name) || !(pair->count || pair->idle))
            continue;
        str_puts(out, between);
        str_add_span(out, flow_name(pair->to));
        if (pair->count)
            str_addf(out, " %zu", pair->count);
        if (pair->unread)
            str_addf(out, " (%zu unread)", pair->unread);
        if (pair->idle)
            str_addf(out, " %zu idle", pair->idle);
        between = ", ";
    }
    if (*between == ' ')
        str_puts(out, " has written nothing");
}

static void add_both(struct str *out, const struct flow_view *view, const struct flow_pair *pair)
{
    add_pair(out, pair, " -> ");
    str_addf(out, ": %zu message%s", pair->count, pair->count == 1 ? "" : "s");
    if (pair->unread)
        str_addf(out, ", %zu unread", pair->unread);
    if (pair->idle)
        str_addf(out, ", %zu idle", pair->idle);
    if (pair->open) {
        str_addf(out, ", %zu open since ", pair->open);
        add_age(out, view, pair->oldest_us);
    }
}

static void draw_pane(const struct flow_view *view, const struct area *pane)
{
    const struct list_row *row = list_here(&view->list);
    struct str text = {0};

    if (!row)
        return;
    if (row->kind == FLOW_AGENT)
        add_sent(&text, view, row);
    else
        add_both(&text, view, flow_view_pair(view, row));
    wrap_put(view->grid, pane, 0, 1, pane->rows, LOOK_PLAIN, str_span(&text));
    str_free(&text);
}

/* The names above the columns stay in sight: those of the team that the first row belongs to. */
static void draw_head(const struct flow_view *view, const struct area *line)
{
    const struct list_row *row = &view->list.rows[view->list.top];

    if (row->kind == FLOW_TEAM && view->list.top)
        return;
    if (row->kind == FLOW_AGENT || row->kind == FLOW_PAIR || row->kind == FLOW_TEAM)
        flow_draw_team(view, flow_view_team(view, row), line);
}

static const char *why_empty(const struct flow_view *view)
{
    if (!ui_picture(view->screen.ui)->ready)
        return "looking for mail ...";
    return view->day ? "nobody wrote anything in the last day, and nobody waits"
                     : "nobody wrote anything in the last hour, and nobody waits; p counts the day";
}

void flow_view_draw(struct screen *screen, struct grid *grid, const struct area *whole)
{
    struct flow_view *view = (struct flow_view *)screen;
    struct area area = *whole, head = {0};

    view->grid = grid;
    flow_view_build(view, area.columns < NARROW);
    if (!view->list.count) {
        wrap_put(grid, &area, area.rows > 1, 2, area.rows, LOOK_DIM, span_of(why_empty(view)));
        return;
    }
    if (area.rows > 2) {
        struct area line = area_take_top(&area, 1);
        draw_summary(view, &line);
    }
    if (area.rows > 2 && !view->narrow)
        head = area_take_top(&area, 1);
    if (whole->rows >= PANED) {
        struct area pane = area_take_bottom(&area, PANE);
        struct area rule = area_take_bottom(&area, 1);
        draw_pane(view, &pane);
        grid_rule(grid, &rule, 0, LOOK_BORDER);
    }
    list_draw(&view->list, grid, &area, draw_row, view);
    if (head.rows)
        draw_head(view, &head);
}
