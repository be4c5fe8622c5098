/* What the parts of a session share. */
#ifndef MCP_SESSION_PRIVATE_H
#define MCP_SESSION_PRIVATE_H

#include "mcp/session.h"

struct revision {
    const char *name;
    bool batches;
    bool omits_id; /* an error of which no id is known has none; elsewhere it is null */
};

/* The answers to one batch, which go out together. */
struct group {
    struct str answers;
    size_t open; /* calls that are not answered, and one while it is read */
};

struct mcp_wait {
    struct mcp_wait *next;
    char *id;    /* raw */
    char *token; /* raw; or NULL: the client does not want to hear of it */
    struct group *group;
};

struct mcp_session {
    struct mcp_host host;
    struct lines lines;
    const struct revision *revision; /* NULL: not initialized */
    bool lists;                      /* the client has asked for the list of resources */
    bool closed;                     /* nobody reads what is written */
    struct mcp_wait *waits;
    size_t wait_count;
};

/* One call on its way to its answer. */
struct call {
    struct mcp_session *session;
    const struct rpc_message *message;
    struct group *group; /* NULL: it came alone */
};

/* Writes a line; nothing once nobody reads any more. */
void session_put(struct mcp_session *session, const struct str *line);
/* To be called once for each call of a batch that is over; the last one sends the answers. */
void session_leave(struct mcp_session *session, struct group *group);

void call_answer(const struct call *call, const struct str *result);
void call_answer_with(const struct call *call, const struct mcp_result *result);
void call_refuse(const struct call *call, int code, const char *sentence);
/* Starts a wait; the call is answered later, or at once with the result. */
void call_wait(const struct call *call, const struct arguments *arguments,
               struct mcp_result *result);

/* The one that was asked for by that raw id, or NULL. */
struct mcp_wait *wait_find(const struct mcp_session *session, struct span id);
/* Ends it without an answer. */
void wait_drop(struct mcp_session *session, struct mcp_wait *wait);

struct method {
    const char *name;
    void (*run)(const struct call *call);
    bool early; /* also before the session is initialized */
    bool alone; /* not in a batch */
};

/* NULL when none is called that. */
const struct method *method_find(struct span name);

#endif
