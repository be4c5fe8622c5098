/* The page of one agent: draws and scrolls its head. */
#include "ui/views/agent_view.h"

#include "base/mem.h"
#include "mail/message/kind.h"
#include "ui/mail/conversation_list.h"
#include "ui/snapshot/agent_names.h"
#include "ui/term/grid.h"
#include "ui/ui.h"

#include <stdlib.h>

/* One line of the head. */

struct head_line {
    const char *label;
    struct span text;
    int style;
};

struct head_lines {
    struct ui *ui;
    const struct agent *agent;
    uint32_t number;
    struct arena arena;
    struct str text; /* the line that is being built */
    struct head_line *items;
    size_t count, cap;
};

/* --- the lines --- */

static void end_line(struct head_lines *lines, const char *label, int style)
{
    *mem_push(lines->items, lines->count, lines->cap) =
        (struct head_line){label, arena_copy(&lines->arena, str_span(&lines->text)), style};
    str_clear(&lines->text);
}

static void head_lines_free(struct head_lines *lines)
{
    arena_free(&lines->arena);
    str_free(&lines->text);
    free(lines->items);
}

static void add_age(struct head_lines *lines, int64_t since_us)
{
    if (since_us == TIME_NONE)
        str_puts(&lines->text, "unknown");
    else
        time_add_age(&lines->text, ui_now(lines->ui) - since_us);
}

static void add_who(struct head_lines *lines)
{
    const struct agent *agent = lines->agent;
    const struct source *source = ui_source(lines->ui, agent->source);

    agent_names_add(lines->ui, &lines->text, agent, true);
    if (agent->role.len) {
        str_puts(&lines->text, ", ");
        str_add_span(&lines->text, agent->role);
    }
    if (agent->lead)
        str_puts(&lines->text, ", leads the team");
    if (agent->off_roster)
        str_puts(&lines->text, ", on no roster");
    if (agent->since_us != TIME_NONE) {
        str_puts(&lines->text, ", for ");
        add_age(lines, agent->since_us);
    }
    if (ui_agents(lines->ui)->sources)
        str_addf(&lines->text, ", in %s:%s", source->format->name, source->path);
    end_line(lines, agent_state_name(agent->state), agent_index_style(agent->state));
}

static void add_heard(struct head_lines *lines)
{
    const struct agent *agent = lines->agent;

    if (agent->heard_us == TIME_NONE) {
        str_puts(&lines->text, agent->spoke ? "at an unknown time" : "never");
    } else {
        add_age(lines, agent->heard_us);
        str_puts(&lines->text, " ago");
    }
    if (agent->unread) {
        str_addf(&lines->text, "; %zu unread, the oldest since ", agent->unread);
        add_age(lines, agent->unread_us);
    } else {
        str_puts(&lines->text, "; it has read all its mail");
    }
    end_line(lines, "heard", STYLE_PLAIN);
}

static void add_circle(struct head_lines *lines)
{
    const struct agents *agents = &ui_picture(lines->ui)->sight.agents;

    if (lines->agent->circle == AGENT_NONE)
        return;
    const struct agent_circle *circle = &agents->circles[lines->agent->circle];
    for (size_t i = 0; i <= circle->count; i++) {
        str_puts(&lines->text, i ? " waits for " : "");
        str_add_span(&lines->text, agents->items[circle->members[i % circle->count]].name);
    }
    end_line(lines, "circle", STYLE_STUCK);
}

static void add_request(struct head_lines *lines, const struct message *message, bool by_it)
{
    add_age(lines, message->created_us);
    str_puts(&lines->text, by_it ? " for " : " by ");
    if (by_it && message_for_us(message))
        str_puts(&lines->text, "you");
    else if (!by_it && message->by_us)
        str_puts(&lines->text, "you");
    else
        str_add_span(&lines->text, by_it ? message_recipient(message) : message->from);
    str_addf(&lines->text, ": %s ", kind_word(message->kind));
    str_add_span(&lines->text, span_first_line(message->subject));
    end_line(lines, by_it ? "waits" : "asked",
             by_it && message_for_us(message) ? STYLE_NEEDS : STYLE_PLAIN);
}

/* Adds the requests that it waits for, followed by those that wait for it. */
static void add_requests(struct head_lines *lines)
{
    const struct sight *sight = &ui_picture(lines->ui)->sight;
    uint32_t parts[AGENT_PARTS];

    for (int by_it = 1; by_it >= 0; by_it--) {
        for (size_t i = 0; i < sight->asks.count; i++) {
            if (!request_waits(&sight->asks.items[i]))
                continue;
            const struct message *message = sight->model->messages[sight->asks.items[i].message];
            agent_index_of_message(ui_agents(lines->ui), message, parts);
            uint32_t to = message->to.len ? parts[AGENT_TO] : parts[AGENT_BOX];
            if ((by_it ? parts[AGENT_FROM] : to) == lines->number)
                add_request(lines, message, by_it);
        }
    }
}

static bool owns(struct head_lines *lines, const struct agent_task *task)
{
    struct span owner = task->owner, name, list;

    if (span_split_last(owner, '@', &name, &list) && span_eq(list, task->list))
        owner = name;
    uint32_t found = agent_index_find(ui_agents(lines->ui), task->source, task->list, owner);
    if (found == AGENT_NONE)
        found = agent_index_find(ui_agents(lines->ui), task->source, (struct span){0}, owner);
    return found == lines->number;
}

static void add_tasks(struct head_lines *lines)
{
    const struct agent_directory *world = ui_picture(lines->ui)->world;
    size_t completed = 0;

    for (size_t i = 0; world && i < world->work_count; i++) {
        const struct agent_task *task = &world->works[i];
        if (!owns(lines, task))
            continue;
        if (span_is(task->status, "completed")) {
            completed++;
            continue;
        }
        str_add_span(&lines->text, task->id);
        str_putc(&lines->text, ' ');
        str_add_span(&lines->text, task->status.len ? task->status : span_of("without a status"));
        str_puts(&lines->text, ": ");
        str_add_span(&lines->text, task->subject);
        end_line(lines, "task", STYLE_PLAIN);
    }
    if (completed) {
        str_addf(&lines->text, "%zu completed", completed);
        end_line(lines, "tasks", STYLE_DIM);
    }
}

static void add_unsent(struct head_lines *lines)
{
    const struct agent_directory *world = ui_picture(lines->ui)->world;

    for (size_t i = 0; world && i < world->unsent_count; i++) {
        const struct agent_unsent *unsent = &world->unsent[i];
        if (agent_index_find(ui_agents(lines->ui), unsent->source, unsent->team, unsent->to) !=
            lines->number)
            continue;
        str_puts(&lines->text, "a message of yours, ");
        add_age(lines, unsent->since_us);
        str_puts(&lines->text, unsent->failed
                                   ? ", was not delivered and will not go out by itself; see 4"
                                   : ", is still on its way; see 4");
        end_line(lines, "unsent", unsent->failed ? STYLE_ERROR : STYLE_WARNING);
    }
}

/* Builds the lines. The caller sets `ui` and `number` (AGENT_NONE for an unknown agent) and
 * zero-initialises the rest. */
static void head_lines_build(struct head_lines *lines)
{
    const struct agents *agents = &ui_picture(lines->ui)->sight.agents;

    if (lines->number == AGENT_NONE) {
        str_puts(&lines->text, ui_picture(lines->ui)->ready
                                   ? "no roster, mailbox or message names this agent any more"
                                   : "looking for agents ...");
        end_line(lines, "", STYLE_DIM);
        return;
    }
    lines->agent = &agents->items[lines->number];
    add_who(lines);
    relative_time_add(&lines->text, lines->agent->why, &lines->agent->why_ages, ui_now(lines->ui));
    end_line(lines, "why", STYLE_PLAIN);
    add_heard(lines);
    add_circle(lines);
    add_requests(lines);
    add_unsent(lines);
    add_tasks(lines);
}

enum {
    LABEL = 11,
    NARROW = 60,
    NARROW_LABEL = 7,
    SMALL = 14, /* with fewer rows only the state and the reason are shown */
    SMALL_ROWS = 3,
};

/* --- drawing --- */

static int indent(const struct area *area)
{
    return area->columns < NARROW ? NARROW_LABEL : LABEL;
}

/* Draws the rows from `top` on that fit into the area; returns the number of all rows. */
static int put_lines(const struct head_lines *lines, struct grid *grid, const struct area *area,
                     int top)
{
    int x = indent(area), y = -top;

    for (size_t i = 0; i < lines->count; i++) {
        struct span rest = lines->items[i].text;
        size_t label = strlen(lines->items[i].label);
        int from = (int)label + 2 > x ? (int)label + 2 : x; /* states are longer than labels */
        grid_puts(grid, area, y, 1, i ? STYLE_LABEL : lines->items[i].style, lines->items[i].label);
        do {
            struct span row = wrap_take(&rest, area->columns - from, grid->clean);
            grid_put(grid, area, y++, from, area->columns - from, lines->items[i].style, row);
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
    CLEANUP(head_lines_free) struct head_lines lines = {.ui = ui, .number = agent};
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
        grid_rule(grid, &rule, 0, STYLE_BORDER);
        if (head->on)
            grid_putf(grid, &rule, 0, 2, STYLE_BORDER, " %d below; ^W: conversations ", below);
        else if (below)
            grid_putf(grid, &rule, 0, 2, STYLE_BORDER, " %d more lines: ^W ", below);
    }
}

bool agent_head_act(struct agent_head *head, enum action action, bool preview)
{
    int pager = head->rows > 1 ? head->rows - 1 : 1;
    int by[ACTION_COUNT] = {[ACTION_NEXT] = 1,
                            [ACTION_PREVIOUS] = -1,
                            [ACTION_HALF_DOWN] = pager / 2 + 1,
                            [ACTION_HALF_UP] = -(pager / 2 + 1),
                            [ACTION_PAGE_DOWN] = pager,
                            [ACTION_PAGE_UP] = -pager,
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

void agent_view_open_with(struct ui *ui, const struct agent *agent, const struct agent *with)
{
    struct screen *screen = conversation_list_new(ui, CONVERSATION_LIST_AGENT);

    conversation_list_show_agent(screen, agent, with);
    ui_push(ui, screen);
}

void agent_view_open(struct ui *ui, const struct agent *agent)
{
    agent_view_open_with(ui, agent, NULL);
}
