/* One agent: it checks its mailbox, does what is due, and obeys the director. */
#include "demo/random.h"
#include "demo/story.h"
#include "demo/swarm.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* A planned action. */
struct errand {
    int64_t due_us;           /* on the steady clock */
    struct message *message;  /* to be sent, or NULL */
    struct message *original; /* the message that it is about, or NULL */
    bool begins, finishes;    /* work on the original, after the message is sent */
    bool leaves;              /* the agent ends */
};

struct agent {
    const struct swarm *swarm;
    const struct member *me;
    struct post post;
    struct dice dice;
    enum mood mood;
    unsigned round, step;
    const struct job *job;
    unsigned task;         /* number of its current task, in layouts with tasks */
    struct message *asked; /* sent to the lead and not answered yet, or NULL */
    int64_t asked_us;      /* on the steady clock */
    struct message
        *peer;         /* a question that a peer waits for while the agent is in a ring, or NULL */
    unsigned narrowed; /* how often the plan was narrowed */
    unsigned chats;    /* number of chats, so that nobody says the same thing twice in a row */
    bool refused;      /* has already refused to stop */
    struct errand *errands;
    size_t task_count;
    int line;
    bool over;
};

/* Plans and answers. */

/* Plans an action and takes ownership of the message. Seconds are story time: they pass faster at a
 * higher speed. The result is borrowed until the next call. */
static struct errand *agent_plan(struct agent *agent, double seconds, struct message *message)
{
    agent->errands = demo_resize(agent->errands, (agent->task_count + 1) * sizeof *agent->errands);
    struct errand *errand = &agent->errands[agent->task_count++];
    *errand = (struct errand){
        .due_us = clock_steady() + (int64_t)(seconds / agent->swarm->speed * (double)SECOND_US),
        .message = message};
    return errand;
}

static void report_director(struct agent *agent, char what)
{
    /* without a director it is over anyway: the next poll says so */
    (void)send(agent->line, &what, 1, MSG_NOSIGNAL | MSG_DONTWAIT);
}

/* Returns a new message to `to`; NULL: to the lead. */
static struct message *make_message(const struct agent *agent, enum act act, const char *to)
{
    return message_new(act, agent->me->name, to ? to : agent->me->layout->lead);
}

/* Plans a message: with that text, as story_add() takes it, or with the words of the story for its
 * act, if it is NULL. */
static struct message *plan_message(struct agent *agent, double seconds, enum act act,
                                    const char *to, const char *text)
{
    struct message *message = make_message(agent, act, to);

    word_message(message, agent->job, text, !agent->me->layout->requests);
    agent_plan(agent, seconds, message);
    return message;
}

/* Clears the open request; the work goes on. */
static void agent_set_free(struct agent *agent)
{
    message_free(agent->asked);
    agent->asked = NULL;
    agent->mood = MOOD_FREE;
    report_director(agent, TELL_FREE);
}

/* Starts the next piece of work. */
static void agent_next_job(struct agent *agent)
{
    agent->round++;
    agent->step = 0;
    agent->narrowed = 0;
    agent->job = job_find(agent->me->layout->name, agent->me->place, agent->round);
}

/* Appends the first lines of a message, quoted. */
static void add_quote(struct text *out, const char *text)
{
    text += strspn(text, " \t\r\n");
    for (int line = 0; *text && line < 3; line++) {
        size_t len = strcspn(text, "\n");
        text_puts(out, "> ");
        text_add(out, text, len);
        text_putc(out, '\n');
        text += len + (text[len] != '\0');
    }
    text_putc(out, '\n');
}

/* Returns an answer in the same conversation; `about` and the text are as story_add() takes them.
 */
static struct message *reply_to(struct agent *agent, const struct message *in, const char *text,
                                const struct message *about, bool quoting)
{
    struct message *message = make_message(agent, ACT_SAY, message_get(in, PART_FROM));
    const char *subject = message_get(in, PART_SUBJECT), *id = message_get(in, PART_ID);
    CLEANUP(text_free) struct text body = {0};

    if (quoting)
        add_quote(&body, message_get(in, PART_BODY));
    story_add(&body, text, agent->job, about);
    message_say(message, text_c(&body));
    if (*subject)
        message_setf(message, PART_SUBJECT, "%s%s",
                     strncmp(subject, "Re: ", 4) == 0 ? "" : "Re: ", subject);
    if (*id) {
        message_set(message, PART_REPLY_TO, id);
        message_set(message, PART_THREAD,
                    *message_get(in, PART_THREAD) ? in->part[PART_THREAD] : id);
    }
    return message;
}

/* Plans to finish a message, after an answer to it unless that is NULL. */
static struct errand *plan_finish(struct agent *agent, double seconds, struct message *in,
                                  struct message *answer)
{
    struct errand *errand = agent_plan(agent, seconds, answer);

    errand->original = in;
    errand->finishes = true;
    return errand;
}

static void plan_answer(struct agent *agent, double seconds, struct message *in, const char *text)
{
    plan_finish(agent, seconds, in, reply_to(agent, in, text, in, false));
}

static void answer_quoting(struct agent *agent, double seconds, struct message *in,
                           const char *text)
{
    const struct message *about = agent->asked ? agent->asked : in;

    plan_finish(agent, seconds, in, reply_to(agent, in, text, about, true));
}

/* Decisions. */

static void use_word(struct agent *agent, struct message *in)
{
    answer_quoting(agent, 4, in,
                   in->act == ACT_ANSWER && !in->yes
                       ? "Understood. I leave it as it was, then."
                       : "Thank you, that settles it. I do it like that and go on.");
    agent_set_free(agent);
}

static bool answers_what_i_asked(const struct agent *agent, const struct message *in)
{
    const char *reply = message_get(in, PART_REPLY_TO), *request = message_get(in, PART_REQUEST);

    if (!agent->asked)
        return false;
    if (*request && message_is(agent->asked, PART_REQUEST, request))
        return true;
    return *reply && strncmp(message_get(agent->asked, PART_ID), reply, strlen(reply)) == 0;
}

/* Plans the narrowed plan that answers a rejection; the agent still waits meanwhile. */
static void narrow_plan(struct agent *agent, struct message *in)
{
    struct message *plan = make_message(agent, ACT_PLAN, NULL);
    const char *reason = message_get(in, PART_REASON);

    message_set(plan, PART_REASON, *reason ? reason : "no");
    word_message(plan, agent->job, NULL, !agent->me->layout->requests);
    agent_plan(agent, 6, plan);
    plan_finish(agent, 7, in, NULL);
    message_free(agent->asked);
    agent->asked = NULL;
}

static void take_decision(struct agent *agent, struct message *in)
{
    static const struct {
        const char *yes, *no, *because; /* the last one for a no with a reason, unless NULL */
    } answers[ACTS] = {
        [ACT_PLAN] = {"With your approval I start on the first step now, and report after each.",
                      "Understood. I leave this plan alone and take something else.", NULL},
        [ACT_PERMIT] = {"$result\n\n    $ $command", "Understood, I do not run it. $otherwise",
                        "> $reason\n\nUnderstood, I do not run it. $otherwise"},
        [ACT_HOST] = {"Connected to $host: that works, I go on.",
                      "Understood, no connection to $host. I use the copy from last week instead.",
                      NULL},
        [ACT_HANDOFF] = {"Thank you for taking it. I am here if something is unclear.",
                         "Then I keep it. Next: $next.", NULL}};
    enum act asked = agent->asked->act;
    bool because = answers[asked].because && *message_get(in, PART_REASON);

    if (!answers[asked].yes) {
        use_word(agent, in);
        return;
    }
    if (asked == ACT_PLAN && !in->yes && agent->narrowed++ < 2) {
        narrow_plan(agent, in);
        return;
    }
    plan_answer(agent, asked == ACT_PLAN && in->yes ? 3 : 4, in,
                in->yes   ? answers[asked].yes
                : because ? answers[asked].because
                          : answers[asked].no);
    if (asked == ACT_PLAN && in->yes) {
        plan_message(agent, 14, ACT_SAY, NULL, "$step1");
        plan_message(agent, 32, ACT_SAY, NULL, "$step2");
        agent->step = 4;
    } else if (asked == ACT_PLAN) {
        agent_next_job(agent);
    }
    agent_set_free(agent);
}

/* Lead commands. */

static void take_stop(struct agent *agent, struct message *in)
{
    bool busy = (agent->step >= 3 || agent->asked) && agent->mood != MOOD_STUCK && !agent->refused;
    struct message *message =
        reply_to(agent, in,
                 busy ? "I cannot stop yet: I am in the middle of \"$title\": $state; give me ten "
                        "minutes."
                      : "I stop now. My work is in order: $state.",
                 in, false);

    message->act = ACT_ANSWER;
    message->about = ACT_STOP;
    message->yes = !busy;
    message_set(message, PART_REQUEST, message_get(in, PART_REQUEST));
    message_setf(message, PART_REASON, "in the middle of \"%s\": %s; give me ten minutes",
                 agent->job->title, agent->job->state);
    plan_finish(agent, 3, in, message)->leaves = !busy;
    agent->refused |= busy;
}

static void take_handoff(struct agent *agent, struct message *in)
{
    static const char *const words[] = {
        "$accepted", "The first of the next steps is done, without surprises.",
        "Completed: all of the next steps are done, and the tests pass."};
    static const double seconds[] = {4, 16, 34};

    for (int i = 0; i < 3; i++) {
        struct errand *errand =
            agent_plan(agent, seconds[i], reply_to(agent, in, words[i], in, false));
        if (agent->me->layout->one_slot)
            continue; /* its answers may have to wait, and others want to write to it */
        errand->original = in;
        errand->begins = i == 0;
        errand->finishes = i == 2;
    }
    if (agent->me->layout->one_slot)
        plan_finish(agent, 6, in, NULL);
}

static void take_order(struct agent *agent, struct message *in)
{
    if (in->act == ACT_RULES) {
        plan_finish(agent, 1, in, NULL);
        return;
    }
    bool task = in->act == ACT_TASK;
    message_set(in, PART_SUBJECT, task ? message_get(in, PART_REASON) : "mode");
    if (task)
        plan_message(agent, 24, ACT_SAY, NULL, "Done, with a test for it.");
    plan_answer(agent, 3, in,
                task ? "I take \"$reason\" and start right away."
                     : "My mode is $reason from now on.");
}

/* Words. */

static bool holds(const char *text, const char *word)
{
    return strcasestr(text, word) != NULL;
}

static void answer_words(struct agent *agent, struct message *in)
{
    const char *text = message_get(in, PART_BODY);
    unsigned peers = (unsigned)swarm_size(agent->swarm, agent->me->layout);
    double seconds = 3 + dice_pick(&agent->dice, in->to_all ? 12 : 3);
    const char *words = "Understood. I keep that in mind for \"$title\".";

    if (in->to_all && peers > 8 && dice_pick(&agent->dice, peers) >= 8) {
        plan_finish(agent, seconds, in, NULL); /* not every agent answers a message to all */
        return;
    }
    if (agent->asked)
        words = "Noted. I still wait for your word on \"$subject\".";
    else if (holds(text, "status") || holds(text, "how far") || holds(text, "progress"))
        words = "On \"$title\": $state.";
    else if (holds(text, "thank"))
        words = "Gladly.";
    else if (holds(text, "?"))
        words =
            "Yes, as far as I can see from \"$title\" ($state). I look into it and write again.";
    answer_quoting(agent, seconds, in, words);
}

/* Wakes a silent agent to which the lead has written. */
static void recover(struct agent *agent, struct message *in)
{
    agent->mood = MOOD_FREE;
    answer_quoting(agent, 4, in, "I am here again. $otherwise I go on where I stopped.");
    plan_message(agent, 18, ACT_SAY, NULL, "$step3");
    agent_set_free(agent);
}

/* Leaves a ring: answers the peer that waits. */
static void answer_peer(struct agent *agent, double seconds)
{
    if (agent->peer)
        plan_answer(agent, seconds, agent->peer, job_answer(message_get(agent->peer, PART_BODY)));
    agent->peer = NULL;
}

static void leave_ring(struct agent *agent, struct message *in)
{
    answer_peer(agent, 3);
    answer_quoting(agent, 5, in,
                   "You are right, nobody has to wait here. I have answered first and go on.");
    agent_set_free(agent);
}

/* Senders. */

static void react_to_lead(struct agent *agent, struct message *in)
{
    bool word = in->act == ACT_SAY || in->act == ACT_ASK;

    if (in->act == ACT_STOP)
        take_stop(agent, in);
    else if (agent->asked && (in->act == ACT_ANSWER || word) && answers_what_i_asked(agent, in) &&
             (in->act == ACT_ANSWER || agent->asked->act == ACT_ASK))
        take_decision(agent, in);
    else if (agent->asked && word && agent->asked->act == ACT_ASK && !in->to_all)
        use_word(agent, in);
    else if (agent->mood == MOOD_STUCK)
        recover(agent, in);
    else if (agent->mood == MOOD_RING) /* the agent to which the lead writes gives way */
        leave_ring(agent, in);
    else if (in->act == ACT_HANDOFF)
        take_handoff(agent, in);
    else if (in->act == ACT_TASK || in->act == ACT_MODE || in->act == ACT_RULES)
        take_order(agent, in);
    else if (in->act == ACT_ANSWER && !message_get(in, PART_BODY)[0])
        plan_finish(agent, 1, in, NULL);
    else
        answer_words(agent, in);
}

/* Answers its peer after its own answer has come. */
static void end_ring(struct agent *agent, struct message *in)
{
    answer_peer(agent, 5);
    plan_finish(agent, 4, in, NULL);
    agent_set_free(agent);
}

static void react_to_peer(struct agent *agent, struct message *in)
{
    double seconds = 4 + dice_pick(&agent->dice, 5);

    if (in->act == ACT_ASK && agent->mood == MOOD_RING && !agent->peer)
        agent->peer = in;
    else if (in->act == ACT_ASK && agent->mood != MOOD_RING)
        plan_answer(agent, seconds, in, job_answer(message_get(in, PART_BODY)));
    else if (in->act == ACT_HANDOFF)
        take_handoff(agent, in);
    else if (agent->mood == MOOD_RING && *message_get(in, PART_REPLY_TO))
        end_ring(agent, in);
    else
        plan_finish(agent, seconds, in, NULL);
}

/* The agent's own work, one step at a time. */

enum { PATIENCE_S = 90 };

/* Returns another agent of the same layout, or NULL. */
static const struct member *agent_peer(struct agent *agent)
{
    unsigned count = (unsigned)swarm_size(agent->swarm, agent->me->layout);
    unsigned first = dice_pick(&agent->dice, count);

    for (unsigned i = 0; i < count; i++) {
        const struct member *one =
            swarm_member(agent->swarm, agent->me->layout, (first + i) % count);
        if (one != agent->me && !agent->swarm->gone[one - agent->swarm->members])
            return one;
    }
    return NULL;
}

static void set_task(struct agent *agent, const char *status)
{
    if (agent->me->layout->task)
        agent->me->layout->task(&agent->post, agent->task, agent->job->title, status);
}

/* Ends the current work. */
static void agent_rest(struct agent *agent)
{
    set_task(agent, "completed");
    if (agent->me->layout->programs)
        plan_message(agent, 2, ACT_IDLE, NULL, "")->yes = true;
    agent_next_job(agent);
}

static void end_job(struct agent *agent)
{
    const struct member *peer = agent_peer(agent);

    if (peer && agent->round % 3 == 1)
        plan_message(agent, 0, ACT_HANDOFF, peer->name, NULL);
    else
        plan_message(agent, 0, ACT_SAY, NULL, "$done");
    agent_rest(agent);
}

static void chat(struct agent *agent, const struct member *peer)
{
    if (peer)
        plan_message(agent, 0, ACT_SAY, peer->name, chatter_find(agent->task * 5 + agent->chats++))
            ->spare = true;
}

/* Chats with a peer while the agent waits, unless its program is blocked too. */
static void agent_chat(struct agent *agent)
{
    if (!agent->me->layout->programs)
        chat(agent, agent_peer(agent));
}

/* The steps of a job; those without a text ask the lead for something. */
static const struct {
    enum act act;
    bool to_peer;
    const char *text;
} steps[] = {{ACT_SAY, false, "Started: $title. A plan follows."},
             {ACT_PLAN, false, NULL},
             {ACT_ASK, true, "$asks"},
             {ACT_SAY, false, "$step1"},
             {ACT_PERMIT, false, NULL},
             {ACT_SAY, true, "$step2"},
             {ACT_HOST, false, NULL},
             {ACT_SAY, false, "$step3"}};

/* Does one step of its own work; asks for something only if `may_ask`. */
static void agent_act(struct agent *agent, bool may_ask)
{
    const struct layout *layout = agent->me->layout;
    const struct member *peer = agent_peer(agent);
    unsigned number = agent->step;

    if (number >= sizeof steps / sizeof *steps) {
        end_job(agent);
        return;
    }
    if (!steps[number].text && !may_ask && layout->requests) {
        chat(agent, peer);
        return;
    }
    agent->step++;
    if (number == 0)
        set_task(agent, "in_progress");
    enum act act = steps[number].act;
    if (act == ACT_HOST && !(layout->programs && agent->round % 2 == 0))
        act = ACT_ASK;
    else if (act == ACT_ASK && !(peer = agent_peer(agent)))
        return;
    plan_message(agent, 0, act, peer && steps[number].to_peer ? peer->name : NULL,
                 steps[number].text)
        ->spare = steps[number].text != NULL;
}

/* True if the client lists the request: in some layouts a question in words is only mail. */
static bool is_firm(const struct agent *agent)
{
    const struct layout *layout = agent->me->layout;

    return layout->requests && (!layout->programs || agent->asked->act != ACT_ASK);
}

/* Goes on without an answer after a while, where nobody has to answer. */
static void agent_lose_patience(struct agent *agent)
{
    double waited_s = (double)(clock_steady() - agent->asked_us) / (double)SECOND_US;

    if (agent->mood != MOOD_WAITS || !agent->asked || is_firm(agent) ||
        waited_s * agent->swarm->speed < PATIENCE_S)
        return;
    struct message *message = plan_message(
        agent, 0, ACT_SAY, NULL, "No word from you so far, so I go on with what needs none.");
    message->spare = true;
    message_set(message, PART_REPLY_TO, message_get(agent->asked, PART_ID));
    agent_set_free(agent);
}

enum { QUEUE_MAX = 24, SPARE_MAX = 3 };

static bool is_request(const struct agent *agent, const struct message *message)
{
    return message_is(message, PART_TO, agent->me->layout->lead) && message->act >= ACT_ASK &&
           message->act <= ACT_ESCALATE;
}

/* Keeps a request to the lead until it is answered. */
static void note_sent(struct agent *agent, struct message *message)
{
    report_director(agent, TELL_SENT);
    if (!is_request(agent, message)) {
        message_free(message);
        return;
    }
    message_free(agent->asked);
    agent->asked = message;
    agent->asked_us = clock_steady();
    agent->mood = MOOD_WAITS;
    report_director(agent, TELL_ASKED);
}

static void finish_errand(struct agent *agent, struct errand *errand)
{
    const struct layout *layout = agent->me->layout;

    if (errand->message)
        note_sent(agent, errand->message);
    if (errand->begins && errand->original && layout->begin)
        layout->begin(&agent->post, errand->original);
    if (errand->finishes && layout->done)
        layout->done(&agent->post, errand->original);
    if (errand->leaves) {
        if (layout->leave)
            layout->leave(&agent->post);
        agent->swarm->gone[agent->me - agent->swarm->members] = 1;
        agent->over = true;
    }
    if (errand->finishes)
        message_free(errand->original);
}

static void drop_errand(struct agent *agent, size_t index)
{
    agent->task_count--;
    memmove(&agent->errands[index], &agent->errands[index + 1],
            (agent->task_count - index) * sizeof *agent->errands);
}

/* True if an earlier message to the same recipient waits for room: this one has to wait, too. */
static bool is_blocked(const struct agent *agent, size_t index, int64_t now_us)
{
    const struct message *message = agent->errands[index].message;

    for (size_t i = 0; i < index; i++) {
        const struct errand *errand = &agent->errands[i];
        if (errand->message && errand->due_us <= now_us &&
            message_is(message, PART_TO, message_get(errand->message, PART_TO)))
            return true;
    }
    return false;
}

/* Drops spare messages first when too many wait for room. */
static void drop_spare(struct agent *agent)
{
    size_t spare = 0;

    for (size_t i = agent->task_count; i--;) {
        struct errand *errand = &agent->errands[i];
        if (!errand->message || !errand->message->spare || errand->finishes || errand->begins)
            continue;
        if (++spare <= SPARE_MAX && agent->task_count <= QUEUE_MAX)
            continue;
        message_free(errand->message);
        drop_errand(agent, i);
    }
}

/* Finishes the original of an answer that waits for room, so that its own slot does not stay
 * full. */
static void settle_meanwhile(struct agent *agent, struct errand *errand)
{
    if (!agent->me->layout->one_slot || !errand->finishes || errand->leaves)
        return;
    if (agent->me->layout->done)
        agent->me->layout->done(&agent->post, errand->original);
    message_free(errand->original);
    errand->original = NULL;
    errand->finishes = errand->begins = false;
}

/* Senders are whatever their messages say, and answers go to files with their names: a name that
 * could lead to another directory gets no answer. */
static bool deliver(struct agent *agent, struct message *message)
{
    const char *to = message_get(message, PART_TO);
    bool safe = *to && *to != '.' && !strchr(to, '/');

    return !safe || agent->me->layout->send(&agent->post, message);
}

static void run_errands(struct agent *agent)
{
    int64_t now_us = clock_steady();

    for (size_t i = 0; i < agent->task_count && !agent->over;) {
        struct errand errand = agent->errands[i];
        bool due = errand.due_us <= now_us, sent = due;
        if (due && errand.message) {
            errand.message->time_us = clock_now();
            sent = !is_blocked(agent, i, now_us) && deliver(agent, errand.message);
        }
        if (due && !sent)
            settle_meanwhile(agent, &agent->errands[i]);
        if (!sent) {
            i++;
            continue;
        }
        drop_errand(agent, i);
        finish_errand(agent, &errand);
    }
    drop_spare(agent);
}

/* Reacts to a message and takes ownership of it. */
static void got_letter(void *context, struct message *message)
{
    struct agent *agent = context;

    bool lead = message_is(message, PART_FROM, agent->me->layout->lead);

    if (lead)
        report_director(agent, TELL_PERSON);
    if (lead || message_is(message, PART_FROM, "user"))
        react_to_lead(agent, message);
    else
        react_to_peer(agent, message);
}

/* Returns false if the director has ended. */
static bool listen_to_director(struct agent *agent, int timeout_ms)
{
    struct pollfd line = {.fd = agent->line, .events = POLLIN};
    char word;

    if (poll(&line, 1, timeout_ms) <= 0)
        return true;
    ssize_t count = recv(agent->line, &word, 1, MSG_DONTWAIT);
    if (count < 0)
        return true;
    if (count == 1 && agent->mood == MOOD_WAITS && word != REST)
        agent_chat(agent);
    else if (count == 1 && agent->mood == MOOD_FREE)
        (word == REST ? agent_rest(agent) : agent_act(agent, word == GO_AND_ASK));
    return count == 1;
}

static int patience_ms(const struct agent *agent)
{
    double ms = 700 / agent->swarm->speed;

    return ms < 40 ? 40 : ms > 700 ? 700 : (int)ms;
}

static void prepare_step(struct agent *agent, const struct swarm *swarm, size_t number, int line)
{
    const struct start *start = &swarm->starts[number];

    *agent = (struct agent){.swarm = swarm,
                            .me = &swarm->members[number],
                            .dice = dice_make(swarm->seed, number + 1),
                            .mood = start->mood,
                            .step = start->step,
                            .refused = start->refused,
                            .asked = start->asked,
                            .asked_us = clock_steady(),
                            .task = (unsigned)number + 1,
                            .line = line};
    agent->job = job_find(agent->me->layout->name, agent->me->place, 0);
    agent->post = (struct post){.layout = agent->me->layout,
                                .dir = swarm->dir,
                                .who = agent->me->name,
                                .color = agent->me->color,
                                .dice = &agent->dice,
                                .asleep = start->mood == MOOD_STUCK,
                                .got = got_letter,
                                .context = agent};
}

void agent_live(const struct swarm *swarm, size_t number, int line)
{
    struct agent agent;
    pid_t director = getppid();

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prepare_step(&agent, swarm, number, line);
    while (!agent.over && getppid() == director &&
           listen_to_director(&agent, patience_ms(&agent))) {
        agent.me->layout->take(&agent.post);
        agent_lose_patience(&agent);
        run_errands(&agent);
    }
    _exit(0);
}
