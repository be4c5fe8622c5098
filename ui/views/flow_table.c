/* The flow: the table of a team, from whom to whom. */
#include "base/mem.h"
#include "base/text/clean.h"
#include "mail/render/columns.h"
#include "ui/views/flow_private.h"

#include <stdlib.h>

enum {
    WIDE = 110, /* columns of the screen from which on everything has room */
    NAME_MOST = 16,
    NAME_LEAST = 6,
    CELL_LEAST = 6,
    TOTAL = 6,
};

/* How the table of a team is laid out. */
struct table {
    const struct flow_team *team;
    const struct flow_agent *agents;
    size_t shown; /* agents that have a column */
    bool others;  /* a column for the rest */
    int name, spark, cell;
    int cells, totals; /* where they start */
    bool idle;         /* has a column */
    uint32_t most;     /* of what the sparks show */
};

static struct table lay_out(const struct flow_view *view, const struct flow_team *team, int columns)
{
    struct table table = {.team = team,
                          .agents = view->flow.agents + team->first_agent,
                          .name = team->name > NAME_MOST    ? NAME_MOST
                                  : team->name < NAME_LEAST ? NAME_LEAST
                                                            : team->name,
                          .spark = columns >= WIDE ? FLOW_PARTS : FLOW_PARTS / 2,
                          .idle = columns >= WIDE};
    int wanted = table.name > CELL_LEAST ? table.name : CELL_LEAST;

    table.totals = FLOW_MARKS + table.name + 1 + table.spark;
    table.cells = table.totals + TOTAL * (table.idle ? 3 : 2);
    int room = columns - table.cells;
    int count = (int)team->agent_count;
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

/* At the right end of so many columns. */
static void put_right(struct grid *grid, const struct area *line, int x, int width, int look,
                      struct span text)
{
    struct str cut = {0};
    int columns = (int)clean_cut(&cut, text, grid->clean, (size_t)width);

    grid_put(grid, line, 0, x + width - columns, columns, look, str_span(&cut));
    str_free(&cut);
}

static void put_name(const struct flow_view *view, const struct area *line, int x, int width,
                     int look, bool right, const struct flow_agent *agent)
{
    struct str cut = {0};

    columns_add_short(&cut, flow_name(agent->name), (size_t)width, view->grid->clean);
    look = ui_agent_look(view->screen.ui, agent->source, agent->team, agent->name, look);
    if (right)
        put_right(view->grid, line, x, width, look, str_span(&cut));
    else
        grid_put(view->grid, line, 0, x, width, look, str_span(&cut));
    str_free(&cut);
}

/* "12", or "12/3" where three are unread; nothing was said: ".". */
static void put_count(const struct flow_view *view, const struct area *line, int x, int width,
                      size_t count, size_t unread)
{
    struct str text = {0};

    if (!count)
        str_putc(&text, '.');
    else if (unread)
        str_addf(&text, "%zu/%zu", count, unread);
    else
        str_addf(&text, "%zu", count);
    if ((int)text.len > width) { /* never a number that is cut: the pane below has it whole */
        str_set(&text, span_of(count > 999 ? ">999" : "many"));
    }
    put_right(view->grid, line, x, width,
              !count   ? LOOK_DIM
              : unread ? LOOK_UNREAD
                       : LOOK_PLAIN,
              str_span(&text));
    str_free(&text);
}

static size_t column_of(const struct table *table, struct span name)
{
    for (size_t i = 0; i < table->shown; i++)
        if (span_eq(table->agents[i].name, name))
            return i;
    return table->shown;
}

static void draw_cells(const struct flow_view *view, const struct table *table,
                       const struct flow_agent *agent, const struct area *line)
{
    size_t columns = table->shown + table->others;
    size_t *counts = mem_zero(2 * (table->shown + 1), sizeof *counts);

    for (size_t i = 0; i < table->team->pair_count; i++) {
        const struct flow_pair *pair = &view->flow.pairs[table->team->first_pair + i];
        if (!span_eq(pair->from, agent->name))
            continue;
        size_t at = column_of(table, pair->to);
        counts[2 * at] += pair->count;
        counts[2 * at + 1] += pair->unread;
    }
    for (size_t i = 0; i < columns; i++)
        put_count(view, line, cell_at(table, i), table->cell, counts[2 * i], counts[2 * i + 1]);
    free(counts);
}

void flow_draw_agent(const struct flow_view *view, const struct list_row *row,
                     const struct area *line)
{
    const struct flow_agent *agent = &view->flow.agents[row->item];
    struct table table = lay_out(view, flow_view_team(view, row), line->columns);
    struct render_style style = ui_style(view->screen.ui);
    struct str spark = {0};

    put_name(view, line, FLOW_MARKS, table.name, LOOK_PLAIN, false, agent);
    flow_add_spark(&spark, agent, (size_t)table.spark, table.most, &style);
    grid_put(view->grid, line, 0, FLOW_MARKS + table.name + 1, table.spark, LOOK_WORKING,
             str_span(&spark));
    grid_putf(view->grid, line, 0, table.totals, LOOK_PLAIN, "%6zu%6zu", agent->sent,
              agent->received);
    if (table.idle)
        grid_putf(view->grid, line, 0, table.totals + 2 * TOTAL, LOOK_DIM, "%6zu", agent->idle);
    draw_cells(view, &table, agent, line);
    str_free(&spark);
}

/* What a team is called, where there are several. */
static void add_title(struct str *out, const struct flow_view *view, const struct flow_team *team)
{
    const struct flow_agent *first = &view->flow.agents[team->first_agent];
    bool sources = ui_source_count(view->screen.ui) > 1;

    if (sources)
        str_puts(out, ui_source(view->screen.ui, first->source)->format->name);
    if (first->team.len) {
        str_puts(out, sources ? " " : "");
        str_add_span(out, first->team);
    }
}

void flow_draw_team(const struct flow_view *view, const struct flow_team *team,
                    const struct area *line)
{
    struct str title = {0};

    add_title(&title, view, team);
    if (view->narrow) {
        grid_put(view->grid, line, 0, 1, line->columns - 1, LOOK_LABEL, str_span(&title));
        str_free(&title);
        return;
    }
    struct table table = lay_out(view, team, line->columns);
    int room = table.name + 1 + table.spark;
    int used = grid_put(view->grid, line, 0, FLOW_MARKS, room, LOOK_LABEL,
                        view->team_count > 1 && title.len ? str_span(&title) : span_of("FROM"));
    if (used <= table.name)
        grid_puts(view->grid, line, 0, FLOW_MARKS + table.name + 1, LOOK_LABEL,
                  view->day ? "LAST DAY" : "LAST HOUR");
    grid_putf(view->grid, line, 0, table.totals, LOOK_LABEL, "%6s%6s%s", "SENT", "RECV",
              table.idle ? "  IDLE" : "");
    for (size_t i = 0; i < table.shown; i++)
        put_name(view, line, cell_at(&table, i), table.cell, LOOK_LABEL, true, &table.agents[i]);
    if (table.others)
        put_right(view->grid, line, cell_at(&table, table.shown), table.cell, LOOK_LABEL,
                  span_of("others"));
    str_free(&title);
}
