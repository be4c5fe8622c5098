/* Tests the session, with a host that only records its calls. */
#include "mcp_support.h"
#include "tests/unit/support.h"

#include <stdio.h>

struct fixture {
    struct mcp_session *session;
    struct str out;
    struct mcp_wait *waits[32];
    int wait_count, dropped, called;
    bool deaf; /* refuses all output */
};

static bool put(void *context, struct span line)
{
    struct fixture *fixture = context;

    if (fixture->deaf)
        return false;
    cr_assert_null(memchr(line.at, '\n', line.len));
    str_add_span(&fixture->out, line);
    str_putc(&fixture->out, '\n');
    return true;
}

static void call(void *context, const struct tool *tool, const struct arguments *arguments,
                 struct mcp_result *result)
{
    struct fixture *fixture = context;

    (void)arguments;
    fixture->called++;
    str_addf(&result->object, "{\"v\":1,\"tool\":\"%s\"}", tool->name);
    mcp_result_say(result, "a remark");
}

static bool wait_here(void *context, struct mcp_wait *wait, const struct arguments *arguments,
                      struct mcp_result *result)
{
    struct fixture *fixture = context;

    (void)arguments;
    (void)result;
    fixture->waits[fixture->wait_count++] = wait;
    return true;
}

static void drop(void *context, struct mcp_wait *wait)
{
    (void)wait;
    ((struct fixture *)context)->dropped++;
}

static void open_session(struct fixture *fixture, bool readonly)
{
    struct mcp_host host = {.context = fixture,
                            .version = "1",
                            .agent = "alice",
                            .readonly = readonly,
                            .put = put,
                            .call = call,
                            .wait = wait_here,
                            .drop = drop,
                            .list = list_nothing,
                            .read = read_the_one};

    fixture->session = mcp_open(&host);
}

static void close_session(struct fixture *fixture)
{
    mcp_close(fixture->session);
    str_free(&fixture->out);
}

/* Sends a line; the answer must contain `words`, or be empty if that is NULL. */
static void expect(struct fixture *fixture, const char *line, const char *words)
{
    str_clear(&fixture->out);
    mcp_take(fixture->session, span_of(line));
    mcp_take(fixture->session, span_of("\n"));
    if (words)
        cr_assert(strstr(str_c(&fixture->out), words), "%s: %s", line, str_c(&fixture->out));
    else
        cr_assert_eq(fixture->out.len, 0, "%s: %s", line, str_c(&fixture->out));
}

static void initialize(struct fixture *fixture, const char *revision, const char *answered)
{
    char line[200], words[80];

    snprintf(line, sizeof line,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
             "\"protocolVersion\":\"%s\"}}",
             revision);
    snprintf(words, sizeof words, "\"protocolVersion\":\"%s\"", answered);
    expect(fixture, line, words);
    expect(fixture, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", NULL);
}

#define CALL(id, name, arguments)                                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" name    \
    "\",\"arguments\":" arguments "}}"
#define PING(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"ping\"}"

Test(mcp_session, the_revision_is_the_clients_or_the_newest)
{
    static const char *const known[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct fixture fixture = {0};
        open_session(&fixture, false);
        initialize(&fixture, known[i], known[i]);
        close_session(&fixture);
    }
    struct fixture fixture = {0};
    open_session(&fixture, false);
    initialize(&fixture, "1999-01-01", "2025-11-25");
    expect(&fixture,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{"
           "\"protocolVersion\":\"2025-06-18\"}}",
           "already");
    close_session(&fixture);
}

Test(mcp_session, nothing_but_ping_works_before_it_is_initialized)
{
    struct fixture fixture = {0};

    open_session(&fixture, false);
    expect(&fixture, PING("0"), "\"result\":{}");
    expect(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", "-32600");
    expect(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nothing\"}", "-32600");
    expect(&fixture, "[" PING("0") "]", "-32600");
    expect(&fixture, CALL("2", "check", "{}"), "initialize first");
    expect(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}", "-32602");
    cr_assert_eq(fixture.called, 0);
    close_session(&fixture);
}

Test(mcp_session, methods_and_tools_that_are_not_there)
{
    struct fixture fixture = {0};

    open_session(&fixture, false);
    initialize(&fixture, "2025-06-18", "2025-06-18");
    expect(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"prompts/list\"}", "-32601");
    expect(&fixture, CALL("3", "decide", "{}"), "-32602");
    expect(&fixture, CALL("4", "check", "[]"), "-32602");
    expect(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\"}", "-32602");
    expect(&fixture,
           "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\",\"params\":{\"cursor\":"
           "\"x\"}}",
           "-32602");
    expect(&fixture, "{\"jsonrpc\":\"2.0\",\"method\":\"nothing\"}", NULL);
    expect(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}", NULL);
    expect(&fixture, "", NULL);
    cr_assert_eq(fixture.called, 0);
    close_session(&fixture);
}

Test(mcp_session, a_result_is_an_object_its_text_and_remarks)
{
    struct fixture fixture = {0};

    open_session(&fixture, false);
    initialize(&fixture, "2025-06-18", "2025-06-18");
    expect(&fixture, CALL("\"q\"", "check", "{}"),
           "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
           "\"{\\\"v\\\":1,\\\"tool\\\":\\\"check\\\",\\\"remarks\\\":[\\\"a remark\\\"]}\"}],"
           "\"structuredContent\":{\"v\":1,\"tool\":\"check\",\"remarks\":[\"a remark\"]},"
           "\"isError\":false}}");
    expect(&fixture, CALL("2", "check", "{\"x\":1}"), "\"isError\":true");
    cr_assert_eq(fixture.called, 1);
    close_session(&fixture);
}

Test(mcp_session, readonly_has_no_tools_that_write)
{
    struct fixture fixture = {0};

    open_session(&fixture, true);
    initialize(&fixture, "2025-06-18", "2025-06-18");
    expect(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}", "\"check\"");
    cr_assert_null(strstr(str_c(&fixture.out), "\"send\""));
    expect(&fixture, CALL("3", "send", "{\"to\":\"b\",\"subject\":\"s\",\"body\":\"b\"}"),
           "--readonly");
    cr_assert_eq(fixture.called, 0);
    close_session(&fixture);
}

Test(mcp_session, batches_are_answered_together_in_the_revisions_that_have_them)
{
    struct fixture fixture = {0}, newer = {0};

    open_session(&fixture, false);
    initialize(&fixture, "2025-03-26", "2025-03-26");
    expect(&fixture, "[" PING("2") ",{\"jsonrpc\":\"2.0\",\"method\":\"x\"}," PING("3") ",7]",
           "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":3,"
           "\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600");
    expect(&fixture, "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]", NULL);
    expect(&fixture, "[]", "-32600");
    close_session(&fixture);
    open_session(&newer, false);
    initialize(&newer, "2025-06-18", "2025-06-18");
    expect(&newer, "[" PING("2") "]", "no batches");
    close_session(&newer);
}

Test(mcp_session, a_wait_is_answered_when_it_ends_and_others_before_it)
{
    struct fixture fixture = {0};
    struct mcp_result result = {0};

    open_session(&fixture, false);
    initialize(&fixture, "2025-06-18", "2025-06-18");
    expect(&fixture, CALL("\"w\\u0031\"", "wait", "{}"), NULL);
    expect(&fixture, PING("2"), "\"id\":2");
    expect(&fixture, PING("\"w\\u0031\""), "still running");
    str_clear(&fixture.out);
    str_puts(&result.object, "{\"v\":1}");
    mcp_wait_end(fixture.session, fixture.waits[0], &result);
    cr_assert(strstr(str_c(&fixture.out), "\"id\":\"w\\u0031\",\"result\""));
    mcp_result_free(&result);
    close_session(&fixture);
    cr_assert_eq(fixture.dropped, 0);
}

Test(mcp_session, a_wait_that_is_cancelled_is_never_answered)
{
    struct fixture fixture = {0};

    open_session(&fixture, false);
    initialize(&fixture, "2025-06-18", "2025-06-18");
    expect(&fixture, CALL("7", "wait", "{}"), NULL);
    expect(&fixture,
           "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
           "8}}",
           NULL);
    cr_assert_eq(fixture.dropped, 0);
    expect(&fixture,
           "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
           "7}}",
           NULL);
    cr_assert_eq(fixture.dropped, 1);
    expect(&fixture, PING("7"), "\"result\"");
    close_session(&fixture);
}

Test(mcp_session, a_batch_with_a_wait_goes_out_when_that_is_over)
{
    struct fixture fixture = {0};

    open_session(&fixture, false);
    initialize(&fixture, "2025-03-26", "2025-03-26");
    expect(&fixture, "[" PING("2") "," CALL("3", "wait", "{}") "]", NULL);
    expect(&fixture,
           "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
           "3}}",
           "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}]");
    expect(&fixture, "[" PING("4") "," CALL("5", "wait", "{}") "]", NULL);
    str_clear(&fixture.out);
    close_session(&fixture);
    cr_assert_eq(fixture.dropped, 2);
}

Test(mcp_session, progress_is_told_with_the_clients_own_token)
{
    struct fixture fixture = {0};

    open_session(&fixture, false);
    initialize(&fixture, "2025-06-18", "2025-06-18");
    expect(&fixture,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"wait\","
           "\"_meta\":{\"progressToken\":\"t\\u0041\"}}}",
           NULL);
    cr_assert(mcp_wait_is_reported(fixture.waits[0]));
    mcp_wait_report(fixture.session, fixture.waits[0], 5, 60);
    cr_assert(strstr(str_c(&fixture.out), "\"progressToken\":\"t\\u0041\",\"progress\":5.0"));
    close_session(&fixture);
}

Test(mcp_session, too_many_waits_are_refused)
{
    struct fixture fixture = {0};
    char line[200];

    open_session(&fixture, false);
    initialize(&fixture, "2025-06-18", "2025-06-18");
    for (int i = 0; i < 17; i++) {
        snprintf(line, sizeof line,
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"wait\"}}",
                 10 + i);
        expect(&fixture, line, i < 16 ? NULL : "too many waits");
    }
    close_session(&fixture);
    cr_assert_eq(fixture.dropped, 16);
}

Test(mcp_session, resources_that_are_not_there_are_not_found)
{
    struct fixture fixture = {0};

    open_session(&fixture, false);
    initialize(&fixture, "2025-06-18", "2025-06-18");
    mcp_report_changed(fixture.session);
    expect(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/list\"}",
           "{\"resources\":[]}");
    str_clear(&fixture.out);
    mcp_report_changed(fixture.session);
    cr_assert(strstr(str_c(&fixture.out), "notifications/resources/list_changed"));
    expect(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/templates/list\"}",
           "swarmutt://thread/{id}");
    expect(&fixture,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":"
           "\"swarmutt://message/1\"}}",
           "\"text\":\"{\\\"v\\\":1}\"");
    expect(&fixture,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":"
           "\"swarmutt://message/2\"}}",
           "-32002");
    expect(&fixture, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/read\"}", "-32602");
    close_session(&fixture);
}

Test(mcp_session, ends_when_nobody_reads)
{
    struct fixture fixture = {.deaf = true};

    open_session(&fixture, false);
    cr_assert_not(mcp_take(fixture.session, span_of(PING("1") "\n" PING("2") "\n")));
    close_session(&fixture);
}

Test(mcp_session, a_last_line_without_its_newline_counts)
{
    struct fixture fixture = {0};

    open_session(&fixture, false);
    cr_assert(mcp_take(fixture.session, span_of(PING("1"))));
    cr_assert_eq(fixture.out.len, 0);
    cr_assert(mcp_finish(fixture.session));
    cr_assert(strstr(str_c(&fixture.out), "\"id\":1"));
    close_session(&fixture);
}

/* Any input gives output of one JSON value a line. */
Test(mcp_session, any_bytes_are_answered_with_json_or_not_at_all)
{
    static const char seed[] = "[" PING("1") "," CALL("2", "send", "{\"to\":\"b\"}") "]\n" CALL(
        "3", "wait", "{\"query\":\"x\"}") "\n";
    struct fixture fixture = {0};
    char bytes[sizeof seed];
    unsigned random = 1;

    open_session(&fixture, false);
    initialize(&fixture, "2025-03-26", "2025-03-26");
    for (int round = 0; round < 3000 && fixture.wait_count < 30; round++) {
        memcpy(bytes, seed, sizeof seed);
        for (int i = 0; i < 3; i++) {
            random = random * 1103515245 + 12345;
            bytes[(random >> 8) % (sizeof seed - 1)] = (char)(random >> 20);
        }
        mcp_take(fixture.session, (struct span){bytes, sizeof seed - 1});
    }
    struct span rest = str_span(&fixture.out);
    while (rest.len) {
        struct json value;
        struct err err;
        size_t len = (size_t)((const char *)memchr(rest.at, '\n', rest.len) - rest.at);
        cr_assert(json_scan((struct span){rest.at, len}, JSON_STRICT, &value, &err), "%s",
                  err.text);
        rest = (struct span){rest.at + len + 1, rest.len - len - 1};
    }
    close_session(&fixture);
}
