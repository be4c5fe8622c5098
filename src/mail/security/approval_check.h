/* Trust: which requests must never be approved, whatever they say.
 *
 * A request is text of an untrusted author, and approving it makes a program act. So it must be
 * what it looks like: for the person who reads it, for the program that acts on it, and for every
 * reader in between that may take the first or the last of two keys, or ignore their case. Denying
 * and answering are always possible; nothing here forbids to look at the raw text. */
#ifndef MAIL_SECURITY_APPROVAL_CHECK_H
#define MAIL_SECURITY_APPROVAL_CHECK_H

#include "base/json/json.h"
#include "mail/message/message.h"

enum {
    APPROVAL_DEPTH_MAX =
        32,                /* objects and arrays that may be open at once, the outermost included */
    APPROVAL_ID_MAX = 200, /* characters of a request id */
};

/* Whether a request must not be approved; then one finished sentence, of our own words and of
 * quotes that were cleaned, is appended. The message is whole, with data and body; raw are the
 * bytes of its file, or of its entry in a file that holds several.
 *
 * Requests of Claude's protocol are looked at twice: the entry in the inbox, and the object in its
 * text, which each count their own depth. In what is executed (the tool's name and input, the
 * suggested rules, the host, the plan and its path) nothing may be hidden; elsewhere in the request
 * hidden characters are only shown. The request id is 1 to APPROVAL_ID_MAX printable ASCII
 * characters without quotes and backslash; blanks may stand inside it, not at its ends, where
 * readers trim.
 *
 * Other layouts have no approvals that a program enforces: there the whole message must hold
 * nothing hidden. A carriage return is only let pass before a newline in a file that is not JSON.
 */
bool approval_refuses(struct str *why, const struct message *message, struct span raw);

/* The same for an object that a person has put in the place of a tool's input: what nobody could
 * see in a request nobody sees in what is granted instead. */
bool approval_refuses_input(struct str *why, struct json input);

#endif
