/* Tests the message: its words, its states, its expiry and the orders it is sorted in. */
#include "tests/unit/support.h"

#include "mail/message/message.h"

#include <stdlib.h>

static const struct {
    enum priority priority;
    const char *word;
} priorities[] = {{PRIORITY_LOW, "low"},
                  {PRIORITY_NORMAL, "normal"},
                  {PRIORITY_HIGH, "high"},
                  {PRIORITY_URGENT, "urgent"}};

/* In the order of their rank. */
static const struct {
    enum status status;
    const char *word;
} statuses[] = {{STATUS_UNREAD, "unread"},         {STATUS_READ, "read"},
                {STATUS_PROCESSING, "processing"}, {STATUS_FAILED, "failed"},
                {STATUS_COMPLETED, "completed"},   {STATUS_ARCHIVED, "archived"}};

enum {
    PRIORITY_COUNT = sizeof priorities / sizeof *priorities,
    STATUS_COUNT = sizeof statuses / sizeof *statuses
};

Test(message, every_priority_has_its_word_and_is_found_by_it)
{
    for (size_t i = 0; i < PRIORITY_COUNT; i++) {
        enum priority found;
        assert_span(span_of(priority_name(priorities[i].priority)), priorities[i].word);
        cr_assert(priority_parse(span_of(priorities[i].word), &found), "%s", priorities[i].word);
        cr_assert_eq(found, priorities[i].priority);
    }
}

Test(message, every_status_has_its_word_and_is_found_by_it)
{
    for (size_t i = 0; i < STATUS_COUNT; i++) {
        enum status found;
        assert_span(span_of(status_name(statuses[i].status)), statuses[i].word);
        cr_assert(status_parse(span_of(statuses[i].word), &found), "%s", statuses[i].word);
        cr_assert_eq(found, statuses[i].status);
    }
}

Test(message, a_word_that_is_nearly_one_names_nothing)
{
    static const char *const words[] = {"",      " ",       "Low",   "URGENT", "urgent ",
                                        " high", "norma",   "highs", "Unread", "read\n",
                                        "reads", "expired", "1",     "null",   "archive"};
    enum priority priority = PRIORITY_HIGH;
    enum status status = STATUS_FAILED;

    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        cr_assert_not(priority_parse(span_of(words[i]), &priority), "\"%s\"", words[i]);
        cr_assert_not(status_parse(span_of(words[i]), &status), "\"%s\"", words[i]);
    }
    cr_assert_not(priority_parse((struct span){0}, &priority));
    cr_assert_not(status_parse((struct span){0}, &status));
    cr_assert_not(status_parse((struct span){"read\0", 5}, &status), "a NUL is part of the word");
}

Test(message, priorities_count_from_one_as_they_do_on_disk)
{
    for (size_t i = 0; i < PRIORITY_COUNT; i++)
        cr_assert_eq((size_t)priorities[i].priority, i + 1);
}

Test(message, the_newer_of_two_statuses_has_the_higher_rank)
{
    for (size_t i = 1; i < STATUS_COUNT; i++)
        cr_assert_gt(statuses[i].status, statuses[i - 1].status);
}

Test(message, a_status_is_left_only_as_the_table_says)
{
    static const bool may[STATUS_COUNT][STATUS_COUNT] = {
        /*               unread read   process failed completed archived */
        /* unread */ {false, true, true, true, true, true},
        /* read */ {false, false, true, true, true, true},
        /* processing */ {false, false, false, true, true, true},
        /* failed */ {false, true, true, false, true, true},
        /* completed */ {false, false, false, false, false, true},
        /* archived */ {false, false, false, false, false, false}};

    for (size_t from = 0; from < STATUS_COUNT; from++)
        for (size_t to = 0; to < STATUS_COUNT; to++)
            cr_assert_eq(status_may_become(statuses[from].status, statuses[to].status),
                         may[from][to], "%s to %s", statuses[from].word, statuses[to].word);
}

Test(message, every_flag_has_a_sentence_of_its_own_and_null_ends_them)
{
    unsigned count = 0;

    while (message_flag_text(count))
        count++;
    cr_assert_eq(1u << (count - 1), MESSAGE_ODD_VALUE, "the last flag has the last sentence");
    for (unsigned i = 0; i < count; i++) {
        cr_assert_str_not_empty(message_flag_text(i));
        for (unsigned k = 0; k < i; k++)
            cr_assert_str_neq(message_flag_text(i), message_flag_text(k));
    }
    cr_assert_null(message_flag_text(count + 100));
}

Test(message, a_message_without_an_expiry_time_never_expires)
{
    struct message message = {.expires_us = TIME_NONE};

    cr_assert_not(message_expired(&message, INT64_MAX));
    cr_assert_not(message_expired(&message, 0));
    cr_assert_not(message_expired(&message, TIME_NONE));
}

Test(message, a_message_expires_at_its_time_and_not_before)
{
    struct message message = {.expires_us = 1000000};

    cr_assert_not(message_expired(&message, 999999));
    cr_assert(message_expired(&message, 1000000), "the agents' own check drops it at that instant");
    cr_assert(message_expired(&message, 1000001));
    message.expires_us = -5;
    cr_assert(message_expired(&message, 0), "also before 1970");
    cr_assert_not(message_expired(&message, -6));
}

static struct message make(enum priority priority, int64_t created_us, const char *id)
{
    return (struct message){
        .priority = (uint8_t)priority, .created_us = created_us, .id = span_of(id)};
}

/* Compares every pair of an ordered list, both ways round, and each item with itself. */
static void assert_ordered(const struct message *list, size_t count,
                           int (*compare)(const struct message *, const struct message *))
{
    for (size_t i = 0; i < count; i++) {
        cr_assert_eq(compare(&list[i], &list[i]), 0);
        for (size_t k = i + 1; k < count; k++) {
            cr_assert_lt(compare(&list[i], &list[k]), 0, "%zu before %zu", i, k);
            cr_assert_gt(compare(&list[k], &list[i]), 0, "%zu after %zu", k, i);
        }
    }
}

Test(message, urgency_is_priority_then_age_then_id)
{
    const struct message list[] = {make(PRIORITY_URGENT, 5, "d"),
                                   make(PRIORITY_URGENT, 9, "a"),
                                   make(PRIORITY_HIGH, -7, "b"),
                                   make(PRIORITY_HIGH, 1, "a"),
                                   make(PRIORITY_HIGH, 1, "aa"),
                                   make(PRIORITY_HIGH, 1, "b"),
                                   make(PRIORITY_NORMAL, 0, ""),
                                   make(PRIORITY_NORMAL, 0, "z"),
                                   make(PRIORITY_LOW, INT64_C(-62135596800000000), "c"),
                                   make(PRIORITY_LOW, INT64_C(253402300799999999), "c")};

    assert_ordered(list, sizeof list / sizeof *list, message_cmp_urgency);
}

Test(message, time_order_knows_no_priority)
{
    const struct message list[] = {make(PRIORITY_LOW, INT64_C(-62135596800000000), "z"),
                                   make(PRIORITY_HIGH, -1, "z"),
                                   make(PRIORITY_LOW, 0, "MSG-000000000001"),
                                   make(PRIORITY_URGENT, 0, "MSG-000000000002"),
                                   make(PRIORITY_NORMAL, 0, "MSG-0000000000020"),
                                   make(PRIORITY_URGENT, 1, "a"),
                                   make(PRIORITY_LOW, INT64_C(253402300799999999), "a")};

    assert_ordered(list, sizeof list / sizeof *list, message_cmp_time);
}

Test(message, ids_that_differ_behind_a_nul_are_told_apart)
{
    struct message a = make(PRIORITY_LOW, 0, ""), b = a;

    a.id = (struct span){"x\0a", 3};
    b.id = (struct span){"x\0b", 3};
    cr_assert_lt(message_cmp_time(&a, &b), 0);
    cr_assert_gt(message_cmp_urgency(&b, &a), 0);
}

Test(message, a_name_fits_the_box_that_spells_it_with_dashes)
{
    static const struct {
        const char *name, *box;
        bool fits;
    } rows[] = {{"bob", "bob", true},
                {"My Bot.v2", "My-Bot-v2", true},
                {"a_b-c", "a_b-c", true},
                {"\xc3\xa9", "-", true},
                {"\xf0\x9f\x98\x80", "--", true},
                {"swarm/bob", "swarm/bob", true},
                {"bob", "bob-", false},
                {"bob-", "bob", false},
                {"Bob", "bob", false},
                {"", "bob", false},
                {"bob", "", false}};

    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        cr_assert_eq(message_name_fits(span_of(rows[i].name), span_of(rows[i].box)), rows[i].fits,
                     "%s in %s", rows[i].name, rows[i].box);
}
