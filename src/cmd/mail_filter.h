/* Selecting what waits for an agent, as the agent's own program would. */
#ifndef CMD_MAIL_FILTER_H
#define CMD_MAIL_FILTER_H

#include "cmd/app.h"
#include "store/store_read.h"

struct selection {
    struct message **items;
    size_t count, cap;
};

/* Loads what the agent's own program would look through. */
bool mail_filter_load(const struct app *app, const struct checking *checking, struct model *model,
                      struct err *err);

/* Fills the selection in the order it should be worked off. Damaged and expired messages are left
 * out: the agent does not see them either. */
void mail_filter_waiting(const struct app *app, const struct model *model,
                         const struct checking *checking, struct selection *selection);
void selection_add(struct selection *selection, struct message *message);
void selection_free(struct selection *selection);

/* Whether a message lies in the box that an agent's mail would go into, ours when that is absent,
 * or stands for a directory that may hold that box. */
bool mail_filter_is_in_box(const struct app *app, const struct message *message, struct span agent);

/* Says on standard error why less than expected was found: damaged files, another spelling of the
 * name, an agent nobody knows. The code of unreadable_report(): with EXIT_FAILED nobody knows
 * whether something waits. */
void mail_filter_explain(const struct app *app, const struct model *model,
                         const struct checking *checking, const struct selection *selection,
                         int code);

#endif
