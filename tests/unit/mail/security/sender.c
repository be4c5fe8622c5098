/* Tests senders: what is said about the sender of a request. */
#include "tests/unit/support.h"

#include "mail/security/sender.h"

static const struct span team[] = {{"team-lead", 9}, {"builder-1", 9}, {"tester-2", 8}};
static const struct span known[] = {{"builder-1", 9}, {"infra-4", 7}};

/* Returns facts without anything suspicious: a team of three, and another known agent. */
static struct sender_facts facts_of(const char *name)
{
    return (struct sender_facts){.name = span_of(name),
                                 .roster = team,
                                 .roster_count = 3,
                                 .has_roster = true,
                                 .others = known,
                                 .other_count = 2,
                                 .lead = span_of("team-lead"),
                                 .us = span_of("user")};
}

static void expect(const struct sender_facts *facts, unsigned flags, const char *want)
{
    struct span_list says = {0};
    struct arena arena = {0};
    struct str got = {0};

    cr_expect_eq(sender_judge(facts, &says, &arena), flags, "%s", want);
    for (size_t i = 0; i < says.count; i++) {
        str_puts(&got, i ? "; " : "");
        str_add_span(&got, says.items[i]);
    }
    cr_assert_str_eq(str_c(&got), want);
    str_free(&got);
    span_list_free(&says);
    arena_free(&arena);
}

static void expect_name(const char *name, unsigned flags, const char *want)
{
    struct sender_facts facts = facts_of(name);

    expect(&facts, flags, want);
}

Test(sender, who_is_on_the_roster_is_fine)
{
    expect_name("builder-1", SENDER_FINE, "sender: on the roster");
}

Test(sender, who_is_not_on_the_roster_is_told)
{
    expect_name("stranger", SENDER_OFF_ROSTER, "sender: not on the roster");
    expect_name("infra-4", SENDER_OFF_ROSTER, "sender: not on the roster");
    expect_name("builder", SENDER_OFF_ROSTER, "sender: not on the roster");
}

Test(sender, without_a_roster_nothing_is_claimed)
{
    struct sender_facts facts = {.name = span_of("bob")};

    expect(&facts, SENDER_NO_ROSTER, "sender: there is no roster to compare with");
    facts.has_roster = true;
    expect(&facts, SENDER_OFF_ROSTER, "sender: not on the roster");
    facts.listed = true;
    expect(&facts, SENDER_ON_ROSTER, "sender: on the roster");
}

Test(sender, a_name_like_another_is_told_with_that_one)
{
    expect_name("bui1der-l", SENDER_OFF_ROSTER | SENDER_ALIKE,
                "sender: not on the roster; sender: looks like \"builder-1\"");
    expect_name("Infra_4", SENDER_OFF_ROSTER | SENDER_ALIKE,
                "sender: not on the roster; sender: looks like \"infra-4\"");
    expect_name("builder\xe2\x80\x91"
                "1",
                SENDER_OFF_ROSTER | SENDER_ALIKE,
                "sender: not on the roster; sender: looks like \"builder-1\"");
}

Test(sender, a_name_like_the_leads_or_ones_own_is_told)
{
    struct sender_facts facts = {.name = span_of("Team-Lead"), .lead = span_of("team-lead")};

    expect(&facts, SENDER_NO_ROSTER | SENDER_ALIKE,
           "sender: there is no roster to compare with; sender: looks like \"team-lead\"");
    facts = (struct sender_facts){.name = span_of("u\xd1\x95"
                                                  "er"),
                                  .us = span_of("user")};
    expect(&facts, SENDER_NO_ROSTER | SENDER_MIXES | SENDER_ALIKE,
           "sender: there is no roster to compare with; sender: mixes scripts; "
           "sender: looks like \"user\"");
}

Test(sender, who_has_the_name_of_the_lead_or_ones_own_is_told)
{
    expect_name("team-lead", SENDER_ON_ROSTER | SENDER_IS_LEAD,
                "sender: on the roster; sender: has the lead's name");
    expect_name("user", SENDER_OFF_ROSTER | SENDER_IS_US,
                "sender: not on the roster; sender: has your own name");
}

Test(sender, being_on_the_roster_does_not_hide_a_likeness)
{
    static const struct span roster[] = {{"worker-1", 8}, {"worker-l", 8}};
    struct sender_facts facts = {
        .name = roster[1], .roster = roster, .roster_count = 2, .has_roster = true};

    expect(&facts, SENDER_ON_ROSTER | SENDER_ALIKE,
           "sender: on the roster; sender: looks like \"worker-1\"");
}

Test(sender, tricks_in_the_name_are_told)
{
    expect_name("b\xd0\xbe"
                "b",
                SENDER_OFF_ROSTER | SENDER_MIXES,
                "sender: not on the roster; sender: mixes scripts");
    expect_name("bob\xe2\x80\x8b", SENDER_OFF_ROSTER | SENDER_HIDES,
                "sender: not on the roster; "
                "sender: the name holds characters that cannot be seen");
    expect_name(" ", SENDER_NAMELESS, "sender: has no name");
}

Test(sender, what_its_file_tells_is_told)
{
    struct sender_facts facts = facts_of("builder-1");

    facts.other_owner = true;
    expect(&facts, SENDER_ON_ROSTER | SENDER_OTHER_OWNER,
           "sender: on the roster; file belongs to another user");
    facts.other_owner = false;
    facts.open_directory = true;
    expect(&facts, SENDER_ON_ROSTER | SENDER_OPEN_PLACE,
           "sender: on the roster; every user may write into its directory");
    facts.open_directory = false;
    facts.stray = true;
    expect(&facts, SENDER_ON_ROSTER | SENDER_STRAY,
           "sender: on the roster; it lies in another agent's box");
    facts.stray = false;
    facts.elsewhere = true;
    expect(&facts, SENDER_ON_ROSTER | SENDER_ELSEWHERE,
           "sender: on the roster; sender: another team has an agent of that name");
}

Test(sender, names_of_others_are_cleaned_and_told_once_and_few)
{
    static const struct span odd[] = {{"b\x1bob", 4}, {"BOB", 3}, {"BOB", 3},
                                      {"b0b", 3},     {"B0b", 3}, {"bOb", 3}};
    struct sender_facts facts = {.name = span_of("bob"), .others = odd, .other_count = 6};

    expect(&facts, SENDER_NO_ROSTER | SENDER_ALIKE,
           "sender: there is no roster to compare with; sender: looks like \"b^[ob\"; "
           "sender: looks like \"BOB\"; sender: looks like \"b0b\"");
}
