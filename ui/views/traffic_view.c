/* The flow view: who writes to whom, how much of late, and who waits for whom. */
#include "base/mem.h"
#include "base/text/sanitize.h"
#include "mail/render/columns.h"
#include "mail/render/render_traffic.h"
#include "store/source/address.h"
#include "ui/screen.h"
#include "ui/snapshot/agent_names.h"
#include "ui/term/grid.h"
#include "ui/ui.h"
#include "ui/views/agent_view.h"
#include "ui/widget/list.h"

#include <stdlib.h>

/* Kinds of rows. The item is an index into the agents of the flow, from FLOW_PAIR on into its
 * pairs. */
enum flow_row {
    FLOW_TEAM, /* heading with the names above the columns; item: the first agent of the team */
    FLOW_AGENT,
    FLOW_WAITING, /* heading; item: the number of waits */
    FLOW_PAIR,
    FLOW_WAIT,
};

/* A team, as it is shown. */
struct team {
    struct flow_team flow;
    size_t messages;       /* sent in the period */
    int name;              /* columns of the longest name */
    uint32_t most, merged; /* highest count in a spark of FLOW_PARTS columns, and of half as many */
};

struct flow_view {
    struct screen screen;
    struct list list;
    struct flow flow; /* borrows from the snapshot: dropped when there is a new one */
    struct team *teams;
    size_t team_count;
    bool built, day;   /* day: the last day is counted instead of the last hour */
    bool narrow;       /* true if there are rows of pairs instead of a table */
    int64_t built_us;  /* by the steady clock */
    struct grid *grid; /* valid while drawing */
};

/* Columns at the start of each row for the cursor. */
enum { FLOW_MARKS = 2 };

/* --- the rows --- */

#define HOUR_US INT64_C(3600000000)

static void flow_view_drop(struct flow_view *view)
{
    flow_free(&view->flow);
    free(view->teams);
    view->teams = NULL;
    view->team_count = 0;
    view->built = false;
}

static void measure_columns(const struct flow_view *view, struct team *team)
{
    unsigned clean = ui_render_options(view->screen.ui).clean;
    size_t name = 0;
    CLEANUP(str_free) struct str scratch = {0};

    for (size_t i = 0; i < team->flow.agent_count; i++) {
        const struct flow_agent *agent = &team->flow.agents[i];
        uint32_t most = flow_most(agent, FLOW_PARTS), merged = flow_most(agent, FLOW_PARTS / 2);
        team->most = most > team->most ? most : team->most;
        team->merged = merged > team->merged ? merged : team->merged;
        columns_widen(&name, INT16_MAX, agent->name, &scratch, clean);
    }
    team->name = (int)name;
}

/* Compares teams: the busiest first, since a silent one is of little interest. */
static int busiest_first(const void *a, const void *b)
{
    const struct team *x = a, *y = b;

    if (x->messages != y->messages)
        return x->messages > y->messages ? -1 : 1;
    return x->flow.agents < y->flow.agents ? -1 : x->flow.agents > y->flow.agents;
}

static void find_teams(struct flow_view *view)
{
    struct flow_team flow = {0};
    size_t cap = 0;

    while (flow_next_team(&view->flow, &flow)) {
        struct team team = {.flow = flow};
        for (size_t i = 0; i < flow.pair_count; i++)
            team.messages += flow.pairs[i].count;
        measure_columns(view, &team);
        *mem_push(view->teams, view->team_count, cap) = team;
    }
    if (view->team_count)
        qsort(view->teams, view->team_count, sizeof *view->teams, busiest_first);
}

/* Returns the team that a row belongs to, or NULL. */
static const struct team *flow_view_team(const struct flow_view *view, const struct list_row *row)
{
    bool pair = row->kind >= FLOW_PAIR;

    for (size_t i = 0; i < view->team_count; i++) {
        const struct flow_team *team = &view->teams[i].flow;
        size_t first =
            (size_t)(pair ? team->pairs - view->flow.pairs : team->agents - view->flow.agents);
        if (row->item >= first && row->item - first < (pair ? team->pair_count : team->agent_count))
            return &view->teams[i];
    }
    return NULL;
}

/* Returns the pair of a row, or NULL. */
static const struct flow_pair *flow_view_pair(const struct flow_view *view,
                                              const struct list_row *row)
{
    return row->kind >= FLOW_PAIR ? &view->flow.pairs[row->item] : NULL;
}

/* Finds the agents of a row in the snapshot: the author and, for a pair, the recipient. AGENT_NONE
 * for the person and for unknown agents. */
static void flow_view_agents(struct flow_view *view, const struct list_row *row, uint32_t *from,
                             uint32_t *to)
{
    const struct flow_pair *pair = flow_view_pair(view, row);

    *to = AGENT_NONE;
    if (!pair) {
        const struct flow_agent *agent = &view->flow.agents[row->item];
        *from =
            agent_index_find(ui_agents(view->screen.ui), agent->source, agent->team, agent->name);
        return;
    }
    *from = agent_index_find(ui_agents(view->screen.ui), pair->source, pair->team, pair->from);
    *to = agent_index_find(ui_agents(view->screen.ui), pair->source, pair->team, pair->to);
}

static void add_row(struct flow_view *view, enum flow_row kind, size_t item)
{
    struct list_row row = {.kind = (uint8_t)kind, .item = (uint32_t)item};
    CLEANUP(str_free) struct str key = {0};

    if (kind == FLOW_AGENT) {
        const struct flow_agent *agent = &view->flow.agents[item];
        str_addf(&key, "%d %u %zu ", kind, agent->source, agent->team.len);
        str_add_span(&key, agent->team);
        str_add_span(&key, agent->name);
        row.key = str_span(&key);
    } else if (kind >= FLOW_PAIR) {
        const struct flow_pair *pair = &view->flow.pairs[item];
        str_addf(&key, "%d %u %zu %zu ", kind, pair->source, pair->team.len, pair->from.len);
        str_add_span(&key, pair->team);
        str_add_span(&key, pair->from);
        str_add_span(&key, pair->to);
        row.key = str_span(&key);
    }
    list_add(&view->list, &row);
}

static void add_waits(struct flow_view *view)
{
    size_t count;
    CLEANUP(mem_free)
    const struct flow_pair **waits = flow_waits(view->flow.pairs, view->flow.pair_count, &count);

    if (count)
        list_add(&view->list, &(struct list_row){.kind = FLOW_WAITING, .item = (uint32_t)count});
    for (size_t i = 0; i < count; i++)
        add_row(view, FLOW_WAIT, (size_t)(waits[i] - view->flow.pairs));
}

/* Adds the rows of a team. An agent that only received messages has a row, too: the table is
 * square. */
static void add_team(struct flow_view *view, size_t number)
{
    const struct flow_team *team = &view->teams[number].flow;
    size_t first = (size_t)(team->agents - view->flow.agents);

    if (view->narrow ? view->team_count > 1 : number > 0) /* the first one is above the list */
        add_row(view, FLOW_TEAM, first);
    for (size_t i = 0; view->narrow && i < team->pair_count; i++)
        if (team->pairs[i].count)
            add_row(view, FLOW_PAIR, (size_t)(team->pairs - view->flow.pairs) + i);
    for (size_t i = 0; !view->narrow && i < team->agent_count; i++)
        add_row(view, FLOW_AGENT, first + i);
}

/* Returns the name of the agent of the row under the cursor, or of the author if the row is a
 * pair. */
static struct span here_name(const struct flow_view *view)
{
    const struct list_row *row = list_here(&view->list);
    const struct flow_pair *pair = row ? flow_view_pair(view, row) : NULL;

    if (!row)
        return (struct span){0};
    return pair ? pair->from : view->flow.agents[row->item].name;
}

/* Moves the cursor to a row of that agent after the kind of rows has changed. */
static void go_to_name(struct flow_view *view, struct span name)
{
    for (size_t i = 0; i < view->list.count; i++) {
        list_go_to(&view->list, i);
        if (span_eq(here_name(view), name))
            return;
    }
}

/* Builds the flow and its rows if there are none, because of a new snapshot, another period or the
 * time that has passed, or if `narrow`, the kind of rows, changes. */
static void flow_view_build(struct flow_view *view, bool narrow)
{
    const struct picture *picture = ui_picture(view->screen.ui);
    int64_t now_us = ui_now(view->screen.ui);

    CLEANUP(str_free) struct str name = {0};

    if (view->built && view->narrow == narrow)
        return;
    if (view->built)
        str_add_span(&name, here_name(view));
    flow_view_drop(view);
    bool other = view->narrow != narrow;
    view->narrow = narrow;
    if (picture->sight.model)
        flow_build(&view->flow, &picture->model, &picture->sight.asks,
                   now_us - (view->day ? 24 : 1) * HOUR_US, now_us);
    find_teams(view);
    list_begin(&view->list);
    for (size_t i = 0; i < view->team_count; i++)
        add_team(view, i);
    add_waits(view);
    list_end(&view->list, !picture->ready);
    if (other && name.len)
        go_to_name(view, str_span(&name));
    view->built = true;
    view->built_us = time_steady();
}

/* --- the table of a team --- */

enum {
    WIDE = 110, /* columns of the screen from which on everything has room */
    NAME_MOST = 16,
    NAME_LEAST = 6,
    CELL_LEAST = 6,
    TOTAL = 6,
};

/* Layout of the table of a team. */
struct table {
    const struct flow_team *flow;
    size_t shown; /* agents that have a column */
    bool others;  /* true if there is a column for the rest */
    int name, spark, cell;
    int cells, totals; /* their first columns */
    bool idle;         /* true if there is a column for idle notices */
    uint32_t most;     /* highest count in a spark */
};

static struct table lay_out(const struct team *team, int columns)
{
    struct table table = {.flow = &team->flow,
                          .name = team->name > NAME_MOST    ? NAME_MOST
                                  : team->name < NAME_LEAST ? NAME_LEAST
                                                            : team->name,
                          .spark = columns >= WIDE ? FLOW_PARTS : FLOW_PARTS / 2,
                          .idle = columns >= WIDE};
    int wanted = table.name > CELL_LEAST ? table.name : CELL_LEAST;

    table.totals = FLOW_MARKS + table.name + 1 + table.spark;
    table.cells = table.totals + TOTAL * (table.idle ? 3 : 2);
    int room = columns - table.cells;
    int count = (int)team->flow.agent_count;
    table.cell = room / (count + 1) - 1;
    table.cell = table.cell < CELL_LEAST ? CELL_LEAST : table.cell > wanted ? wanted : table.cell;
    int fit = room / (table.cell + 1);
    table.others = fit < count;
    table.shown = (size_t)(table.others ? (fit > 1 ? fit - 1 : 0) : count);
    table.most = table.spark == FLOW_PARTS ? team->most : team->merged;
    return table;
}

static int cell_at(const struct table *table, size_t column)
{
    return table->cells + (int)column * (table->cell + 1) + 1;
}

/* Draws a text at the right end of `width` columns. */
static void put_right(struct grid *grid, const struct area *line, int x, int width, int style,
                      struct span text)
{
    CLEANUP(str_free) struct str cut = {0};
    int columns = (int)sanitize_cut(&cut, text, grid->clean, (size_t)width);

    grid_put(grid, line, 0, x + width - columns, columns, style, str_span(&cut));
}

static void put_name(const struct flow_view *view, const struct area *line, int x, int width,
                     int style, bool right, const struct flow_agent *agent)
{
    CLEANUP(str_free) struct str cut = {0};

    columns_add_short(&cut, flow_name(agent->name), (size_t)width, view->grid->clean);
    style = ui_agent_style(view->screen.ui, agent->source, agent->team, agent->name, style);
    if (right)
        put_right(view->grid, line, x, width, style, str_span(&cut));
    else
        grid_put(view->grid, line, 0, x, width, style, str_span(&cut));
}

/* Draws "12", "12/3" if three of them are unread, or "." for none. */
static void put_count(const struct flow_view *view, const struct area *line, int x, int width,
                      size_t count, size_t unread)
{
    CLEANUP(str_free) struct str text = {0};

    flow_add_count(&text, count, unread);
    if ((int)text.len > width) { /* never a number that is cut: the pane below has it in full */
        str_set(&text, span_of(count > 999 ? ">999" : "many"));
    }
    put_right(view->grid, line, x, width,
              !count   ? STYLE_DIM
              : unread ? STYLE_UNREAD
                       : STYLE_PLAIN,
              str_span(&text));
}

static size_t column_of(const struct table *table, struct span name)
{
    for (size_t i = 0; i < table->shown; i++)
        if (span_eq(table->flow->agents[i].name, name))
            return i;
    return table->shown;
}

static void draw_cells(const struct flow_view *view, const struct table *table,
                       const struct flow_agent *agent, const struct area *line)
{
    size_t columns = table->shown + table->others;
    CLEANUP(mem_free) size_t *counts = mem_zero(2 * (table->shown + 1), sizeof *counts);

    for (size_t i = 0; i < table->flow->pair_count; i++) {
        const struct flow_pair *pair = &table->flow->pairs[i];
        if (!span_eq(pair->from, agent->name))
            continue;
        size_t at = column_of(table, pair->to);
        counts[2 * at] += pair->count;
        counts[2 * at + 1] += pair->unread;
    }
    for (size_t i = 0; i < columns; i++)
        put_count(view, line, cell_at(table, i), table->cell, counts[2 * i], counts[2 * i + 1]);
}

static void flow_draw_agent(const struct flow_view *view, const struct list_row *row,
                            const struct area *line)
{
    const struct flow_agent *agent = &view->flow.agents[row->item];
    struct table table = lay_out(flow_view_team(view, row), line->columns);
    struct render_options options = ui_render_options(view->screen.ui);
    CLEANUP(str_free) struct str spark = {0};

    put_name(view, line, FLOW_MARKS, table.name, STYLE_PLAIN, false, agent);
    flow_add_spark(&spark, agent, (size_t)table.spark, table.most, &options);
    grid_put(view->grid, line, 0, FLOW_MARKS + table.name + 1, table.spark, STYLE_WORKING,
             str_span(&spark));
    grid_putf(view->grid, line, 0, table.totals, STYLE_PLAIN, "%6zu%6zu", agent->sent,
              agent->received);
    if (table.idle)
        grid_putf(view->grid, line, 0, table.totals + 2 * TOTAL, STYLE_DIM, "%6zu", agent->idle);
    draw_cells(view, &table, agent, line);
}

/* Appends the name of a team: the layout if there are several sources, and the team's own name. */
static void add_title(struct str *out, const struct flow_view *view, const struct team *team)
{
    const struct flow_agent *first = team->flow.agents;
    bool sources = ui_source_count(view->screen.ui) > 1;

    if (sources)
        str_puts(out, ui_source(view->screen.ui, first->source)->format->name);
    if (first->team.len) {
        str_puts(out, sources ? " " : "");
        str_add_span(out, first->team);
    }
}

static void flow_draw_team(const struct flow_view *view, const struct team *team,
                           const struct area *line)
{
    CLEANUP(str_free) struct str title = {0};

    add_title(&title, view, team);
    if (view->narrow) {
        grid_put(view->grid, line, 0, 1, line->columns - 1, STYLE_LABEL, str_span(&title));
        return;
    }
    struct table table = lay_out(team, line->columns);
    int room = table.name + 1 + table.spark;
    int used = grid_put(view->grid, line, 0, FLOW_MARKS, room, STYLE_LABEL,
                        view->team_count > 1 && title.len ? str_span(&title) : span_of("FROM"));
    if (used <= table.name)
        grid_puts(view->grid, line, 0, FLOW_MARKS + table.name + 1, STYLE_LABEL,
                  view->day ? "LAST DAY" : "LAST HOUR");
    grid_putf(view->grid, line, 0, table.totals, STYLE_LABEL, "%6s%6s%s", "SENT", "RECV",
              table.idle ? "  IDLE" : "");
    for (size_t i = 0; i < table.shown; i++)
        put_name(view, line, cell_at(&table, i), table.cell, STYLE_LABEL, true,
                 &table.flow->agents[i]);
    if (table.others)
        put_right(view->grid, line, cell_at(&table, table.shown), table.cell, STYLE_LABEL,
                  span_of("others"));
}

/* --- drawing --- */

enum {
    NARROW = 60, /* with fewer columns there is no table */
    PANE = 3,
    PANED = 9, /* rows from which on there is a pane at the foot */
};

static void add_pair(struct str *out, const struct flow_pair *pair, const char *between)
{
    str_add_span(out, flow_name(pair->from));
    str_puts(out, between);
    str_add_span(out, flow_name(pair->to));
}

static void draw_pair(const struct flow_view *view, const struct list_row *row,
                      const struct area *line)
{
    const struct flow_pair *pair = flow_view_pair(view, row);
    CLEANUP(str_free) struct str text = {0};

    flow_add_count(&text, pair->count, pair->unread);
    grid_putf(view->grid, line, 0, FLOW_MARKS, pair->unread ? STYLE_UNREAD : STYLE_PLAIN, "%7s",
              str_c(&text));
    str_clear(&text);
    add_pair(&text, pair, " -> ");
    grid_put(view->grid, line, 0, FLOW_MARKS + 8, line->columns - FLOW_MARKS - 8, STYLE_PLAIN,
             str_span(&text));
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
    int style = for_you ? STYLE_NEEDS : STYLE_SWARM;
    CLEANUP(str_free) struct str text = {0};

    if (for_you)
        shown.to = span_of("you");
    else if (is_you(view, pair, pair->from))
        shown.from = span_of("you");

    columns_add_age(&text, pair->oldest_us, ui_now(view->screen.ui));
    grid_putf(view->grid, line, 0, FLOW_MARKS, style, "%4s", str_c(&text));
    str_clear(&text);
    add_pair(&text, &shown, span_is(shown.from, "you") ? " wait for " : " waits for ");
    if (pair->open > 1)
        str_addf(&text, " (%zu open)", pair->open);
    grid_put(view->grid, line, 0, FLOW_MARKS + 5, line->columns - FLOW_MARKS - 5, style,
             str_span(&text));
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
        grid_rule(view->grid, line, 0, STYLE_GROUP);
        grid_putf(view->grid, line, 0, 2, STYLE_GROUP, " waits (%u) ", row->item);
        break;
    case FLOW_PAIR:
        draw_pair(view, row, line);
        break;
    case FLOW_WAIT:
        draw_wait(view, row, line);
        break;
    }
    if (row == list_here(&view->list))
        grid_puts(view->grid, line, 0, 0, STYLE_PLAIN, ">");
}

/* --- around the list --- */

static void draw_summary(const struct flow_view *view, const struct area *line)
{
    const struct flow *flow = &view->flow;
    CLEANUP(str_free) struct str text = {0};

    str_addf(&text, "%s%s: %zu message%s", view->narrow ? "" : "last ", view->day ? "day" : "hour",
             flow->count, flow->count == 1 ? "" : "s");
    if (flow->unread)
        str_addf(&text, ", %zu unread", flow->unread);
    if (flow->open)
        str_addf(&text, ", %zu wait", flow->open);
    if (flow->idle && !view->narrow)
        str_addf(&text, ", %zu idle notice%s", flow->idle, flow->idle == 1 ? "" : "s");
    grid_put(view->grid, line, 0, 1, line->columns - 1, STYLE_LABEL, str_span(&text));
}

/* Appends all that an agent has sent, in full. */
static void add_sent(struct str *out, const struct flow_view *view, const struct list_row *row)
{
    const struct flow_agent *agent = &view->flow.agents[row->item];
    const struct flow_team *team = &flow_view_team(view, row)->flow;
    const char *between = " -> ";

    str_add_span(out, flow_name(agent->name));
    for (size_t i = 0; i < team->pair_count; i++) {
        const struct flow_pair *pair = &team->pairs[i];
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
        columns_add_age(out, pair->oldest_us, ui_now(view->screen.ui));
    }
}

static void draw_pane(const struct flow_view *view, const struct area *pane)
{
    const struct list_row *row = list_here(&view->list);
    CLEANUP(str_free) struct str text = {0};

    if (!row)
        return;
    if (row->kind == FLOW_AGENT)
        add_sent(&text, view, row);
    else
        add_both(&text, view, flow_view_pair(view, row));
    wrap_put(view->grid, pane, 0, 1, pane->rows, STYLE_PLAIN, str_span(&text));
}

/* Draws the names above the columns of the team that the first visible row belongs to. They do not
 * scroll. */
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

static void flow_view_draw(struct screen *screen, struct grid *grid, const struct area *whole)
{
    struct flow_view *view = (struct flow_view *)screen;
    struct area area = *whole, head = {0};

    view->grid = grid;
    flow_view_build(view, area.columns < NARROW);
    if (!view->list.count) {
        wrap_put(grid, &area, area.rows > 1, 2, area.rows, STYLE_DIM, span_of(why_empty(view)));
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
        grid_rule(grid, &rule, 0, STYLE_BORDER);
    }
    list_draw(&view->list, grid, &area, draw_row, view);
    if (head.rows)
        draw_head(view, &head);
}

/* The flow is built again after this time, since the counted period moves on. */
#define STALE_US INT64_C(60000000)

static struct flow_view *view_of(struct screen *screen)
{
    return (struct flow_view *)screen;
}

static void traffic_view_renew(struct screen *screen)
{
    flow_view_drop(view_of(screen));
}

static void traffic_view_status(struct screen *screen, struct str *out)
{
    struct flow_view *view = view_of(screen);

    flow_view_build(view, view->narrow);
    str_addf(out, "FLOW  period:%s  %zu agent%s", view->day ? "day" : "hour",
             view->flow.agent_count, view->flow.agent_count == 1 ? "" : "s");
}

/* Opens the page of the row's agent or, if there are two, of their conversations. */
static void open_row(struct flow_view *view, const struct list_row *row)
{
    struct ui *ui = view->screen.ui;
    const struct agents *agents = &ui_picture(ui)->sight.agents;
    uint32_t from, to;

    flow_view_agents(view, row, &from, &to);
    if (from != AGENT_NONE && to != AGENT_NONE && from != to)
        agent_view_open_with(ui, &agents->items[from], &agents->items[to]);
    else if (from != AGENT_NONE || to != AGENT_NONE)
        agent_view_open(ui, &agents->items[from != AGENT_NONE ? from : to]);
    else
        ui_info(ui, STYLE_DIM, "that is you, or nobody who is known here; 1 shows all mail");
}

static void set_period(struct flow_view *view, struct span argument)
{
    if (argument.len && !span_is(argument, "day") && !span_is(argument, "hour")) {
        ui_info(view->screen.ui, STYLE_ERROR, "the period is hour or day");
        return;
    }
    view->day = argument.len ? span_is(argument, "day") : !view->day;
    flow_view_drop(view);
}

static bool traffic_view_act(struct screen *screen, enum action action, struct span argument)
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

static bool traffic_view_search(struct screen *screen, struct span text, bool forward, bool live)
{
    struct flow_view *view = view_of(screen);

    flow_view_build(view, view->narrow);
    return list_search(&view->list, text, forward, live, add_words, view);
}

/* Returns the agent that keeps another one waiting, else the author. */
static bool traffic_view_selected(struct screen *screen, struct span *name, uint32_t *source,
                                  struct arena *arena)
{
    struct flow_view *view = view_of(screen);
    const struct agents *agents = &ui_picture(screen->ui)->sight.agents;
    uint32_t from, to;
    CLEANUP(str_free) struct str label = {0};

    flow_view_build(view, view->narrow);
    const struct list_row *row = list_here(&view->list);
    if (!row)
        return false;
    flow_view_agents(view, row, &from, &to);
    uint32_t meant = row->kind == FLOW_WAIT && to != AGENT_NONE ? to : from;
    if (meant == AGENT_NONE)
        return false;
    *source = agents->items[meant].source;
    agent_names_add(screen->ui, &label, &agents->items[meant], false);
    *name = arena_copy(arena, str_span(&label));
    return true;
}

static bool traffic_view_choose(struct screen *screen, struct span key, bool open)
{
    struct flow_view *view = view_of(screen);

    flow_view_build(view, view->narrow);
    return list_screen_choose(screen, key, open);
}

static bool traffic_view_click(struct screen *screen, int y, int x, bool twice)
{
    struct flow_view *view = view_of(screen);

    flow_view_build(view, view->narrow);
    return list_screen_click(screen, y, x, twice);
}

static int64_t due_us(struct screen *screen)
{
    const struct flow_view *view = view_of(screen);

    return view->built ? time_left(view->built_us + STALE_US) : TIME_NONE;
}

static void traffic_view_tick(struct screen *screen)
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
                                      .act = traffic_view_act,
                                      .renew = traffic_view_renew,
                                      .status = traffic_view_status,
                                      .agent = traffic_view_selected,
                                      .search = traffic_view_search,
                                      .choose = traffic_view_choose,
                                      .click = traffic_view_click,
                                      .due_us = due_us,
                                      .tick = traffic_view_tick,
                                      .free = view_free};

static struct screen *view_new(struct ui *ui)
{
    struct flow_view *view = mem_zero(1, sizeof *view);

    view->screen = (struct screen){.ops = &ops, .ui = ui, .list = &view->list};
    return &view->screen;
}

const struct view view_flow = {.title = "Flow", .open = view_new};
