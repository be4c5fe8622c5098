/* Shared by the tests of delivery status: a model and notes that are made by hand. */
#ifndef TESTS_UNIT_MAIL_SENT_DELIVERY_STATUS_SUPPORT_H
#define TESTS_UNIT_MAIL_SENT_DELIVERY_STATUS_SUPPORT_H

#include "tests/unit/support.h"

#include "base/mem.h"
#include "mail/message/kind.h"
#include "mail/render/render_sent.h"

#define NOW INT64_C(1700000000000000)
#define MINUTE INT64_C(60000000)

enum { FILES, ARRAY, SHARED, SLOTS }; /* the sources */

static const struct place inbox[] = {
    [FILES] = {.source = FILES, .box = {"bob", 3}},
    [ARRAY] = {.source = ARRAY, .team = {"dev", 3}, .box = {"bob", 3}, .by_subject = true},
    [SHARED] = {.source = SHARED, .team = {"web", 3}, .short_replies = true},
    [SLOTS] = {.source = SLOTS, .box = {"bob", 3}},
};
static const struct place away = {.source = FILES, .box = {"bob", 3}, .archived = true};
static const struct delivery_source sources[] = {
    [FILES] = {0},
    [ARRAY] = {.may_take = true, .by_subject = true},
    [SHARED] = {.for_all = true, .short_replies = true, .lasts_us = 60 * MINUTE},
    [SLOTS] = {.takes = true},
};

static struct batch batch;
static struct model model;
static struct delivery_notes notes;
static struct delivery_statuses statuses;

/* Adds a message from us to bob, sent an hour ago. */
static inline struct message *put(const struct place *place, const char *id)
{
    struct message *message = batch_add(&batch);

    message->place = place;
    message->id = span_of(id);
    message->from = span_of("lead");
    message->to = span_of("bob");
    message->subject = span_of("Subject");
    message->created_us = NOW - 60 * MINUTE;
    message->by_us = true;
    return message;
}

/* Adds a message from bob to us, sent a minute ago. */
static inline struct message *put_answer(const struct place *place, const char *id,
                                         const char *reply_to)
{
    struct message *message = put(place, id);

    message->from = span_of("bob");
    message->to = span_of("lead");
    message->reply_to = span_of(reply_to);
    message->created_us = NOW - MINUTE;
    message->by_us = false;
    message->mine = true;
    return message;
}

/* Adds the note of a message that was delivered to bob and sent ten minutes ago. */
static inline struct delivery_note *note(uint32_t source, const char *id)
{
    notes.items = mem_grow(notes.items, &notes.cap, notes.count + 1, sizeof *notes.items);
    notes.items[notes.count] = (struct delivery_note){.source = source,
                                                      .team = inbox[source].team,
                                                      .box = inbox[source].box,
                                                      .id = span_of(id),
                                                      .from = span_of("lead"),
                                                      .to = span_of("bob"),
                                                      .subject = span_of("Subject"),
                                                      .sent_us = NOW - 10 * MINUTE,
                                                      .since_us = NOW - 9 * MINUTE,
                                                      .state = DELIVERY_DELIVERED};
    return &notes.items[notes.count++];
}

static inline void build(void)
{
    model_add(&model, &batch);
    delivery_statuses_free(&statuses);
    delivery_statuses_build(&statuses, &model, &notes, sources, NOW);
}

static inline void clear(void)
{
    delivery_statuses_free(&statuses);
    delivery_notes_free(&notes);
    model_free(&model);
}

/* Returns the only delivery status. */
static inline const struct delivery_status *build_one(void)
{
    build();
    cr_assert_eq(statuses.count, 1, "%zu fates", statuses.count);
    cr_assert_eq(statuses.thing_count, 1);
    return &statuses.items[0];
}

#define assert_state(delivery, want)                                                               \
    cr_assert_eq((delivery)->state, (want), "%s, not %s", delivery_state_name((delivery)->state),  \
                 delivery_state_name(want))

#endif
