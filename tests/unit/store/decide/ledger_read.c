/* Tests the decisions of the ledger: their outcomes in words, and looking them up. */
#include "ledger_support.h"

#include "store/decide/decision_trail.h"

TestSuite(ledger_fold, .init = make_home, .fini = clear_ledger, .timeout = 60);

static const struct decision_record *fold(const enum ledger_event *events, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        struct ledger_entry entry = entry_of("d", events[i], (int)(i * 12));
        append(&entry);
    }
    read_anew();
    cr_assert_eq(ledger.decision_count, 1);
    return &ledger.decisions[0];
}

static void expect_words(const struct decision_record *record, const char *deed, const char *state)
{
    struct str words = {0};

    decision_add_action(&words, record);
    assert_span(str_span(&words), deed);
    str_clear(&words);
    decision_add_state(&words, record);
    assert_span(str_span(&words), state);
    str_free(&words);
}

#define FOLD(...)                                                                                  \
    fold((const enum ledger_event[]){__VA_ARGS__},                                                 \
         sizeof(const enum ledger_event[]){__VA_ARGS__} / sizeof(enum ledger_event))

static const char granted[] = "granted a permission to tester-2@dev";
static const char wanted[] = "wanted to grant a permission to tester-2@dev";

Test(ledger_fold, an_intent_alone_is_not_known_to_be_sent)
{
    expect_words(FOLD(LEDGER_INTENT), wanted, "interrupted: it is not known to be sent");
}

Test(ledger_fold, what_was_delivered_and_not_looked_for_is_sent)
{
    expect_words(FOLD(LEDGER_INTENT, LEDGER_DELIVERED), granted,
                 "sent, unconfirmed; nobody has looked whether it stayed");
}

Test(ledger_fold, what_was_verified_is_sent_and_unconfirmed)
{
    const struct decision_record *record = FOLD(LEDGER_INTENT, LEDGER_DELIVERED, LEDGER_VERIFIED);

    cr_assert_eq(record->state, DECISION_VERIFIED);
    expect_words(record, granted, "sent, unconfirmed");
    cr_assert_eq(record->first, ledger.entries[0]);
    cr_assert_eq(record->first->next->next, record->last);
    cr_assert_null(record->last->next);
}

Test(ledger_fold, only_an_effect_confirms)
{
    struct ledger_entry effect = entry_of("d", LEDGER_EFFECT, 24);

    FOLD(LEDGER_INTENT, LEDGER_DELIVERED);
    effect.seen_in = span_of("inbox-9");
    append(&effect);
    read_anew();
    expect_words(&ledger.decisions[0], granted, "confirmed: tester-2 went on (inbox-9, 12s later)");
}

Test(ledger_fold, an_effect_may_have_words_of_its_own_and_no_message)
{
    struct ledger_entry effect = entry_of("d", LEDGER_EFFECT, 0);

    effect.note = span_of("it has stopped");
    append(&effect);
    read_anew();
    expect_words(&ledger.decisions[0], granted, "confirmed: it has stopped");
}

Test(ledger_fold, what_was_refused_or_failed_was_not_sent_and_says_why)
{
    struct ledger_entry refused = entry_of("r", LEDGER_REFUSED, 1);
    struct ledger_entry failed = entry_of("f", LEDGER_FAILED, 2), plain = failed;

    refused.note = span_of("it was answered by team-lead");
    failed.note = span_of("no space left");
    plain.decision = span_of("p");
    append(&refused);
    append(&failed);
    append(&plain);
    read_anew();
    expect_words(&ledger.decisions[0], wanted, "not sent, refused: it was answered by team-lead");
    expect_words(&ledger.decisions[1], wanted, "not sent: no space left");
    expect_words(&ledger.decisions[2], wanted, "not sent: it could not be written");
}

Test(ledger_fold, what_vanished_is_lost)
{
    expect_words(FOLD(LEDGER_INTENT, LEDGER_DELIVERED, LEDGER_VERIFIED, LEDGER_LOST), granted,
                 "lost: it was written and has vanished");
}

Test(ledger_fold, what_was_written_again_is_not_lost_any_more)
{
    cr_assert_eq(
        FOLD(LEDGER_INTENT, LEDGER_DELIVERED, LEDGER_LOST, LEDGER_DELIVERED, LEDGER_VERIFIED)
            ->state,
        DECISION_VERIFIED);
}

Test(ledger_fold, what_was_sent_once_is_never_called_unsent)
{
    cr_assert_eq(FOLD(LEDGER_INTENT, LEDGER_DELIVERED, LEDGER_VERIFIED, LEDGER_FAILED,
                      LEDGER_REFUSED, LEDGER_INTENT, LEDGER_DELIVERED)
                     ->state,
                 DECISION_VERIFIED);
}

Test(ledger_fold, what_had_an_effect_keeps_it)
{
    cr_assert_eq(
        FOLD(LEDGER_INTENT, LEDGER_DELIVERED, LEDGER_EFFECT, LEDGER_LOST, LEDGER_FAILED)->state,
        DECISION_EFFECT);
}

Test(ledger_fold, another_try_after_a_failure_is_open_again)
{
    cr_assert_eq(FOLD(LEDGER_INTENT, LEDGER_FAILED, LEDGER_INTENT)->state, DECISION_UNKNOWN);
}

Test(ledger_fold, each_verb_says_what_was_done)
{
    static const struct {
        const char *verb, *kind, *deed;
    } verbs[] = {
        {"approve", "plan", "approved the plan of tester-2@dev"},
        {"reject", "escalation", "rejected the escalation of tester-2@dev"},
        {"approve", NULL, "approved the request of tester-2@dev"},
        {"deny", "permission", "denied a permission to tester-2@dev"},
        {"allow-host", "host", "allowed a host to tester-2@dev"},
        {"deny-host", "host", "denied a host to tester-2@dev"},
        {"accept", "handoff", "accepted the handoff of tester-2@dev"},
        {"decline", "handoff", "declined the handoff of tester-2@dev"},
        {"shutdown", "shutdown", "asked for a shutdown of tester-2@dev"},
        {"mode", "mode", "set the mode of tester-2@dev"},
        {"assign", "task", "assigned a task to tester-2@dev"},
        {"rules", "rules", "sent permission rules to tester-2@dev"},
        {"escalate", "escalation", "escalated to tester-2@dev"},
        {"dream", NULL, "did \"dream\" to tester-2@dev"},
    };
    enum { VERBS = sizeof verbs / sizeof *verbs };

    for (int i = 0; i < VERBS; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d", i);
        struct ledger_entry entry = entry_of(name, LEDGER_VERIFIED, i);
        entry.verb = span_of(verbs[i].verb);
        entry.kind = span_of(verbs[i].kind);
        append(&entry);
    }
    read_anew();
    for (int i = 0; i < VERBS; i++)
        expect_words(&ledger.decisions[i], verbs[i].deed, "sent, unconfirmed");
}

Test(ledger_fold, decisions_are_told_apart_and_keep_what_any_of_their_events_says)
{
    struct ledger_entry intent = entry_of("a", LEDGER_INTENT, 1), other = entry_of("b", 0, 2);
    struct ledger_entry sent = {.event = LEDGER_DELIVERED, .decision = span_of("a")};

    intent.request.asked = span_of("Bash: make");
    intent.answer.text = span_of("yes");
    sent.answer.message = span_of("inbox-1");
    append(&intent);
    append(&other);
    append(&sent);
    read_anew();
    cr_assert_eq(ledger.decision_count, 2);
    const struct decision_record *record = &ledger.decisions[0];
    cr_assert_eq(record->state, DECISION_DELIVERED);
    cr_assert_eq(record->sent, ledger.entries[2]);
    assert_span(record->whole.request.asked, "Bash: make");
    assert_span(record->whole.answer.text, "yes");
    assert_span(record->whole.answer.message, "inbox-1");
    assert_span(record->whole.agent, "tester-2");
    cr_assert_eq(ledger.decisions[1].state, DECISION_UNKNOWN);
}

static struct ledger_sought sought_of(const char *agent)
{
    return (struct ledger_sought){.format = span_of("claude"),
                                  .root = span_of("/srv/claude"),
                                  .team = span_of("dev"),
                                  .agent = span_of(agent)};
}

static void answer_one(void)
{
    struct ledger_entry intent = entry_of("a", LEDGER_INTENT, 1);
    struct ledger_entry sent = entry_of("a", LEDGER_DELIVERED, 2);

    intent.request.id = span_of("perm-1");
    intent.request.sha256 = span_of("11");
    intent.answer.text = span_of("no");
    sent.answer.message = span_of("inbox-1");
    sent.answer.sha256 = span_of("22");
    append(&intent);
    append(&sent);
    read_anew();
}

Test(ledger_fold, an_answer_of_ours_is_found_by_its_text_or_its_id)
{
    struct ledger_sought sought = sought_of("tester-2");

    answer_one();
    cr_assert(!ledger_has_answer(&ledger, &sought));
    sought.text = span_of("no");
    cr_assert(ledger_has_answer(&ledger, &sought));
    sought = sought_of("tester-2");
    sought.request_id = span_of("perm-1"); /* anybody can write this id */
    cr_assert(!ledger_has_answer(&ledger, &sought));
    sought.message = span_of("inbox-1");
    cr_assert(ledger_has_answer(&ledger, &sought));
}

Test(ledger_fold, a_forged_answer_to_a_request_that_we_have_answered_is_not_ours)
{
    struct ledger_sought sought = sought_of("tester-2");

    answer_one();
    sought.request_id = span_of("perm-1");
    sought.message = span_of("inbox-1");
    sought.text = span_of("yes");
    cr_assert(!ledger_has_answer(&ledger, &sought));
}

Test(ledger_fold, a_copy_of_our_text_in_another_message_is_not_ours)
{
    struct ledger_sought sought = sought_of("tester-2");

    answer_one();
    sought.message = span_of("inbox-1-2");
    sought.text = span_of("no");
    cr_assert(!ledger_has_answer(&ledger, &sought));
    sought.message = span_of("inbox-1");
    cr_assert(ledger_has_answer(&ledger, &sought));
}

Test(ledger_fold, what_waits_in_the_outbox_belongs_to_the_decision_of_its_own_place_alone)
{
    struct ledger_entry entry = entry_of("d1", LEDGER_INTENT, 0);
    struct outbox_entry waiting = {.id = span_of("m-1"),
                                   .format = entry.format,
                                   .root = entry.root,
                                   .team = entry.team},
                        other;

    entry.answer.message = span_of("m-1");
    append(&entry);
    read_anew();
    const struct decision_record *record = decision_trail_find(&ledger, &waiting);
    cr_assert_not_null(record);
    assert_span(record->whole.decision, "d1");
    other = waiting;
    other.id = span_of("m-2");
    cr_assert_null(decision_trail_find(&ledger, &other));
    other = waiting;
    other.format = span_of("adr");
    cr_assert_null(decision_trail_find(&ledger, &other));
    other = waiting;
    other.root = span_of("/srv/other");
    cr_assert_null(decision_trail_find(&ledger, &other));
    other = waiting;
    other.team = span_of("ops");
    cr_assert_null(decision_trail_find(&ledger, &other));
}

Test(ledger_fold, the_id_of_our_answer_with_another_text_is_not_ours)
{
    struct ledger_entry entry = entry_of("d1", LEDGER_INTENT, 0);
    struct ledger_sought sought = {.format = entry.format,
                                   .root = entry.root,
                                   .team = entry.team,
                                   .agent = entry.agent,
                                   .message = span_of("m-1"),
                                   .text = span_of("yes")};

    entry.answer.message = span_of("m-1");
    entry.answer.text = span_of("yes");
    append(&entry);
    entry.event = LEDGER_DELIVERED;
    append(&entry);
    read_anew();
    cr_assert(ledger_has_answer(&ledger, &sought));
    sought.text = span_of("no");
    cr_assert_not(ledger_has_answer(&ledger, &sought));
}

Test(ledger_fold, an_answer_of_ours_in_another_place_is_not_ours)
{
    answer_one();
    for (int i = 0; i < 4; i++) {
        struct ledger_sought sought = sought_of("tester-2");
        struct span *const parts[] = {&sought.format, &sought.root, &sought.team, &sought.agent};
        sought.message = span_of("inbox-1");
        cr_assert(ledger_has_answer(&ledger, &sought));
        *parts[i] = span_of("other");
        cr_assert(!ledger_has_answer(&ledger, &sought), "%d", i);
    }
}

Test(ledger_fold, an_interrupted_order_is_known_by_its_text)
{
    struct ledger_entry intent = entry_of("a", LEDGER_INTENT, 1);
    struct ledger_sought sought = sought_of("tester-2");

    intent.verb = span_of("mode");
    intent.answer.text = span_of("{\"type\":\"mode_set_request\"}");
    append(&intent);
    read_anew();
    sought.message = span_of("inbox-7");
    sought.text = intent.answer.text;
    cr_assert(ledger_has_answer(&ledger, &sought));
    sought.text = span_of("{\"type\":\"mode_set_request\"} ");
    cr_assert(!ledger_has_answer(&ledger, &sought));
}

Test(ledger_fold, names_that_are_no_text_are_found_as_they_are_kept)
{
    struct ledger_entry entry = entry_of("a", LEDGER_DELIVERED, 1);
    struct ledger_sought sought = sought_of("caf\xe9");

    entry.agent = span_of("caf\xe9");
    entry.root = span_of("/srv/\xff");
    entry.answer.text = span_of("half \xed\xa0\xbd and \xfe");
    append(&entry);
    read_anew();
    sought.root = entry.root;
    sought.text = entry.answer.text;
    cr_assert(ledger_has_answer(&ledger, &sought));
}

Test(ledger_fold, a_request_id_with_other_bytes_is_noticed)
{
    struct ledger_sought sought = sought_of("tester-2");

    answer_one();
    sought.request_id = span_of("perm-1");
    sought.sha256 = span_of("11");
    cr_assert_null(ledger_other_request(&ledger, &sought));
    sought.sha256 = span_of("12");
    cr_assert_eq(ledger_other_request(&ledger, &sought), &ledger.decisions[0]);
    sought.agent = span_of("another"); /* another agent, to get the answer */
    cr_assert_eq(ledger_other_request(&ledger, &sought), &ledger.decisions[0]);
    sought.request_id = span_of("perm-2");
    cr_assert_null(ledger_other_request(&ledger, &sought));
    sought.request_id = span_of("perm-1");
    sought.team = span_of("ops");
    cr_assert_null(ledger_other_request(&ledger, &sought));
}

Test(ledger_fold, a_request_without_an_id_is_known_by_that_of_its_message)
{
    struct ledger_entry entry = entry_of("a", LEDGER_INTENT, 1);
    struct ledger_sought sought = sought_of("tester-2");

    entry.request.message = span_of("MSG-1");
    entry.request.sha256 = span_of("11");
    append(&entry);
    read_anew();
    sought.message = span_of("MSG-1");
    sought.sha256 = span_of("12");
    cr_assert_not_null(ledger_other_request(&ledger, &sought));
}

Test(ledger_fold, new_decisions_have_names_of_their_own)
{
    char first[LEDGER_DECISION + 1], second[LEDGER_DECISION + 1];

    ledger_new_decision(first);
    ledger_new_decision(second);
    cr_assert_eq(strlen(first), LEDGER_DECISION);
    cr_assert_neq(strcmp(first, second), 0);
}

Test(ledger_fold, what_was_seen_again_was_sent_even_if_nothing_says_that_it_was_written)
{
    const struct decision_record *record = FOLD(LEDGER_INTENT, LEDGER_VERIFIED);

    cr_assert_eq(record->sent, ledger.entries[1]);
}

Test(ledger_fold, a_word_of_a_later_version_changes_nothing)
{
    cr_assert_eq(FOLD(LEDGER_INTENT, LEDGER_DELIVERED)->state, DECISION_DELIVERED);
    int fd = openat(tmp.fd, LEDGER, O_WRONLY | O_APPEND | O_CLOEXEC);
    static const char line[] = "{\"v\":2,\"event\":\"pondered\",\"decision\":\"d\"}\n";
    cr_assert_eq(write(fd, line, strlen(line)), (ssize_t)strlen(line));
    close(fd);
    read_anew();
    cr_assert_eq(ledger.decisions[0].state, DECISION_DELIVERED);
    cr_assert_eq(ledger.entries[2]->event, LEDGER_OTHER);
    cr_assert_str_eq(ledger_event_word(LEDGER_OTHER), "");
}

Test(ledger_fold, an_effect_is_told_at_once_later_or_without_a_time)
{
    struct ledger_entry effect = entry_of("d", LEDGER_EFFECT, 12);

    FOLD(LEDGER_INTENT, LEDGER_DELIVERED);
    append(&effect);
    effect.note = span_of("again");
    append(&effect); /* the first one counts */
    read_anew();
    expect_words(&ledger.decisions[0], granted, "confirmed: tester-2 went on (at once)");
    struct decision_record timeless = ledger.decisions[0];
    struct ledger_entry later = *timeless.effect, from = *timeless.sent;
    timeless.effect = &later;
    timeless.sent = &from;
    later.at_us = TIME_NONE;
    expect_words(&timeless, granted, "confirmed: tester-2 went on");
    later.seen_in = span_of("m-1");
    expect_words(&timeless, granted, "confirmed: tester-2 went on (m-1)");
    later.at_us = from.at_us + 60000000;
    from.at_us = TIME_NONE;
    expect_words(&timeless, granted, "confirmed: tester-2 went on (m-1)");
    from.at_us = later.at_us - 60000000;
    later.seen_in = (struct span){0};
    expect_words(&timeless, granted, "confirmed: tester-2 went on (1m later)");
}

Test(ledger_fold, what_ended_without_a_note_says_the_usual)
{
    struct decision_record record = {.state = DECISION_REFUSED, .whole = entry_of("d", 0, 0)};

    expect_words(&record, wanted, "not sent, refused: the request had changed or was answered");
    record.state = DECISION_FAILED;
    expect_words(&record, wanted, "not sent: it could not be written");
    record.state = DECISION_LOST;
    expect_words(&record, granted, "lost: it was written and has vanished");
}
