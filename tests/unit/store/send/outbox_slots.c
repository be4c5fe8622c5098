/* Tests the outbox where a recipient has one slot: messages that wait until it is free, and the
 * outcome of the message that was in it. */
#include "delivery_support.h"
#include "store/state/snooze_history.h"

TestSuite(outbox_slots, .init = make, .fini = clear, .timeout = 120);

Test(outbox_slots, a_message_for_a_taken_slot_is_queued_and_goes_out_when_it_is_free)
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

Test(outbox_slots, queued_messages_go_out_in_their_order)
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

Test(outbox_slots, a_slot_that_another_took_meanwhile_queues_the_message_again)
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

Test(outbox_slots, a_message_that_was_archived_here_does_not_come_back_when_another_took_its_slot)
{
    open_slots();
    unlinkat(tmp.fd, SLOT, 0);
    cr_assert(send("tester", "ours", VERIFY_FIRST), "%s", err.text);
    struct state_key key = {.format = source.format->name,
                            .root = source.path,
                            .box = span_of("tester"),
                            .id = expect_entry(OUTBOX_WRITTEN)->id};
    cr_assert(state_keep_copy(state, &key, span_of("tester"), span_of("to-tester.md"),
                              span_of("ours"), (struct span){0}, time_now(), NULL, &err),
              "%s", err.text);
    tmp_write(&tmp, SLOT, span_of("---\nid: \"theirs\"\n---\n\ntheirs\n"));
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(SLOT, "theirs"), 2);
}

Test(outbox_slots, what_another_process_has_given_up_meanwhile_is_not_written_once_more)
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

Test(outbox_slots, a_slot_that_another_has_long_after_was_emptied_by_its_reader)
{
    open_slots();
    unlinkat(tmp.fd, SLOT, 0);
    cr_assert(send("tester", "ours", VERIFY_FIRST), "%s", err.text);
    tmp_write(&tmp, SLOT, span_of("---\nid: \"theirs\"\n---\n\ntheirs\n"));
    run_outside("UPDATE outbox SET due_us = 1000000");
    outbox_work(state, NULL);
    cr_assert_eq(count_outbox(), 0, "it was read, and does not come back");
}

Test(outbox_slots, a_queued_message_whose_mailbox_is_gone_is_kept_for_the_person)
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

Test(outbox_slots, looking_at_a_slot_that_is_still_taken_changes_nothing)
{
    open_slots();
    cr_assert(send("tester", "second", VERIFY_NONE), "%s", err.text);
    int64_t before = changes();
    for (int i = 0; i < 3; i++)
        outbox_work(state, NULL);
    cr_assert_eq(changes(), before, "who is told of changes would look for ever");
}

/* Sends two messages to the slot; the first one was taken, the second one is in it. */
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

Test(outbox_slots, a_slot_with_another_message_of_ours_was_emptied)
{
    send_two_to_slot();
    work();
    cr_assert_eq(count_outbox(), 0);
}

Test(outbox_slots, what_was_sent_to_another_slot_says_nothing_of_this_one)
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

Test(outbox_slots,
     when_nobody_knows_what_was_sent_a_slot_is_neither_taken_for_emptied_nor_written_again)
{
    send_two_to_slot();
    run_outside("ALTER TABLE sent RENAME TO away");
    work();
    expect_entry(OUTBOX_WRITTEN);
    run_outside("ALTER TABLE away RENAME TO sent");
    work();
    cr_assert_eq(count_outbox(), 0, "its reader had it before the second came");
}
