/* Tests kin: the messages that may be related. */
#include "tests/unit/support.h"

#include "mail/live/parts.h"
#include "mail/message/kind.h"

static const struct place plain = {.team = {"red", 3}, .box = {"ann", 3}};
static const struct place by_subject = {.by_subject = true, .box = {"ann", 3}};
static const struct place short_replies = {.short_replies = true, .box = {"ann", 3}};
static const struct place elsewhere = {.source = 1, .box = {"ann", 3}};

static struct message message(const struct place *place, const char *id)
{
    return (struct message){
        .place = place, .id = span_of(id), .from = span_of("bob"), .to = span_of("ann")};
}

static bool are_kin(const struct message *a, const struct message *b)
{
    uint32_t of_a[KIN_MOST], of_b[KIN_MOST];
    size_t count_a = kin_keys(a, 7, of_a), count_b = kin_keys(b, 7, of_b);

    for (size_t i = 0; i < count_a; i++)
        for (size_t k = 0; k < count_b; k++)
            if (of_a[i] == of_b[k])
                return true;
    return false;
}

static struct message of_kind(enum kind kind, const char *id)
{
    struct message made = message(&plain, id);

    made.kind = (uint8_t)kind;
    return made;
}

Test(kin, strangers_of_the_same_two_agents_are_none)
{
    struct message a = message(&plain, "1"), b = message(&plain, "2");

    cr_assert(!are_kin(&a, &b));
    cr_assert(are_kin(&a, &a));
}

Test(kin, an_answer_is_kin_of_what_it_answers)
{
    struct message a = message(&plain, "1"), b = message(&plain, "2");

    b.reply_to = span_of("1");
    cr_assert(are_kin(&a, &b));
}

Test(kin, messages_of_one_thread_and_what_it_is_called_after_are_kin)
{
    struct message a = message(&plain, "1"), b = message(&plain, "2"), c = message(&plain, "3");

    b.thread = c.thread = span_of("1");
    cr_assert(are_kin(&b, &c));
    cr_assert(are_kin(&a, &c));
}

Test(kin, ids_of_another_source_are_others)
{
    struct message a = message(&plain, "1"), b = message(&elsewhere, "1");

    cr_assert(!are_kin(&a, &b));
}

Test(kin, the_start_of_an_id_is_enough_where_answers_repeat_no_more)
{
    struct message a = message(&short_replies, "12345678-abc"), b = message(&short_replies, "2");

    b.reply_to = message_spoken_id(a.id, true);
    cr_assert(are_kin(&a, &b));
    a = message(&short_replies, "3");
    a.thread = span_of("12345678-abc");
    cr_assert(are_kin(&a, &b), "a request is answered by what its thread is called");
}

Test(kin, what_two_agents_say_about_one_subject_is_kin_only_where_that_makes_a_thread)
{
    struct message a = message(&by_subject, "1"), b = message(&by_subject, "2");

    a.subject = span_of("build");
    b.subject = span_of("Re: build");
    b.from = a.to;
    b.to = a.from;
    cr_assert(are_kin(&a, &b));
    b.to = span_of("cas");
    cr_assert(!are_kin(&a, &b));
    a.place = b.place = &plain;
    b.to = a.from;
    cr_assert(!are_kin(&a, &b));
}

Test(kin, plans_of_one_agent_for_another_are_kin)
{
    struct message a = of_kind(KIND_PLAN, "1"), b = of_kind(KIND_PLAN, "2");

    cr_assert(are_kin(&a, &b));
    b.from = span_of("cas");
    cr_assert(!are_kin(&a, &b));
}

Test(kin, an_order_to_stop_is_kin_of_what_is_said_to_it_however_names_are_spelled)
{
    struct message a = of_kind(KIND_SHUTDOWN, "1"), b = of_kind(KIND_SHUTDOWN, "2");

    a.from = span_of("team lead");
    a.to = span_of("bob");
    b.from = span_of("bob");
    b.to = span_of("team-lead");
    cr_assert(are_kin(&a, &b));
    b.to = span_of("ann");
    cr_assert(!are_kin(&a, &b));
}

Test(kin, idle_notices_of_one_agent_are_kin)
{
    struct message a = of_kind(KIND_IDLE, "1"), b = of_kind(KIND_IDLE, "2");

    cr_assert(are_kin(&a, &b));
    b.damaged = "it is";
    cr_assert(!are_kin(&a, &b));
}

Test(kin, a_plan_and_an_idle_notice_of_one_agent_are_strangers)
{
    struct message a = of_kind(KIND_PLAN, "1"), b = of_kind(KIND_IDLE, "2");

    cr_assert(!are_kin(&a, &b));
}
