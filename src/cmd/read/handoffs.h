/* The progress of handoffs, for the commands that show messages. */
#ifndef CMD_READ_HANDOFFS_H
#define CMD_READ_HANDOFFS_H

#include "cmd/app.h"
#include "store/sight.h"

/* All handoffs with their progress. If zero-initialised, handoff_states_add() appends nothing. */
struct handed {
    struct agent_directory world;
    struct sight sight;
};

/* Computes the progress of all handoffs. The model must hold all mail and outlive `handed`. The
 * caller calls handoff_states_close() even after a failure. */
bool handoff_states_open(struct handed *handed, struct app *app, const struct model *model,
                         struct err *err);
void handoff_states_close(struct handed *handed);

/* Appends the progress of a handoff of the model as one sentence; nothing for any other message. */
void handoff_states_add(const struct handed *handed, const struct message *message, int64_t now_us,
                        struct str *sentence);

#endif
