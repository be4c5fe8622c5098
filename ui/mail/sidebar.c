/* The sidebar. */
#include "ui/mail/sidebar.h"

#include "base/mem.h"
#include "mail/render/columns.h"
#include "mail/thread/inbox_order.h"
#include "ui/snapshot/agent_names.h"

#include <stdlib.h>

enum { NAME_MOST = 18, NAME_MOST_NARROW = 14, NAME_LEAST = 8, MARK = 1, NUMBER_LEAST = 3 };

void sidebar_free(struct sidebar *side)
{
    free(side->agents);
    *side = (struct sidebar){0};
}

struct side_counting {
    struct sidebar *side;
    const struct conversations *conversations;
    struct who_index *index;
    uint32_t *told; /* for each agent: 1 + the index of the last conversation counted for it */
};

/* Counts the agent that asks and the one that may be stuck, once if they are the same. */
static void count_needs(struct side_counting *counting, const struct conversation *conversation)
{
    const struct conversations *conversations = counting->conversations;
    const struct place *place = conversation_message(conversations, conversation, 0)->place;
    uint32_t asks = AGENT_NONE, stuck = AGENT_NONE;

    if (conversation->waits_for_us && conversation->ask != REQUEST_NONE) {
        const struct message *ask = conversation_request(conversations, conversation);
        asks = agent_index_find(counting->index, ask->place->source, ask->place->team, ask->from);
    }
    if (conversation->stuck.at)
        stuck = agent_index_find(counting->index, place->source, place->team, conversation->stuck);
    if (asks != AGENT_NONE)
        counting->side->agents[asks].needs++;
    if (stuck != AGENT_NONE && stuck != asks)
        counting->side->agents[stuck].needs++;
}

static void count_unread(struct side_counting *counting, uint32_t number)
{
    const struct conversation *conversation = &counting->conversations->items[number];
    uint32_t parts[AGENT_PARTS];

    for (size_t i = 0; i < conversation->count; i++) {
        agent_index_of_message(
            counting->index, conversation_message(counting->conversations, conversation, i), parts);
        for (size_t k = 0; k < AGENT_PARTS; k++) {
            if (parts[k] == AGENT_NONE || counting->told[parts[k]] == number + 1)
                continue;
            counting->told[parts[k]] = number + 1;
            counting->side->agents[parts[k]].unread++;
        }
    }
}

void sidebar_count(struct sidebar *side, size_t agents, struct who_index *index,
                   const struct conversations *conversations)
{
    struct side_counting counting = {.side = side, .conversations = conversations, .index = index};

    free(side->agents);
    side->agents = mem_zero(agents + 1, sizeof *side->agents);
    side->count = agents;
    side->all = (struct side_count){0};
    counting.told = mem_zero(agents + 1, sizeof *counting.told);
    for (uint32_t i = 0; i < conversations->count; i++) {
        const struct conversation *conversation = &conversations->items[i];
        if (conversation->archived)
            continue;
        if (inbox_order_group(conversations, conversation) == INBOX_ORDER_NEEDS) {
            side->all.needs++;
            count_needs(&counting, conversation);
        }
        if (conversation->unread_mine) {
            side->all.unread++;
            count_unread(&counting, i);
        }
    }
    free(counting.told);
}

/* --- drawing --- */

/* Returns the word for a state that the person should see at once, or "". */
static const char *state_word(enum agent_state state)
{
    return state == AGENT_STUCK     ? "stuck?"
           : state == AGENT_UNKNOWN ? "unknown"
           : state == AGENT_GONE    ? "gone"
                                    : "";
}

/* Returns the columns of the largest number: that of all agents together. */
static int number_width(size_t number)
{
    int width = 2; /* one digit and a blank before it */

    for (; number >= 10; number /= 10)
        width++;
    return width > NUMBER_LEAST ? width : NUMBER_LEAST;
}

static void measure_sidebar(struct sidebar *side, struct ui *ui, unsigned clean)
{
    const struct picture *picture = ui_picture(ui);
    const struct agents *agents = &picture->sight.agents;
    CLEANUP(str_free) struct str text = {0}, scratch = {0};
    size_t name = NAME_LEAST;

    for (size_t i = 0; i < agents->count; i++) {
        str_clear(&text);
        agent_names_add(ui, &text, &agents->items[i], false);
        if (*state_word(agents->items[i].state))
            str_addf(&text, " %s", state_word(agents->items[i].state));
        columns_widen(&name, NAME_MOST, str_span(&text), &scratch, clean);
    }
    side->name = name;
    side->unread = number_width(side->all.unread);
    side->needs = number_width(side->all.needs * 10); /* for the mark after it */
}

int sidebar_width(struct sidebar *side, struct ui *ui, int columns, unsigned clean)
{
    const struct picture *picture = ui_picture(ui);
    size_t most = columns < COLUMNS_NARROW ? NAME_MOST_NARROW : NAME_MOST;

    if (!side->name || side->number != picture->number) {
        if (picture->sight.conversations.model)
            sidebar_count(side, picture->sight.agents.count, ui_agents(ui),
                          &picture->sight.conversations);
        side->number = picture->number;
        measure_sidebar(side, ui, clean);
    }
    return MARK + (int)(side->name < most ? side->name : most) + side->unread + side->needs;
}

static void draw_counts(const struct sidebar *side, struct grid *grid, const struct area *line,
                        const struct side_count *count)
{
    int x = line->columns - side->unread - side->needs;

    if (count->unread)
        grid_putf(grid, line, 0, x, STYLE_UNREAD, "%*zu", side->unread, count->unread);
    if (count->needs)
        grid_putf(grid, line, 0, x + side->unread, STYLE_NEEDS, "%*zu!", side->needs - 1,
                  count->needs);
}

static void draw_agent(const struct sidebar *side, struct ui *ui, struct grid *grid,
                       const struct area *line, const struct agent *agent, struct span name)
{
    const char *word = state_word(agent->state);
    int room = line->columns - MARK - side->unread - side->needs, behind = (int)strlen(word);
    int own = ui_agent_style(ui, agent->source, agent->team, agent->name,
                             agent_index_style(agent->state));
    CLEANUP(str_free) struct str cut = {0};

    columns_add_short(&cut, name, (size_t)(behind ? room - behind - 1 : room), grid->clean);
    int x = MARK + grid_put(grid, line, 0, MARK, room, own, str_span(&cut));
    if (behind)
        grid_puts(grid, line, 0, x + 1, agent_index_style(agent->state), word);
}

/* Draws one row: everybody (row 0) or an agent. */
static void draw_line(const struct sidebar *side, struct ui *ui, struct grid *grid,
                      const struct area *line, size_t row)
{
    const struct agents *agents = &ui_picture(ui)->sight.agents;
    CLEANUP(str_free) struct str name = {0};

    if (!row) {
        grid_puts(grid, line, 0, MARK, STYLE_STRONG, "All");
        draw_counts(side, grid, line, &side->all);
        return;
    }
    agent_names_add(ui, &name, &agents->items[row - 1], false);
    draw_agent(side, ui, grid, line, &agents->items[row - 1], str_span(&name));
    draw_counts(side, grid, line, &side->agents[row - 1]);
}

/* Scrolls so that the chosen row is visible, and the row of everybody where there is room. */
static void scroll_sidebar(struct sidebar *side, size_t chosen, size_t rows)
{
    size_t all = side->count + 1;

    if (chosen < side->top)
        side->top = chosen;
    if (chosen >= side->top + rows)
        side->top = chosen + 1 - rows;
    if (side->top + rows > all)
        side->top = all > rows ? all - rows : 0;
}

void sidebar_draw(struct sidebar *side, struct ui *ui, struct grid *grid, const struct area *area,
                  uint32_t chosen)
{
    const struct agents *agents = &ui_picture(ui)->sight.agents;
    struct area rest = *area;
    size_t at = chosen == AGENT_NONE ? 0 : (size_t)chosen + 1;

    struct area title = area_take_top(&rest, 1);
    grid_put(grid, &title, 0, MARK, title.columns - MARK, STYLE_LABEL, span_of("AGENTS"));
    side->rows = rest.rows;
    if (rest.rows <= 0 || side->count != agents->count)
        return;
    scroll_sidebar(side, at, (size_t)rest.rows);
    size_t hidden = side->count + 1 - side->top;
    hidden = hidden > (size_t)rest.rows ? hidden - (size_t)rest.rows : 0;
    if (hidden || side->top)
        grid_putf(grid, &title, 0, MARK, STYLE_LABEL, "AGENTS %zu-%zu/%zu",
                  side->top ? side->top : 1, side->count - hidden, side->count);
    for (size_t i = side->top; i <= side->count && (int)(i - side->top) < rest.rows; i++) {
        struct area line = {rest.y + (int)(i - side->top), rest.x, 1, rest.columns};
        draw_line(side, ui, grid, &line, i);
        if (i == at) {
            grid_puts(grid, &line, 0, 0, STYLE_STRONG, ">");
            grid_over(grid, &line, 0, 0, line.columns, STYLE_TAGGED);
        }
    }
}

bool sidebar_at(const struct sidebar *side, int y, uint32_t *agent)
{
    size_t row = side->top + (size_t)(y > 0 ? y - 1 : 0);

    *agent = row ? (uint32_t)(row - 1) : AGENT_NONE;
    return y > 0 && y <= side->rows && row <= side->count;
}
