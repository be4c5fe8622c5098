/* Tests requests: which messages want an answer, what answers them, and when nobody waits any
 * more. */
#include "request_support.h"

TestSuite(ask, .fini = clear);

static const struct place archive = {.root = "/m", .box = {"ann", 3}, .archived = true};
static const struct place short_here = {.root = "/m", .short_replies = true};

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
    cr_assert_eq(asks.answers[number_of("talk")], REQUEST_NONE);
}

Test(ask, the_earliest_answer_counts_whatever_the_order)
{
    reply("late", "q")->created_us = 50;
    reply("early", "q")->created_us = 20;
    reply("later", "q")->created_us = 90;
    ask("q")->created_us = 10;
    build();
    assert_ask("q", "early", false);
    cr_assert_eq(asks.answers[number_of("late")], REQUEST_NONE);
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
    reply("b", "650e8400-e29b")->place = &short_here; /* the whole id is valid too */
    ask("750e8400-e29b")->place = &here;
    reply("c", "750e8400")->place = &here;
    ask("850e8400-e29b")->place = &short_here;
    reply("d", "850e84")->place = &short_here; /* shorter than the layout ever writes */
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

/* It reaches nobody there: its writer only wants to hide the request. */
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
    requests_free(&asks);
    model.messages[1]->place = &theirs;
    requests_build(&asks, &model, NOW_US);
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

/* Each row: the request, its status, and if somebody still waits. */
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
