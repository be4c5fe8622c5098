/* Tests the outbox table: entries are read back, changed and due as recorded. */
#include "tests/unit/store/send/outbox_support.h"

TestSuite(state_outbox, .init = make_home, .fini = clear_home, .timeout = 120);

Test(state_outbox, entries_come_back_whole_and_in_order)
{
    struct outbox_entry entries[] = {
        {.format = {"claude", 6},
         .root = {"/root \xff", 7},
         .team = {"t\0t", 3},
         .box = {"'; DROP TABLE outbox; --", 24},
         .id = {"i\n1", 3},
         .uuid = {"u-1", 3},
         .from = {"\"ann\"", 5},
         .to = {"bob's", 5},
         .subject = {"s\x1b", 2},
         .name = {"bob.json", 8},
         .bytes = {"{\0\xff}", 4},
         .problem = {"p", 1},
         .created_us = 11,
         .due_us = 12,
         .state = OUTBOX_QUEUED,
         .attempts = 3},
        {.state = OUTBOX_LOST},
        {.state = OUTBOX_FAILED},
    };
    struct state *state = open_state();

    cr_assert(outbox_record(state, entries, 3, NOW, &err), "%s", err.text);
    cr_assert(entries[0].number > 0 && entries[1].number > entries[0].number &&
              entries[2].number > entries[1].number);
    state_close(state);
    state = open_state();
    cr_assert_eq(count_all(state), 3);
    for (int i = 0; i < 3; i++) {
        const struct outbox_entry *got = &box.items[i], *want = &entries[i];
        cr_assert_eq(got->number, want->number);
        cr_assert_eq(got->state, want->state);
        cr_assert_null(got->bytes.at);
    }
    cr_assert(outbox_read(state, entries[0].number, &box, &err), "%s", err.text);
    const struct outbox_entry *got = &box.items[0], *want = &entries[0];
    cr_assert(span_eq(got->format, want->format) && span_eq(got->root, want->root));
    cr_assert(span_eq(got->team, want->team) && span_eq(got->box, want->box));
    cr_assert(span_eq(got->id, want->id) && span_eq(got->uuid, want->uuid));
    cr_assert(span_eq(got->from, want->from) && span_eq(got->to, want->to));
    cr_assert(span_eq(got->subject, want->subject) && span_eq(got->name, want->name));
    cr_assert(span_eq(got->bytes, want->bytes) && span_eq(got->problem, want->problem));
    cr_assert(got->created_us == 11 && got->due_us == 12 && got->attempts == 3);
    finish(state);
}

Test(state_outbox, entries_are_recorded_together_or_not_at_all)
{
    struct outbox_entry entries[] = {entry_of("1"), entry_of("2")};
    struct state *state = open_state();

    run_outside("CREATE TRIGGER no BEFORE INSERT ON outbox WHEN NEW.id = CAST('2' AS BLOB)"
                " BEGIN SELECT RAISE(ABORT, 'no'); END");
    cr_assert_not(outbox_record(state, entries, 2, NOW, &err));
    cr_assert_eq(err.scope, ERR_SOURCE);
    cr_assert(entries[0].number == 0 && entries[1].number == 0);
    cr_assert_eq(count_all(state), 0);
    finish(state);
}

Test(state_outbox, a_locked_database_records_nothing_and_says_so)
{
    struct outbox_entry entry = entry_of("1");
    struct state *state = open_state();
    sqlite3 *other = open_outside();

    run_sql(other, "BEGIN EXCLUSIVE");
    cr_assert_not(outbox_record(state, &entry, 1, NOW, &err));
    cr_assert_eq(err.scope, ERR_SOURCE);
    cr_assert(strstr(err.text, "locked"), "%s", err.text);
    cr_assert_eq(entry.number, 0);
    cr_assert_eq(count_all(state), 0);
    run_sql(other, "COMMIT");
    cr_assert(outbox_record(state, &entry, 1, NOW, &err), "%s", err.text);
    cr_assert_eq(count_all(state), 1);
    sqlite3_close(other);
    finish(state);
}

Test(state_outbox, what_was_sent_is_gone_and_its_number_is_not_given_again)
{
    struct state *state = open_state();
    int64_t number = record(state, "1");

    cr_assert(outbox_remove(state, number, &err), "%s", err.text);
    cr_assert_eq(count_all(state), 0);
    cr_assert_not(outbox_read(state, number, &box, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
    cr_assert_not(outbox_claim(state, number, NOW, &box, &err));
    cr_assert_eq(err.scope, ERR_ABSENT, "%s", err.text);
    expect_refused(outbox_remove(state, number, &err));
    cr_assert_gt(record(state, "2"), number);
    finish(state);
}

Test(state_outbox, settling_writes_what_may_change_and_nothing_else)
{
    struct state *state = open_state();
    int64_t other = record(state, "other"), number = record(state, "1");
    struct outbox_entry changed = {.number = number,
                                   .format = {"adr", 3},
                                   .id = {"2", 1},
                                   .uuid = {"u", 1},
                                   .name = {"n", 1},
                                   .problem = {"gone", 4},
                                   .due_us = 99,
                                   .state = OUTBOX_WRITTEN,
                                   .attempts = 2};

    cr_assert(outbox_settle(state, &changed, &err), "%s", err.text);
    cr_assert(outbox_read(state, number, &box, &err));
    const struct outbox_entry *got = &box.items[0];
    assert_span(got->format, "roo");
    assert_span(got->id, "2");
    assert_span(got->uuid, "u");
    assert_span(got->name, "n");
    assert_span(got->problem, "gone");
    assert_span(got->bytes, "bytes");
    cr_assert(got->due_us == 99 && got->state == OUTBOX_WRITTEN && got->attempts == 2);
    cr_assert_eq(got->created_us, NOW);
    changed.bytes = (struct span){"x\0y", 3};
    cr_assert(outbox_claim(state, number, NOW, &box, &err), "%s", err.text);
    cr_assert(outbox_settle(state, &changed, &err), "%s", err.text);
    cr_assert(outbox_read(state, number, &box, &err));
    cr_assert(span_eq(box.items[0].bytes, changed.bytes));
    cr_assert(outbox_read(state, other, &box, &err));
    assert_span(box.items[0].id, "other");
    finish(state);
}

Test(state_outbox, due_is_what_waits_and_whose_time_has_come)
{
    struct state *state = open_state(), *other = open_state();

    for (enum outbox_state s = OUTBOX_RECORDED; s <= OUTBOX_FAILED; s++) {
        struct outbox_entry entry = entry_of("1");
        cr_assert(outbox_record(state, &entry, 1, NOW, &err), "%s", err.text);
        entry.state = s;
        entry.due_us = NOW + s;
        cr_assert(outbox_settle(state, &entry, &err), "%s", err.text);
    }
    cr_assert_eq(count_due(other, NOW - 1), 0);
    cr_assert_eq(count_due(other, NOW), 1);
    cr_assert_eq(count_due(other, NOW + 1), 2);
    cr_assert_eq(count_due(other, NOW + 9), 3);
    for (int i = 0; i < 3; i++)
        cr_assert_eq((int)box.items[i].state, i);
    int64_t first = box.items[0].number;
    expect_claim(state, first, NOW);
    cr_assert_eq(count_due(other, NOW + 9), 2);
    cr_assert_eq(count_due(state, NOW + 9), 2);
    cr_assert_eq(count_due(other, AFTER + 9), 2);
    cr_assert_eq(count_due(state, AFTER + 9), 2, "our own lives too");
    state_close(other);
    finish(state);
}
