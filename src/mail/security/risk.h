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

enum danger_kind {
    DANGER_DELETES,
    DANGER_NETWORK,
    DANGER_ROOT,
    DANGER_OUTSIDE, /* a path that does not lie beneath the working directory */
    DANGER_CODE,    /* a program that stands in the text, or comes from somewhere else */
    DANGER_ENDS,    /* it ends programs, or stops the machine */
    DANGER_LASTS,   /* it goes on in the background, or starts again by itself */
    DANGER_SECRETS,
    DANGER_RIGHTS,  /* it changes what agents may do, or speaks for the person */
    DANGER_ALIKE,   /* something in it looks like something else */
    DANGER_IGNORED, /* a member that the tool does not look at, and a person would */
    DANGER_WIDE,    /* a pattern for more than one host */
    DANGER_NEAR,    /* a host that is this machine or its own network */
    DANGER_ADDRESS, /* a host that has only a number */
    DANGER_HOST,    /* a host whose name is easily taken for a well-known one */
    DANGER_REQUEST, /* another request or answer stands in the text */
    DANGER_LONG,    /* a very long line */
    DANGER_FAR,     /* text far below or to the right of what stands before it */
    DANGER_COUNT,
};

struct danger {
    enum danger_kind kind;
    struct span key;  /* the member: tool_name, host, or a key of the input */
    bool nested;      /* the member is an object or array, */
    size_t string;    /* and it stands in this one of its strings, from 0, keys not counted */
    size_t at, len;   /* which bytes of the decoded string; none for a member that is no string */
    struct span text; /* those bytes, or the member with its value */
};

/* Zero-initialised is empty and valid. */
struct danger_list {
    struct danger *items; /* in the order in which they were found */
    size_t count, cap;
    struct arena arena; /* what the items point to */
};

void danger_list_free(struct danger_list *list);

/* Finds the dangers in a permission_request, a sandbox_permission_request or a
 * plan_approval_request; other kinds have none. A plan is a text for people: it is not read as a
 * command.
 * Returns the kinds as bits, 1 << kind. Without a working directory every absolute path lies
 * outside of it; links are not followed. Of each kind at least one is in the list, of hostile
 * masses not all. */
unsigned danger_find(const struct protocol *p, struct span cwd, struct danger_list *found);

/* The same in a request that is words: a text for people. */
unsigned danger_find_text(struct span text, struct span cwd, struct danger_list *found);

/* What it does, in a few words: "deletes files". */
const char *danger_phrase(enum danger_kind kind);

/* Adds what was found to the list, a phrase for each kind with the words that show it, cleaned:
 * deletes files: "rm -rf build/". Of many words the first ones. Texts live in the arena. */
void danger_add_phrases(struct span_list *phrases, const struct danger_list *found, unsigned kinds,
                        struct arena *arena);

#endif
