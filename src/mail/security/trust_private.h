/* Trust, inside: the single checks. Each tells whether it refuses, and appends why. */
#ifndef MAIL_SECURITY_TRUST_PRIVATE_H
#define MAIL_SECURITY_TRUST_PRIVATE_H

#include "base/json/json.h"
#include "mail/message/message.h"

/* Appends the sentence; always true, so that a check can end with it. */
bool trust_say(struct str *why, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Appends hostile text in quotes: ASCII, cleaned and cut. */
void trust_quote(struct str *why, struct span text);

/* Keys that some reader takes for one another, nesting, NUL and halves of characters: what makes
 * readers of one JSON value disagree, anywhere in it. `what` names the value in the sentence. With
 * `request` its own members may not even resemble each other. */
bool trust_refuses_value(struct str *why, struct json value, const char *what, bool request);

/* Hidden characters in a text, which `what` names. One line holds no newline and no tab. */
bool trust_refuses_text(struct str *why, struct span text, const char *what, bool one_line);
/* The same in every key and string of a value. */
bool trust_refuses_strings(struct str *why, struct json value, const char *what);

/* An entry of an inbox, in whose text the request stands. The arena is scratch. */
bool trust_refuses_entry(struct str *why, const struct message *message, struct span raw,
                         struct arena *arena);

/* A host that is none, or is not the one it looks like. */
bool trust_refuses_host(struct str *why, struct span host);

#endif
