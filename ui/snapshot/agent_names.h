/* Names: what agents are called on the screens, and what completes to that or to words of queries.
 */
#ifndef UI_SNAPSHOT_AGENT_NAMES_H
#define UI_SNAPSHOT_AGENT_NAMES_H

#include "ui/ui.h"
#include "ui/widget/completion.h"

/* Appends its name as commands take it; with its team where that is wanted, or where another one
 * has the same name. */
void agent_names_add(const struct ui *ui, struct str *out, const struct agent *agent,
                     bool with_team);

/* Whether the agent, or some agent, is called that, by any of its names, with or without its team.
 */
bool agent_names_is_called(const struct ui *ui, const struct agent *agent, struct span name);
bool agent_names_is_agent(const struct ui *ui, struct span name);
/* The first of them, or NULL; `count`, which may be NULL, is how many there are. */
const struct agent *agent_names_find(const struct ui *ui, struct span name, size_t *count);

/* Adds all agents but one (NULL: all), those that rest first, with their states as notes. `first`
 * are names that come before all others: who takes part in a conversation. */
void agent_names_add_agents(struct ui *ui, const struct span_list *first,
                            const struct agent *without, struct completion *completion);

/* Where a message will go, as far as that is known. */
struct agent_names_home {
    uint32_t source;  /* STORE_ANY: anywhere */
    struct span team; /* empty: any of it */
};
/* The same, with those before the others who can be reached there. */
void agent_names_add_near(struct ui *ui, const struct span_list *first, const struct agent *without,
                          const struct agent_names_home *home, struct completion *completion);

/* For prompts: the whole line is an agent; or the word at its end belongs to a query. */
void agent_names_complete(struct ui *ui, void *context, struct span before, size_t *from,
                          struct completion *completion);
void agent_names_complete_query(struct ui *ui, void *context, struct span before, size_t *from,
                                struct completion *completion);

#endif
