/* Tests messages that vanish: those that come back in time, and those that are reported. */
#include "tests/unit/support.h"

#include "mail/live/vanished.h"

#include <stdio.h>

enum { SOON_US = 100000, LATE_US = 300000 };

static const struct place inbox = {.box = {"alice", 5}},
                          archive = {.box = {"alice", 5}, .archived = true},
                          other = {.box = {"bob", 3}},
                          elsewhere = {.source = 1, .box = {"alice", 5}},
                          unnamed = {.team = {"", 0}, .box = {"alice", 5}};

static struct message of(const char *id, const struct place *place)
{
    return (struct message){.id = span_of(id), .place = place};
}

static void hold(struct vanished *gone, const char *id, int64_t now_us)
{
    struct message message = of(id, &inbox);

    vanished_hold(gone, &message, now_us);
}

static bool is_back(struct vanished *gone, const char *id, const struct place *place)
{
    struct message message = of(id, place);

    return vanished_is_back(gone, &message);
}

static void assert_next(struct vanished *gone, int64_t now_us, const char *id)
{
    const struct message *message = vanished_next(gone, now_us);

    cr_assert_eq(message != NULL, id != NULL);
    if (id)
        assert_span(message->id, id);
}

Test(gone, a_message_that_stays_away_is_told_once)
{
    struct vanished gone = {0};

    cr_assert_eq(vanished_due_us(&gone), TIME_NONE);
    hold(&gone, "a", 0);
    assert_next(&gone, SOON_US, NULL);
    cr_assert_gt(vanished_due_us(&gone), SOON_US);
    cr_assert_leq(vanished_due_us(&gone), LATE_US);
    assert_next(&gone, vanished_due_us(&gone), "a");
    assert_next(&gone, LATE_US, NULL);
    cr_assert_eq(vanished_due_us(&gone), TIME_NONE);
    vanished_free(&gone);
}

Test(gone, a_message_that_comes_back_in_another_folder_is_not_told)
{
    struct vanished gone = {0};

    hold(&gone, "a", 0);
    cr_assert(is_back(&gone, "a", &archive));
    cr_assert_not(is_back(&gone, "a", &archive), "it came back once");
    cr_assert_eq(vanished_due_us(&gone), TIME_NONE);
    assert_next(&gone, LATE_US, NULL);
    vanished_free(&gone);
}

Test(gone, another_message_is_not_the_one_that_went)
{
    struct vanished gone = {0};

    cr_assert_not(is_back(&gone, "a", &inbox));
    hold(&gone, "a", 0);
    cr_assert_not(is_back(&gone, "b", &inbox));
    cr_assert_not(is_back(&gone, "a", &other));
    cr_assert_not(is_back(&gone, "a", &elsewhere));
    cr_assert_not(is_back(&gone, "a", &unnamed));
    assert_next(&gone, LATE_US, "a");
    vanished_free(&gone);
}

Test(gone, another_message_of_the_same_id_does_not_bring_back_the_one_that_went)
{
    struct message first = of("a", &inbox), second = of("a", &inbox);
    struct vanished gone = {0};

    first.content = 1;
    second.content = 2;
    vanished_hold(&gone, &first, 0);
    vanished_hold(&gone, &second, 0);
    struct message third = of("a", &archive);
    third.content = 3;
    cr_assert_not(vanished_is_back(&gone, &third), "rewritten and moved: another message");
    first.place = &archive;
    cr_assert(vanished_is_back(&gone, &first), "it is behind another one of its id");
    second.content = 4;
    cr_assert(vanished_is_back(&gone, &second), "rewritten in its file");
    cr_assert_eq(vanished_due_us(&gone), TIME_NONE);
    vanished_free(&gone);
}

Test(gone, of_two_that_are_the_same_each_comes_back_by_itself)
{
    struct vanished gone = {0};

    hold(&gone, "a", 0);
    hold(&gone, "a", 0);
    cr_assert(is_back(&gone, "a", &inbox));
    assert_next(&gone, LATE_US, "a");
    assert_next(&gone, LATE_US, NULL);
    hold(&gone, "a", LATE_US);
    cr_assert(is_back(&gone, "a", &inbox));
    hold(&gone, "a", LATE_US);
    assert_next(&gone, 2 * LATE_US, "a");
    assert_next(&gone, 2 * LATE_US, NULL);
    vanished_free(&gone);
}

Test(gone, none_is_told_before_its_time_however_many_go_one_after_the_other)
{
    enum { COUNT = 400, EVERY_US = 1000, LEAST_US = 200000 };
    struct vanished gone = {0};
    size_t told = 0;
    char id[16];

    for (int64_t now_us = 0; now_us <= COUNT * EVERY_US + LATE_US; now_us += EVERY_US) {
        const struct message *message;
        while ((message = vanished_next(&gone, now_us))) {
            snprintf(id, sizeof id, "m%zu", told);
            assert_span(message->id, id);
            cr_assert_geq(now_us, (int64_t)told * EVERY_US + LEAST_US);
            cr_assert_leq(now_us, (int64_t)told * EVERY_US + LATE_US);
            told++;
        }
        if (now_us < COUNT * EVERY_US) {
            snprintf(id, sizeof id, "m%d", (int)(now_us / EVERY_US));
            hold(&gone, id, now_us);
        }
    }
    cr_assert_eq(told, COUNT);
    vanished_free(&gone);
}

Test(gone, what_is_freed_with_some_still_away_leaks_nothing)
{
    struct vanished gone = {0};

    hold(&gone, "a", 0);
    hold(&gone, "b", LATE_US);
    vanished_free(&gone);
    cr_assert_eq(vanished_due_us(&gone), TIME_NONE);
}
