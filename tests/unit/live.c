/* Tests of the live picture: what it unfolds into. */
#include "support.h"

#include "mail/live.h"

#include <stdio.h>

static const struct place inbox = {.root = "/m", .dir = {"bob", 3}, .box = {"bob", 3}};
static const struct place archive = {
    .root = "/m", .dir = {"bob/archive", 11}, .box = {"bob", 3}, .archived = true};

/* Each third message is archived. */
static void tell(struct live *live, int count)
{
    struct update update = {0};

    for (int i = 0; i < count; i++) {
        struct message *message = batch_add(&update.batch);
        char name[16];
        snprintf(name, sizeof name, "m%d", i);
        message->place = i % 3 ? &inbox : &archive;
        message->id = message->file = arena_copy(&update.batch.arena, span_of(name));
        message->created_us = i;
        update_add(&update, message->place, message->file, UPDATE_HOLDS, (size_t)i);
    }
    live_apply(live, &update, NULL);
    update_free(&update);
}

/* Inboxes come first, and in both what was told first. */
static void check(int count)
{
    struct live *live = live_new();
    struct model model = {0};
    int64_t last_us = -1;

    tell(live, count);
    live_view(live, &model);
    cr_assert_eq(model.count, (size_t)count);
    for (int i = 0; i < count; i++) {
        const struct message *message = model.messages[i];
        char name[16];
        snprintf(name, sizeof name, "m%d", (int)message->created_us);
        assert_span(message->id, name);
        bool archived = i >= count - (count + 2) / 3;
        cr_assert_eq(message->place->archived, archived, "message %d", i);
        if (i && model.messages[i - 1]->place->archived != archived)
            last_us = -1;
        cr_assert_gt(message->created_us, last_us);
        last_us = message->created_us;
    }
    model_free(&model);
    live_free(live);
}

Test(live, nothing_unfolds_into_nothing)
{
    check(0);
}

Test(live, one_message_and_few_unfold_in_their_order)
{
    check(1);
    check(2);
    check(100);
}

Test(live, many_messages_that_two_threads_unfold_are_in_the_same_order)
{
    check(2001);
    check(5000);
}
