/* Dangers: what a person should look at twice in a request.
 *
 * A help for the eye, no wall: what is found is pointed out, and what is not found may be dangerous
 * all the same. Commands are read the way a shell reads them, so that quotes, backslashes, pipes
 * and prefixes hide nothing; where that is in doubt, too much is found rather than too little. */
#ifndef MAIL_SECURITY_RISK_H
#define MAIL_SECURITY_RISK_H

#include "base/mem.h"
#include "base/str.h"
#include "mail/protocol/protocol.h"

enum risk_kind {
    RISK_DELETES,
    RISK_NETWORK,
    RISK_ROOT,
    RISK_OUTSIDE, /* a path that does not lie beneath the working directory */
    RISK_CODE,    /* a program that stands in the text, or comes from somewhere else */
    RISK_ENDS,    /* it ends programs, or stops the machine */
    RISK_LASTS,   /* it goes on in the background, or starts again by itself */
    RISK_SECRETS,
    RISK_RIGHTS,  /* it changes what agents may do, or speaks for the person */
    RISK_ALIKE,   /* something in it looks like something else */
    RISK_IGNORED, /* a member that the tool does not look at, and a person would */
    RISK_WIDE,    /* a pattern for more than one host */
    RISK_NEAR,    /* a host that is this machine or its own network */
    RISK_ADDRESS, /* a host that has only a number */
    RISK_HOST,    /* a host whose name is easily taken for a well-known one */
    RISK_REQUEST, /* another request or answer stands in the text */
    RISK_LONG,    /* a very long line */
    RISK_FAR,     /* text far below or to the right of what stands before it */
    RISK_COUNT,
};

struct risk {
    enum risk_kind kind;
    struct span key;  /* the member: tool_name, host, or a key of the input */
    bool nested;      /* the member is an object or array, */
    size_t string;    /* and it stands in this one of its strings, from 0, keys not counted */
    size_t at, len;   /* which bytes of the decoded string; none for a member that is no string */
    struct span text; /* those bytes, or the member with its value */
};

/* Zero-initialised is empty and valid. */
struct risk_list {
    struct risk *items; /* in the order in which they were found */
    size_t count, cap;
    struct arena arena; /* what the items point to */
};

void risk_list_free(struct risk_list *list);

/* Finds the dangers in a permission_request, a sandbox_permission_request or a
 * plan_approval_request; other kinds have none. A plan is a text for people: it is not read as a
 * command.
 * Returns the kinds as bits, 1 << kind. Without a working directory every absolute path lies
 * outside of it; links are not followed. Of each kind at least one is in the list, of hostile
 * masses not all. */
unsigned risk_find(const struct protocol *p, struct span cwd, struct risk_list *found);

/* The same in a request that is words: a text for people. */
unsigned risk_find_text(struct span text, struct span cwd, struct risk_list *found);

/* What it does, in a few words: "deletes files". */
const char *risk_phrase(enum risk_kind kind);

/* Adds what was found to the list, a phrase for each kind with the words that show it, cleaned:
 * deletes files: "rm -rf build/". Of many words the first ones. Texts live in the arena. */
void risk_add_phrases(struct span_list *phrases, const struct risk_list *found, unsigned kinds,
                      struct arena *arena);

#endif
