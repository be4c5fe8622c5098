/* Shared by the tests of agents: short histories of mailboxes, written as tables, and the resulting
 * rows. "you" is the person; the time is fixed. */
#ifndef TESTS_UNIT_MAIL_AGENT_AGENT_SUPPORT_H
#define TESTS_UNIT_MAIL_AGENT_AGENT_SUPPORT_H

#include "tests/unit/support.h"

#include "mail/agent/agent.h"
#include "mail/protocol/protocol.h"

#include <stdio.h>
#include <stdlib.h>

/* The rows of the tables set only the fields that matter to the test. */
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"

#define NOW_US INT64_C(1770000000000000)
#define SECOND_US INT64_C(1000000)
#define MINUTES 60
#define HOURS 3600

/* One message. Fields left at 0 mean: absent, unread, no kind, no expiry. */
struct said {
    int ago_s;
    const char *from, *to, *subject;
    enum kind kind;
    enum status status;
    bool asks, archived, damaged, timeless;
    const char *id, *reply_to, *team;
    enum protocol_verdict verdict;
    struct notice idle; /* set with a reason: an idle notice */
    int read_ago_s;     /* 0: unknown */
    int ends_in_s;      /* 0: never */
};

struct story {
    const struct said *said; /* ends at the first row without a sender */
    const struct agent_known *known;
    size_t known_count;
    const struct agent_task *tasks;
    size_t task_count;
    const struct agent_unsent *unsent;
    size_t unsent_count;
    struct agent_limits limits; /* zero: agent_limits_default */
};

/* The objects made from a story; tell_no_more() frees them. */
struct telling {
    struct batch batch;
    struct model model;
    struct requests asks;
    struct agents agents;
};

#define IDLE(why) .kind = KIND_IDLE, .idle = {.reason = {(why), sizeof(why) - 1}}, .subject = "Idle"
#define KNOWN(name_) .name = {(name_), sizeof(name_) - 1}
#define TEXT(text)                                                                                 \
    {                                                                                              \
        (text), sizeof(text) - 1                                                                   \
    }
#define COUNT_OF(list) (sizeof(list) / sizeof *(list))

/* SWARM/NAME identifies NAME; "all" is no agent. */
static inline bool identify_plainly(void *context, uint32_t source, struct span team,
                                    struct span name, struct agent_id *id)
{
    struct span swarm, bare;

    (void)context;
    (void)source;
    *id = (struct agent_id){.team = team, .name = name};
    if (span_split_last(name, '/', &swarm, &bare))
        id->name = bare;
    return name.len && !span_is(name, "all");
}

static inline struct span keep(struct batch *batch, const char *text)
{
    return arena_copy(&batch->arena, span_of(text));
}

static inline void say(struct batch *batch, const struct said *said, size_t number)
{
    struct message *message = batch_add(batch);
    struct place *place = arena_alloc(&batch->arena, sizeof *place);
    struct message_data *data = arena_alloc(&batch->arena, sizeof *data);
    char id[32];

    snprintf(id, sizeof id, "%zxf00d-id", number);
    *place = (struct place){
        .archived = said->archived, .team = keep(batch, said->team), .box = keep(batch, said->to)};
    data->read_us = said->read_ago_s ? NOW_US - said->read_ago_s * SECOND_US : TIME_NONE;
    message->place = place;
    message->data = data;
    message->id = keep(batch, said->id ? said->id : id);
    message->from = keep(batch, said->from);
    message->to = keep(batch, said->to);
    message->subject = keep(batch, said->subject);
    message->reply_to = keep(batch, said->reply_to);
    message->kind = (uint8_t)said->kind;
    message->status = (uint8_t)said->status;
    message->verdict = (uint8_t)said->verdict;
    message->requires_response = said->asks;
    message->damaged = said->damaged ? "broken" : NULL;
    message->created_us = said->timeless ? TIME_NONE : NOW_US - said->ago_s * SECOND_US;
    if (said->ends_in_s)
        message->expires_us = NOW_US + said->ends_in_s * SECOND_US;
    message->mine = span_is(message->to, "you");
    message->by_us = span_is(message->from, "you");
    if (said->kind == KIND_IDLE)
        message->notice = &said->idle;
}

static inline void tell(struct telling *telling, const struct story *story)
{
    const struct agent_limits *limits =
        story->limits.silent_us ? &story->limits : &agent_limits_default;
    *telling = (struct telling){0};
    for (size_t i = 0; story->said && story->said[i].from; i++)
        say(&telling->batch, &story->said[i], i);
    model_add(&telling->model, &telling->batch);
    requests_build(&telling->asks, &telling->model, NOW_US);
    struct agents_input input = {.model = &telling->model,
                                 .asks = &telling->asks,
                                 .now_us = NOW_US,
                                 .known = story->known,
                                 .known_count = story->known_count,
                                 .tasks = story->tasks,
                                 .task_count = story->task_count,
                                 .unsent = story->unsent,
                                 .unsent_count = story->unsent_count,
                                 .limits = limits,
                                 .identify = identify_plainly};
    agents_build(&telling->agents, &input);
}

static inline void tell_no_more(struct telling *telling)
{
    agents_free(&telling->agents);
    requests_free(&telling->asks);
    model_free(&telling->model);
}

/* Compares the rows, each as "STATE NAME: WHY", in order; `want` has one row a line. */
static inline void assert_story(const struct story *story, const char *want)
{
    struct telling telling;
    struct str got = {0};

    tell(&telling, story);
    for (size_t i = 0; i < telling.agents.count; i++) {
        const struct agent *agent = &telling.agents.items[i];
        str_addf(&got, "%s%s %.*s: %.*s", i ? "\n" : "", agent_state_name(agent->state),
                 (int)agent->name.len, agent->name.at, (int)agent->why.len, agent->why.at);
    }
    cr_assert_str_eq(str_c(&got), want, "expected\n%s\ngot\n%s", want, str_c(&got));
    str_free(&got);
    tell_no_more(&telling);
}

#define assert_said(want, ...)                                                                     \
    do {                                                                                           \
        const struct said said_[] = {__VA_ARGS__, {0}};                                            \
        assert_story(&(struct story){.said = said_}, (want));                                      \
    } while (0)

#endif
