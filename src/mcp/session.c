/* The session: lines in, answers out as they are due. */
#include "base/mem.h"
#include "mcp/session_private.h"

#include <stdlib.h>

void session_put(struct mcp_session *session, const struct str *line)
{
    if (!session->closed && !session->host.put(session->host.context, str_span(line)))
        session->closed = true;
}

/* An answer goes out, or waits for the others of its batch. */
static void put_answer(struct mcp_session *session, struct group *group, const struct str *line)
{
    if (!group) {
        session_put(session, line);
        return;
    }
    str_puts(&group->answers, group->answers.len ? "," : "[");
    str_add_span(&group->answers, str_span(line));
}

void session_leave(struct mcp_session *session, struct group *group)
{
    if (!group || --group->open)
        return;
    if (group->answers.len) {
        str_putc(&group->answers, ']');
        session_put(session, &group->answers);
    }
    str_free(&group->answers);
    free(group);
}

void call_answer(const struct call *call, const struct str *result)
{
    struct str line = {0};

    rpc_add_result(&line, call->message->id, str_span(result));
    put_answer(call->session, call->group, &line);
    str_free(&line);
}

void call_refuse(const struct call *call, int code, const char *sentence)
{
    const struct revision *revision = call->session->revision;
    struct str line = {0};
    struct span id = call->message->id;

    if (!id.at && !(revision && revision->omits_id))
        id = span_of("null");
    rpc_add_error(&line, id, code, sentence);
    put_answer(call->session, call->group, &line);
    str_free(&line);
}

void mcp_tell_changed(struct mcp_session *session)
{
    struct str line = {0};

    if (session->lists) {
        rpc_add_notice(&line, "notifications/resources/list_changed", (struct span){0});
        session_put(session, &line);
    }
    str_free(&line);
}

/* What is told and not asked. Nothing in it is ever answered, whatever is wrong with it. */
static void take_notice(struct mcp_session *session, const struct rpc_message *message)
{
    struct json id = rpc_member(message->params, "requestId");

    if (!span_is(message->method, "notifications/cancelled") || id.kind == JSON_ABSENT)
        return;
    struct mcp_wait *wait = wait_find(session, id.raw);
    if (wait)
        wait_drop(session, wait);
}

static void run_method(const struct call *call)
{
    struct mcp_session *session = call->session;
    struct span name = call->message->method;
    const struct method *method = method_find(name);
    struct err err;

    if (wait_find(session, call->message->id)) {
        call_refuse(call, RPC_BAD_REQUEST, "a call with this id is still running");
    } else if (!session->revision && !(method && method->early)) {
        call_refuse(call, RPC_BAD_REQUEST, "the session is not initialized: call initialize first");
    } else if (call->group && method && method->alone) {
        call_refuse(call, RPC_BAD_REQUEST, "initialize cannot be part of a batch");
    } else if (!method) {
        err_set(&err, ERR_USAGE, "there is no method \"%.*s\"",
                (int)(name.len < 60 ? name.len : 60), name.at);
        call_refuse(call, RPC_NO_METHOD, err.text);
    } else {
        method->run(call);
    }
}

static void take_message(const struct call *call)
{
    switch (call->message->kind) {
    case RPC_BROKEN:
        call_refuse(call, call->message->code, call->message->err.text);
        break;
    case RPC_CALL:
        run_method(call);
        break;
    case RPC_NOTICE:
        take_notice(call->session, call->message);
        break;
    case RPC_ANSWER: /* nothing is ever asked from here */
        break;
    }
}

static void take_batch(struct mcp_session *session, const struct rpc_line *line)
{
    struct rpc_message nobody = {0};

    if (!session->revision || !session->revision->batches) {
        call_refuse(&(struct call){session, &nobody, NULL}, RPC_BAD_REQUEST,
                    session->revision ? "this revision of the protocol has no batches"
                                      : "the session is not initialized: call initialize first");
        return;
    }
    struct group *group = mem_zero(1, sizeof *group);
    group->open = 1;
    for (size_t i = 0; i < line->count && !session->closed; i++)
        take_message(&(struct call){session, &line->items[i], group});
    session_leave(session, group);
}

static void take_line(struct mcp_session *session, struct span text)
{
    struct arena arena = {0};
    struct rpc_line line;

    rpc_read(&line, text, &arena);
    if (line.batch)
        take_batch(session, &line);
    else if (line.count)
        take_message(&(struct call){session, line.items, NULL});
    arena_free(&arena);
}

bool mcp_take(struct mcp_session *session, struct span bytes)
{
    struct rpc_message nobody = {0};
    struct span line;

    while (!session->closed) {
        enum line_found found = lines_next(&session->lines, &bytes, &line);
        if (found == LINE_NONE)
            break;
        if (found == LINE_WHOLE)
            take_line(session, line);
        else
            call_refuse(&(struct call){session, &nobody, NULL}, RPC_BAD_REQUEST,
                        "the line is longer than 4 MiB and was passed over");
    }
    return !session->closed;
}

bool mcp_finish(struct mcp_session *session)
{
    take_line(session, lines_rest(&session->lines));
    return !session->closed;
}

struct mcp_session *mcp_open(const struct mcp_host *host)
{
    struct mcp_session *session = mem_zero(1, sizeof *session);

    session->host = *host;
    return session;
}

void mcp_close(struct mcp_session *session)
{
    session->closed = true; /* a batch that is not whole is not sent */
    while (session->waits)
        wait_drop(session, session->waits);
    lines_free(&session->lines);
    free(session);
}
