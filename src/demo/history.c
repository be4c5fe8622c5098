/* The history before the start: some hours of work, and the open requests at its end. */
#include "demo/random.h"
#include "demo/story.h"
#include "demo/swarm.h"

#include <stdlib.h>
#include <string.h>

struct told {
    struct message *message;
    const struct layout *layout;
    const struct member *from; /* NULL: the lead */
};

struct history {
    struct swarm *swarm;
    struct dice dice;
    int64_t now_us;
    struct told *told;
    size_t count;
};

static const struct job *job_of(const struct member *member)
{
    return job_find(member->layout->name, member->place, 0);
}

static struct start *start_of(const struct history *h, const struct member *member)
{
    return &h->swarm->starts[member - h->swarm->members];
}

/* Adds a message of so many minutes ago. NULL means the lead, who writes no messages to himself. */
static struct message *add_message(struct history *h, const struct member *from,
                                   const struct member *to, double minutes, enum act act,
                                   const char *subject, const char *body)
{
    /* cppcheck-suppress nullPointer ; one of them is an agent */
    const struct layout *layout = from ? from->layout : to->layout;
    struct message *message =
        message_new(act, from ? from->name : layout->lead, to ? to->name : layout->lead);

    message->time_us =
        h->now_us - (int64_t)(minutes * (double)MINUTE_US) - (int64_t)dice_pick(&h->dice, 20000000);
    message_say(message, body);
    if (subject)
        message_set(message, PART_SUBJECT, subject);
    h->told = demo_resize(h->told, (h->count + 1) * sizeof *h->told);
    h->told[h->count++] = (struct told){message, layout, from};
    return message;
}

/* Makes a message the reply to another. */
static void link_to(struct history *h, struct message *reply, struct message *original)
{
    const struct layout *layout = NULL;

    for (size_t i = 0; i < h->count; i++)
        if (h->told[i].message == original)
            layout = h->told[i].layout;
    if (!layout || !layout_name(layout, original, &h->dice))
        return;
    message_set(reply, PART_REPLY_TO, original->part[PART_ID]);
    message_set(reply, PART_THREAD,
                original->part[PART_THREAD] ? original->part[PART_THREAD]
                                            : original->part[PART_ID]);
}

/* Lets the agent wait for the answer to this message. */
static void keep_open(const struct history *h, const struct member *member, struct message *message,
                      unsigned step)
{
    struct start *start = start_of(h, member);

    start->mood = MOOD_WAITS;
    start->asked = message;
    start->step = step;
}

/* Scenes. */

/* The ordinary messages of every agent: to the lead, and with a peer. */
static void write_usual(struct history *h, const struct member *one, const struct member *peer)
{
    const struct job *job = job_of(one);
    double shift = one->place * 3.0;

    struct message *order = add_message(h, NULL, one, 182 + shift, ACT_SAY, job->title,
                                        "Please take this on. Questions to me.");
    struct message *start =
        add_message(h, one, NULL, 176 + shift, ACT_SAY, "", "I start on this now.");
    message_setf(start, PART_SUBJECT, "Re: %s", job->title);
    order->dealt = start->dealt = true;
    link_to(h, start, order);
    add_message(h, one, NULL, 118 + shift, ACT_SAY, NULL, job->steps[0])->dealt = true;
    if (peer && one->place % 2 == 0) {
        struct message *ask = add_message(h, one, peer, 92 + shift, ACT_ASK, NULL, job->asks);
        struct message *told = add_message(h, peer, one, 90 + shift, ACT_SAY, "", job->told);
        ask->dealt = told->dealt = true;
        message_setf(told, PART_SUBJECT, "Re: %s", message_get(ask, PART_SUBJECT));
        link_to(h, told, ask);
    }
}

static void write_step(struct history *h, const struct member *one, double minutes)
{
    add_message(h, one, NULL, minutes, ACT_SAY, NULL, job_of(one)->steps[1]);
    start_of(h, one)->step = 5;
}

/* A plan that was rejected, and the narrowed one that waits. */
static void write_plans(struct history *h, const struct member *one)
{
    static const char feedback[] = "Too much at once. No migration and no change of the schema.";
    struct message *first = add_message(h, one, NULL, 71, ACT_PLAN, "", "");
    struct message *no = add_message(h, NULL, one, 66, ACT_ANSWER, "", "");
    struct message *second = add_message(h, one, NULL, 4, ACT_PLAN, "", "");

    word_plan(first, job_of(one), NULL, false);
    word_plan(second, job_of(one), feedback, false);
    first->dealt = no->dealt = true;
    no->about = ACT_PLAN;
    message_set(no, PART_REASON, feedback);
    message_setf(no, PART_BODY, "Rejected: %s", feedback);
    message_setf(no, PART_SUBJECT, "Re: %s", message_get(first, PART_SUBJECT));
    message_setf(first, PART_REQUEST, "plan_approval-%lld@%s@%s",
                 (long long)(first->time_us / 1000), one->name, one->layout->team);
    message_set(no, PART_REQUEST, message_get(first, PART_REQUEST));
    link_to(h, no, first);
    keep_open(h, one, second, 2);
}

static void write_permission(struct history *h, const struct member *one, double minutes)
{
    struct message *message = add_message(h, one, NULL, minutes, ACT_PERMIT, "", "");

    word_permission(message, job_of(one));
    keep_open(h, one, message, 5);
}

static void write_host(struct history *h, const struct member *one, double minutes)
{
    struct message *message = add_message(h, one, NULL, minutes, ACT_HOST, "", "");

    word_host(message, job_of(one));
    keep_open(h, one, message, 7);
}

static struct message *write_question(struct history *h, const struct member *one, double minutes)
{
    struct message *message = add_message(h, one, NULL, minutes, ACT_ASK, "", "");

    word_question(message, job_of(one));
    keep_open(h, one, message, 7);
    return message;
}

static struct message *write_handoff(struct history *h, const struct member *from,
                                     const struct member *to, double minutes)
{
    struct message *message = add_message(h, from, to, minutes, ACT_HANDOFF, "", "");

    word_handoff(message, job_of(from));
    return message;
}

/* A handoff between two agents, accepted and completed. */
static void write_finished_handoff(struct history *h, const struct member *from,
                                   const struct member *to)
{
    static const char *const words[] = {"Accepted. I have read all of it and go on from there.",
                                        "Completed: all of the next steps are done."};
    struct message *handoff = write_handoff(h, from, to, 84);

    handoff->dealt = true;
    for (int i = 0; i < 2; i++) {
        struct message *message = add_message(h, to, from, i ? 52 : 82, ACT_SAY, "", words[i]);
        message_setf(message, PART_SUBJECT, "Re: %s", message_get(handoff, PART_SUBJECT));
        message->dealt = true;
        link_to(h, message, handoff);
    }
}

/* An agent that is silent since its disk was full, with mail that it does not read. */
static void write_stuck(struct history *h, const struct member *one, const struct member *peer)
{
    static const char words[] = "no disk left on /var: the build of the index stops at 61 %";

    add_message(h, one, NULL, 24, ACT_SAY, words, words);
    if (peer)
        add_message(h, peer, one, 21, ACT_ASK, "Is the index there?", job_of(one)->asks);
    start_of(h, one)->mood = MOOD_STUCK;
    start_of(h, one)->step = 5;
}

/* Two agents that wait for each other. */
static void write_ring(struct history *h, const struct member *one, const struct member *other)
{
    add_message(h, one, other, 41, ACT_ASK, "Needed before I can go on", job_of(one)->asks);
    add_message(h, other, one, 38, ACT_ASK, "Needed before I can finish", job_of(other)->asks);
    start_of(h, one)->mood = start_of(h, other)->mood = MOOD_RING;
    start_of(h, one)->step = start_of(h, other)->step = 3;
}

/* A request to stop, and the refusal. */
static void write_refusal(struct history *h, const struct member *one)
{
    struct message *stop = add_message(h, NULL, one, 28, ACT_STOP, "Shutdown requested", "");
    struct message *no = add_message(h, one, NULL, 27, ACT_ANSWER, "Re: Shutdown requested", "");

    stop->dealt = true;
    message_set(stop, PART_REASON, "the pages are written");
    message_set(stop, PART_BODY, "Please finish what you are doing and stop.");
    message_setf(stop, PART_REQUEST, "shutdown-%lld@%s", (long long)(stop->time_us / 1000),
                 one->name);
    no->about = ACT_STOP;
    message_set(no, PART_REQUEST, message_get(stop, PART_REQUEST));
    message_setf(no, PART_REASON, "two examples do not run yet; ten minutes more");
    message_set(no, PART_BODY, "I cannot stop yet: two examples do not run. Ten minutes more.");
    link_to(h, no, stop);
    write_step(h, one, 11);
    start_of(h, one)->refused = true;
    start_of(h, one)->step = 7;
}

static void write_escalation(struct history *h, const struct member *one)
{
    struct message *message = add_message(
        h, one, NULL, 12, ACT_ESCALATE, "CEO Escalation: one invoice, two suppliers",
        "Invoice 2210 came from two suppliers with the same number and different amounts (412.00 "
        "and 421.00). The first one matches our order. I would book that one today and "
        "ask about the other. Agreed?");

    message->urgent = true;
    message_set(message, PART_REASON, "no rule says which one to book");
    keep_open(h, one, message, 5);
}

static void write_idle(struct history *h, const struct member *one, double minutes)
{
    add_message(h, one, NULL, minutes + 1, ACT_SAY, NULL, job_of(one)->done);
    if (one->layout->programs)
        add_message(h, one, NULL, minutes, ACT_IDLE, "", "")->yes = true;
}

/* Layouts. */

static void write_claude(struct history *h, const struct member *const *m, size_t count)
{
    write_plans(h, m[0]);
    if (count > 1)
        write_permission(h, m[1], 2);
    if (count > 3)
        write_refusal(h, m[3]);
    if (count > 4)
        write_host(h, m[4], 7);
    if (count > 5)
        write_idle(h, m[5], 33);
}

static void write_adr(struct history *h, const struct member *const *m, size_t count)
{
    if (count > 3) {
        write_finished_handoff(h, m[2], m[3]);
        keep_open(h, m[3], write_handoff(h, m[3], NULL, 9), 5);
    }
    if (count > 1)
        write_ring(h, m[0], m[1]);
    if (count > 2 || count == 1)
        write_escalation(h, m[count > 2 ? 2 : 0]);
}

static void write_inbox(struct history *h, const struct member *const *m, size_t count)
{
    struct message *plan = add_message(h, m[0], NULL, 15, ACT_PLAN, "", "");

    word_plan(plan, job_of(m[0]), NULL, false);
    keep_open(h, m[0], plan, 2);
    if (count > 1)
        write_permission(h, m[1], 5);
    if (count > 2)
        write_question(h, m[2], 22);
}

static void write_openclaw(struct history *h, const struct member *const *m, size_t count)
{
    struct message *handoff = write_handoff(h, m[0], NULL, 36);

    keep_open(h, m[0], handoff, 5);
    if (count > 1)
        write_step(h, m[1], 6);
    if (count > 2)
        write_step(h, m[2], 13);
}

static void write_roo(struct history *h, const struct member *const *m, size_t count)
{
    write_question(h, m[0], 18)->urgent = true;
    if (count > 1)
        add_message(h, m[0], m[1], 0.5, ACT_ASK, NULL, job_of(m[0])->asks);
}

static const struct {
    const struct layout *layout;
    void (*tell)(struct history *h, const struct member *const *members, size_t count);
} tellers[] = {{&layout_claude, write_claude},
               {&layout_openclaw, write_openclaw},
               {&layout_inbox, write_inbox},
               {&layout_adr, write_adr},
               {&layout_roo, write_roo}};

/* Returns the one agent that is stuck: the third of the first layout that has three. */
static const struct member *find_stuck(const struct swarm *swarm)
{
    const struct member *one = NULL;

    for (size_t i = 0; !one && layouts[i]; i++)
        one = swarm_member(swarm, layouts[i], 2);
    return one;
}

static void write_layout(struct history *h, size_t number, const struct member *stuck)
{
    const struct layout *layout = tellers[number].layout;
    const struct member *members[AGENTS_MAX];
    size_t count = swarm_size(h->swarm, layout);

    for (unsigned place = 0; place < count; place++)
        members[place] = swarm_member(h->swarm, layout, place);
    for (size_t i = 0; i < count; i++)
        write_usual(h, members[i], count > 1 ? members[(i + 1) % count] : NULL);
    if (count)
        tellers[number].tell(h, members, count);
    for (size_t i = 6; i < count; i++) {
        if (i % 3 == 0)
            write_idle(h, members[i], 20 + (double)i);
        else
            write_step(h, members[i], 1 + (double)(i % 13));
    }
    if (stuck && stuck->layout == layout) {
        struct start *start = start_of(h, stuck);
        *start = (struct start){0};
        write_stuck(h, stuck, members[0] == stuck ? NULL : members[0]);
    }
}

static int by_time(const void *a, const void *b)
{
    int64_t x = ((const struct told *)a)->message->time_us;
    int64_t y = ((const struct told *)b)->message->time_us;

    return (x > y) - (x < y);
}

/* Sends all messages in the order of their times. */
static bool write_all(struct history *h)
{
    bool ok = true;

    qsort(h->told, h->count, sizeof *h->told, by_time);
    for (size_t i = 0; ok && i < h->count; i++) {
        const struct told *told = &h->told[i];
        struct post post = {.layout = told->layout,
                            .dir = h->swarm->dir,
                            .who = message_get(told->message, PART_FROM),
                            .color = told->from ? told->from->color : NULL,
                            .dice = &h->dice};
        ok = told->layout->send(&post, told->message) ||
             told->layout->one_slot; /* the slot may be full */
    }
    return ok;
}

static void start_tasks(struct history *h)
{
    for (size_t i = 0; i < h->swarm->count; i++) {
        const struct member *one = &h->swarm->members[i];
        struct post post = {.layout = one->layout, .dir = h->swarm->dir, .who = one->name};
        if (one->layout->task)
            one->layout->task(&post, (unsigned)i + 1, job_of(one)->title, "in_progress");
    }
}

bool history_write(struct swarm *swarm)
{
    struct history h = {.swarm = swarm, .dice = dice_make(swarm->seed, 0), .now_us = clock_now()};
    const struct member *stuck = find_stuck(swarm);
    bool ok = true;

    for (size_t i = 0; i < sizeof tellers / sizeof *tellers; i++) {
        const struct layout *layout = tellers[i].layout;
        if (swarm_size(swarm, layout))
            ok = ok && layout->found(swarm->dir, swarm->members, swarm->count,
                                     h.now_us - 200 * MINUTE_US);
        write_layout(&h, i, stuck);
    }
    start_tasks(&h);
    ok = ok && write_all(&h);
    for (size_t i = 0; i < h.count; i++) {
        bool kept = false;
        for (size_t k = 0; k < swarm->count; k++)
            kept |= swarm->starts[k].asked == h.told[i].message;
        if (!kept)
            message_free(h.told[i].message);
    }
    free(h.told);
    return ok;
}
