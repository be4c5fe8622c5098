/* Tests handoff lineage: who had the work before, and the sentences about it. */
#include "handoff_status_support.h"

TestSuite(handoffs_lineage, .fini = clear);

Test(handoffs_lineage, a_chain_of_four_is_found_by_its_subject)
{
    offer("h1", "ann", "bob", 9)->place = &written;
    offer("h2", "bob", "carol", 8)->subject = span_of("[URGENT] Handoff: parser");
    offer("h3", "carol", "dave", 7)->subject = span_of("Handoff: parser");
    offer("h4", "dave", "erin", 6);
    offer("other", "dave", "erin", 5)->subject = span_of("lexer");
    build();
    assert_lineage("h4", "ann h1, bob h2, carol h3");
    assert_lineage("h2", "ann h1");
    assert_lineage("other", "");
    assert_handoff_status("h1", "handed on: to carol in h2 8m ago");
    assert_handoff_status("h3", "handed on: to erin in h4 6m ago");
    assert_handoff_status("h4", "offered: unread");
}

Test(handoffs_lineage, a_chain_is_found_by_what_it_answers_by_its_thread_and_by_its_job)
{
    struct message *message;

    offer("h1", "ann", "bob", 9);
    message = offer("h2", "bob", "carol", 8);
    message->subject = span_of("another");
    message->reply_to = span_of("h1");
    message->requires_response = true;
    message->thread = span_of("t");
    message = offer("h3", "carol", "dave", 7);
    message->subject = span_of("a third");
    message->thread = span_of("t");
    work_of(message)->job = span_of("J1");
    message = offer("h4", "dave", "erin", 6);
    message->subject = span_of("a fourth");
    work_of(message)->job = span_of("J1");
    build();
    assert_lineage("h4", "ann h1, bob h2, carol h3");
}

Test(handoffs_lineage, texts_that_all_start_alike_are_no_subject)
{
    offer("h1", "ann", "bob", 9)->subject = span_of("Work handoff from x to y.");
    offer("h2", "bob", "carol", 8)->subject = span_of("Work handoff from x to y.");
    offer("h3", "ann", "dave", 9)->subject = span_of("");
    offer("h4", "dave", "erin", 8)->subject = span_of("");
    build();
    assert_lineage("h2", "");
    assert_lineage("h4", "");
}

Test(handoffs_lineage, other_teams_and_sources_have_work_of_their_own)
{
    offer("h1", "ann", "bob", 9);
    offer("h2", "bob", "carol", 8)->place = &ops;
    offer("h3", "bob", "carol", 8)->place = &far;
    for (size_t i = 0; i < batch.count; i++)
        work_of(&batch.items[i])->job = span_of("J1");
    build();
    assert_lineage("h2", "");
    assert_lineage("h3", "");
    assert_handoff_status("h1", "offered: unread");
}

Test(handoffs_lineage, work_that_comes_back_is_no_circle)
{
    offer("h1", "ann", "bob", 9);
    offer("h2", "bob", "ann", 8);
    offer("h3", "ann", "bob", 7);
    build();
    assert_lineage("h3", "ann h1, bob h2");
    assert_handoff_status("h2", "handed on: to bob in h3 7m ago");
}

Test(handoffs_lineage, handoffs_that_answer_each_other_or_themselves_make_no_circle)
{
    struct message *message = offer("h1", "ann", "bob", 9);

    message->reply_to = span_of("h2");
    message->requires_response = true;
    message = offer("h2", "bob", "ann", 9);
    message->reply_to = span_of("h1");
    message->requires_response = true;
    message = offer("h3", "carol", "carol", 9);
    message->reply_to = span_of("h3");
    message->requires_response = true;
    build();
    for (size_t i = 0; i < handoffs.count; i++)
        cr_assert(handoffs.items[i].previous == HANDOFF_STATUS_NONE ||
                  handoffs.items[i].previous < i);
    assert_lineage("h2", "ann h1");
    assert_lineage("h3", "");
}

Test(handoffs_lineage, who_declined_never_had_it)
{
    offer("h1", "ann", "bob", 9)->thread = span_of("t");
    reply("no", "bob", "h1", 8, WORK_DECLINED);
    offer("h2", "ann", "carol", 7)->thread = span_of("t");
    offer("h3", "carol", "dave", 6)->thread = span_of("t");
    offer("g1", "zoe", "bob", 9)->thread = span_of("u");
    reply("never", "bob", "g1", 8, WORK_DECLINED);
    offer("g2", "ann", "carol", 7)->thread = span_of("u");
    offer("g3", "ann", "dave", 6)->thread = span_of("u");
    for (size_t i = batch.count - 4; i < batch.count; i++)
        batch.items[i].subject = span_of("lexer");
    build();
    assert_lineage("h2", "");
    assert_lineage("h3", "ann h2");
    assert_lineage("g3", "");
}

Test(handoffs_lineage, who_hands_it_to_itself_still_has_it)
{
    offer("h1", "ann", "bob", 9)->status = STATUS_PROCESSING;
    offer("h2", "bob", "bob", 8);
    build();
    assert_handoff_status("h1", "in progress: marked so in the mailbox");
    assert_lineage("h2", "ann h1");
}

Test(handoffs_lineage, who_was_declined_by_the_next_one_still_has_it)
{
    offer("h1", "ann", "bob", 9);
    offer("h2", "bob", "carol", 8);
    reply("no", "carol", "h2", 7, WORK_DECLINED);
    build();
    assert_handoff_status("h1", "offered: unread");
    cr_assert_eq(handoff_status_of("h1")->next, HANDOFF_STATUS_NONE);
}

Test(handoffs_lineage, the_person_can_hand_on_for_somebody_but_no_stranger_can)
{
    offer("h1", "ann", "bob", 9);
    work_of(offer("h2", "you", "carol", 8))->giver = span_of("bob");
    offer("g1", "ann", "dave", 9)->subject = span_of("lexer");
    struct message *message = offer("g2", "eve", "eve2", 8);
    message->subject = span_of("lexer");
    work_of(message)->giver = span_of("dave");
    build();
    assert_span(handoff_status_of("h2")->giver, "bob");
    assert_handoff_status("h1", "handed on: to carol in h2 8m ago");
    assert_lineage("h2", "ann h1");
    assert_handoff_status("g1", "offered: unread");
    assert_lineage("g2", "ann g1");
}

Test(handoffs_lineage, a_long_chain_is_told_from_its_near_end)
{
    enum { LINKS = 30 };
    static char ids[LINKS][8], names[LINKS + 1][8];
    uint32_t line[3];

    for (int i = 0; i <= LINKS; i++)
        snprintf(names[i], sizeof names[i], "a%d", i);
    for (int i = 0; i < LINKS; i++) {
        snprintf(ids[i], sizeof ids[i], "h%d", i);
        offer(ids[i], names[i], names[i + 1], 2 * LINKS - i);
    }
    build();
    const struct handoff_status *last = handoff_status_of("h29");
    cr_assert_eq(handoff_status_lineage(&handoffs, last, line, 3), 3);
    assert_span(handoffs.items[line[0]].giver, "a26");
    assert_span(handoffs.items[line[2]].giver, "a28");
    cr_assert_eq(handoff_status_lineage(&handoffs, last, line, 0), 0);
    struct str names_before = {0};
    cr_assert(handoff_status_add_lineage(&names_before, &handoffs, last));
    cr_assert_str_eq(str_c(&names_before), "..., a24, a25, a26, a27, a28");
    str_clear(&names_before);
    cr_assert(handoff_status_add_lineage(&names_before, &handoffs, handoff_status_of("h5")));
    cr_assert_str_eq(str_c(&names_before), "a0, a1, a2, a3, a4");
    cr_assert_not(handoff_status_add_lineage(&names_before, &handoffs, handoff_status_of("h0")));
    str_free(&names_before);
}

/* --- sentences --- */

static void assert_sentence(const char *id, const char *tag, const char *sentence)
{
    struct str got = {0};

    handoff_status_add_tag(&got, handoff_status_of(id), NOW_US);
    cr_assert_str_eq(str_c(&got), tag);
    str_clear(&got);
    handoff_status_add_sentence(&got, &handoffs, handoff_status_of(id), NOW_US);
    cr_assert_str_eq(str_c(&got), sentence, "\"%s\"", str_c(&got));
    str_free(&got);
}

Test(handoffs_lineage, a_sentence_says_how_far_it_is_and_who_had_it)
{
    offer("h1", "ann", "bob", 9);
    offer("h2", "bob", "carol", 8);
    reply("a", "carol", "h2", 7, WORK_ACCEPTED);
    offer("old", "ann", "dave", 200)->subject = span_of("lexer");
    work_of(offer("for", "you", "erin", 3))->giver = span_of("dave");
    build();
    assert_sentence("h2", "accepted", "accepted 7m ago by carol (said so in a); before: ann, bob");
    assert_sentence("h1", "handed on", "handed on 8m ago by bob (to carol in h2)");
    assert_sentence("old", "stalled 3h", "stalled 3h: offered 3h ago to dave (unread)");
    assert_sentence("for", "offered", "offered 3m ago to erin (unread); before: dave");
}

Test(handoffs_lineage, a_name_cannot_pass_for_another_part_of_the_sentence)
{
    offer("h", "ann", "bob (said so in x); before: root", 5);
    offer("long", "ann", "an agent whose name goes on and on and on and on", 5);
    build();
    assert_sentence("h", "offered",
                    "offered 5m ago to \"bob (said so in x); before: root\" (unread)");
    assert_sentence("long", "offered",
                    "offered 5m ago to \"an agent whose name goes on and on and o...\" (unread)");
}

Test(handoffs_lineage, the_most_pressing_come_first)
{
    static const char *const order[] = {"stalled", "failed",   "declined", "urgent",   "offered",
                                        "seen",    "accepted", "at work",  "finished", "away"};

    offer("finished", "ann", "bob", 5)->status = STATUS_COMPLETED;
    offer("at work", "ann", "bob", 5)->status = STATUS_PROCESSING;
    offer("accepted", "ann", "bob", 5);
    reply("a", "bob", "accepted", 4, WORK_ACCEPTED);
    offer("away", "ann", "bob", 5)->place = &archive;
    offer("seen", "ann", "bob", 5)->status = STATUS_READ;
    offer("offered", "ann", "bob", 6);
    offer("urgent", "ann", "bob", 5)->priority = PRIORITY_URGENT;
    offer("declined", "ann", "bob", 5);
    reply("no", "bob", "declined", 4, WORK_DECLINED);
    offer("failed", "ann", "bob", 5)->status = STATUS_FAILED;
    offer("stalled", "ann", "bob", 50);
    build();
    for (size_t i = 1; i < sizeof order / sizeof *order; i++) {
        const struct handoff_status *a = handoff_status_of(order[i - 1]),
                                    *b = handoff_status_of(order[i]);
        cr_assert_lt(handoff_status_cmp(&handoffs, a, b), 0, "%s before %s", order[i - 1],
                     order[i]);
        cr_assert_gt(handoff_status_cmp(&handoffs, b, a), 0);
    }
}
