/* Tests tools: the part of an input that says what is done, and when it can become a rule. */
#include "tests/unit/support.h"

#include "base/mem.h"
#include "mail/protocol/tool.h"

Test(tool, the_member_that_tells_most_says_what_is_done)
{
    static const struct {
        const char *tool, *input, *use;
    } uses[] = {
        {"Bash", "{\"description\":\"d\",\"command\":\" ls \"}", "ls"},
        {"Write", "{\"command\":\"ls\",\"file_path\":\"/x\"}", "/x"},
        {"mcp__x", "{\"url\":\"u\",\"command\":\"c\",\"path\":\"p\"}", "c"},
        {"Bash", "{\"command\":[\"ls\"]}", "{\"command\":[\"ls\"]}"},
        {"Bash", "{}", ""},
        {"Bash", "", ""},
        {"Bash", "\"ls\"", "\"ls\""}, /* no object: used as it is */
    };

    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        struct arena arena = {0};
        assert_span(tool_use(span_of(uses[i].tool), span_of(uses[i].input), &arena), uses[i].use);
        arena_free(&arena);
    }
}

Test(tool, a_rule_is_the_very_use_or_none)
{
    static const struct {
        const char *tool, *input, *rule; /* NULL: it cannot become a rule */
    } rules[] = {
        {"Bash", "{\"command\":\"make a\"}", "make a"},
        {"Bash", "{\"command\":7,\"description\":\"d\"}", ""},
        {"Bash", "", ""},
        {"Bash", "\"ls\"", ""},
        {"mcp__x", "{\"n\":1,\"url\":\"http://x\"}", "http://x"},
        {"Bash", "{\"command\":\"ls *\"}", NULL},
        {"Bash", "{\"command\":\"ls\\nrm x\"}", NULL},
        {"Bash", "{\"command\":\"ls\\u0000rm x\"}", NULL},
        {"Bash", "{\"command\":\"f() (x)\"}", NULL},
    };

    for (size_t i = 0; i < sizeof rules / sizeof *rules; i++) {
        struct arena arena = {0};
        struct span rule;
        bool ok = tool_rule(span_of(rules[i].tool), span_of(rules[i].input), &rule, &arena);
        cr_assert_eq(ok, rules[i].rule != NULL, "%s", rules[i].input);
        cr_assert(!ok || span_is(rule, rules[i].rule), "%s", rules[i].input);
        arena_free(&arena);
    }
}
