/* The history before the start: some hours of work, and the open requests at its end. */
#include "demo/random.h"
#include "demo/story.h"
#include "demo/swarm.h"

#include <stdlib.h>
#include <string.h>

struct told {
    struct message *message, *original; /* the message, and the one that it answers */
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

enum { LEAD = -1 };

/* A message of the story, and the state in which it leaves its sender. */
struct line {
    int from, to; /* places among the agents of the scene, or LEAD */
    double minutes;
    enum act act;
    const char *text; /* as word_message() takes it */
    const char *subject;
    const char *reason;
    int reply; /* answers the message so many lines before */
    bool dealt, yes, urgent;
    bool of_other; /* the text is about the job of the recipient */
    bool alone;    /* only if there is no other agent */
    bool refused;
    enum mood mood;
    unsigned step;
};

static const char feedback[] = "Too much at once. No migration and no change of the schema.";
static const char disk_full[] = "no disk left on /var: the build of the index stops at 61 %";
static const char two_invoices[] = "CEO Escalation: one invoice, two suppliers";
static const char invoice[] =
    "Invoice 2210 came from two suppliers with the same number and different amounts (412.00 and "
    "421.00). The first one matches our order. I would book that one today and ask about the "
    "other. Agreed?";
static const char no_rule[] = "no rule says which one to book";

/* The ordinary messages of every agent: to the lead, and with a peer. */
static const struct line usual_lines[] = {
    {LEAD, 0, 182, ACT_SAY, "Please take this on. Questions to me.", "$title", .dealt = true},
    {0, LEAD, 176, ACT_SAY, "I start on this now.", .reply = 1, .dealt = true},
    {0, LEAD, 118, ACT_SAY, "$step1", .dealt = true},
    {0, 1, 92, ACT_ASK, "$asks", .dealt = true},
    {1, 0, 90, ACT_SAY, "$told", .of_other = true, .reply = 1, .dealt = true}};

/* Its last step, and the end of its work. */
static const struct line step_lines[] = {{0, LEAD, 0, ACT_SAY, "$step2", .step = 5}};
static const struct line idle_lines[] = {{0, LEAD, 1, ACT_SAY, .text = "$done"},
                                         {0, LEAD, 0, ACT_IDLE, "", .yes = true}};

/* An agent that is silent since its disk was full, with mail that it does not read. */
static const struct line stuck_lines[] = {
    {0, LEAD, 24, ACT_SAY, disk_full, disk_full, .mood = MOOD_STUCK, .step = 5},
    {1, 0, 21, ACT_ASK, "$asks", "Is the index there?", .of_other = true}};

/* A plan that was rejected, and the narrowed one that waits; a request to stop, and the refusal. */
static const struct line claude_lines[] = {
    {0, LEAD, 71, ACT_PLAN, .dealt = true},
    {LEAD, 0, 66, ACT_ANSWER, "", .reason = feedback, .reply = 1, .dealt = true},
    {0, LEAD, 4, ACT_PLAN, .reason = feedback, .mood = MOOD_WAITS, .step = 2},
    {1, LEAD, 2, ACT_PERMIT, .mood = MOOD_WAITS, .step = 5},
    {LEAD, 3, 28, ACT_STOP, "", .reason = "the pages are written", .dealt = true},
    {3, LEAD, 27, ACT_ANSWER, "", .reason = "two examples do not run yet; ten minutes more",
     .reply = 1, .refused = true},
    {3, LEAD, 11, ACT_SAY, "$step2", .step = 7},
    {4, LEAD, 7, ACT_HOST, .mood = MOOD_WAITS, .step = 7},
    {5, LEAD, 34, ACT_SAY, .text = "$done"},
    {5, LEAD, 33, ACT_IDLE, "", .yes = true}};

static const struct line openclaw_lines[] = {
    {0, LEAD, 36, ACT_HANDOFF, .mood = MOOD_WAITS, .step = 5},
    {1, LEAD, 6, ACT_SAY, "$step2", .step = 5},
    {2, LEAD, 13, ACT_SAY, "$step2", .step = 5}};

static const struct line inbox_lines[] = {{0, LEAD, 15, ACT_PLAN, .mood = MOOD_WAITS, .step = 2},
                                          {1, LEAD, 5, ACT_PERMIT, .mood = MOOD_WAITS, .step = 5},
                                          {2, LEAD, 22, ACT_ASK, .mood = MOOD_WAITS, .step = 7}};

/* A handoff between two agents, accepted and completed; two agents that wait for each other. */
static const struct line adr_lines[] = {
    {2, 3, 84, ACT_HANDOFF, .dealt = true},
    {3, 2, 82, ACT_SAY, "$accepted", .reply = 1, .dealt = true},
    {3, 2, 52, ACT_SAY, "Completed: all of the next steps are done.", .reply = 2, .dealt = true},
    {3, LEAD, 9, ACT_HANDOFF, .mood = MOOD_WAITS, .step = 5},
    {0, 1, 41, ACT_ASK, "$asks", "Needed before I can go on", .mood = MOOD_RING, .step = 3},
    {1, 0, 38, ACT_ASK, "$asks", "Needed before I can finish", .mood = MOOD_RING, .step = 3},
    {2, LEAD, 12, ACT_ESCALATE, invoice, two_invoices, no_rule, .mood = MOOD_WAITS, .step = 5,
     .urgent = true},
    {0, LEAD, 12, ACT_ESCALATE, invoice, two_invoices, no_rule, .mood = MOOD_WAITS, .step = 5,
     .urgent = true, .alone = true}};

static const struct line roo_lines[] = {
    {0, LEAD, 18, ACT_ASK, .mood = MOOD_WAITS, .step = 7, .urgent = true},
    {0, 1, 0.5, ACT_ASK, .text = "$asks"}};

static const struct {
    const struct layout *layout;
    const struct line *lines;
    size_t count;
} scenes[] = {{&layout_claude, claude_lines, sizeof claude_lines / sizeof *claude_lines},
              {&layout_openclaw, openclaw_lines, sizeof openclaw_lines / sizeof *openclaw_lines},
              {&layout_inbox, inbox_lines, sizeof inbox_lines / sizeof *inbox_lines},
              {&layout_adr, adr_lines, sizeof adr_lines / sizeof *adr_lines},
              {&layout_roo, roo_lines, sizeof roo_lines / sizeof *roo_lines}};

static const struct job *job_of(const struct member *member)
{
    return job_find(member->layout->name, member->place, 0);
}

/* Makes a message the reply to another. */
static void link_to(struct history *h, struct message *reply, struct message *original,
                    const struct layout *layout)
{
    message_setf(reply, PART_SUBJECT, "Re: %s", message_get(original, PART_SUBJECT));
    if (!layout_name(layout, original, &h->dice))
        return;
    message_set(reply, PART_REPLY_TO, original->part[PART_ID]);
    message_set(reply, PART_THREAD,
                original->part[PART_THREAD] ? original->part[PART_THREAD]
                                            : original->part[PART_ID]);
}

/* Adds the message of a line, and leaves its sender in the state of the line. */
static void add_message(struct history *h, const struct line *line, const struct member *from,
                        const struct member *to, double shift)
{
    const struct member *agent = from && !line->of_other ? from : to;
    const struct layout *layout = agent->layout;
    struct message *message =
        message_new(line->act, from ? from->name : layout->lead, to ? to->name : layout->lead);
    struct told told = {.message = message, .layout = layout, .from = from};

    message->time_us = h->now_us - (int64_t)((line->minutes + shift) * (double)MINUTE_US) -
                       (int64_t)dice_pick(&h->dice, 20000000);
    message->dealt = line->dealt;
    message->yes = line->yes;
    message->urgent = line->urgent;
    message_set(message, PART_REASON, line->reason);
    word_message(message, job_of(agent), line->text, false);
    if (line->subject)
        message_set(message, PART_SUBJECT,
                    strcmp(line->subject, "$title") == 0 ? job_of(agent)->title : line->subject);
    if (line->reply) {
        told.original = h->told[h->count - (size_t)line->reply].message;
        message->about = line->act == ACT_ANSWER ? told.original->act : line->act;
        link_to(h, message, told.original, layout);
    }
    h->told = demo_resize(h->told, (h->count + 1) * sizeof *h->told);
    h->told[h->count++] = told;
    if (!from || !(line->mood || line->step || line->refused))
        return;
    struct start *start = &h->swarm->starts[from - h->swarm->members];
    start->mood = line->mood;
    start->asked = line->mood == MOOD_WAITS ? message : NULL;
    start->step = line->step ? line->step : start->step;
    start->refused |= line->refused;
}

/* Adds the messages of those agents that there are, so many minutes earlier. */
static void add_lines(struct history *h, const struct line *lines, size_t line_count,
                      const struct member *const *members, size_t count, double shift)
{
    for (const struct line *line = lines; line < lines + line_count; line++) {
        bool there = line->from < (int)count && line->to < (int)count;
        bool able = line->act != ACT_IDLE || members[0]->layout->programs;
        if (there && able && (!line->alone || count == 1))
            add_message(h, line, line->from == LEAD ? NULL : members[line->from],
                        line->to == LEAD ? NULL : members[line->to], shift);
    }
}

/* Returns the one agent that is stuck: the third of the first layout that has three. */
static const struct member *find_stuck(const struct swarm *swarm)
{
    const struct member *one = NULL;

    for (size_t i = 0; !one && layouts[i]; i++)
        one = swarm_member(swarm, layouts[i], 2);
    return one;
}

static void add_layout(struct history *h, size_t number, const struct member *stuck)
{
    const struct layout *layout = scenes[number].layout;
    const struct member *members[AGENTS_MAX];
    size_t count = swarm_size(h->swarm, layout);

    if (!count)
        return;
    for (unsigned place = 0; place < count; place++)
        members[place] = swarm_member(h->swarm, layout, place);
    for (size_t i = 0; i < count; i++)
        add_lines(h, usual_lines, sizeof usual_lines / sizeof *usual_lines,
                  (const struct member *[]){members[i], members[(i + 1) % count]},
                  count > 1 && i % 2 == 0 ? 2 : 1, (double)i * 3);
    add_lines(h, scenes[number].lines, scenes[number].count, members, count, 0);
    for (size_t i = 6; i < count; i++) {
        if (i % 3 == 0)
            add_lines(h, idle_lines, 2, &members[i], 1, 20 + (double)i);
        else
            add_lines(h, step_lines, 1, &members[i], 1, 1 + (double)(i % 13));
    }
    if (stuck && stuck->layout == layout) {
        h->swarm->starts[stuck - h->swarm->members] = (struct start){0};
        add_lines(h, stuck_lines, 2, (const struct member *[]){stuck, members[0]}, 2, 0);
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
        if (told->original) /* which has a name now, if the layout names requests */
            message_set(told->message, PART_REQUEST, told->original->part[PART_REQUEST]);
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

    for (size_t i = 0; i < sizeof scenes / sizeof *scenes; i++) {
        const struct layout *layout = scenes[i].layout;
        if (swarm_size(swarm, layout))
            ok = ok && layout->found(swarm->dir, swarm->members, swarm->count,
                                     h.now_us - 200 * MINUTE_US);
        add_layout(&h, i, stuck);
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
