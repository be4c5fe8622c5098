/* The agents view: who is stuck, who waits, and why. */
#include "base/mem.h"
#include "base/text/utf8.h"
#include "mail/render/columns.h"
#include "ui/screen.h"
#include "ui/snapshot/agent_names.h"
#include "ui/term/grid.h"
#include "ui/ui.h"
#include "ui/views/agent_view.h"
#include "ui/widget/list.h"
#include "ui/widget/prompt.h"

#include <stdlib.h>

struct agents_view {
    struct screen screen;
    struct list list;                   /* item: an index into the snapshot's agents */
    struct str filter;                  /* words; see agent_index_matches() */
    size_t in_state[AGENT_STATE_COUNT]; /* number of agents shown, by state */
    bool bare;                          /* true if the pane at the foot is hidden */
    int name_width, source_width;
    struct grid *grid; /* valid while drawing */
};

static struct agents_view *view_of(struct screen *screen)
{
    return (struct agents_view *)screen;
}

static const struct agent *agents_view_at(const struct agents_view *view,
                                          const struct list_row *row);
static const struct agent *agents_view_here(const struct agents_view *view);
static void agents_view_fill(struct agents_view *view);

/* --- drawing --- */

enum {
    NAME_MOST = 28,
    NAME_NARROW = 18,
    NAME_LEAST = 5,
    SOURCE_MOST = 12,
    MARKS = 2,
    STATE = 9,
    WITH_HEARD = 48, /* columns of the screen from which on a column is shown */
    WITH_UNREAD = 60,
    HEADED = 9, /* rows from which on there are column titles, and a rule above the pane */
    PANED = 5,
    PANE_MOST = 3,
};

/* First columns of the parts of a row; 0 for one that is left out. */
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

/* Returns the layout: enough to distinguish sources in a column. The page of an agent has the
 * path. */
static const char *source_word(const struct agents_view *view, const struct agent *agent)
{
    return ui_source(view->screen.ui, agent->source)->format->name;
}

static bool has_room(const struct area *area)
{
    return area->columns >= COLUMNS_NARROW;
}

static void measure_columns(struct agents_view *view, const struct area *area)
{
    const struct agents *agents = &ui_picture(view->screen.ui)->sight.agents;
    size_t most = has_room(area)                ? NAME_MOST
                  : area->columns >= WITH_HEARD ? NAME_NARROW
                                                : COLUMNS_NAME_NARROW;
    size_t name = NAME_LEAST, source = 0;
    CLEANUP(str_free) struct str text = {0}, scratch = {0};

    for (size_t i = 0; i < view->list.count; i++) {
        const struct agent *agent = &agents->items[view->list.rows[i].item];
        str_clear(&text);
        agent_names_add(view->screen.ui, &text, agent,
                        has_room(area) && ui_agents(view->screen.ui)->teams);
        columns_widen(&name, most, str_span(&text), &scratch, view->grid->clean);
        if (has_room(area) && ui_agents(view->screen.ui)->sources)
            columns_widen(&source, SOURCE_MOST, span_of(source_word(view, agent)), &scratch, 0);
    }
    view->name_width = (int)name;
    view->source_width = (int)source;
}

static void put_age(const struct agents_view *view, const struct area *line, int x, int style,
                    int64_t since_us, int width)
{
    CLEANUP(str_free) struct str age = {0};

    columns_add_age(&age, since_us, ui_now(view->screen.ui));
    grid_putf(view->grid, line, 0, x, style, "%*s", width, str_c(&age));
}

static void put_name(const struct agents_view *view, const struct area *line, int x, int style,
                     const struct agent *agent)
{
    CLEANUP(str_free) struct str name = {0}, cut = {0};

    agent_names_add(view->screen.ui, &name, agent,
                    has_room(line) && ui_agents(view->screen.ui)->teams);
    columns_add_short(&cut, str_span(&name), (size_t)view->name_width, view->grid->clean);
    int own = ui_agent_style(view->screen.ui, agent->source, agent->team, agent->name, style);
    grid_put(view->grid, line, 0, x, view->name_width, own, str_span(&cut));
}

static void draw_row(void *context, const struct list_row *row, const struct area *line)
{
    const struct agents_view *view = context;
    const struct agent *agent = agents_view_at(view, row);
    struct columns at = lay_out(view, line->columns);
    struct grid *grid = view->grid;
    int style =
        ui_gone_us(view->screen.ui, agent->source) ? STYLE_DIM : agent_index_style(agent->state);

    const char marks[] = {row == list_here(&view->list) ? '>' : ' ',
                          agent_index_needs_you(agent) ? '!' : ' ', '\0'};
    grid_puts(grid, line, 0, 0, style, marks);
    grid_put(grid, line, 0, MARKS, STATE, style, span_of(agent_state_name(agent->state)));
    put_name(view, line, at.name, style, agent);
    if (at.source)
        grid_put(grid, line, 0, at.source, view->source_width, STYLE_DIM,
                 span_of(source_word(view, agent)));
    if (at.heard)
        put_age(view, line, at.heard, style, agent->heard_us, 5);
    if (at.unread) {
        grid_putf(grid, line, 0, at.unread, style, "%6zu", agent->unread);
        put_age(view, line, at.oldest, style, agent->unread_us, 6);
    }
    CLEANUP(str_free) struct str why = {0};
    relative_time_add(&why, agent->why, &agent->why_ages, ui_now(view->screen.ui));
    grid_put(grid, line, 0, at.why, line->columns - at.why, style, str_span(&why));
}

static void draw_titles(const struct agents_view *view, const struct area *line)
{
    struct columns at = lay_out(view, line->columns);
    struct grid *grid = view->grid;

    grid_puts(grid, line, 0, MARKS, STYLE_LABEL, "STATE");
    grid_puts(grid, line, 0, at.name, STYLE_LABEL, "AGENT");
    if (at.source)
        grid_puts(grid, line, 0, at.source, STYLE_LABEL, "SOURCE");
    if (at.heard)
        grid_puts(grid, line, 0, at.heard, STYLE_LABEL, "HEARD");
    if (at.unread)
        grid_puts(grid, line, 0, at.unread, STYLE_LABEL, "UNREAD OLDEST");
    grid_puts(grid, line, 0, at.why, STYLE_LABEL,
              line->columns - at.why >= 17 ? "WHY / WAITING FOR" : "WHY");
}

/* Draws, for example, "9 agents stuck 1 waits-you 2". */
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

    x += grid_putf(view->grid, line, 0, x, STYLE_LABEL, narrow ? "%zu" : "%zu agent%s", count,
                   count == 1 ? "" : "s");
    x += gap + !narrow;
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        size_t in_state = view->in_state[words[i].state];
        if (in_state)
            x += gap + grid_putf(view->grid, line, 0, x, agent_index_style(words[i].state),
                                 "%s %zu", narrow ? words[i].narrow : words[i].word, in_state);
    }
    if (agents->circle_count)
        x += grid_putf(view->grid, line, 0, x, STYLE_STUCK, "circles %zu", agents->circle_count);
    if (x > line->columns + gap)
        grid_puts(view->grid, line, 0, line->columns - 1, STYLE_LABEL, "~");
}

/* Appends the whole circle: the sentence names only the first agents of a large one. */
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

/* Draws the details that the row has no room for, and the whole reason. */
static void draw_pane(const struct agents_view *view, const struct area *pane, int width)
{
    const struct agent *agent = agents_view_here(view);
    struct columns at = lay_out(view, width);
    CLEANUP(str_free) struct str text = {0};

    if (!agent)
        return;
    agent_names_add(view->screen.ui, &text, agent, true);
    str_puts(&text, ": ");
    if (!at.heard) {
        str_puts(&text, "heard ");
        columns_add_age(&text, agent->heard_us, ui_now(view->screen.ui));
        str_puts(&text, ", ");
    }
    if (!at.unread && agent->unread) {
        str_addf(&text, "%zu unread since ", agent->unread);
        columns_add_age(&text, agent->unread_us, ui_now(view->screen.ui));
        str_puts(&text, ", ");
    }
    relative_time_add(&text, agent->why, &agent->why_ages, ui_now(view->screen.ui));
    add_circle(&text, view, agent);
    wrap_put(view->grid, pane, 0, 1, pane->rows, agent_index_style(agent->state), str_span(&text));
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

static void agents_view_draw(struct screen *screen, struct grid *grid, const struct area *whole)
{
    struct agents_view *view = view_of(screen);
    struct area area = *whole;

    view->grid = grid;
    if (!view->list.count) {
        wrap_put(grid, &area, area.rows > 1, 2, area.rows, STYLE_DIM, span_of(why_empty(view)));
        return;
    }
    measure_columns(view, &area);
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
        grid_rule(grid, &rule, 0, STYLE_BORDER);
    }
    list_draw(&view->list, grid, &area, draw_row, view);
}

/* --- filtering, going to an agent, searching --- */

/* --- filter --- */

static void set_filter(struct agents_view *view, struct span text)
{
    struct str copy = {0}; /* `text` may be the filter itself */

    str_add_span(&copy, span_trim(text));
    str_free(&view->filter);
    view->filter = copy;
    agents_view_fill(view);
}

/* Prompt context. A prompt is for the view that it was opened on. */
struct asking {
    uint64_t screen;
    struct str before;
};

static struct asking *asking_new(struct agents_view *view)
{
    struct asking *asking = mem_zero(1, sizeof *asking);

    asking->screen = view->screen.id;
    str_add_span(&asking->before, str_span(&view->filter));
    return asking;
}

static void asking_free(void *context)
{
    str_free(&((struct asking *)context)->before);
    free(context);
}

static void filter_changed(struct ui *ui, void *context, struct span text)
{
    struct screen *screen = ui_screen(ui, ((struct asking *)context)->screen);

    if (screen)
        set_filter(view_of(screen), text);
}

static bool filter_accept(struct ui *ui, void *context, struct span text)
{
    filter_changed(ui, context, text);
    return true;
}

static void filter_cancel(struct ui *ui, void *context)
{
    filter_changed(ui, context, str_span(&((struct asking *)context)->before));
}

static void filter_complete(struct ui *ui, void *context, struct span before, size_t *from,
                            struct completion *completion)
{
    const struct agents *agents = &ui_picture(ui)->sight.agents;

    (void)context;
    *from = before.len;
    while (*from && before.at[*from - 1] != ' ')
        --*from;
    for (int i = 0; i < AGENT_STATE_COUNT; i++) {
        CLEANUP(str_free) struct str word = {0};
        fold_add(&word, span_of(agent_state_name((enum agent_state)i)));
        complete_add(completion, str_span(&word), span_of("state"), 0);
    }
    for (size_t i = 0; i < agents->count; i++) {
        complete_add(completion, agents->items[i].name, span_of("agent"), 2);
        if (agents->items[i].team.len)
            complete_add(completion, agents->items[i].team, span_of("team"), 1);
    }
}

static const struct prompt_spec filter_spec = {
    .label = "agents: ",
    .hint = "words of a name, a team, a role or a state: stuck waits-you gone",
    .history = HISTORY_FILTER,
    .changed = filter_changed,
    .accept = filter_accept,
    .cancel = filter_cancel,
    .complete = filter_complete,
    .free = asking_free};

/* --- going to an agent --- */

static bool pick_accept(struct ui *ui, void *context, struct span text)
{
    struct span name = span_trim(text);
    const struct agent *found = agent_names_find(ui, name, NULL);

    (void)context;
    if (!name.len)
        return true;
    if (!found) {
        ui_info(ui, STYLE_ERROR, "nobody here is called \"%.*s\"; Tab shows who is there",
                (int)name.len, name.at);
        return false;
    }
    agent_view_open(ui, found);
    return true;
}

static const struct prompt_spec pick_spec = {.label = "agent: ",
                                             .hint = "a name, Tab completes",
                                             .history = HISTORY_AGENT,
                                             .accept = pick_accept,
                                             .complete = agent_names_complete};

/* Performs the actions that choose what is shown; false for all others. */
static bool agents_view_find_act(struct agents_view *view, enum action action, struct span argument)
{
    struct ui *ui = view->screen.ui;

    switch (action) {
    case ACTION_FILTER:
        if (argument.at)
            set_filter(view, argument);
        else
            ui_prompt(ui, &filter_spec, str_span(&view->filter), asking_new(view));
        return true;
    case ACTION_PICK_AGENT:
        if (argument.len)
            pick_accept(ui, NULL, argument);
        else
            ui_prompt(ui, &pick_spec, (struct span){0}, NULL);
        return true;
    case ACTION_BACK:
        if (!view->filter.len)
            return false;
        set_filter(view, (struct span){0});
        return true;
    default:
        return false;
    }
}

/* --- searching --- */

static void add_words(void *context, const struct list_row *row, struct str *out)
{
    const struct agent *agent = agents_view_at(context, row);
    const struct span parts[] = {agent->name, agent->team, agent->why,
                                 span_of(agent_state_name(agent->state))};

    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        str_add_span(out, parts[i]);
        str_putc(out, '\n');
    }
}

static bool agents_view_search(struct screen *screen, struct span text, bool forward, bool live)
{
    struct agents_view *view = view_of(screen);

    return list_search(&view->list, text, forward, live, add_words, view);
}

/* Returns the agent of a row; NULL without a row. */
static const struct agent *agents_view_at(const struct agents_view *view,
                                          const struct list_row *row)
{
    const struct agents *agents = &ui_picture(view->screen.ui)->sight.agents;

    return row && row->item < agents->count ? &agents->items[row->item] : NULL;
}

static const struct agent *agents_view_here(const struct agents_view *view)
{
    return agents_view_at(view, list_here(&view->list));
}

/* Fills the list from the snapshot. */
static void agents_view_fill(struct agents_view *view)
{
    const struct agents *agents = &ui_picture(view->screen.ui)->sight.agents;
    CLEANUP(str_free) struct str key = {0};

    memset(view->in_state, 0, sizeof view->in_state);
    list_begin(&view->list);
    for (uint32_t i = 0; i < agents->count; i++) {
        const struct agent *agent = &agents->items[i];
        if (!agent_index_matches(agent, str_span(&view->filter)))
            continue;
        view->in_state[agent->state]++;
        str_clear(&key);
        agent_index_add_key(&key, agent);
        list_add(&view->list, &(struct list_row){.item = i, .key = str_span(&key)});
    }
    list_end(&view->list, !ui_picture(view->screen.ui)->ready);
    view->name_width = 0;
}

static void agents_view_renew(struct screen *screen)
{
    agents_view_fill(view_of(screen));
}

static void agents_view_status(struct screen *screen, struct str *out)
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

static void open_here(struct agents_view *view)
{
    const struct agent *agent = agents_view_here(view);

    if (agent)
        agent_view_open(view->screen.ui, agent);
}

static bool agents_view_act(struct screen *screen, enum action action, struct span argument)
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
        list_screen_seek(screen, true, "nobody else has unread mail", has_unread);
        return true;
    case ACTION_NEXT_DECISION:
    case ACTION_PREVIOUS_DECISION:
        list_screen_seek(screen, action == ACTION_NEXT_DECISION, "nobody else waits for you",
                         waits_for_you);
        return true;
    case ACTION_PREVIEW:
        view->bare = !view->bare;
        return true;
    default:
        return agents_view_find_act(view, action, argument);
    }
}

/* --- the rest --- */

static bool agents_view_selected(struct screen *screen, struct span *name, uint32_t *source,
                                 struct arena *arena)
{
    struct agents_view *view = view_of(screen);
    const struct agent *agent = agents_view_here(view);
    CLEANUP(str_free) struct str label = {0};

    if (!agent)
        return false;
    agent_names_add(screen->ui, &label, agent, false);
    *name = arena_copy(arena, str_span(&label));
    *source = agent->source;
    return true;
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
                                      .act = agents_view_act,
                                      .renew = agents_view_renew,
                                      .status = agents_view_status,
                                      .agent = agents_view_selected,
                                      .search = agents_view_search,
                                      .choose = list_screen_choose,
                                      .click = list_screen_click,
                                      .free = view_free};

static struct screen *view_new(struct ui *ui)
{
    struct agents_view *view = mem_zero(1, sizeof *view);

    view->screen = (struct screen){.ops = &ops, .ui = ui, .list = &view->list};
    return &view->screen;
}

const struct view view_agents = {.title = "Agents", .open = view_new};
