/* Tests parts: related messages are in one part, and a change concerns one part. */
#include "tests/unit/support.h"

#include "mail/live/parts.h"

#include <stdio.h>

enum { PART = 4 };

static const struct place place = {.root = "/near", .box = {"ann", 3}, .dir = {"ann", 3}};
static struct live *live;
static struct parts *parts;

static void make(void)
{
    live = live_new();
    live_track(live);
    parts = parts_new(PART);
}

static void clear(void)
{
    parts_free(parts);
    live_free(live);
}

TestSuite(parts, .init = make, .fini = clear);

static void add(struct update *update, unsigned number, const char *reply_to)
{
    struct arena *arena = &update->batch.arena;
    size_t first = update->batch.count;
    char text[32];

    snprintf(text, sizeof text, "m%u", number);
    struct message *message = batch_add(&update->batch);
    message->place = &place;
    message->file = message->id = arena_copy(arena, span_of(text));
    message->reply_to = span_of(reply_to);
    message->created_us = number;
    message->print = 2 * number + !!reply_to; /* differs if the message changed */
    update_add(update, &place, message->file, UPDATE_HOLDS, first);
}

static void apply(struct update *update)
{
    batch_finish(&update->batch);
    live_apply(live, update, NULL);
    update_free(update);
    *update = (struct update){0};
}

static void tell(unsigned number, const char *reply_to)
{
    struct update update = {0};

    add(&update, number, reply_to);
    apply(&update);
}

static void tell_gone(unsigned first, unsigned count)
{
    struct update update = {0};
    char text[32];

    for (unsigned i = 0; i < count; i++) {
        snprintf(text, sizeof text, "m%u", first + i);
        update_add(&update, &place, arena_copy(&update.batch.arena, span_of(text)), UPDATE_GONE, 0);
    }
    apply(&update);
}

/* Compares the ids of each part that is not empty, in the order of parts. */
static void assert_parts(const char *want)
{
    struct str got = {0};

    parts_follow(parts, live);
    for (size_t i = 0; i < parts_count(parts); i++) {
        struct model model = {0};
        parts_view(parts, live, i, &model);
        for (size_t k = 0; k < model.count; k++) {
            str_add_span(&got, model.messages[k]->id);
            str_putc(&got, k + 1 < model.count ? ' ' : ';');
        }
        model_free(&model);
    }
    cr_assert_str_eq(str_c(&got), want);
    str_free(&got);
}

/* Compares the numbers of the parts that have changed since the last call. */
static void assert_changed(const char *want)
{
    struct str got = {0};

    parts_follow(parts, live);
    for (size_t i = 0; i < parts_count(parts); i++)
        if (parts_take_changed(parts, i))
            str_addf(&got, "%zu ", i);
    cr_assert_str_eq(str_c(&got), want);
    str_free(&got);
}

static void tell_strangers(unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        tell(i, NULL);
}

Test(parts, strangers_fill_one_after_the_other)
{
    assert_parts("");
    tell_strangers(10);
    assert_parts("m0 m1 m2 m3;m4 m5 m6 m7;m8 m9;");
}

Test(parts, an_answer_goes_to_what_it_answers_though_that_part_is_full)
{
    tell_strangers(6);
    assert_parts("m0 m1 m2 m3;m4 m5;");
    tell(9, "m1");
    assert_parts("m0 m1 m2 m3 m9;m4 m5;");
}

Test(parts, who_answers_before_what_is_answered_came_waits_for_it)
{
    tell(9, "m20");
    tell_strangers(5);
    assert_parts("m9 m0 m1 m2;m3 m4;");
    tell(20, NULL);
    assert_parts("m9 m0 m1 m2 m20;m3 m4;");
}

Test(parts, two_families_that_turn_out_to_be_one_come_together)
{
    tell(0, NULL);
    tell(1, "m9");
    tell(2, "m9");
    tell(3, NULL);
    tell(4, "m8");
    assert_parts("m0 m1 m2 m3;m4;");
    tell(9, "m8");
    assert_parts("m0 m1 m2 m3 m4 m9;");
}

Test(parts, a_change_is_that_of_one_part)
{
    tell_strangers(10);
    assert_changed("0 1 2 ");
    assert_changed("");
    tell(5, "m4");
    assert_changed("1 ");
    tell_gone(8, 1);
    assert_changed("2 ");
    assert_parts("m0 m1 m2 m3;m4 m5 m6 m7;m9;");
}

Test(parts, both_parts_have_changed_when_a_family_moves)
{
    tell_strangers(8);
    assert_changed("0 1 ");
    tell(20, "m1");
    assert_changed("0 ");
    tell(1, "m6");
    assert_changed("0 1 ");
}

Test(parts, one_that_was_emptied_is_filled_again)
{
    tell_strangers(8);
    assert_parts("m0 m1 m2 m3;m4 m5 m6 m7;");
    tell_gone(0, 4);
    assert_parts("m4 m5 m6 m7;");
    tell(30, NULL);
    tell(31, NULL);
    assert_parts("m31 m30;m4 m5 m6 m7;");
}

/* A program that runs for weeks sees more messages than exist at any one time. */
Test(parts, families_are_sought_anew_when_most_keys_are_of_what_is_gone)
{
    enum { TIMES = 80, MANY = 1000 };

    tell(1, NULL);
    tell(2, "m1");
    for (unsigned time = 0; time < TIMES; time++) {
        struct update update = {0};
        unsigned first = 10 + time * MANY;
        for (unsigned i = 0; i < MANY; i++)
            add(&update, first + i, NULL);
        apply(&update);
        parts_follow(parts, live);
        tell_gone(first, MANY);
        parts_follow(parts, live);
    }
    assert_parts("m1 m2;");
    tell(3, "m1");
    assert_parts("m1 m2 m3;");
}
