/* Writing: new messages, answers, and what is passed on. */
#ifndef UI_COMPOSE_COMPOSE_H
#define UI_COMPOSE_COMPOSE_H

#include "ui/compose/form.h"

/* COMPOSE, REPLY, REPLY_ALL, FORWARD, NUDGE, RECALL and orders, for the messages that the top
 * screen says are meant; false when the action is none of these. */
bool compose_act(struct ui *ui, enum action action, struct span argument);

/* Of the messages that are meant: what waits for the person, else the last that somebody else
 * wrote; NULL when there is none. */
struct acting;
const struct message *compose_choose(struct ui *ui, const struct acting *acting);

extern const struct form_spec compose_spec, reply_spec, forward_spec, nudge_spec;

/* For other forms: warns of recipients that are gone or unknown, and of a wrong duration. */
void compose_warn_of(struct form_screen *form);

/* Puts what the config's first template for that use says into fields that are still empty. Texts
 * live in the arena. False without such a template. */
bool compose_start(const struct ui *ui, enum config_use use, const struct config_words *words,
                   struct draft_fields *fields, struct arena *arena);

/* Appends a whole message to the byte, or what it says alone, with "> " before each line. Needs its
 * data. */
void compose_quote(struct str *out, const struct message *message, bool with_head);

#endif
