/* Rendering traffic: tables, lines of JSON, and an agent's traffic as a row of bars. */
#ifndef MAIL_RENDER_RENDER_TRAFFIC_H
#define MAIL_RENDER_RENDER_TRAFFIC_H

#include "mail/render/render.h"
#include "mail/sent/traffic.h"

/* Returns the highest count that an agent has in one of `columns` parts of the time; 0 for no
 * messages. FLOW_PARTS must be a multiple of `columns`. */
uint32_t flow_most(const struct flow_agent *agent, size_t columns);
/* Appends the parts as a line of characters: a higher bar for more messages, the highest for
 * `most`, a blank for none. */
void flow_add_spark(struct str *out, const struct flow_agent *agent, size_t columns, uint32_t most,
                    const struct render_options *style);

/* The agents and pairs of one team, which are next to each other in a flow. */
struct flow_team {
    const struct flow_pair *pairs;
    const struct flow_agent *agents;
    size_t pair_count, agent_count;
};

/* Moves to the next team, from zero-initialised to the first one; false after the last one. */
bool flow_next_team(const struct flow *flow, struct flow_team *team);
/* Returns the pairs with open requests, the longest wait first. The caller frees them. */
const struct flow_pair **flow_waits(const struct flow_pair *pairs, size_t count, size_t *waits);
/* Returns the name to show, also for an agent without one. */
struct span flow_name(struct span name);
/* Appends "12", or "12/3" if three are unread, or "." for none. */
void flow_add_count(struct str *out, size_t count, size_t unread);

/* Writes for each team a table from senders (rows) to recipients (columns), with as many agents as
 * fit into the width; if not even three do, a list of pairs. Then the open waits. */
struct render_flow {
    const struct flow *flow;
    const struct span *titles; /* one for each source; NULL without any */
    size_t columns;
};
void render_flow(struct str *out, const struct render_flow *what,
                 const struct render_options *style);
/* Writes one line of JSON. */
void render_flow_json(struct str *out, const struct flow_pair *pair, struct span source,
                      int64_t now_us);

#endif
