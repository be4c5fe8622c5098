/* Tests threads: which messages are joined, whatever the graph looks like. */
#include "tests/unit/support.h"

#include "mail/protocol/protocol.h"
#include "mail/thread/thread.h"

#include <stdio.h>

static const struct place places[] = {{.source = 0}, {.source = 1}, {.source = 2}};

/* Adds a message; texts are copied, NULL is absent. */
static void put(struct batch *batch, uint32_t source, const char *id, const char *thread,
                const char *reply_to)
{
    struct message *message = batch_add(batch);

    message->place = &places[source];
    message->id = arena_copy(&batch->arena, span_of(id));
    message->thread = arena_copy(&batch->arena, span_of(thread));
    message->reply_to = arena_copy(&batch->arena, span_of(reply_to));
}

/* Builds the threads of one batch and compares them with a text of one letter a message, in order;
 * messages with the same letter belong together. */
static void assert_joined(struct batch *batch, bool with_asks, const char *want)
{
    struct model model = {0};
    struct threads threads;
    struct requests asks;

    model_add(&model, batch);
    requests_build(&asks, &model, 0);
    threads_build(&threads, &model, with_asks ? &asks : NULL);
    cr_assert_eq(model.count, strlen(want));
    for (size_t i = 0; i < model.count; i++) {
        cr_assert_lt(threads.of[i], threads.count);
        for (size_t k = 0; k < i; k++)
            cr_assert_eq(threads.of[i] == threads.of[k], want[i] == want[k],
                         "messages %zu and %zu in %s", k, i, want);
    }
    threads_free(&threads);
    cr_assert_null(threads.of);
    requests_free(&asks);
    model_free(&model);
}

static void assert_threads(struct batch *batch, const char *want)
{
    assert_joined(batch, false, want);
}

Test(thread, no_messages_make_no_threads)
{
    struct model model = {0};
    struct threads threads;

    threads_build(&threads, &model, NULL);
    cr_assert_eq(threads.count, 0);
    threads_free(&threads);
}

Test(thread, messages_without_ties_are_threads_of_their_own)
{
    struct batch batch = {0};

    put(&batch, 0, "a", NULL, NULL);
    put(&batch, 0, "b", "", "");
    put(&batch, 0, "c", "", NULL);
    assert_threads(&batch, "abc");
}

Test(thread, a_thread_id_joins_with_or_without_the_message_it_names)
{
    struct batch batch = {0};

    put(&batch, 0, "first", NULL, NULL);
    put(&batch, 0, "second", "first", NULL);
    put(&batch, 0, "third", "first", NULL);
    put(&batch, 0, "fourth", "unknown", NULL);
    put(&batch, 0, "fifth", "unknown", NULL);
    assert_threads(&batch, "aaabb");
}

Test(thread, an_answer_joins_without_a_thread_id)
{
    struct batch batch = {0};

    put(&batch, 0, "answer to the answer", NULL, "answer");
    put(&batch, 0, "answer", NULL, "question");
    put(&batch, 0, "question", NULL, NULL);
    put(&batch, 0, "other", NULL, NULL);
    assert_threads(&batch, "aaab");
}

Test(thread, the_two_ties_of_one_message_join_two_threads)
{
    struct batch batch = {0};

    put(&batch, 0, "a", "x", NULL);
    put(&batch, 0, "b", NULL, NULL);
    put(&batch, 0, "bridge", "x", "b");
    put(&batch, 0, "c", NULL, "b");
    assert_threads(&batch, "aaaa");
}

Test(thread, answers_to_a_message_that_is_missing_belong_together)
{
    struct batch batch = {0};

    put(&batch, 0, "a", NULL, "gone");
    put(&batch, 0, "b", NULL, "gone");
    put(&batch, 0, "c", NULL, "also gone");
    put(&batch, 0, "d", "gone", NULL);
    assert_threads(&batch, "aaba");
}

Test(thread, a_message_that_answers_itself_does_no_harm)
{
    struct batch batch = {0};

    put(&batch, 0, "a", "a", "a");
    put(&batch, 0, "b", NULL, "b");
    put(&batch, 0, "c", NULL, NULL);
    assert_threads(&batch, "abc");
}

Test(thread, a_cycle_is_one_thread)
{
    struct batch batch = {0};

    put(&batch, 0, "a", NULL, "c");
    put(&batch, 0, "b", NULL, "a");
    put(&batch, 0, "c", NULL, "b");
    put(&batch, 0, "d", "e", "e");
    put(&batch, 0, "e", "d", "d");
    assert_threads(&batch, "aaabb");
}

Test(thread, equal_ids_of_one_source_are_one_thread)
{
    struct batch batch = {0};

    put(&batch, 0, "same", NULL, NULL);
    put(&batch, 0, "same", NULL, NULL);
    put(&batch, 0, "Same", NULL, NULL);
    assert_threads(&batch, "aab");
}

Test(thread, equal_ids_of_different_sources_stay_apart)
{
    struct batch batch = {0};

    for (uint32_t source = 0; source < 3; source++) {
        put(&batch, source, "a", NULL, NULL);
        put(&batch, source, "b", "a", NULL);
        put(&batch, source, "c", NULL, "a");
        put(&batch, source, "d", NULL, NULL);
    }
    assert_threads(&batch, "aaabcccdeeef");
}

Test(thread, no_id_can_be_made_to_look_like_that_of_another_source)
{
    static const char *const prefixes[] = {"\1\0\0\0", "\0\0\0\1"};
    struct batch batch = {0};

    put(&batch, 1, "secret", NULL, NULL);
    for (size_t i = 0; i < 2; i++) {
        struct str id = {0};
        str_add(&id, prefixes[i], 4);
        str_puts(&id, "secret");
        put(&batch, 0, "x", NULL, NULL);
        batch.items[batch.count - 1].id = arena_copy(&batch.arena, str_span(&id));
        str_free(&id);
    }
    assert_threads(&batch, "abc");
}

Test(thread, ids_that_differ_behind_a_nul_are_different)
{
    struct batch batch = {0};

    put(&batch, 0, "", NULL, NULL);
    batch.items[0].id = arena_copy(&batch.arena, (struct span){"x\0a", 3});
    put(&batch, 0, "", NULL, NULL);
    batch.items[1].id = arena_copy(&batch.arena, (struct span){"x\0b", 3});
    put(&batch, 0, "x", NULL, NULL);
    assert_threads(&batch, "abc");
}

/* Places that join messages by subject, and two that join them by ids. */
static const struct place conversations[] = {
    {.source = 0, .team = {"web", 3}, .by_subject = true},
    {.source = 0, .team = {"ops", 3}, .by_subject = true},
    {.source = 1, .team = {"web", 3}, .by_subject = true},
    {.source = 0, .team = {"web", 3}},
    {.source = 0, .team = {"web", 3}, .short_replies = true},
};
enum { WEB, OPS, ELSEWHERE, BY_ID, SHORT };

static struct message *say(struct batch *batch, int where, const char *from, const char *to,
                           const char *subject)
{
    static char ids[64][16];
    size_t number = batch->count;
    struct message *message = batch_add(batch);

    snprintf(ids[number], sizeof ids[number], "id-%zu", number);
    message->place = &conversations[where];
    message->id = span_of(ids[number]);
    message->from = span_of(from);
    message->to = span_of(to);
    message->subject = span_of(subject);
    return message;
}

Test(thread, an_answer_joins_what_two_agents_say_about_one_subject)
{
    struct batch batch = {0};

    say(&batch, WEB, "ann", "bob", "Plan");
    say(&batch, WEB, "bob", "ann", "Re: Plan");
    say(&batch, WEB, "ann", "bob", "Re: Plan");
    say(&batch, WEB, "ann", "bob", "Plan B");
    say(&batch, WEB, "ann", "cy", "Plan");
    say(&batch, WEB, "ann", "bob", "plan");
    assert_threads(&batch, "aaabcd");
}

Test(thread, an_answer_is_tied_to_a_subject_whatever_the_order)
{
    struct batch batch = {0};

    say(&batch, WEB, "bob", "ann", "Re: Plan");
    say(&batch, WEB, "ann", "bob", "Plan");
    assert_threads(&batch, "aa");
}

Test(thread, equal_subjects_that_nobody_answered_are_only_that)
{
    struct batch batch = {0};

    say(&batch, WEB, "ann", "bob", "Status");
    say(&batch, WEB, "ann", "bob", "Status");
    say(&batch, WEB, "bob", "ann", "Status");
    assert_threads(&batch, "abc");
}

Test(thread, what_answering_adds_is_no_part_of_the_subject)
{
    struct batch batch = {0};

    say(&batch, WEB, "ann", "bob", "[URGENT] Plan");
    say(&batch, WEB, "bob", "ann", "Re: [URGENT] Plan");
    say(&batch, WEB, "ann", "bob", "[HIGH] Re: Re: Plan");
    say(&batch, WEB, "bob", "ann", "Re: ");
    say(&batch, WEB, "ann", "bob", "Re: ");
    say(&batch, WEB, "ann", "bob", "Re:Plan");
    assert_threads(&batch, "aaabcd");
}

Test(thread, teams_and_sources_do_not_share_subjects)
{
    struct batch batch = {0};

    say(&batch, WEB, "ann", "bob", "Plan");
    say(&batch, WEB, "bob", "ann", "Re: Plan");
    say(&batch, OPS, "bob", "ann", "Re: Plan");
    say(&batch, ELSEWHERE, "bob", "ann", "Re: Plan");
    say(&batch, ELSEWHERE, "ann", "bob", "Plan");
    assert_threads(&batch, "aabcc");
}

Test(thread, a_layout_with_threads_of_its_own_does_not_go_by_subject)
{
    struct batch batch = {0};

    say(&batch, BY_ID, "ann", "bob", "Plan");
    say(&batch, BY_ID, "bob", "ann", "Re: Plan");
    say(&batch, WEB, "ann", "bob", "Request")->thread = span_of("r1");
    say(&batch, WEB, "bob", "ann", "Re: Request");
    say(&batch, WEB, "bob", "ann", "anything")->thread = span_of("r1");
    say(&batch, WEB, "bob", "ann", "Re: broken")->damaged = "it is";
    say(&batch, WEB, "ann", "bob", "broken");
    assert_threads(&batch, "abcdcef");
}

Test(thread, names_cannot_be_mistaken_for_parts_of_a_subject)
{
    struct batch batch = {0};

    say(&batch, WEB, "a", "b", "Re: c");
    say(&batch, WEB, "a", "bc", "Re: ");
    say(&batch, WEB, "ab", "c", "Re: x");
    say(&batch, WEB, "a", "bc", "Re: x");
    assert_threads(&batch, "abcd");
}

Test(thread, short_answers_name_the_start_of_an_id)
{
    struct batch batch = {0};

    say(&batch, SHORT, "a", "b", "x")->id = span_of("69825797-74c9-4ef5-8fce-081f7ce83297");
    say(&batch, SHORT, "b", "a", "y")->reply_to = span_of("69825797");
    say(&batch, SHORT, "b", "a", "z")->reply_to = span_of("6982579");
    say(&batch, BY_ID, "a", "b", "x")->id = span_of("aaaabbbb-74c9-4ef5-8fce-081f7ce83297");
    say(&batch, BY_ID, "b", "a", "y")->reply_to = span_of("aaaabbbb");
    assert_threads(&batch, "aabcd");
}

Test(thread, messages_without_ids_are_not_joined_by_that)
{
    struct batch batch = {0};

    put(&batch, 0, "", NULL, NULL);
    put(&batch, 0, "", NULL, NULL);
    put(&batch, 0, "a", NULL, "");
    assert_threads(&batch, "abc");
}

Test(thread, equal_request_ids_of_two_teams_are_two_requests)
{
    struct batch batch = {0};

    say(&batch, WEB, "ann", "bob", "one")->thread = span_of("perm-1");
    say(&batch, OPS, "cy", "dan", "two")->thread = span_of("perm-1");
    say(&batch, WEB, "bob", "ann", "yes")->reply_to = span_of("perm-1");
    say(&batch, OPS, "dan", "cy", "no")->reply_to = span_of("perm-1");
    assert_threads(&batch, "abab");
}

/* Adds a request of the agents' programs as their layout reads it, or the answer if `verdict` is
 * set. */
static void request(struct batch *batch, enum kind kind, const char *from, const char *to,
                    const char *request_id, enum protocol_verdict verdict)
{
    struct message *message = say(batch, WEB, from, to, "a request");

    message->kind = (uint8_t)kind;
    message->type = span_of(kind == KIND_PLAN ? "plan_approval_request" : "permission_request");
    message->thread = span_of(request_id);
    message->verdict = (uint8_t)verdict;
    message->requires_response = verdict == VERDICT_UNSAID;
    if (verdict != VERDICT_UNSAID)
        message->reply_to = message->thread;
    message->created_us = (int64_t)batch->count;
}

Test(thread, requests_and_answers_are_joined_by_the_request_id)
{
    struct batch batch = {0};

    request(&batch, KIND_PERMISSION, "bob", "lead", "perm-1", VERDICT_UNSAID);
    request(&batch, KIND_PERMISSION, "bob", "lead", "perm-2", VERDICT_UNSAID);
    request(&batch, KIND_PERMISSION, "lead", "bob", "perm-2", VERDICT_NO);
    request(&batch, KIND_PERMISSION, "lead", "bob", "perm-1", VERDICT_YES);
    request(&batch, KIND_PERMISSION, "lead", "bob", "perm-3", VERDICT_YES);
    assert_threads(&batch, "abbac");
}

static void make_plans(struct batch *batch)
{
    request(batch, KIND_PLAN, "bob", "lead", "plan-1", VERDICT_UNSAID);
    request(batch, KIND_PLAN, "lead", "bob", "plan-1", VERDICT_NO);
    request(batch, KIND_PLAN, "cy", "lead", "plan-c", VERDICT_UNSAID);
    request(batch, KIND_PLAN, "bob", "lead", "plan-2", VERDICT_UNSAID);
    request(batch, KIND_PLAN, "bob", "lead", "plan-3", VERDICT_UNSAID);
    request(batch, KIND_PLAN, "lead", "bob", "plan-3", VERDICT_YES);
    request(batch, KIND_PLAN, "bob", "lead", "plan-4", VERDICT_UNSAID);
}

Test(thread, a_plan_is_in_one_thread_with_those_whose_place_it_took)
{
    struct batch batch = {0};

    make_plans(&batch);
    assert_joined(&batch, true, "aabaaac");
    make_plans(&batch);
    assert_joined(&batch, false, "aabcdde");
}
