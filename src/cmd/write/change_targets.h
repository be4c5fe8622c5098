/* Finding and changing messages, for mark, archive and restore. */
#ifndef CMD_WRITE_CHANGE_TARGETS_H
#define CMD_WRITE_CHANGE_TARGETS_H

#include "base/map.h"
#include "cmd/app.h"

/* Messages that are changed together, each once. */
struct targets {
    struct message **items;
    size_t count, cap;
    struct hash_index known; /* positions in `items`; private */
    bool completed;          /* archiving also marks them as completed */
};

void targets_free(struct targets *targets);
void targets_add(struct targets *targets, struct message *message);

/* Adds all messages that the ids name, each once. Returns false if one is missing or unreadable;
 * then nothing must be changed. If several messages have one id, takes the only one that is
 * archived (`archived`) or in an inbox (not `archived`). */
bool targets_find(struct targets *targets, const struct model *model, char *const *ids, int count,
                  bool archived, struct err *err);

/* Loads all mail, finds the messages that the operands name, and returns the exit code of
 * `change`. */
int targets_run(struct app *app, bool archived,
                int (*change)(struct app *app, const struct model *model, struct targets *targets));

/* Changes the messages that can be changed, prints a line for each, and explains which changes are
 * kept only in the local state. Returns the worst exit code. */
int targets_change(struct app *app, const struct model *model, struct targets *targets,
                   enum status status, struct span note);

/* Prints the line for a message that has that state now, or that was restored if it is NULL. */
void targets_put_outcome(const struct app *app, const struct message *message, const char *status,
                         bool local);

#endif
