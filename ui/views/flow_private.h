/* The flow, inside. */
#ifndef UI_VIEWS_FLOW_PRIVATE_H
#define UI_VIEWS_FLOW_PRIVATE_H

#include "mail/render/render_flow.h"
#include "ui/ui.h"
#include "ui/widget/list.h"

/* What a row is; its item is a number of the flow's agents, of its pairs from FLOW_PAIR on. */
enum flow_row {
    FLOW_TEAM, /* a heading with the names above the columns; the item is the team's first agent */
    FLOW_AGENT,
    FLOW_WAITING, /* a heading */
    FLOW_PAIR,
    FLOW_WAIT,
};

/* Agents and pairs of one team stand together in the flow. */
struct flow_team {
    size_t first_agent, agent_count, first_pair, pair_count;
    size_t messages;       /* that went through it in the period */
    int name;              /* columns of the longest name */
    uint32_t most, merged; /* that a spark shows, with a part in each column or with two */
};

struct flow_view {
    struct screen screen;
    struct list list;
    struct flow flow; /* borrows from the picture: gone when that is built anew */
    struct flow_team *teams;
    size_t team_count;
    bool built, day;   /* counts the last day instead of the last hour */
    bool narrow;       /* has rows of pairs instead of a table */
    int64_t built_us;  /* by the steady clock */
    struct grid *grid; /* while it is drawn */
};

/* Builds it if the picture is a new one, the period another, or time has passed; `narrow` says
 * which rows there are to be. */
void flow_view_build(struct flow_view *view, bool narrow);
void flow_view_drop(struct flow_view *view);

/* The team that a row belongs to. */
const struct flow_team *flow_view_team(const struct flow_view *view, const struct list_row *row);
/* Its agents among the picture's, AGENT_NONE for the person and who is not known: who wrote, and
 * for a pair whom to. */
void flow_view_agents(struct flow_view *view, const struct list_row *row, uint32_t *from,
                      uint32_t *to);
/* The pair of a row, or NULL. */
const struct flow_pair *flow_view_pair(const struct flow_view *view, const struct list_row *row);

/* A name that is shown, also for who has none. */
static inline struct span flow_name(struct span name)
{
    return name.len ? name : span_of("?");
}

/* Rows of the table: an agent's, and the names above the columns. */
enum { FLOW_MARKS = 2 };
void flow_draw_agent(const struct flow_view *view, const struct list_row *row,
                     const struct area *line);
void flow_draw_team(const struct flow_view *view, const struct flow_team *team,
                    const struct area *line);

void flow_view_draw(struct screen *screen, struct grid *grid, const struct area *area);

#endif
