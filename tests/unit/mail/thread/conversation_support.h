/* Shared by the tests of conversations and of the inbox order: a small swarm led by the person. */
#ifndef TESTS_UNIT_MAIL_THREAD_CONVERSATION_SUPPORT_H
#define TESTS_UNIT_MAIL_THREAD_CONVERSATION_SUPPORT_H

#include "tests/unit/support.h"

#include "base/mem.h"
#include "mail/protocol/protocol.h"
#include "mail/thread/conversation.h"

#include <stdio.h>
#include <stdlib.h>

#define MINUTE_US INT64_C(60000000)
#define NOW_US (10000 * MINUTE_US)

static const struct place desk = {
    .source = 0, .team = {"web", 3}, .box = {"lead", 4}, .dir = {"web", 3}, .by_subject = true};
static const struct place floor_ = {
    .source = 0, .team = {"web", 3}, .box = {"bob", 3}, .dir = {"web", 3}, .by_subject = true};
static const struct place shelf = {.source = 0,
                                   .team = {"web", 3},
                                   .box = {"lead", 4},
                                   .dir = {"web/archive", 11},
                                   .archived = true};
static const struct place elsewhere = {
    .source = 1, .team = {"ops", 3}, .box = {"lead", 4}, .dir = {"ops", 3}, .by_subject = true};

/* Messages and the conversations made of them; texts are borrowed, ids are m0, m1 and so on. */
struct talking {
    struct batch batch;
    struct model model;
    struct requests asks;
    struct threads threads;
    struct conversations conversations;
    struct conversation_hint hints[4];
    size_t hint_count;
    bool expired;
};

/* Adds a message that was sent `minutes` ago. */
static inline struct message *put(struct talking *t, const struct place *place, const char *from,
                                  const char *to, const char *subject, int minutes)
{
    char id[16];

    snprintf(id, sizeof id, "m%zu", t->batch.count);
    struct message *message = batch_add(&t->batch);
    *message = (struct message){.id = arena_copy(&t->batch.arena, span_of(id)),
                                .file = span_of("f"),
                                .from = span_of(from),
                                .to = span_of(to),
                                .subject = span_of(subject),
                                .type = span_of("message"),
                                .place = place,
                                .created_us = NOW_US - minutes * MINUTE_US,
                                .expires_us = TIME_NONE,
                                .priority = PRIORITY_NORMAL,
                                .mine = to && strcmp(to, "lead") == 0,
                                .by_us = from && strcmp(from, "lead") == 0};
    return message;
}

/* Adds a request of that kind, or an answer to the one with that id. */
static inline struct message *ask(struct talking *t, enum kind kind, const char *from,
                                  const char *to, const char *request, int minutes)
{
    struct message *message =
        put(t, strcmp(to, "lead") == 0 ? &desk : &floor_, from, to, request, minutes);

    message->kind = (uint8_t)kind;
    message->type = span_of("permission_request");
    message->thread = span_of(request);
    message->requires_response = true;
    return message;
}

static inline struct message *answer(struct talking *t, enum kind kind, const char *from,
                                     const char *to, const char *request, int minutes)
{
    struct message *message = ask(t, kind, from, to, request, minutes);

    static const struct place theirs = {.root = "/m", .team = {"web", 3}};

    message->place = &theirs;
    message->requires_response = false;
    message->reply_to = message->thread;
    message->verdict = VERDICT_NO;
    message->status = STATUS_READ;
    return message;
}

static inline struct message *idle(struct talking *t, const char *from, const char *to,
                                   const char *subject, int minutes)
{
    static const struct notice available = {.reason = {"available", 9}};
    struct message *message =
        put(t, strcmp(to, "lead") == 0 ? &desk : &floor_, from, to, subject, minutes);

    message->kind = KIND_IDLE;
    message->notice = &available;
    return message;
}

/* Builds the conversations of the current model. */
static inline void rebuild(struct talking *t)
{
    conversations_free(&t->conversations);
    threads_free(&t->threads);
    requests_free(&t->asks);
    requests_build(&t->asks, &t->model, NOW_US);
    threads_build(&t->threads, &t->model, &t->asks);
    struct conversation_input input = {.model = &t->model,
                                       .threads = &t->threads,
                                       .asks = &t->asks,
                                       .hints = t->hints,
                                       .hint_count = t->hint_count,
                                       .now_us = NOW_US,
                                       .expired = t->expired};
    conversations_build(&t->conversations, &input);
}

/* Builds the conversations of the messages in the order of adding; may be called again. */
static inline void build(struct talking *t)
{
    t->model.messages =
        mem_grow(t->model.messages, &t->model.cap, t->batch.count, sizeof *t->model.messages);
    t->model.count = t->batch.count;
    for (size_t i = 0; i < t->batch.count; i++)
        t->model.messages[i] = &t->batch.items[i];
    rebuild(t);
}

static inline void finish(struct talking *t)
{
    conversations_free(&t->conversations);
    threads_free(&t->threads);
    requests_free(&t->asks);
    model_free(&t->model);
    batch_free(&t->batch);
}

/* Returns the conversation of a message. */
static inline const struct conversation *conversation_of(const struct talking *t, size_t message)
{
    cr_assert_neq(t->conversations.of[message], CONVERSATION_NONE);
    return &t->conversations.items[t->conversations.of[message]];
}

#endif
