/* Tests of asks: what wants an answer, what answers it, and when nobody waits any more. */
#include "support.h"

#include "mail/ask.h"
#include "mail/protocol.h"

#define NOW_US INT64_C(1000000)

static const struct place here = {.root = "/m", .box = {"ann", 3}};
static const struct place archive = {.root = "/m", .box = {"ann", 3}, .archived = true};
static const struct place theirs = {.root = "/m", .box = {"bob", 3}};
static const struct place short_here = {.root = "/m", .short_replies = true};
static const struct place far = {.root = "/f", .source = 1};
static const struct place web = {.root = "/m", .team = {"web", 3}};
static const struct place ops = {.root = "/m", .team = {"ops", 3}};

static struct model model;
static struct asks asks;
static struct batch batch;

/* A message from bob to ann that asks, a second after the one before; tests change what they are
 * about. Borrowed until the next one is made. */
static struct message *ask(const char *id)
{
    struct message *message = batch_add(&batch);

    message->place = &here;
    message->id = span_of(id);
    message->from = span_of("bob");
    message->to = span_of("ann");
    message->requires_response = true;
    message->kind = KIND_QUESTION;
    message->created_us = (int64_t)batch.count;
    return message;
}

/* One from ann to bob that says what it answers. */
static struct message *reply(const char *id, const char *to)
{
    struct message *message = ask(id);

    message->from = span_of("ann");
    message->to = span_of("bob");
    message->requires_response = false;
    message->kind = KIND_MESSAGE;
    message->reply_to = span_of(to);
    return message;
}

static struct message *plan(const char *id)
{
    struct message *message = ask(id);

    message->kind = KIND_PLAN;
    message->type = span_of("plan_approval_request");
    message->thread = message->id; /* stands for the request id */
    return message;
}

static void verdict(const char *id, const char *request, enum protocol_verdict said)
{
    struct message *message = reply(id, request);

    message->kind = KIND_PLAN;
    message->verdict = (uint8_t)said;
    message->place = &theirs;
}

static void build(void)
{
    model_add(&model, &batch);
    asks_build(&asks, &model, NOW_US);
}

static void clear(void)
{
    asks_free(&asks);
    cr_assert(!asks.items && !asks.of && !asks.answers && !asks.count);
    model_free(&model);
}

TestSuite(ask, .fini = clear);

static uint32_t number_of(const char *id)
{
    for (uint32_t i = 0; i < model.count; i++)
        if (span_is(model.messages[i]->id, id))
            return i;
    cr_assert_fail("no message %s", id);
    return 0;
}

static const struct ask *ask_of(const char *id)
{
    uint32_t number = asks.of[number_of(id)];

    cr_assert_neq(number, ASK_NONE, "%s asks nothing", id);
    cr_assert_eq(asks.items[number].message, number_of(id));
    return &asks.items[number];
}

/* answer: NULL for none. */
static void assert_ask(const char *id, const char *answer, bool open)
{
    const struct ask *asked = ask_of(id);

    if (answer) {
        cr_assert_eq(asked->answer, number_of(answer), "%s", id);
        cr_assert_eq(asks.answers[number_of(answer)], asks.of[number_of(id)], "%s", id);
    } else {
        cr_assert_eq(asked->answer, ASK_NONE, "%s is answered by %u", id, asked->answer);
    }
    cr_assert_eq(asked->open, open, "%s", id);
}

static void assert_no_ask(const char *id)
{
    cr_assert_eq(asks.of[number_of(id)], ASK_NONE, "%s", id);
}

Test(ask, no_messages_ask_nothing)
{
    build();
    cr_assert_eq(asks.count, 0);
}

Test(ask, what_wants_a_response_is_open_until_it_is_answered)
{
    ask("q1");
    ask("q2");
    reply("a1", "q1");
    ask("talk")->requires_response = false;
    build();
    assert_ask("q1", "a1", false);
    assert_ask("q2", NULL, true);
    assert_no_ask("a1");
    assert_no_ask("talk");
    cr_assert_eq(asks.count, 2);
    cr_assert_eq(asks.answers[number_of("talk")], ASK_NONE);
}

Test(ask, the_earliest_answer_counts_whatever_the_order)
{
    reply("late", "q")->created_us = 50;
    reply("early", "q")->created_us = 20;
    reply("later", "q")->created_us = 90;
    ask("q")->created_us = 10;
    build();
    assert_ask("q", "early", false);
    cr_assert_eq(asks.answers[number_of("late")], ASK_NONE);
}

Test(ask, ones_own_follow_up_is_no_answer)
{
    ask("q");
    reply("more", "q")->from = span_of("bob");
    build();
    assert_ask("q", NULL, true);
}

Test(ask, a_message_that_answers_itself_is_still_open)
{
    struct message *message = ask("q");

    message->reply_to = message->id;
    build();
    assert_ask("q", NULL, true);
}

Test(ask, somebody_else_of_the_same_team_may_answer)
{
    ask("q");
    reply("a", "q")->from = span_of("carol");
    build();
    assert_ask("q", "a", false);
}

Test(ask, a_damaged_file_neither_asks_nor_answers)
{
    ask("q");
    reply("a", "q")->damaged = "it is";
    ask("broken")->damaged = "it is";
    build();
    assert_ask("q", NULL, true);
    assert_no_ask("broken");
}

Test(ask, other_sources_and_teams_have_ids_of_their_own)
{
    ask("q");
    reply("a", "q")->place = &far;
    ask("t")->place = &web;
    reply("b", "t")->place = &ops;
    ask("u")->place = &web;
    reply("c", "u")->place = &web;
    build();
    assert_ask("q", NULL, true);
    assert_ask("t", NULL, true);
    assert_ask("u", "c", false);
}

Test(ask, an_answer_may_be_a_question_itself)
{
    ask("q");
    reply("back", "q")->requires_response = true;
    build();
    assert_ask("q", "back", false);
    assert_ask("back", NULL, true);
    cr_assert_eq(asks.answers[number_of("back")], asks.of[number_of("q")]);
}

Test(ask, answers_by_the_start_of_an_id_count_where_the_layout_cuts_it)
{
    ask("550e8400-e29b")->place = &short_here;
    reply("a", "550e8400")->place = &short_here;
    ask("650e8400-e29b")->place = &short_here;
    reply("b", "650e8400-e29b")->place = &short_here; /* the whole id is fine as well */
    ask("750e8400-e29b")->place = &here;
    reply("c", "750e8400")->place = &here;
    ask("850e8400-e29b")->place = &short_here;
    reply("d", "850e84")->place = &short_here; /* less than the layout ever writes */
    build();
    assert_ask("550e8400-e29b", "a", false);
    assert_ask("650e8400-e29b", "b", false);
    assert_ask("750e8400-e29b", NULL, true);
    assert_ask("850e8400-e29b", NULL, true);
}

Test(ask, protocol_requests_are_answered_by_their_request_id)
{
    struct message *request = ask("hash-1");

    request->type = span_of("permission_request");
    request->kind = KIND_PERMISSION;
    request->thread = span_of("perm-1");
    struct message *answer = reply("a", "perm-1");
    answer->verdict = VERDICT_NO;
    answer->place = &theirs;
    build();
    assert_ask("hash-1", "a", false);
}

Test(ask, words_are_no_answer_to_a_program)
{
    struct message *request = ask("hash-1");

    request->type = span_of("permission_request");
    request->kind = KIND_PERMISSION;
    request->thread = span_of("perm-1");
    reply("a", "perm-1");
    build();
    assert_ask("hash-1", NULL, true);
}

/* It reaches nobody there: whoever put it there only wants the request out of sight. */
Test(ask, a_verdict_in_the_inbox_of_who_was_asked_decides_nothing)
{
    struct message *request = ask("hash-1");

    request->type = span_of("permission_request");
    request->kind = KIND_PERMISSION;
    request->thread = span_of("perm-1");
    struct message *forged = reply("a", "perm-1");
    forged->verdict = VERDICT_YES;
    build();
    assert_ask("hash-1", NULL, true);
    asks_free(&asks);
    model.messages[1]->place = &theirs;
    asks_build(&asks, &model, NOW_US);
    assert_ask("hash-1", "a", false);
}

Test(ask, the_thread_of_plain_talk_is_no_request_id)
{
    ask("q")->thread = span_of("topic");
    reply("a", "topic");
    ask("r")->thread = span_of("topic2");
    batch.items[2].type = span_of("request");
    reply("b", "topic2");
    build();
    assert_ask("q", NULL, true);
    assert_ask("r", NULL, true);
}

Test(ask, requests_without_a_request_id_are_not_answered_by_all_that_have_none)
{
    struct message *request = ask("q");

    request->type = span_of("permission_request");
    request->thread = span_of("");
    reply("a", "");
    build();
    assert_ask("q", NULL, true);
}

/* Each row: what it is, its status, and whether somebody still waits. */
static const struct {
    const char *id;
    enum kind kind;
    bool requires_response;
    enum status status;
    bool open;
} settled[] = {
    {"question unread", KIND_QUESTION, true, STATUS_UNREAD, true},
    {"question read", KIND_QUESTION, true, STATUS_READ, true},
    {"question in work", KIND_QUESTION, true, STATUS_PROCESSING, true},
    {"question failed", KIND_QUESTION, true, STATUS_FAILED, false},
    {"question completed", KIND_QUESTION, true, STATUS_COMPLETED, false},
    {"question archived", KIND_QUESTION, true, STATUS_ARCHIVED, false},
    {"question that cannot say", KIND_QUESTION, true, STATUS_NONE, true},
    {"handoff unread", KIND_HANDOFF, true, STATUS_UNREAD, true},
    {"handoff read", KIND_HANDOFF, true, STATUS_READ, true},
    {"handoff in work", KIND_HANDOFF, true, STATUS_PROCESSING, false},
    {"handoff that cannot say", KIND_HANDOFF, true, STATUS_NONE, true},
    {"written handoff unread", KIND_HANDOFF, false, STATUS_UNREAD, true},
    {"written handoff read", KIND_HANDOFF, false, STATUS_READ, false},
    {"escalation unread", KIND_ESCALATION, false, STATUS_UNREAD, true},
    {"escalation read", KIND_ESCALATION, false, STATUS_READ, true},
    {"escalation completed", KIND_ESCALATION, false, STATUS_COMPLETED, false},
};

Test(ask, a_status_may_settle_it_without_a_word)
{
    for (size_t i = 0; i < sizeof settled / sizeof *settled; i++) {
        struct message *message = ask(settled[i].id);
        message->kind = settled[i].kind;
        message->requires_response = settled[i].requires_response;
        message->status = settled[i].status;
    }
    build();
    for (size_t i = 0; i < sizeof settled / sizeof *settled; i++)
        assert_ask(settled[i].id, NULL, settled[i].open);
}

Test(ask, what_is_in_the_archive_is_settled)
{
    ask("q")->place = &archive;
    build();
    assert_ask("q", NULL, false);
}

Test(ask, what_has_expired_is_not_waited_for)
{
    ask("past")->expires_us = NOW_US - 1;
    ask("just")->expires_us = NOW_US;
    ask("soon")->expires_us = NOW_US + 1;
    build();
    assert_ask("past", NULL, false);
    assert_ask("just", NULL, false);
    assert_ask("soon", NULL, true);
}

Test(ask, an_answer_to_a_handoff_is_no_handoff_to_somebody)
{
    struct message *message = ask("first");

    message->kind = KIND_HANDOFF;
    message->requires_response = false;
    message = reply("taken", "first");
    message->kind = KIND_HANDOFF;
    build();
    assert_ask("first", "taken", false);
    assert_no_ask("taken");
}

Test(ask, an_escalation_asks_even_as_an_answer)
{
    ask("task");
    reply("help", "task")->kind = KIND_ESCALATION;
    build();
    assert_ask("task", "help", false);
    assert_ask("help", NULL, true);
}

/* Plans. */

static void assert_supersedes(const char *later, const char *earlier)
{
    cr_assert_eq(ask_of(later)->supersedes, asks.of[number_of(earlier)]);
    cr_assert_eq(ask_of(earlier)->superseded_by, asks.of[number_of(later)]);
    cr_assert_not(ask_of(earlier)->open);
}

static void assert_apart(const char *id)
{
    cr_assert_eq(ask_of(id)->superseded_by, ASK_NONE, "%s", id);
    cr_assert_eq(ask_of(id)->supersedes, ASK_NONE, "%s", id);
}

Test(ask, a_plan_takes_the_place_of_one_that_was_rejected_or_not_answered)
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
    cr_assert_eq(ask_of("three")->superseded_by, ASK_NONE);
}

Test(ask, an_approved_plan_is_not_replaced_by_the_next_one)
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

Test(ask, plans_are_ordered_by_time_and_not_by_where_they_lie)
{
    plan("new")->created_us = 500;
    plan("old")->created_us = 100;
    build();
    assert_supersedes("new", "old");
    assert_ask("new", NULL, true);
}

Test(ask, plans_of_others_and_to_others_stay)
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
        cr_assert_eq(asks.items[i].superseded_by, ASK_NONE);
        cr_assert_eq(asks.items[i].supersedes, ASK_NONE);
        cr_assert(asks.items[i].open);
    }
}

/* Orders to stop. */

static const struct place desk = {.root = "/m", .team = {"web", 3}, .box = {"lead", 4}};
static const struct place floor_ = {.root = "/m", .team = {"web", 3}, .box = {"My-Bot", 6}};

/* From the person to My Bot, whose box spells it otherwise. */
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

Test(ask, an_order_to_stop_is_settled_by_either_answer_of_that_agent)
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
    cr_assert(ask_waits(ask_of("three")));
    assert_no_ask("yes");
}

Test(ask, nobody_else_says_for_an_agent_that_it_stops)
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

Test(ask, a_refusal_wants_to_be_looked_at_though_nobody_waits)
{
    stop("order", "s-1");
    stopped("no", "s-1", VERDICT_NO);
    build();
    assert_ask("order", "no", false);
    assert_ask("no", NULL, true);
    cr_assert(ask_of("no")->refusal);
    cr_assert_not(ask_waits(ask_of("no")));
    cr_assert_not(ask_of("order")->refusal);
}

Test(ask, a_refusal_is_settled_when_it_was_read_or_put_away)
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

Test(ask, a_refusal_is_settled_when_the_agent_is_asked_to_stop_again)
{
    stop("first", "s-1");
    stopped("no", "s-1", VERDICT_NO);
    stop("again", "s-2");
    build();
    assert_ask("no", NULL, false);
    assert_ask("again", NULL, true);
}

Test(ask, another_order_does_not_settle_a_refusal)
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

Test(ask, refusals_of_others_and_to_others_settle_and_ask_nothing)
{
    stopped("no", "s-1", VERDICT_NO);
    stopped("by carol", "s-1", VERDICT_NO)->from = span_of("carol");
    stopped("to an agent", "s-1", VERDICT_NO)->mine = false;
    build();
    assert_ask("no", NULL, true);
    assert_ask("by carol", NULL, true);
    assert_no_ask("to an agent");
}

Test(ask, an_order_in_words_asks_until_it_is_answered)
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
