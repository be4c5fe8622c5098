/* Outputs: what a tool returns, as a table that produces the schema for clients. */
#ifndef MCP_TOOLS_H
#define MCP_TOOLS_H

#include "base/err.h"
#include "base/str.h"
#include "mail/message/message.h"
#include "mcp/arguments.h"

/* URIs of resources: swarmutt://message/ID and swarmutt://thread/ID. */

enum uri_kind { URI_MESSAGE, URI_THREAD };

/* Appends the URI; characters that it may not hold are percent-encoded. */
void uri_add(struct str *out, enum uri_kind kind, struct span id);
/* Parses a URI; the id replaces `id`. Returns false for any other URI, and if the id is empty,
 * holds a NUL or is not UTF-8. */
bool uri_read(struct span uri, enum uri_kind *kind, struct str *id);

/* Refuses what an agent must not send through the server: anything that a program or a person could
 * take for a decision or an order, or for the words of somebody else. */

/* Reports whether a program with a less strict parser than ours might take the text for a message
 * of its protocol. Unlike protocol_parse(), it errs towards true. */
bool refuse_is_protocol(struct span text);

/* Returns false, with the reason, if the arguments must not be sent: a protocol message in any of
 * their texts, the type or the words of a decision or an order, or the tag in which agents see what
 * others wrote. */
bool refuse_arguments(const struct arguments *arguments, struct err *err);

/* Returns false, with the reason, if this message must not be answered: a request for a decision is
 * not answered here, because in some layouts certain words, or the type that an answer copies, are
 * already the decision. */
bool refuse_answer(const struct message *original, struct err *err);

enum output_kind {
    OUTPUT_WORDS, /* a text */
    OUTPUT_WHOLE, /* a whole number */
    OUTPUT_TRUTH, /* true or false */
    OUTPUT_LIST,  /* a list of texts */
    OUTPUT_ANY,   /* any JSON from the message */
};

struct output_spec {
    const char *name;
    enum output_kind kind;
    bool nullable;
    bool optional;    /* not in every object */
    const char *help; /* description for the model; or NULL */
};

/* Each table ends with a NULL name. */
extern const struct output_spec outputs_message[]; /* a message */
extern const struct output_spec outputs_sent[];    /* a message that was sent */
extern const struct output_spec outputs_marked[];  /* a message whose state was changed */
extern const struct output_spec outputs_agent[];   /* an agent */

/* Tools: what a model can do with its mailbox, one entry each.
 *
 * There is none for deciding: only a person decides on plans, permissions, hosts, shutdowns, modes
 * and rules. */

/* The shape of a tool's result. */
enum tool_result {
    TOOL_OBJECT, /* one object */
    TOOL_LIST,   /* {"v":1,"messages":[...]}, not empty */
    TOOL_SOME,   /* like TOOL_LIST, but may be empty */
    TOOL_AGENTS, /* {"v":1,"agents":[...]}; may be empty */
};

struct tool {
    const char *name;
    const char *title;       /* for people */
    const char *description; /* for models */
    const char *command;     /* the subcommand that does the work; NULL: none */
    const struct argument_spec *arguments;
    const char *operands[2];  /* the arguments that are the command's operands, in order */
    const char *unless_given; /* if this argument is not given the command gets --all; or NULL */
    /* Decides whether the tool may be used on the message that "id" names; NULL: always. */
    bool (*permits)(const struct message *message, struct err *err);
    bool own;                          /* only on a message to the agent itself */
    const struct output_spec *outputs; /* of the object, or of each object in the list */
    enum tool_result result;
    bool limited;     /* returns at most "limit" items */
    bool newest;      /* the command itself applies the limit, newest first */
    bool writes;      /* not available with --readonly */
    bool destructive; /* removes something, if only from its place */
    bool repeatable;  /* repeating it has no further effect */
};

extern const struct tool tools[]; /* ends with a NULL name */

/* Returns the name of the member that holds the list; NULL if the result is one object. */
const char *tool_list_name(enum tool_result result);

/* Returns the tool, or NULL if there is none of that name. */
const struct tool *tool_find(struct span name);

/* Appends a sentence of the tool's command with the options in it replaced by the tool's arguments:
 * `to` for --to. Text in double quotes is not changed. An option at the start, before a colon, is
 * what the sentence is about; it is left out if it is not an argument. A part after a semicolon
 * that advises an option without a matching argument is left out, too. The tool may be NULL. */
void tool_add_sentence(struct str *out, const struct tool *tool, struct span sentence);

/* Appends the array of all tools, or if `readonly` of those that do not write. */
void tools_add_list(struct str *out, bool readonly);

#endif
