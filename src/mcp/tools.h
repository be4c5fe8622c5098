/* Outputs: what a tool gives back, as a table from which the schema that clients see is made. */
#ifndef MCP_TOOLS_H
#define MCP_TOOLS_H

#include "base/str.h"
#include "mail/message/message.h"
#include "mcp/arguments.h"

enum output_kind {
    OUTPUT_WORDS, /* a text */
    OUTPUT_WHOLE, /* a whole number */
    OUTPUT_TRUTH, /* true or false */
    OUTPUT_LIST,  /* a list of texts */
    OUTPUT_ANY,   /* whatever JSON was in the message */
};

struct output_spec {
    const char *name;
    enum output_kind kind;
    bool nullable;
    bool optional;    /* is not there in every object */
    const char *help; /* for a model; or NULL */
};

/* Tables end with a NULL name. */
extern const struct output_spec outputs_message[]; /* a message */
extern const struct output_spec outputs_sent[];    /* a message that was sent */
extern const struct output_spec outputs_marked[];  /* a message whose state was changed */
extern const struct output_spec outputs_agent[];   /* an agent */

/* Tools: what a model can do with its mailbox, one entry each.
 *
 * There is none for deciding: plans, permissions, hosts, shutdowns, modes and rules are a person's.
 */

/* What the result of a tool is made of. */
enum tool_result {
    TOOL_OBJECT, /* one object */
    TOOL_LIST,   /* {"v":1,"messages":[...]}, not empty */
    TOOL_SOME,   /* the same; nothing found is an answer too */
    TOOL_AGENTS, /* {"v":1,"agents":[...]}; nothing found is an answer too */
};

struct tool {
    const char *name;
    const char *title;       /* for people */
    const char *description; /* for models */
    const char *command;     /* the subcommand that does the work; NULL: none does */
    const struct argument_spec *arguments;
    const char *operands[2];  /* the arguments that are the command's operands, in order */
    const char *unless_given; /* the argument without which the command gets --all; or NULL */
    /* Whether it may be done to the message that "id" names; NULL: it may. */
    bool (*permits)(const struct message *message, struct err *err);
    bool own;                          /* only to a message for the agent itself */
    const struct output_spec *outputs; /* of the object, or of each in the list */
    enum tool_result result;
    bool limited;     /* gives no more than "limit" */
    bool newest;      /* the command itself counts, and begins with the newest */
    bool writes;      /* is not there with --readonly */
    bool destructive; /* takes something away, be it only from where it was */
    bool repeatable;  /* twice is as good as once */
};

extern const struct tool tools[]; /* ends with a NULL name */

/* The member that holds the list; NULL where the result is one object. */
const char *tool_list_name(enum tool_result result);

/* NULL when none is called that. */
const struct tool *tool_find(struct span name);

/* Appends a sentence of the tool's command with the tool's arguments in the place of options: `to`
 * for --to. What is in double quotes stays. An option at the start, before a colon, is what the
 * sentence is about, and is left out where it is no argument. So is advice, a part behind a
 * semicolon, to give an option that the tool has nothing for. The tool may be NULL. */
void tool_add_sentence(struct str *out, const struct tool *tool, struct span sentence);

/* Appends the array of all tools, or with `readonly` of those that do not write. */
void tools_add_list(struct str *out, bool readonly);

#endif
