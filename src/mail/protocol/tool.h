/* Tools of agents: what in their input says what they are used for. */
#ifndef MAIL_PROTOCOL_TOOL_H
#define MAIL_PROTOCOL_TOOL_H

#include "base/json/json.h"
#include "base/mem.h"

/* What a tool is used for: the text of the member that says so. Of tools that are not known, or
 * where it is missing, of the one that tells most in known ones, else the first text, else all of
 * the input. What another member of a known tool says, which the tool does not look at, is never
 * it. */
struct span tool_use(struct span tool, struct span input, struct arena *arena);

/* Whether a known tool does not look at that member, though it is what tells most in others: it may
 * be there to be read by the person. */
bool tool_ignores(struct span tool, struct span member);

/* The rule that allows this very use and no other; absent where no member says what is done. False
 * when it holds characters that mean more than themselves in a rule. */
bool tool_rule(struct span tool, struct span input, struct span *rule, struct arena *arena);

#endif
