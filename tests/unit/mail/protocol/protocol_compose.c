/* Tests the protocol messages: composing and checking them; kinds, titles, request ids. */
#include "protocol_support.h"

#include "base/json/json.h"
#include "base/time.h"

Test(protocol_compose, what_is_optional_is_left_out_and_never_null)
{
    struct protocol p = {.kind = PROTOCOL_IDLE_NOTIFICATION,
                         .from = span_of("w"),
                         .timestamp = span_of(TIME),
                         .mode = span_of("belongs to others")};

    assert_composed(&p,
                    "{\"type\":\"idle_notification\",\"from\":\"w\",\"timestamp\":\"" TIME "\"}");
    p = (struct protocol){.kind = PROTOCOL_PERMISSION_RESPONSE, .request_id = span_of("r")};
    assert_composed(&p, "{\"type\":\"permission_response\",\"request_id\":\"r\",\"subtype\":"
                        "\"success\",\"response\":{}}");
    p.permission_updates = span_of("[]");
    assert_composed(&p, "{\"type\":\"permission_response\",\"request_id\":\"r\",\"subtype\":"
                        "\"success\",\"response\":{\"permission_updates\":[]}}");
    p = (struct protocol){.kind = PROTOCOL_PLAN_APPROVAL_RESPONSE,
                          .request_id = span_of("r"),
                          .verdict = VERDICT_YES,
                          .timestamp = span_of(TIME)};
    assert_composed(&p, "{\"type\":\"plan_approval_response\",\"requestId\":\"r\",\"approved\":"
                        "true,\"timestamp\":\"" TIME "\"}");
}

Test(protocol_compose, the_input_of_a_request_is_granted_byte_for_byte)
{
    static const char input[] =
        "{ \"10\": 1.0, \"b\":\t12345678901234567890, \"a\": {\"x\":1e-07,\"\\u00e9\":\"\\/\"},"
        "\"b\":[ ] ,\"t\":\"caf\xc3\xa9 \\ud83d\\ude00 \\ud800\"}";
    struct arena arena = {0};
    struct str text = {0}, want = {0};

    str_addf(&text,
             "{\"type\":\"permission_request\",\"request_id\":\"r\",\"agent_id\":\"w\","
             "\"tool_name\":\"T\",\"tool_use_id\":\"\",\"description\":\"\",\"input\": %s ,"
             "\"permission_suggestions\":[]}",
             input);
    struct protocol request = parsed(str_c(&text), &arena);
    assert_span(request.input, input);
    assert_span(request.equal_keys, "b");
    struct protocol grant = {.kind = PROTOCOL_PERMISSION_RESPONSE,
                             .request_id = request.request_id,
                             .updated_input = request.input,
                             .permission_updates = span_of("[]")};
    str_addf(&want,
             "{\"type\":\"permission_response\",\"request_id\":\"r\",\"subtype\":\"success\","
             "\"response\":{\"updated_input\":%s,\"permission_updates\":[]}}",
             input);
    assert_composed(&grant, str_c(&want));
    str_free(&text);
    str_free(&want);
    arena_free(&arena);
}

Test(protocol_compose, texts_are_written_as_node_writes_them)
{
    struct protocol p = {.kind = PROTOCOL_MODE_SET_REQUEST,
                         .mode = span_of("auto"),
                         .from = {"a\"\\\b\f\n\r\t\x01\0/\x7f\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80"
                                  "\xed\xa0\x80",
                                  24}};

    assert_composed(&p, "{\"type\":\"mode_set_request\",\"mode\":\"auto\",\"from\":\"a\\\"\\\\\\b"
                        "\\f\\n\\r\\t\\u0001\\u0000/\x7f\xc3\xa9\xe2\x80\xa8\xf0\x9f\x98\x80"
                        "\\ud800\"}");
}

Test(protocol_compose, a_message_that_no_agent_ought_to_get_is_refused)
{
    struct arena arena = {0};
    struct protocol p = {.kind = PROTOCOL_SHUTDOWN_REQUEST, .timestamp = span_of(TIME)};

    assert_refused(&p, "shutdown_request: \"requestId\" is missing");
    p.request_id = span_of("");
    assert_refused(&p, "shutdown_request: \"requestId\" is empty");
    p.request_id = span_of("r");
    p.from = span_of("\xff");
    assert_refused(&p, "shutdown_request: \"from\" is not UTF-8");
    p = (struct protocol){.kind = PROTOCOL_MODE_SET_REQUEST, .mode = span_of("manual")};
    p.from = span_of("l");
    assert_refused(&p,
                   "mode_set_request: \"mode\" is \"manual\", an alias of \"default\": use that");
    p.mode = span_of("delegate");
    assert_composed(&p, "{\"type\":\"mode_set_request\",\"mode\":\"delegate\",\"from\":\"l\"}");
    p = parsed(full[0], &arena);
    p.idle_reason = span_of("tired");
    assert_refused(&p, "idle_notification: \"idleReason\" is \"tired\", not available, interrupted "
                       "or failed");
    p = parsed(full[12], &arena);
    p.behavior = span_of("maybe");
    assert_refused(&p, "team_permission_update: \"behavior\" is \"maybe\", not allow, deny or ask");
    p = parsed(full[5], &arena);
    p.verdict = VERDICT_UNSAID;
    assert_refused(&p, "sandbox_permission_response: \"allow\" is missing");
    p = (struct protocol){.kind = PROTOCOL_NONE};
    assert_refused(&p, "no message of this kind can be made");
    arena_free(&arena);
}

Test(protocol_compose, raw_parts_must_be_json_of_their_kind)
{
    struct arena arena = {0};
    struct protocol p = parsed(full[2], &arena);

    p.updated_input = span_of("[]");
    assert_refused(&p, "permission_response: \"updated_input\" is not an object");
    p.updated_input = span_of("{},\"x\":{}");
    assert_refused(&p, "permission_response: \"updated_input\" is not JSON: line 1, column 3: "
                       "something follows behind the end");
    p.updated_input = span_of(" {}");
    assert_refused(&p, "permission_response: \"updated_input\" has something around its value");
    p.updated_input = span_of("\xef\xbb\xbf{}");
    assert_refused(&p, "permission_response: \"updated_input\" has something around its value");
    p.updated_input = span_of("{\"x\":\"\xff\"}");
    assert_refused(&p, "permission_response: \"updated_input\" is not UTF-8");
    p.updated_input = span_of("{\"x\":NaN}");
    cr_assert(!protocol_check(&p, &(struct err){0}));
    p = parsed(full[4], &arena);
    p.created_at = span_of("1e3");
    assert_refused(&p, "sandbox_permission_request: \"createdAt\" is not a whole number");
    p = parsed(full[12], &arena);
    p.rules = span_of("[{\"toolName\":\"A\"},{\"ruleContent\":\"x\"}]");
    assert_refused(&p, "team_permission_update: \"toolName\" is missing");
    p.rules = span_of("[\"A\"]");
    assert_refused(&p, "team_permission_update: \"rules\" holds something that is not an object");
    arena_free(&arena);
}

Test(protocol_compose, rules_are_made_for_one_tool)
{
    struct span contents[] = {span_of("ls:*"), span_of("\"\n")};
    struct str out = {0};

    protocol_add_rules(&out, span_of("Bash"), NULL, 0);
    assert_span(str_span(&out), "[{\"toolName\":\"Bash\"}]");
    str_clear(&out);
    protocol_add_rules(&out, span_of("Bash"), contents, 2);
    assert_span(str_span(&out), "[{\"toolName\":\"Bash\",\"ruleContent\":\"ls:*\"},"
                                "{\"toolName\":\"Bash\",\"ruleContent\":\"\\\"\\n\"}]");
    str_free(&out);
}

Test(protocol_compose, names_and_kinds_belong_together)
{
    static const enum protocol_kind routed[] = {
        PROTOCOL_PERMISSION_REQUEST,         PROTOCOL_PERMISSION_RESPONSE,
        PROTOCOL_SANDBOX_PERMISSION_REQUEST, PROTOCOL_SANDBOX_PERMISSION_RESPONSE,
        PROTOCOL_SHUTDOWN_REQUEST,           PROTOCOL_SHUTDOWN_APPROVED,
        PROTOCOL_TEAM_PERMISSION_UPDATE,     PROTOCOL_MODE_SET_REQUEST,
        PROTOCOL_PLAN_APPROVAL_REQUEST,      PROTOCOL_PLAN_APPROVAL_RESPONSE,
    };
    int count = 0;

    for (enum protocol_kind kind = PROTOCOL_UNKNOWN + 1; kind < PROTOCOL_KIND_COUNT; kind++) {
        cr_assert_eq(protocol_kind_find(span_of(protocol_kind_name(kind))), kind);
        count += protocol_is_routed(kind);
    }
    cr_assert_eq(count, 10);
    for (size_t i = 0; i < sizeof routed / sizeof *routed; i++)
        cr_assert(protocol_is_routed(routed[i]), "%s", protocol_kind_name(routed[i]));
    cr_assert_str_eq(protocol_kind_name(PROTOCOL_NONE), "");
    cr_assert_str_eq(protocol_kind_name(PROTOCOL_UNKNOWN), "");
    cr_assert_eq(protocol_kind_find(span_of("")), PROTOCOL_UNKNOWN);
    cr_assert_eq(protocol_kind_find(span_of("shutdown")), PROTOCOL_UNKNOWN);
    cr_assert(!protocol_is_routed(PROTOCOL_NONE) && !protocol_is_routed(PROTOCOL_UNKNOWN));
}

Test(protocol_compose, four_kinds_want_an_answer)
{
    static const enum protocol_kind answers[PROTOCOL_KIND_COUNT] = {
        [PROTOCOL_PERMISSION_REQUEST] = PROTOCOL_PERMISSION_RESPONSE,
        [PROTOCOL_SANDBOX_PERMISSION_REQUEST] = PROTOCOL_SANDBOX_PERMISSION_RESPONSE,
        [PROTOCOL_PLAN_APPROVAL_REQUEST] = PROTOCOL_PLAN_APPROVAL_RESPONSE,
        [PROTOCOL_SHUTDOWN_REQUEST] = PROTOCOL_SHUTDOWN_APPROVED,
    };

    for (enum protocol_kind kind = 0; kind < PROTOCOL_KIND_COUNT; kind++) {
        cr_assert_eq(protocol_answer_kind(kind), answers[kind], "%s", protocol_kind_name(kind));
        cr_assert_eq(protocol_wants_answer(kind), answers[kind] != PROTOCOL_NONE);
    }
}

Test(protocol_compose, titles_say_in_a_line_what_a_message_is)
{
    static const char *const titles[FULL_COUNT] = {
        "Idle: available - no key - [to bob] hi",
        "Permission: Bash: ls",
        "Permission granted",
        "Permission denied: not now",
        "Host: example.org",
        "Host allowed: example.org",
        "Plan for approval: Plan",
        "Plan rejected: too big",
        "Shutdown requested: Work complete",
        "Shutdown approved",
        "Shutdown rejected: still working",
        "Task 3: Do the thing",
        "Team permission allow: Edit - /src",
        "Mode: plan",
    };

    for (size_t i = 0; i < FULL_COUNT; i++)
        assert_title(full[i], titles[i]);
    assert_title("{\"type\":\"idle_notification\",\"summary\":\" \\ntwo\\nlines\"}", "Idle: two");
    assert_title("{\"type\":\"plan_approval_response\",\"approved\":true}", "Plan approved");
    assert_title("{\"type\":\"plan_approval_response\",\"approved\":\"yes\"}", "Plan answer");
    assert_title("{\"type\":\"sandbox_permission_response\",\"allow\":false,\"host\":\"h\"}",
                 "Host denied: h");
    assert_title("{\"type\":\"sandbox_permission_response\",\"host\":\"h\"}", "Host answer: h");
    assert_title("{\"type\":\"task_assignment\"}", "Task");
}

#define PERMISSION(Tool, Input)                                                                    \
    "{\"type\":\"permission_request\",\"tool_name\":\"" Tool                                       \
    "\",\"description\":\"harmless\",\"input\":" Input "}"

Test(protocol_compose, a_title_says_what_will_happen_and_not_what_the_agent_says_of_it)
{
    assert_title(PERMISSION("Bash", "{\"description\":\"harmless\",\"command\":\"rm -rf /\"}"),
                 "Permission: Bash: rm -rf /");
    assert_title(PERMISSION("Bash", "{\"command\":\"echo safe\\nrm -rf /\"}"),
                 "Permission: Bash: echo safe ...");
    assert_title(PERMISSION("Write", "{\"content\":\"x\",\"file_path\":\"/etc/passwd\"}"),
                 "Permission: Write: /etc/passwd");
    assert_title(PERMISSION("Write", "{\"command\":\"ls\",\"file_path\":\"/etc/passwd\"}"),
                 "Permission: Write: /etc/passwd");
    assert_title(PERMISSION("Exit", "{}"), "Permission: Exit");
    assert_title(PERMISSION("", "{}"), "Permission");
    assert_title("{\"type\":\"sandbox_permission_request\",\"hostPattern\":{\"host\":"
                 "\"a.org\\nb.org\"}}",
                 "Host: a.org ...");
}

static void assert_words(const char *text, const char *want)
{
    struct arena arena = {0};
    struct protocol p;
    struct str out = {0};

    cr_assert(protocol_parse(&p, span_of(text), &arena));
    protocol_add_words(&out, &p);
    assert_span(str_span(&out), want);
    str_free(&out);
    arena_free(&arena);
}

Test(protocol_compose, what_a_message_says_can_be_told_in_words)
{
    assert_words(PERMISSION("Bash", "{\"command\":\"echo safe\\nrm -rf /\"}"),
                 "Permission: Bash: echo safe ...\n\nBash: echo safe\nrm -rf /\n\nharmless");
    assert_words("{\"type\":\"plan_approval_request\",\"planContent\":\"# A\\n\\n1. b\\n\"}",
                 "Plan for approval: A\n\n# A\n\n1. b");
    assert_words("{\"type\":\"plan_approval_response\",\"approved\":false,\"feedback\":\"no\"}",
                 "Plan rejected: no");
    assert_words("{\"type\":\"task_assignment\",\"taskId\":\"3\",\"subject\":\"s\","
                 "\"description\":\"Do it.\"}",
                 "Task 3: s\n\nDo it.");
    assert_words("{\"type\":\"shutdown_approved\"}", "Shutdown approved");
}

Test(protocol_compose, new_request_ids_look_like_those_of_the_agents)
{
    struct protocol_seed seed = {.now_ms = 1770649831648,
                                 .random = 35 + 36 * (10 + 36 * 1),
                                 .name = span_of("bob"),
                                 .team = span_of("demo")};
    struct str id = {0};

    cr_assert(protocol_new_id(&id, PROTOCOL_SHUTDOWN_REQUEST, &seed));
    assert_span(str_span(&id), "shutdown-1770649831648@bob");
    str_clear(&id);
    cr_assert(protocol_new_id(&id, PROTOCOL_PLAN_APPROVAL_REQUEST, &seed));
    assert_span(str_span(&id), "plan_approval-1770649831648@bob@demo");
    str_clear(&id);
    cr_assert(protocol_new_id(&id, PROTOCOL_PERMISSION_REQUEST, &seed));
    assert_span(str_span(&id), "perm-1770649831648-za10000");
    str_clear(&id);
    cr_assert(protocol_new_id(&id, PROTOCOL_SANDBOX_PERMISSION_REQUEST, &seed));
    assert_span(str_span(&id), "sandbox-1770649831648-za10000");
    str_clear(&id);
    for (enum protocol_kind kind = 0; kind < PROTOCOL_KIND_COUNT; kind++)
        if (!protocol_wants_answer(kind))
            cr_assert(!protocol_new_id(&id, kind, &seed), "%s", protocol_kind_name(kind));
    cr_assert_eq(id.len, 0);
    str_free(&id);
}

Test(protocol_compose, times_have_exactly_three_decimals)
{
    static const struct {
        int64_t time_us;
        const char *text;
    } times[] = {
        {INT64_C(1770478515573999), "2026-02-07T15:35:15.573Z"},
        {INT64_C(1770478515000000), "2026-02-07T15:35:15.000Z"},
        {INT64_C(1770478515000999), "2026-02-07T15:35:15.000Z"},
        {0, "1970-01-01T00:00:00.000Z"},
        {-1, "1969-12-31T23:59:59.999Z"},
    };
    struct str out = {0};

    for (size_t i = 0; i < sizeof times / sizeof *times; i++) {
        str_clear(&out);
        time_add_utc_ms(&out, times[i].time_us);
        assert_span(str_span(&out), times[i].text);
    }
    str_free(&out);
}

Test(protocol_compose, an_input_that_is_too_deep_in_its_answer_is_refused)
{
    struct protocol answer = {.kind = PROTOCOL_PERMISSION_RESPONSE,
                              .request_id = span_of("p-1"),
                              .permission_updates = span_of("[]")};
    struct str deep = {0};
    struct err err = {0};

    for (int way = 0; way < 2; way++)
        for (int i = 0; i < JSON_DEPTH_MAX - 1; i++)
            str_puts(&deep, !way ? "{\"a\":" : i ? "}" : "1}");
    answer.updated_input = str_span(&deep);
    cr_assert_not(protocol_check(&answer, &err));
    cr_assert(strstr(err.text, "nested too deeply"), "%s", err.text);
    str_free(&deep);
}
