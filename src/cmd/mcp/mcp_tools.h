/* The server: the mailbox of one agent for a client of the Model Context Protocol. */
#ifndef CMD_MCP_MCP_TOOLS_H
#define CMD_MCP_MCP_TOOLS_H

#include "cmd/app_options.h"
#include "mcp/session.h"

struct waiter;

struct server {
    struct app *app;
    struct mcp_session *session;
    int out;                  /* descriptor for the protocol, in place of standard output */
    bool wrote;               /* a tool has written: the outbox may hold something */
    int64_t outbox_us;        /* when to process the outbox, by the steady clock; or TIME_NONE */
    struct message_map given; /* messages that the client was given, with the number of the call */
    uint32_t calls;           /* number of calls so far */
    size_t start_errors;      /* storage errors when the store was opened */

    struct watching watching;
    bool watches;
    struct message_map came; /* messages that arrived since watching was ready */
    bool changed;            /* the list of resources has changed */
    struct str listed;       /* the list that was returned before watching was ready */
    bool stale;              /* changes until watching was ready are still unchecked */
    struct waiter *waiters;
};

/* Captures the output of commands for the client until mcp_server_end(). */
void mcp_server_begin(struct server *server, struct capture *capture, size_t most);
/* Moves the captured sentences into the result, in the words of the tool (or NULL). The captured
 * objects stay in the capture, whose `out` the caller frees. */
void mcp_server_end(struct server *server, struct capture *capture, const struct tool *tool,
                    struct mcp_result *result);
/* Builds the object of a result from lines of JSON. */
void mcp_server_shape(struct mcp_result *result, struct span lines, enum tool_result form,
                      size_t most);

/* The functions of struct mcp_host; see mcp/session.h. The context is the server. */
void mcp_server_call(void *context, const struct tool *tool, const struct arguments *arguments,
                     struct mcp_result *result);
bool mcp_server_list(void *context, struct str *out, struct err *err);
/* Reports whether the list of resources differs from the one that was returned, and forgets that
 * one. */
bool mcp_server_has_changed(struct server *server);
bool mcp_server_read(void *context, struct span uri, struct str *out, struct err *err);
bool mcp_server_wait(void *context, struct mcp_wait *wait, const struct arguments *arguments,
                     struct mcp_result *result);
void mcp_server_drop(void *context, struct mcp_wait *wait);

/* Starts following the mailboxes, unless it has already. */
void mcp_server_follow(struct server *server);
/* Does what is due: processes changes, ends waits that have expired, works on the outbox. */
void mcp_server_work(struct server *server);
/* Returns how long nothing will be due, in milliseconds; -1: for ever. */
int mcp_server_timeout_ms(const struct server *server);

/* Reports whether the client was given the message by a call before `call`. */
bool mcp_server_has_given(const struct server *server, const struct message *message,
                          uint32_t call);

#endif
