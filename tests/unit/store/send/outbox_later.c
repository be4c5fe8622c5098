/* Tests the work that every process does for earlier ones: checking again, writing again, giving
 * up. */
#include "delivery_support.h"

TestSuite(outbox_later, .init = make, .fini = clear, .timeout = 120);

Test(outbox_later, what_was_written_is_looked_for_again_two_seconds_later)
{
    int64_t before_us = time_now();

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    const struct outbox_entry *entry = expect_entry(OUTBOX_WRITTEN);
    cr_assert_geq(entry->due_us, before_us + 2000000);
    cr_assert_eq(entry->attempts, 0);
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1, "and not written twice");
}

Test(outbox_later, nothing_is_done_before_it_is_due)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    run_outside("UPDATE outbox SET due_us = due_us + 20000000");
    tmp_write(&tmp, INBOX, span_of(OTHER));
    outbox_work(state, NULL);
    expect_entry(OUTBOX_WRITTEN);
    cr_assert_eq(times_in(INBOX, "hello"), 0);
}

Test(outbox_later, what_is_due_in_years_is_from_a_clock_that_was_put_back)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    run_outside("UPDATE outbox SET due_us = 9000000000000000");
    outbox_work(state, NULL);
    cr_assert_eq(count_outbox(), 0);
}

/* Sends to an inbox with an older message; a writer that knew only that one overwrites ours. */
static void send_and_overwrite(void)
{
    tmp_write(&tmp, INBOX, span_of(OTHER));
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    tmp_write(&tmp, INBOX, span_of(OVERWRITTEN));
}

Test(outbox_later, what_looks_overwritten_twice_is_written_again_once_and_then_given_up)
{
    send_and_overwrite();
    work();
    cr_assert_eq(times_in(INBOX, "hello"), 0, "one look is not enough");
    cr_assert_str_not_empty(expect_entry(OUTBOX_WRITTEN)->before.newer);
    work();
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1);
    cr_assert_eq(times_in(INBOX, "\"newer\""), 1);
    cr_assert_eq(expect_entry(OUTBOX_WRITTEN)->attempts, 1);
    cr_assert_str_empty(box.items[0].before.newer);
    tmp_write(&tmp, INBOX, span_of(OVERWRITTEN_TWICE));
    work();
    expect_entry(OUTBOX_WRITTEN);
    work();
    assert_span(expect_entry(OUTBOX_LOST)->problem, outbox_vanished(&claude_format));
    cr_assert_eq(times_in(INBOX, "hello"), 0);
    work();
    expect_entry(OUTBOX_LOST);
    cr_assert_eq(times_in(INBOX, "hello"), 0, "what is given up is left to the person");
}

Test(outbox_later, what_is_followed_by_other_mail_at_each_look_was_taken)
{
    send_and_overwrite();
    work();
    tmp_write(&tmp, INBOX, span_of("[" OLDER "," OLDER "]"));
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "hello"), 0);
}

Test(outbox_later, what_looked_overwritten_once_and_is_back_is_done)
{
    send_and_overwrite();
    work();
    cr_assert(outbox_read(state, expect_entry(OUTBOX_WRITTEN)->number, &box, &err));
    struct str inbox = {0};
    str_addf(&inbox, "[%.*s]", (int)box.items[0].bytes.len, box.items[0].bytes.at);
    tmp_write(&tmp, INBOX, str_span(&inbox));
    str_free(&inbox);
    work();
    cr_assert_eq(count_outbox(), 0);
}

Test(outbox_later, a_rewrite_that_was_interrupted_is_not_done_again_by_itself)
{
    send_and_overwrite();
    work();
    work();
    run_outside("UPDATE outbox SET state = 0"); /* as while it is written again */
    tmp_write(&tmp, INBOX, span_of(OVERWRITTEN));
    work();
    expect_entry(OUTBOX_FAILED);
    cr_assert_eq(times_in(INBOX, "hello"), 0);
}

static void expect_taken(const char *inbox)
{
    tmp_write(&tmp, INBOX, span_of(OTHER));
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    tmp_write(&tmp, INBOX, span_of(inbox));
    for (int i = 0; i < 3; i++)
        work();
    cr_assert_eq(count_outbox(), 0, "%s", inbox);
    cr_assert_eq(times_in(INBOX, "hello"), 0, "%s", inbox);
    struct sent_list sent = {0};
    cr_assert(sent_read(state, &sent, &err), "%s", err.text);
    cr_assert_eq(sent.items[sent.count - 1].delivery, SENT_TAKEN, "%s", inbox);
    cr_assert_gt(sent.items[sent.count - 1].delivery_us, 0);
    sent_list_free(&sent);
}

Test(outbox_later, what_is_gone_without_evidence_was_taken_and_is_never_written_again)
{
    expect_taken("[]");
    expect_taken("[]\"from\":\"lead\",\"text\":\"he");
    expect_taken(OTHER);
    expect_taken("[" NEWER "]");
    expect_taken("[" NEWER "," NEWER "]");
    expect_taken("[{\"from\":\"x\",\"text\":\"other\",\"timestamp\":\"t\",\"read\":true}," NEWER
                 "]");
}

Test(outbox_later, what_was_overwritten_long_after_it_was_written_is_left_to_the_person)
{
    send_and_overwrite();
    run_outside("UPDATE outbox SET due_us = 1000000");
    outbox_work(state, NULL);
    cr_assert(expect_entry(OUTBOX_LOST)->problem.len > 0);
    cr_assert_eq(times_in(INBOX, "hello"), 0, "an old message does not come back by itself");
}

Test(outbox_later, newer_mail_that_came_after_ours_was_taken_is_no_evidence)
{
    send_and_overwrite();
    run_outside("UPDATE outbox SET state = 5"); /* as after the first check */
    for (int i = 0; i < 3; i++)
        work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "hello"), 0);
}

Test(outbox_later, a_state_from_before_there_was_evidence_writes_nothing_again)
{
    send_and_overwrite();
    run_outside("UPDATE outbox SET before_count = 0, before_unread = 0, before_sum = x''");
    for (int i = 0; i < 3; i++)
        work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "hello"), 0);
}

Test(outbox_later, what_was_in_a_file_that_is_gone_is_unconfirmed)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    unlinkat(tmp.fd, INBOX, 0);
    work();
    assert_span(expect_entry(OUTBOX_UNCONFIRMED)->problem, outbox_unconfirmed);
    cr_assert_not(tmp_exists(&tmp, INBOX));
    work();
    expect_entry(OUTBOX_UNCONFIRMED);
}

Test(outbox_later, what_was_in_a_team_or_mailbox_that_is_gone_is_unconfirmed)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    cr_assert_eq(renameat(tmp.fd, "mail/teams/web", tmp.fd, "mail/teams/gone"), 0);
    work();
    expect_entry(OUTBOX_UNCONFIRMED);
    cr_assert_not(tmp_exists(&tmp, "mail/teams/web"), "nothing is made by looking");
    cr_assert_eq(renameat(tmp.fd, "mail/teams/gone", tmp.fd, "mail/teams/web"), 0);
    run_outside("DELETE FROM outbox");
    cr_assert(send("bob", "hello again", VERIFY_FIRST), "%s", err.text);
    cr_assert_eq(renameat(tmp.fd, "mail", tmp.fd, "moved"), 0);
    work();
    expect_entry(OUTBOX_UNCONFIRMED);
}

Test(outbox_later, what_was_in_a_file_that_stays_damaged_is_unconfirmed)
{
    const struct timespec old[] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    tmp_write(&tmp, INBOX, span_of("[{\"from\":"));
    work();
    expect_entry(OUTBOX_WRITTEN);
    cr_assert_eq(utimensat(tmp.fd, INBOX, old, 0), 0);
    work();
    expect_entry(OUTBOX_UNCONFIRMED);
}

Test(outbox_later, a_file_that_stays_without_a_byte_was_emptied)
{
    const struct timespec old[] = {{.tv_sec = 1000000000}, {.tv_sec = 1000000000}};

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    tmp_write(&tmp, INBOX, span_of(""));
    cr_assert_eq(utimensat(tmp.fd, INBOX, old, 0), 0);
    work();
    cr_assert_eq(count_outbox(), 0);
}

Test(outbox_later, an_inbox_that_is_being_written_is_looked_at_later)
{
    struct str whole;

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    whole = tmp_read(&tmp, INBOX);
    tmp_write(&tmp, INBOX, span_of(""));
    work();
    expect_entry(OUTBOX_WRITTEN);
    cr_assert_eq(tmp_count(&tmp, "mail/teams/web/inboxes"), 1);
    tmp_write(&tmp, INBOX, str_span(&whole));
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1);
    str_free(&whole);
}

Test(outbox_later, an_inbox_that_is_half_written_is_looked_at_later)
{
    struct str whole, now;

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    whole = tmp_read(&tmp, INBOX);
    tmp_write(&tmp, INBOX, (struct span){whole.at, whole.len / 2});
    work();
    const struct outbox_entry *entry = expect_entry(OUTBOX_WRITTEN);
    cr_assert_eq(entry->attempts, 0, "half a file does not say that the message vanished");
    now = tmp_read(&tmp, INBOX);
    cr_assert_eq(now.len, whole.len / 2, "and nothing is written into it");
    str_free(&now);
    tmp_write(&tmp, INBOX, str_span(&whole));
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1);
    str_free(&whole);
}

Test(outbox_later, one_file_a_message_is_delivered_and_forgotten)
{
    tmp_write(&tmp, "mail/bob/inbox/.keep", span_of(""));
    open_mail("adr");
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    cr_assert(letter.delivered);
    cr_assert_eq(count_outbox(), 0, "nobody overwrites it: no second look");
    char path[128];
    snprintf(path, sizeof path, "mail/bob/inbox/%s.json", str_c(&letter.id));
    cr_assert_eq(times_in(path, "\"hello\""), 1);
    cr_assert_eq(tmp_count(&tmp, "mail/bob/inbox"), 2);
}

static bool hold_entry(int number)
{
    struct err problem;
    struct outbox mine = {0};
    struct state *own = state_open_within(false, PATIENCE_MS, &problem);

    return own && outbox_claim(own, number, time_now(), &mine, &problem) && raise(SIGSTOP) == 0;
}

Test(outbox_later, what_another_process_is_at_work_on_is_left_to_it)
{
    int status;

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    int number = (int)expect_entry(OUTBOX_WRITTEN)->number;
    pid_t pid = start(hold_entry, number);
    cr_assert_eq(waitpid(pid, &status, WUNTRACED), pid);
    cr_assert(WIFSTOPPED(status), "status %x", (unsigned)status);
    tmp_write(&tmp, INBOX, span_of(OTHER));
    work();
    expect_entry(OUTBOX_WRITTEN);
    cr_assert_eq(times_in(INBOX, "hello"), 0);
    kill(pid, SIGKILL);
    cr_assert_eq(waitpid(pid, &status, 0), pid);
}

/* --- the time of the next check --- */

Test(outbox_later, an_outbox_with_nothing_on_its_way_wants_no_look)
{
    cr_assert_eq(outbox_next_us(state, time_now(), NULL), TIME_NONE);
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    run_outside("UPDATE outbox SET state = 3, due_us = 0");
    cr_assert_eq(outbox_next_us(state, time_now(), NULL), TIME_NONE, "it is the person's turn");
}

Test(outbox_later, what_was_written_wants_a_look_when_that_is_due)
{
    send_and_overwrite();
    int64_t due_us = expect_entry(OUTBOX_WRITTEN)->due_us;
    cr_assert_eq(outbox_next_us(state, due_us - 1, NULL), due_us);
    work();
    due_us = expect_entry(OUTBOX_WRITTEN)->due_us;
    cr_assert_eq(outbox_next_us(state, due_us - 1, NULL), due_us);
    work();
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1, "it was written again");
    due_us = expect_entry(OUTBOX_WRITTEN)->due_us;
    cr_assert_eq(outbox_next_us(state, due_us - 1, NULL), due_us);
}

Test(outbox_later, what_another_works_on_or_waits_for_a_slot_is_not_asked_for_all_the_time)
{
    int64_t now_us = time_now();

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    run_outside("UPDATE outbox SET due_us = 0, holder = 1, lease_us = 9000000000000000");
    cr_assert_geq(outbox_next_us(state, now_us, NULL), now_us + 5000000);
    cr_assert_leq(outbox_next_us(state, now_us, NULL), now_us + 30000000, "it may have died");
    run_outside("DELETE FROM outbox");
    open_slots();
    cr_assert(send("tester", "second", VERIFY_NONE), "%s", err.text);
    now_us = time_now();
    cr_assert_geq(outbox_next_us(state, now_us, NULL), now_us + 30000000);
    cr_assert_leq(outbox_next_us(state, now_us, NULL), now_us + 60000000);
}
