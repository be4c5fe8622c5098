/* Tests agent identities: every spelling of one agent leads to it, and no other agent's. */
#include "tests/unit/support.h"

#include "store/source/agent_directory.h"

#include <stdio.h>

static struct tmp tmp;
static struct source source;
static struct agent_names names;
static struct agent_keys keys;
static struct err err;

static void make(void)
{
    source = (struct source){.root = -1};
    tmp_make(&tmp);
}

static void clear(void)
{
    agent_keys_free(&keys);
    agent_names_free(&names);
    source_close(&source);
    tmp_remove(&tmp);
}

TestSuite(agent_key, .init = make, .fini = clear);

static void put(const char *path, const char *text)
{
    tmp_write(&tmp, path, span_of(text));
}

static void read_names(const char *format, const char *root)
{
    char spec[512];

    snprintf(spec, sizeof spec, "%s:%s/%s", format, tmp.path, root);
    cr_assert(source_open(&source, spec, NULL, NULL, &err), "%s", err.text);
    cr_assert(address_book(&source, &names, &err), "%s", err.text);
    agent_keys_build(&keys, source.format, &names);
}

/* Compares the key as TEAM and NAME, each "" when absent, and its spelling for people; also when it
 * is looked up again, which allocates nothing. */
static void assert_key(const char *team, const char *name, const char *want_team, const char *want,
                       const char *spelled)
{
    struct agent_id id, again;

    cr_assert(agent_keys_find(&keys, span_of(team), span_of(name), &id), "%s", name);
    cr_assert(agent_keys_find(&keys, span_of(team), span_of(name), &again), "%s", name);
    cr_assert(again.name.at == id.name.at && again.team.at == id.team.at &&
                  again.spelled.at == id.spelled.at,
              "%s", name);
    assert_span(id.team, want_team);
    assert_span(id.name, want);
    assert_span(id.spelled, spelled);
}

Test(agent_key, bare_and_qualified_names_and_boxes_of_a_swarm_are_one)
{
    put("swarms/dev/agents/architect.md", "");
    put("workspace/mailboxes/architect/inbox/.keep", "");
    put("workspace/mailboxes/dev_architect/inbox/.keep", "");
    read_names("adr", "workspace/mailboxes");
    assert_key(NULL, "architect", "dev", "architect", "");
    assert_key(NULL, "dev/architect", "dev", "architect", "");
    assert_key(NULL, "dev_architect", "dev", "architect", "");
    assert_key("dev", "architect", "dev", "architect", "");
    assert_key(NULL, "ops/architect", "", "ops/architect", "");
    assert_key(NULL, "Architect", "", "Architect", "");
}

Test(agent_key, a_bare_name_that_two_swarms_have_stays_apart)
{
    put("swarms/dev/agents/architect.md", "");
    put("swarms/ops/agents/architect.md", "");
    put("workspace/mailboxes/architect/inbox/.keep", "");
    read_names("adr", "workspace/mailboxes");
    assert_key(NULL, "architect", "", "architect", "");
    assert_key(NULL, "dev/architect", "dev", "architect", "");
    assert_key(NULL, "ops/architect", "ops", "architect", "");
}

Test(agent_key, the_box_of_a_member_is_the_member)
{
    put("teams/web/config.json", "{\"name\":\"web\",\"members\":[{\"name\":\"My Agent.v2\"},"
                                 "{\"name\":\"a.b\"},{\"name\":\"a-b\"}]}");
    put("teams/web/inboxes/My-Agent-v2.json", "[]");
    read_names("claude", "");
    assert_key("web", "My Agent.v2", "web", "My Agent.v2", "");
    assert_key("web", "My-Agent-v2", "web", "My Agent.v2", "");
    assert_key("ops", "My-Agent-v2", "ops", "My-Agent-v2", "");
    assert_key("web", "a.b", "web", "a.b", "");
    assert_key("web", "a-b", "web", "a-b", "");
}

Test(agent_key, another_spelling_counts_only_without_the_plain_one)
{
    put("teams/web/config.json", "{\"name\":\"web\",\"members\":[{\"name\":\"Big Bob\"}]}");
    put("teams/web/inboxes/big-bob.json", "[]");
    put("teams/ops/config.json", "{\"name\":\"ops\",\"members\":[{\"name\":\"Big Bob\"}]}");
    put("teams/ops/inboxes/big-bob.json", "[]");
    put("teams/ops/inboxes/Big-Bob.json", "[]");
    read_names("claude", "");
    assert_key("web", "big-bob", "web", "Big Bob", "");
    assert_key("ops", "big-bob", "ops", "big-bob", "");
    assert_key("ops", "Big-Bob", "ops", "Big Bob", "");
}

Test(agent_key, who_is_on_no_roster_is_known_by_the_box)
{
    put("teams/web/inboxes/My-Agent-v2.json", "[]");
    read_names("claude", "");
    assert_key("web", "My Agent.v2", "web", "My-Agent-v2", "My Agent.v2");
    assert_key("web", "My-Agent-v2", "web", "My-Agent-v2", "");
    assert_key("web", "No Box", "web", "No-Box", "No Box");
}

Test(agent_key, aliases_of_an_inbox_are_that_inbox)
{
    put("scheduler/inboxes/task-managers/archive/.keep", "");
    put("scheduler/inboxes/coordinator/archive/.keep", "");
    read_names("inbox", "scheduler/inboxes");
    assert_key(NULL, "task-manager", "", "task-managers", "");
    assert_key(NULL, "tm", "", "task-managers", "");
    assert_key(NULL, "coord", "", "coordinator", "");
    assert_key(NULL, "pm", "", "pm", "");
}

Test(agent_key, all_is_nobody_where_it_means_everybody)
{
    struct agent_id id;

    put("teams/web/mailbox/.keep", "");
    put("teams/web/config.json", "{\"teamId\":\"web\",\"teamName\":\"web\",\"leadSessionKey\":"
                                 "\"k\",\"teammates\":{\"tm1\":{\"teammateId\":\"tm1\"}}}");
    read_names("openclaw", "teams");
    cr_assert(!agent_keys_find(&keys, span_of("web"), span_of("all"), &id));
    cr_assert(!agent_keys_find(&keys, span_of("web"), span_of(""), &id));
    assert_key("web", "tm1", "web", "tm1", "");
    assert_key("web", "guest", "web", "guest", "");
}

Test(agent_key, a_box_that_two_members_would_share_is_neither)
{
    put("swarms/dev/agents/x_y.md", "");
    put("swarms/dev_x/agents/y.md", "");
    put("workspace/mailboxes/dev_x_y/inbox/.keep", "");
    read_names("adr", "workspace/mailboxes");
    assert_key(NULL, "dev_x_y", "", "dev_x_y", "");
    assert_key(NULL, "dev/x_y", "dev", "x_y", "");
    assert_key(NULL, "dev_x/y", "dev_x", "y", "");
}

Test(agent_key, a_name_without_a_team_is_none_of_the_members)
{
    put("teams/web/config.json", "{\"name\":\"web\",\"members\":[{\"name\":\"bob\"}]}");
    read_names("claude", "");
    assert_key("", "bob", "", "bob", "");
    assert_key("web", "bob", "web", "bob", "");
}
