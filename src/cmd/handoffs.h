/* Handoffs in the output of commands. */
#ifndef CMD_HANDOFFS_H
#define CMD_HANDOFFS_H

#include "cmd/command.h"
#include "store/sight.h"

/* What became of all handoffs, for commands that show messages. Zero-initialised tells nothing. */
struct telling {
    struct agents_world world;
    struct sight sight;
};

/* The model has all mail, and must stay. The caller closes it in any case. */
bool telling_open(struct telling *telling, struct app *app, const struct model *model,
                  struct err *err);
void telling_close(struct telling *telling);

/* Appends what became of a message of the model in one sentence; nothing when it is no handoff. */
void telling_add(const struct telling *telling, const struct message *message, int64_t now_us,
                 struct str *sentence);

#endif
