/* Tests the Claude layout: the members of a team, and its tasks. */
#include "claude_support.h"

static struct members members;
static struct arena arena;
static struct err err;

static bool read_roster(const char *text)
{
    char *copy = strdup(text);

    free(members.items);
    members = (struct members){0};
    bool ok = claude_format.parse_roster(span_of(copy), &members, &arena, &err);
    memset(copy, 'x', strlen(copy)); /* the names are in the arena */
    free(copy);
    return ok;
}

static void finish(void)
{
    free(members.items);
    members = (struct members){0};
    arena_free(&arena);
}

TestSuite(claude_team, .fini = finish);

Test(claude_team, a_config_names_the_team_and_its_members)
{
    static const struct {
        const char *name, *color, *role;
        bool lead, idle;
    } want[] = {{"team-lead", NULL, "team-lead", true, false},
                {"ann", "blue", "general-purpose", false, true},
                {"b\xc3\xb6", "#ff0000", NULL, false, false},
                {"cy", NULL, NULL, false, false}};

    cr_assert(
        read_roster("{\n  \"name\": \"Web \\u0044ev\",\n  \"leadAgentId\": \"team-lead@web\",\n"
                    "  \"members\": [\n"
                    "    {\"agentId\": \"team-lead@web\", \"name\": \"team-lead\", "
                    "\"agentType\": \"team-lead\", \"tmuxPaneId\": \"\", \"subscriptions\": []},\n"
                    "    {\"agentId\": \"ann@web\", \"name\": \"ann\", \"agentType\": "
                    "\"general-purpose\", \"color\": \"blue\", \"isActive\": false},\n"
                    "    {\"name\": \"b\\u00f6\", \"color\": \"#ff0000\", \"isActive\": true},\n"
                    "    {\"name\": \"cy\", \"color\": 7, \"isActive\": \"false\", \"x\": {}}\n"
                    "  ],\n  \"more\": {\"members\": []}\n}"),
        "%s", err.text);
    assert_span(members.team, "Web Dev");
    cr_assert_eq(members.count, 4);
    for (size_t i = 0; i < 4; i++) {
        const struct member *member = &members.items[i];
        assert_span(member->name, want[i].name);
        cr_assert(span_is(member->color, want[i].color), "%s", want[i].name);
        cr_assert(span_is(member->role, want[i].role), "%s", want[i].name);
        cr_assert_eq(member->lead, want[i].lead, "%s", want[i].name);
        cr_assert_eq(member->idle, want[i].idle, "%s", want[i].name);
        cr_assert_not(member->gone);
    }
}

/* Asserts that member number `lead` of three is the lead. */
static void expect_lead(const char *lead_id, const char *a, const char *b, const char *c, int lead)
{
    struct str text = {0};

    str_addf(&text, "{\"leadAgentId\":\"%s\",\"members\":[%s,%s,%s]}", lead_id, a, b, c);
    cr_assert(read_roster(str_c(&text)), "%s", err.text);
    cr_assert_eq(members.count, 3);
    for (int i = 0; i < 3; i++)
        cr_assert_eq(members.items[i].lead, i == lead, "%d in %s", i, str_c(&text));
    str_free(&text);
}

Test(claude_team, the_lead_is_who_is_named_else_whose_role_it_is_else_who_is_called_so)
{
#define NAMED "{\"name\":\"team-lead\",\"agentId\":\"n@t\"}"
#define ROLE(role) "{\"name\":\"r\",\"agentId\":\"r@t\",\"agentType\":\"" role "\"}"
#define OTHER "{\"name\":\"o\",\"agentId\":\"o@t\",\"agentType\":\"general-purpose\"}"
    expect_lead("o@t", NAMED, ROLE("team-lead"), OTHER, 2);
    expect_lead("n@t", OTHER, ROLE("lead"), NAMED, 2);
    expect_lead("gone@t", NAMED, ROLE("team-lead"), OTHER, 1);
    expect_lead("gone@t", NAMED, OTHER, ROLE("coordinator"), 2);
    expect_lead("", NAMED, OTHER, ROLE("lead"), 2);
    expect_lead("gone@t", OTHER, NAMED, ROLE("leader"), 1);
    expect_lead("gone@t", OTHER, ROLE("x"), OTHER, -1);
}

Test(claude_team, members_that_are_none_are_left_out)
{
    cr_assert(read_roster("{\"leadAgentId\":\"x\",\"members\":[7,null,{},{\"name\":\"\"},"
                          "{\"name\":5},[],{\"name\":\"a\"},{\"name\":\"b\",\"name\":\"c\"}]}"));
    cr_assert_eq(members.count, 2);
    assert_span(members.items[0].name, "a");
    assert_span(members.items[1].name, "c");
    cr_assert(read_roster("{\"leadAgentId\":\"x\",\"members\":[]}"));
    cr_assert(members.count == 0 && !members.team.at);
}

Test(claude_team, members_are_added_to_those_that_are_there)
{
    cr_assert(read_roster("{\"leadAgentId\":\"a@t\",\"members\":[{\"name\":\"team-lead\","
                          "\"agentId\":\"a@t\"}]}"));
    cr_assert(claude_format.parse_roster(
        span_of("{\"leadAgentId\":\"b@u\",\"members\":[{\"name\":\"x\",\"agentId\":\"x@u\"},"
                "{\"name\":\"b\",\"agentId\":\"b@u\"}]}"),
        &members, &arena, &err));
    cr_assert_eq(members.count, 3);
    cr_assert(members.items[0].lead && !members.items[1].lead && members.items[2].lead);
}

Test(claude_team, what_is_no_team_is_refused_with_the_reason)
{
    static const char *const bad[] = {"",
                                      "[]",
                                      "7",
                                      "{}",
                                      "{\"leadAgentId\":\"x\"}",
                                      "{\"leadAgentId\":\"x\",\"members\":{}}",
                                      "{\"leadAgentId\":\"x\",\"members\":null}",
                                      "{\"leadAgentId\":\"x\",\"members\":[]",
                                      "{\"leadAgentId\":\"x\",\"members\":[{\"name\":\"a\"}]}x",
                                      "{\"teamId\":\"w\",\"teamName\":\"W\",\"teammates\":{}}"};

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        err = (struct err){0};
        cr_assert_not(read_roster(bad[i]), "%s", bad[i]);
        cr_assert(err.text[0] && members.count == 0, "%s", bad[i]);
    }
}

static bool read_task(const char *text, struct task *task)
{
    char *copy = strdup(text);

    *task = (struct task){0};
    bool ok = claude_format.parse_task(span_of(copy), task, &arena);
    memset(copy, 'x', strlen(copy));
    free(copy);
    return ok;
}

Test(claude_team, a_task_is_read)
{
    struct task task;

    cr_assert(read_task("{\"id\":\"12\",\"subject\":\"Do \\u00e9\",\"description\":\"d\","
                        "\"activeForm\":\"Doing\",\"owner\":\"ann\",\"status\":\"in_progress\","
                        "\"blocks\":[\"13\"],\"blockedBy\":[\"1\", \"2\"],\"metadata\":{}}",
                        &task));
    assert_span(task.id, "12");
    assert_span(task.subject, "Do \xc3\xa9");
    assert_span(task.owner, "ann");
    assert_span(task.status, "in_progress");
    cr_assert(read_task("{\"id\":\"1\",\"owner\":null,\"status\":7}", &task));
    cr_assert(!task.owner.at && !task.status.at && !task.subject.at);
}

Test(claude_team, only_entries_that_are_marked_as_internal_are_none)
{
    static const struct {
        const char *metadata;
        bool task;
    } cases[] = {{"{\"_internal\":true}", false},
                 {"{\"a\":1,\"_internal\":true}", false},
                 {"{\"_internal\":false,\"_internal\":true}", false},
                 {"{\"_internal\":false}", true},
                 {"{\"_internal\":\"true\"}", true},
                 {"{\"x\":{\"_internal\":true}}", true},
                 {"null", true},
                 {"[true]", true}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str text = {0};
        struct task task;
        str_addf(&text, "{\"id\":\"1\",\"subject\":\"s\",\"metadata\":%s}", cases[i].metadata);
        cr_assert_eq(read_task(str_c(&text), &task), cases[i].task, "%s", str_c(&text));
        str_free(&text);
    }
}

Test(claude_team, what_has_no_id_is_no_task)
{
    static const char *const bad[] = {"", "[]", "{}", "{\"id\":\"\"}", "{\"id\":\"1\"", "null"};
    struct task task;

    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        cr_assert_not(read_task(bad[i], &task), "%s", bad[i]);
}
