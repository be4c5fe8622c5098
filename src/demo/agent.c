/* One agent: it checks its mailbox, does what is due, and obeys the director. */
#include "demo/agent.h"

#include "demo/random.h"
#include "demo/story.h"

#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <unistd.h>

/* The reactions of an agent: to decisions, lead commands, questions and plain words. */

/* Answers. */

static struct errand *agent_plan(struct agent *agent, double seconds, struct message *message);
static void agent_set_free(struct agent *agent);

/* Starts the next piece of work. */
static void agent_next_job(struct agent *agent)
{
    agent->round++;
    agent->step = 0;
    agent->narrowed = 0;
    agent->job = job_find(agent->me->layout->name, agent->me->place, agent->round);
}

/* Returns a new message to `to`; NULL: to the lead. */
static struct message *agent_letter(const struct agent *agent, enum act act, const char *to)
{
    return message_new(act, agent->me->name, to ? to : agent->me->layout->lead);
}

static struct message *agent_make_plan(struct agent *agent, const char *feedback);

/* Returns an answer in the same conversation. */
static struct message *reply_to(struct agent *agent, const struct message *in, const char *body)
{
    struct message *message = agent_letter(agent, ACT_SAY, message_get(in, PART_FROM));
    const char *subject = message_get(in, PART_SUBJECT), *id = message_get(in, PART_ID);

    message_say(message, body);
    if (*subject)
        message_setf(message, PART_SUBJECT, "%s%s",
                     strncmp(subject, "Re: ", 4) == 0 ? "" : "Re: ", subject);
    if (*id) {
        message_set(message, PART_REPLY_TO, id);
        message_set(message, PART_THREAD,
                    in->part[PART_THREAD] && *in->part[PART_THREAD] ? in->part[PART_THREAD] : id);
    }
    return message;
}

/* Plans an answer that finishes the original. */
static void plan_answer(struct agent *agent, double seconds, struct message *in, const char *body)
{
    struct errand *errand = agent_plan(agent, seconds, reply_to(agent, in, body));

    errand->original = in;
    errand->finishes = true;
}

/* Finishes a message without an answer. */
static void put_away(struct agent *agent, double seconds, struct message *in)
{
    struct errand *errand = agent_plan(agent, seconds, NULL);

    errand->original = in;
    errand->finishes = true;
}

static void say_later(struct agent *agent, double seconds, const char *body)
{
    struct message *message = agent_letter(agent, ACT_SAY, NULL);

    message_say(message, body);
    agent_plan(agent, seconds, message);
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

static void answer_quoting(struct agent *agent, double seconds, struct message *in,
                           const char *words)
{
    CLEANUP(text_free) struct text body = {0};

    add_quote(&body, message_get(in, PART_BODY));
    text_puts(&body, words);
    plan_answer(agent, seconds, in, text_c(&body));
}

/* Decisions. */

static void go_on_with_plan(struct agent *agent, struct message *in)
{
    const struct job *job = agent->job;

    plan_answer(agent, 3, in,
                "With your approval I start on the first step now, and report after each.");
    say_later(agent, 14, job->steps[0]);
    say_later(agent, 32, job->steps[1]);
    agent->step = 4;
    agent_set_free(agent);
}

static void narrow_plan(struct agent *agent, struct message *in)
{
    const char *reason = message_get(in, PART_REASON);

    if (agent->narrowed++ < 2) {
        agent_plan(agent, 6, agent_make_plan(agent, *reason ? reason : "no"));
        put_away(agent, 7, in);
        message_free(agent->asked);
        agent->asked = NULL; /* still waits: the next plan is on its way */
        return;
    }
    plan_answer(agent, 4, in, "Understood. I leave this plan alone and take something else.");
    agent_next_job(agent);
    agent_set_free(agent);
}

static void use_permission(struct agent *agent, struct message *in)
{
    const struct job *job = agent->job;
    const char *reason = message_get(in, PART_REASON);
    CLEANUP(text_free) struct text body = {0};

    if (in->yes)
        text_addf(&body, "%s\n\n    $ %s", job->result,
                  in->part[PART_COMMAND] ? in->part[PART_COMMAND] : job->command);
    else if (*reason)
        text_addf(&body, "> %s\n\nUnderstood, I do not run it. %s", reason, job->otherwise);
    else
        text_addf(&body, "Understood, I do not run it. %s", job->otherwise);
    plan_answer(agent, 4, in, text_c(&body));
    agent_set_free(agent);
}

static void use_host(struct agent *agent, struct message *in)
{
    CLEANUP(text_free) struct text body = {0};

    if (in->yes)
        text_addf(&body, "Connected to %s: that works, I go on.", agent->job->host);
    else
        text_addf(&body, "Understood, no connection to %s. I use the copy from last week instead.",
                  agent->job->host);
    plan_answer(agent, 4, in, text_c(&body));
    agent_set_free(agent);
}

static void use_word(struct agent *agent, struct message *in)
{
    const char *words = in->act == ACT_ANSWER && !in->yes
                            ? "Understood. I leave it as it was, then."
                            : "Thank you, that settles it. I do it like that and go on.";

    answer_quoting(agent, 4, in, words);
    agent_set_free(agent);
}

static void use_verdict_on_handoff(struct agent *agent, struct message *in)
{
    CLEANUP(text_free) struct text body = {0};

    if (in->yes)
        text_puts(&body, "Thank you for taking it. I am here if something is unclear.");
    else
        text_addf(&body, "Then I keep it. Next: %.*s.", (int)strcspn(agent->job->next, "\n"),
                  agent->job->next);
    plan_answer(agent, 4, in, text_c(&body));
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

static void take_decision(struct agent *agent, struct message *in)
{
    switch (agent->asked->act) {
    case ACT_PLAN:
        (in->yes ? go_on_with_plan : narrow_plan)(agent, in);
        break;
    case ACT_PERMIT:
        use_permission(agent, in);
        break;
    case ACT_HOST:
        use_host(agent, in);
        break;
    case ACT_HANDOFF:
        use_verdict_on_handoff(agent, in);
        break;
    default:
        use_word(agent, in);
        break;
    }
}

/* Lead commands. */

static void take_stop(struct agent *agent, struct message *in)
{
    bool busy = (agent->step >= 3 || agent->asked) && agent->mood != MOOD_STUCK && !agent->refused;
    struct message *message = reply_to(agent, in, "");
    CLEANUP(text_free) struct text body = {0};

    message->act = ACT_ANSWER;
    message->about = ACT_STOP;
    message->yes = !busy;
    message_set(message, PART_REQUEST, message_get(in, PART_REQUEST));
    message_setf(message, PART_REASON, "in the middle of \"%s\": %s; give me ten minutes",
                 agent->job->title, agent->job->state);
    if (busy)
        text_addf(&body, "I cannot stop yet: I am %s.", message_get(message, PART_REASON));
    else
        text_addf(&body, "I stop now. My work is in order: %s.", agent->job->state);
    message_set(message, PART_BODY, text_c(&body));
    struct errand *errand = agent_plan(agent, 3, message);
    errand->original = in;
    errand->finishes = true;
    errand->leaves = !busy;
    agent->refused |= busy;
}

static void take_handoff(struct agent *agent, struct message *in)
{
    static const char *const words[] = {
        "Accepted. I have read all of it and go on from there.",
        "The first of the next steps is done, without surprises.",
        "Completed: all of the next steps are done, and the tests pass."};
    static const double seconds[] = {4, 16, 34};

    for (int i = 0; i < 3; i++) {
        struct errand *errand = agent_plan(agent, seconds[i], reply_to(agent, in, words[i]));
        if (agent->me->layout->one_slot)
            continue; /* its answers may have to wait, and others want to write to it */
        errand->original = in;
        errand->begins = i == 0;
        errand->finishes = i == 2;
    }
    if (agent->me->layout->one_slot)
        put_away(agent, 6, in);
}

static void take_order(struct agent *agent, struct message *in)
{
    const char *what = message_get(in, PART_REASON);
    CLEANUP(text_free) struct text body = {0};

    if (in->act == ACT_TASK) {
        text_addf(&body, "I take \"%s\" and start right away.", what);
        message_set(in, PART_SUBJECT, what);
        say_later(agent, 24, "Done, with a test for it.");
    } else if (in->act == ACT_MODE) {
        text_addf(&body, "My mode is %s from now on.", what);
        message_set(in, PART_SUBJECT, "mode");
    } else {
        put_away(agent, 1, in);
        return;
    }
    plan_answer(agent, 3, in, text_c(&body));
}

/* Words. */

static bool holds(const char *text, const char *word)
{
    return strcasestr(text, word) != NULL;
}

static void answer_words(struct agent *agent, struct message *in)
{
    const char *text = message_get(in, PART_BODY);
    const struct job *job = agent->job;
    unsigned peers = (unsigned)swarm_size(agent->swarm, agent->me->layout);
    double seconds = 3 + dice_pick(&agent->dice, in->to_all ? 12 : 3);
    CLEANUP(text_free) struct text words = {0};

    if (in->to_all && peers > 8 && dice_pick(&agent->dice, peers) >= 8) {
        put_away(agent, seconds, in); /* not every agent answers a message to all */
        return;
    }
    if (agent->asked)
        text_addf(&words, "Noted. I still wait for your word on \"%s\".",
                  message_get(agent->asked, PART_SUBJECT));
    else if (holds(text, "status") || holds(text, "how far") || holds(text, "progress"))
        text_addf(&words, "On \"%s\": %s.", job->title, job->state);
    else if (holds(text, "thank"))
        text_puts(&words, "Gladly.");
    else if (holds(text, "?"))
        text_addf(&words,
                  "Yes, as far as I can see from \"%s\" (%s). I look into it and write again.",
                  job->title, job->state);
    else
        text_addf(&words, "Understood. I keep that in mind for \"%s\".", job->title);
    answer_quoting(agent, seconds, in, text_c(&words));
}

/* Wakes a silent agent to which the lead has written. */
static void recover(struct agent *agent, struct message *in)
{
    CLEANUP(text_free) struct text words = {0};

    agent->mood = MOOD_FREE;
    text_addf(&words, "I am here again. %s I go on where I stopped.", agent->job->otherwise);
    answer_quoting(agent, 4, in, text_c(&words));
    say_later(agent, 18, agent->job->steps[2]);
    agent_set_free(agent);
}

/* Leaves a ring: the agent to which the lead writes gives way. */
static void leave_ring(struct agent *agent, struct message *in)
{
    if (agent->peer)
        plan_answer(agent, 3, agent->peer, job_answer(message_get(agent->peer, PART_BODY)));
    agent->peer = NULL;
    answer_quoting(agent, 5, in,
                   "You are right, nobody has to wait here. I have answered first and go on.");
    agent_set_free(agent);
}

/* Answers its peer after its own answer has come. */
static void end_ring(struct agent *agent, struct message *in)
{
    if (agent->peer)
        plan_answer(agent, 5, agent->peer, job_answer(message_get(agent->peer, PART_BODY)));
    agent->peer = NULL;
    put_away(agent, 4, in);
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
    else if (agent->mood == MOOD_RING)
        leave_ring(agent, in);
    else if (in->act == ACT_HANDOFF)
        take_handoff(agent, in);
    else if (in->act == ACT_TASK || in->act == ACT_MODE || in->act == ACT_RULES)
        take_order(agent, in);
    else if (in->act == ACT_ANSWER && !message_get(in, PART_BODY)[0])
        put_away(agent, 1, in);
    else
        answer_words(agent, in);
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
        put_away(agent, seconds, in);
}

/* Reacts to a message and takes ownership of it. */
static void agent_react(struct agent *agent, struct message *message)
{
    if (message_is(message, PART_FROM, agent->me->layout->lead) ||
        message_is(message, PART_FROM, "user"))
        react_to_lead(agent, message);
    else
        react_to_peer(agent, message);
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

static bool has_program(const struct agent *agent)
{
    return agent->me->layout->programs;
}

static bool has_requests(const struct agent *agent)
{
    return agent->me->layout->requests;
}

static struct message *say_words(struct agent *agent, const char *to, const char *body)
{
    struct message *message = agent_letter(agent, ACT_SAY, to);

    message_say(message, body);
    message->spare = true;
    agent_plan(agent, 0, message);
    return message;
}

/* Returns a plan for the current work; `feedback` is NULL for the first. */
static struct message *agent_make_plan(struct agent *agent, const char *feedback)
{
    struct message *message = agent_letter(agent, ACT_PLAN, NULL);

    word_plan(message, agent->job, feedback, !has_requests(agent));
    return message;
}

/* Sends a message about the current work to the lead, or to `to`. */
static void ask_lead(struct agent *agent, enum act act, const char *to,
                     void (*word)(struct message *message, const struct job *job))
{
    struct message *message = agent_letter(agent, act, to);

    word(message, agent->job);
    agent_plan(agent, 0, message);
}

static void ask_peer(struct agent *agent)
{
    const struct member *peer = agent_peer(agent);

    if (!peer)
        return;
    struct message *message = agent_letter(agent, ACT_ASK, peer->name);
    message_say(message, agent->job->asks);
    message->spare = true;
    agent_plan(agent, 0, message);
}

static void go_idle(struct agent *agent)
{
    struct message *idle = agent_letter(agent, ACT_IDLE, NULL);

    idle->yes = true;
    agent_plan(agent, 2, idle);
}

static void set_task(struct agent *agent, const char *status)
{
    if (agent->me->layout->task)
        agent->me->layout->task(&agent->post, agent->task, agent->job->title, status);
}

static void end_job(struct agent *agent)
{
    const struct member *peer = agent_peer(agent);

    set_task(agent, "completed");
    if (peer && agent->round % 3 == 1) {
        ask_lead(agent, ACT_HANDOFF, peer->name, word_handoff);
    } else {
        struct message *message = say_words(agent, NULL, agent->job->done);
        message->spare = false;
    }
    if (has_program(agent))
        go_idle(agent);
    agent_next_job(agent);
}

static void agent_rest(struct agent *agent)
{
    set_task(agent, "completed");
    if (has_program(agent))
        go_idle(agent);
    agent_next_job(agent);
}

/* True for steps that ask the lead for something. */
static bool is_asking(const struct agent *agent)
{
    return agent->step == 1 || agent->step == 4 || agent->step == 6;
}

static void chat(struct agent *agent, const struct member *peer)
{
    if (peer)
        say_words(agent, peer->name, chatter_find(agent->task * 5 + agent->chats++));
}

/* Chats with a peer while the agent waits, unless its program is blocked too. */
static void agent_chat(struct agent *agent)
{
    if (!has_program(agent))
        chat(agent, agent_peer(agent));
}

/* Does one step of its own work; asks for something only if `may_ask`. */
static void agent_act(struct agent *agent, bool may_ask)
{
    const struct member *peer = agent_peer(agent);
    CLEANUP(text_free) struct text start = {0};

    if (is_asking(agent) && !may_ask && has_requests(agent)) {
        chat(agent, peer);
        return;
    }
    switch (agent->step++) {
    case 0:
        set_task(agent, "in_progress");
        text_addf(&start, "Started: %s. A plan follows.", agent->job->title);
        say_words(agent, NULL, text_c(&start));
        break;
    case 1:
        agent_plan(agent, 0, agent_make_plan(agent, NULL));
        break;
    case 2:
        ask_peer(agent);
        break;
    case 3:
        say_words(agent, NULL, agent->job->steps[0]);
        break;
    case 4:
        ask_lead(agent, ACT_PERMIT, NULL, word_permission);
        break;
    case 5:
        say_words(agent, peer ? peer->name : NULL, agent->job->steps[1]);
        break;
    case 6:
        if (has_program(agent) && agent->round % 2 == 0)
            ask_lead(agent, ACT_HOST, NULL, word_host);
        else
            ask_lead(agent, ACT_ASK, NULL, word_question);
        break;
    case 7:
        say_words(agent, NULL, agent->job->steps[2]);
        break;
    default:
        end_job(agent);
        break;
    }
}

/* True if the client lists the request: in some layouts a question in words is only mail. */
static bool is_firm(const struct agent *agent)
{
    return has_requests(agent) && (!has_program(agent) || agent->asked->act != ACT_ASK);
}

/* Goes on without an answer after a while, where nobody has to answer. */
static void agent_lose_patience(struct agent *agent)
{
    double waited_s = (double)(clock_steady() - agent->asked_us) / (double)SECOND_US;

    if (agent->mood != MOOD_WAITS || !agent->asked || is_firm(agent) ||
        waited_s * agent->swarm->speed < PATIENCE_S)
        return;
    struct message *message =
        say_words(agent, NULL, "No word from you so far, so I go on with what needs none.");
    message_setf(message, PART_REPLY_TO, "%s", message_get(agent->asked, PART_ID));
    agent_set_free(agent);
}

enum { QUEUE_MAX = 24, SPARE_MAX = 3 };

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

/* Clears the open request; the work goes on. */
static void agent_set_free(struct agent *agent)
{
    message_free(agent->asked);
    agent->asked = NULL;
    agent->mood = MOOD_FREE;
    report_director(agent, TELL_FREE);
}

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

/* True if the recipient's slot is full: its messages have to wait, and no others. */
static bool is_blocked(const char *const *blocked, size_t count, const struct message *message)
{
    for (size_t i = 0; i < count; i++)
        if (message_is(message, PART_TO, blocked[i]))
            return true;
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

/* True if the name cannot lead to another directory. Senders are whatever their messages say, and
 * answers go to files with their names: other names get no answer. */
static bool is_name(const char *to)
{
    return *to && *to != '.' && !strchr(to, '/');
}

static bool deliver(struct agent *agent, struct message *message)
{
    return !is_name(message_get(message, PART_TO)) ||
           agent->me->layout->send(&agent->post, message);
}

static void run_errands(struct agent *agent)
{
    char *blocked[QUEUE_MAX];
    size_t blocked_count = 0;
    int64_t now_us = clock_steady();

    for (size_t i = 0; i < agent->task_count && !agent->over;) {
        struct errand errand = agent->errands[i];
        bool due = errand.due_us <= now_us, sent = due;
        if (due && errand.message) {
            errand.message->time_us = clock_now();
            sent = !is_blocked((const char *const *)blocked, blocked_count, errand.message) &&
                   deliver(agent, errand.message);
            if (!sent && blocked_count < QUEUE_MAX)
                blocked[blocked_count++] = demo_copy(message_get(errand.message, PART_TO));
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
    while (blocked_count)
        free(blocked[--blocked_count]);
    drop_spare(agent);
}

static void got_letter(void *context, struct message *message)
{
    struct agent *agent = context;

    if (message_is(message, PART_FROM, agent->me->layout->lead))
        report_director(agent, TELL_PERSON);
    agent_react(agent, message);
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
                                .asleep = start->mood == MOOD_STUCK};
}

void agent_live(const struct swarm *swarm, size_t number, int line)
{
    struct agent agent;
    pid_t director = getppid();

    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prepare_step(&agent, swarm, number, line);
    while (!agent.over && getppid() == director &&
           listen_to_director(&agent, patience_ms(&agent))) {
        agent.me->layout->take(&agent.post, got_letter, &agent);
        agent_lose_patience(&agent);
        run_errands(&agent);
    }
    _exit(0);
}
