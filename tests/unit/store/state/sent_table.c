/* Tests the sent table: what leaves the outbox delivered is noted once, and forgotten after a
 * time. */
#include "tests/unit/store/send/outbox_support.h"

#define DAY_US (INT64_C(86400) * 1000000)

TestSuite(state_sent, .init = make_home, .fini = clear_home, .timeout = 120);

static struct sent_list sent;

static size_t count_sent(struct state *state)
{
    cr_assert(sent_read(state, &sent, &err), "%s", err.text);
    return sent.count;
}

static void end(struct state *state)
{
    sent_list_free(&sent);
    finish(state);
}

static void deliver_one(struct state *state, const char *id, int64_t now_us)
{
    cr_assert(outbox_done(state, record(state, id), span_of(id), SENT_THERE, now_us, &err), "%s",
              err.text);
}

Test(state_sent, what_is_done_leaves_the_outbox_and_is_noted_whole)
{
    struct outbox_entry entry = {.format = {"claude", 6},
                                 .root = {"/root \xff", 7},
                                 .team = {"t\0t", 3},
                                 .box = {"b", 1},
                                 .id = {"first id", 8},
                                 .from = {"ann", 3},
                                 .to = {"bob's", 5},
                                 .subject = {"s\x1b", 2},
                                 .mailing = {"together", 8},
                                 .bytes = {"bytes", 5},
                                 .created_us = NOW - 5};
    struct state *state = open_state();

    cr_assert(outbox_record(state, &entry, 1, NOW, &err), "%s", err.text);
    cr_assert_eq(count_all(state), 1);
    assert_span(box.items[0].mailing, "together");
    cr_assert(outbox_done(state, entry.number, span_of("the id it got"), SENT_THERE, NOW, &err),
              "%s", err.text);
    state_close(state);
    state = open_state();
    cr_assert_eq(count_all(state), 0);
    cr_assert_eq(count_sent(state), 1);
    const struct sent_entry *got = &sent.items[0];
    cr_assert(span_eq(got->format, entry.format) && span_eq(got->root, entry.root));
    cr_assert(span_eq(got->team, entry.team) && span_eq(got->box, entry.box));
    cr_assert(span_eq(got->from, entry.from) && span_eq(got->to, entry.to));
    cr_assert(span_eq(got->subject, entry.subject));
    assert_span(got->id, "the id it got");
    assert_span(got->mailing, "together");
    cr_assert(got->created_us == NOW - 5 && got->delivered_us == NOW);
    end(state);
}

Test(state_sent, what_was_given_up_is_not_noted)
{
    struct state *state = open_state();

    cr_assert(outbox_remove(state, record(state, "1"), &err), "%s", err.text);
    cr_assert_eq(count_sent(state), 0);
    end(state);
}

Test(state_sent, only_who_has_the_entry_can_be_done_with_it)
{
    struct state *state = open_state(), *other = open_state();
    int64_t number = record(state, "1");

    expect_refused(outbox_done(other, number, span_of("1"), SENT_THERE, NOW, &err));
    cr_assert(outbox_release(state, number, &err), "%s", err.text);
    expect_refused(outbox_done(other, number, span_of("1"), SENT_THERE, NOW, &err));
    expect_refused(outbox_done(state, number, span_of("1"), SENT_THERE, NOW, &err));
    cr_assert_eq(count_all(state), 1);
    cr_assert_eq(count_sent(state), 0);
    state_close(other);
    end(state);
}

Test(state_sent, an_entry_that_cannot_be_noted_stays_in_the_outbox)
{
    struct state *state = open_state();
    int64_t number = record(state, "1");

    run_outside("CREATE TRIGGER no BEFORE DELETE ON outbox"
                " BEGIN SELECT RAISE(ABORT, 'no'); END");
    cr_assert_not(outbox_done(state, number, span_of("1"), SENT_THERE, NOW, &err));
    cr_assert_eq(count_sent(state), 0);
    cr_assert_eq(count_all(state), 1);
    run_outside("DROP TRIGGER no");
    cr_assert(outbox_done(state, number, span_of("1"), SENT_THERE, NOW, &err), "%s", err.text);
    cr_assert_eq(count_sent(state), 1);
    end(state);
}

Test(state_sent, one_message_is_noted_once)
{
    struct state *state = open_state();

    deliver_one(state, "1", NOW);
    deliver_one(state, "1", NOW + 1);
    cr_assert_eq(count_sent(state), 1);
    cr_assert_eq(sent.items[0].delivered_us, NOW + 1);
    end(state);
}

Test(state_sent, what_is_older_than_ninety_days_is_let_go)
{
    struct state *state = open_state();

    deliver_one(state, "old", NOW);
    deliver_one(state, "young", NOW + DAY_US);
    deliver_one(state, "new", NOW + 90 * DAY_US + 1);
    cr_assert_eq(count_sent(state), 2);
    assert_span(sent.items[0].id, "young");
    end(state);
}

Test(state_sent, only_the_newest_are_kept)
{
    struct state *state = open_state();

    deliver_one(state, "first", NOW);
    run_outside("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9999)"
                " INSERT INTO sent (format, root, team, box, id, sender, recipient, subject,"
                " mailing, created_us, delivered_us)"
                " SELECT x'', x'', x'', x'', CAST(i AS BLOB), x'', x'', x'', x'', 1,"
                " 1700000000000000 FROM n");
    cr_assert_eq(count_sent(state), SENT_KEPT);
    deliver_one(state, "last", NOW);
    cr_assert_eq(count_sent(state), SENT_KEPT);
    assert_span(sent.items[0].id, "1");
    assert_span(sent.items[SENT_KEPT - 1].id, "last");
    end(state);
}

/* The database of the first version. */
Test(state_sent, a_database_of_the_first_version_is_brought_up_to_date_with_its_outbox)
{
    struct state *state = open_state();

    leave(state, "waiting");
    state_close(state);
    go_back_to_version_two();
    run_outside("DROP TABLE sent");
    run_outside("ALTER TABLE outbox DROP COLUMN mailing");
    run_outside("PRAGMA user_version = 1");
    state = open_state();
    cr_assert_eq(count_sent(state), 0);
    cr_assert_eq(count_all(state), 1);
    assert_span(box.items[0].id, "waiting");
    assert_span(box.items[0].mailing, "");
    deliver_one(state, "new", NOW);
    cr_assert_eq(count_sent(state), 1);
    end(state);
}

Test(state_sent, a_database_of_the_third_version_is_brought_up_to_date_with_what_was_sent)
{
    struct state *state = open_state();

    leave(state, "waiting");
    deliver_one(state, "old", NOW);
    state_close(state);
    go_back_to_version_three();
    state = open_state();
    cr_assert_eq(count_sent(state), 1);
    cr_assert_eq(sent.items[0].delivery, SENT_THERE);
    cr_assert_eq(count_all(state), 1);
    assert_span(box.items[0].id, "waiting");
    cr_assert_str_empty(box.items[0].before.sum);
    cr_assert_str_empty(box.items[0].before.newer);
    end(state);
}

Test(state_sent, what_the_last_look_has_found_is_kept)
{
    struct state *state = open_state();

    cr_assert(outbox_done(state, record(state, "1"), span_of("1"), SENT_TAKEN, NOW, &err), "%s",
              err.text);
    deliver_one(state, "2", NOW);
    cr_assert_eq(count_sent(state), 2);
    cr_assert_eq(sent.items[0].delivery, SENT_TAKEN);
    cr_assert_eq(sent.items[0].delivery_us, NOW);
    cr_assert_eq(sent.items[1].delivery, SENT_THERE);
    cr_assert_eq(sent.items[1].delivery_us, 0);
    end(state);
}
