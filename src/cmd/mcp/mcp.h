/* The server: the mailbox of one agent for a client of the Model Context Protocol. */
#ifndef CMD_MCP_MCP_H
#define CMD_MCP_MCP_H

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

/* The functions of struct mcp_host; see mcp/session.h. The context is the server. */
/* Reports whether the list of resources differs from the one that was returned, and forgets that
 * one. */

#endif
