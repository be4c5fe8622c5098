/* Changing: what the commands mark, archive and restore share. */
#ifndef CMD_WRITE_CHANGE_TARGETS_H
#define CMD_WRITE_CHANGE_TARGETS_H

#include "base/map.h"
#include "cmd/app.h"

/* Messages that are to be changed together. */
struct targets {
    struct message **items;
    size_t count, cap;
    struct hash_index known; /* their places in it; private */
    bool completed;          /* archiving them marks them as completed, too */
};

void targets_free(struct targets *targets);
void targets_add(struct targets *targets, struct message *message);

/* Finds all messages that are named, each once: nothing is changed when one of them is not there.
 * Of different messages with one id the only one is meant that lies in the archive, or in an inbox.
 */
bool targets_find(struct targets *targets, const struct model *model, char *const *ids, int count,
                  bool archived, struct err *err);

/* Loads all mail, finds the messages that the operands name, and lets `change` make the exit code
 * of them. */
int targets_run(struct app *app, bool archived,
                int (*change)(struct app *app, const struct model *model, struct targets *targets));

/* Changes those that can be, prints a line for each, and says what is only kept here. Returns the
 * exit code: the worst of all. */
int targets_change(struct app *app, const struct model *model, struct targets *targets,
                   enum status status, struct span note);

#endif
