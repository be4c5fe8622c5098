/* Tests requests: which plan replaces which. */
#include "request_support.h"

TestSuite(ask_plans, .fini = clear);

static struct message *plan(const char *id)
{
    struct message *message = ask(id);

    message->kind = KIND_PLAN;
    message->type = span_of("plan_approval_request");
    message->thread = message->id; /* used as the request id */
    return message;
}

static void verdict(const char *id, const char *request, enum protocol_verdict said)
{
    struct message *message = reply(id, request);

    message->kind = KIND_PLAN;
    message->verdict = (uint8_t)said;
    message->place = &theirs;
}

static void assert_supersedes(const char *later, const char *earlier)
{
    cr_assert_eq(ask_of(later)->supersedes, asks.of[number_of(earlier)]);
    cr_assert_eq(ask_of(earlier)->superseded_by, asks.of[number_of(later)]);
    cr_assert_not(ask_of(earlier)->open);
}

static void assert_apart(const char *id)
{
    cr_assert_eq(ask_of(id)->superseded_by, REQUEST_NONE, "%s", id);
    cr_assert_eq(ask_of(id)->supersedes, REQUEST_NONE, "%s", id);
}

Test(ask_plans, a_plan_takes_the_place_of_one_that_was_rejected_or_not_answered)
{
    plan("one");
    verdict("no", "one", VERDICT_NO);
    plan("two");
    plan("three");
    build();
    assert_ask("one", "no", false);
    assert_supersedes("two", "one");
    assert_supersedes("three", "two");
    assert_ask("two", NULL, false);
    assert_ask("three", NULL, true);
    cr_assert_eq(ask_of("three")->superseded_by, REQUEST_NONE);
}

Test(ask_plans, an_approved_plan_is_not_replaced_by_the_next_one)
{
    plan("one");
    verdict("yes", "one", VERDICT_YES);
    plan("two");
    build();
    assert_ask("one", "yes", false);
    assert_ask("two", NULL, true);
    assert_apart("one");
    assert_apart("two");
}

Test(ask_plans, plans_are_ordered_by_time_and_not_by_where_they_lie)
{
    plan("new")->created_us = 500;
    plan("old")->created_us = 100;
    build();
    assert_supersedes("new", "old");
    assert_ask("new", NULL, true);
}

Test(ask_plans, plans_of_others_and_to_others_stay)
{
    plan("one");
    plan("by carol")->from = span_of("carol");
    plan("to zed")->to = span_of("zed");
    plan("in a team")->place = &web;
    plan("in another team")->place = &ops;
    plan("far")->place = &far;
    ask("no plan");
    build();
    for (uint32_t i = 0; i < asks.count; i++) {
        cr_assert_eq(asks.items[i].superseded_by, REQUEST_NONE);
        cr_assert_eq(asks.items[i].supersedes, REQUEST_NONE);
        cr_assert(asks.items[i].open);
    }
}

Test(ask_plans, a_refused_plan_takes_nobodys_place)
{
    plan("honest");
    plan("forged")->refused = true;
    build();
    assert_ask("honest", NULL, true);
    assert_ask("forged", NULL, true);
    assert_apart("honest");
    assert_apart("forged");
}

Test(ask_plans, a_refused_plan_takes_the_place_of_its_like)
{
    plan("forged")->refused = true;
    plan("honest");
    plan("again")->refused = true;
    plan("and again")->refused = true;
    build();
    assert_supersedes("honest", "forged");
    assert_supersedes("and again", "again");
    assert_ask("honest", NULL, true);
    assert_ask("and again", NULL, true);
}

Test(ask_plans, the_next_plan_takes_the_place_of_the_one_before_a_refused_one)
{
    plan("honest");
    plan("forged")->refused = true;
    plan("next");
    build();
    assert_supersedes("next", "honest");
    assert_ask("forged", NULL, false);
    cr_assert_eq(ask_of("forged")->superseded_by, asks.of[number_of("next")]);
}

Test(ask_plans, plans_that_share_a_request_id_take_nobodys_place)
{
    struct message *one = plan("one"), *two = plan("two"), *same = plan("same");

    one->print = 1;
    two->print = 2;
    same->print = 3;
    same->thread = one->thread;
    build();
    assert_ask("two", NULL, true);
    assert_ask("same", NULL, true);
    assert_supersedes("two", "one");
    cr_assert_eq(ask_of("same")->supersedes, REQUEST_NONE);
}
