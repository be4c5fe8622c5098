/* What an agent may not say through the server: whatever a program or a person could take for a
 * decision or an order, or for the words of somebody else. */
#ifndef MCP_REFUSE_H
#define MCP_REFUSE_H

#include "base/err.h"
#include "mail/message/message.h"
#include "mcp/arguments.h"

/* Whether a program that is less strict than ours might take the text for a message of its
 * protocol. Unlike protocol_parse(), it errs towards yes. */
bool refuse_is_protocol(struct span text);

/* False, with the reason, when something that is to be sent must not be: a protocol message in any
 * of its texts, the type or the words of a decision or an order, or the tag in which agents
 * see what others wrote. */
bool refuse_arguments(const struct arguments *arguments, struct err *err);

/* The same for an answer to that message: what asks for a decision is not answered here, since in
 * some layouts words, or the type that an answer takes over, are all that a decision is. */
bool refuse_answer(const struct message *original, struct err *err);

/* The same for its state: a request for a decision that is marked waits for nobody any more, and an
 * order that is marked is not seen by the program that it is for. */
bool refuse_mark(const struct message *message, struct err *err);

#endif
