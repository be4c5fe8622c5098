/* Claude Code teams: one JSON array of entries for each agent of a team. */
#ifndef STORE_LAYOUTS_CLAUDE_H
#define STORE_LAYOUTS_CLAUDE_H

#include "store/format/format.h"

extern const struct format claude_format;

#endif
