/* Shared by the tests of handoffs: short histories, and the status of each handoff in them. "you"
 * is the person; the time is fixed. */
#ifndef TESTS_UNIT_MAIL_HANDOFF_HANDOFF_STATUS_SUPPORT_H
#define TESTS_UNIT_MAIL_HANDOFF_HANDOFF_STATUS_SUPPORT_H

#include "tests/unit/support.h"

#include "mail/handoff/handoff.h"
#include "mail/handoff/handoff_status.h"
#include "mail/message/message.h"

#include <stdio.h>

#define NOW_US INT64_C(1770000000000000)
#define MINUTE_US INT64_C(60000000)

static const struct place here = {.root = "/m", .team = {"web", 3}};
static const struct place ops = {.root = "/m", .team = {"ops", 3}};
static const struct place far = {.root = "/f", .source = 1, .team = {"web", 3}};
static const struct place archive = {.root = "/m", .team = {"web", 3}, .archived = true};
static const struct place done = {
    .root = "/m", .team = {"web", 3}, .archived = true, .done_archived = true};
static const struct place written = {.root = "/m", .team = {"web", 3}, .by_subject = true};
static const struct place short_ids = {.root = "/m", .team = {"web", 3}, .short_replies = true};

static const struct agent_limits limits[] = {
    {.silent_us = 15 * MINUTE_US, .unread_us = 10 * MINUTE_US, .processing_us = 30 * MINUTE_US},
    {.silent_us = 60 * MINUTE_US, .unread_us = 60 * MINUTE_US, .processing_us = 60 * MINUTE_US}};

static struct batch batch;
static struct model model;
static struct threads threads;
static struct handoff_list handoffs;
static struct arena arena;

/* SWARM/NAME identifies NAME; "all" is no agent. */
static inline bool identify(void *context, uint32_t source, struct span team, struct span name,
                            struct agent_id *id)
{
    struct span swarm, bare;

    (void)context;
    (void)source;
    *id = (struct agent_id){.team = team, .name = name};
    if (span_split_last(name, '/', &swarm, &bare))
        id->name = bare;
    return !span_is(name, "all");
}

static inline struct message *say(const char *id, const char *from, const char *to, int minutes)
{
    struct message *message = batch_add(&batch);

    message->place = &here;
    message->id = span_of(id);
    message->file = span_of(id);
    message->from = span_of(from);
    message->to = span_of(to);
    message->subject = span_of("something");
    message->created_us = NOW_US - minutes * MINUTE_US;
    message->expires_us = TIME_NONE;
    message->priority = PRIORITY_NORMAL;
    message->mine = strcmp(to, "you") == 0;
    message->by_us = strcmp(from, "you") == 0;
    return message;
}

static inline struct message *offer(const char *id, const char *from, const char *to, int minutes)
{
    struct message *message = say(id, from, to, minutes);

    message->kind = KIND_HANDOFF;
    message->subject = span_of("parser");
    return message;
}

static inline struct message *reply(const char *id, const char *from, const char *to_id,
                                    int minutes, enum handoff_words_said said)
{
    struct message *message = say(id, from, "you", minutes);

    message->reply_to = span_of(to_id);
    message->said = (uint8_t)said;
    return message;
}

static inline struct work *work_of(struct message *message)
{
    struct work *work = arena_alloc(&arena, sizeof *work);

    *work = (struct work){.read_us = TIME_NONE, .completed_us = TIME_NONE};
    message->work = work;
    return work;
}

static inline void build(void)
{
    struct handoffs_input input = {.model = &model,
                                   .threads = &threads,
                                   .now_us = NOW_US,
                                   .limits = limits,
                                   .identify = identify};

    model_add(&model, &batch);
    threads_build(&threads, &model, NULL);
    handoffs_build(&handoffs, &input);
}

static inline void clear(void)
{
    handoffs_free(&handoffs);
    threads_free(&threads);
    model_free(&model);
    arena_free(&arena);
}

static const struct handoff_status *handoff_status_of(const char *id)
{
    for (uint32_t i = 0; i < model.count; i++)
        if (span_is(model.messages[i]->id, id))
            return handoffs_of(&handoffs, i);
    cr_assert_fail("no message %s", id);
    return NULL;
}

/* Compares the status as "STATE: EVIDENCE", after "stalled" if it is. */
static inline void assert_handoff_status(const char *id, const char *expected)
{
    const struct handoff_status *handoff_status = handoff_status_of(id);
    struct str got = {0};

    cr_assert_not_null(handoff_status, "%s is no handoff", id);
    str_puts(&got, handoff_status->stalled ? "stalled " : "");
    str_addf(&got, "%s: ", handoff_state_name(handoff_status->state));
    handoff_status_add_evidence(&got, &handoffs, handoff_status, NOW_US);
    cr_assert_str_eq(str_c(&got), expected, "%s is \"%s\"", id, str_c(&got));
    str_free(&got);
}

/* Compares the handoffs before this one, as "GIVER ID, GIVER ID". */
static inline void assert_lineage(const char *id, const char *expected)
{
    uint32_t line[8];
    size_t count = handoff_status_lineage(&handoffs, handoff_status_of(id), line, 8);
    struct str got = {0};

    for (size_t i = 0; i < count; i++) {
        const struct handoff_status *handoff_status = &handoffs.items[line[i]];
        const struct message *message = model.messages[handoff_status->message];
        str_addf(&got, "%s%.*s %.*s", i ? ", " : "", (int)handoff_status->giver.len,
                 handoff_status->giver.at, (int)message->id.len, message->id.at);
    }
    cr_assert_str_eq(str_c(&got), expected, "%s comes after \"%s\"", id, str_c(&got));
    str_free(&got);
}

#endif
