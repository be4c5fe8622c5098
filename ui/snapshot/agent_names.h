/* Names of agents on the screens, and completing these and words of queries. */
#ifndef UI_SNAPSHOT_AGENT_NAMES_H
#define UI_SNAPSHOT_AGENT_NAMES_H

#include "ui/ui.h"
#include "ui/widget/completion.h"

/* Appends its name as commands take it; with its team where that is wanted, or where another one
 * has the same name. */
void agent_names_add(const struct ui *ui, struct str *out, const struct agent *agent,
                     bool with_team);

/* True if the agent, or some agent, has that name, with or without its team. */
bool agent_names_is_called(const struct ui *ui, const struct agent *agent, struct span name);
bool agent_names_is_agent(const struct ui *ui, struct span name);
/* Returns the first agent with that name, or NULL; `count`, which may be NULL, is set to how many
 * there are. */
const struct agent *agent_names_find(const struct ui *ui, struct span name, size_t *count);

/* Adds all agents except `without` (may be NULL), idle ones first, with their states as notes.
 * `first` are names that come before all others: those of the agents in a conversation. */
void agent_names_add_agents(struct ui *ui, const struct span_list *first,
                            const struct agent *without, struct completion *completion);

/* The source and team of a message, as far as they are known. */
struct agent_names_home {
    uint32_t source;  /* STORE_ANY: anywhere */
    struct span team; /* empty: any of it */
};
/* Like agent_names_add_agents(), but agents in that source and team come before others. */
void agent_names_add_near(struct ui *ui, const struct span_list *first, const struct agent *without,
                          const struct agent_names_home *home, struct completion *completion);

/* For prompts: the whole line is an agent; or the word at its end belongs to a query. */
void agent_names_complete(struct ui *ui, void *context, struct span before, size_t *from,
                          struct completion *completion);
void agent_names_complete_query(struct ui *ui, void *context, struct span before, size_t *from,
                                struct completion *completion);

#endif
