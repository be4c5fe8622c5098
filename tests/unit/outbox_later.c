/* Tests of what every process does for those before it: looking again, writing again, giving up. */
#include "delivery_support.h"
#include "store/state_kept.h"

TestSuite(outbox_later, .init = make, .fini = clear, .timeout = 120);

Test(outbox_later, what_was_written_is_looked_for_again_two_seconds_later)
{
    int64_t before_us = when_now();

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

Test(outbox_later, what_vanished_is_written_again_twice_and_then_given_up)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    for (int attempt = 1; attempt <= 2; attempt++) {
        tmp_write(&tmp, INBOX, span_of(OTHER));
        work();
        cr_assert_eq(times_in(INBOX, "\"hello\""), 1, "attempt %d", attempt);
        cr_assert_eq(times_in(INBOX, "\"other\""), 1);
        cr_assert_eq(expect_entry(OUTBOX_WRITTEN)->attempts, attempt);
    }
    tmp_write(&tmp, INBOX, span_of(OTHER));
    work();
    assert_span(expect_entry(OUTBOX_LOST)->problem, outbox_vanished(&claude_format));
    cr_assert_eq(times_in(INBOX, "hello"), 0);
    work();
    expect_entry(OUTBOX_LOST);
    cr_assert_eq(times_in(INBOX, "hello"), 0, "what is given up is left to the person");
}

Test(outbox_later, what_was_wiped_out_at_once_is_written_again)
{
    static const char *const cleared[] = {"[]", "[]\"from\":\"lead\",\"text\":\"he"};

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    for (int i = 0; i < 2; i++) {
        tmp_write(&tmp, INBOX, span_of(cleared[i]));
        work();
        expect_entry(OUTBOX_WRITTEN);
        cr_assert_eq(times_in(INBOX, "\"hello\""), 1);
    }
}

Test(outbox_later, what_vanished_long_after_it_was_written_is_left_to_the_person)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    tmp_write(&tmp, INBOX, span_of(OTHER));
    run_outside("UPDATE outbox SET due_us = 1000000");
    outbox_work(state, NULL);
    cr_assert(expect_entry(OUTBOX_LOST)->problem.len > 0);
    cr_assert_eq(times_in(INBOX, "hello"), 0, "an old message does not come back by itself");
}

Test(outbox_later, what_its_reader_took_away_is_done)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    unlinkat(tmp.fd, INBOX, 0);
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_not(tmp_exists(&tmp, INBOX));
}

Test(outbox_later, a_team_or_mailbox_that_is_gone_needs_no_further_look)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    cr_assert_eq(renameat(tmp.fd, "mail/teams/web", tmp.fd, "mail/teams/gone"), 0);
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_not(tmp_exists(&tmp, "mail/teams/web"), "nothing is made by looking");
    cr_assert_eq(renameat(tmp.fd, "mail/teams/gone", tmp.fd, "mail/teams/web"), 0);
    cr_assert(send("bob", "hello again", VERIFY_FIRST), "%s", err.text);
    cr_assert_eq(renameat(tmp.fd, "mail", tmp.fd, "moved"), 0);
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

/* Interrupted. */

/* As a process leaves it that died: noted, with the bytes of a letter, and nobody's. */
static void note_and_die(const char *body, bool written)
{
    int64_t number;

    cr_assert(send("bob", body, VERIFY_FIRST), "%s", err.text);
    number = expect_entry(OUTBOX_WRITTEN)->number;
    run_outside("UPDATE outbox SET state = 0, due_us = 0, holder = 0, lease_us = 0");
    if (!written)
        tmp_write(&tmp, INBOX, span_of(OTHER));
    cr_assert_eq(number, expect_entry(OUTBOX_RECORDED)->number);
}

Test(outbox_later, an_interrupted_message_that_arrived_is_done)
{
    note_and_die("hello", true);
    outbox_work(state, NULL);
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1);
}

Test(outbox_later, an_interrupted_message_that_did_not_arrive_is_kept_and_not_sent)
{
    note_and_die("hello", false);
    outbox_work(state, NULL);
    cr_assert(expect_entry(OUTBOX_FAILED)->problem.len > 0);
    outbox_work(state, NULL);
    work();
    expect_entry(OUTBOX_FAILED);
    cr_assert_eq(times_in(INBOX, "hello"), 0, "not behind the person's back");
    cr_assert(outbox_retry(state, box.items[0].number, NULL, &err), "%s", err.text);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1, "but when the person says so");
    cr_assert_eq(times_in(INBOX, "\"other\""), 1);
    expect_entry(OUTBOX_WRITTEN);
    work();
    cr_assert_eq(count_outbox(), 0);
}

Test(outbox_later, trying_again_what_is_there_writes_nothing)
{
    note_and_die("hello", false);
    outbox_work(state, NULL);
    int64_t number = expect_entry(OUTBOX_FAILED)->number;
    cr_assert(outbox_read(state, number, &box, &err));
    struct str inbox = {0};
    str_addf(&inbox, "[%.*s]", (int)box.items[0].bytes.len, box.items[0].bytes.at);
    tmp_write(&tmp, INBOX, str_span(&inbox));
    cr_assert(outbox_retry(state, number, NULL, &err), "%s", err.text);
    cr_assert_eq(count_outbox(), 0);
    struct str got = tmp_read(&tmp, INBOX);
    cr_assert(span_eq(str_span(&got), str_span(&inbox)));
    str_free(&got);
    str_free(&inbox);
}

Test(outbox_later, trying_again_what_is_not_in_the_outbox_is_told)
{
    cr_assert_not(outbox_retry(state, 77, NULL, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
}

Test(outbox_later, trying_again_in_vain_is_told)
{
    note_and_die("hello", false);
    outbox_work(state, NULL);
    int64_t number = expect_entry(OUTBOX_FAILED)->number;
    unlinkat(tmp.fd, INBOX, 0);
    cr_assert_eq(mkdirat(tmp.fd, INBOX, 0777), 0);
    err = (struct err){0};
    cr_assert_not(outbox_retry(state, number, NULL, &err), "nothing was written");
    cr_assert_str_not_empty(err.text);
    cr_assert_eq(count_outbox(), 1, "it is still there");
    cr_assert_neq(box.items[0].state, OUTBOX_WRITTEN);
}

/* One file a message. */

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

Test(outbox_later, an_interrupted_file_is_looked_for_and_kept_when_it_is_not_there)
{
    struct outbox_entry entry = {.format = span_of("adr"),
                                 .box = span_of("bob"),
                                 .id = span_of("MSG-1"),
                                 .name = span_of("MSG-1.json"),
                                 .bytes = span_of("{\"id\": \"MSG-1\"}"),
                                 .created_us = when_now()};

    tmp_write(&tmp, "mail/bob/inbox/.keep", span_of(""));
    open_mail("adr");
    entry.root = span_of(source.path);
    cr_assert(outbox_record(state, &entry, 1, when_now(), &err), "%s", err.text);
    cr_assert(outbox_release(state, entry.number, &err));
    tmp_write(&tmp, "mail/bob/inbox/MSG-1.json", span_of("{\"id\": \"MSG-1\"}"));
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert(outbox_record(state, &entry, 1, when_now(), &err), "%s", err.text);
    cr_assert(outbox_release(state, entry.number, &err));
    unlinkat(tmp.fd, "mail/bob/inbox/MSG-1.json", 0);
    work();
    expect_entry(OUTBOX_FAILED);
    cr_assert_not(tmp_exists(&tmp, "mail/bob/inbox/MSG-1.json"));
    cr_assert(outbox_retry(state, entry.number, NULL, &err), "%s", err.text);
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in("mail/bob/inbox/MSG-1.json", "MSG-1"), 1);
}

/* One file a recipient. */

static void open_slots(void)
{
    tmp_write(&tmp, SLOT, span_of("---\nid: \"first\"\n---\n\nfirst\n"));
    open_mail("roo");
}

Test(outbox_later, a_message_for_a_taken_slot_is_queued_and_goes_out_when_it_is_free)
{
    open_slots();
    cr_assert(send("tester", "second", VERIFY_FIRST), "%s", err.text);
    cr_assert(letter.queued && !letter.delivered);
    expect_entry(OUTBOX_QUEUED);
    work();
    expect_entry(OUTBOX_QUEUED);
    cr_assert_eq(times_in(SLOT, "first"), 2, "what is there is not touched");
    unlinkat(tmp.fd, SLOT, 0);
    work();
    cr_assert_eq(times_in(SLOT, "second"), 1);
    expect_entry(OUTBOX_WRITTEN);
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(tmp_count(&tmp, "mail/.roo/mailbox"), 1);
}

Test(outbox_later, queued_messages_go_out_in_their_order)
{
    static const char *const texts[] = {"text-a", "text-b", "text-c"};

    open_slots();
    for (int i = 0; i < 3; i++)
        cr_assert(send("tester", texts[i], VERIFY_NONE), "%s", err.text);
    cr_assert_eq(count_outbox(), 3);
    for (int i = 0; i < 3; i++) {
        unlinkat(tmp.fd, SLOT, 0);
        work();
        for (int k = 0; k < 3; k++)
            cr_assert_eq(times_in(SLOT, texts[k]) > 0, k == i, "%s in place %d", texts[k], i);
    }
    unlinkat(tmp.fd, SLOT, 0);
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_not(tmp_exists(&tmp, SLOT));
}

Test(outbox_later, a_slot_that_another_took_meanwhile_queues_the_message_again)
{
    open_slots();
    unlinkat(tmp.fd, SLOT, 0);
    cr_assert(send("tester", "ours", VERIFY_FIRST), "%s", err.text);
    expect_entry(OUTBOX_WRITTEN);
    tmp_write(&tmp, SLOT, span_of("---\nid: \"theirs\"\n---\n\ntheirs\n"));
    work();
    expect_entry(OUTBOX_QUEUED);
    cr_assert_eq(times_in(SLOT, "theirs"), 2);
    unlinkat(tmp.fd, SLOT, 0);
    work();
    cr_assert_eq(times_in(SLOT, "ours"), 1);
}

Test(outbox_later, what_another_process_has_given_up_meanwhile_is_not_written_once_more)
{
    open_slots();
    unlinkat(tmp.fd, SLOT, 0);
    cr_assert(send("tester", "ours", VERIFY_FIRST), "%s", err.text);
    unlinkat(tmp.fd, SLOT, 0);
    run_outside("CREATE TRIGGER meanwhile AFTER UPDATE OF holder ON outbox"
                " WHEN OLD.holder = 0 AND NEW.holder <> 0 BEGIN"
                " UPDATE outbox SET state = 3, attempts = 2 WHERE number = NEW.number; END");
    work();
    expect_entry(OUTBOX_LOST);
    cr_assert_not(tmp_exists(&tmp, SLOT));
    run_outside("DROP TRIGGER meanwhile");
    cr_assert(outbox_retry(state, box.items[0].number, NULL, &err), "it is nobody's: %s", err.text);
}

Test(outbox_later, a_slot_that_another_has_long_after_was_emptied_by_its_reader)
{
    open_slots();
    unlinkat(tmp.fd, SLOT, 0);
    cr_assert(send("tester", "ours", VERIFY_FIRST), "%s", err.text);
    tmp_write(&tmp, SLOT, span_of("---\nid: \"theirs\"\n---\n\ntheirs\n"));
    run_outside("UPDATE outbox SET due_us = 1000000");
    outbox_work(state, NULL);
    cr_assert_eq(count_outbox(), 0, "it was read, and does not come back");
}

Test(outbox_later, a_queued_message_whose_mailbox_is_gone_is_kept_for_the_person)
{
    open_slots();
    cr_assert(send("tester", "second", VERIFY_NONE), "%s", err.text);
    cr_assert_eq(renameat(tmp.fd, "mail", tmp.fd, "moved"), 0);
    work();
    cr_assert(expect_entry(OUTBOX_FAILED)->problem.len > 0);
}

static int64_t changes(void)
{
    int64_t tally[TALLY_COUNT];

    cr_assert(state_tally(state, tally, &err), "%s", err.text);
    return tally[TALLY_OUTBOX];
}

Test(outbox_later, looking_at_a_slot_that_is_still_taken_changes_nothing)
{
    open_slots();
    cr_assert(send("tester", "second", VERIFY_NONE), "%s", err.text);
    int64_t before = changes();
    for (int i = 0; i < 3; i++)
        outbox_work(state, NULL);
    cr_assert_eq(changes(), before, "who is told of changes would look for ever");
}

/* --- when to look again --- */

Test(outbox_later, an_outbox_with_nothing_on_its_way_wants_no_look)
{
    cr_assert_eq(outbox_next_us(state, when_now(), NULL), WHEN_NONE);
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    run_outside("UPDATE outbox SET state = 3, due_us = 0");
    cr_assert_eq(outbox_next_us(state, when_now(), NULL), WHEN_NONE, "it is the person's turn");
}

Test(outbox_later, what_was_written_wants_a_look_when_that_is_due)
{
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    int64_t due_us = expect_entry(OUTBOX_WRITTEN)->due_us;
    cr_assert_eq(outbox_next_us(state, due_us - 1, NULL), due_us);
    tmp_write(&tmp, INBOX, span_of(OTHER));
    work();
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1, "it was written again");
    due_us = expect_entry(OUTBOX_WRITTEN)->due_us;
    cr_assert_eq(outbox_next_us(state, due_us - 1, NULL), due_us);
}

Test(outbox_later, what_another_works_on_or_waits_for_a_slot_is_not_asked_for_all_the_time)
{
    int64_t now_us = when_now();

    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    run_outside("UPDATE outbox SET due_us = 0, holder = 1, lease_us = 9000000000000000");
    cr_assert_geq(outbox_next_us(state, now_us, NULL), now_us + 5000000);
    cr_assert_leq(outbox_next_us(state, now_us, NULL), now_us + 30000000, "it may have died");
    run_outside("DELETE FROM outbox");
    open_slots();
    cr_assert(send("tester", "second", VERIFY_NONE), "%s", err.text);
    now_us = when_now();
    cr_assert_geq(outbox_next_us(state, now_us, NULL), now_us + 30000000);
    cr_assert_leq(outbox_next_us(state, now_us, NULL), now_us + 60000000);
}

static bool hold_entry(int number)
{
    struct err problem;
    struct outbox mine = {0};
    struct state *own = state_open_within(false, PATIENCE_MS, &problem);

    return own && outbox_claim(own, number, when_now(), &mine, &problem) && raise(SIGSTOP) == 0;
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

/* One message was written to the slot, was taken, and another of ours stands there. */
static void send_two_to_slot(void)
{
    tmp_write(&tmp, "mail/.roo/mailbox/.keep", span_of(""));
    open_mail("roo");
    cr_assert(send("tester", "first", VERIFY_FIRST), "%s", err.text);
    cr_assert_eq(unlinkat(tmp.fd, SLOT, 0), 0);
    cr_assert(send("tester", "second", VERIFY_NONE), "%s", err.text);
    cr_assert_eq(times_in(SLOT, "second"), 1);
    expect_entry(OUTBOX_WRITTEN);
}

Test(outbox_later, a_slot_with_another_message_of_ours_was_emptied)
{
    send_two_to_slot();
    work();
    cr_assert_eq(count_outbox(), 0);
}

Test(outbox_later, what_was_sent_to_another_slot_says_nothing_of_this_one)
{
    static const char *const elsewhere[] = {"UPDATE sent SET root = x'2f'",
                                            "UPDATE sent SET format = x'61'",
                                            "UPDATE sent SET box = x'61'"};

    for (size_t i = 0; i < sizeof elsewhere / sizeof *elsewhere; i++) {
        send_two_to_slot();
        run_outside(elsewhere[i]);
        work();
        expect_entry(OUTBOX_QUEUED);
        run_outside("DELETE FROM outbox; DELETE FROM sent");
        cr_assert_eq(unlinkat(tmp.fd, SLOT, 0), 0);
    }
}

Test(outbox_later, when_nobody_knows_what_was_sent_a_slot_is_not_taken_for_emptied)
{
    send_two_to_slot();
    run_outside("ALTER TABLE sent RENAME TO away");
    work();
    expect_entry(OUTBOX_QUEUED);
    run_outside("ALTER TABLE away RENAME TO sent");
}

/* As whoever was killed between the note and the mailbox leaves it. */
static int64_t leave_recorded(const char *format, const char *team, const char *name,
                              const char *bytes)
{
    char root[512];
    snprintf(root, sizeof root, "%s/mail", tmp.path);
    struct outbox_entry entry = {.format = span_of(format),
                                 .root = span_of(root),
                                 .team = span_of(team),
                                 .box = span_of("bob"),
                                 .id = span_of("an-id"),
                                 .name = span_of(name),
                                 .bytes = span_of(bytes),
                                 .created_us = when_now()};

    cr_assert(outbox_record(state, &entry, 1, when_now(), &err), "%s", err.text);
    cr_assert(outbox_release(state, entry.number, &err), "%s", err.text);
    return entry.number;
}

Test(outbox_later, what_was_interrupted_waits_while_its_inbox_is_half_written)
{
    leave_recorded("claude", "web", "bob.json", "{\"from\":\"x\"}");
    tmp_write(&tmp, INBOX, span_of("[{\"from\":"));
    work();
    assert_span(expect_entry(OUTBOX_RECORDED)->problem, "its mailbox cannot be read just now");
    tmp_write(&tmp, INBOX, span_of("[]"));
    work();
    expect_entry(OUTBOX_FAILED);
}

#define MESSAGE "mail/bob/inbox/MSG-1.json"

Test(outbox_later, a_name_that_is_taken_meanwhile_is_not_written_over)
{
    int64_t number = leave_recorded("adr", "", "MSG-1.json", "{\"ours\":1}");

    tmp_write(&tmp, MESSAGE, span_of("{\"theirs\":1}"));
    cr_assert_not(outbox_retry(state, number, NULL, &err));
    cr_assert_eq(err.scope, ERR_REFUSED);
    cr_assert(strstr(err.text, "the name is taken by another message"), "%s", err.text);
    cr_assert_eq(times_in(MESSAGE, "theirs"), 1);
    cr_assert_eq(tmp_count(&tmp, "mail/bob/inbox"), 1, "nothing is left beside it");
    cr_assert_eq(unlinkat(tmp.fd, MESSAGE, 0), 0);
    cr_assert(outbox_retry(state, number, NULL, &err), "%s", err.text);
    cr_assert_eq(times_in(MESSAGE, "ours"), 1);
    cr_assert_eq(count_outbox(), 0);
}

Test(outbox_later, a_file_in_the_place_of_the_inbox_lets_nothing_be_sent_again)
{
    int64_t number = leave_recorded("adr", "", "MSG-1.json", "{\"ours\":1}");

    tmp_write(&tmp, "mail/bob/inbox", span_of("no directory"));
    cr_assert_not(outbox_retry(state, number, NULL, &err));
    cr_assert_str_not_empty(err.text);
    expect_entry(OUTBOX_RECORDED);
}
