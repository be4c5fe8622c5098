/* A session of the Model Context Protocol: bytes from a client in, lines for it out.
 *
 * It implements the protocol and the tools and knows nothing of mailboxes: a host does the work.
 * Nothing in here waits, so that a test or a fuzzer can drive it with bytes alone. */
#ifndef MCP_SESSION_H
#define MCP_SESSION_H

#include "base/json/json.h"
#include "base/str.h"
#include "mcp/tools.h"

/* Lines: splits a stream of bytes at newlines, with a limit on the length of a line. */

enum { LINE_MAX_BYTES = 4 << 20 };

/* The state of the splitter; zero-initialised is empty and valid. */
struct lines {
    struct str held; /* the start of a line whose end has not arrived yet */
    bool skipping;   /* the rest of a line that was too long is being skipped */
    bool given;      /* `held` was returned, and is freed by the next call */
};

enum line_found {
    LINE_NONE, /* all bytes are consumed; more are needed */
    LINE_WHOLE,
    LINE_TOO_LONG, /* reported once, as soon as it is known; the line is skipped */
};

void lines_free(struct lines *lines);

/* Removes the next line and its newline from the bytes. The line is borrowed until the next
 * call. */
enum line_found lines_next(struct lines *lines, struct span *bytes, struct span *line);
/* Returns the bytes after the last newline, at the end of the stream; empty if there are none. */
struct span lines_rest(const struct lines *lines);

/* JSON-RPC 2.0: parsing a line, and writing the lines that answer it.
 *
 * Parsing is a pure function of the bytes. Ids are not interpreted, only returned byte for byte. */

enum rpc_code {
    RPC_NOT_JSON = -32700,
    RPC_BAD_REQUEST = -32600,
    RPC_NO_METHOD = -32601,
    RPC_BAD_PARAMS = -32602,
    RPC_INTERNAL = -32603,
    RPC_ABSENT = -32002, /* the protocol's code for a resource that does not exist */
};

enum rpc_kind {
    RPC_BROKEN, /* to be answered with its code and sentence */
    RPC_CALL,
    RPC_NOTICE, /* never answered */
    RPC_ANSWER, /* to a call from this side */
};

struct rpc_message {
    enum rpc_kind kind;
    struct span id; /* raw JSON; absent if there is none that can be returned */
    struct span method;
    struct json params; /* an object, or JSON_ABSENT */
    int code;           /* of RPC_BROKEN */
    struct err err;     /* of RPC_BROKEN, as a sentence */
};

/* The messages of a line. Texts are in the line and the arena. */
struct rpc_line {
    bool batch;
    struct rpc_message *items;
    size_t count; /* 0: a blank line */
};

/* Parses any bytes. A repeated key makes a message RPC_BROKEN (a notification is ignored): a reader
 * that uses the first one and a reader that uses the last one would not see the same call. */
void rpc_read(struct rpc_line *out, struct span line, struct arena *arena);

/* Append an answer or a notification without its newline. `result` is JSON; an absent id is left
 * out. */
void rpc_add_result(struct str *out, struct span id, struct span result);
void rpc_add_error(struct str *out, struct span id, int code, const char *sentence);

/* The result of a tool. Zero-initialised is empty and valid. */
struct mcp_result {
    bool failed;
    struct str object; /* the structured result, a JSON object; or empty */
    struct str words;  /* sentences, each followed by a NUL: remarks, or why it failed */
};

void mcp_result_free(struct mcp_result *result);
void mcp_result_say(struct mcp_result *result, const char *sentence);
/* Appends the object, with the remarks as a member. */
void mcp_result_add(struct str *out, const struct mcp_result *result);

struct mcp_wait; /* a call that is not answered yet */

struct mcp_host {
    void *context;
    const char *version; /* of the program */
    const char *agent;   /* the agent that the client acts as */
    bool observer, readonly;
    /* Writes one line to the client, without its newline; returns false if the client reads no
     * more. */
    bool (*put)(void *context, struct span line);
    void (*call)(void *context, const struct tool *tool, const struct arguments *arguments,
                 struct mcp_result *result);
    /* Starts a wait, which ends by mcp_wait_end(), or by the session with `drop`. Returns false
     * with a result if the wait is over at once. */
    bool (*wait)(void *context, struct mcp_wait *wait, const struct arguments *arguments,
                 struct mcp_result *result);
    void (*drop)(void *context, struct mcp_wait *wait);
    /* Appends the array of the listed resources. */
    bool (*list)(void *context, struct str *out, struct err *err);
    /* Appends the JSON of a resource; ERR_ABSENT if there is none for this client. */
    bool (*read)(void *context, struct span uri, struct str *out, struct err *err);
};

struct mcp_session;

struct mcp_session *mcp_open(const struct mcp_host *host);
/* Drops the remaining waits and frees the session. */
void mcp_close(struct mcp_session *session);

/* Processes what the client sent, and answers it. Returns false if the client reads no more. */
bool mcp_take(struct mcp_session *session, struct span bytes);
/* Processes the bytes after the last newline, at the end of the input. */
bool mcp_finish(struct mcp_session *session);

/* Answers a waiting call and frees the wait. */
void mcp_wait_end(struct mcp_session *session, struct mcp_wait *wait,
                  const struct mcp_result *result);
/* Report whether the client asked for progress of this wait, and send it a progress
 * notification. */
bool mcp_wait_is_reported(const struct mcp_wait *wait);
void mcp_wait_report(struct mcp_session *session, const struct mcp_wait *wait, double seconds,
                     double of);

/* Notifies a client that has asked for the list of resources that the list has changed. */
void mcp_report_changed(struct mcp_session *session);

#endif
