/* Tests the fields that a handoff form starts with. */
#include "tests/unit/support.h"

#include "base/mem.h"
#include "mail/handoff/handoff_prefill.h"
#include "mail/message/kind.h"

enum { MESSAGES_MOST = 8 };

/* A short conversation and the handoff made from it. */
struct fixture {
    struct message items[MESSAGES_MOST];
    struct message_data datas[MESSAGES_MOST];
    const struct message *messages[MESSAGES_MOST];
    size_t count;
    struct handoff handoff;
    struct span_list names;
    struct arena arena;
};

static struct message *say(struct fixture *fixture, const char *from)
{
    struct message *message = &fixture->items[fixture->count];

    cr_assert(fixture->count < MESSAGES_MOST);
    *message = (struct message){.from = span_of(from), .data = &fixture->datas[fixture->count]};
    fixture->messages[fixture->count++] = message;
    return message;
}

static void fill(struct fixture *fixture, const char *why)
{
    struct prefill_input input = {.messages = fixture->messages,
                                  .count = fixture->count,
                                  .names = fixture->names,
                                  .state = span_of("STUCK?"),
                                  .why = span_of(why)};

    prefill_handoff(&fixture->handoff, &input, &fixture->arena);
}

static void end(struct fixture *fixture)
{
    handoff_free(&fixture->handoff);
    span_list_free(&fixture->names);
    arena_free(&fixture->arena);
}

static void assert_list(const struct span_list *list, const char *want)
{
    struct str text = {0};

    for (size_t i = 0; i < list->count; i++) {
        str_puts(&text, i ? "|" : "");
        str_add_span(&text, list->items[i]);
    }
    cr_assert_str_eq(str_c(&text), want);
    str_free(&text);
}

Test(prefill, files_come_newest_first_and_once)
{
    struct fixture fixture = {0};

    say(&fixture, "a")->data->context =
        span_of("{\"files_modified\":[\"old.c\",\"b.c\"],\"files_created\":[\"new.c\"]}");
    say(&fixture, "b")->data->attachments = span_of("[\"b.c\",\" log.txt \",7,\"\"]");
    say(&fixture, "a")->data->context =
        span_of("{\"files_modified\":[\"new.c\"],\"files_created\":[\"x\\u002ec\"]}");
    fill(&fixture, NULL);
    assert_list(&fixture.handoff.files_modified, "new.c|b.c|log.txt|old.c");
    assert_list(&fixture.handoff.files_created, "x.c");
    end(&fixture);
}

Test(prefill, steps_are_those_of_the_last_context_that_has_some)
{
    struct fixture fixture = {0};

    say(&fixture, "a")->data->context =
        span_of("{\"next_steps\":[\"one\",\"two\"],\"dependencies\":[\"d\"],"
                "\"state_file\":\"S.md\",\"job_id\":\"job-1\"}");
    say(&fixture, "a")->data->context =
        span_of("{\"next_steps\":[\"three\"],\"dependencies\":[],\"state_file\":null,"
                "\"job_id\":\"job-2\"}");
    say(&fixture, "a")->data->context = span_of("{\"next_steps\":[]}");
    fill(&fixture, NULL);
    assert_list(&fixture.handoff.next_steps, "three");
    assert_list(&fixture.handoff.dependencies, "d");
    assert_span(fixture.handoff.state_file, "S.md");
    assert_span(fixture.handoff.job_id, "job-2");
    end(&fixture);
}

Test(prefill, an_earlier_handoff_that_is_a_text_is_read_too)
{
    struct fixture fixture = {0};
    struct handoff handoff = {.job_id = span_of("job-9"), .notes = span_of("mind - this")};
    struct str body = {0};

    span_list_add(&handoff.next_steps, span_of("free 2 GB"));
    span_list_add(&handoff.next_steps, span_of("run it"));
    span_list_add(&handoff.blockers, span_of("no root"));
    span_list_add(&handoff.files_created, span_of("src/a.c"));
    struct handoff folded = handoff_fold(&handoff, &fixture.arena);
    handoff_body(&body, &folded, span_of("a"), span_of("b"), true);
    say(&fixture, "a")->data->body = str_span(&body);
    fill(&fixture, NULL);
    assert_list(&fixture.handoff.next_steps, "free 2 GB|run it");
    assert_list(&fixture.handoff.blockers, "no root");
    assert_list(&fixture.handoff.files_created, "src/a.c");
    assert_span(fixture.handoff.job_id, "job-9");
    cr_assert_not(fixture.handoff.notes.at);
    handoff_free(&handoff);
    str_free(&body);
    end(&fixture);
}

Test(prefill, a_text_that_only_looks_like_one_is_no_handoff)
{
    struct fixture fixture = {0};

    say(&fixture, "a")->data->body =
        span_of("see **Next Steps:**\n\n**Next Steps:**\n- rm -rf /\n");
    fill(&fixture, NULL);
    cr_assert_eq(fixture.handoff.next_steps.count, 0);
    end(&fixture);
}

Test(prefill, what_was_there_before_stays_and_comes_first)
{
    struct fixture fixture = {0};

    fixture.handoff.current_state = span_of("mine");
    fixture.handoff.job_id = span_of("my job");
    span_list_add(&fixture.handoff.next_steps, span_of("run make check"));
    say(&fixture, "a")->data->context =
        span_of("{\"next_steps\":[\"go on\",\"run make check\"],\"job_id\":\"theirs\"}");
    fill(&fixture, "silent");
    assert_span(fixture.handoff.current_state, "mine");
    assert_span(fixture.handoff.job_id, "my job");
    assert_list(&fixture.handoff.next_steps, "run make check|go on");
    end(&fixture);
}

Test(prefill, where_the_work_stands_is_told_by_the_last_context)
{
    struct fixture fixture = {0};

    say(&fixture, "a")->data->context =
        span_of("{\"work_completed\":\"lexer\",\"current_state\":\"half\",\"notes\":\"mind x\"}");
    say(&fixture, "a")->data->context =
        span_of("{\"work_completed\":\"lexer, parser\",\"notes\":\" \"}");
    fill(&fixture, "silent");
    assert_span(fixture.handoff.work_completed, "lexer, parser");
    assert_span(fixture.handoff.current_state, "half");
    assert_span(fixture.handoff.notes, "mind x");
    end(&fixture);
}

Test(prefill, the_state_is_why_the_agent_is_so)
{
    struct fixture fixture = {0};

    fill(&fixture, "silent since \"no disk left\"");
    assert_span(fixture.handoff.current_state, "STUCK?: silent since \"no disk left\"");
    end(&fixture);
}

Test(prefill, without_a_reason_there_is_no_state)
{
    struct fixture fixture = {0};

    fill(&fixture, NULL);
    cr_assert_not(fixture.handoff.current_state.at);
    end(&fixture);
}

Test(prefill, blockers_are_what_the_last_word_of_the_agent_says)
{
    static const struct notice blocked = {
        .task = {"21", 2}, .task_status = {"blocked", 7}, .failure = {"no disk left", 12}};
    struct fixture fixture = {0};

    span_list_add(&fixture.names, span_of("infra-4"));
    say(&fixture, "infra-4")->notice = &blocked;
    say(&fixture, "lead");
    fill(&fixture, NULL);
    assert_list(&fixture.handoff.blockers, "task 21 is blocked: no disk left");
    end(&fixture);
}

Test(prefill, what_the_agent_complained_of_before_its_last_word_is_over)
{
    static const struct notice failed = {.reason = {"failed", 6}, .failure = {"boom", 4}};
    struct fixture fixture = {0};

    span_list_add(&fixture.names, span_of("infra-4"));
    say(&fixture, "infra-4")->notice = &failed;
    say(&fixture, "infra-4");
    fill(&fixture, NULL);
    cr_assert_eq(fixture.handoff.blockers.count, 0);
    end(&fixture);
}

Test(prefill, the_notices_of_others_block_nobody)
{
    static const struct notice failed = {.reason = {"failed", 6}, .failure = {"boom", 4}};
    struct fixture fixture = {0};

    span_list_add(&fixture.names, span_of("infra-4"));
    say(&fixture, "other")->notice = &failed;
    fill(&fixture, NULL);
    cr_assert_eq(fixture.handoff.blockers.count, 0);
    end(&fixture);
}

Test(prefill, escalations_are_named_by_their_ids)
{
    struct fixture fixture = {0};
    struct message *message = say(&fixture, "a");

    message->kind = KIND_ESCALATION;
    message->data->payload = span_of("{\"escalation_id\":\"ESC-7\",\"reason\":\"x\"}");
    say(&fixture, "a")->data->payload = span_of("{\"escalation_id\":\"no escalation\"}");
    fill(&fixture, NULL);
    assert_list(&fixture.handoff.related_escalations, "ESC-7");
    end(&fixture);
}

Test(prefill, nonsense_damage_and_heads_alone_are_survived)
{
    struct fixture fixture = {0};
    struct message *message = say(&fixture, "a");

    message->data->context = span_of("{\"next_steps\":{\"a\":1},\"files_modified\":\"x\",");
    message->data->attachments = span_of("{\"a\":\"b\"}");
    say(&fixture, "a")->damaged = "torn";
    fixture.items[1].data->attachments = span_of("[\"never\"]");
    say(&fixture, "a")->data = NULL;
    fill(&fixture, NULL);
    cr_assert_eq(fixture.handoff.files_modified.count, 0);
    cr_assert_eq(fixture.handoff.next_steps.count, 0);
    end(&fixture);
}

Test(prefill, lists_are_not_endless)
{
    struct fixture fixture = {0};
    struct str array = {0};

    for (int i = 0; i < 100; i++)
        str_addf(&array, "%s\"f%d\"", i ? "," : "[", i);
    str_putc(&array, ']');
    say(&fixture, "a")->data->attachments = str_span(&array);
    fill(&fixture, NULL);
    cr_assert_eq(fixture.handoff.files_modified.count, PREFILL_FILES);
    str_free(&array);
    end(&fixture);
}

Test(prefill, the_last_messages_are_those_that_say_something)
{
    struct fixture fixture = {0};
    const struct message *last[3];

    for (int i = 0; i < 6; i++)
        say(&fixture, "a");
    fixture.items[5].kind = KIND_IDLE;
    fixture.items[3].damaged = "torn";
    cr_assert_eq(prefill_last(fixture.messages, fixture.count, last, 3), 3);
    cr_assert_eq(last[0], &fixture.items[1]);
    cr_assert_eq(last[1], &fixture.items[2]);
    cr_assert_eq(last[2], &fixture.items[4]);
    cr_assert_eq(prefill_last(fixture.messages, 1, last, 3), 1);
    end(&fixture);
}

Test(prefill, subjects_lose_their_marks)
{
    assert_span(prefill_subject(span_of("Re: RE: Handoff: the index ")), "the index");
    assert_span(prefill_subject(span_of("regards")), "regards");
    assert_span(prefill_subject(span_of("Re:")), "Re:");
}

Test(prefill, folding_loses_nothing)
{
    struct arena arena = {0};
    struct handoff handoff = {.notes = span_of("n"), .state_file = span_of("S.md")};

    span_list_add(&handoff.files_modified, span_of("a.c"));
    span_list_add(&handoff.files_modified, span_of("b.c"));
    span_list_add(&handoff.next_steps, span_of("stays"));
    struct handoff folded = handoff_fold(&handoff, &arena);
    assert_span(folded.notes, "n\n\n**Files Modified:**\n- a.c\n- b.c\n\n**State File:** S.md");
    cr_assert_eq(folded.files_modified.count, 0);
    cr_assert_not(folded.state_file.at);
    cr_assert_eq(folded.next_steps.count, 1);
    struct handoff again = handoff_fold(&folded, &arena);
    cr_assert(span_eq(again.notes, folded.notes));
    handoff_free(&handoff);
    arena_free(&arena);
}
