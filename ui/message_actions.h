/* Actions on messages that work the same on all screens with messages. */
#ifndef UI_MESSAGE_ACTIONS_H
#define UI_MESSAGE_ACTIONS_H

#include "ui/ui.h"

/* Targets of an action, pinned when its key was pressed: the messages, as keys of the picture, and
 * the agent. */
struct targets {
    uint64_t screen;
    struct span_list keys;
    struct arena arena;
    struct span agent; /* the selected one, as commands name it, and its source */
    uint32_t agent_source;
    uint64_t stamp; /* of the shown content of the targets, for decisions about it */
    bool tagged;    /* they were tagged: the row under the cursor does not count */
};

/* Fills `acting`; returns false if there are no messages. Must be freed in any case. */
bool message_actions_targets(struct ui *ui, struct targets *acting);
void message_actions_free(struct targets *acting);
/* For the context of a prompt: message_actions_keep() returns a heap copy that takes ownership of
 * the contents; message_actions_drop() frees it. */
struct targets *message_actions_keep(const struct targets *acting);
void message_actions_drop(void *kept);
/* Removes the tags of the targets after an action on them, if they were tagged. */
void message_actions_untag(struct ui *ui, const struct targets *acting);

/* Performs the action on the targets of the top screen. Returns false if the action is none of
 * these. */
bool message_actions_act(struct ui *ui, enum action action, struct span argument);

#endif
