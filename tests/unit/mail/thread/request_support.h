/* Shared by the tests of requests: a model that is made by hand, and its requests. */
#ifndef TESTS_UNIT_MAIL_THREAD_REQUEST_SUPPORT_H
#define TESTS_UNIT_MAIL_THREAD_REQUEST_SUPPORT_H

#include "tests/unit/support.h"

#include "mail/protocol/protocol.h"
#include "mail/thread/request.h"

#define NOW_US INT64_C(1000000)

static const struct place here = {.root = "/m", .box = {"ann", 3}};
static const struct place theirs = {.root = "/m", .box = {"bob", 3}};
static const struct place far = {.root = "/f", .source = 1};
static const struct place web = {.root = "/m", .team = {"web", 3}};
static const struct place ops = {.root = "/m", .team = {"ops", 3}};

static struct model model;
static struct requests asks;
static struct batch batch;

/* Adds a request from bob to ann, a second after the one before; tests change its kind. Borrowed
 * until the next one is made. */
static inline struct message *ask(const char *id)
{
    struct message *message = batch_add(&batch);

    message->place = &here;
    message->id = span_of(id);
    message->from = span_of("bob");
    message->to = span_of("ann");
    message->requires_response = true;
    message->kind = KIND_QUESTION;
    message->created_us = (int64_t)batch.count;
    return message;
}

/* Adds a message from ann to bob that answers `to`. */
static inline struct message *reply(const char *id, const char *to)
{
    struct message *message = ask(id);

    message->from = span_of("ann");
    message->to = span_of("bob");
    message->requires_response = false;
    message->kind = KIND_MESSAGE;
    message->reply_to = span_of(to);
    return message;
}

static inline void build(void)
{
    model_add(&model, &batch);
    requests_build(&asks, &model, NOW_US);
}

static inline void clear(void)
{
    requests_free(&asks);
    cr_assert(!asks.items && !asks.of && !asks.answers && !asks.count);
    model_free(&model);
}

static inline uint32_t number_of(const char *id)
{
    for (uint32_t i = 0; i < model.count; i++)
        if (span_is(model.messages[i]->id, id))
            return i;
    cr_assert_fail("no message %s", id);
    return 0;
}

static inline const struct request *ask_of(const char *id)
{
    uint32_t number = asks.of[number_of(id)];

    cr_assert_neq(number, REQUEST_NONE, "%s asks nothing", id);
    cr_assert_eq(asks.items[number].message, number_of(id));
    return &asks.items[number];
}

/* answer: NULL for none. */
static inline void assert_ask(const char *id, const char *answer, bool open)
{
    const struct request *asked = ask_of(id);

    if (answer) {
        cr_assert_eq(asked->answer, number_of(answer), "%s", id);
        cr_assert_eq(asks.answers[number_of(answer)], asks.of[number_of(id)], "%s", id);
    } else {
        cr_assert_eq(asked->answer, REQUEST_NONE, "%s is answered by %u", id, asked->answer);
    }
    cr_assert_eq(asked->open, open, "%s", id);
}

static inline void assert_no_ask(const char *id)
{
    cr_assert_eq(asks.of[number_of(id)], REQUEST_NONE, "%s", id);
}

#endif
