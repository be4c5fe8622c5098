/* Writing: new messages, replies and forwarded messages. */
#ifndef UI_COMPOSE_COMPOSE_H
#define UI_COMPOSE_COMPOSE_H

#include "ui/compose/form.h"

/* Performs COMPOSE, REPLY, REPLY_ALL, FORWARD, HANDOFF, BROADCAST, NUDGE, RECALL and lead commands,
 * for the messages that the top screen has selected; false if the action is none of these. */
bool compose_act(struct ui *ui, enum action action, struct span argument);

/* Returns, of these messages, the open request to the person, else the last message to the person,
 * else the last one of somebody else, else the last; NULL if there is none. */
struct targets;
const struct message *compose_choose(struct ui *ui, const struct targets *acting);

/* For the `warn` of other forms: warns of recipients that are gone or unknown, and of a wrong
 * duration. */
void compose_warn_of(struct form_screen *form);

/* Fills fields that are still empty from the config's first template for that use. Texts are copied
 * into the arena. */
void compose_start(const struct ui *ui, enum config_use use, const struct config_words *words,
                   struct draft_fields *fields, struct arena *arena);

/* Appends the message with "> " before each line: its text or, with `with_head`, also its head, and
 * the text byte for byte. The message must have its data. */
void compose_quote(struct str *out, const struct message *message, bool with_head);

#endif
