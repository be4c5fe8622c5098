/* Tests the ledger: the form of a line, reading lines back, and reading the file again. */
#include "ledger_support.h"

#include "store/decide/ledger.h"

TestSuite(ledger, .init = make_home, .fini = clear_ledger, .timeout = 120);

static struct ledger_entry full_entry(void)
{
    struct ledger_entry entry = entry_of("d-1", LEDGER_EFFECT, 20);

    entry.request = (struct ledger_request){.message = span_of("inbox-1"),
                                            .id = span_of("perm-1"),
                                            .file = span_of("teams/dev/inboxes/team-lead.json"),
                                            .sha256 = span_of("aa"),
                                            .asked = span_of("Bash: rm -rf build/"),
                                            .at = 2,
                                            .len = 300};
    entry.answer =
        (struct ledger_answer){span_of("inbox-2"), span_of("teams/dev/inboxes/tester-2.json"),
                               span_of("bb"), span_of("{\"type\":\"permission_response\"}")};
    entry.terms =
        (struct ledger_terms){span_of("default"), span_of("be quick"), span_of("Bash(make *)")};
    entry.note = span_of("it went on");
    entry.seen_in = span_of("inbox-3");
    return entry;
}

Test(ledger, a_line_is_what_the_manual_says)
{
    struct ledger_entry entry = full_entry();
    char expected[2048];

    append(&entry);
    struct str text = tmp_read(&tmp, LEDGER);
    snprintf(expected, sizeof expected,
             "{\"v\":1,\"n\":1,\"prev\":\"" ZEROS "\",\"at\":\"2026-11-16T12:00:20.000Z\","
             "\"event\":\"effect\",\"decision\":\"d-1\",\"verb\":\"grant\",\"kind\":\"permission\","
             "\"by\":\"team-lead\",\"uid\":%ld,\"pid\":%ld,\"format\":\"claude\","
             "\"source\":\"/srv/claude\",\"team\":\"dev\",\"agent\":\"tester-2\","
             "\"request\":{\"message\":\"inbox-1\",\"id\":\"perm-1\","
             "\"file\":\"teams/dev/inboxes/team-lead.json\",\"at\":2,\"len\":300,"
             "\"sha256\":\"aa\",\"asked\":\"Bash: rm -rf build/\"},"
             "\"answer\":{\"message\":\"inbox-2\",\"file\":\"teams/dev/inboxes/tester-2.json\","
             "\"sha256\":\"bb\",\"text\":\"{\\\"type\\\":\\\"permission_response\\\"}\"},"
             "\"terms\":{\"mode\":\"default\",\"feedback\":\"be quick\","
             "\"rules\":\"Bash(make *)\"},"
             "\"note\":\"it went on\",\"seen_in\":\"inbox-3\",\"sum\":\"",
             (long)getuid(), (long)getpid());
    cr_assert(span_starts(str_span(&text), span_of(expected)), "%s\n%s", text.at, expected);
    cr_assert_eq(text.len, strlen(expected) + LEDGER_SUM + strlen("\"}\n"));
    str_free(&text);
}

Test(ledger, what_is_absent_is_left_out)
{
    struct ledger_entry entry = {.event = LEDGER_FAILED, .at_us = 1000};

    append(&entry);
    struct str text = tmp_read(&tmp, LEDGER);
    cr_assert(strstr(text.at, "\"event\":\"failed\",\"uid\":") != NULL, "%s", text.at);
    cr_assert_null(strstr(text.at, "request"));
    cr_assert_null(strstr(text.at, "null"));
    str_free(&text);
    read_anew();
    cr_assert_eq(ledger.count, 1);
    cr_assert_null(ledger.entries[0]->decision.at);
    cr_assert_eq(ledger.entries[0]->request.len, 0);
}

Test(ledger, everything_comes_back)
{
    struct ledger_entry entry = full_entry();

    append(&entry);
    read_anew();
    cr_assert_eq(ledger.count, 1);
    const struct ledger_entry *back = ledger.entries[0];
    const struct {
        struct span said, kept;
    } pairs[] = {
        {entry.decision, back->decision},
        {entry.verb, back->verb},
        {entry.kind, back->kind},
        {entry.by, back->by},
        {entry.format, back->format},
        {entry.root, back->root},
        {entry.team, back->team},
        {entry.agent, back->agent},
        {entry.request.message, back->request.message},
        {entry.request.id, back->request.id},
        {entry.request.file, back->request.file},
        {entry.request.sha256, back->request.sha256},
        {entry.request.asked, back->request.asked},
        {entry.answer.message, back->answer.message},
        {entry.answer.file, back->answer.file},
        {entry.answer.sha256, back->answer.sha256},
        {entry.answer.text, back->answer.text},
        {entry.terms.mode, back->terms.mode},
        {entry.terms.feedback, back->terms.feedback},
        {entry.terms.rules, back->terms.rules},
        {entry.note, back->note},
        {entry.seen_in, back->seen_in},
    };
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        cr_assert(span_eq(pairs[i].said, pairs[i].kept), "%zu: \"%.*s\"", i, (int)pairs[i].kept.len,
                  pairs[i].kept.at);
    cr_assert(back->event == LEDGER_EFFECT && back->at_us == entry.at_us);
    cr_assert(back->request.at == 2 && back->request.len == 300);
    cr_assert(back->uid == (int64_t)getuid() && back->pid == (int64_t)getpid());
    cr_assert(back->number == 1 && back->line == 1 && back->version == 1 && !back->torn);
}

Test(ledger, every_event_has_its_word)
{
    for (enum ledger_event event = LEDGER_INTENT; event < LEDGER_OTHER; event++) {
        struct ledger_entry entry = entry_of("d", event, 1);
        append(&entry);
    }
    read_anew();
    cr_assert_eq(ledger.count, LEDGER_OTHER);
    for (enum ledger_event event = LEDGER_INTENT; event < LEDGER_OTHER; event++) {
        cr_assert_eq(ledger.entries[event]->event, event);
        assert_span(ledger.entries[event]->word, ledger_event_word(event));
    }
}

Test(ledger, the_time_is_the_present_one_unless_it_is_given)
{
    struct ledger_entry entry = entry_of("d", LEDGER_INTENT, 0);
    int64_t before_us = time_now() / 1000 * 1000;

    entry.at_us = 0;
    append(&entry);
    read_anew();
    cr_assert(ledger.entries[0]->at_us >= before_us && ledger.entries[0]->at_us <= time_now());
}

Test(ledger, hostile_texts_stay_on_their_line_and_come_back)
{
    static const struct {
        struct span text, kept;
    } texts[] = {
        {{"two\nlines\r\n", 11}, {"two\nlines\r\n", 11}},
        {{"\"},\"sum\":\"x\"}\n{\"v\":1", 21}, {"\"},\"sum\":\"x\"}\n{\"v\":1", 21}},
        {{"a\0b", 3}, {"a\0b", 3}},
        {{"\x1b[2J\x7f\b\\", 7}, {"\x1b[2J\x7f\b\\", 7}},
        {{"\xe2\x80\xae\xf0\x9f\x98\x80", 7}, {"\xe2\x80\xae\xf0\x9f\x98\x80", 7}},
        {{"\xed\xa0\xbd", 3}, {"\xed\xa0\xbd", 3}}, /* a lone surrogate, as JSON may have it */
        {{"\xff\xc0\x80|", 4}, {"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd|", 10}},
        {{"", 0}, {"", 0}},
    };
    enum { TEXTS = sizeof texts / sizeof *texts };

    for (int i = 0; i < TEXTS; i++) {
        struct ledger_entry entry = entry_of("d", LEDGER_INTENT, i);
        entry.agent = entry.request.asked = entry.answer.text = entry.terms.feedback = entry.note =
            entry.root = texts[i].text;
        append(&entry);
    }
    expect_whole(TEXTS, 0);
    for (int i = 0; i < TEXTS; i++) {
        const struct ledger_entry *back = ledger.entries[i];
        cr_assert(back->note.at && span_eq(back->note, texts[i].kept), "%d", i);
        cr_assert(span_eq(back->agent, texts[i].kept) && span_eq(back->root, texts[i].kept));
        cr_assert(span_eq(back->request.asked, texts[i].kept));
        cr_assert(span_eq(back->answer.text, texts[i].kept));
    }
    struct str text = tmp_read(&tmp, LEDGER);
    for (size_t i = 0; i < text.len; i++)
        cr_assert(text.at[i] == '\n' || (text.at[i] >= 0x20 && text.at[i] < 0x7f));
    str_free(&text);
}

Test(ledger, a_text_of_a_megabyte_is_chained_like_any_other)
{
    struct str large = {0};
    struct ledger_entry entry = entry_of("d", LEDGER_INTENT, 1);

    str_pad(&large, 'x', 1 << 20);
    entry.answer.text = str_span(&large);
    for (int i = 0; i < 3; i++)
        append(&entry);
    entry.answer.text = span_of("small");
    append(&entry);
    expect_whole(4, 0);
    cr_assert(span_eq(ledger.entries[1]->answer.text, str_span(&large)));
    str_free(&large);
}

Test(ledger, one_that_is_not_there_is_empty)
{
    read_anew();
    cr_assert(!ledger.there && !ledger.count && !ledger.finding_count);
    cr_assert(strcmp(ledger.head, ZEROS) == 0);
    cr_assert(!tmp_exists(&tmp, "swarmutt"));
}

Test(ledger, reading_again_takes_in_what_was_added)
{
    append_many(3);
    read_anew();
    const struct ledger_entry *first = ledger.entries[0];
    append_many(2);
    cr_assert(ledger_read(&ledger, &err));
    cr_assert(ledger.count == 5 && ledger.lines == 5 && !ledger.finding_count);
    cr_assert_eq(ledger.entries[0], first);
    cr_assert_eq(ledger.entries[4]->number, 5);
    cr_assert_eq(ledger.decision_count, 3); /* the names are the same */
    cr_assert(ledger_read(&ledger, &err));
    cr_assert_eq(ledger.count, 5);
}

Test(ledger, reading_again_notices_another_file_in_its_place)
{
    append_many(3);
    read_anew();
    struct str text = tmp_read(&tmp, LEDGER);
    cr_assert_eq(renameat(tmp.fd, LEDGER, tmp.fd, "old"), 0);
    forget_head();
    append_many(5);
    cr_assert(ledger_read(&ledger, &err));
    cr_assert(ledger.count == 5 && !ledger.damage);
    rewrite(str_span(&text));
    forget_head();
    cr_assert(ledger_read(&ledger, &err));
    cr_assert(ledger.count == 3 && !ledger.damage);
    str_free(&text);
}

Test(ledger, reading_again_notices_another_chain_in_the_same_file)
{
    append_many(3);
    cr_assert_eq(renameat(tmp.fd, LEDGER, tmp.fd, "old"), 0);
    forget_head();
    for (int i = 0; i < 5; i++) {
        struct ledger_entry entry = entry_of("another", LEDGER_INTENT, i);
        append(&entry);
    }
    struct str text = tmp_read(&tmp, LEDGER);
    cr_assert_eq(renameat(tmp.fd, "old", tmp.fd, LEDGER), 0);
    forget_head();
    read_anew();
    cr_assert(ledger.count == 3 && !ledger.damage);
    rewrite(str_span(&text));
    cr_assert(ledger_read(&ledger, &err));
    cr_assert(ledger.count == 5 && !ledger.damage, "%zu entries, %zu damaged", ledger.count,
              ledger.damage);
    assert_span(ledger.entries[0]->decision, "another");
    str_free(&text);
}

Test(ledger, a_hundred_thousand_entries_are_one_chain_and_found_by_their_ids)
{
    enum { EVENTS = 4 };
    size_t many = (size_t)usual_rounds(100000);
    char name[32], message[32], prev[LEDGER_SUM + 1] = ZEROS, sum[LEDGER_SUM + 1];
    struct str text = {0};

    for (size_t i = 0; i < many; i++) {
        struct ledger_entry entry = full_entry();
        entry.event = i % EVENTS;
        snprintf(name, sizeof name, "decision-%zu", i / EVENTS);
        snprintf(message, sizeof message, "message-%zu", i / EVENTS);
        entry.decision = entry.request.id = span_of(name);
        entry.answer.message = span_of(message);
        entry.number = (int64_t)i + 1;
        entry.prev = span_of(prev);
        ledger_add_line(&text, &entry, sum);
        str_putc(&text, '\n');
        memcpy(prev, sum, sizeof sum);
    }
    tmp_write(&tmp, LEDGER, str_span(&text));
    cr_assert_eq(fchmodat(tmp.fd, LEDGER, 0600, 0), 0);
    str_free(&text);
    expect_whole((int64_t)many, 0);
    cr_assert_eq(ledger.decision_count, many / EVENTS);
    cr_assert_eq(ledger.decisions[many / EVENTS - 1].state, DECISION_EFFECT);
    for (size_t i = 0; i < many / EVENTS; i++) {
        struct ledger_sought sought = {.format = span_of("claude"),
                                       .root = span_of("/srv/claude"),
                                       .team = span_of("dev"),
                                       .agent = span_of("tester-2")};
        snprintf(message, sizeof message, "message-%zu", i);
        sought.message = span_of(message);
        cr_assert(ledger_has_answer(&ledger, &sought), "%s", message);
    }
}
