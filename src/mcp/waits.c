/* Waits: calls whose answer comes later. */
#include "base/mem.h"
#include "mcp/session_private.h"

#include <stdlib.h>

enum { WAITS_MAX = 16 };

static char *copy_raw(struct span text)
{
    char *copy = mem_alloc(text.len + 1);

    memcpy(copy, text.at, text.len);
    copy[text.len] = '\0';
    return copy;
}

struct mcp_wait *wait_find(const struct mcp_session *session, struct span id)
{
    struct mcp_wait *wait = session->waits;

    while (wait && !rpc_same_id(id, span_of(wait->id)))
        wait = wait->next;
    return wait;
}

static void forget_wait(struct mcp_session *session, struct mcp_wait *wait)
{
    struct mcp_wait **at = &session->waits;

    while (*at != wait)
        at = &(*at)->next;
    *at = wait->next;
    session->wait_count--;
    session_leave(session, wait->group);
    free(wait->id);
    free(wait->token);
    free(wait);
}

void call_wait(const struct call *call, const struct arguments *arguments,
               struct mcp_result *result)
{
    struct mcp_session *session = call->session;
    struct json token = rpc_member(rpc_member(call->message->params, "_meta"), "progressToken");
    bool told = token.kind == JSON_STRING || token.kind == JSON_NUMBER;

    if (session->wait_count == WAITS_MAX) {
        result->failed = true;
        mcp_result_say(result, "too many waits are running; end one first");
        call_answer_with(call, result);
        return;
    }
    struct mcp_wait *wait = mem_zero(1, sizeof *wait);
    *wait = (struct mcp_wait){.next = session->waits,
                              .id = copy_raw(call->message->id),
                              .token = told ? copy_raw(token.raw) : NULL,
                              .group = call->group};
    session->waits = wait;
    session->wait_count++;
    if (call->group)
        call->group->open++;
    if (session->host.wait(session->host.context, wait, arguments, result))
        return;
    call_answer_with(call, result);
    forget_wait(session, wait);
}

void wait_drop(struct mcp_session *session, struct mcp_wait *wait)
{
    session->host.drop(session->host.context, wait);
    forget_wait(session, wait);
}

void mcp_wait_end(struct mcp_session *session, struct mcp_wait *wait,
                  const struct mcp_result *result)
{
    struct rpc_message message = {.id = span_of(wait->id)};
    struct call call = {session, &message, wait->group};

    call_answer_with(&call, result);
    forget_wait(session, wait);
}

bool mcp_wait_is_told(const struct mcp_wait *wait)
{
    return wait->token != NULL;
}

void mcp_wait_tell(struct mcp_session *session, const struct mcp_wait *wait, double seconds,
                   double of)
{
    struct str params = {0}, line = {0};

    str_addf(&params,
             "{\"progressToken\":%s,\"progress\":%.1f,\"total\":%.1f,"
             "\"message\":\"waiting for mail\"}",
             wait->token, seconds, of);
    rpc_add_notice(&line, "notifications/progress", str_span(&params));
    session_put(session, &line);
    str_free(&params);
    str_free(&line);
}
