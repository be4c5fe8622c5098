/* Claude Code teams: one JSON array of entries for each agent of a team.
 *
 * Entries of the classic form have no id: the hash that bridges use stands for it, with a number
 * for equal ones; damaged entries have no part in that. An inbox with entries of newer programs
 * gets such entries. Writing copies the bytes of damaged entries like all others. */
#ifndef STORE_LAYOUTS_CLAUDE_H
#define STORE_LAYOUTS_CLAUDE_H

#include "store/format/format.h"

extern const struct format claude_format;

#endif
