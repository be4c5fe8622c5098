/* Tests the protocol messages: reading valid, invalid and hostile ones. */
#include "protocol_support.h"

#include <stdlib.h>

/* Compares the problem of an invalid message, and if a receiver that does not check acts on it. */
static void assert_problem(const char *text, bool acts, const char *problem)
{
    struct arena arena = {0};
    struct protocol p = parsed(text, &arena);

    assert_span(p.problem, problem);
    cr_assert_eq(p.acts, acts, "%s", text);
    arena_free(&arena);
}

Test(protocol, every_form_is_read_and_written_back_the_same)
{
    for (size_t i = 0; i < FULL_COUNT; i++) {
        struct arena arena = {0};
        struct protocol p = parsed(full[i], &arena);
        cr_assert_null(p.problem.at, "%s: %.*s", full[i], (int)p.problem.len, p.problem.at);
        cr_assert_null(p.equal_keys.at);
        cr_assert(p.acts);
        assert_span(p.raw, full[i]);
        assert_span(p.type, protocol_kind_name(p.kind));
        assert_composed(&p, full[i]);
        arena_free(&arena);
    }
}

Test(protocol, every_field_goes_to_its_place)
{
    struct arena arena = {0};
    struct protocol p = parsed(full[0], &arena);

    cr_assert_eq(p.kind, PROTOCOL_IDLE_NOTIFICATION);
    assert_span(p.from, "w");
    assert_span(p.timestamp, TIME);
    assert_span(p.idle_reason, "available");
    assert_span(p.summary, "[to bob] hi");
    assert_span(p.completed_task, "3");
    assert_span(p.completed_status, "blocked");
    assert_span(p.failure_reason, "no key");
    p = parsed(full[1], &arena);
    cr_assert_eq(p.kind, PROTOCOL_PERMISSION_REQUEST);
    assert_span(p.request_id, "perm-1-abc");
    assert_span(p.agent_id, "w");
    assert_span(p.tool_name, "Bash");
    assert_span(p.tool_use_id, "toolu_1");
    assert_span(p.description, "List files");
    assert_span(p.input, "{\"command\":\"ls\"}");
    assert_span(p.suggestions, "[{\"type\":\"addRules\"}]");
    p = parsed(full[2], &arena);
    cr_assert_eq(p.kind, PROTOCOL_PERMISSION_RESPONSE);
    cr_assert(!p.denied);
    assert_span(p.updated_input, "{\"command\":\"ls\"}");
    assert_span(p.permission_updates, "[]");
    assert_span(p.response, "{\"updated_input\":{\"command\":\"ls\"},\"permission_updates\":[]}");
    p = parsed(full[3], &arena);
    cr_assert_eq(p.kind, PROTOCOL_PERMISSION_RESPONSE);
    cr_assert(p.denied);
    assert_span(p.error, "not now");
    p = parsed(full[4], &arena);
    cr_assert_eq(p.kind, PROTOCOL_SANDBOX_PERMISSION_REQUEST);
    assert_span(p.request_id, "r1");
    assert_span(p.worker_id, "w@demo");
    assert_span(p.worker_name, "w");
    assert_span(p.worker_color, "blue");
    assert_span(p.host_pattern, "{\"host\":\"example.org\"}");
    assert_span(p.host, "example.org");
    assert_span(p.created_at, "1794785047047");
    p = parsed(full[5], &arena);
    cr_assert_eq(p.kind, PROTOCOL_SANDBOX_PERMISSION_RESPONSE);
    cr_assert_eq(p.verdict, VERDICT_YES);
    assert_span(p.host, "example.org");
    arena_free(&arena);
}

Test(protocol, every_field_of_the_checked_and_the_task_kinds_goes_to_its_place)
{
    struct arena arena = {0};
    struct protocol p = parsed(full[6], &arena);

    cr_assert_eq(p.kind, PROTOCOL_PLAN_APPROVAL_REQUEST);
    assert_span(p.plan_path, "/tmp/plan.md");
    assert_span(p.plan, "# Plan\n\n1. \"Do\" it\n");
    p = parsed(full[7], &arena);
    cr_assert_eq(p.kind, PROTOCOL_PLAN_APPROVAL_RESPONSE);
    cr_assert_eq(p.verdict, VERDICT_NO);
    assert_span(p.feedback, "too big");
    assert_span(p.mode, "acceptEdits");
    p = parsed(full[8], &arena);
    cr_assert_eq(p.kind, PROTOCOL_SHUTDOWN_REQUEST);
    assert_span(p.reason, "Work complete");
    p = parsed(full[9], &arena);
    cr_assert_eq(p.kind, PROTOCOL_SHUTDOWN_APPROVED);
    assert_span(p.pane_id, "in-process");
    assert_span(p.backend_type, "tmux");
    p = parsed(full[10], &arena);
    cr_assert_eq(p.kind, PROTOCOL_SHUTDOWN_REJECTED);
    assert_span(p.reason, "still working");
    p = parsed(full[11], &arena);
    cr_assert_eq(p.kind, PROTOCOL_TASK_ASSIGNMENT);
    assert_span(p.task_id, "3");
    assert_span(p.subject, "Do the thing");
    assert_span(p.description, "Longer text");
    assert_span(p.assigned_by, "w");
    p = parsed(full[12], &arena);
    cr_assert_eq(p.kind, PROTOCOL_TEAM_PERMISSION_UPDATE);
    assert_span(p.rules,
                "[{\"toolName\":\"Edit\",\"ruleContent\":\"/src/**\"},{\"toolName\":\"Edit\"}]");
    assert_span(p.behavior, "allow");
    assert_span(p.directory, "/src");
    assert_span(p.tool_name, "Edit");
    cr_assert(span_starts(p.permission_update, span_of("{\"type\":\"addRules\",")));
    p = parsed(full[13], &arena);
    cr_assert_eq(p.kind, PROTOCOL_MODE_SET_REQUEST);
    assert_span(p.mode, "plan");
    arena_free(&arena);
}

Test(protocol, escapes_in_keys_and_values_are_understood)
{
    struct arena arena = {0};
    struct protocol p = parsed("\r\n {\"\\u0074ype\" : \"mode\\u005fset_request\",\n\"mode\":"
                               "\"pl\\u0061n\", \"from\":\"\\ud83d\\ude00\"} \n",
                               &arena);

    cr_assert_eq(p.kind, PROTOCOL_MODE_SET_REQUEST);
    cr_assert(p.acts);
    assert_span(p.mode, "plan");
    assert_span(p.from, "\xf0\x9f\x98\x80");
    arena_free(&arena);
}

Test(protocol, plain_text_is_no_message)
{
    static const char *const texts[] = {
        "",
        " \n",
        "hello",
        "{",
        "{}",
        "{}x",
        "[{\"type\":\"mode_set_request\"}]",
        "\"mode_set_request\"",
        "{\"type\":5}",
        "{\"type\":null}",
        "{\"type\":{\"type\":\"mode_set_request\"}}",
        "{\"Type\":\"mode_set_request\"}",
        "{\"a\":{\"type\":\"mode_set_request\"}}",
        "{\"type\":\"mode_set_request\"",
        "{\"type\":\"mode_set_request\"} and more",
        "{\"type\":\"mode_set_request\",}",
        "{'type':'mode_set_request'}",
        "{type:\"mode_set_request\"}",
        "{\"type\":\"mode_set_request\",\"x\":NaN}",
        "{\"type\":\"mode_set\nrequest\"}",
        "\xef\xbb\xbf{\"type\":\"mode_set_request\"}",
        "Use {\"type\":\"mode_set_request\"}",
        "{\"type\":\"mode_set_request\",\"type\":7}",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena arena = {0};
        struct protocol p = {.kind = PROTOCOL_UNKNOWN, .acts = true};
        cr_assert(!protocol_parse(&p, span_of(texts[i]), &arena), "%s", texts[i]);
        cr_assert_eq(p.kind, PROTOCOL_NONE);
        cr_assert(!p.acts);
        arena_free(&arena);
    }
}

Test(protocol, a_type_that_nobody_knows_is_shown_raw)
{
    static const char *const texts[] = {
        "{\"type\":\"shutdown_response\",\"requestId\":\"r\",\"approve\":true}",
        "{\"type\":\"\",\"from\":3}",
        "{\"type\":\"Mode_set_request\",\"mode\":\"plan\",\"from\":\"x\"}",
        "{\"type\":\"mode_set_request \",\"mode\":\"plan\",\"from\":\"x\"}",
        "{\"type\":\"mode_set_request\\u0000\",\"mode\":\"plan\",\"from\":\"x\"}",
    };

    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct arena arena = {0};
        struct protocol p = parsed(texts[i], &arena);
        cr_assert_eq(p.kind, PROTOCOL_UNKNOWN, "%s", texts[i]);
        cr_assert(!p.acts);
        cr_assert_null(p.problem.at);
        assert_span(p.raw, texts[i]);
        assert_refused(&p, "no message of this kind can be made");
        arena_free(&arena);
    }
    assert_title(texts[0], "shutdown_response");
}

Test(protocol, a_checked_kind_has_no_effect_when_something_is_missing_or_of_the_wrong_type)
{
    assert_problem("{\"type\":\"shutdown_request\",\"from\":\"l\",\"timestamp\":\"t\"}", false,
                   "\"requestId\" is missing");
    assert_problem("{\"type\":\"shutdown_request\",\"request_id\":\"r\",\"from\":\"l\","
                   "\"timestamp\":\"t\"}",
                   false, "\"requestId\" is missing");
    assert_problem("{\"type\":\"shutdown_request\",\"requestId\":7,\"from\":\"l\"}", false,
                   "\"requestId\" is not a text");
    assert_problem("{\"type\":\"shutdown_request\",\"requestId\":\"r\",\"from\":\"l\",\"reason\":"
                   "null,\"timestamp\":\"t\"}",
                   false, "\"reason\" is not a text");
    assert_problem("{\"type\":\"shutdown_approved\",\"requestId\":\"r\",\"from\":\"l\"}", false,
                   "\"timestamp\" is missing");
    assert_problem("{\"type\":\"shutdown_rejected\",\"requestId\":\"r\",\"from\":\"l\","
                   "\"timestamp\":\"t\"}",
                   false, "\"reason\" is missing");
    assert_problem("{\"type\":\"plan_approval_request\",\"from\":\"w\",\"timestamp\":\"t\","
                   "\"planFilePath\":\"p\",\"requestId\":\"r\"}",
                   false, "\"planContent\" is missing");
    assert_problem("{\"type\":\"plan_approval_response\",\"requestId\":\"r\",\"approved\":\"true\""
                   ",\"timestamp\":\"t\"}",
                   false, "\"approved\" is not true or false");
    assert_problem("{\"type\":\"plan_approval_response\",\"requestId\":\"r\",\"approved\":true,"
                   "\"timestamp\":\"t\",\"permissionMode\":\"manual\"}",
                   false, "\"permissionMode\" is \"manual\", an alias of \"default\": use that");
    assert_problem("{\"type\":\"mode_set_request\",\"mode\":\"Plan\",\"from\":\"l\"}", false,
                   "\"mode\" is \"Plan\", not default, acceptEdits, bypassPermissions, plan, "
                   "dontAsk, auto or delegate");
}

Test(protocol, the_other_kinds_are_known_by_their_type_alone)
{
    assert_problem("{\"type\":\"idle_notification\"}", true, "\"from\" is missing");
    assert_problem("{\"type\":\"idle_notification\",\"from\":\"w\",\"timestamp\":\"t\","
                   "\"completedStatus\":\"done\"}",
                   true, "\"completedStatus\" is \"done\", not resolved, blocked or failed");
    assert_problem("{\"type\":\"permission_request\",\"request_id\":\"r\",\"agent_id\":\"w\","
                   "\"tool_name\":\"T\",\"tool_use_id\":\"u\",\"description\":\"d\",\"input\":[],"
                   "\"permission_suggestions\":[]}",
                   true, "\"input\" is not an object");
    assert_problem("{\"type\":\"permission_response\",\"request_id\":\"r\",\"subtype\":\"success\","
                   "\"response\":{\"permission_updates\":{}}}",
                   true, "\"permission_updates\" is not an array");
    assert_problem("{\"type\":\"sandbox_permission_request\",\"requestId\":\"r\",\"workerId\":"
                   "\"i\",\"workerName\":\"n\",\"hostPattern\":\"h\",\"createdAt\":1}",
                   true, "\"hostPattern\" is not an object");
    assert_problem("{\"type\":\"sandbox_permission_request\",\"requestId\":\"r\",\"workerId\":"
                   "\"i\",\"workerName\":\"n\",\"hostPattern\":{\"host\":\"h\"},\"createdAt\":1.5}",
                   true, "\"createdAt\" is not a whole number");
    assert_problem("{\"type\":\"team_permission_update\",\"permissionUpdate\":{\"type\":\"setMode\""
                   ",\"rules\":[],\"behavior\":\"allow\",\"destination\":\"session\"},"
                   "\"directoryPath\":\"/\",\"toolName\":\"T\"}",
                   true, "\"type\" is \"setMode\", not addRules");
}

Test(protocol, a_field_of_the_wrong_type_is_absent)
{
    struct arena arena = {0};
    struct protocol p = parsed("{\"type\":\"permission_request\",\"request_id\":5,\"input\":\"x\","
                               "\"tool_name\":[]}",
                               &arena);

    cr_assert(p.acts);
    cr_assert_null(p.request_id.at);
    cr_assert_null(p.input.at);
    cr_assert_null(p.tool_name.at);
    arena_free(&arena);
}

Test(protocol, whatever_is_no_plain_grant_counts_as_a_denial)
{
    static const char *const subtypes[] = {"\"error\"", "\"Success\"", "\"\"", "true", "null"};
    struct arena arena = {0};
    struct str text = {0};

    for (size_t i = 0; i < sizeof subtypes / sizeof *subtypes; i++) {
        str_clear(&text);
        str_addf(&text,
                 "{\"type\":\"permission_response\",\"request_id\":\"r\",\"subtype\":%s,"
                 "\"response\":{},\"error\":\"e\"}",
                 subtypes[i]);
        cr_assert(parsed(str_c(&text), &arena).denied, "%s", subtypes[i]);
    }
    cr_assert(parsed("{\"type\":\"permission_response\",\"request_id\":\"r\"}", &arena).denied);
    str_free(&text);
    arena_free(&arena);
}

Test(protocol, of_equal_keys_the_last_one_counts_and_they_are_reported)
{
    struct arena arena = {0};
    struct protocol p = parsed("{\"type\":\"idle_notification\",\"mode\":\"plan\",\"mode\":\"auto\""
                               ",\"from\":\"x\",\"type\":\"mode_set_request\"}",
                               &arena);

    cr_assert_eq(p.kind, PROTOCOL_MODE_SET_REQUEST);
    assert_span(p.mode, "auto");
    assert_span(p.equal_keys, "mode");
    p = parsed("{\"type\":\"x\",\"a\":[{\"b\":{\"k\":1}},{\"b\":{\"l\":\"k\",\"k\":1,"
               "\"\\u006b\":2}}]}",
               &arena);
    assert_span(p.equal_keys, "k");
    p = parsed("{\"type\":\"x\",\"a\":{\"a\":{\"a\":1},\"b\":{\"a\":\"b\"}},\"b\":[{\"a\":1},"
               "{\"a\":2}]}",
               &arena);
    cr_assert_null(p.equal_keys.at);
    p = parsed("{\"type\":\"mode_set_request\",\"mode\":5,\"mode\":\"plan\",\"from\":\"x\"}",
               &arena);
    cr_assert(p.acts);
    p = parsed("{\"type\":\"mode_set_request\",\"mode\":\"plan\",\"mode\":5,\"from\":\"x\"}",
               &arena);
    cr_assert(!p.acts);
    arena_free(&arena);
}

/* Returns a message whose input is `open` and `close` `depth` times, with `middle` in between. */
static struct str nested(int depth, const char *open, const char *middle, const char *close)
{
    struct str text = {0};

    str_puts(&text, "{\"type\":\"x\",\"input\":");
    for (int i = 0; i < depth; i++)
        str_puts(&text, open);
    str_puts(&text, middle);
    for (int i = 0; i < depth; i++)
        str_puts(&text, close);
    str_putc(&text, '}');
    return text;
}

Test(protocol, deep_nesting_is_read_to_the_limit_and_plain_text_beyond)
{
    static const struct {
        int depth;
        bool message;
    } cases[] = {{999, true}, {1000, false}, {200000, false}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct arena arena = {0};
        struct protocol p;
        struct str text = nested(cases[i].depth, "{\"k\":", "1", "}");
        cr_assert_eq(protocol_parse(&p, str_span(&text), &arena), cases[i].message);
        cr_assert_null(p.equal_keys.at);
        str_free(&text);
        text = nested(cases[i].depth, "[", "1", "]");
        cr_assert_eq(protocol_parse(&p, str_span(&text), &arena), cases[i].message);
        str_free(&text);
        arena_free(&arena);
    }
}

Test(protocol, equal_keys_are_found_in_the_deepest_object)
{
    struct arena arena = {0};
    struct protocol p;
    struct str text = nested(998, "{\"k\":", "{\"deep\":1,\"deep\":2}", "}");

    cr_assert(protocol_parse(&p, str_span(&text), &arena));
    assert_span(p.equal_keys, "deep");
    str_free(&text);
    arena_free(&arena);
}

Test(protocol, a_wrong_word_is_repeated_only_in_part)
{
    struct arena arena = {0};
    struct protocol p;
    struct str text = {0};

    str_puts(&text, "{\"type\":\"mode_set_request\",\"from\":\"x\",\"mode\":\"");
    str_pad(&text, 'm', 1 << 20);
    str_puts(&text, "\"}");
    cr_assert(protocol_parse(&p, str_span(&text), &arena));
    cr_assert(!p.acts);
    cr_assert_lt(p.problem.len, 200);
    str_free(&text);
    arena_free(&arena);
}

Test(protocol, a_message_cut_anywhere_is_plain_text)
{
    for (size_t i = 0; i < FULL_COUNT; i++) {
        size_t len = strlen(full[i]);
        for (size_t cut = 0; cut < len; cut++) {
            struct arena arena = {0};
            struct protocol p;
            char *copy = malloc(cut ? cut : 1); /* exact size: finds reading too far */
            memcpy(copy, full[i], cut);
            cr_assert(!protocol_parse(&p, (struct span){copy, cut}, &arena), "%zu of %s", cut,
                      full[i]);
            free(copy);
            arena_free(&arena);
        }
    }
}
