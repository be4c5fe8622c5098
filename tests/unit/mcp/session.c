/* Tests the session, with a host that only records its calls. */
#include "mcp_support.h"
#include "tests/unit/support.h"

#include <stdio.h>

struct drafts_cache {
    struct mcp_session *session;
    struct str out;
    struct mcp_wait *waits[32];
    int wait_count, dropped, called;
    bool deaf; /* refuses all output */
};

static bool put(void *context, struct span line)
{
    struct drafts_cache *desk = context;

    if (desk->deaf)
        return false;
    cr_assert_null(memchr(line.at, '\n', line.len));
    str_add_span(&desk->out, line);
    str_putc(&desk->out, '\n');
    return true;
}

static void call(void *context, const struct tool *tool, const struct arguments *arguments,
                 struct mcp_result *result)
{
    struct drafts_cache *desk = context;

    (void)arguments;
    desk->called++;
    str_addf(&result->object, "{\"v\":1,\"tool\":\"%s\"}", tool->name);
    mcp_result_say(result, "a remark");
}

static bool wait_here(void *context, struct mcp_wait *wait, const struct arguments *arguments,
                      struct mcp_result *result)
{
    struct drafts_cache *desk = context;

    (void)arguments;
    (void)result;
    desk->waits[desk->wait_count++] = wait;
    return true;
}

static void drop(void *context, struct mcp_wait *wait)
{
    (void)wait;
    ((struct drafts_cache *)context)->dropped++;
}

static void open_desk(struct drafts_cache *desk, bool readonly)
{
    struct mcp_host host = {.context = desk,
                            .version = "1",
                            .agent = "alice",
                            .readonly = readonly,
                            .put = put,
                            .call = call,
                            .wait = wait_here,
                            .drop = drop,
                            .list = list_nothing,
                            .read = read_the_one};

    desk->session = mcp_open(&host);
}

static void close_desk(struct drafts_cache *desk)
{
    mcp_close(desk->session);
    str_free(&desk->out);
}

/* Sends a line; the answer must contain `words`, or be empty if that is NULL. */
static void expect(struct drafts_cache *desk, const char *line, const char *words)
{
    str_clear(&desk->out);
    mcp_take(desk->session, span_of(line));
    mcp_take(desk->session, span_of("\n"));
    if (words)
        cr_assert(strstr(str_c(&desk->out), words), "%s: %s", line, str_c(&desk->out));
    else
        cr_assert_eq(desk->out.len, 0, "%s: %s", line, str_c(&desk->out));
}

static void initialize(struct drafts_cache *desk, const char *revision, const char *answered)
{
    char line[200], words[80];

    snprintf(line, sizeof line,
             "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\",\"params\":{"
             "\"protocolVersion\":\"%s\"}}",
             revision);
    snprintf(words, sizeof words, "\"protocolVersion\":\"%s\"", answered);
    expect(desk, line, words);
    expect(desk, "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}", NULL);
}

#define CALL(id, name, arguments)                                                                  \
    "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\",\"params\":{\"name\":\"" name    \
    "\",\"arguments\":" arguments "}}"
#define PING(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"ping\"}"

Test(mcp_session, the_revision_is_the_clients_or_the_newest)
{
    static const char *const known[] = {"2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"};

    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct drafts_cache desk = {0};
        open_desk(&desk, false);
        initialize(&desk, known[i], known[i]);
        close_desk(&desk);
    }
    struct drafts_cache desk = {0};
    open_desk(&desk, false);
    initialize(&desk, "1999-01-01", "2025-11-25");
    expect(&desk,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"initialize\",\"params\":{"
           "\"protocolVersion\":\"2025-06-18\"}}",
           "already");
    close_desk(&desk);
}

Test(mcp_session, nothing_but_ping_works_before_it_is_initialized)
{
    struct drafts_cache desk = {0};

    open_desk(&desk, false);
    expect(&desk, PING("0"), "\"result\":{}");
    expect(&desk, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}", "-32600");
    expect(&desk, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"nothing\"}", "-32600");
    expect(&desk, "[" PING("0") "]", "-32600");
    expect(&desk, CALL("2", "check", "{}"), "initialize first");
    expect(&desk, "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}", "-32602");
    cr_assert_eq(desk.called, 0);
    close_desk(&desk);
}

Test(mcp_session, methods_and_tools_that_are_not_there)
{
    struct drafts_cache desk = {0};

    open_desk(&desk, false);
    initialize(&desk, "2025-06-18", "2025-06-18");
    expect(&desk, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"prompts/list\"}", "-32601");
    expect(&desk, CALL("3", "decide", "{}"), "-32602");
    expect(&desk, CALL("4", "check", "[]"), "-32602");
    expect(&desk, "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/call\"}", "-32602");
    expect(&desk,
           "{\"jsonrpc\":\"2.0\",\"id\":5,\"method\":\"tools/list\",\"params\":{\"cursor\":"
           "\"x\"}}",
           "-32602");
    expect(&desk, "{\"jsonrpc\":\"2.0\",\"method\":\"nothing\"}", NULL);
    expect(&desk, "{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}", NULL);
    expect(&desk, "", NULL);
    cr_assert_eq(desk.called, 0);
    close_desk(&desk);
}

Test(mcp_session, a_result_is_an_object_its_text_and_remarks)
{
    struct drafts_cache desk = {0};

    open_desk(&desk, false);
    initialize(&desk, "2025-06-18", "2025-06-18");
    expect(&desk, CALL("\"q\"", "check", "{}"),
           "{\"jsonrpc\":\"2.0\",\"id\":\"q\",\"result\":{\"content\":[{\"type\":\"text\",\"text\":"
           "\"{\\\"v\\\":1,\\\"tool\\\":\\\"check\\\",\\\"remarks\\\":[\\\"a remark\\\"]}\"}],"
           "\"structuredContent\":{\"v\":1,\"tool\":\"check\",\"remarks\":[\"a remark\"]},"
           "\"isError\":false}}");
    expect(&desk, CALL("2", "check", "{\"x\":1}"), "\"isError\":true");
    cr_assert_eq(desk.called, 1);
    close_desk(&desk);
}

Test(mcp_session, readonly_has_no_tools_that_write)
{
    struct drafts_cache desk = {0};

    open_desk(&desk, true);
    initialize(&desk, "2025-06-18", "2025-06-18");
    expect(&desk, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/list\"}", "\"check\"");
    cr_assert_null(strstr(str_c(&desk.out), "\"send\""));
    expect(&desk, CALL("3", "send", "{\"to\":\"b\",\"subject\":\"s\",\"body\":\"b\"}"),
           "--readonly");
    cr_assert_eq(desk.called, 0);
    close_desk(&desk);
}

Test(mcp_session, batches_are_answered_together_in_the_revisions_that_have_them)
{
    struct drafts_cache desk = {0}, newer = {0};

    open_desk(&desk, false);
    initialize(&desk, "2025-03-26", "2025-03-26");
    expect(&desk, "[" PING("2") ",{\"jsonrpc\":\"2.0\",\"method\":\"x\"}," PING("3") ",7]",
           "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":3,"
           "\"result\":{}},{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":{\"code\":-32600");
    expect(&desk, "[{\"jsonrpc\":\"2.0\",\"method\":\"x\"}]", NULL);
    expect(&desk, "[]", "-32600");
    close_desk(&desk);
    open_desk(&newer, false);
    initialize(&newer, "2025-06-18", "2025-06-18");
    expect(&newer, "[" PING("2") "]", "no batches");
    close_desk(&newer);
}

Test(mcp_session, a_wait_is_answered_when_it_ends_and_others_before_it)
{
    struct drafts_cache desk = {0};
    struct mcp_result result = {0};

    open_desk(&desk, false);
    initialize(&desk, "2025-06-18", "2025-06-18");
    expect(&desk, CALL("\"w\\u0031\"", "wait", "{}"), NULL);
    expect(&desk, PING("2"), "\"id\":2");
    expect(&desk, PING("\"w\\u0031\""), "still running");
    str_clear(&desk.out);
    str_puts(&result.object, "{\"v\":1}");
    mcp_wait_end(desk.session, desk.waits[0], &result);
    cr_assert(strstr(str_c(&desk.out), "\"id\":\"w\\u0031\",\"result\""));
    mcp_result_free(&result);
    close_desk(&desk);
    cr_assert_eq(desk.dropped, 0);
}

Test(mcp_session, a_wait_that_is_cancelled_is_never_answered)
{
    struct drafts_cache desk = {0};

    open_desk(&desk, false);
    initialize(&desk, "2025-06-18", "2025-06-18");
    expect(&desk, CALL("7", "wait", "{}"), NULL);
    expect(&desk,
           "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
           "8}}",
           NULL);
    cr_assert_eq(desk.dropped, 0);
    expect(&desk,
           "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
           "7}}",
           NULL);
    cr_assert_eq(desk.dropped, 1);
    expect(&desk, PING("7"), "\"result\"");
    close_desk(&desk);
}

Test(mcp_session, a_batch_with_a_wait_goes_out_when_that_is_over)
{
    struct drafts_cache desk = {0};

    open_desk(&desk, false);
    initialize(&desk, "2025-03-26", "2025-03-26");
    expect(&desk, "[" PING("2") "," CALL("3", "wait", "{}") "]", NULL);
    expect(&desk,
           "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":"
           "3}}",
           "[{\"jsonrpc\":\"2.0\",\"id\":2,\"result\":{}}]");
    expect(&desk, "[" PING("4") "," CALL("5", "wait", "{}") "]", NULL);
    str_clear(&desk.out);
    close_desk(&desk);
    cr_assert_eq(desk.dropped, 2);
}

Test(mcp_session, progress_is_told_with_the_clients_own_token)
{
    struct drafts_cache desk = {0};

    open_desk(&desk, false);
    initialize(&desk, "2025-06-18", "2025-06-18");
    expect(&desk,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"tools/call\",\"params\":{\"name\":\"wait\","
           "\"_meta\":{\"progressToken\":\"t\\u0041\"}}}",
           NULL);
    cr_assert(mcp_wait_is_reported(desk.waits[0]));
    mcp_wait_report(desk.session, desk.waits[0], 5, 60);
    cr_assert(strstr(str_c(&desk.out), "\"progressToken\":\"t\\u0041\",\"progress\":5.0"));
    close_desk(&desk);
}

Test(mcp_session, too_many_waits_are_refused)
{
    struct drafts_cache desk = {0};
    char line[200];

    open_desk(&desk, false);
    initialize(&desk, "2025-06-18", "2025-06-18");
    for (int i = 0; i < 17; i++) {
        snprintf(line, sizeof line,
                 "{\"jsonrpc\":\"2.0\",\"id\":%d,\"method\":\"tools/call\",\"params\":{\"name\":"
                 "\"wait\"}}",
                 10 + i);
        expect(&desk, line, i < 16 ? NULL : "too many waits");
    }
    close_desk(&desk);
    cr_assert_eq(desk.dropped, 16);
}

Test(mcp_session, resources_that_are_not_there_are_not_found)
{
    struct drafts_cache desk = {0};

    open_desk(&desk, false);
    initialize(&desk, "2025-06-18", "2025-06-18");
    mcp_report_changed(desk.session);
    expect(&desk, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/list\"}",
           "{\"resources\":[]}");
    str_clear(&desk.out);
    mcp_report_changed(desk.session);
    cr_assert(strstr(str_c(&desk.out), "notifications/resources/list_changed"));
    expect(&desk, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/templates/list\"}",
           "swarmutt://thread/{id}");
    expect(&desk,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":"
           "\"swarmutt://message/1\"}}",
           "\"text\":\"{\\\"v\\\":1}\"");
    expect(&desk,
           "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/read\",\"params\":{\"uri\":"
           "\"swarmutt://message/2\"}}",
           "-32002");
    expect(&desk, "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"resources/read\"}", "-32602");
    close_desk(&desk);
}

Test(mcp_session, ends_when_nobody_reads)
{
    struct drafts_cache desk = {.deaf = true};

    open_desk(&desk, false);
    cr_assert_not(mcp_take(desk.session, span_of(PING("1") "\n" PING("2") "\n")));
    close_desk(&desk);
}

Test(mcp_session, a_last_line_without_its_newline_counts)
{
    struct drafts_cache desk = {0};

    open_desk(&desk, false);
    cr_assert(mcp_take(desk.session, span_of(PING("1"))));
    cr_assert_eq(desk.out.len, 0);
    cr_assert(mcp_finish(desk.session));
    cr_assert(strstr(str_c(&desk.out), "\"id\":1"));
    close_desk(&desk);
}

/* Any input gives output of one JSON value a line. */
Test(mcp_session, any_bytes_are_answered_with_json_or_not_at_all)
{
    static const char seed[] = "[" PING("1") "," CALL("2", "send", "{\"to\":\"b\"}") "]\n" CALL(
        "3", "wait", "{\"query\":\"x\"}") "\n";
    struct drafts_cache desk = {0};
    char bytes[sizeof seed];
    unsigned random = 1;

    open_desk(&desk, false);
    initialize(&desk, "2025-03-26", "2025-03-26");
    for (int round = 0; round < 3000 && desk.wait_count < 30; round++) {
        memcpy(bytes, seed, sizeof seed);
        for (int i = 0; i < 3; i++) {
            random = random * 1103515245 + 12345;
            bytes[(random >> 8) % (sizeof seed - 1)] = (char)(random >> 20);
        }
        mcp_take(desk.session, (struct span){bytes, sizeof seed - 1});
    }
    struct span rest = str_span(&desk.out);
    while (rest.len) {
        struct json value;
        struct err err;
        size_t len = (size_t)((const char *)memchr(rest.at, '\n', rest.len) - rest.at);
        cr_assert(json_scan((struct span){rest.at, len}, JSON_STRICT, &value, &err), "%s",
                  err.text);
        rest = (struct span){rest.at + len + 1, rest.len - len - 1};
    }
    close_desk(&desk);
}
