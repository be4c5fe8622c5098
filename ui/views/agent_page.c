/* The page of one agent: drawing and scrolling its head. */
#include "ui/views/agent_page.h"

#include "ui/mail/mailbox.h"
#include "ui/term/wrap.h"
#include "ui/views/agent_head.h"

enum {
    LABEL = 11,
    NARROW = 60,
    NARROW_LABEL = 7,
    SMALL = 14, /* rows of the screen under which only the state and the reason are shown */
    SMALL_ROWS = 3,
};

/* --- drawing --- */

static int indent(const struct area *area)
{
    return area->columns < NARROW ? NARROW_LABEL : LABEL;
}

/* Draws the rows from `top` on that fit into the area; returns how many there are in all. */
static int put_lines(const struct head_lines *lines, struct grid *grid, const struct area *area,
                     int top)
{
    int x = indent(area), y = -top;

    for (size_t i = 0; i < lines->count; i++) {
        struct span rest = lines->items[i].text;
        size_t label = strlen(lines->items[i].label);
        int from = (int)label + 2 > x ? (int)label + 2 : x; /* states are longer than labels */
        grid_puts(grid, area, y, 1, i ? LOOK_LABEL : lines->items[i].look, lines->items[i].label);
        do {
            struct span row = wrap_take(&rest, area->columns - from, grid->clean);
            grid_put(grid, area, y++, from, area->columns - from, lines->items[i].look, row);
            from = x;
        } while (rest.len);
    }
    return y + top;
}

static int rows_for(const struct agent_head *head, const struct area *area)
{
    if (head->on)
        return area->rows > 4 ? area->rows - 3 : area->rows - 1;
    if (area->rows < 6)
        return area->rows > 2 ? 1 : 0;
    return area->rows < SMALL ? SMALL_ROWS : area->rows / 2;
}

void agent_head_draw(struct agent_head *head, struct ui *ui, struct grid *grid, struct area *area,
                     uint32_t agent)
{
    struct head_lines lines = {.ui = ui, .number = agent};
    struct area none = {area->y, area->x, 0, area->columns};
    bool ruled = area->rows >= 6;

    head_lines_build(&lines);
    head->in_all = put_lines(&lines, grid, &none, 0);
    int most = rows_for(head, area);
    head->rows = head->in_all < most ? head->in_all : most;
    if (!head->on || head->top > head->in_all - head->rows)
        head->top = head->on ? head->in_all - head->rows : 0;
    struct area top = area_take_top(area, head->rows);
    put_lines(&lines, grid, &top, head->top);
    if (ruled) {
        struct area rule = area_take_top(area, 1);
        int below = head->in_all - head->top - head->rows;
        grid_rule(grid, &rule, 0, LOOK_BORDER);
        if (head->on)
            grid_putf(grid, &rule, 0, 2, LOOK_BORDER, " %d below; ^W: conversations ", below);
        else if (below)
            grid_putf(grid, &rule, 0, 2, LOOK_BORDER, " %d more lines: ^W ", below);
    }
    head_lines_free(&lines);
}

bool agent_head_act(struct agent_head *head, enum action action, bool preview)
{
    int page = head->rows > 1 ? head->rows - 1 : 1;
    int by[ACTION_COUNT] = {[ACTION_NEXT] = 1,
                            [ACTION_PREVIOUS] = -1,
                            [ACTION_HALF_DOWN] = page / 2 + 1,
                            [ACTION_HALF_UP] = -(page / 2 + 1),
                            [ACTION_PAGE_DOWN] = page,
                            [ACTION_PAGE_UP] = -page,
                            [ACTION_FIRST] = -head->in_all,
                            [ACTION_LAST] = head->in_all};

    if (action == ACTION_OTHER_PANE && (head->on || head->rows < head->in_all)) {
        head->on = !head->on;
        head->top = 0;
        return head->on || !preview;
    }
    if (!head->on)
        return false;
    if (action == ACTION_BACK) {
        head->on = false;
        return true;
    }
    if (!by[action])
        return false;
    head->top += by[action];
    head->top = head->top > 0 ? head->top : 0;
    return true;
}

/* --- opening --- */

void agent_page_open_with(struct ui *ui, const struct agent *agent, const struct agent *with)
{
    struct screen *screen = mailbox_new(ui, MAILBOX_AGENT);

    mailbox_show_agent(screen, agent, with);
    ui_push(ui, screen);
}

void agent_page_open(struct ui *ui, const struct agent *agent)
{
    agent_page_open_with(ui, agent, NULL);
}
