/* Tests the live messages: the model that they unfold into. */
#include "tests/unit/support.h"

#include "mail/live/live.h"

#include <stdio.h>

static const struct place inbox = {.root = "/m", .dir = {"bob", 3}, .box = {"bob", 3}};
static const struct place archive = {
    .root = "/m", .dir = {"bob/archive", 11}, .box = {"bob", 3}, .archived = true};

/* Adds `count` messages; each third one is archived. */
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

/* Messages of inboxes come first, and in both groups the earlier added one. */
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

/* --- copies --- */

static const struct place others_inbox = {.root = "/m", .dir = {"eve", 3}, .box = {"eve", 3}};

/* Adds message `i` of many that share few ids; some cannot be read. */
static void add_copy(struct batch *batch, int i)
{
    static const struct place *const places[] = {&inbox, &archive, &others_inbox};
    unsigned random = (unsigned)i * 2654435761u >> 8;
    struct message *message = batch_add(batch);
    char name[16];

    snprintf(name, sizeof name, "f%d", i);
    message->file = arena_copy(&batch->arena, span_of(name));
    snprintf(name, sizeof name, "id%u", random % 40);
    message->id = arena_copy(&batch->arena, span_of(name));
    message->place = places[random / 40 % 3];
    message->status = random / 120 % 5;
    message->damaged = random / 600 % 4 == 0 ? "torn" : NULL;
}

static void tell_copies(struct live *live, int count)
{
    struct update update = {0};

    for (int i = 0; i < count; i++) {
        add_copy(&update.batch, i);
        const struct message *message = &update.batch.items[i];
        update_add(&update, message->place, message->file, UPDATE_HOLDS, (size_t)i);
    }
    live_apply(live, &update, NULL);
    update_free(&update);
}

/* Loads the copies in the order of a load: inboxes before archives. */
static void load_copies(struct model *model, int count)
{
    for (int archived = 0; archived < 2; archived++) {
        struct batch batch = {0};
        for (int i = 0; i < count; i++) {
            add_copy(&batch, i);
            if (batch.items[batch.count - 1].place->archived != archived)
                batch.count--;
        }
        model_add(model, &batch);
    }
    model_settle(model);
}

Test(live, copies_give_way_to_each_other_as_in_a_load)
{
    enum { COUNT = 200 };
    struct live *live = live_new();
    struct model viewed = {0}, loaded = {0};

    tell_copies(live, COUNT);
    live_view(live, &viewed);
    load_copies(&loaded, COUNT);
    cr_assert_gt(loaded.double_count, 10);
    cr_assert_eq(viewed.double_count, loaded.double_count);
    cr_assert_eq(viewed.count, loaded.count);
    for (size_t i = 0; i < loaded.count; i++) {
        const struct message *one = viewed.messages[i], *other = loaded.messages[i];
        cr_assert(span_eq(one->file, other->file), "message %zu", i);
        cr_assert_eq(one->flags, other->flags, "message %zu", i);
        cr_assert_eq(one->status, other->status, "message %zu", i);
    }
    model_free(&viewed);
    model_free(&loaded);
    live_free(live);
}
