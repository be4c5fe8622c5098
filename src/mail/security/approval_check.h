/* Approval checks: which requests must never be approved, whatever they say.
 *
 * A request is text of an untrusted author, and approving it makes a program act. So it must mean
 * the same to the person who reads it, to the program that acts on it, and to every reader in
 * between that may use the first or the last of two equal keys, or ignore their case. Denying and
 * answering are always possible; nothing here forbids showing the raw text. */
#ifndef MAIL_SECURITY_APPROVAL_CHECK_H
#define MAIL_SECURITY_APPROVAL_CHECK_H

#include "base/json/json.h"
#include "mail/message/message.h"

enum {
    APPROVAL_DEPTH_MAX =
        32, /* objects and arrays that may be open at once, including the outermost */
    APPROVAL_ID_MAX = 200, /* characters of a request id */
};

/* Reports whether a request must not be approved; if so, appends one finished sentence, made of our
 * own words and of sanitized quotes. The message must be complete, with data and body; `raw` holds
 * the bytes of its file, or of its entry in a file of several.
 *
 * A request of Claude's protocol is checked twice: the entry in the inbox, and the object in its
 * text, each with a depth of its own. In the parts that are executed (the tool's name and input,
 * the suggested rules, the host, the plan and its path) nothing may be hidden; elsewhere in the
 * request hidden characters are only shown. The request id is 1 to APPROVAL_ID_MAX printable ASCII
 * characters without quotes and backslash; blanks may be inside it, but not at its ends, where
 * readers trim.
 *
 * Other layouts have no approvals that a program enforces: there nothing may be hidden in the whole
 * message. A carriage return is only accepted before a newline in a file that is not JSON. */
bool approval_refuses(struct str *why, const struct message *message, struct span raw);

/* Like approval_refuses(), but for an object with which a person replaces a tool's input:
 * characters that are hidden in a request would be hidden in the replacement too. */
bool approval_refuses_input(struct str *why, struct json input);

#endif
