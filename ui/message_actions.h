/* Acting on messages: what works the same on all screens that have some. */
#ifndef UI_MESSAGE_ACTIONS_H
#define UI_MESSAGE_ACTIONS_H

#include "ui/ui.h"

/* Messages and the agent that an action is for, pinned when its key was pressed: as keys of the
 * picture. */
struct acting {
    uint64_t screen;
    struct span_list keys;
    struct arena arena;
    struct span agent; /* the one that is selected, as commands name it, and its source */
    uint32_t agent_source;
    uint64_t stamp; /* of what was shown of them, where that is what is decided on */
    bool tagged;    /* they were tagged: the row under the cursor does not matter */
};

/* False when there are no messages; to be freed in any case. */
bool message_actions_targets(struct ui *ui, struct acting *acting);
void message_actions_free(struct acting *acting);
/* As the context of a prompt: takes it over; and frees it with what it has. */
struct acting *message_actions_keep(const struct acting *acting);
void message_actions_drop(void *kept);
/* Something was done to them: they lose their tags, where they were tagged. */
void message_actions_untag(struct ui *ui, const struct acting *acting);

/* Does it to the messages that the top screen says are meant; false when the action is none of
 * these. */
bool message_actions_act(struct ui *ui, enum action action, struct span argument);

#endif
