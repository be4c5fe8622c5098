/* Rendering who talks to whom: tables, lines of JSON, and an agent's traffic as a row of bars. */
#ifndef MAIL_RENDER_RENDER_TRAFFIC_H
#define MAIL_RENDER_RENDER_TRAFFIC_H

#include "mail/render/render.h"
#include "mail/sent/traffic.h"

/* The most that an agent has in one part when `columns` of them are shown; 0 for nothing. Numbers
 * of columns are those that FLOW_PARTS can be divided by. */
uint32_t flow_most(const struct flow_agent *agent, size_t columns);
/* Appends its parts as a line of characters: the more the higher, the highest for `most`, a blank
 * for nothing. */
void flow_add_spark(struct str *out, const struct flow_agent *agent, size_t columns, uint32_t most,
                    const struct render_options *style);

/* For each team a table from whom (rows) to whom (columns), as many agents as fit into the width;
 * where not even three do, a list of pairs. Then who waits for whom. `title` names a source and may
 * be absent. */
struct render_flow {
    const struct flow *flow;
    const struct span *titles; /* one for each source; NULL without any */
    size_t columns;
};
void render_flow(struct str *out, const struct render_flow *what,
                 const struct render_options *style);
/* One line of JSON. */
void render_flow_json(struct str *out, const struct flow_pair *pair, struct span source,
                      int64_t now_us);

#endif
