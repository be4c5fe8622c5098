/* Tests handoff status: the state of each handoff, by what its taker and its mailbox say. */
#include "handoff_status_support.h"

TestSuite(handoffs, .fini = clear);

Test(handoffs, without_messages_there_are_none)
{
    build();
    cr_assert_eq(handoffs.count, 0);
    cr_assert_eq(handoffs.next_change_us, TIME_NONE);
}

Test(handoffs, talk_is_no_handoff)
{
    say("m", "ann", "bob", 5)->said = WORK_ACCEPTED;
    build();
    cr_assert_eq(handoffs.count, 0);
    cr_assert_null(handoff_status_of("m"));
}

Test(handoffs, damaged_ones_and_those_to_everybody_are_none)
{
    offer("broken", "ann", "bob", 5)->damaged = "it is";
    offer("all", "ann", "all", 5);
    build();
    cr_assert_eq(handoffs.count, 0);
}

Test(handoffs, an_offer_that_nobody_touched_is_offered)
{
    offer("h", "ann", "bob", 5);
    build();
    assert_handoff_status("h", "offered: unread");
    cr_assert_eq(handoff_status_of("h")->since_us, NOW_US - 5 * MINUTE_US);
    assert_span(handoff_status_of("h")->giver, "ann");
    assert_span(handoff_status_of("h")->taker, "bob");
    assert_lineage("h", "");
}

Test(handoffs, the_mailbox_tells_what_its_taker_did_with_it)
{
    static const struct {
        const char *id;
        enum status status;
        const struct place *place;
        const char *expected;
    } rows[] = {
        {"read", STATUS_READ, &here, "seen: marked as read"},
        {"worked on", STATUS_PROCESSING, &here, "in progress: marked so in the mailbox"},
        {"failed", STATUS_FAILED, &here, "failed: marked so in the mailbox"},
        {"completed", STATUS_COMPLETED, &here, "completed: marked so in the mailbox"},
        {"archived", STATUS_ARCHIVED, &archive, "seen: archived without a word"},
        {"archived as done", STATUS_ARCHIVED, &done, "completed: archived"},
        {"cannot be told", STATUS_NONE, &here, "offered: unread"},
    };

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct message *message = offer(rows[i].id, "ann", "bob", 5);
        message->status = (uint8_t)rows[i].status;
        message->place = rows[i].place;
    }
    build();
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_handoff_status(rows[i].id, rows[i].expected);
}

Test(handoffs, what_was_archived_with_the_time_of_its_end_was_completed)
{
    struct message *message = offer("h", "ann", "bob", 50);

    message->place = &archive;
    message->status = STATUS_ARCHIVED;
    work_of(message)->completed_us = NOW_US - 3 * MINUTE_US;
    build();
    assert_handoff_status("h", "completed: archived 3m ago");
}

Test(handoffs, when_it_was_read_is_told_where_the_mailbox_knows)
{
    struct message *message = offer("h", "ann", "bob", 50);

    message->status = STATUS_READ;
    work_of(message)->read_us = NOW_US - 3 * MINUTE_US;
    build();
    assert_handoff_status("h", "seen: marked as read 3m ago");
}

Test(handoffs, since_when_it_is_worked_on_is_told_by_when_it_was_read)
{
    struct message *message = offer("h", "ann", "bob", 50);

    message->status = STATUS_PROCESSING;
    work_of(message)->read_us = NOW_US - 3 * MINUTE_US;
    build();
    assert_handoff_status("h", "in progress: marked so in the mailbox, read 3m ago");
}

Test(handoffs, the_person_has_seen_what_was_looked_at_here)
{
    struct message *message = offer("h", "ann", "you", 5);

    message->status = STATUS_READ;
    message->seen = message->read_here = true;
    offer("theirs", "ann", "bob", 5)->seen = true;
    build();
    assert_handoff_status("h", "seen: looked at here");
    assert_handoff_status("theirs", "offered: unread");
}

Test(handoffs, the_takers_answer_accepts_or_declines)
{
    offer("yes", "ann", "bob", 9);
    reply("a", "bob", "yes", 8, WORK_ACCEPTED);
    offer("no", "ann", "bob", 9);
    reply("b", "bob", "no", 8, WORK_DECLINED);
    offer("hm", "ann", "bob", 9);
    reply("c", "bob", "hm", 8, WORK_UNSAID);
    build();
    assert_handoff_status("yes", "accepted: said so in a 8m ago");
    assert_handoff_status("no", "declined: said so in b 8m ago");
    assert_handoff_status("hm", "seen: answered in c 8m ago");
}

Test(handoffs, who_has_accepted_and_writes_again_is_at_work)
{
    offer("h", "ann", "bob", 90);
    reply("a", "bob", "h", 80, WORK_ACCEPTED);
    say("more", "bob", "ann", 7)->reply_to = span_of("a");
    say("again", "bob", "ann", 5)->reply_to = span_of("more");
    build();
    assert_handoff_status("h", "in progress: wrote again in more 7m ago");
    cr_assert_eq(handoff_status_of("h")->heard_us, NOW_US - 5 * MINUTE_US);
}

Test(handoffs, the_newest_word_counts_whatever_the_order_of_files)
{
    reply("late", "bob", "h", 2, WORK_COMPLETED);
    reply("early", "bob", "h", 8, WORK_ACCEPTED);
    offer("h", "ann", "bob", 9);
    reply("no", "bob", "h2", 8, WORK_DECLINED);
    reply("well", "bob", "h2", 7, WORK_ACCEPTED);
    offer("h2", "ann", "bob", 9);
    build();
    assert_handoff_status("h", "completed: said so in late 2m ago");
    assert_handoff_status("h2", "accepted: said so in well 7m ago");
}

Test(handoffs, a_word_that_ends_it_counts_before_the_mailbox)
{
    struct message *message = offer("h", "ann", "bob", 9);

    message->place = &archive;
    message->status = STATUS_ARCHIVED;
    work_of(message)->completed_us = NOW_US;
    reply("a", "bob", "h", 8, WORK_DECLINED);
    offer("h2", "ann", "bob", 9)->place = &done;
    reply("b", "bob", "h2", 8, WORK_FAILED);
    build();
    assert_handoff_status("h", "declined: said so in a 8m ago");
    assert_handoff_status("h2", "failed: said so in b 8m ago");
}

Test(handoffs, to_archive_what_was_accepted_does_not_complete_it)
{
    offer("h", "ann", "bob", 9)->place = &done;
    reply("a", "bob", "h", 8, WORK_ACCEPTED);
    offer("h2", "ann", "bob", 9)->status = STATUS_COMPLETED;
    reply("b", "bob", "h2", 8, WORK_ACCEPTED);
    build();
    assert_handoff_status("h", "accepted: said so in a 8m ago");
    assert_handoff_status("h2", "completed: marked so in the mailbox");
}

Test(handoffs, the_type_of_an_answer_may_say_that_it_failed)
{
    offer("h", "ann", "bob", 9);
    reply("a", "bob", "h", 8, WORK_UNSAID)->type = span_of("failure");
    build();
    assert_handoff_status("h", "failed: said so in a 8m ago");
}

/* --- only the taker's own words count --- */

Test(handoffs, what_strangers_and_the_giver_say_does_not_count)
{
    offer("h", "ann", "bob", 9);
    reply("a", "eve", "h", 8, WORK_ACCEPTED);
    reply("b", "ann", "h", 7, WORK_COMPLETED);
    reply("c", "Bob", "h", 6, WORK_DECLINED);
    reply("d", "bob ", "h", 6, WORK_DECLINED);
    reply("e", "", "h", 6, WORK_DECLINED);
    build();
    assert_handoff_status("h", "offered: unread");
    cr_assert_eq(handoff_status_of("h")->heard_us, NOW_US - 9 * MINUTE_US);
}

Test(handoffs, what_strangers_say_in_the_conversation_does_not_count_either)
{
    offer("h", "ann", "bob", 9)->thread = span_of("t");
    for (int i = 0; i < 2; i++) {
        struct message *message = say(i ? "a" : "b", i ? "eve" : "ann", "bob", 8 - i);
        message->thread = span_of("t");
        message->said = WORK_COMPLETED;
    }
    build();
    assert_handoff_status("h", "offered: unread");
}

Test(handoffs, a_namesake_in_another_team_or_source_is_somebody_else)
{
    offer("h", "ann", "bob", 9);
    reply("a", "bob", "h", 8, WORK_ACCEPTED)->place = &ops;
    reply("b", "bob", "h", 8, WORK_ACCEPTED)->place = &far;
    build();
    assert_handoff_status("h", "offered: unread");
}

Test(handoffs, every_spelling_of_the_taker_is_the_taker)
{
    offer("h", "ann", "dev/bob", 9);
    reply("a", "bob", "h", 8, WORK_ACCEPTED);
    build();
    assert_handoff_status("h", "accepted: said so in a 8m ago");
}

Test(handoffs, a_damaged_answer_and_an_idle_notice_say_nothing)
{
    offer("h", "ann", "bob", 9);
    reply("a", "bob", "h", 8, WORK_ACCEPTED)->damaged = "it is";
    reply("b", "bob", "h", 8, WORK_COMPLETED)->kind = KIND_IDLE;
    build();
    assert_handoff_status("h", "offered: unread");
}

Test(handoffs, an_answer_to_another_handoff_is_not_about_this_one)
{
    offer("one", "ann", "bob", 9)->thread = span_of("t");
    offer("two", "ann", "carol", 8)->thread = span_of("t");
    struct message *message = reply("a", "bob", "two", 7, WORK_ACCEPTED);
    message->thread = span_of("t");
    build();
    assert_handoff_status("one", "offered: unread");
    assert_handoff_status("two", "offered: unread");
}

Test(handoffs, words_in_the_conversation_are_about_the_last_one_to_who_says_them)
{
    offer("old", "ann", "bob", 9)->thread = span_of("t");
    say("early", "bob", "ann", 8)->thread = span_of("t");
    offer("new", "ann", "bob", 7)->thread = span_of("t");
    struct message *message = say("word", "bob", "ann", 6);
    message->thread = span_of("t");
    message->said = WORK_ACCEPTED;
    build();
    assert_handoff_status("old", "seen: answered in early 8m ago");
    assert_handoff_status("new", "accepted: said so in word 6m ago");
}

Test(handoffs, what_was_written_before_the_offer_is_not_about_it)
{
    struct message *message = say("word", "bob", "ann", 9);

    message->thread = span_of("t");
    message->said = WORK_ACCEPTED;
    offer("h", "ann", "bob", 8)->thread = span_of("t");
    build();
    assert_handoff_status("h", "offered: unread");
}

Test(handoffs, of_one_subject_twice_the_nearest_before_an_answer_is_meant)
{
    struct message *message;

    offer("one", "ann", "bob", 9)->place = &written;
    offer("two", "ann", "bob", 7)->place = &written;
    message = say("a", "bob", "ann", 6);
    message->place = &written;
    message->subject = span_of("Re: parser");
    message->said = WORK_ACCEPTED;
    build();
    assert_handoff_status("one", "offered: unread");
    assert_handoff_status("two", "accepted: said so in a 6m ago");
    assert_lineage("two", "");
}

Test(handoffs, of_two_the_one_whose_id_is_repeated_is_meant)
{
    offer("550e8400-e29b", "ann", "bob", 9)->place = &short_ids;
    offer("650e8400-e29b", "ann", "bob", 8)->place = &short_ids;
    for (size_t i = 0; i < batch.count; i++)
        batch.items[i].thread = span_of("t");
    reply("a", "bob", "550e8400", 7, WORK_ACCEPTED)->place = &short_ids;
    build();
    assert_handoff_status("550e8400-e29b", "accepted: said so in a 7m ago");
    assert_handoff_status("650e8400-e29b", "offered: unread");
}

Test(handoffs, an_answer_may_repeat_the_start_of_an_id_where_the_layout_does)
{
    offer("550e8400-e29b", "ann", "bob", 9)->place = &short_ids;
    reply("a", "bob", "550e8400", 8, WORK_ACCEPTED)->place = &short_ids;
    build();
    assert_handoff_status("550e8400-e29b", "accepted: said so in a 8m ago");
}

Test(handoffs, an_answer_with_the_type_of_a_handoff_is_none)
{
    offer("h", "ann", "bob", 9);
    struct message *message = offer("a", "bob", "ann", 8);
    message->reply_to = span_of("h");
    message->said = WORK_ACCEPTED;
    message = offer("on", "bob", "carol", 7);
    message->reply_to = span_of("h");
    work_of(message);
    build();
    cr_assert_null(handoff_status_of("a"));
    assert_handoff_status("h", "handed on: to carol in on 7m ago");
    assert_handoff_status("on", "offered: unread");
}

/* --- stalling --- */

Test(handoffs, silence_beyond_the_limit_of_its_state_stalls_it)
{
    offer("offered", "ann", "bob", 11);
    offer("seen", "ann", "bob", 14)->status = STATUS_READ;
    offer("seen long ago", "ann", "bob", 16)->status = STATUS_READ;
    offer("answered", "ann", "bob", 90);
    reply("a", "bob", "answered", 29, WORK_UNSAID);
    offer("accepted", "ann", "bob", 90);
    reply("b", "bob", "accepted", 31, WORK_ACCEPTED);
    offer("at work", "ann", "bob", 31)->status = STATUS_PROCESSING;
    build();
    assert_handoff_status("offered", "stalled offered: unread; nothing for 11m");
    assert_handoff_status("seen", "seen: marked as read");
    assert_handoff_status("seen long ago", "stalled seen: marked as read; nothing for 16m");
    assert_handoff_status("answered", "seen: answered in a 29m ago");
    assert_handoff_status("accepted", "stalled accepted: said so in b 31m ago; nothing for 31m");
    assert_handoff_status("at work",
                          "stalled in progress: marked so in the mailbox; nothing for 31m");
}

Test(handoffs, the_limits_are_those_of_the_source)
{
    offer("h", "ann", "bob", 59)->place = &far;
    offer("g", "ann", "bob", 61)->place = &far;
    build();
    cr_assert_not(handoff_status_of("h")->stalled);
    cr_assert(handoff_status_of("g")->stalled);
    cr_assert_eq(handoffs.next_change_us, NOW_US + MINUTE_US + 1);
}

Test(handoffs, exactly_the_limit_is_not_beyond_it)
{
    offer("h", "ann", "bob", 10);
    build();
    cr_assert_not(handoff_status_of("h")->stalled);
    cr_assert_eq(handoffs.next_change_us, NOW_US + 1);
}

Test(handoffs, a_nudge_of_the_giver_is_no_sign_of_the_taker)
{
    offer("h", "ann", "bob", 50);
    reply("a", "bob", "h", 45, WORK_ACCEPTED);
    say("well?", "ann", "bob", 2)->reply_to = span_of("h");
    build();
    assert_handoff_status("h", "stalled accepted: said so in a 45m ago; nothing for 45m");
}

Test(handoffs, what_has_ended_or_was_put_away_never_stalls)
{
    offer("a", "ann", "bob", 5000)->status = STATUS_COMPLETED;
    offer("b", "ann", "bob", 5000)->status = STATUS_FAILED;
    offer("c", "ann", "bob", 5000)->place = &archive;
    offer("d", "ann", "bob", 5000);
    reply("no", "bob", "d", 4000, WORK_DECLINED);
    build();
    for (size_t i = 0; i < handoffs.count; i++) {
        cr_assert_not(handoffs.items[i].stalled);
        cr_assert(handoff_status_is_over(&handoffs.items[i]));
    }
    cr_assert_eq(handoffs.next_change_us, TIME_NONE);
}

Test(handoffs, an_offer_that_expired_is_stalled_at_once)
{
    offer("h", "ann", "bob", 5)->expires_us = NOW_US;
    offer("soon", "ann", "bob", 5)->expires_us = NOW_US + MINUTE_US;
    struct message *message = offer("taken", "ann", "bob", 5);
    message->expires_us = NOW_US - 1;
    message->status = STATUS_READ;
    build();
    assert_handoff_status("h", "stalled offered: unread, and expired; nothing for 5m");
    assert_handoff_status("soon", "offered: unread");
    assert_handoff_status("taken", "seen: marked as read");
    cr_assert_eq(handoffs.next_change_us, NOW_US + MINUTE_US);
}

Test(handoffs, times_in_the_future_and_absent_ones_are_no_evidence)
{
    offer("h", "ann", "bob", 50);
    reply("a", "bob", "h", 40, WORK_ACCEPTED);
    say("later", "bob", "ann", -5000)->reply_to = span_of("h");
    struct message *message = offer("g", "ann", "bob", 50);
    message->status = STATUS_READ;
    work_of(message)->read_us = NOW_US + 1;
    offer("timeless", "ann", "bob", 0)->created_us = TIME_NONE;
    offer("first", "ann", "bob", 0)->created_us = INT64_MIN + 1;
    offer("last", "ann", "bob", 0)->created_us = INT64_MAX;
    build();
    cr_assert(handoff_status_of("h")->stalled);
    cr_assert(handoff_status_of("g")->stalled);
    cr_assert_not(handoff_status_of("timeless")->stalled);
    cr_assert(handoff_status_of("first")->stalled);
    cr_assert_not(handoff_status_of("last")->stalled);
    for (size_t i = 0; i < handoffs.count; i++) {
        struct str text = {0};
        handoff_status_add_sentence(&text, &handoffs, &handoffs.items[i], NOW_US);
        handoff_status_add_tag(&text, &handoffs.items[i], NOW_US);
        str_free(&text);
    }
}
