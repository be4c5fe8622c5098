/* Tests reading JSON-RPC: calls, broken lines, and the id of the answer. */
#include "mcp/session.h"
#include "tests/unit/support.h"

static struct rpc_message *read_line(struct arena *arena, const char *text)
{
    struct rpc_line line;

    rpc_read(&line, span_of(text), arena);
    cr_assert_eq(line.count, 1, "%s", text);
    cr_assert_not(line.batch);
    return line.items;
}

static void expect_broken(const char *text, int code, const char *id, const char *words)
{
    struct arena arena = {0};
    struct rpc_message *message = read_line(&arena, text);

    cr_assert_eq(message->kind, RPC_BROKEN, "%s", text);
    cr_assert_eq(message->code, code, "%s: %d", text, message->code);
    cr_assert_eq(!message->id.at, !id, "%s", text);
    if (id)
        assert_span(message->id, id);
    cr_assert(strstr(message->err.text, words), "%s: %s", text, message->err.text);
    arena_free(&arena);
}

static void expect_kind(const char *text, enum rpc_kind kind)
{
    struct arena arena = {0};

    cr_assert_eq(read_line(&arena, text)->kind, kind, "%s", text);
    arena_free(&arena);
}

Test(mcp_rpc, a_call_has_method_params_and_its_id_to_the_byte)
{
    struct arena arena = {0};
    struct rpc_message *message = read_line(
        &arena, " {\"params\":{\"a\":1},\"id\": \"\\u0041\\/\", \"method\":\"p\\u0069ng\","
                "\"jsonrpc\":\"2.0\",\"more\":[]}\r");

    cr_assert_eq(message->kind, RPC_CALL);
    assert_span(message->id, "\"\\u0041\\/\"");
    assert_span(message->method, "ping");
    assert_span(message->params.raw, "{\"a\":1}");
    arena_free(&arena);
}

Test(mcp_rpc, numbers_of_any_size_are_ids)
{
    struct arena arena = {0};

    assert_span(read_line(&arena, "{\"jsonrpc\":\"2.0\",\"id\":-0,\"method\":\"x\"}")->id, "-0");
    assert_span(read_line(&arena, "{\"jsonrpc\":\"2.0\",\"id\":1e999,\"method\":\"x\"}")->id,
                "1e999");
    arena_free(&arena);
}

Test(mcp_rpc, what_has_no_id_is_told_and_what_has_no_method_answers)
{
    expect_kind("{\"jsonrpc\":\"2.0\",\"method\":\"x\"}", RPC_NOTICE);
    expect_kind("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":[1]}", RPC_NOTICE);
    expect_kind("{\"jsonrpc\":\"2.0\",\"method\":\"x\",\"params\":{\"a\":1,\"a\":2}}", RPC_NOTICE);
    expect_kind("{\"jsonrpc\":\"2.0\",\"id\":1,\"result\":{}}", RPC_ANSWER);
    expect_kind("{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{}}", RPC_ANSWER);
    /* an answer to a line that the client could not read: answering it could go on for ever */
    expect_kind("{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{}}", RPC_ANSWER);
    expect_kind("{\"jsonrpc\":\"2.0\",\"error\":{}}", RPC_ANSWER);
}

Test(mcp_rpc, what_is_no_json_is_told_so)
{
    expect_broken("{", RPC_NOT_JSON, NULL, "column");
    expect_broken("nonsense", RPC_NOT_JSON, NULL, "");
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", RPC_NOT_JSON, NULL,
                  "UTF-8");
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":NaN,\"method\":\"x\"}", RPC_NOT_JSON, NULL, "");
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"} {}", RPC_NOT_JSON, NULL, "");
}

Test(mcp_rpc, what_is_no_request_is_told_so_with_the_id_it_has)
{
    expect_broken("1", RPC_BAD_REQUEST, NULL, "object");
    expect_broken("[]", RPC_BAD_REQUEST, NULL, "empty");
    expect_broken("{}", RPC_BAD_REQUEST, NULL, "jsonrpc");
    expect_broken("{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"x\"}", RPC_BAD_REQUEST, "3", "2.0");
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":3}", RPC_BAD_REQUEST, "3", "method");
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":4}", RPC_BAD_REQUEST, "3", "method");
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":null,\"method\":\"x\"}", RPC_BAD_REQUEST, NULL,
                  "id");
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":[1],\"method\":\"x\"}", RPC_BAD_REQUEST, NULL, "id");
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x\",\"params\":[]}", RPC_BAD_PARAMS,
                  "3", "params");
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x\",\"params\":null}", RPC_BAD_PARAMS,
                  "3", "params");
}

Test(mcp_rpc, a_key_that_stands_twice_breaks_it_wherever_it_is)
{
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x\",\"method\":\"y\"}",
                  RPC_BAD_REQUEST, "3", "\"method\" stands twice");
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":3,\"id\":4,\"method\":\"x\"}", RPC_BAD_REQUEST, NULL,
                  "\"id\" stands twice");
    expect_broken("{\"jsonrpc\":\"2.0\",\"id\":3,\"method\":\"x\",\"params\":{\"a\":{\"b\":1,"
                  "\"\\u0062\":2}}}",
                  RPC_BAD_REQUEST, "3", "\"b\" stands twice");
}

Test(mcp_rpc, deep_nesting_is_refused_and_not_followed)
{
    struct str text = {0};

    str_puts(&text, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\",\"params\":{\"a\":");
    str_pad(&text, '[', 100000);
    str_pad(&text, ']', 100000);
    str_puts(&text, "}}");
    expect_broken(str_c(&text), RPC_NOT_JSON, NULL, "");
    str_free(&text);
}

Test(mcp_rpc, a_batch_is_read_one_by_one)
{
    struct arena arena = {0};
    struct rpc_line line;

    rpc_read(&line,
             span_of("[{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"x\"},[],"
                     "{\"jsonrpc\":\"2.0\",\"method\":\"y\"}]"),
             &arena);
    cr_assert(line.batch);
    cr_assert_eq(line.count, 3);
    cr_assert_eq(line.items[0].kind, RPC_CALL);
    cr_assert_eq(line.items[1].kind, RPC_BROKEN);
    cr_assert_eq(line.items[2].kind, RPC_NOTICE);
    rpc_read(&line, span_of(" \t\r"), &arena);
    cr_assert_eq(line.count, 0);
    arena_free(&arena);
}

Test(mcp_rpc, answers_have_the_id_or_none)
{
    struct str out = {0};

    rpc_add_result(&out, span_of("\"\\u0041\""), span_of("{}"));
    assert_span(str_span(&out), "{\"jsonrpc\":\"2.0\",\"id\":\"\\u0041\",\"result\":{}}");
    str_clear(&out);
    rpc_add_error(&out, (struct span){0}, RPC_NOT_JSON, "a\n\"b\"\x1b");
    assert_span(str_span(&out), "{\"jsonrpc\":\"2.0\",\"error\":{\"code\":-32700,"
                                "\"message\":\"a\\n\\\"b\\\"\\u001b\"}}");
    str_free(&out);
}
