/* Tests delivery status: what the evidence says about each message that was sent. */
#include "delivery_status_support.h"

#include "mail/protocol/protocol.h"

TestSuite(delivery, .fini = clear);

Test(delivery, every_state_has_a_word_of_its_own)
{
    for (int i = 0; i < DELIVERY_COUNT; i++)
        for (int k = 0; k < i; k++)
            cr_assert_str_neq(delivery_state_name((enum delivery_state)i),
                              delivery_state_name((enum delivery_state)k));
}

Test(delivery, nothing_sent_is_nothing)
{
    put(&inbox[FILES], "1")->by_us = false;
    build();
    cr_assert_eq(statuses.count, 0);
    cr_assert_eq(statuses.thing_count, 0);
}

Test(delivery, a_mailbox_alone_tells_what_its_status_says)
{
    static const struct {
        enum status status;
        enum delivery_state want;
    } cases[] = {{STATUS_UNREAD, DELIVERY_DELIVERED},      {STATUS_READ, DELIVERY_READ},
                 {STATUS_PROCESSING, DELIVERY_PROCESSING}, {STATUS_FAILED, DELIVERY_FAILED},
                 {STATUS_COMPLETED, DELIVERY_COMPLETED},   {STATUS_ARCHIVED, DELIVERY_ARCHIVED},
                 {STATUS_NONE, DELIVERY_DELIVERED}};

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put(&inbox[FILES], "1")->status = (uint8_t)cases[i].status;
        const struct delivery_status *delivery = build_one();
        assert_state(delivery, cases[i].want);
        cr_assert_eq(delivery->sent_us, NOW - 60 * MINUTE);
        cr_assert_eq(delivery->problem.at != NULL, cases[i].want == DELIVERY_FAILED);
        clear();
    }
}

Test(delivery, what_lies_in_the_archive_was_archived_whatever_its_status)
{
    put(&away, "1");
    assert_state(build_one(), DELIVERY_ARCHIVED);
}

Test(delivery, the_times_of_a_status_are_told_where_the_layout_has_them)
{
    struct message_data data = {.read_us = NOW - 3, .completed_us = NOW - 2};
    struct message *message = put(&inbox[FILES], "1");

    message->data = &data;
    message->status = STATUS_READ;
    cr_assert_eq(build_one()->since_us, NOW - 3);
    clear();
    message = put(&inbox[FILES], "1");
    message->data = &data;
    message->status = STATUS_COMPLETED;
    cr_assert_eq(build_one()->since_us, NOW - 2);
}

Test(delivery, that_we_have_looked_at_it_is_not_reading)
{
    struct message *message = put(&inbox[FILES], "1");

    message->status = STATUS_READ;
    message->read_here = true;
    assert_state(build_one(), DELIVERY_DELIVERED);
}

Test(delivery, what_nobody_read_in_time_has_expired)
{
    put(&inbox[FILES], "1")->expires_us = NOW - 1;
    const struct delivery_status *delivery = build_one();
    assert_state(delivery, DELIVERY_EXPIRED);
    cr_assert_eq(delivery->since_us, NOW - 1);
    clear();
    struct message *message = put(&inbox[FILES], "1");
    message->expires_us = NOW - 1;
    message->status = STATUS_READ;
    assert_state(build_one(), DELIVERY_READ);
}

Test(delivery, a_note_and_its_message_are_one)
{
    note(FILES, "1");
    put(&inbox[FILES], "1")->status = STATUS_PROCESSING;
    const struct delivery_status *delivery = build_one();
    assert_state(delivery, DELIVERY_PROCESSING);
    cr_assert_not_null(delivery->message);
    cr_assert_eq(delivery->sent_us, NOW - 10 * MINUTE);
}

Test(delivery, an_unread_message_is_delivered_since_it_was_noted_so)
{
    note(FILES, "1");
    put(&inbox[FILES], "1");
    cr_assert_eq(build_one()->since_us, NOW - 9 * MINUTE);
}

Test(delivery, the_same_id_in_another_box_team_or_source_is_another_message)
{
    struct place elsewhere = inbox[ARRAY], other_box = inbox[ARRAY];

    elsewhere.team = span_of("ops");
    other_box.box = span_of("carol");
    note(ARRAY, "1");
    put(&elsewhere, "1");
    put(&other_box, "1");
    put(&inbox[FILES], "1");
    build();
    cr_assert_eq(statuses.count, 4);
}

Test(delivery, what_was_delivered_and_is_gone_has_vanished)
{
    note(FILES, "1");
    const struct delivery_status *delivery = build_one();
    assert_state(delivery, DELIVERY_VANISHED);
    cr_assert_eq(delivery->since_us, TIME_NONE);
    assert_span(delivery->subject, "Subject");
}

Test(delivery, where_readers_remove_messages_one_that_is_gone_was_taken)
{
    note(SLOTS, "1");
    assert_state(build_one(), DELIVERY_TAKEN);
}

Test(delivery, what_is_gone_from_an_inbox_of_many_was_taken)
{
    note(ARRAY, "1");
    assert_state(build_one(), DELIVERY_TAKEN);
}

Test(delivery, what_is_gone_from_a_damaged_inbox_is_unconfirmed)
{
    struct message *damage;

    note(ARRAY, "1");
    damage = put(&inbox[ARRAY], "bob");
    damage->damaged = "the JSON is cut off";
    assert_state(build_one(), DELIVERY_UNCONFIRMED);
}

Test(delivery, a_damaged_entry_does_not_make_others_unconfirmed)
{
    struct message *damage;

    note(ARRAY, "1");
    damage = put(&inbox[ARRAY], "bob#2");
    damage->damaged = "the entry is no JSON object";
    damage->raw_len = 1;
    assert_state(build_one(), DELIVERY_TAKEN);
}

Test(delivery, what_was_found_to_be_taken_lost_or_unconfirmed_stays_so_unless_it_is_there)
{
    static const enum delivery_state states[] = {DELIVERY_TAKEN, DELIVERY_VANISHED,
                                                 DELIVERY_UNCONFIRMED};

    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        note(ARRAY, "1")->state = states[i];
        const struct delivery_status *delivery = build_one();
        assert_state(delivery, states[i]);
        cr_assert_eq(delivery->since_us, NOW - 9 * MINUTE);
        clear();
        note(ARRAY, "1")->state = states[i];
        put(&inbox[ARRAY], "1");
        assert_state(build_one(), DELIVERY_DELIVERED);
        clear();
    }
}

Test(delivery, one_that_outlived_its_layout_has_expired_when_it_is_gone)
{
    note(SHARED, "young");
    assert_state(build_one(), DELIVERY_VANISHED);
    clear();
    note(SHARED, "old")->sent_us = NOW - 60 * MINUTE;
    const struct delivery_status *delivery = build_one();
    assert_state(delivery, DELIVERY_EXPIRED);
    cr_assert_eq(delivery->since_us, NOW);
}

Test(delivery, what_waits_or_failed_or_was_given_up_stays_so_with_its_problem)
{
    static const enum delivery_state states[] = {DELIVERY_QUEUED, DELIVERY_FAILED,
                                                 DELIVERY_VANISHED};

    for (size_t i = 0; i < sizeof states / sizeof *states; i++) {
        struct delivery_note *one = note(SLOTS, "1");
        one->state = states[i];
        one->problem = span_of("why");
        const struct delivery_status *delivery = build_one();
        assert_state(delivery, states[i]);
        assert_span(delivery->problem, "why");
        clear();
    }
}

Test(delivery, what_failed_and_is_there_all_the_same_was_delivered)
{
    struct delivery_note *one = note(FILES, "1");

    one->state = DELIVERY_FAILED;
    one->problem = span_of("not synced");
    put(&inbox[FILES], "1");
    const struct delivery_status *delivery = build_one();
    assert_state(delivery, DELIVERY_DELIVERED);
    cr_assert_null(delivery->problem.at);
}

Test(delivery, an_answer_outweighs_everything_and_is_named)
{
    put(&away, "1");
    put_answer(&inbox[FILES], "late", "1")->created_us = NOW;
    put_answer(&inbox[FILES], "early", "1");
    const struct delivery_status *delivery = build_one();
    assert_state(delivery, DELIVERY_ANSWERED);
    assert_span(delivery->answer->id, "early");
    cr_assert_eq(delivery->since_us, NOW - MINUTE);
}

Test(delivery, what_is_gone_can_be_answered_too)
{
    note(SLOTS, "1");
    put_answer(&inbox[SLOTS], "2", "1");
    assert_state(build_one(), DELIVERY_ANSWERED);
}

Test(delivery, what_we_said_ourselves_is_no_answer)
{
    put(&inbox[FILES], "1");
    put(&inbox[FILES], "2")->reply_to = span_of("1");
    build();
    for (size_t i = 0; i < statuses.count; i++)
        assert_state(&statuses.items[i], DELIVERY_DELIVERED);
}

Test(delivery, an_answer_may_be_known_by_its_subject_where_there_is_nothing_else)
{
    note(ARRAY, "1");
    put_answer(&inbox[ARRAY], "2", NULL)->subject = span_of("Re: Subject");
    const struct delivery_status *delivery = build_one();
    assert_state(delivery, DELIVERY_ANSWERED);
    assert_span(delivery->answer->id, "2");
}

Test(delivery, a_subject_answers_nothing_before_its_time_of_others_or_elsewhere)
{
    note(ARRAY, "1");
    struct message *early = put_answer(&inbox[ARRAY], "early", NULL);
    early->subject = span_of("Re: Subject");
    early->created_us = NOW - 11 * MINUTE;
    struct message *other = put_answer(&inbox[ARRAY], "other", NULL);
    other->subject = span_of("Re: Subject");
    other->from = span_of("carol");
    put_answer(&inbox[ARRAY], "no answer", NULL);
    put_answer(&inbox[FILES], "elsewhere", NULL)->subject = span_of("Re: Subject");
    assert_state(build_one(), DELIVERY_TAKEN);
}

Test(delivery, a_message_without_a_time_does_no_harm)
{
    put(&inbox[ARRAY], "1")->created_us = TIME_NONE;
    put_answer(&inbox[ARRAY], "2", NULL)->created_us = TIME_NONE;
    const struct delivery_status *delivery = build_one();
    assert_state(delivery, DELIVERY_DELIVERED);
    cr_assert_eq(delivery->since_us, TIME_NONE);
}

Test(delivery, a_request_is_answered_by_its_request_id)
{
    struct message *request = put(&inbox[ARRAY], "1");

    request->type = span_of("shutdown_request");
    request->thread = span_of("shutdown-1@bob");
    struct message *answer = put_answer(&inbox[ARRAY], "2", "shutdown-1@bob");
    answer->type = span_of("shutdown_approved");
    assert_state(build_one(), DELIVERY_ANSWERED);
}

static struct message *put_stopped(const char *id, const char *type, enum protocol_verdict said)
{
    struct message *answer = put_answer(&inbox[ARRAY], id, "shutdown-1@bob");

    answer->type = span_of(type);
    answer->kind = KIND_SHUTDOWN;
    answer->verdict = (uint8_t)said;
    answer->subject = span_of("Shutdown rejected: busy");
    return answer;
}

static struct message *put_stop(void)
{
    struct message *request = put(&inbox[ARRAY], "1");

    request->type = span_of("shutdown_request");
    request->thread = span_of("shutdown-1@bob");
    request->kind = KIND_SHUTDOWN;
    return request;
}

Test(delivery, an_order_that_was_turned_down_says_why)
{
    put_stop();
    put_stopped("2", "shutdown_rejected", VERDICT_NO);
    const struct delivery_status *delivery = build_one();
    assert_state(delivery, DELIVERY_ANSWERED);
    assert_span(delivery->problem, "Shutdown rejected: busy");
    clear();
    put_stop();
    put_stopped("2", "shutdown_approved", VERDICT_YES);
    delivery = build_one();
    assert_state(delivery, DELIVERY_ANSWERED);
    cr_assert_null(delivery->problem.at);
}

Test(delivery, an_order_to_stop_is_answered_by_that_agent_alone)
{
    put_stop();
    put_stopped("2", "shutdown_approved", VERDICT_YES)->from = span_of("carol");
    put_stopped("3", "permission_response", VERDICT_YES);
    assert_state(build_one(), DELIVERY_DELIVERED);
}

Test(delivery, idle_notices_and_damaged_files_are_left_out)
{
    put(&inbox[ARRAY], "1")->kind = KIND_IDLE;
    put(&inbox[ARRAY], "2")->damaged = "torn";
    build();
    cr_assert_eq(statuses.count, 0);
}
