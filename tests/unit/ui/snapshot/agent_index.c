/* Tests the index of agents by their names in mail, and the sidebar that counts by it. */
#include "tests/unit/mail/thread/conversation_support.h"

#include "ui/mail/sidebar.h"
#include "ui/snapshot/agent_index.h"

static struct span bob_names[] = {{"bob", 3}, {"crew/bob", 8}};
static struct agent items[] = {
    {.source = 0,
     .team = {"web", 3},
     .name = {"bob", 3},
     .role = {"Builder", 7},
     .state = AGENT_STUCK,
     .names = {.items = bob_names, .count = 2}},
    {.source = 0, .team = {"web", 3}, .name = {"carol", 5}, .state = AGENT_WAITS_YOU},
    {.source = 1, .team = {"ops", 3}, .name = {"bob", 3}, .state = AGENT_IDLE},
    {.source = 2, .team = {"crew", 4}, .name = {"dan", 3}, .state = AGENT_GONE},
};
static const struct agents four = {.items = items, .count = 4};
static struct who_index who;

static void clear(void)
{
    agent_index_free(&who);
}

TestSuite(who, .fini = clear);

static uint32_t find(uint32_t source, const char *team, const char *name)
{
    return agent_index_find(&who, source, span_of(team), span_of(name));
}

Test(who, the_same_name_in_two_sources_is_two_agents)
{
    agent_index_build(&who, &four);
    cr_assert(find(0, "web", "bob") == 0);
    cr_assert(find(1, "ops", "bob") == 2);
    cr_assert(find(1, "web", "bob") == AGENT_NONE && find(0, "ops", "bob") == AGENT_NONE);
}

Test(who, every_spelling_finds_the_agent)
{
    agent_index_build(&who, &four);
    cr_assert(find(0, "web", "crew/bob") == 0);
}

Test(who, a_team_that_only_the_roster_knows_does_not_hide_the_agent)
{
    agent_index_build(&who, &four);
    cr_assert(find(2, NULL, "dan") == 3);
}

Test(who, nobody_is_found_by_no_name)
{
    agent_index_build(&who, &four);
    cr_assert(find(0, "web", "") == AGENT_NONE && find(0, "web", NULL) == AGENT_NONE);
    agent_index_build(&who, &(struct agents){0});
    cr_assert(find(0, "web", "bob") == AGENT_NONE);
}

Test(who, parts_of_names_do_not_run_into_each_other)
{
    struct agent odd[] = {{.team = {"a", 1}, .name = {"bc", 2}},
                          {.team = {"ab", 2}, .name = {"c", 1}}};
    struct agents agents = {.items = odd, .count = 2};
    struct str one = {0}, other = {0};

    agent_index_build(&who, &agents);
    cr_assert(find(0, "a", "bc") == 0 && find(0, "ab", "c") == 1);
    agent_index_add_key(&one, &odd[0]);
    agent_index_add_key(&other, &odd[1]);
    cr_assert(!span_eq(str_span(&one), str_span(&other)));
    cr_assert(agent_index_with_key(&agents, str_span(&other)) == 1);
    cr_assert(agent_index_with_key(&agents, span_of("0 1 a")) == AGENT_NONE);
    str_free(&one);
    str_free(&other);
}

static void assert_label(size_t number, bool with_team, bool apart, const char *want)
{
    struct str label = {0};

    agent_index_add_label(&label, &who, &items[number], with_team, apart);
    assert_span(str_span(&label), want);
    str_free(&label);
}

Test(who, a_label_has_the_team_where_the_name_is_not_enough)
{
    agent_index_build(&who, &four);
    assert_label(0, false, true, "bob@web");
    assert_label(1, false, true, "carol");
    assert_label(1, true, true, "carol@web");
    assert_label(3, true, false, "crew/dan");
    cr_assert(who.teams && who.sources);
}

Test(who, a_name_with_its_team_is_written_as_mail_is_kept)
{
    cr_assert(agent_index_is_called(&items[1], span_of("carol"), true));
    cr_assert(agent_index_is_called(&items[0], span_of("crew/bob"), true), "by any of its names");
    cr_assert(agent_index_is_called(&items[1], span_of("carol@web"), true));
    cr_assert_not(agent_index_is_called(&items[1], span_of("web/carol"), true));
    cr_assert(agent_index_is_called(&items[3], span_of("crew/dan"), false));
    cr_assert_not(agent_index_is_called(&items[3], span_of("dan@crew"), false));
    cr_assert_not(agent_index_is_called(&items[3], span_of("web/dan"), false));
}

Test(who, all_words_of_a_filter_have_to_match)
{
    cr_assert(agent_index_matches(&items[0], span_of("")));
    cr_assert(agent_index_matches(&items[0], span_of("  BOB stuck ")));
    cr_assert(agent_index_matches(&items[0], span_of("build web")));
    cr_assert_not(agent_index_matches(&items[0], span_of("bob ops")));
    cr_assert_not(agent_index_matches(&items[2], span_of("stuck")));
    cr_assert(agent_index_matches(&items[1], span_of("waits-you")));
}

/* --- the sidebar --- */

static struct talking t;

static void end(void)
{
    finish(&t);
    agent_index_free(&who);
}

static void count(struct sidebar *side)
{
    agent_index_build(&who, &four);
    sidebar_count(side, four.count, &who, &t.conversations);
}

TestSuite(sidebar, .fini = end);

Test(sidebar, unread_mail_counts_for_everybody_who_takes_part_once)
{
    struct sidebar side = {0};

    put(&t, &desk, "bob", "lead", "one", 5)->thread = span_of("T");
    put(&t, &desk, "bob", "lead", "two", 4)->thread = span_of("T");
    put(&t, &desk, "carol", "lead", "three", 3)->thread = span_of("T");
    put(&t, &floor_, "carol", "bob", "not for the person", 3);
    build(&t);
    count(&side);
    cr_assert(side.all.unread == 1 && side.agents[0].unread == 1 && side.agents[1].unread == 1);
    cr_assert(side.agents[2].unread == 0 && side.agents[3].unread == 0);
    cr_assert(side.all.needs == 0);
    sidebar_free(&side);
}

Test(sidebar, what_needs_the_person_counts_for_who_asks_and_not_for_who_takes_part)
{
    struct sidebar side = {0};

    ask(&t, KIND_PERMISSION, "carol", "lead", "r1", 5);
    ask(&t, KIND_PERMISSION, "carol", "lead", "r2", 5);
    build(&t);
    count(&side);
    cr_assert(side.all.needs == 2 && side.agents[1].needs == 2 && side.agents[0].needs == 0);
    sidebar_free(&side);
}

Test(sidebar, an_agent_that_may_be_stuck_needs_the_person)
{
    struct sidebar side = {0};

    put(&t, &floor_, "carol", "bob", "are you there", 60);
    t.hints[0] = (struct conversation_hint){0, span_of("bob"), span_of("silent"), TIME_NONE, NULL};
    t.hint_count = 1;
    build(&t);
    count(&side);
    cr_assert(side.all.needs == 1 && side.agents[0].needs == 1 && side.agents[1].needs == 0);
    sidebar_free(&side);
}

Test(sidebar, what_is_archived_counts_for_nothing)
{
    struct sidebar side = {0};

    put(&t, &shelf, "bob", "lead", "old", 5);
    build(&t);
    count(&side);
    cr_assert(side.all.unread == 0 && side.agents[0].unread == 0);
    sidebar_free(&side);
}

Test(sidebar, a_line_is_everybody_or_an_agent)
{
    struct sidebar side = {.count = 3, .rows = 10};
    uint32_t agent = 7;

    cr_assert_not(sidebar_at(&side, 0, &agent), "that is the heading");
    cr_assert(sidebar_at(&side, 1, &agent) && agent == AGENT_NONE);
    cr_assert(sidebar_at(&side, 4, &agent) && agent == 2);
    cr_assert_not(sidebar_at(&side, 5, &agent));
    side.top = 2;
    cr_assert(sidebar_at(&side, 1, &agent) && agent == 1);
}
