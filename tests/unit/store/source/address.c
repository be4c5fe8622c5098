/* Tests addresses: what AGENT and AGENT@TEAM mean where teams, names and files differ. */
#include "tests/unit/support.h"

#include "store/layouts/adr.h"
#include "store/source/address.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define ALPHA "mail/teams/alpha/"
#define BETA "mail/teams/beta/"

static struct tmp tmp;
static struct source source;
static struct arena arena;
static struct address found;
static struct err err;

static void open_as(const char *identity)
{
    char spec[512];

    source_close(&source);
    snprintf(spec, sizeof spec, "claude:%s/mail", tmp.path);
    cr_assert(source_open(&source, spec, identity, NULL, &err), "%s", err.text);
}

static void put(const char *path, const char *text)
{
    tmp_write(&tmp, path, span_of(text));
}

static void make(void)
{
    source = (struct source){.root = -1};
    tmp_make(&tmp);
    tmp_write(&tmp, "mail/teams/.keep", span_of(""));
}

static void clear(void)
{
    source_close(&source);
    arena_free(&arena);
    tmp_remove(&tmp);
}

TestSuite(address, .init = make, .fini = clear);

/* Makes two teams that both have bob; the title of the second is the directory of the first. */
static void make_teams(void)
{
    put(ALPHA "config.json",
        "{\"name\":\"First Team\",\"leadAgentId\":\"team-lead@alpha\",\"members\":["
        "{\"name\":\"team-lead\",\"agentId\":\"team-lead@alpha\"},"
        "{\"name\":\"bob\",\"agentId\":\"bob@alpha\",\"color\":\"blue\"},"
        "{\"name\":\"Dev One\",\"color\":\"green\"},{\"name\":\"x@beta\"}]}");
    put(ALPHA "inboxes/bob.json", "[]");
    put(ALPHA "inboxes/user.json", "[]");
    put(ALPHA "inboxes/dev-one.json", "[]");
    put(BETA "config.json", "{\"name\":\"alpha\",\"leadAgentId\":\"team-lead@beta\",\"members\":["
                            "{\"name\":\"bob\",\"color\":\"red\"},{\"name\":\"cy\"}]}");
    put(BETA "inboxes/x.json", "[]");
    open_as(NULL);
}

static bool read_address(const char *text)
{
    err = (struct err){0};
    return address_read(&source, span_of(text), &found, &arena, &err);
}

static void expect(const char *text, const char *agent, const char *team, const char *box)
{
    cr_assert(read_address(text), "%s: %s", text, err.text);
    assert_span(found.agent, agent);
    assert_span(found.team, team);
    assert_span(found.box, box);
}

Test(address, a_name_that_one_team_knows_is_found_there)
{
    make_teams();
    expect("cy", "cy", "beta", "cy");
    cr_assert(found.on_roster && !found.has_box);
    expect("user", "user", "alpha", "user");
    cr_assert(!found.on_roster && found.has_box, "a box without a member is somebody too");
}

Test(address, a_name_that_several_teams_know_is_refused_with_those_teams)
{
    make_teams();
    cr_assert_not(read_address("bob"));
    cr_assert_eq(err.scope, ERR_REFUSED);
    cr_assert(strstr(err.text, "bob@alpha, bob@beta"), "%s", err.text);
    put("mail/teams/b/inboxes/bob.json", "[]"); /* its name is a part of the other names */
    cr_assert_not(read_address("bob"));
    cr_assert(strstr(err.text, "bob@alpha") && strstr(err.text, "bob@beta"), "%s", err.text);
    cr_assert(strstr(err.text, "bob@b,") || span_ends(span_of(err.text), "bob@b"), "%s", err.text);
}

Test(address, a_team_is_found_by_its_directory_before_any_title)
{
    make_teams();
    expect("bob@alpha", "bob", "alpha", "bob");
    assert_span(found.color, "blue");
    expect("bob@beta", "bob", "beta", "bob");
    assert_span(found.color, "red");
    cr_assert_not(found.has_box);
}

Test(address, a_team_is_found_by_its_title_and_by_how_it_is_spelled)
{
    make_teams();
    expect("bob@First Team", "bob", "alpha", "bob");
    put("mail/teams/My-Team-v2/inboxes/zed.json", "[]");
    put("mail/teams/low-case/inboxes/zed.json", "[]");
    expect("zed@My Team.v2", "zed", "My-Team-v2", "zed");
    expect("zed@Low_Case", "zed", "low-case", "zed");
}

Test(address, a_title_that_two_teams_have_does_not_choose_one)
{
    put(ALPHA "config.json",
        "{\"name\":\"Same\",\"leadAgentId\":\"\",\"members\":[{\"name\":\"bob\"}]}");
    put(BETA "config.json",
        "{\"name\":\"Same\",\"leadAgentId\":\"\",\"members\":[{\"name\":\"bob\"}]}");
    open_as(NULL);
    cr_assert_not(read_address("bob@Same"), "went to %.*s", (int)found.team.len, found.team.at);
    cr_assert_eq(err.scope, ERR_REFUSED);
}

Test(address, a_team_that_is_not_there_has_nobody)
{
    make_teams();
    if (read_address("bob@nowhere"))
        cr_assert(!found.has_box && !found.on_roster);
    else
        cr_assert_eq(err.scope, ERR_REFUSED);
    cr_assert_not(tmp_exists(&tmp, "mail/teams/nowhere"));
}

Test(address, a_name_with_an_at_sign_that_somebody_has_is_not_split)
{
    make_teams();
    expect("x@beta", "x@beta", "alpha", "x-beta");
    cr_assert(found.on_roster);
    expect("user@alpha", "user", "alpha", "user");
    expect("bob@alpha", "bob", "alpha", "bob");
}

Test(address, a_box_that_exists_in_another_spelling_is_used)
{
    make_teams();
    expect("Dev One", "Dev One", "alpha", "dev-one");
    cr_assert(found.has_box && found.on_roster);
    put(ALPHA "inboxes/Dev-One.json", "[]");
    expect("Dev One", "Dev One", "alpha", "Dev-One");
}

Test(address, a_box_in_another_spelling_is_that_of_a_member_and_of_nobody_else)
{
    make_teams();
    put(ALPHA "inboxes/a-b.json", "[]");
    expect("a. b@alpha", "a. b", "alpha", "a--b");
    cr_assert(!found.has_box && !found.on_roster, "nobody is called that");
    expect("Bob@alpha", "Bob", "alpha", "Bob");
    cr_assert(!found.has_box && !found.on_roster);
    put(ALPHA "inboxes/Dev-one.json", "[]");
    expect("Dev One", "Dev One", "alpha", "Dev-One");
    cr_assert(!found.has_box && found.on_roster, "it may have either of the two boxes");
    put(BETA "config.json", "{\"leadAgentId\":\"\",\"members\":[{\"name\":\"data_eng\"},"
                            "{\"name\":\"data-eng\"}]}");
    put(BETA "inboxes/data-eng.json", "[]");
    expect("data_eng", "data_eng", "beta", "data_eng");
    cr_assert(!found.has_box && found.on_roster, "the box is another member's");
    expect("data-eng", "data-eng", "beta", "data-eng");
    cr_assert(found.has_box);
}

Test(address, a_box_that_does_not_exist_is_derived)
{
    make_teams();
    expect("New.Name@alpha", "New.Name", "alpha", "New-Name");
    cr_assert(!found.has_box && !found.on_roster);
}

Test(address, the_only_team_is_meant_when_nobody_knows_the_name)
{
    put(ALPHA "inboxes/bob.json", "[]");
    open_as(NULL);
    expect("nobody", "nobody", "alpha", "nobody");
    cr_assert(!found.has_box && !found.on_roster);
    put(BETA "inboxes/bob.json", "[]");
    cr_assert(read_address("nobody"));
    cr_assert_null(found.team.at, "with two teams none is meant");
}

Test(address, our_own_team_is_meant_first)
{
    make_teams();
    open_as("cy@beta");
    expect("bob", "bob", "beta", "bob");
    expect("user", "user", "alpha", "user");
    expect("bob@alpha", "bob", "alpha", "bob");
}

Test(address, names_that_cannot_be_a_box_are_refused)
{
    make_teams();
    cr_assert_not(read_address(""));
    cr_assert_eq(err.scope, ERR_REFUSED);
    cr_assert(read_address("@") && found.agent.len == 1);
    cr_assert(read_address("bob@") && span_is(found.agent, "bob@"));
}

Test(address, the_name_of_a_box_means_the_member_who_has_it)
{
    put(ALPHA "config.json", "{\"leadAgentId\":\"\",\"members\":[{\"name\":\"a.b\"},"
                             "{\"name\":\"c.d\"},{\"name\":\"c d\"}]}");
    open_as(NULL);
    expect("a-b", "a.b", "alpha", "a-b");
    cr_assert(found.on_roster);
    expect("c-d", "c-d", "alpha", "c-d");
    cr_assert_not(found.on_roster, "two have it: none is meant");
}

static void expect_collision(const char *text, const char *other)
{
    struct agent_names names = {0};

    cr_assert(address_book(&source, &names, &err), "%s", err.text);
    cr_assert(address_resolve(&source, &names, span_of(text), &found, &arena, &err));
    struct span got = address_collision(&source, &names, &found);
    cr_assert(span_is(got, other), "%s: %.*s", text, (int)got.len, got.at);
    agent_names_free(&names);
}

Test(address, two_members_who_share_a_box_are_told)
{
    put(ALPHA "config.json", "{\"leadAgentId\":\"\",\"members\":[{\"name\":\"a.b\"},"
                             "{\"name\":\"a-b\"},{\"name\":\"solo\"},{\"name\":\"A-b\"}]}");
    put(BETA "config.json", "{\"leadAgentId\":\"\",\"members\":[{\"name\":\"so.lo\"}]}");
    open_as(NULL);
    expect_collision("a.b", "a-b");
    expect_collision("a-b", "a.b");
    expect_collision("solo", NULL);
    expect_collision("A-b", NULL);
    expect_collision("so-lo@alpha", NULL);
}

static bool owns(const char *agent, const struct place *place, const char *to)
{
    const struct message message = {.place = place, .to = span_of(to)};

    return address_is_owner(&source, &message, span_of(agent));
}

Test(address, an_owner_is_known_by_any_spelling_and_in_the_right_team)
{
    const struct place alpha = {.team = span_of("alpha"), .box = span_of("dev-one")};

    make_teams();
    cr_assert(owns("Dev One", &alpha, "dev-one"));
    cr_assert(owns("dev-one", &alpha, "dev-one"));
    cr_assert(owns("Dev One@alpha", &alpha, "dev-one"));
    cr_assert_not(owns("Dev One@beta", &alpha, "dev-one"));
    cr_assert_not(owns("dev-two", &alpha, "dev-one"));
    cr_assert_not(owns("", &alpha, "dev-one"));
}

Test(address, mail_is_ours_in_our_own_team)
{
    const struct place places[] = {{.team = span_of("alpha"), .box = span_of("bob")},
                                   {.team = span_of("beta"), .box = span_of("bob")}};
    const struct message messages[] = {{.place = &places[0], .to = span_of("bob")},
                                       {.place = &places[1], .to = span_of("bob")}};

    make_teams();
    open_as("bob@beta");
    cr_assert_not(address_is_ours(&source, &messages[0]));
    cr_assert(address_is_ours(&source, &messages[1]));
    open_as("bob");
    cr_assert(address_is_ours(&source, &messages[0]) && address_is_ours(&source, &messages[1]));
    open_as("cy");
    cr_assert_not(address_is_ours(&source, &messages[1]));
    cr_assert_not(address_refuse(&source, &messages[1], &err));
    cr_assert(err.scope == ERR_REFUSED && strstr(err.text, "--as bob@beta"), "%s", err.text);
}

Test(address, where_names_are_exact_the_swarm_may_be_left_out_on_one_side)
{
    const struct place place = {.box = span_of("bob")};
    char spec[512];

    put("adr/bob/inbox/.keep", "");
    snprintf(spec, sizeof spec, "adr:%s/adr", tmp.path);
    cr_assert(source_open(&source, spec, NULL, NULL, &err), "%s", err.text);
    cr_assert(owns("bob", &place, "bob"));
    cr_assert(owns("dev/bob", &place, "bob"));
    cr_assert(owns("bob", &place, "dev/bob"));
    cr_assert_not(owns("ops/bob", &place, "dev/bob"));
    cr_assert_not(owns("Bob", &place, "bob"));
}

Test(address, a_roster_entry_is_meant_by_its_name_with_and_without_the_swarm)
{
    const struct agent_name member = {.team = span_of("dev"), .name = span_of("bob")};
    const struct agent_name loner = {.name = span_of("bob")};

    cr_assert(address_is_member(&member, span_of("bob")));
    cr_assert(address_is_member(&member, span_of("dev/bob")));
    cr_assert_not(address_is_member(&member, span_of("ops/bob")));
    cr_assert_not(address_is_member(&member, span_of("dev_bob")));
    cr_assert_not(address_is_member(&member, span_of("dev/bo")));
    cr_assert_not(address_is_member(&loner, span_of("/bob")));
}
