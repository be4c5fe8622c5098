/* Tests decisions: the exact answer of every verb, and requests that get no answer. */
#include "protocol_support.h"

#include "mail/protocol/decision.h"

/* 2026-02-07T15:35:15.573Z */
#define NOW_US INT64_C(1770478515573000)

/* Would change if it were read as numbers and strings and written again. */
#define INPUT                                                                                      \
    "{\"zz\": 12345678901234567890123,\"a\":1.10e+2, \"command\":\"\\u00e9\\/\\ud83d\\ude00 "      \
    "\xc3\xa9\",\"n\":-0.0,\"deep\":{\"b\":[1,  2],\"a\":null}}"
#define RULE_1                                                                                     \
    "{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\"}],\"behavior\":\"allow\","           \
    "\"destination\":\"session\"}"
#define RULE_2 "{ \"type\":\"setMode\", \"mode\":\"plan\",\"destination\":\"session\" }"

#define PERMISSION                                                                                 \
    "{\"type\":\"permission_request\",\"request_id\":\"p-1\",\"agent_id\":\"w\",\"tool_name\":"    \
    "\"Bash\",\"tool_use_id\":\"t\",\"description\":\"d\",\"input\":" INPUT                        \
    ",\"permission_suggestions\":[" RULE_1 ", " RULE_2 "]}"
#define PLAN                                                                                       \
    "{\"type\":\"plan_approval_request\",\"from\":\"w\",\"timestamp\":\"" TIME                     \
    "\",\"planFilePath\":\"/p\",\"planContent\":\"# P\",\"requestId\":\"r-1\"}"
#define HOST                                                                                       \
    "{\"type\":\"sandbox_permission_request\",\"requestId\":\"h-1\",\"workerId\":\"w@d\","         \
    "\"workerName\":\"w\",\"hostPattern\":{\"host\":\"example.org\"},\"createdAt\":1}"
#define SHUTDOWN                                                                                   \
    "{\"type\":\"shutdown_request\",\"requestId\":\"s-1\",\"from\":\"w\",\"reason\":\"r\","        \
    "\"timestamp\":\"" TIME "\"}"
#define GRANTED(Input, Updates)                                                                    \
    "{\"type\":\"permission_response\",\"request_id\":\"p-1\",\"subtype\":\"success\","            \
    "\"response\":{\"updated_input\":" Input ",\"permission_updates\":[" Updates "]}}"
#define DENIED(Why)                                                                                \
    "{\"type\":\"permission_response\",\"request_id\":\"p-1\",\"subtype\":\"error\",\"error\":"    \
    "\"" Why "\"}"
#define SESSION(Rule)                                                                              \
    "{\"type\":\"addRules\",\"rules\":[{\"toolName\":\"Bash\"" Rule                                \
    "}],\"behavior\":\"allow\",\"destination\":\"session\"}"

#define PLAINLY                                                                                    \
    {                                                                                              \
        .for_session = false                                                                       \
    }

static const unsigned both[] = {1, 2}, turned[] = {2, 1}, third[] = {3}, none[] = {0};

static const struct answered {
    const char *request;
    enum decision decision;
    struct decision_terms terms;
    const char *want;
} answered[] = {
    {PERMISSION, DECISION_GRANT, PLAINLY, GRANTED(INPUT, "")},
    {PERMISSION,
     DECISION_GRANT,
     {.suggested = both, .suggested_count = 2},
     GRANTED(INPUT, RULE_1 "," RULE_2)},
    {PERMISSION,
     DECISION_GRANT,
     {.suggested = turned, .suggested_count = 1},
     GRANTED(INPUT, RULE_2)},
    {PERMISSION,
     DECISION_GRANT,
     {.for_session = true, .every_use = true},
     GRANTED(INPUT, SESSION(""))},
    {PERMISSION,
     DECISION_GRANT,
     {.for_session = true, .pattern = {"ls \"x\":*", 8}},
     GRANTED(INPUT, SESSION(",\"ruleContent\":\"ls \\\"x\\\":*\""))},
    {PERMISSION,
     DECISION_GRANT,
     {.suggested = turned, .suggested_count = 1, .for_session = true, .every_use = true},
     GRANTED(INPUT, RULE_2 "," SESSION(""))},
    {PERMISSION,
     DECISION_GRANT,
     {.input = {"{\"b\": 1e400,\"a\":\"\\u0041\"}", 25}},
     GRANTED("{\"b\": 1e400,\"a\":\"\\u0041\"}", "")},
    {PERMISSION, DECISION_DENY, PLAINLY, DENIED("Permission denied")},
    {PERMISSION, DECISION_DENY, {.reason = {"no \"x\"\n", 7}}, DENIED("no \\\"x\\\"\\n")},
    {PLAN, DECISION_APPROVE, PLAINLY,
     "{\"type\":\"plan_approval_response\",\"requestId\":\"r-1\",\"approved\":true,"
     "\"timestamp\":\"" TIME "\",\"permissionMode\":\"default\"}"},
    {PLAN,
     DECISION_APPROVE,
     {.mode = {"acceptEdits", 11}, .reason = {"would be dropped", 16}},
     "{\"type\":\"plan_approval_response\",\"requestId\":\"r-1\",\"approved\":true,"
     "\"timestamp\":\"" TIME "\",\"permissionMode\":\"acceptEdits\"}"},
    {PLAN,
     DECISION_REJECT,
     {.reason = {"too big", 7}},
     "{\"type\":\"plan_approval_response\",\"requestId\":\"r-1\",\"approved\":false,"
     "\"feedback\":\"too big\",\"timestamp\":\"" TIME "\"}"},
    {HOST, DECISION_ALLOW_HOST, PLAINLY,
     "{\"type\":\"sandbox_permission_response\",\"requestId\":\"h-1\",\"host\":\"example.org\","
     "\"allow\":true,\"timestamp\":\"" TIME "\"}"},
    {HOST,
     DECISION_DENY_HOST,
     {.reason = {"dropped", 7}},
     "{\"type\":\"sandbox_permission_response\",\"requestId\":\"h-1\",\"host\":\"example.org\","
     "\"allow\":false,\"timestamp\":\"" TIME "\"}"},
    {SHUTDOWN, DECISION_ACCEPT, PLAINLY,
     "{\"type\":\"shutdown_approved\",\"requestId\":\"s-1\",\"from\":\"team-lead\",\"timestamp\":"
     "\"" TIME "\"}"},
    {SHUTDOWN,
     DECISION_DECLINE,
     {.reason = {"not yet", 7}},
     "{\"type\":\"shutdown_rejected\",\"requestId\":\"s-1\",\"from\":\"team-lead\",\"reason\":"
     "\"not yet\",\"timestamp\":\"" TIME "\"}"},
};

Test(decision, every_answer_has_exactly_these_bytes)
{
    for (size_t i = 0; i < sizeof answered / sizeof *answered; i++) {
        const struct answered *one = &answered[i];
        struct arena arena = {0};
        struct protocol request = parsed(one->request, &arena), answer;
        struct err err;
        cr_assert(
            decision_answer(&answer, one->decision, &request, &one->terms, NOW_US, &arena, &err),
            "%s: %s", one->want, err.text);
        if (request.kind == PROTOCOL_SHUTDOWN_REQUEST) /* the sender fills in who answers */
            answer.from = span_of("team-lead");
        cr_assert(protocol_check(&answer, &err), "%s", err.text);
        assert_composed(&answer, one->want);
        arena_free(&arena);
    }
}

static const struct refused {
    const char *request;
    enum decision decision;
    struct decision_terms terms;
    const char *says;
} refused[] = {
    {PERMISSION, DECISION_GRANT, {.mode = {"plan", 4}}, "a permission mode goes with approve"},
    {PLAN, DECISION_APPROVE, {.input = {"{}", 2}}, "another input goes with grant"},
    {PLAN,
     DECISION_APPROVE,
     {.suggested = both, .suggested_count = 1},
     "a suggestion goes with grant"},
    {PLAN, DECISION_APPROVE, {.for_session = true}, "a rule goes with grant"},
    {PERMISSION, DECISION_DENY, {.pattern = {"x", 1}}, "a rule goes with grant"},
    {PERMISSION, DECISION_DENY, {.input = {"{}", 2}}, "another input goes with grant"},
    {PLAN, DECISION_REJECT, {.mode = {"plan", 4}, .reason = {"x", 1}}, "goes with approve"},
    {PLAN, DECISION_REJECT, PLAINLY, "reject needs a reason"},
    {PLAN, DECISION_REJECT, {.reason = {" \n", 2}}, "reject needs a reason"},
    {SHUTDOWN, DECISION_DECLINE, PLAINLY, "decline needs a reason"},
    {PERMISSION,
     DECISION_GRANT,
     {.suggested = third, .suggested_count = 1},
     "the request has no suggestion 3"},
    {PERMISSION,
     DECISION_GRANT,
     {.suggested = none, .suggested_count = 1},
     "the request has no suggestion 0"},
    {PERMISSION, DECISION_GRANT, {.input = {"[]", 2}}, "no JSON object"},
    {PERMISSION, DECISION_GRANT, {.input = {"\"x\"", 3}}, "no JSON object"},
    {PERMISSION, DECISION_GRANT, {.input = {"", 0}}, "the changed input"},
    {PERMISSION, DECISION_GRANT, {.input = {"{\"a\":NaN}", 9}}, "the changed input"},
    {PERMISSION, DECISION_GRANT, {.input = {"{} {}", 5}}, "the changed input"},
    {PERMISSION, DECISION_GRANT, {.input = {"{\"a\":1,\"a\":2}", 13}}, "\"a\" stands twice"},
    {PERMISSION,
     DECISION_GRANT,
     {.input = {"{\"x\":[{\"b\":1,\"\\u0062\":2}]}", 26}},
     "stands twice"},
    {PERMISSION, DECISION_GRANT, {.input = {"{\"a\":1,\"A\":2}", 13}}, "differ only in case"},
    {PERMISSION, DECISION_GRANT, {.input = {"{\"a\":\"\\u0000\"}", 14}}, "a NUL character"},
    {PERMISSION, DECISION_GRANT, {.input = {"{\"a\":\"\\ud800\"}", 14}}, "half a character"},
    {PERMISSION, DECISION_GRANT, {.input = {"{\"a\":\"x\\u202e\"}", 15}}, "<U+202E>"},
    {PERMISSION, DECISION_GRANT, {.input = {"{\"\\u200b\":1}", 12}}, "<U+200B>"},
    {PERMISSION, DECISION_GRANT, {.for_session = true}, "needs a rule"},
};

/* --- for the session --- */

#define USING(Tool, Input)                                                                         \
    "{\"type\":\"permission_request\",\"request_id\":\"p\",\"agent_id\":\"w\",\"tool_name\":"      \
    "\"" Tool "\",\"tool_use_id\":\"t\",\"description\":\"\",\"input\":" Input "}"

Test(decision, for_the_session_is_this_very_use_of_what_will_be_used)
{
    static const struct {
        const char *request, *amended, *pattern, *rule, *says;
        bool every_use;
    } uses[] = {
        {USING("Bash", "{\"command\":\"make a\"}"), NULL, NULL, "make a", NULL, false},
        {USING("Bash", "{\"command\":\"make a\"}"), "{\"command\":\"make safe\"}", NULL,
         "make safe", NULL, false},
        {USING("Bash", "{\"command\":\"make a\"}"), NULL, "make:*", "make:*", NULL, false},
        {USING("Bash", "{\"command\":\"make a\"}"), NULL, NULL, "", NULL, true},
        {USING("Write", "{\"command\":\"ls\",\"file_path\":\"/etc/x\"}"), NULL, NULL, "/etc/x",
         NULL, false},
        {USING("Bash", "{\"command\":\"rm *\"}"), NULL, NULL, NULL, "mean more in a rule", false},
        {USING("mcp__x", "{\"n\":1}"), NULL, NULL, NULL, "only every use of mcp__x", false},
    };

    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        struct decision_terms terms = {.for_session = true, .every_use = uses[i].every_use};
        struct arena arena = {0};
        struct protocol request = parsed(uses[i].request, &arena);
        struct err err = {0};
        if (uses[i].amended)
            terms.input = span_of(uses[i].amended);
        if (uses[i].pattern)
            terms.pattern = span_of(uses[i].pattern);
        bool ok = decision_settle(&terms, &request, &arena, &err);
        cr_assert_eq(ok, uses[i].rule != NULL, "%zu: %s", i, err.text);
        cr_assert(!ok || span_is(terms.pattern, uses[i].rule), "%zu", i);
        cr_assert(ok || strstr(err.text, uses[i].says), "%zu: %s", i, err.text);
        arena_free(&arena);
    }
}

Test(decision, terms_that_make_no_sense_are_refused)
{
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        const struct refused *one = &refused[i];
        struct arena arena = {0};
        struct protocol request = parsed(one->request, &arena), answer;
        struct err err = {0};
        cr_assert_not(
            decision_answer(&answer, one->decision, &request, &one->terms, NOW_US, &arena, &err),
            "%s", one->says);
        cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
        cr_assert(strstr(err.text, one->says), "%s: %s", one->says, err.text);
        arena_free(&arena);
    }
}

Test(decision, a_request_without_suggestions_has_no_first)
{
    static const char *const lists[] = {"", ",\"permission_suggestions\":[]"};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct decision_terms terms = {.suggested = both, .suggested_count = 1};
        struct arena arena = {0};
        struct str text = {0};
        struct err err;
        str_addf(&text,
                 "{\"type\":\"permission_request\",\"request_id\":\"p\",\"agent_id\":\"w\","
                 "\"tool_name\":\"B\",\"tool_use_id\":\"t\",\"description\":\"\",\"input\":{}%s}",
                 lists[i]);
        struct protocol request = parsed(str_c(&text), &arena), answer;
        cr_assert_not(
            decision_answer(&answer, DECISION_GRANT, &request, &terms, NOW_US, &arena, &err));
        str_free(&text);
        arena_free(&arena);
    }
}

Test(decision, a_verb_answers_its_kinds_and_no_other)
{
    static const struct {
        const char *request;
        unsigned verbs; /* 1 << enum decision */
    } kinds[] = {{PERMISSION, 1u << DECISION_GRANT | 1u << DECISION_DENY},
                 {PLAN, 1u << DECISION_APPROVE | 1u << DECISION_REJECT},
                 {HOST, 1u << DECISION_ALLOW_HOST | 1u << DECISION_DENY_HOST},
                 {SHUTDOWN, 1u << DECISION_ACCEPT | 1u << DECISION_DECLINE}};
    struct decision_terms terms = {.reason = span_of("x")};

    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        for (unsigned verb = 0; verb < DECISION_COUNT; verb++) {
            struct arena arena = {0};
            struct protocol request = parsed(kinds[i].request, &arena), answer;
            struct err err;
            cr_expect_eq(decision_answer(&answer, verb, &request, &terms, NOW_US, &arena, &err),
                         (bool)(kinds[i].verbs >> verb & 1), "%s: %s", kinds[i].request,
                         decisions[verb].name);
            arena_free(&arena);
        }
}

Test(decision, what_asks_for_nothing_gets_no_answer)
{
    for (size_t i = 0; i < FULL_COUNT; i++)
        for (unsigned verb = 0; verb < DECISION_COUNT; verb++) {
            struct decision_terms terms = {.reason = span_of("x")};
            struct arena arena = {0};
            struct protocol request = parsed(full[i], &arena), answer;
            struct err err;
            if (!protocol_wants_answer(request.kind))
                cr_expect_not(
                    decision_answer(&answer, verb, &request, &terms, NOW_US, &arena, &err), "%s",
                    full[i]);
            arena_free(&arena);
        }
}

Test(decision, verbs_are_words)
{
    enum decision decision;

    for (unsigned i = 0; i < DECISION_COUNT; i++) {
        cr_assert(decision_parse(span_of(decisions[i].name), &decision));
        cr_assert_eq(decision, i);
    }
    cr_assert_not(decision_parse(span_of("Approve"), &decision));
    cr_assert_not(decision_parse(span_of("appr"), &decision));
    cr_assert_not(decision_parse(span_of(""), &decision));
}

Test(decision, every_kind_that_asks_has_one_yes_and_one_no)
{
    static const enum kind asks[] = {KIND_QUESTION,   KIND_HANDOFF, KIND_ESCALATION, KIND_PLAN,
                                     KIND_PERMISSION, KIND_HOST,    KIND_SHUTDOWN};
    static const enum kind others[] = {KIND_MESSAGE, KIND_TASK, KIND_MODE, KIND_RULES, KIND_IDLE};
    enum decision decision;

    for (size_t i = 0; i < sizeof asks / sizeof *asks; i++)
        for (int yes = 0; yes < 2; yes++) {
            cr_assert(decision_of(asks[i], yes, &decision));
            cr_assert_eq(decisions[decision].yes, (bool)yes);
        }
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        cr_assert_not(decision_of(others[i], true, &decision) ||
                      decision_of(others[i], false, &decision));
}

/* --- words --- */

static const struct worded {
    enum kind kind;
    enum decision decision;
    struct decision_terms terms;
    struct decision_carrier carrier;
    const char *body, *payload, *type; /* NULL: absent */
} worded[] = {
    {KIND_PLAN,
     DECISION_APPROVE,
     PLAINLY,
     {.payload = true, .type = true},
     "Approved.",
     "{\"x_protocol\":\"plan_approval\",\"approved\":true}",
     NULL},
    {KIND_PLAN,
     DECISION_APPROVE,
     {.mode = {"plan", 4}},
     {.type = true},
     "Approved (permission mode: plan).",
     NULL,
     "plan-approval"},
    {KIND_PLAN,
     DECISION_REJECT,
     {.reason = {"too big", 7}},
     {.payload = true},
     "Rejected: too big",
     "{\"x_protocol\":\"plan_approval\",\"approved\":false}",
     NULL},
    {KIND_PLAN, DECISION_REJECT, {.reason = {"x", 1}}, {0}, "Rejected: x", NULL, NULL},
    {KIND_PERMISSION,
     DECISION_GRANT,
     {.reason = {"once", 4}},
     {.payload = true},
     "Granted: once",
     "{\"x_protocol\":\"permission\",\"approved\":true}",
     NULL},
    {KIND_PERMISSION, DECISION_DENY, PLAINLY, {.type = true}, "Denied.", NULL, NULL},
    {KIND_HOST,
     DECISION_ALLOW_HOST,
     PLAINLY,
     {.payload = true},
     "Allowed.",
     "{\"x_protocol\":\"host\",\"approved\":true}",
     NULL},
    {KIND_SHUTDOWN,
     DECISION_ACCEPT,
     PLAINLY,
     {.payload = true},
     "Accepted.",
     "{\"x_protocol\":\"shutdown\",\"approved\":true}",
     NULL},
    {KIND_HANDOFF,
     DECISION_DECLINE,
     {.reason = {"no time", 7}},
     {.payload = true},
     "Declined: no time",
     "{\"x_protocol\":\"handoff\",\"approved\":false}",
     NULL},
    {KIND_QUESTION, DECISION_ACCEPT, PLAINLY, {.payload = true}, "Accepted.", NULL, NULL},
    {KIND_ESCALATION,
     DECISION_ACCEPT,
     PLAINLY,
     {.payload = true, .type = true},
     "Accepted.",
     NULL,
     NULL},
};

static void assert_text(struct span text, const char *want)
{
    if (want)
        assert_span(text, want);
    else
        cr_assert_null(text.at, "%.*s", (int)text.len, text.at);
}

Test(decision, where_no_program_asks_it_is_words)
{
    for (size_t i = 0; i < sizeof worded / sizeof *worded; i++) {
        const struct worded *one = &worded[i];
        struct message message = {.kind = one->kind};
        struct draft draft = draft_new();
        struct arena arena = {0};
        struct err err;
        cr_assert(
            decision_say(&draft, one->decision, &message, &one->terms, one->carrier, &arena, &err));
        assert_text(draft.body, one->body);
        assert_text(draft.payload, one->payload);
        assert_text(draft.type, one->type);
        arena_free(&arena);
    }
}

Test(decision, words_are_refused_where_they_make_no_sense)
{
    static const struct {
        enum kind kind;
        enum decision decision;
        struct decision_terms terms;
        const char *says;
    } wrong[] = {
        {KIND_PLAN, DECISION_GRANT, PLAINLY, "is not answered with grant"},
        {KIND_MESSAGE, DECISION_ACCEPT, PLAINLY, "is not answered with accept"},
        {KIND_PLAN, DECISION_REJECT, PLAINLY, "needs a reason"},
        {KIND_PERMISSION, DECISION_GRANT, {.input = {"{}", 2}}, "only a program"},
        {KIND_PERMISSION, DECISION_GRANT, {.for_session = true}, "only a program"},
        {KIND_PERMISSION,
         DECISION_GRANT,
         {.suggested = both, .suggested_count = 1},
         "only a program"},
        {KIND_HANDOFF, DECISION_ACCEPT, {.mode = {"plan", 4}}, "goes with approve"},
    };

    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct message message = {.kind = wrong[i].kind};
        struct draft draft = draft_new();
        struct decision_carrier carrier = {0};
        struct arena arena = {0};
        struct err err = {0};
        cr_assert_not(decision_say(&draft, wrong[i].decision, &message, &wrong[i].terms, carrier,
                                   &arena, &err));
        cr_assert_eq(err.scope, ERR_REFUSED);
        cr_assert(strstr(err.text, wrong[i].says), "%s", err.text);
        arena_free(&arena);
    }
}

Test(decision, terms_are_told_in_a_few_words)
{
    static const struct {
        enum decision decision;
        struct decision_terms terms;
        const char *want;
    } told[] = {
        {DECISION_APPROVE, PLAINLY, "mode default"},
        {DECISION_APPROVE, {.mode = {"plan", 4}}, "mode plan"},
        {DECISION_GRANT, PLAINLY, ""},
        {DECISION_GRANT,
         {.input = {"{}", 2}, .suggested = both, .suggested_count = 2},
         "with the input {} instead, suggestion 1, suggestion 2"},
        {DECISION_GRANT, {.for_session = true, .pattern = {"ls:*", 4}}, "for the session: ls:*"},
        {DECISION_GRANT, {.for_session = true, .every_use = true}, "for the session: every use"},
        {DECISION_GRANT,
         {.suggested = both, .suggested_count = 1, .for_session = true, .every_use = true},
         "suggestion 1, for the session: every use"},
        {DECISION_DENY, {.reason = {"no", 2}}, "\"no\""},
        {DECISION_APPROVE, {.mode = {"plan", 4}, .reason = {"go", 2}}, "mode plan, \"go\""},
    };

    for (size_t i = 0; i < sizeof told / sizeof *told; i++) {
        struct str out = {0};
        decision_add_terms(&out, told[i].decision, &told[i].terms);
        cr_assert_str_eq(str_c(&out), told[i].want);
        str_free(&out);
    }
}
