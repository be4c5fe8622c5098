/* The agents: drawing. */
#include "mail/render/columns.h"
#include "ui/snapshot/names.h"
#include "ui/term/wrap.h"
#include "ui/views/agents_private.h"

enum {
    NAME_MOST = 28,
    NAME_NARROW = 18,
    NAME_LEAST = 5,
    SOURCE_MOST = 12,
    MARKS = 2,
    STATE = 9,
    WITH_HEARD = 48, /* columns of the screen from which on there is room for it */
    WITH_UNREAD = 60,
    HEADED = 9, /* rows from which on columns have titles, and the pane a rule above it */
    PANED = 5,
    PANE_MOST = 3,
};

/* Where the columns start; 0 for one that is left out. */
struct columns {
    int name, source, heard, unread, oldest, why;
};

static struct columns lay_out(const struct agents_view *view, int width)
{
    struct columns at = {.name = MARKS + STATE + 1};
    int x = at.name + view->name_width + 1;

    if (view->source_width) {
        at.source = x;
        x += view->source_width + 1;
    }
    if (width >= WITH_HEARD) {
        at.heard = x;
        x += 6;
    }
    if (width >= WITH_UNREAD) {
        at.unread = x;
        at.oldest = x + 7;
        x += 14;
    }
    at.why = x + (width >= WITH_UNREAD);
    return at;
}

/* The layout is enough to tell sources apart in a column; the page has the path. */
static const char *source_word(const struct agents_view *view, const struct agent *agent)
{
    return ui_source(view->screen.ui, agent->source)->format->name;
}

static bool has_room(const struct area *area)
{
    return area->columns >= COLUMNS_NARROW;
}

static void measure(struct agents_view *view, const struct area *area)
{
    const struct agents *agents = &ui_picture(view->screen.ui)->sight.agents;
    size_t most = has_room(area)                ? NAME_MOST
                  : area->columns >= WITH_HEARD ? NAME_NARROW
                                                : COLUMNS_NAME_NARROW;
    size_t name = NAME_LEAST, source = 0;
    struct str text = {0}, scratch = {0};

    for (size_t i = 0; i < view->list.count; i++) {
        const struct agent *agent = &agents->items[view->list.rows[i].item];
        str_clear(&text);
        names_add(view->screen.ui, &text, agent, has_room(area) && ui_who(view->screen.ui)->teams);
        columns_widen(&name, most, str_span(&text), &scratch, view->grid->clean);
        if (has_room(area) && ui_who(view->screen.ui)->sources)
            columns_widen(&source, SOURCE_MOST, span_of(source_word(view, agent)), &scratch, 0);
    }
    view->name_width = (int)name;
    view->source_width = (int)source;
    str_free(&text);
    str_free(&scratch);
}

static void add_age(struct str *out, const struct agents_view *view, int64_t since_us)
{
    if (since_us == WHEN_NONE)
        str_putc(out, '-');
    else
        when_add_age(out, ui_now(view->screen.ui) - since_us);
}

static void put_age(const struct agents_view *view, const struct area *line, int x, int look,
                    int64_t since_us, int width)
{
    struct str age = {0};

    add_age(&age, view, since_us);
    grid_putf(view->grid, line, 0, x, look, "%*s", width, str_c(&age));
    str_free(&age);
}

static void put_name(const struct agents_view *view, const struct area *line, int x, int look,
                     const struct agent *agent)
{
    struct str name = {0}, cut = {0};

    names_add(view->screen.ui, &name, agent, has_room(line) && ui_who(view->screen.ui)->teams);
    columns_add_short(&cut, str_span(&name), (size_t)view->name_width, view->grid->clean);
    int own = ui_agent_look(view->screen.ui, agent->source, agent->team, agent->name, look);
    grid_put(view->grid, line, 0, x, view->name_width, own, str_span(&cut));
    str_free(&name);
    str_free(&cut);
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    const struct agents_view *view = context;
    const struct agent *agent = agents_view_at(view, row);
    struct columns at = lay_out(view, line->columns);
    struct grid *grid = view->grid;
    int look = ui_gone_us(view->screen.ui, agent->source) ? LOOK_DIM : who_look(agent->state);

    const char marks[] = {row == list_here(&view->list) ? '>' : ' ',
                          who_needs_you(agent) ? '!' : ' ', '\0'};
    grid_puts(grid, line, 0, 0, look, marks);
    grid_put(grid, line, 0, MARKS, STATE, look, span_of(agent_state_name(agent->state)));
    put_name(view, line, at.name, look, agent);
    if (at.source)
        grid_put(grid, line, 0, at.source, view->source_width, LOOK_DIM,
                 span_of(source_word(view, agent)));
    if (at.heard)
        put_age(view, line, at.heard, look, agent->heard_us, 5);
    if (at.unread) {
        grid_putf(grid, line, 0, at.unread, look, "%6zu", agent->unread);
        put_age(view, line, at.oldest, look, agent->unread_us, 6);
    }
    struct str why = {0};
    aging_add(&why, agent->why, &agent->why_ages, ui_now(view->screen.ui));
    grid_put(grid, line, 0, at.why, line->columns - at.why, look, str_span(&why));
    str_free(&why);
}

static void draw_titles(const struct agents_view *view, const struct area *line)
{
    struct columns at = lay_out(view, line->columns);
    struct grid *grid = view->grid;

    grid_puts(grid, line, 0, MARKS, LOOK_LABEL, "STATE");
    grid_puts(grid, line, 0, at.name, LOOK_LABEL, "AGENT");
    if (at.source)
        grid_puts(grid, line, 0, at.source, LOOK_LABEL, "SOURCE");
    if (at.heard)
        grid_puts(grid, line, 0, at.heard, LOOK_LABEL, "HEARD");
    if (at.unread)
        grid_puts(grid, line, 0, at.unread, LOOK_LABEL, "UNREAD OLDEST");
    grid_puts(grid, line, 0, at.why, LOOK_LABEL,
              line->columns - at.why >= 17 ? "WHY / WAITING FOR" : "WHY");
}

/* 9 agents   stuck 1  waits-you 2 */
static void draw_summary(const struct agents_view *view, const struct area *line)
{
    static const struct {
        enum agent_state state;
        const char *word, *narrow;
    } words[] = {{AGENT_STUCK, "stuck", "stuck"},       {AGENT_UNKNOWN, "unknown", "unknown"},
                 {AGENT_WAITS_YOU, "waits-you", "you"}, {AGENT_WAITS, "waits", "waits"},
                 {AGENT_WORKING, "working", "work"},    {AGENT_IDLE, "idle", "idle"},
                 {AGENT_GONE, "gone", "gone"}};
    const struct agents *agents = &ui_picture(view->screen.ui)->sight.agents;
    bool narrow = line->columns < WITH_UNREAD;
    size_t count = view->list.count;
    int x = 1, gap = narrow ? 1 : 2;

    x += grid_putf(view->grid, line, 0, x, LOOK_LABEL, narrow ? "%zu" : "%zu agent%s", count,
                   count == 1 ? "" : "s");
    x += gap + !narrow;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t in_state = view->in_state[words[i].state];
        if (in_state)
            x += gap + grid_putf(view->grid, line, 0, x, who_look(words[i].state), "%s %zu",
                                 narrow ? words[i].narrow : words[i].word, in_state);
    }
    if (agents->circle_count)
        x += grid_putf(view->grid, line, 0, x, LOOK_STUCK, "circles %zu", agents->circle_count);
    if (x > line->columns + gap)
        grid_puts(view->grid, line, 0, line->columns - 1, LOOK_LABEL, "~");
}

/* The circle as a whole: the sentence names only the first of a large one. */
static void add_circle(struct str *out, const struct agents_view *view, const struct agent *agent)
{
    const struct agents *agents = &ui_picture(view->screen.ui)->sight.agents;

    if (agent->circle == AGENT_NONE || agents->circles[agent->circle].count <= 6)
        return;
    const struct agent_circle *circle = &agents->circles[agent->circle];
    str_puts(out, "; all of it: ");
    for (size_t i = 0; i <= circle->count; i++) {
        str_puts(out, i ? " -> " : "");
        str_add_span(out, agents->items[circle->members[i % circle->count]].name);
    }
}

/* What the row has no room for, and the whole reason. */
static void draw_pane(const struct agents_view *view, const struct area *pane, int width)
{
    const struct agent *agent = agents_view_here(view);
    struct columns at = lay_out(view, width);
    struct str text = {0};

    if (!agent)
        return;
    names_add(view->screen.ui, &text, agent, true);
    str_puts(&text, ": ");
    if (!at.heard) {
        str_puts(&text, "heard ");
        add_age(&text, view, agent->heard_us);
        str_puts(&text, ", ");
    }
    if (!at.unread && agent->unread) {
        str_addf(&text, "%zu unread since ", agent->unread);
        add_age(&text, view, agent->unread_us);
        str_puts(&text, ", ");
    }
    aging_add(&text, agent->why, &agent->why_ages, ui_now(view->screen.ui));
    add_circle(&text, view, agent);
    wrap_put(view->grid, pane, 0, 1, pane->rows, who_look(agent->state), str_span(&text));
    str_free(&text);
}

static const char *why_empty(const struct agents_view *view)
{
    const struct picture *picture = ui_picture(view->screen.ui);

    if (!picture->ready)
        return "looking for agents ...";
    if (view->filter.len && picture->sight.agents.count)
        return "no agent matches the filter; q clears it";
    return picture->world ? "no agents here: no roster, mailbox or message names one"
                          : "reading the rosters ...";
}

void agents_view_draw(struct screen *screen, struct grid *grid, const struct area *whole)
{
    struct agents_view *view = (struct agents_view *)screen;
    struct area area = *whole;

    view->grid = grid;
    if (!view->list.count) {
        wrap_put(grid, &area, area.rows > 1, 2, area.rows, LOOK_DIM, span_of(why_empty(view)));
        return;
    }
    measure(view, &area);
    if (area.rows > 2) {
        struct area line = area_take_top(&area, 1);
        draw_summary(view, &line);
    }
    if (whole->rows >= HEADED) {
        struct area line = area_take_top(&area, 1);
        draw_titles(view, &line);
    }
    if (whole->rows >= PANED && !view->bare) {
        struct area pane = area_take_bottom(&area, whole->rows > 6 ? PANE_MOST : 1);
        draw_pane(view, &pane, whole->columns);
    }
    if (whole->rows >= HEADED && !view->bare) {
        struct area rule = area_take_bottom(&area, 1);
        grid_rule(grid, &rule, 0, LOOK_BORDER);
    }
    list_draw(&view->list, grid, &area, draw_row, view);
}
