/* The table of actions. */
#include "ui/keys/action.h"

const char *const action_groups[GROUP_COUNT] = {
    [GROUP_MOVE] = "Move",    [GROUP_READ] = "Read",       [GROUP_WRITE] = "Write",
    [GROUP_ACT] = "Act",      [GROUP_DECIDE] = "Decide",   [GROUP_FIND] = "Find",
    [GROUP_VIEW] = "Views",   [GROUP_PROGRAM] = "Program", [GROUP_FORM] = "Forms",
    [GROUP_EDIT] = "Editing",
};

#define ROW(symbol, ...) [ACTION_##symbol] = {__VA_ARGS__},
const struct action_info actions[ACTION_COUNT] = {
#include "ui/keys/action_rows.h"
};

/* Words of the key bar that differ in some places. */
static const struct {
    enum action action;
    unsigned where;
    const char *bar;
} others[] = {{ACTION_SEND, IN_REVIEW, "send"}, {ACTION_RESTORE, IN_ARCHIVE, "restore"}};

const char *action_bar(enum action action, unsigned where)
{
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (others[i].action == action && others[i].where & where)
            return others[i].bar;
    return actions[action].bar;
}

enum action action_find(struct span name)
{
    for (int i = 1; i < ACTION_COUNT; i++)
        if (span_is(name, actions[i].name))
            return (enum action)i;
    return ACTION_NONE;
}
