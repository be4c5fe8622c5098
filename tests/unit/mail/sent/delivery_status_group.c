/* Tests delivery status: messages sent together, their order, and how they are found and shown. */
#include "delivery_status_support.h"

#include <stdio.h>

TestSuite(delivery_group, .fini = clear);

static struct err err;

static struct message *put_to(const struct place *place, const char *id, const char *to, int64_t ms)
{
    struct message *message = put(place, id);

    message->to = span_of(to);
    message->created_us += ms * 1000;
    return message;
}

/* Compares the recipients of each mailing, as "a b|c". */
static void assert_things(const char *want)
{
    struct str got = {0};

    for (size_t i = 0; i < statuses.count; i++) {
        if (i)
            str_putc(&got, statuses.items[i].thing == statuses.items[i - 1].thing ? ' ' : '|');
        str_add_span(&got, statuses.items[i].to);
    }
    assert_span(str_span(&got), want);
    str_free(&got);
}

Test(delivery_group, what_was_noted_together_is_one_thing_also_when_parts_are_gone)
{
    note(ARRAY, "1")->mailing = span_of("m");
    struct delivery_note *second = note(ARRAY, "2");
    second->mailing = span_of("m");
    second->to = second->box = span_of("ann");
    note(ARRAY, "3")->sent_us = NOW;
    build();
    assert_things("bob|ann bob");
    cr_assert_eq(statuses.thing_count, 2);
    cr_assert_null(statuses.items[0].group.at);
    assert_span(statuses.items[1].group, "m");
}

Test(delivery_group, equal_texts_to_several_within_moments_belong_together)
{
    put_to(&inbox[ARRAY], "1", "ann", 0);
    put_to(&inbox[ARRAY], "2", "bob", 1);
    put_to(&inbox[ARRAY], "3", "carol", 1500);
    put_to(&inbox[ARRAY], "4", "dave", 9000);
    put_to(&inbox[ARRAY], "5", "erin", 2)->subject = span_of("Another");
    build();
    assert_things("dave|erin|ann bob carol");
    assert_span(statuses.items[2].group, "1");
    cr_assert_null(statuses.items[0].group.at);
}

Test(delivery_group, the_same_recipient_twice_is_no_broadcast)
{
    put_to(&inbox[ARRAY], "1", "ann", 0);
    put_to(&inbox[ARRAY], "2", "ann", 1);
    build();
    cr_assert_eq(statuses.thing_count, 2);
}

Test(delivery_group, answers_other_texts_and_other_conversations_stand_alone)
{
    struct message_data one = {.body = span_of("one")}, other = {.body = span_of("other")};

    put_to(&inbox[ARRAY], "1", "ann", 0)->data = &one;
    put_to(&inbox[ARRAY], "2", "bob", 1)->data = &other;
    put_to(&inbox[FILES], "3", "ann", 2)->thread = span_of("t");
    put_to(&inbox[FILES], "4", "bob", 3)->thread = span_of("u");
    put_to(&inbox[SLOTS], "5", "ann", 4)->reply_to = span_of("x");
    put_to(&inbox[SLOTS], "6", "bob", 5)->reply_to = span_of("y");
    build();
    cr_assert_eq(statuses.thing_count, 6);
}

Test(delivery_group, where_there_are_tags_they_decide)
{
    struct message_data tagged = {.tags = span_of("[\"x\", \"broadcast\"]")};
    struct message_data plain = {.tags = span_of("[]")};

    put_to(&inbox[FILES], "1", "ann", 0)->data = &tagged;
    put_to(&inbox[FILES], "2", "bob", 1)->data = &tagged;
    put_to(&inbox[SLOTS], "3", "ann", 10)->data = &plain;
    put_to(&inbox[SLOTS], "4", "bob", 11)->data = &plain;
    build();
    assert_things("bob|ann|ann bob");
}

Test(delivery_group, of_one_message_for_all_only_answers_are_told)
{
    struct message *message = put(&inbox[SHARED], "12345678-rest");

    message->to = span_of("all");
    message->status = STATUS_READ;
    assert_state(build_one(), DELIVERY_DELIVERED);
    clear();
    message = put(&inbox[SHARED], "12345678-rest");
    message->to = span_of("all");
    put_answer(&inbox[SHARED], "a", "12345678")->from = span_of("tm2");
    put_answer(&inbox[SHARED], "b", "12345678")->from = span_of("tm1");
    put_answer(&inbox[SHARED], "c", "12345678")->from = span_of("tm1");
    build();
    assert_things("all tm1 tm2");
    assert_state(&statuses.items[0], DELIVERY_ANSWERED);
    assert_span(statuses.items[1].answer->id, "b");
    assert_span(statuses.items[2].answer->id, "a");
    assert_span(statuses.items[2].group, "12345678-rest");
    assert_span(statuses.items[2].id, "12345678-rest");
}

Test(delivery_group, a_thing_is_found_by_any_of_its_ids_or_their_start)
{
    uint32_t thing = 9;

    put_to(&inbox[ARRAY], "aa-1", "ann", 0);
    put_to(&inbox[ARRAY], "aa-2", "bob", 1);
    put_to(&inbox[ARRAY], "ab-3", "bob", 99000);
    build();
    cr_assert(delivery_statuses_find(&statuses, span_of("aa-2"), &thing, &err), "%s", err.text);
    cr_assert_eq(thing, 1);
    cr_assert(delivery_statuses_find(&statuses, span_of("aa"), &thing, &err), "%s", err.text);
    cr_assert_eq(thing, 1);
    cr_assert(delivery_statuses_find(&statuses, span_of("ab"), &thing, &err), "%s", err.text);
    cr_assert_eq(thing, 0);
    cr_assert_not(delivery_statuses_find(&statuses, span_of("a"), &thing, &err));
    cr_assert_eq(err.scope, ERR_REFUSED, "%s", err.text);
    cr_assert_not(delivery_statuses_find(&statuses, span_of("ab-4"), &thing, &err));
    cr_assert_eq(err.scope, ERR_ABSENT);
    cr_assert(strstr(err.text, "\"ab-3\""), "%s", err.text);
    cr_assert_not(delivery_statuses_find(&statuses, span_of(""), &thing, &err));
}

static const struct render_options style = {.now_us = NOW};

Test(delivery_group, a_list_has_one_line_for_each_thing)
{
    struct str out = {0};

    put_to(&inbox[ARRAY], "aa-1", "ann", 0)->status = STATUS_READ;
    put_to(&inbox[ARRAY], "aa-2", "bob", 1);
    put_to(&inbox[FILES], "b", "carol", 120000)->subject = span_of("More\x1b");
    build();
    render_delivery_statuses(&out, &statuses, SIZE_MAX, 0, &style);
    assert_span(str_span(&out), " 58m b    carol delivered More^[\n"
                                "  1h aa-1 2 recipients: 1 read, 1 delivered Subject\n");
    str_clear(&out);
    render_delivery_statuses(&out, &statuses, 1, 20, &style);
    assert_span(str_span(&out), " 58m b carol delive~\n");
    str_free(&out);
}

Test(delivery_group, one_thing_has_a_line_for_each_recipient)
{
    struct str out = {0};

    put_to(&inbox[ARRAY], "1", "ann", 0)->status = STATUS_READ;
    put_to(&inbox[ARRAY], "2", "bob", 1);
    put_answer(&inbox[ARRAY], "3", NULL)->subject = span_of("Re: Subject");
    build();
    render_delivery(&out, &statuses, 0, &style);
    const char *rows = strstr(str_c(&out), "\n\n");
    cr_assert_str_eq(rows, "\n\nTO      STATE      SINCE ID ANSWER\n"
                           "ann@dev read           - 1  -\n"
                           "bob@dev answered      1m 2  3\n");
    cr_assert(strstr(str_c(&out), "State:   1 answered, 1 read\n"), "%s", str_c(&out));
    str_free(&out);
}

Test(delivery_group, json_says_the_same_of_each)
{
    struct str out = {0};

    note(SLOTS, "1")->to = span_of("b\x1b");
    build();
    render_delivery_json(&out, &statuses.items[0], "roo", span_of("/mail"));
    assert_span(str_span(&out),
                "{\"v\":1,\"id\":\"1\",\"source\":\"/mail\",\"format\":\"roo\",\"to\":"
                "\"b\\u001b\",\"team\":null,\"subject\":\"Subject\",\"sent_at\":"
                "\"2023-11-14T22:03:20Z\",\"state\":\"taken\",\"since\":null,\"answer\":null,"
                "\"group\":null,\"problem\":null}\n");
    str_free(&out);
}
