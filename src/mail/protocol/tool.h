/* Tools of agents: the part of their input that says what they do. */
#ifndef MAIL_PROTOCOL_TOOL_H
#define MAIL_PROTOCOL_TOOL_H

#include "base/mem.h"

/* Returns what a tool is used for: the text of the member that says so. For an unknown tool, or if
 * that member is missing: the member that says most in known tools, else the first text, else the
 * whole input. Never a member that a known tool ignores. May borrow from the input or the arena. */
struct span tool_use(struct span tool, struct span input, struct arena *arena);

/* True if a known tool ignores that member although other tools act on it: it may be there only to
 * be read by the person. */
bool tool_ignores(struct span tool, struct span member);

/* Finds the rule that allows exactly this use; absent if no member says what is done. Returns false
 * if it contains characters with a special meaning in rules. */
bool tool_rule(struct span tool, struct span input, struct span *rule, struct arena *arena);

#endif
