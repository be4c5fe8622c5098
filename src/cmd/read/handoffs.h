/* What became of handoffs, for the commands that show messages. */
#ifndef CMD_READ_HANDOFFS_H
#define CMD_READ_HANDOFFS_H

#include "cmd/app.h"
#include "store/sight.h"

/* Zero-initialised tells nothing. */
struct handed {
    struct agents_world world;
    struct sight sight;
};

/* The model has all mail, and must stay. The caller closes it in any case. */
bool handoff_states_open(struct handed *handed, struct app *app, const struct model *model,
                         struct err *err);
void handoff_states_close(struct handed *handed);

/* Appends what became of a message of the model in one sentence; nothing when it is no handoff. */
void handoff_states_add(const struct handed *handed, const struct message *message, int64_t now_us,
                        struct str *sentence);

#endif
