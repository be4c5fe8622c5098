/* Agents in the output of commands. */
#ifndef CMD_READ_AGENTS_H
#define CMD_READ_AGENTS_H

#include "cmd/app.h"
#include "mail/agent/agent.h"

/* Appends an agent as one line of JSON. */
void agents_add_json(struct str *out, const struct app *app, const struct agents *agents,
                     const struct agent *agent, const struct model *model);

#endif
