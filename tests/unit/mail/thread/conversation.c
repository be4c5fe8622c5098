/* Tests conversations: the rows of threads, of idle agents and of damaged messages. */
#include "conversation_support.h"

Test(conversation, no_messages_make_no_talks)
{
    struct talking t = {0};

    build(&t);
    cr_assert_eq(t.conversations.count, 0);
    finish(&t);
}

Test(conversation, its_messages_stand_oldest_first_whatever_their_order_was)
{
    struct talking t = {0};
    static const int ages[] = {5, 30, 1, 20};

    for (size_t i = 0; i < 4; i++)
        put(&t, &desk, "ann", "lead", "s", ages[i])->thread = span_of("t");
    put(&t, &desk, "ann", "lead", "other", 10);
    build(&t);
    const struct conversation *conversation = conversation_of(&t, 0);
    cr_assert_eq(t.conversations.count, 2);
    cr_assert_eq(conversation->count, 4);
    for (size_t i = 1; i < 4; i++)
        cr_assert_lt(conversation_message(&t.conversations, conversation, i - 1)->created_us,
                     conversation_message(&t.conversations, conversation, i)->created_us);
    cr_assert_eq(conversation->last_us, NOW_US - MINUTE_US);
    assert_span(conversation->id, "t");
    assert_span(conversation_of(&t, 4)->id, "m4");
    finish(&t);
}

Test(conversation, it_is_called_after_the_first_message_that_has_a_subject)
{
    struct talking t = {0};

    put(&t, &desk, "ann", "lead", NULL, 9)->thread = span_of("t");
    put(&t, &desk, "ann", "lead", "second", 8)->thread = span_of("t");
    put(&t, &desk, "ann", "lead", "third", 7)->thread = span_of("t");
    put(&t, &desk, "ann", "lead", NULL, 7);
    build(&t);
    assert_span(conversation_subject(&t.conversations, conversation_of(&t, 0)), "second");
    cr_assert_null(conversation_subject(&t.conversations, conversation_of(&t, 3)).at);
    finish(&t);
}

Test(conversation, it_waits_for_its_oldest_open_ask_and_is_called_after_it)
{
    struct talking t = {0};

    put(&t, &desk, "bob", "lead", "hello", 60)->thread = span_of("t");
    ask(&t, KIND_PERMISSION, "bob", "lead", "t", 40)->subject = span_of("rm -rf");
    ask(&t, KIND_PLAN, "bob", "lead", "t", 20)->subject = span_of("a plan");
    build(&t);
    const struct conversation *conversation = conversation_of(&t, 0);
    cr_assert_eq(t.conversations.count, 1);
    cr_assert(conversation->waits_for_us);
    assert_span(conversation->waits_on, "lead");
    cr_assert_eq(conversation->waits_us, NOW_US - 40 * MINUTE_US);
    cr_assert_eq(conversation->kind, KIND_PERMISSION);
    assert_span(conversation_subject(&t.conversations, conversation), "rm -rf");
    finish(&t);
}

Test(conversation, an_ask_for_the_person_counts_before_an_older_one_between_agents)
{
    struct talking t = {0};

    ask(&t, KIND_PERMISSION, "ann", "bob", "x", 90)->thread = span_of("t");
    ask(&t, KIND_HOST, "bob", "lead", "y", 10)->thread = span_of("t");
    ask(&t, KIND_PLAN, "ann", "bob", "z", 5)->thread = span_of("t");
    build(&t);
    const struct conversation *conversation = conversation_of(&t, 0);
    cr_assert(conversation->waits_for_us);
    cr_assert_eq(conversation->kind, KIND_HOST);
    cr_assert_eq(conversation->waits_us, NOW_US - 10 * MINUTE_US);
    finish(&t);
}

Test(conversation, what_was_answered_is_not_waited_for)
{
    struct talking t = {0};

    ask(&t, KIND_PERMISSION, "bob", "lead", "perm-1", 90);
    answer(&t, KIND_PERMISSION, "lead", "bob", "perm-1", 80);
    build(&t);
    const struct conversation *conversation = conversation_of(&t, 0);
    cr_assert_eq(t.conversations.count, 1);
    cr_assert_eq(conversation->ask, REQUEST_NONE);
    cr_assert_null(conversation->waits_on.at);
    cr_assert_eq(conversation->waits_us, TIME_NONE);
    cr_assert_eq(conversation->kind, KIND_PERMISSION);
    finish(&t);
}

Test(conversation, without_an_address_it_waits_for_whose_box_it_is)
{
    struct talking t = {0};
    struct message *message = ask(&t, KIND_PERMISSION, "ann", "bob", "perm-1", 1);

    message->to = (struct span){0};
    build(&t);
    assert_span(conversation_of(&t, 0)->waits_on, "bob");
    finish(&t);
}

Test(conversation, a_replaced_plan_is_in_the_talk_of_the_one_that_is_open)
{
    struct talking t = {0};

    ask(&t, KIND_PLAN, "bob", "lead", "plan-1", 30);
    ask(&t, KIND_PLAN, "bob", "lead", "plan-2", 10);
    build(&t);
    const struct conversation *conversation = conversation_of(&t, 0);
    cr_assert_eq(t.conversations.count, 1);
    cr_assert_eq(conversation->waits_us, NOW_US - 10 * MINUTE_US);
    assert_span(conversation_subject(&t.conversations, conversation), "plan-2");
    assert_span(conversation->id, "plan-1");
    cr_assert(conversation_is_superseded(&t.conversations, 0));
    cr_assert_not(conversation_is_superseded(&t.conversations, 1));
    finish(&t);
}

Test(conversation, after_the_answer_it_is_still_called_after_the_plan_that_stands)
{
    struct talking t = {0};

    ask(&t, KIND_PLAN, "bob", "lead", "plan-1", 30);
    ask(&t, KIND_PLAN, "bob", "lead", "plan-2", 20);
    ask(&t, KIND_PLAN, "bob", "lead", "plan-3", 10);
    answer(&t, KIND_PLAN, "lead", "bob", "plan-3", 5);
    build(&t);
    cr_assert_eq(t.conversations.count, 1);
    cr_assert_eq(conversation_of(&t, 0)->ask, REQUEST_NONE);
    assert_span(conversation_subject(&t.conversations, conversation_of(&t, 0)), "plan-3");
    finish(&t);
}

Test(conversation, its_priority_is_the_highest_of_what_is_open)
{
    struct talking t = {0};
    struct message *read = put(&t, &desk, "ann", "lead", "s", 9);

    read->thread = span_of("t");
    read->priority = PRIORITY_URGENT;
    read->status = STATUS_READ;
    put(&t, &desk, "ann", "lead", "s", 8)->thread = span_of("t");
    put(&t, &desk, "ann", "lead", "s", 7)->thread = span_of("t");
    t.batch.items[2].priority = PRIORITY_LOW;
    build(&t);
    cr_assert_eq(conversation_of(&t, 0)->priority, PRIORITY_NORMAL);
    t.batch.items[1].status = t.batch.items[2].status = STATUS_READ;
    build(&t);
    cr_assert_eq(conversation_of(&t, 0)->priority, PRIORITY_URGENT);
    finish(&t);
}

Test(conversation, unread_is_what_its_recipient_has_not_read)
{
    struct talking t = {0};

    for (int i = 0; i < 7; i++)
        put(&t,
            i == 4   ? &shelf
            : i == 6 ? &floor_
                     : &desk,
            "ann", i == 6 ? "bob" : "lead", "s", 90 - i)
            ->thread = span_of("t");
    t.batch.items[2].status = STATUS_READ;
    t.batch.items[3].expires_us = NOW_US - 1;
    t.expired = true;
    build(&t);
    const struct conversation *conversation = conversation_of(&t, 0);
    cr_assert_eq(conversation->count, 7);
    cr_assert_eq(conversation->unread, 4);
    cr_assert_eq(conversation->unread_mine, 3);
    cr_assert_eq(conversation->unread_us, NOW_US - 90 * MINUTE_US);
    cr_assert_not(conversation->archived);
    finish(&t);
}

Test(conversation, the_oldest_unread_is_the_persons_if_there_is_one)
{
    struct talking t = {0};

    put(&t, &floor_, "ann", "bob", "s", 9)->thread = span_of("t");
    put(&t, &desk, "ann", "lead", "s", 8)->thread = span_of("t");
    put(&t, &desk, "ann", "lead", "s", 7)->thread = span_of("t");
    build(&t);
    cr_assert_eq(conversation_of(&t, 0)->unread_us, NOW_US - 8 * MINUTE_US);
    finish(&t);
}

Test(conversation, what_the_person_sent_to_all_is_not_for_the_person)
{
    struct talking t = {0};

    put(&t, &desk, "lead", "all", "hands", 9)->mine = true;
    put(&t, &desk, "ann", "all", "news", 8)->mine = true;
    put(&t, &desk, "lead", "lead", "note", 7);
    ask(&t, KIND_ESCALATION, "lead", "all", "who can", 6)->mine = true;
    build(&t);
    cr_assert_eq(conversation_of(&t, 0)->unread, 1);
    cr_assert_eq(conversation_of(&t, 0)->unread_mine, 0);
    cr_assert_eq(conversation_of(&t, 1)->unread_mine, 1);
    cr_assert_eq(conversation_of(&t, 2)->unread_mine, 1);
    cr_assert_neq(conversation_of(&t, 3)->ask, REQUEST_NONE);
    cr_assert_not(conversation_of(&t, 3)->waits_for_us);
    finish(&t);
}

Test(conversation, its_kind_is_the_most_demanding)
{
    static const uint8_t kinds[] = {KIND_IDLE,       KIND_MESSAGE,    KIND_TASK,     KIND_QUESTION,
                                    KIND_HANDOFF,    KIND_ESCALATION, KIND_SHUTDOWN, KIND_HOST,
                                    KIND_PERMISSION, KIND_PLAN};

    for (size_t i = 2; i < sizeof kinds; i++) {
        struct talking t = {0};
        for (size_t k = 1; k <= 2; k++) {
            struct message *message = put(&t, &desk, "ann", "lead", "s", (int)(i + k));
            message->thread = span_of("t");
            message->kind = kinds[i - 2 + k];
            message->status = STATUS_COMPLETED;
        }
        build(&t);
        cr_assert_eq(conversation_of(&t, 0)->kind, kinds[i], "kind %s", kind_name(kinds[i]));
        finish(&t);
    }
}

Test(conversation, forty_idle_notices_of_one_agent_are_one_talk)
{
    struct talking t = {0};

    for (int i = 0; i < 40; i++)
        idle(&t, "bob", "lead", i == 39 ? "newest" : "older", 100 - i);
    idle(&t, "ann", "lead", "another agent", 3);
    idle(&t, "bob", "ann", "to somebody else", 3);
    struct message *other = idle(&t, "bob", "lead", "of another team", 3);
    other->place = &elsewhere;
    build(&t);
    cr_assert_eq(t.conversations.count, 4);
    const struct conversation *conversation = conversation_of(&t, 0);
    cr_assert_eq(conversation->count, 40);
    cr_assert_eq(conversation->unread, 40);
    cr_assert_eq(conversation->form, CONVERSATION_IDLE);
    cr_assert_eq(conversation->kind, KIND_IDLE);
    cr_assert_not(conversation->failed);
    assert_span(conversation_subject(&t.conversations, conversation), "newest");
    finish(&t);
}

Test(conversation, an_unread_failure_is_not_talked_over_by_later_notices)
{
    static const struct notice failure = {.reason = {"failed", 6}};
    struct talking t = {0};

    idle(&t, "bob", "lead", "one", 9);
    idle(&t, "bob", "lead", "broken", 8)->notice = &failure;
    idle(&t, "bob", "lead", "two", 7);
    build(&t);
    cr_assert(conversation_of(&t, 0)->failed);
    assert_span(conversation_subject(&t.conversations, conversation_of(&t, 0)), "broken");
    t.batch.items[1].status = STATUS_READ;
    build(&t);
    cr_assert_not(conversation_of(&t, 0)->failed);
    assert_span(conversation_subject(&t.conversations, conversation_of(&t, 0)), "two");
    finish(&t);
}

Test(conversation, a_damaged_message_is_alone_whatever_it_says)
{
    struct talking t = {0};

    put(&t, &desk, "ann", "lead", "s", 9)->thread = span_of("t");
    for (int i = 0; i < 2; i++) {
        struct message *message = put(&t, &desk, "ann", "lead", "s", 8);
        message->thread = span_of("t");
        message->damaged = "it is no JSON object";
    }
    build(&t);
    cr_assert_eq(t.conversations.count, 3);
    cr_assert_eq(conversation_of(&t, 1)->form, CONVERSATION_DAMAGED);
    cr_assert_eq(conversation_of(&t, 1)->unread, 0);
    assert_span(conversation_of(&t, 1)->id, "m1");
    assert_span(conversation_subject(&t.conversations, conversation_of(&t, 1)),
                "it is no JSON object");
    finish(&t);
}

Test(conversation, what_has_expired_is_left_out_unless_it_is_asked_for)
{
    struct talking t = {0};

    put(&t, &desk, "ann", "lead", "gone", 9)->expires_us = NOW_US;
    put(&t, &desk, "ann", "lead", "part", 8)->thread = span_of("t");
    put(&t, &desk, "ann", "lead", "part", 7)->thread = span_of("t");
    put(&t, &shelf, "ann", "lead", "kept", 6)->expires_us = NOW_US;
    ask(&t, KIND_PERMISSION, "bob", "lead", "late", 5)->expires_us = NOW_US;
    t.batch.items[1].expires_us = NOW_US;
    build(&t);
    cr_assert_eq(t.conversations.count, 2);
    cr_assert_eq(t.conversations.of[0], CONVERSATION_NONE);
    cr_assert_eq(t.conversations.of[1], CONVERSATION_NONE);
    cr_assert_eq(conversation_of(&t, 2)->count, 1);
    cr_assert(conversation_of(&t, 3)->archived);
    t.expired = true;
    build(&t);
    cr_assert_eq(t.conversations.count, 4);
    cr_assert_eq(conversation_of(&t, 0)->unread, 0);
    cr_assert_eq(conversation_of(&t, 1)->count, 2);
    cr_assert_eq(conversation_of(&t, 4)->ask, REQUEST_NONE);
    finish(&t);
}

Test(conversation, participants_stand_in_the_order_of_appearance_each_once)
{
    struct talking t = {0};
    static const char *const pairs[][2] = {
        {"bob", "lead"}, {"lead", "bob"}, {"cy", "bob"}, {"bob", NULL}, {NULL, "cy"}};
    static const char *const want[] = {"bob", "lead", "cy"};
    struct span_list names = {0};

    for (int i = 0; i < 5; i++)
        put(&t, &desk, pairs[i][0], pairs[i][1], "s", 9 - i)->thread = span_of("t");
    build(&t);
    conversation_participants(&t.conversations, conversation_of(&t, 0), &names);
    cr_assert_eq(names.count, 3);
    for (size_t i = 0; i < 3; i++)
        assert_span(names.items[i], want[i]);
    span_list_free(&names);
    finish(&t);
}

Test(conversation, an_agent_takes_part_as_sender_recipient_or_owner_of_the_box)
{
    struct talking t = {0};
    static const struct {
        const char *agent;
        bool takes_part;
    } cases[] = {{"ann", true},     {"dev/ann", true}, {"ops/ann", false}, {"dev", false},
                 {"cy", true},      {"lead", true},    {"cy@web", true},   {"cy@ops", false},
                 {"dan", false},    {"", false},       {"@web", false},    {"Ann", false},
                 {"lead@web", true}};

    put(&t, &desk, "dev/ann", "cy", "s", 9);
    build(&t);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        cr_assert_eq(conversation_has_agent(&t.conversations, conversation_of(&t, 0),
                                            span_of(cases[i].agent)),
                     cases[i].takes_part, "%s", cases[i].agent);
    finish(&t);
}

Test(conversation, a_hint_names_the_agent_and_the_oldest_message_counts)
{
    struct talking t = {.hints = {{1, {"cy", 2}, {"so it is", 8}, TIME_NONE, NULL},
                                  {0, {"bob", 3}, {"so it is", 8}, TIME_NONE, NULL},
                                  {2, {"eve", 3}, {"so it is", 8}, TIME_NONE, NULL},
                                  {9, {"x", 1}, {"so it is", 8}, TIME_NONE, NULL}},
                        .hint_count = 4};

    put(&t, &floor_, "ann", "bob", "s", 9)->thread = span_of("t");
    put(&t, &floor_, "ann", "bob", "s", 8)->thread = span_of("t");
    put(&t, &floor_, "ann", "bob", "gone", 8)->expires_us = NOW_US;
    build(&t);
    assert_span(conversation_of(&t, 0)->stuck, "bob");
    cr_assert_eq(conversation_of(&t, 0)->stuck_us, NOW_US - 9 * MINUTE_US);
    finish(&t);
}
