/* The head of an agent's page: what is known about it, line by line. */
#ifndef UI_VIEWS_AGENT_HEAD_H
#define UI_VIEWS_AGENT_HEAD_H

#include "ui/ui.h"

struct head_line {
    const char *label;
    struct span text;
    int look;
};

struct head_lines {
    struct ui *ui;
    const struct agent *agent;
    uint32_t number;
    struct arena arena;
    struct str text; /* of the line that is being written */
    struct head_line *items;
    size_t count, cap;
};

/* Set the interface and the number of the agent, or AGENT_NONE for one that is not known, and
 * zero-initialise the rest. */
void head_lines_build(struct head_lines *lines);
void head_lines_free(struct head_lines *lines);

#endif
