/* Tests delivery: a message is noted first, then written, then checked. */
#include "delivery_support.h"

TestSuite(outbox, .init = make, .fini = clear, .timeout = 120);

static int hooked;

Test(outbox, what_was_delivered_is_in_the_mailbox_and_not_in_the_outbox)
{
    cr_assert(send("bob", "hello", VERIFY_NONE), "%s", err.text);
    cr_assert(letter.delivered && !letter.queued);
    cr_assert_eq(times_in(INBOX, "\"hello\""), 1);
    cr_assert_eq(times_in(INBOX, "\"Subject\""), 1);
    cr_assert(span_starts(str_span(&letter.id), span_of("inbox-")), "%s", str_c(&letter.id));
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(tmp_count(&tmp, "mail/teams/web/inboxes"), 1);
}

Test(outbox, a_new_agents_inbox_is_made)
{
    cr_assert(send("new", "hello", VERIFY_NONE), "%s", err.text);
    cr_assert_eq(times_in("mail/teams/web/inboxes/new.json", "\"hello\""), 1);
}

static void expect_noted(int call, const char *name)
{
    struct err problem;

    (void)call;
    if (strncmp(name, ".lock.", 6) != 0)
        return;
    before_mkdir = NULL;
    hooked++;
    struct state *other = state_open_within(false, PATIENCE_MS, &problem);
    cr_assert_not_null(other);
    cr_assert(outbox_list(other, &box, &problem));
    cr_assert_eq(box.count, 1);
    int64_t number = box.items[0].number;
    cr_assert_eq(box.items[0].state, OUTBOX_RECORDED);
    assert_span(box.items[0].format, "claude");
    assert_span(box.items[0].root, source.path);
    assert_span(box.items[0].team, "web");
    assert_span(box.items[0].box, "bob");
    assert_span(box.items[0].from, "lead");
    assert_span(box.items[0].to, "bob");
    assert_span(box.items[0].subject, "Subject");
    assert_span(box.items[0].name, "bob.json");
    cr_assert(outbox_read(other, number, &box, &problem));
    cr_assert_not_null(memmem(box.items[0].bytes.at, box.items[0].bytes.len, "\"hello\"", 7));
    cr_assert_eq(times_in(INBOX, "hello"), 0, "noted first, written then");
    state_close(other);
}

Test(outbox, a_message_is_noted_before_its_mailbox_is_touched)
{
    before_mkdir = expect_noted;
    cr_assert(send("bob", "hello", VERIFY_NONE), "%s", err.text);
    cr_assert_eq(hooked, 1);
    cr_assert_eq(count_outbox(), 0);
}

Test(outbox, nothing_is_written_while_the_database_is_locked)
{
    sqlite3 *db = open_outside();

    run_sql(db, "BEGIN EXCLUSIVE");
    cr_assert_not(send("bob", "hello", VERIFY_NONE));
    cr_assert(strstr(err.text, "nothing was sent"), "%s", err.text);
    cr_assert_not(letter.delivered);
    run_sql(db, "ROLLBACK");
    sqlite3_close(db);
    struct str got = tmp_read(&tmp, INBOX);
    assert_span(str_span(&got), "[]");
    str_free(&got);
    cr_assert(send("bob", "hello", VERIFY_NONE), "it goes on afterwards: %s", err.text);
}

Test(outbox, nothing_is_written_when_the_database_is_broken)
{
    run_outside("DROP TABLE outbox");
    cr_assert_not(send("bob", "hello", VERIFY_NONE));
    cr_assert(strstr(err.text, "nothing was sent"), "%s", err.text);
    cr_assert_not(send("new", "hello", VERIFY_NONE));
    struct str got = tmp_read(&tmp, INBOX);
    assert_span(str_span(&got), "[]");
    str_free(&got);
    cr_assert_eq(tmp_count(&tmp, "mail/teams/web/inboxes"), 1);
}

Test(outbox, when_one_letter_cannot_be_written_none_is)
{
    struct outgoing_message letters[] = {outgoing_message_to("bob", "good"),
                                         outgoing_message_to("ann", "bad")};

    letters[1].draft.from = span_of("a\"b");
    cr_assert_not(deliver_all(letters, 2, VERIFY_NONE));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    cr_assert_eq(times_in(INBOX, "good"), 0);
    cr_assert_eq(count_outbox(), 0);
    cr_assert_eq(tmp_count(&tmp, "mail/teams/web/inboxes"), 1);
    outgoing_message_free(&letters[0]);
    outgoing_message_free(&letters[1]);
}

Test(outbox, those_who_got_nothing_are_named)
{
    struct outgoing_message letters[] = {outgoing_message_to("bob", "good"),
                                         outgoing_message_to("ann", "good"),
                                         outgoing_message_to("cy", "good")};

    cr_assert_eq(mkdirat(tmp.fd, "mail/teams/web/inboxes/ann.json", 0777), 0);
    cr_assert_not(deliver_all(letters, 3, VERIFY_NONE));
    cr_assert_eq(err.scope, ERR_UNCONFIRMED);
    cr_assert(strstr(err.text, "1 of 3, not to ann, cy"), "%s", err.text);
    cr_assert(letters[0].delivered && !letters[1].delivered && !letters[2].delivered);
    cr_assert_eq(count_outbox(), 0, "what failed is said at once, and not sent later");
    for (int i = 0; i < 3; i++)
        outgoing_message_free(&letters[i]);
}

Test(outbox, equal_texts_at_one_moment_are_two_messages)
{
    struct str first = {0};

    for (int i = 0; i < 2; i++) {
        outgoing_message_free(&letter);
        letter = outgoing_message_to("bob", "same");
        letter.draft.created_us = INT64_C(1770478515573000);
        cr_assert(deliver_all(&letter, 1, VERIFY_NONE), "%s", err.text);
        if (!i)
            str_add_span(&first, str_span(&letter.id));
    }
    cr_assert_not(span_eq(str_span(&first), str_span(&letter.id)));
    cr_assert_eq(times_in(INBOX, "2026-02-07T15:35:15.573Z"), 1);
    cr_assert_eq(times_in(INBOX, "2026-02-07T15:35:15.574Z"), 1);
    str_free(&first);
}

Test(outbox, an_entry_that_carries_an_id_is_known_by_it)
{
    tmp_write(&tmp, INBOX, span_of("[{\"from\":\"x\",\"text\":\"y\",\"msgV\":1}]"));
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    cr_assert_eq(letter.id.len, 36, "%s", str_c(&letter.id));
    cr_assert_eq(times_in(INBOX, str_c(&letter.id)), 1);
    assert_span(expect_entry(OUTBOX_WRITTEN)->id, str_c(&letter.id));
}

/* Writes like a program that read the inbox before our message was there. */
static void overwrite(int call)
{
    (void)call;
    if (times_in(INBOX, "\"hello\"")) {
        tmp_write(&tmp, INBOX, span_of(hooked++ ? OVERWRITTEN_TWICE : OVERWRITTEN));
    }
}

Test(outbox, what_is_overwritten_while_it_is_sent_is_written_again_once_and_then_told)
{
    tmp_write(&tmp, INBOX, span_of(OTHER));
    at_fstat = overwrite;
    cr_assert_not(send("bob", "hello", VERIFY_FIRST));
    at_fstat = NULL;
    cr_assert_eq(err.scope, ERR_UNCONFIRMED);
    cr_assert(strstr(err.text, "outbox"), "%s", err.text);
    cr_assert_eq(hooked, 2, "written once and once again: %d", hooked);
    const struct outbox_entry *entry = expect_entry(OUTBOX_LOST);
    cr_assert_eq(entry->attempts, 1);
    assert_span(entry->problem, outbox_vanished(&claude_format));
}

static void take(int call)
{
    (void)call;
    if (times_in(INBOX, "\"hello\"")) {
        hooked++;
        tmp_write(&tmp, INBOX, span_of(OTHER));
    }
}

Test(outbox, what_is_taken_while_it_is_sent_is_not_written_again)
{
    tmp_write(&tmp, INBOX, span_of(OTHER));
    at_fstat = take;
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    cr_assert(letter.seen && letter.taken);
    cr_assert_eq(expect_entry(OUTBOX_TAKEN)->attempts, 0);
    cr_assert(send("bob", "hello", VERIFY_BOTH), "%s", err.text);
    at_fstat = NULL;
    cr_assert(letter.seen && letter.taken);
    cr_assert_eq(hooked, 2, "each was written once: %d", hooked);
    expect_entry(OUTBOX_TAKEN);
}

static void remove_inbox(int call)
{
    (void)call;
    if (times_in(INBOX, "\"hello\""))
        unlinkat(tmp.fd, INBOX, 0);
}

Test(outbox, what_was_in_a_file_that_is_gone_is_unconfirmed)
{
    at_fstat = remove_inbox;
    cr_assert_not(send("bob", "hello", VERIFY_BOTH));
    at_fstat = NULL;
    cr_assert_eq(err.scope, ERR_UNCONFIRMED, "%s", err.text);
    cr_assert(letter.gone && !letter.seen);
    assert_span(expect_entry(OUTBOX_UNCONFIRMED)->problem, outbox_unconfirmed);
    cr_assert_not(tmp_exists(&tmp, INBOX));
}

static void expect_evidence(int call)
{
    static const char sql[] = "SELECT state = 1 AND holder <> 0 AND before_count = 1"
                              " AND before_unread = 1 AND length(before_sum) = 64 FROM outbox";

    (void)call;
    if (!times_in(INBOX, "\"hello\""))
        return;
    sqlite3 *db = open_outside();
    hooked += (int)read_number(db, sql);
    sqlite3_close(db);
}

Test(outbox, what_looks_are_judged_by_is_on_record_before_the_first_of_them)
{
    tmp_write(&tmp, INBOX, span_of(OTHER));
    at_fstat = expect_evidence;
    cr_assert(send("bob", "hello", VERIFY_FIRST), "%s", err.text);
    at_fstat = NULL;
    cr_assert_gt(hooked, 0);
}
