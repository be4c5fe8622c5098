/* Tests messages whose sender died before it knew their outcome: those that arrived are done, the
 * rest is kept, and sent when the person says so. */
#include "delivery_support.h"

TestSuite(outbox_interrupted, .init = make, .fini = clear, .timeout = 120);

/* Leaves an entry as a process does that dies: recorded, with the bytes of a letter, and
 * unclaimed. */
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

Test(outbox_interrupted, an_interrupted_message_that_arrived_is_done)
{
    note_and_die("hello", true);
    outbox_work(state, NULL);
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1);
}

Test(outbox_interrupted, an_interrupted_message_that_did_not_arrive_is_kept_and_not_sent)
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

Test(outbox_interrupted, trying_again_what_is_there_writes_nothing)
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

Test(outbox_interrupted, trying_again_what_is_not_in_the_outbox_is_told)
{
    cr_assert_not(outbox_retry(state, 77, NULL, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
}

Test(outbox_interrupted, trying_again_in_vain_is_told)
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

Test(outbox_interrupted, an_interrupted_file_is_looked_for_and_kept_when_it_is_not_there)
{
    struct outbox_entry entry = {.format = span_of("adr"),
                                 .box = span_of("bob"),
                                 .id = span_of("MSG-1"),
                                 .name = span_of("MSG-1.json"),
                                 .bytes = span_of("{\"id\": \"MSG-1\"}"),
                                 .created_us = time_now()};

    tmp_write(&tmp, "mail/bob/inbox/.keep", span_of(""));
    open_mail("adr");
    entry.root = span_of(source.path);
    cr_assert(outbox_record(state, &entry, 1, time_now(), &err), "%s", err.text);
    cr_assert(outbox_release(state, entry.number, &err));
    tmp_write(&tmp, "mail/bob/inbox/MSG-1.json", span_of("{\"id\": \"MSG-1\"}"));
    work();
    cr_assert_eq(count_outbox(), 0);
    cr_assert(outbox_record(state, &entry, 1, time_now(), &err), "%s", err.text);
    cr_assert(outbox_release(state, entry.number, &err));
    unlinkat(tmp.fd, "mail/bob/inbox/MSG-1.json", 0);
    work();
    expect_entry(OUTBOX_FAILED);
    cr_assert_not(tmp_exists(&tmp, "mail/bob/inbox/MSG-1.json"));
    cr_assert(outbox_retry(state, entry.number, NULL, &err), "%s", err.text);
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(times_in("mail/bob/inbox/MSG-1.json", "MSG-1"), 1);
}

/* Leaves an entry as a process does that is killed after the record and before the write. */
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
                                 .created_us = time_now()};

    cr_assert(outbox_record(state, &entry, 1, time_now(), &err), "%s", err.text);
    cr_assert(outbox_release(state, entry.number, &err), "%s", err.text);
    return entry.number;
}

Test(outbox_interrupted, what_was_interrupted_waits_while_its_inbox_is_half_written)
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

Test(outbox_interrupted, a_name_that_is_taken_meanwhile_is_not_written_over)
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

Test(outbox_interrupted, a_file_in_the_place_of_the_inbox_lets_nothing_be_sent_again)
{
    int64_t number = leave_recorded("adr", "", "MSG-1.json", "{\"ours\":1}");

    tmp_write(&tmp, "mail/bob/inbox", span_of("no directory"));
    cr_assert_not(outbox_retry(state, number, NULL, &err));
    cr_assert_str_not_empty(err.text);
    expect_entry(OUTBOX_RECORDED);
}
