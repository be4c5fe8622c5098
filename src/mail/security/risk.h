/* Risks: parts of a request that a person should read twice.
 *
 * A help for reading, not a barrier: findings are pointed out, and text without findings may be
 * dangerous all the same. Commands are read the way a shell reads them, so that quotes,
 * backslashes, pipes and prefixes hide nothing; in doubt, too much is found rather than too
 * little. */
#ifndef MAIL_SECURITY_RISK_H
#define MAIL_SECURITY_RISK_H

#include "base/mem.h"
#include "base/str.h"
#include "mail/protocol/protocol.h"

enum risk_kind {
    RISK_DELETES,
    RISK_NETWORK,
    RISK_ROOT,
    RISK_OUTSIDE, /* a path that is not beneath the working directory */
    RISK_CODE,    /* a program given as text, or from another source */
    RISK_ENDS,    /* ends programs, or stops the machine */
    RISK_LASTS,   /* continues in the background, or starts again by itself */
    RISK_SECRETS,
    RISK_RIGHTS,  /* changes what agents may do, or speaks for the person */
    RISK_ALIKE,   /* resembles something else */
    RISK_IGNORED, /* a member that the tool ignores, but a person would read */
    RISK_WIDE,    /* a pattern for more than one host */
    RISK_NEAR,    /* a host that is this machine or in its own network */
    RISK_ADDRESS, /* a host that is only a number */
    RISK_HOST,    /* a host whose name is easily confused with a well-known one */
    RISK_REQUEST, /* the text contains another request or answer */
    RISK_LONG,    /* a very long line */
    RISK_FAR,     /* text far below or to the right of the text before it */
    RISK_COUNT,
};

struct risk {
    enum risk_kind kind;
    struct span key;  /* the member: tool_name, host, or a key of the input */
    bool nested;      /* the member is an object or array; `string` says which string */
    size_t string;    /* index of the string in the member, from 0, without keys */
    size_t at, len;   /* bytes of the decoded string; none for a member that is not a string */
    struct span text; /* those bytes, or the member with its value */
};

/* Zero-initialised is empty and valid. */
struct risk_list {
    struct risk *items; /* in the order in which they were found */
    size_t count, cap;
    struct arena arena; /* texts of the items */
};

void risk_list_free(struct risk_list *list);

/* Finds the risks of a permission_request, a sandbox_permission_request or a plan_approval_request;
 * other kinds have none. A plan is text for people and is not read as a command. Returns the kinds
 * as bits, 1 << kind. Without a working directory every absolute path is outside of it; links are
 * not followed. The list has at least one finding of each kind; of very many findings it has only
 * the first. */
unsigned risk_find(const struct protocol *p, struct span cwd, struct risk_list *found);

/* Like risk_find(), but for a request in words: text for people. */
unsigned risk_find_text(struct span text, struct span cwd, struct risk_list *found);

/* Returns a short description of a kind: "deletes files". */
const char *risk_phrase(enum risk_kind kind);

/* Adds the findings to the list: for each kind a phrase with the words that show it, sanitized:
 * deletes files: "rm -rf build/". Of many words only the first are shown. Texts live in the
 * arena. */
void risk_add_phrases(struct span_list *phrases, const struct risk_list *found, unsigned kinds,
                      struct arena *arena);

#endif
