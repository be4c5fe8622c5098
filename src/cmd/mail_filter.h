/* Selecting the messages that wait for an agent, as the agent's own program would. */
#ifndef CMD_MAIL_FILTER_H
#define CMD_MAIL_FILTER_H

#include "cmd/app.h"
#include "store/store_read.h"

struct selection {
    struct message **items;
    size_t count, cap;
};

/* Loads the messages that the agent's own program would search. */
bool mail_filter_load(const struct app *app, const struct checking *checking, struct model *model,
                      struct err *err);

/* Fills the selection in order of urgency. Leaves out damaged and expired messages, because the
 * agent does not see them either. */
void mail_filter_waiting(const struct app *app, const struct model *model,
                         const struct checking *checking, struct selection *selection);
void selection_add(struct selection *selection, struct message *message);
void selection_free(struct selection *selection);

/* Returns true if the message is in the inbox of the agent (of ours if `agent` is absent), or
 * represents an unreadable directory that may contain that inbox. */
bool mail_filter_is_in_box(const struct app *app, const struct message *message, struct span agent);

/* Explains on standard error why the selection may be smaller than expected: damaged or expired
 * files, lower priority, another spelling of the name, an unknown agent. `code` is the result of
 * unreadable_report(); with EXIT_FAILED it does not say that nothing waits, because that is
 * unknown. */
void mail_filter_explain(const struct app *app, const struct model *model,
                         const struct checking *checking, const struct selection *selection,
                         int code);

#endif
