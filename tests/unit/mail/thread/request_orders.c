/* Tests requests: shutdown commands, what settles them, and refusals. */
#include "request_support.h"

TestSuite(ask_orders, .fini = clear);

static const struct place desk = {.root = "/m", .team = {"web", 3}, .box = {"lead", 4}};
static const struct place floor_ = {.root = "/m", .team = {"web", 3}, .box = {"My-Bot", 6}};

/* Adds a shutdown request from the person to My Bot, whose box is spelled My-Bot. */
static struct message *stop(const char *id, const char *request)
{
    struct message *message = ask(id);

    message->place = &floor_;
    message->from = span_of("lead");
    message->to = span_of("My-Bot");
    message->kind = KIND_SHUTDOWN;
    message->type = span_of("shutdown_request");
    message->thread = span_of(request);
    message->by_us = true;
    return message;
}

static struct message *stopped(const char *id, const char *request, enum protocol_verdict said)
{
    struct message *message = reply(id, request);

    message->place = &desk;
    message->from = span_of("My Bot");
    message->to = span_of("lead");
    message->kind = KIND_SHUTDOWN;
    message->type = span_of(said == VERDICT_YES ? "shutdown_approved" : "shutdown_rejected");
    message->thread = message->reply_to;
    message->verdict = (uint8_t)said;
    message->mine = true;
    return message;
}

Test(ask_orders, an_order_to_stop_is_settled_by_either_answer_of_that_agent)
{
    stop("one", "s-1");
    stopped("yes", "s-1", VERDICT_YES);
    stop("two", "s-2");
    stopped("no", "s-2", VERDICT_NO);
    stop("three", "s-3");
    build();
    assert_ask("one", "yes", false);
    assert_ask("two", "no", false);
    assert_ask("three", NULL, true);
    cr_assert(request_waits(ask_of("three")));
    assert_no_ask("yes");
}

Test(ask_orders, nobody_else_says_for_an_agent_that_it_stops)
{
    stop("one", "s-1");
    stopped("by carol", "s-1", VERDICT_YES)->from = span_of("carol");
    stopped("by a namesake", "s-1", VERDICT_YES)->from = span_of("My-Bot-2");
    stopped("for another", "s-2", VERDICT_YES);
    stopped("elsewhere", "s-1", VERDICT_YES)->place = &ops;
    struct message *other = stopped("of another kind", "s-1", VERDICT_YES);
    other->type = span_of("permission_response");
    other->kind = KIND_PERMISSION;
    stopped("by the id of the message", "one", VERDICT_YES)->from = span_of("carol");
    build();
    assert_ask("one", NULL, true);
}

Test(ask_orders, a_refusal_wants_to_be_looked_at_though_nobody_waits)
{
    stop("order", "s-1");
    stopped("no", "s-1", VERDICT_NO);
    build();
    assert_ask("order", "no", false);
    assert_ask("no", NULL, true);
    cr_assert(ask_of("no")->refusal);
    cr_assert_not(request_waits(ask_of("no")));
    cr_assert_not(ask_of("order")->refusal);
}

Test(ask_orders, a_refusal_is_settled_when_it_was_read_or_put_away)
{
    static const struct place shelf = {
        .root = "/m", .team = {"web", 3}, .box = {"lead", 4}, .archived = true};

    stopped("read", "s-1", VERDICT_NO)->status = STATUS_READ;
    stopped("away", "s-2", VERDICT_NO)->place = &shelf;
    stopped("new", "s-3", VERDICT_NO);
    build();
    assert_ask("read", NULL, false);
    assert_ask("away", NULL, false);
    assert_ask("new", NULL, true);
}

Test(ask_orders, a_refusal_is_settled_when_the_agent_is_asked_to_stop_again)
{
    stop("first", "s-1");
    stopped("no", "s-1", VERDICT_NO);
    stop("again", "s-2");
    build();
    assert_ask("no", NULL, false);
    assert_ask("again", NULL, true);
}

Test(ask_orders, another_order_does_not_settle_a_refusal)
{
    stop("before", "s-1");
    stopped("no", "s-1", VERDICT_NO);
    stop("to another", "s-2")->to = span_of("carol");
    stop("by another", "s-3")->from = span_of("boss");
    stop("in another team", "s-4")->place = &ops;
    struct message *mode = stop("of another kind", "s-5");
    mode->kind = KIND_MODE;
    mode->type = span_of("mode_set_request");
    build();
    assert_ask("no", NULL, true);
}

Test(ask_orders, refusals_of_others_and_to_others_settle_and_ask_nothing)
{
    stopped("no", "s-1", VERDICT_NO);
    stopped("by carol", "s-1", VERDICT_NO)->from = span_of("carol");
    stopped("to an agent", "s-1", VERDICT_NO)->mine = false;
    build();
    assert_ask("no", NULL, true);
    assert_ask("by carol", NULL, true);
    assert_no_ask("to an agent");
}

Test(ask_orders, an_order_in_words_asks_until_it_is_answered)
{
    struct message *order = ask("words");

    order->kind = KIND_SHUTDOWN;
    order->requires_response = false;
    order = ask("other words");
    order->kind = KIND_SHUTDOWN;
    order->requires_response = false;
    struct message *answer = reply("yes", "words");
    answer->kind = KIND_SHUTDOWN;
    build();
    assert_ask("words", "yes", false);
    assert_ask("other words", NULL, true);
    assert_no_ask("yes");
}
