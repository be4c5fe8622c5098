/* Refuses what an agent must not send through the server: anything that a program or a person could
 * take for a decision or an order, or for the words of somebody else. */
#ifndef MCP_REFUSE_H
#define MCP_REFUSE_H

#include "base/err.h"
#include "mail/message/message.h"
#include "mcp/arguments.h"

/* Reports whether a program with a less strict parser than ours might take the text for a message
 * of its protocol. Unlike protocol_parse(), it errs towards true. */
bool refuse_is_protocol(struct span text);

/* Returns false, with the reason, if the arguments must not be sent: a protocol message in any of
 * their texts, the type or the words of a decision or an order, or the tag in which agents see what
 * others wrote. */
bool refuse_arguments(const struct arguments *arguments, struct err *err);

/* Returns false, with the reason, if this message must not be answered: a request for a decision is
 * not answered here, because in some layouts certain words, or the type that an answer copies, are
 * already the decision. */
bool refuse_answer(const struct message *original, struct err *err);

/* Returns false, with the reason, if the state of this message must not be changed: a marked
 * request for a decision no longer waits for anybody, and a marked order is not seen by the program
 * that it is for. */
bool refuse_mark(const struct message *message, struct err *err);

#endif
