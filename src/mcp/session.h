/* A session of the Model Context Protocol: bytes of a client in, lines for it out.
 *
 * It knows the protocol and the tools, and nothing of mailboxes: a host does the work. Nothing in
 * here waits, so that a test or a fuzzer can drive it with bytes alone. */
#ifndef MCP_SESSION_H
#define MCP_SESSION_H

#include "mcp/rpc.h"
#include "mcp/tools.h"

/* What a tool gives back. Zero-initialised is empty and valid. */
struct mcp_result {
    bool failed;
    struct str object; /* the structured result, a JSON object; or empty */
    struct str words;  /* sentences, each with a NUL behind it: remarks, or why it failed */
};

void mcp_result_free(struct mcp_result *result);
void mcp_result_say(struct mcp_result *result, const char *sentence);
/* Appends the object with the remarks in it. */
void mcp_result_add(struct str *out, const struct mcp_result *result);

struct mcp_wait; /* a call that is not answered yet */

struct mcp_host {
    void *context;
    const char *version; /* of the program */
    const char *agent;   /* who the client is */
    bool observer, readonly;
    /* Writes one line for the client, without its newline; false: nobody reads it any more. */
    bool (*put)(void *context, struct span line);
    void (*call)(void *context, const struct tool *tool, const struct arguments *arguments,
                 struct mcp_result *result);
    /* Starts to wait; ended by mcp_wait_end(), or by the session with `drop`. False with a result:
     * it is over at once. */
    bool (*wait)(void *context, struct mcp_wait *wait, const struct arguments *arguments,
                 struct mcp_result *result);
    void (*drop)(void *context, struct mcp_wait *wait);
    /* Appends the array of the resources that are listed. */
    bool (*list)(void *context, struct str *out, struct err *err);
    /* Appends the JSON of one; ERR_ABSENT when there is none for this client. */
    bool (*read)(void *context, struct span uri, struct str *out, struct err *err);
};

struct mcp_session;

struct mcp_session *mcp_open(const struct mcp_host *host);
/* Waits that are left are dropped. */
void mcp_close(struct mcp_session *session);

/* Takes what the client has sent, and answers it. False when nobody reads the answers. */
bool mcp_take(struct mcp_session *session, struct span bytes);
/* No more comes: what stands behind the last newline is taken too. */
bool mcp_finish(struct mcp_session *session);

/* Answers a call that was waiting; the wait is gone then. */
void mcp_wait_end(struct mcp_session *session, struct mcp_wait *wait,
                  const struct mcp_result *result);
/* Whether its client wants to hear how far it is, and telling it so. */
bool mcp_wait_is_told(const struct mcp_wait *wait);
void mcp_wait_tell(struct mcp_session *session, const struct mcp_wait *wait, double seconds,
                   double of);

/* Tells a client that knows the list of resources that it has changed. */
void mcp_tell_changed(struct mcp_session *session);

#endif
