/* mcp: serves the mailbox of one agent to a client of the Model Context Protocol. */
#include "base/io_error.h"
#include "base/version.h"
#include "cmd/mcp/mcp_tools.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

static const struct option_spec options[] = {
    {.name = "observer", .help = "it may read the mail of all agents, too"},
    {0},
};

/* Like file_write_all(), but waits if the descriptor is non-blocking, so that a slow reader gets
 * every line whole. */
static bool write_all(int fd, struct span bytes)
{
    while (bytes.len) {
        ssize_t done = write(fd, bytes.at, bytes.len);
        if (done < 0 && errno == EAGAIN)
            poll(&(struct pollfd){.fd = fd, .events = POLLOUT}, 1, -1);
        else if (done < 0 && errno != EINTR)
            return false;
        if (done < 0)
            continue;
        bytes.at += done;
        bytes.len -= (size_t)done;
    }
    return true;
}

static bool put_line(void *context, struct span line)
{
    const struct server *server = context;
    CLEANUP(str_free) struct str whole = {0};

    str_add_span(&whole, line);
    str_putc(&whole, '\n');
    return write_all(server->out, str_span(&whole));
}

/* Reads and processes input of the client. Returns false at its end and on failure. */
static bool take_input(struct server *server)
{
    char bytes[65536];
    ssize_t got = read(STDIN_FILENO, bytes, sizeof bytes);

    if (got < 0)
        return errno == EINTR || errno == EAGAIN;
    if (!got) {
        mcp_finish(server->session);
        return false;
    }
    return mcp_take(server->session, (struct span){bytes, (size_t)got});
}

static void serve_client(struct server *server)
{
    struct pollfd fds[] = {{.fd = STDIN_FILENO, .events = POLLIN},
                           {.fd = store_fd(server->app->store), .events = POLLIN},
                           {.fd = server->out}};

    for (;;) {
        int ready = poll(fds, 3, mcp_server_timeout_ms(server));
        if (ready < 0 && errno != EINTR)
            return;
        if (ready > 0 && fds[2].revents) /* the client has closed its end */
            return;
        if (ready > 0 && fds[0].revents && !take_input(server))
            return;
        mcp_server_work(server);
    }
}

/* Moves the protocol to a descriptor of its own: anything printed to standard output would corrupt
 * it and goes to standard error instead. */
static bool take_output(struct server *server, struct err *err)
{
    server->out = fcntl(STDOUT_FILENO, F_DUPFD_CLOEXEC, 3);
    if (server->out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0)
        return err_set(err, ERR_SOURCE, "standard output cannot be had: %s", strerror(errno));
    return true;
}

/* Refuses a name that two agents have: it is not an identity. */
static bool check_agent(const struct app *app, const char *agent, struct err *err)
{
    CLEANUP(arena_free) struct arena arena = {0};
    struct address address;

    for (uint32_t i = 0; i < store_source_count(app->store); i++)
        if (source_has_name(store_source(app->store, i)) &&
            !store_address(app->store, i, span_of(agent), &address, &arena, err))
            return false;
    return store_be_one(app->store, err);
}

static int run_mcp(struct app *app)
{
    struct server server = {.app = app, .out = -1, .outbox_us = TIME_NONE};
    const char *agent = app_value(app, "as");
    struct mcp_host host = {.context = &server,
                            .version = version_text,
                            .agent = agent,
                            .observer = app_has(app, "observer"),
                            .readonly = app_has(app, "readonly"),
                            .put = put_line,
                            .call = mcp_server_call,
                            .wait = mcp_server_wait,
                            .drop = mcp_server_drop,
                            .list = mcp_server_list,
                            .read = mcp_server_read};
    struct err err;

    if (!agent || !*agent)
        return app_misused(app, "mcp needs --as AGENT: whose mailbox it is");
    if (!check_agent(app, agent, &err) || !take_output(&server, &err))
        return app_fail(app, &err);
    signal(SIGPIPE, SIG_IGN);
    server.start_errors = io_error_count(IO_ERROR_OTHER);
    app->own_only = !host.observer;
    if (app->own_only)
        store_own_only(app->store);
    server.session = mcp_open(&host);
    serve_client(&server);
    mcp_close(server.session);
    if (server.watches)
        watching_stop(&server.watching);
    message_map_free(&server.given);
    message_map_free(&server.came);
    str_free(&server.listed);
    close(server.out);
    return EXIT_DONE;
}

const struct command command_mcp = {.name = "mcp",
                                    .operands = "--as AGENT",
                                    .summary =
                                        "serve one agent's mailbox over the Model Context Protocol",
                                    .options = options,
                                    .run = run_mcp};
