/* A session of the Model Context Protocol: bytes from a client in, lines for it out.
 *
 * It implements the protocol and the tools and knows nothing of mailboxes: a host does the work.
 * Nothing in here waits, so that a test or a fuzzer can drive it with bytes alone. */
#ifndef MCP_SESSION_H
#define MCP_SESSION_H

#include "mcp/rpc.h"
#include "mcp/tools.h"

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
bool mcp_wait_is_told(const struct mcp_wait *wait);
void mcp_wait_tell(struct mcp_session *session, const struct mcp_wait *wait, double seconds,
                   double of);

/* Notifies a client that has asked for the list of resources that the list has changed. */
void mcp_tell_changed(struct mcp_session *session);

#endif
