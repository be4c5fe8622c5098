/* Serving: the mailbox of one agent for a client of the Model Context Protocol. */
#ifndef CMD_MCP_MCP_TOOLS_H
#define CMD_MCP_MCP_TOOLS_H

#include "cmd/app_options.h"
#include "mcp/session.h"

struct waiter;

struct server {
    struct app *app;
    struct mcp_session *session;
    int out;           /* where the protocol goes; standard output is not for it */
    bool wrote;        /* something may be on its way */
    int64_t outbox_us; /* when to look after what was sent, by the steady clock; or TIME_NONE */
    struct message_map given; /* what the client has, with the number of the call */
    uint32_t calls;           /* how many there were */
    size_t start_errors;      /* storage errors when the store was opened */

    struct watching watching;
    bool watches;
    struct message_map came; /* since then */
    bool changed;            /* the list of resources did */
    struct str listed;       /* that list as it was given before watching was ready */
    bool stale;              /* what came between the two has not been looked for yet */
    struct waiter *waiters;
};

/* A command that is run for the client: its options and operands. The caller frees the options. */
struct errand {
    const char *command;
    const struct tool *tool; /* that it is run for; NULL: none */
    struct given *given;
    size_t given_count, given_cap;
    const char *operands[2];
    int operand_count;
    size_t most; /* messages that the client gets of what it finds */
};

/* From now until mcp_server_end() what commands say is kept for the client. */
void mcp_server_begin(struct server *server, struct capture *capture, size_t most);
/* Moves what was said into the result, in the words of the tool (or NULL); the objects that were
 * given out are in the capture until it is freed by the caller. */
void mcp_server_end(struct server *server, struct capture *capture, const struct tool *tool,
                    struct mcp_result *result);
/* Makes the object of a result from lines of JSON. */
void mcp_server_shape(struct mcp_result *result, struct span lines, enum tool_result form,
                      size_t most);

/* What the host of a session is asked for; see mcp/session.h. The context is the server. */
void mcp_server_call(void *context, const struct tool *tool, const struct arguments *arguments,
                     struct mcp_result *result);
bool mcp_server_list(void *context, struct str *out, struct err *err);
/* Whether the list of resources is another one than the one that was given out. */
bool mcp_server_has_changed(struct server *server);
bool mcp_server_read(void *context, struct span uri, struct str *out, struct err *err);
bool mcp_server_wait(void *context, struct mcp_wait *wait, const struct arguments *arguments,
                     struct mcp_result *result);
void mcp_server_drop(void *context, struct mcp_wait *wait);

/* Follows the mailboxes from now on, if that has not begun. */
void mcp_server_follow(struct server *server);
/* Does what is due by now: news, waits whose time is up. */
void mcp_server_work(struct server *server);
/* How long nothing is due; -1: for ever. */
int mcp_server_timeout_ms(const struct server *server);

/* Whether the client has a message from an earlier call than that one. */
bool mcp_server_has_given(const struct server *server, const struct message *message,
                          uint32_t call);

#endif
