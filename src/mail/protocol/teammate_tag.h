/* The tag that Claude Code puts around a message when it shows it to an agent. */
#ifndef MAIL_PROTOCOL_TEAMMATE_TAG_H
#define MAIL_PROTOCOL_TEAMMATE_TAG_H

#include "base/str.h"

/* Whether a text holds what a model could read as the start or the end of such a tag, and so as the
 * words of somebody else. Case, blanks, invisible characters and accents make no difference, and
 * characters count as those that they are drawn like. */
bool teammate_tag_found(struct span text);

#endif
